"""The rules of everybody who has a chart, gathered."""

from __future__ import annotations

from offhook.packs import Rule
from offhook_industries.healthcare.tasks._booking import NO_CARD
from offhook_industries.healthcare.tasks._facts import asks_if_new, asks_member, asks_office, asks_plan
from offhook_industries.healthcare.tasks._identity import identity_rules
from offhook_industries.healthcare.tasks._people import Person
from offhook_industries.healthcare.tasks._refusals import no_link, no_person, no_portal, no_text, no_waitlist

__all__ = ["known_rules"]


def known_rules(
    who: Person,
    *,
    office: str,
    link: bool = False,
    portal: bool = False,
    waitlist: bool = False,
    person: bool = False,
) -> tuple[Rule, ...]:
    """With ``link``, ``portal``, ``waitlist`` or ``person`` the task has its own answer to offers of that."""
    return (
        asks_if_new("Yes, I've been to you before."),
        asks_office(office),
        asks_plan("My insurance hasn't changed, and it isn't about that."),
        asks_member(NO_CARD),
        *identity_rules(who),
        no_text(),
        *(() if person else (no_person(),)),
        *(() if waitlist else (no_waitlist(),)),
        *(() if link else (no_link(),)),
        *(() if portal else (no_portal(),)),
    )
