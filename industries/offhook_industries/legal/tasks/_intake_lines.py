"""What callers with a new matter are told to do, and what they turn down."""

from __future__ import annotations

from typing import Final

from offhook.packs import Rule
from offhook_industries.legal.tasks._refusals import no_evaluation, no_note, no_packet, no_person, no_records

__all__ = ["FACTS", "LEAVE", "refusals"]

FACTS: Final = (
    "Give name and number, the other side, the kind of matter, the state and the date as soon as you are "
    "asked, "
    "one answer a question.",
    "Tell what happened in one sentence when you are asked for your account.",
)
LEAVE: Final = "Turn down whatever else is offered, and hang up when you have what you called for."


def refusals(*left_out: str) -> tuple[Rule, ...]:
    """All of them but those named."""
    every = (no_person(), no_evaluation(), no_packet(), no_note(), no_records())
    return tuple(rule for rule in every if rule.id not in left_out)
