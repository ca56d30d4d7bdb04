"""The callers of the tasks: people written out in the seed, with a chart or without."""

from __future__ import annotations

from datetime import date

import attrs

from offhook.packs import Trait
from offhook.values import ValueKind
from offhook_industries.common.saying import spoken_date
from offhook_industries.healthcare.seed.cases import case, newcomer

__all__ = ["Person", "new_patient", "patient", "traits_of"]


@attrs.frozen
class Person:
    """Whom a call is about. ``patient_id`` is empty for someone without a chart; callers never say it."""

    full_name: str
    date_of_birth: str
    phone: str
    postal_code: str
    patient_id: str = ""

    @property
    def born(self) -> str:
        """The date of birth as it is said, with its year."""
        return spoken_date(date.fromisoformat(self.date_of_birth))


def patient(full_name: str) -> Person:
    """Somebody with a chart.

    Raises:
        KeyError: no case has that name.
    """
    found = case(full_name)
    return Person(found.full_name, str(found.date_of_birth), found.phone, found.postal_code, found.patient_id)


def new_patient(full_name: str) -> Person:
    """Somebody who has never been to the clinic.

    Raises:
        KeyError: no newcomer has that name.
    """
    found = newcomer(full_name)
    return Person(found.full_name, str(found.date_of_birth), found.phone, found.postal_code)


def traits_of(who: Person) -> tuple[Trait, ...]:
    return (
        Trait("full_name", ValueKind.NAME, who.full_name),
        Trait("date_of_birth", ValueKind.DATE, who.date_of_birth),
        Trait("phone", ValueKind.PHONE, who.phone),
        Trait("postal_code", ValueKind.ZIP, who.postal_code),
    )
