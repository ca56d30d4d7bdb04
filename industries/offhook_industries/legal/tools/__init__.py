"""The firm's tools, each with its server-side guards."""

from offhook.packs import Tool
from offhook_industries.legal.tools.cancelling import cancelling_tools
from offhook_industries.legal.tools.client_services import client_tools
from offhook_industries.legal.tools.intake import intake_tools
from offhook_industries.legal.tools.reception import reception_tools
from offhook_industries.legal.tools.scheduling import scheduling_tools
from offhook_industries.legal.tools.screening import screening_tools
from offhook_industries.legal.tools.session import session_tools

__all__ = ["all_tools"]


def all_tools() -> tuple[Tool, ...]:
    """The eighteen business tools and the two that end a call."""
    return (
        *reception_tools(),
        *client_tools(),
        *screening_tools(),
        *intake_tools(),
        *scheduling_tools(),
        *cancelling_tools(),
        *session_tools(),
    )
