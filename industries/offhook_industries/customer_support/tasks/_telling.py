"""Rules around the answer a caller is waiting for."""

from __future__ import annotations

from offhook.packs import Cues, CueTest, Rule
from offhook_industries.customer_support.tasks._cues import (
    ANYTHING,
    HOLD,
)

__all__ = ["told_rule"]


def told_rule(
    what: str,
    topic: str,
    pattern: str,
    line: str,
    tests: tuple[CueTest, ...],
    *,
    not_when: tuple[str, ...] = ("while it is still looking it up, or asking for something",),
    after: tuple[str, ...] = (),
    unless: tuple[str, ...] = (),
    order: int = 5,
) -> Rule:
    """The rule that ends a call once the agent has told ``what`` (``topic`` marks it, ``pattern`` finds "
    "it)."""
    return Rule(
        id="told",
        when=f"The agent has told {what} by the end of this turn, whatever it asks or offers after that",
        not_when=not_when,
        line=line,
        cues=Cues(all_of=(ANYTHING,), none_of=(HOLD,)),
        after=(f"heard:{topic}", *after),
        unless=unless,
        order=order,
        ends_call=True,
        tests=tests,
    )
