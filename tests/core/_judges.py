"""Judges and cases for tests of what is done around a judge."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from offhook.judging import (
    Criterion,
    Fact,
    JudgeCase,
    Judged,
    Line,
    Mission,
    MustNot,
    Ruling,
    Subject,
    Verdict,
)

__all__ = ["CASE", "Reporting", "Scripted", "claim", "on", "rule"]

CASE = JudgeCase(
    "call-1",
    Mission(
        "The caller wants to cancel.",
        (Criterion("told", "The refund was told."), Criterion("done", "It was cancelled.")),
        (Fact("price", "Plus costs $29.99 a year."),),
        (MustNot("no-sweetener", "Offer money off."),),
    ),
    (
        Line("agent", "What can I do for you?", 0.0),
        Line("caller", "Cancel my membership, please.", 1.0),
        Line(
            "agent", "Plus is $29.99 a year and you get $14.99 back. I could give you ten percent off.", 3.0
        ),
        Line("agent", "It is cancelled now.", 9.0),
    ),
)


def on(
    name: str, verdict: Verdict = Verdict.MET, quote: str = "It is cancelled now", by: str = "agent"
) -> Ruling:
    return Ruling(Subject.CRITERION, name, verdict, quote, by)


def claim(verdict: Verdict, quote: str, fact: str = "price") -> Ruling:
    return Ruling(Subject.FACT, fact, verdict, quote, "agent", "a claim")


def rule(verdict: Verdict, quote: str = "") -> Ruling:
    return Ruling(Subject.MUST_NOT, "no-sweetener", verdict, quote, "agent")


@attrs.frozen
class Scripted:
    """Rules as it is told to."""

    rulings: tuple[Ruling, ...] | Callable[[JudgeCase], tuple[Ruling, ...]]
    name: str = "scripted"
    version: str = "1"

    def judge(self, case: JudgeCase) -> tuple[Ruling, ...]:
        return self.rulings(case) if callable(self.rulings) else self.rulings


@attrs.frozen
class Reporting(Scripted):
    def report(self, case: JudgeCase) -> Judged:
        return Judged(self.judge(case), {"model": "made-up"})
