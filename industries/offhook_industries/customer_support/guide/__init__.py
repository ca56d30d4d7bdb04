"""How a careful agent words this line: questions, slow second questions, read-backs, reports."""

from __future__ import annotations

from offhook.packs import FollowerGuide
from offhook_industries.customer_support.guide._asides import asides
from offhook_industries.customer_support.guide._fraud import fraud_guides
from offhook_industries.customer_support.guide._identity import identity_guides
from offhook_industries.customer_support.guide._information import information_guides
from offhook_industries.customer_support.guide._membership import membership_guides
from offhook_industries.customer_support.guide._orders import order_guides
from offhook_industries.customer_support.guide._returns import return_guides
from offhook_industries.customer_support.guide._service import service_guides
from offhook_industries.customer_support.guide._session import session_guides

__all__ = ["follower_guide"]


def follower_guide() -> FollowerGuide:
    return FollowerGuide(
        tools=(
            *information_guides(),
            *identity_guides(),
            *order_guides(),
            *return_guides(),
            *service_guides(),
            *membership_guides(),
            *fraud_guides(),
            *session_guides(),
        ),
        unclear="Sorry, I didn't get that.",
        closing="Is there anything else I can do for you?",
        goodbye="Thank you for calling Kestrel. Goodbye.",
        sorry="I'm sorry, I can't get any further with this here.",
        asides=asides(),
    )
