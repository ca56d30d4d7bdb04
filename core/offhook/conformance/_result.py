"""What comes of a check, and how a check says so."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import attrs

__all__ = ["CheckResult", "NotApplicable", "Unmet", "Verdict", "difference", "expect"]

_SHOWN = 60
_LONGEST = 400


class Verdict(StrEnum):
    """``not-applicable``: the platform declares that it has no such thing, or its twin can't show it."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not-applicable"


@attrs.frozen
class CheckResult:
    """What came of one check. ``expected`` and ``arrived`` are lines of text where it failed, ``reason`` one
    where it does not apply. ``evidence`` is plain data; ``seconds`` are of the clock that the check ran on.
    """

    check: str
    verdict: Verdict
    expected: str = ""
    arrived: str = ""
    reason: str = ""
    evidence: Mapping[str, Any] = attrs.field(factory=dict)
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the adapter; so it is where the check does not apply."""
        return self.verdict is not Verdict.FAILED

    @property
    def told(self) -> str:
        """The result in one line."""
        match self.verdict:
            case Verdict.PASSED:
                return f"{self.check}: passed"
            case Verdict.FAILED:
                return f"{self.check}: expected {self.expected}; arrived: {self.arrived}"
            case Verdict.NOT_APPLICABLE:
                return f"{self.check}: not applicable, {self.reason}"


class Unmet(Exception):
    """What was expected is not what arrived. Both are shortened to one line each."""

    def __init__(self, expected: str, arrived: object, **evidence: Any) -> None:
        self.expected = shown(expected)
        self.arrived = shown(arrived) or "nothing"
        self.evidence = evidence
        super().__init__(f"expected {self.expected}; arrived: {self.arrived}")


class NotApplicable(Exception):
    """The check says nothing about this platform; the message is the reason."""


def expect(held: bool, expected: str, arrived: object, **evidence: Any) -> None:
    """Raises Unmet unless ``held``."""
    if not held:
        raise Unmet(expected, arrived, **evidence)


def shown(value: object) -> str:
    """A value on one line of bounded length."""
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ... ({len(text)} characters)"


def difference(expected: str, arrived: str) -> str | None:
    """Where two texts part, with what stands there in each; None where they are equal."""
    if expected == arrived:
        return None
    shorter = min(len(expected), len(arrived))
    at = next((place for place in range(shorter) if expected[place] != arrived[place]), shorter)
    here, there = (ascii(text[at : at + _SHOWN]) for text in (expected, arrived))
    return f"from character {at}: {there} in place of {here} ({len(arrived)} of {len(expected)} characters)"
