"""Who works at the firm: attorneys with their bars and areas, and the desks that take messages."""

from __future__ import annotations

from typing import Final

import attrs

__all__ = ["ATTORNEYS", "DESKS", "Attorney", "Desk"]


@attrs.frozen
class Attorney:
    """``key`` is how message tools name the attorney, ``office`` where evaluations take place."""

    attorney_id: str
    name: str
    role: str
    office: str
    states: tuple[str, ...]
    areas: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.name.lower().replace(" ", "_").replace("'", "")


@attrs.frozen
class Desk:
    """A place for messages that are for no single attorney."""

    key: str
    title: str
    meaning: str
    aliases: tuple[str, ...] = ()


_INJURY: Final = ("auto_accident", "premises_liability", "product_liability", "wrongful_death", "dog_bite")
_ROAD: Final = ("auto_accident", "wrongful_death", "dog_bite")
_MEDICAL: Final = ("medical_malpractice", "wrongful_death", "product_liability")
_WORK: Final = ("employment", "workers_compensation")

ATTORNEYS: Final = (
    Attorney("AT-101", "Margaret Halverson", "partner", "Tampa", ("Florida",), _MEDICAL),
    Attorney("AT-102", "Julian Reed", "partner", "Atlanta", ("Georgia", "North Carolina"), _MEDICAL),
    Attorney("AT-103", "Daniel Okonkwo", "senior attorney", "Atlanta", ("Georgia",), _INJURY),
    Attorney("AT-104", "Danielle Okafor", "attorney", "Tampa", ("Florida",), _WORK),
    Attorney("AT-105", "Samuel Brandt", "senior attorney", "Charlotte", ("North Carolina",), _INJURY),
    Attorney("AT-106", "Teresa Valdez", "senior attorney", "Houston", ("Texas",), _INJURY),
    Attorney("AT-107", "Ruth Lindqvist", "senior attorney", "Seattle", ("Washington", "Oregon"), _WORK),
    Attorney("AT-108", "Helen Strand", "attorney", "Seattle", ("Washington", "Oregon"), ("consumer",)),
    Attorney("AT-109", "Victor Amadi", "attorney", "Atlanta", ("Georgia",), (*_WORK, "consumer")),
    Attorney("AT-110", "Paula Greer", "attorney", "Charlotte", ("North Carolina",), (*_WORK, "consumer")),
    Attorney("AT-111", "Nathan Cole", "attorney", "Houston", ("Texas",), (*_MEDICAL, "consumer")),
    Attorney("AT-112", "Imani Fletcher", "attorney", "Tampa", ("Florida",), (*_INJURY, "consumer")),
    Attorney("AT-113", "Oscar Lindholm", "attorney", "Seattle", ("Washington", "Oregon"), _INJURY),
    Attorney("AT-114", "Bridget Sloane", "attorney", "Seattle", ("Washington", "Oregon"), _MEDICAL),
    Attorney("AT-115", "Hector Salas", "attorney", "by phone", ("California",), (*_INJURY, "consumer")),
    Attorney("AT-116", "Mei-Ling Zhao", "attorney", "by phone", ("California",), (*_MEDICAL, *_WORK)),
    Attorney(
        "AT-117",
        "Conrad Pike",
        "attorney",
        "by phone",
        ("Colorado",),
        (*_INJURY, "medical_malpractice", "consumer", *_WORK),
    ),
    Attorney("AT-118", "Lydia Farrow", "attorney", "by phone", ("Illinois", "Ohio"), (*_INJURY, "consumer")),
    Attorney("AT-119", "Ezra Feld", "attorney", "by phone", ("New York",), (*_INJURY, "consumer")),
    Attorney(
        "AT-120",
        "Simone Archambault",
        "attorney",
        "by phone",
        ("New York", "Pennsylvania", "Illinois", "Ohio"),
        _MEDICAL,
    ),
    Attorney("AT-121", "Garrett Moyer", "attorney", "by phone", ("Pennsylvania",), (*_INJURY, "consumer")),
    Attorney(
        "AT-122",
        "Andrea Kowal",
        "attorney",
        "by phone",
        ("New York", "Pennsylvania", "Illinois", "Ohio"),
        _WORK,
    ),
    Attorney("AT-123", "Trevor Banks", "attorney", "Houston", ("Texas",), _WORK),
    Attorney("AT-124", "Jocelyn Avery", "attorney", "Atlanta", ("Georgia", "Florida"), _ROAD),
)

DESKS: Final = (
    Desk("intake_desk", "the intake desk", "the people who take on new cases", ("intake team",)),
    Desk("client_services", "client services", "the case managers who look after clients", ("case manager",)),
    Desk("billing", "the billing desk", "an invoice, a payment or a fee", ("accounting",)),
    Desk("records", "the records desk", "medical records, transcripts and other papers", ()),
    Desk("office_manager", "the office manager", "deliveries, suppliers, jobs and complaints", ()),
)
