"""What a verifier is: it decides one check of a call after the other, each with the evidence found."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import attrs

if TYPE_CHECKING:
    from offhook.checks import Check
    from offhook.grading import CallEvidence

__all__ = ["CheckResult", "CheckVerdict", "Verifier", "VerifierUnavailable"]


class VerifierUnavailable(Exception):
    """A verifier has no key, no endpoint or no answer; the message says what to do."""


class CheckVerdict(StrEnum):
    HOLDS = "holds"
    BROKEN = "broken"
    UNCLEAR = "unclear"


@attrs.frozen
class CheckResult:
    """One check decided. ``evidence`` quotes the transcript or the trace, ``why`` says it in a line."""

    check: str
    verdict: CheckVerdict
    evidence: str = ""
    why: str = ""


@runtime_checkable
class Verifier(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def verify(self, call: CallEvidence, checks: tuple[Check, ...]) -> tuple[CheckResult, ...]:
        """One result a check, in order.

        Raises:
            VerifierUnavailable: nothing can be verified.
        """
        ...
