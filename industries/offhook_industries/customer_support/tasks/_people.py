"""The callers of the tasks, from the customers written out in the seed."""

from __future__ import annotations

import attrs

from offhook.packs import Trait
from offhook.values import ValueKind
from offhook_industries.customer_support.seed.cases import CASES

__all__ = ["Person", "person", "traits_of"]


@attrs.frozen
class Person:
    """What a caller knows of themselves. ``item`` is what they bought, in their words."""

    full_name: str
    phone: str
    postal_code: str
    card_last4: str
    email: str
    order_number: str
    item: str


def person(full_name: str, item: str) -> Person:
    """The written-out customer of that name, with their latest order.

    Raises:
        StopIteration: nobody has the name.
    """
    case = next(case for case in CASES if case.full_name == full_name)
    order = case.orders[0]
    return Person(
        case.full_name, case.phone, order.postal_code, order.card_last4, case.email, order.order_number, item
    )


def traits_of(who: Person) -> tuple[Trait, ...]:
    return (
        Trait("full_name", ValueKind.NAME, who.full_name),
        Trait("phone", ValueKind.PHONE, who.phone),
        Trait("postal_code", ValueKind.ZIP, who.postal_code),
        Trait("card_last4", ValueKind.DIGITS, who.card_last4),
        Trait("email", ValueKind.EMAIL, who.email),
        Trait("order_number", ValueKind.ORDER_NUMBER, who.order_number),
    )
