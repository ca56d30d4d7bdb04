"""Kestrel's tools, each with its server-side guards."""

from offhook.packs import Tool
from offhook_industries.customer_support.tools.coverage import coverage_tools
from offhook_industries.customer_support.tools.delivery import delivery_tools
from offhook_industries.customer_support.tools.fraud import fraud_tools
from offhook_industries.customer_support.tools.identity import identity_tools
from offhook_industries.customer_support.tools.information import information_tools
from offhook_industries.customer_support.tools.membership import membership_tools
from offhook_industries.customer_support.tools.orders import order_tools
from offhook_industries.customer_support.tools.price_match import price_match_tools
from offhook_industries.customer_support.tools.refunds import refund_tools
from offhook_industries.customer_support.tools.returns import return_tools
from offhook_industries.customer_support.tools.service import service_tools
from offhook_industries.customer_support.tools.session import session_tools

__all__ = ["all_tools"]


def all_tools() -> tuple[Tool, ...]:
    """Every tool, in the order in which the agent is given them."""
    return (
        *information_tools(),
        *identity_tools(),
        *order_tools(),
        *delivery_tools(),
        *price_match_tools(),
        *return_tools(),
        *refund_tools(),
        *coverage_tools(),
        *service_tools(),
        *membership_tools(),
        *fraud_tools(),
        *session_tools(),
    )
