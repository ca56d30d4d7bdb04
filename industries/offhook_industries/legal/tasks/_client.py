"""Who calls the firm, and what they know."""

from __future__ import annotations

from typing import Final

import attrs

from offhook.packs import ExpectedCall as Call
from offhook.packs import ForbiddenCall, Intent, Rule, Structure, Task, Tier, Topic, Trait
from offhook.values import ValueKind

__all__ = ["Client", "build", "traits_of"]

_TIERS: Final = {"E": Tier.EASY, "M": Tier.MEDIUM, "H": Tier.HARD}
_CATEGORIES: Final = {
    "C1": "reception",
    "C2": "conflicts",
    "C3": "screening",
    "C4": "intake",
    "C5": "booking",
    "R": "limits",
}
_NEVER: Final = (
    ("hold_cancellation", "an appointment nobody wants cancelled"),
    ("confirm_cancellation", "an appointment nobody wants cancelled"),
)


@attrs.frozen
class Client:
    """A caller. Lines are what they say when they are asked: ``against`` names the other side alone, ``kind``
    the matter, ``where`` and ``on_day`` place and date, ``story`` what happened. ``matter``, ``state`` and
    ``day`` are the same as values.
    """

    full_name: str
    phone: str
    against: str = ""
    matter: str = ""
    kind: str = ""
    state: str = ""
    day: str = ""
    on_day: str = ""
    story: str = ""

    @property
    def where(self) -> str:
        return f"It happened in {self.state}."


def traits_of(who: Client, *more: Trait) -> tuple[Trait, ...]:
    """Name and number, and what there is besides."""
    day = (Trait("incident_date", ValueKind.DATE, who.day),) if who.day else ()
    other_side = (Trait("other_side", ValueKind.NAME, who.against),) if who.against else ()
    return (
        Trait("full_name", ValueKind.NAME, who.full_name),
        Trait("phone", ValueKind.PHONE, who.phone),
        *other_side,
        *day,
        *more,
    )


def build(
    pack: str,
    task_id: str,
    title: str,
    structure: tuple[int, int, int],
    intent: Intent,
    traits: tuple[Trait, ...],
    rules: tuple[Rule, ...],
    expected: tuple[Call, ...],
    *,
    topics: tuple[Topic, ...] = (),
    never: tuple[str, ...] = (),
) -> Task:
    """``never`` are tools whose call fails the task."""
    calls, arguments, rows = structure
    forbidden = (*_NEVER, *((tool, "the caller must not be served so") for tool in never))
    return Task(
        pack=pack,
        id=task_id,
        title=title,
        category=_CATEGORIES[task_id.split("-")[0]],
        tier=_TIERS[task_id.split("-")[1][0]],
        structure=Structure(tool_calls=calls, constrained_args=arguments, rows_written=rows),
        intent=intent,
        traits=traits,
        rules=rules,
        expected=expected,
        topics=topics,
        forbidden=tuple(ForbiddenCall(tool, why) for tool, why in forbidden),
    )
