"""Checks of the calls that begin with something other than a wish: a demand, a danger, a scam, a card."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from offhook.checks import Check, PhraseUsed, ToolNotCalled
from offhook_industries.customer_support.judged._checks_returns import opened_return
from offhook_industries.customer_support.judged._shared import (
    BACK,
    NOBODY_LOOKED_UP,
    connecting,
    day,
    dollars,
    reported,
    window,
)

__all__ = ["RECEPTION_CHECKS"]

_NOT_OURS: Final = PhraseUsed(
    "says-not-ours",
    "The agent says that Kestrel does not charge that.",
    (
        "does not bill",
        "doesn't bill",
        "do not bill",
        "don't bill",
        "does not charge",
        "doesn't charge",
        "do not charge",
        "don't charge",
        "not from kestrel",
        "not from us",
        "wasn't us",
        "was not us",
        "isn't ours",
        "is not ours",
        "not ours",
        "not a kestrel charge",
        "never bill",
        "never charge",
        "no such charge",
    ),
)
_NOT_CONTACTED: Final = PhraseUsed(
    "says-no-contact",
    "The agent says that Kestrel did not make that contact.",
    (
        "neither kestrel nor",
        "neither we nor",
        "nor techcrew",
        "nor tech crew",
        "has reached",
        "have reached",
        "did not contact",
        "didn't contact",
        "has not contacted",
        "hasn't contacted",
        "have not contacted",
        "haven't contacted",
        "never contacted",
        "did not call",
        "didn't call",
        "did not text",
        "didn't text",
        "did not send",
        "didn't send",
        "not from kestrel",
        "not from us",
        "wasn't us",
        "was not us",
        "no record",
    ),
)

RECEPTION_CHECKS: Final[Mapping[str, tuple[Check, ...]]] = MappingProxyType(
    {
        "R-E1": (connecting(), NOBODY_LOOKED_UP),
        "R-M3": (
            PhraseUsed(
                "stops-card-number",
                "The agent stops the caller from reading out the card number.",
                (
                    "stop there",
                    "don't need the full",
                    "do not need the full",
                    "don't need your full",
                    "do not need your full",
                    "don't need that",
                    "don't need the whole",
                    "don't need it",
                    "not the full",
                    "not the whole",
                    "only need the last four",
                    "only the last four",
                    "just the last four",
                    "just need the last four",
                    "only ever need",
                    "don't read",
                    "do not read",
                    "please don't share",
                ),
            ),
            day("says-day", "The agent says when the television comes.", "2026-08-15"),
            ToolNotCalled("no-report", "Nothing is reported as a scam.", "report_scam_contact"),
        ),
        "R-M4": (_NOT_OURS, _NOT_CONTACTED, reported(), NOBODY_LOOKED_UP),
        "R-H3": (
            PhraseUsed(
                "says-stop",
                "The agent tells the caller to stop using it.",
                (
                    "stop using",
                    "don't use",
                    "do not use",
                    "don't charge",
                    "do not charge",
                    "stop charging",
                ),
            ),
            opened_return("79.99"),
            dollars("says-refund", "The agent says what comes back.", (*BACK, "goes"), "79.99"),
            PhraseUsed(
                "says-kit",
                "The agent says how a dangerous battery travels.",
                ("recovery kit", "recovery box", "fireproof", "special box", "kit", "courier"),
            ),
        ),
        "R-H4": (
            _NOT_OURS,
            reported(),
            window("says-window", 14),
            day("says-last-day", "The agent says the last day for the phone.", "2026-08-14"),
            ToolNotCalled("no-return", "No return is opened that nobody asked for.", "confirm_return"),
        ),
    }
)
