"""How a careful agent words this group's calls: questions, slow second questions, read-backs, reports."""

from __future__ import annotations

from typing import Final

from offhook.packs import Aside, FollowerGuide
from offhook_industries.healthcare.guide._billing import billing_guides
from offhook_industries.healthcare.guide._clinical import clinical_guides
from offhook_industries.healthcare.guide._coverage import coverage_guides
from offhook_industries.healthcare.guide._identity import identity_guides
from offhook_industries.healthcare.guide._reception import reception_guides
from offhook_industries.healthcare.guide._visits import visit_guides

__all__ = ["follower_guide"]

_ASIDES: Final = (
    Aside(
        (
            r"\b(?:trouble|difficulty|hard|can't|cannot) breath",
            r"\b(?:face|lips?|throat|tongue) (?:is|are) (?:swelling|swollen)",
            r"\bswelling (?:of|in) (?:my|his|her|the) (?:face|lips?|throat|tongue)",
            r"\bfaint(?:ed|ing)\b",
        ),
        "If this is happening now, please hang up and dial 911.",
    ),
    Aside(
        (
            r"\bread (?:you |out |off )?(?:my|the|a) card\b",
            r"\bcard number\b",
            r"\b(?:pay|paying|put it|take) (?:\w+ ){0,4}(?:by|with|on|over) "
            r"(?:my |a |the )?(?:credit |debit |visa )?(?:card|phone)\b",
            r"\btake (?:my |a )?(?:credit |debit )?cards?\b",
        ),
        "I can't take a card number over the phone, and please don't read it out. You can pay by a secure "
        "link that we text to you, in the patient portal, or by mail with the statement.",
    ),
    Aside(
        (
            r"\bhow (?:late|long before|far ahead)\b[^.?!]*\bcancel",
            r"\bcancell?ation (?:policy|fee|rule|charge)",
            r"\b(?:fee|charge[ds]?) (?:if|when|for) (?:i |you )?cancel",
            r"\bcancel\b[^.?!]*\b(?:without|for free|fee|charged?)\b",
        ),
        "A medical visit can be cancelled or moved free of charge up to 24 hours before it begins. "
        "After that there is a fee of $50.00.",
    ),
    Aside(
        (
            r"\b(?:at|during|in) (?:the|that|my) (?:same )?(?:consult|consultation|visit|appointment)\b",
            r"\bsame (?:day|visit|time)\b",
        ),
        "Your provider decides that at the consult, and can often treat you in the same visit.",
    ),
)


def follower_guide() -> FollowerGuide:
    """The words of Robin."""
    return FollowerGuide(
        tools=(
            *reception_guides(),
            *identity_guides(),
            *visit_guides(),
            *coverage_guides(),
            *billing_guides(),
            *clinical_guides(),
        ),
        unclear="Sorry, I didn't get that.",
        closing="Is there anything else I can help you with?",
        goodbye="Thank you for calling Straus Dermatology. Goodbye.",
        sorry="I'm sorry, I can't get any further with this here.",
        asides=_ASIDES,
    )
