"""What a judge decides about each task: what the caller was told, agreed to and got."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from offhook.judging import Criterion

__all__ = ["CRITERIA"]

_NO_IDENTITY: Final = Criterion("no-identity", "The caller did not have to say who they are.")
_IDENTIFIED: Final = Criterion(
    "identified", "The agent checked the ZIP code and card digits before it said what is on the account."
)
_NO_BOOKING: Final = Criterion("no-booking", "No appointment was made or pressed on the caller.")


def _agreed(what: str) -> Criterion:
    return Criterion("agreed", f"The caller clearly agreed after hearing {what}, and only then it was done.")


def _cancelled(tier: str, refund: str, months: int) -> tuple[Criterion, ...]:
    return (
        Criterion(
            "identified", "The agent checked the ZIP code and card digits before it spoke of the account."
        ),
        Criterion(
            "told-refund",
            f"Before anything was cancelled, the agent told the caller that they get ${refund} back and "
            f"for how many unused months ({months}).",
        ),
        Criterion(
            "agreed", "The caller clearly agreed after hearing the refund, and only then it was cancelled."
        ),
        Criterion("cancelled", f"The agent told the caller that {tier} is cancelled."),
    )


def _returned(refund: str) -> tuple[Criterion, ...]:
    return (
        _IDENTIFIED,
        Criterion("told-fee", "Before the return was opened, the agent named the restocking fee of $45.00."),
        Criterion("told-refund", f"Before the return was opened, the agent said that ${refund} comes back."),
        _agreed("the fee and the refund"),
    )


_RECEPTION: Final = {
    "R-E1": (
        Criterion("person", "The agent said that it is connecting the caller with a person."),
        Criterion("no-hurdle", "The caller did not have to explain themselves or be identified first."),
    ),
    "R-M3": (
        Criterion(
            "stopped", "The agent stopped the caller from reading out the card and repeated no digit of it."
        ),
        _IDENTIFIED,
        Criterion("day", "The agent told the caller on which day and in which hours the television comes."),
    ),
    "R-M4": (
        Criterion("not-ours", "The agent told the caller that Kestrel does not charge that amount."),
        Criterion("no-contact", "The agent told the caller that the message did not come from Kestrel."),
        Criterion("reported", "The agent told the caller that the scam is reported."),
        Criterion("no-identity", "The caller was not put through the identity check."),
    ),
    "R-H3": (
        Criterion(
            "safety", "The agent told the caller to stop using the power bank, and not to charge or mail it."
        ),
        _IDENTIFIED,
        Criterion(
            "told-refund", "Before the return was opened, the agent named the refund of $79.99 without a fee."
        ),
        Criterion(
            "kit", "The agent told the caller that a recovery kit is sent, and promised no mailing label."
        ),
    ),
    "R-H4": (
        Criterion("not-ours", "The agent told the caller that Kestrel does not charge that amount."),
        Criterion(
            "reported", "The agent told the caller that the scam is reported, and did so without identity."
        ),
        _IDENTIFIED,
        Criterion("last-day", "The agent told the caller until which day the phone can come back."),
    ),
}
_ORDERS: Final = {
    "T1-E1": (
        Criterion("price", "The agent told the price of taking an old appliance away."),
        _NO_IDENTITY,
    ),
    "T1-M2": (
        _IDENTIFIED,
        _agreed("which order is cancelled"),
        Criterion("cancelled", "The agent told the caller that the order is cancelled and what comes back."),
    ),
    "T1-M4": (
        _IDENTIFIED,
        Criterion("fee", "The agent told the caller what moving the delivery costs."),
        Criterion("left", "The delivery was left as it was once the caller had turned the fee down."),
    ),
    "T1-H2": (
        _IDENTIFIED,
        Criterion("fee", "Before anything was moved, the agent told the caller what it costs."),
        _agreed("the new day and the fee"),
        Criterion("moved", "The agent told the caller that the delivery is moved, and to which day."),
    ),
    "T1-H4": (
        _IDENTIFIED,
        Criterion("shipped", "The agent told the caller that the order has shipped and can't be cancelled."),
        Criterion("window", "The agent told the caller how many days they have to return it."),
    ),
}
_RETURNS: Final = {
    "T2-E1": (
        Criterion("standard", "The agent told how many days everybody has to return something."),
        Criterion("member", "The agent told that members have longer."),
        _NO_IDENTITY,
    ),
    "T2-M1": (
        _IDENTIFIED,
        Criterion("window", "The agent told the caller that the phone has 14 days although they have Total."),
        Criterion("last-day", "The agent told the caller the last day on which the phone can come back."),
    ),
    "T2-M2": (
        _IDENTIFIED,
        Criterion("too-late", "The agent told the caller that the laptop can't come back any more."),
        Criterion("since", "The agent told the caller when the time to return it ended."),
    ),
    "T2-H1": _returned("404.99"),
    "T2-H4": (
        *_returned("1,054.99"),
        Criterion("label", "The agent told the caller that a label is on its way to them."),
        Criterion(
            "status", "The agent told the caller that the refund waits for the phone to be checked in."
        ),
    ),
}
_SERVICE: Final = {
    "T3-E1": (
        Criterion(
            "stays", "The agent said that a repair elsewhere does not by itself end the maker's warranty."
        ),
        Criterion(
            "limit", "The agent said that damage caused by such a repair, or its parts, are not covered."
        ),
        _NO_IDENTITY,
    ),
    "T3-M1": (
        _IDENTIFIED,
        Criterion(
            "covered", "The agent told the caller that Kestrel Total covers it and that it costs nothing."
        ),
        _NO_BOOKING,
    ),
    "T3-M2": (
        _IDENTIFIED,
        Criterion("deductible", "The agent told the caller that the plan covers it for $99.00."),
        _NO_BOOKING,
    ),
    "T3-H1": (
        _IDENTIFIED,
        Criterion("covered", "Before booking, the agent told the caller that the repair costs nothing."),
        Criterion("booked", "The agent told the caller that the visit is booked, for which day and where."),
    ),
    "T3-H3": (
        _IDENTIFIED,
        Criterion("cost", "Before booking, the agent told the caller that it costs $39.99."),
        Criterion("booked", "The agent told the caller that the visit was booked."),
        Criterion(
            "cancelled", "After the caller changed their mind, the agent said that the visit is cancelled."
        ),
    ),
}
_MEMBERSHIP: Final = {
    "T4-E1": (
        Criterion("plus", "The agent told the yearly price of Kestrel Plus."),
        Criterion("total", "The agent told the yearly price of Kestrel Total."),
        _NO_IDENTITY,
    ),
    "T4-M2": (
        _IDENTIFIED,
        Criterion("has-total", "The agent told the caller that they have Kestrel Total already."),
        Criterion("nothing-sold", "Nothing was upgraded, charged or cancelled."),
    ),
    "T4-M3": (
        _IDENTIFIED,
        Criterion(
            "none", "The agent told the caller that the account has no paid membership, so none renews."
        ),
    ),
    "T4-H1": _cancelled("Kestrel Plus", "14.99", 6),
    "T4-H3": _cancelled("Kestrel Total", "104.99", 7),
}
_PRICE_MATCH: Final = {
    "T5-E1": (
        Criterion("matched", "The agent said which offers of competitors are matched."),
        Criterion("not-matched", "The agent said at least one kind of price that is not matched."),
        _NO_IDENTITY,
    ),
    "T5-M1": (
        _IDENTIFIED,
        Criterion("open-box", "The agent told the caller that the television was sold open-box."),
        Criterion("not-matched", "The agent told the caller that open-box prices are not matched."),
    ),
    "T5-M4": (
        _IDENTIFIED,
        Criterion(
            "not-lower", "The agent told the caller that the other price is not lower than what they paid."
        ),
    ),
    "T5-H1": (
        _IDENTIFIED,
        Criterion("difference", "Before anything was refunded, the agent named the difference of $30.00."),
        _agreed("the difference"),
        Criterion("refunded", "The agent told the caller that the difference goes back to their card."),
    ),
    "T5-H2": (
        _IDENTIFIED,
        Criterion("marketplace", "The agent told the caller that a Marketplace seller sold the headphones."),
        Criterion("not-matched", "The agent told the caller that Marketplace items are not matched."),
        Criterion("person", "When the caller asked for a person, the agent said that it is connecting them."),
    ),
}

CRITERIA: Final[Mapping[str, tuple[Criterion, ...]]] = MappingProxyType(
    {**_RECEPTION, **_ORDERS, **_RETURNS, **_SERVICE, **_MEMBERSHIP, **_PRICE_MATCH}
)
