"""Kestrel's tools, each with its server-side guards."""

from offhook.packs import Tool
from offhook_industries.customer_support.tools.identity import identity_tools
from offhook_industries.customer_support.tools.information import information_tools
from offhook_industries.customer_support.tools.membership import membership_tools
from offhook_industries.customer_support.tools.session import session_tools

__all__ = ["all_tools"]


def all_tools() -> tuple[Tool, ...]:
    """Every tool, in the order in which the agent is given them."""
    return (*information_tools(), *identity_tools(), *membership_tools(), *session_tools())
