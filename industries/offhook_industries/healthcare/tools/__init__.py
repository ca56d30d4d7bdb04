"""The front desk's tools, each with its server-side guards."""

from offhook.packs import Tool
from offhook_industries.healthcare.tools.allergy import allergy_tools
from offhook_industries.healthcare.tools.billing import billing_tools
from offhook_industries.healthcare.tools.changing import changing_tools
from offhook_industries.healthcare.tools.clinical import clinical_tools
from offhook_industries.healthcare.tools.cosmetic import cosmetic_tools
from offhook_industries.healthcare.tools.coverage import coverage_tools
from offhook_industries.healthcare.tools.front_desk import front_desk_tools
from offhook_industries.healthcare.tools.identity import identity_tools
from offhook_industries.healthcare.tools.payments import payment_tools
from offhook_industries.healthcare.tools.scheduling import booking_tools
from offhook_industries.healthcare.tools.session import session_tools

__all__ = ["all_tools"]


def all_tools() -> tuple[Tool, ...]:
    """Every tool, in the order in which the agent is given them."""
    return (
        *front_desk_tools(),
        *identity_tools(),
        *booking_tools(),
        *changing_tools(),
        *allergy_tools(),
        *coverage_tools(),
        *cosmetic_tools(),
        *payment_tools(),
        *billing_tools(),
        *clinical_tools(),
        *session_tools(),
    )
