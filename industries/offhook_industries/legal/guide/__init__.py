"""How a careful agent words this firm's calls: questions, slow second questions, read-backs, reports."""

from __future__ import annotations

from offhook.packs import Aside, FollowerGuide
from offhook_industries.legal.guide._booking import booking_guides
from offhook_industries.legal.guide._intake import intake_guides
from offhook_industries.legal.guide._reception import reception_guides
from offhook_industries.legal.guide._screening import screening_guides

__all__ = ["follower_guide"]

_ASIDES = (
    Aside(
        (
            r"\bchest pains?\b",
            r"\b(?:not|isn't|can't|cannot|stopped) breath",
            r"\bcollapsed\b",
            r"\bunconscious\b",
            r"\bpassed out\b",
            r"\bbleeding\b",
            r"\bambulance\b",
            r"\bparamedics?\b",
        ),
        "If anybody is in danger right now, please hang up and dial 911 first. If help is with you already, "
        "I can go on.",
    ),
    Aside(
        (
            r"\bhow much (?:is|would|could) (?:it|my case|this)(?: be)? worth\b",
            r"\b(?:fair|reasonable) (?:offer|amount|number|sum)\b",
            r"\bin the right (?:area|range|ballpark)\b",
            r"\b(?:eighty|80) ?(?:thousand|,000)\b",
            r"\bshould i (?:take|accept|sign|answer|settle|reply)\b",
        ),
        "I can't say what a case is worth or what you should do. Only a lawyer here can answer that.",
    ),
    Aside(
        (r"\blet me tell you (?:what|how)\b", r"\b(?:here's|here is) what happened\b", r"\bit all started\b"),
        "I'm sorry that this happened to you. Before you tell me more, I have to check that the firm is free "
        "to hear it.",
    ),
)


def follower_guide() -> FollowerGuide:
    """The words of Ellis."""
    return FollowerGuide(
        tools=(*reception_guides(), *screening_guides(), *intake_guides(), *booking_guides()),
        unclear="Sorry, I didn't get that.",
        closing="Is there anything else I can help you with?",
        goodbye="Thank you for calling Halverson and Reed. Goodbye.",
        sorry="I'm sorry, I can't get any further with this here.",
        asides=_ASIDES,
    )
