"""What a judge is: a reader of a finished call who decides criteria, and must quote for each what decided it.

A judge's word is an opinion. Code checks that every quote stands in the transcript; a ruling whose quote does
not counts as unclear."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import attrs

__all__ = [
    "Criterion",
    "Fact",
    "Judge",
    "JudgeCase",
    "JudgeUnavailable",
    "Judged",
    "Line",
    "Mission",
    "MustNot",
    "ReportingJudge",
    "Ruling",
    "Subject",
    "Verdict",
]


class JudgeUnavailable(Exception):
    """A judge has no key, no endpoint or no answer; the message says what to do. Nothing is then judged."""


class Subject(StrEnum):
    """What a ruling is about."""

    CRITERION = "criterion"
    FACT = "fact"
    MUST_NOT = "must_not"


class Verdict(StrEnum):
    """``MET`` and ``NOT_MET`` rule on criteria, ``ACCURATE``, ``WRONG`` and ``FABRICATED`` on what the agent
    claimed, ``KEPT`` and ``BREACHED`` on must-not rules; anything may be ``UNCLEAR``."""

    MET = "met"
    NOT_MET = "not_met"
    ACCURATE = "accurate"
    WRONG = "wrong"
    FABRICATED = "fabricated"
    KEPT = "kept"
    BREACHED = "breached"
    UNCLEAR = "unclear"


@attrs.frozen
class Criterion:
    id: str
    text: str


@attrs.frozen
class Fact:
    """Something true that an agent may be asked about."""

    id: str
    text: str


@attrs.frozen
class MustNot:
    """Something the agent may never say or do."""

    id: str
    text: str


@attrs.frozen
class Mission:
    """What a call is judged by."""

    mission: str
    criteria: tuple[Criterion, ...]
    facts: tuple[Fact, ...] = ()
    must_not: tuple[MustNot, ...] = ()


@attrs.frozen
class Line:
    """One line of the transcript. ``speaker`` is ``caller`` or ``agent``, ``at`` in line seconds."""

    speaker: str
    text: str
    at: float


@attrs.frozen
class JudgeCase:
    """All a judge is shown."""

    call_id: str
    mission: Mission
    transcript: tuple[Line, ...]


@attrs.frozen
class Ruling:
    """One decision. ``id`` is the criterion's, fact's or rule's (for a fabrication: empty or the nearest
    fact's), ``quote`` word for word from the transcript, ``claim`` what the agent claimed, in few words.
    ``quote_found`` is set by code, never by the judge."""

    subject: Subject
    id: str
    verdict: Verdict
    quote: str = ""
    speaker: str = ""
    claim: str = ""
    reason: str = ""
    quote_found: bool | None = None


@runtime_checkable
class Judge(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str:
        """Changes with the model, the prompt and every setting. Letters, digits, ``.``, ``_``, ``-`` only."""
        ...

    def judge(self, case: JudgeCase) -> tuple[Ruling, ...]:
        """Rules on each criterion, claim and must-not rule.

        Raises:
            JudgeUnavailable: nothing can be judged.
        """
        ...


@attrs.frozen
class Judged:
    """Rulings with what they were made with, as JSON data: the model as the endpoint named it, the prompt's
    hash, the temperature, or each panel member's own rulings."""

    rulings: tuple[Ruling, ...]
    evidence: Mapping[str, Any] = attrs.field(factory=dict)


@runtime_checkable
class ReportingJudge(Judge, Protocol):
    """A judge that says besides what it ruled with. Where there is a ``report``, it is asked for that."""

    def report(self, case: JudgeCase) -> Judged:
        """Rules as ``judge`` does.

        Raises:
            JudgeUnavailable: nothing can be judged.
        """
        ...
