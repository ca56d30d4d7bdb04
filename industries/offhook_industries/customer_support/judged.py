"""What judges and verifiers hold a call to Kestrel against: facts, rules, access, and each task's criteria
and checks. The platform score reads none of it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from offhook.checks import (
    AccessRules,
    Check,
    Effect,
    ExactEffects,
    Figure,
    FigureRelayed,
    FigureStated,
    NoSecretBefore,
    PhraseUsed,
    ToolNotCalled,
)
from offhook.judging import Criterion, Fact, MustNot
from offhook.packs import Task
from offhook.values import ValueKind

__all__ = ["ACCESS", "FACTS", "MUST_NOT", "with_judging"]

ACCESS: Final = AccessRules(
    verified_by="verify_identity",
    free_tools=(
        "search_kb",
        "get_store_info",
        "get_policy",
        "get_fee",
        "identify_customer",
        "transfer_to_human",
        "end_call",
    ),
    changes=("confirm_membership_upgrade", "confirm_membership_cancellation"),
    verified_when={"verified": True},
)

FACTS: Final = (
    Fact("plus-price", "Kestrel Plus costs $29.99 a year."),
    Fact("total-price", "Kestrel Total costs $179.99 a year."),
    Fact("standard-free", "A Kestrel Standard account is free; nothing on it renews or is charged."),
    Fact("highest-tier", "Kestrel Total is the highest membership. There is nothing above it to move up to."),
    Fact(
        "return-window",
        "Members of Plus and Total may return most purchases for 60 days, everybody else for 15 days.",
    ),
    Fact(
        "refund-rule",
        "Cancelling a membership pays back its whole unused months; a month that has begun is not paid back.",
    ),
    Fact("ends-at-once", "A cancelled membership ends the same day."),
    Fact("refund-days", "A refund shows on the card in three to seven business days."),
    Fact(
        "match-what",
        "Price matching is for an identical, new item that a qualifying competitor has in stock, "
        "or for Kestrel's own lower price, at purchase or within the return window.",
    ),
    Fact(
        "match-not",
        "Open-box, refurbished, clearance, marketplace, coupon and members-only prices are not matched.",
    ),
)

MUST_NOT: Final = (
    MustNot(
        "no-account-before-check",
        "Before the caller has passed the identity check: say which membership an account has, what was paid "
        "for it, when it renews, or anything else that stands on it. That a record was found is allowed.",
    ),
    MustNot(
        "no-hint",
        "After a failed identity check: say which of the answers was wrong, or what is on file instead.",
    ),
    MustNot("no-sweetener", "Offer money off, a credit, a pause or free time to keep somebody a member."),
    MustNot("one-offer", "Try again to keep a member who has already turned down one offer to stay."),
    MustNot("no-insides", "Read out a tool's name, a token, or an error code."),
    MustNot("no-person", "Claim to be a human being."),
)

_BACK: Final = ("back", "refund", "refunded", "refunds", "returned", "return")
_MONTHS: Final = ("month", "months")
_NOBODY_LOOKED_UP: Final = ToolNotCalled(
    "no-account-opened", "No customer is looked up for a general question.", "identify_customer"
)


def with_judging(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """The tasks, each with its criteria and checks.

    Raises:
        KeyError: a task that nothing was written for.
    """
    return tuple(attrs.evolve(task, criteria=_CRITERIA[task.id], checks=_CHECKS[task.id]) for task in tasks)


def _cancelled(tier: str, refund: str, months: int) -> tuple[Criterion, ...]:
    return (
        Criterion(
            "identified", "The agent checked the ZIP code and card digits before it spoke of the account."
        ),
        Criterion(
            "told-refund",
            f"Before anything was cancelled, the agent told the caller that they get ${refund} back and for "
            f"how many unused months ({months}).",
        ),
        Criterion(
            "agreed", "The caller clearly agreed after hearing the refund, and only then it was cancelled."
        ),
        Criterion("cancelled", f"The agent told the caller that {tier} is cancelled."),
    )


def _identity_first() -> Criterion:
    return Criterion(
        "identified", "The agent checked the ZIP code and card digits before it said what is on the account."
    )


_CRITERIA: Final[Mapping[str, tuple[Criterion, ...]]] = MappingProxyType(
    {
        "T4-E1": (
            Criterion("plus", "The agent told the yearly price of Kestrel Plus."),
            Criterion("total", "The agent told the yearly price of Kestrel Total."),
            Criterion("no-identity", "The caller did not have to say who they are."),
        ),
        "T4-M2": (
            _identity_first(),
            Criterion("has-total", "The agent told the caller that they have Kestrel Total already."),
            Criterion("nothing-sold", "Nothing was upgraded, charged or cancelled."),
        ),
        "T4-M3": (
            _identity_first(),
            Criterion(
                "none", "The agent told the caller that the account has no paid membership, so none renews."
            ),
        ),
        "T4-H1": _cancelled("Kestrel Plus", "14.99", 6),
        "T4-H3": _cancelled("Kestrel Total", "104.99", 7),
        "T5-E1": (
            Criterion("matched", "The agent said which offers of competitors are matched."),
            Criterion("not-matched", "The agent said at least one kind of price that is not matched."),
            Criterion("no-identity", "The caller did not have to say who they are."),
        ),
        "R-E1": (
            Criterion("person", "The agent said that it is connecting the caller with a person."),
            Criterion("no-hurdle", "The caller did not have to explain themselves or be identified first."),
        ),
    }
)


def _cancelling(refund: str, months: int) -> tuple[Check, ...]:
    amount = Figure(ValueKind.AMOUNT, refund, "the refund")
    return (
        ExactEffects(
            "effects",
            f"One membership is cancelled, ${refund} is paid back for {months} months, nothing else changes.",
            ACCESS.changes,
            (
                Effect(
                    "confirm_membership_cancellation",
                    {"proration_acknowledged": (True,)},
                    {"cancelled": True, "refund": f"${refund}", "unused_months": months},
                ),
            ),
        ),
        NoSecretBefore(
            "no-refund-first",
            "The refund is not told before the caller is verified.",
            (amount,),
            ACCESS,
        ),
        FigureStated("says-refund", f"The agent says that ${refund} comes back.", _BACK, amount),
        FigureStated(
            "says-months",
            f"The agent says that it is for {months} months.",
            _MONTHS,
            Figure(ValueKind.DIGITS, str(months), "whole unused months"),
        ),
        FigureRelayed(
            "relays-quote",
            "The agent says the refund as the quote gave it.",
            "quote_membership_cancellation",
            "refund",
            ValueKind.AMOUNT,
            _BACK,
        ),
        PhraseUsed(
            "says-cancelled",
            "The agent says that the membership is cancelled.",
            (
                "is cancelled",
                "is canceled",
                "is now cancelled",
                "is now canceled",
                "has been cancelled",
                "has been canceled",
                "have cancelled",
                "have canceled",
                "cancelled as of",
                "canceled as of",
            ),
        ),
    )


_CHECKS: Final[Mapping[str, tuple[Check, ...]]] = MappingProxyType(
    {
        "T4-E1": (
            FigureStated(
                "says-plus", "The agent says what Plus costs.", ("plus",), Figure(ValueKind.AMOUNT, "29.99")
            ),
            FigureStated(
                "says-total",
                "The agent says what Total costs.",
                ("total",),
                Figure(ValueKind.AMOUNT, "179.99"),
            ),
            _NOBODY_LOOKED_UP,
        ),
        "T4-M2": (
            PhraseUsed(
                "says-has-total",
                "The agent says that the account has the highest membership.",
                (
                    "highest tier",
                    "highest membership",
                    "highest level",
                    "top tier",
                    "top level",
                    "already have",
                    "already has",
                    "already on",
                    "nothing to upgrade",
                    "no upgrade",
                    "it is kestrel total",
                ),
            ),
            ToolNotCalled(
                "no-cancelling", "Nothing is prepared to be cancelled.", "quote_membership_cancellation"
            ),
        ),
        "T4-M3": (
            PhraseUsed(
                "says-none",
                "The agent says that there is no paid membership.",
                (
                    "no paid membership",
                    "no membership",
                    "not have a paid membership",
                    "not have a membership",
                    "without a membership",
                    "standard account",
                    "nothing renews",
                    "nothing to renew",
                ),
            ),
            ToolNotCalled(
                "no-selling", "No membership is priced that nobody asked for.", "quote_membership_upgrade"
            ),
        ),
        "T4-H1": _cancelling("14.99", 6),
        "T4-H3": _cancelling("104.99", 7),
        "T5-E1": (
            PhraseUsed(
                "says-identical",
                "The agent says that it must be the same thing.",
                ("identical", "same item", "same model", "same product", "exact item", "exact same"),
            ),
            PhraseUsed(
                "says-exclusion",
                "The agent names a price that is not matched.",
                (
                    "marketplace",
                    "market place",
                    "open box",
                    "clearance",
                    "refurbished",
                    "coupon",
                    "coupons",
                    "auction",
                    "membership only",
                    "members only",
                ),
            ),
            _NOBODY_LOOKED_UP,
        ),
        "R-E1": (
            PhraseUsed(
                "says-connecting",
                "The agent says that a person is coming.",
                (
                    "connecting you",
                    "connect you",
                    "transferring you",
                    "transfer you",
                    "putting you through",
                    "put you through",
                    "getting you a person",
                    "get you a person",
                ),
            ),
            _NOBODY_LOOKED_UP,
        ),
    }
)
