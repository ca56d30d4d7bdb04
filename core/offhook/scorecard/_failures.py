"""Why calls fail: counts by reason, never a share, because a call may be filed under several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.scorecard._input import ScoredCall
from offhook.scoring import ATTRIBUTION_REVIEWER

__all__ = ["CAUSES", "FILING_REVIEWER", "FailureCounts", "FailureReason", "why_calls_fail"]

FILING_REVIEWER: Final = "failure-filing"

CAUSES: Final = (
    "task defect",
    "caller off script",
    "harness fault",
    "platform",
    "speech-to-text model",
    "language model",
    "text-to-speech model",
)
"""What attribution's causes 1 to 7 are."""

_TOLD: Final = MappingProxyType(
    {
        "connection": "connection fault",
        "criterion_not_met": "mission criterion not met",
        "fabrication": "verified fabrication",
        "wrong_claim": "verified wrong claim",
        "must_not": "verified must-not breach",
        "technique": "the caller's technique",
    }
)


@attrs.frozen
class FailureReason:
    """``calls`` filed under ``reason``, in words."""

    reason: str
    calls: int


@attrs.frozen
class FailureCounts:
    """``filed`` by the scorecard's reasons (several a call), ``causes`` by attribution (one a call, those of
    the benchmark's own included). ``failed`` counts the failed calls, ``unfiled`` those of them that no
    reviewer filed."""

    failed: int
    unfiled: int
    filed: tuple[FailureReason, ...]
    causes: tuple[FailureReason, ...]


def why_calls_fail(calls: Iterable[ScoredCall]) -> FailureCounts:
    """Counts the filings of the reviewers ``failure-filing`` and ``attribution``."""
    filed: Counter[str] = Counter()
    causes: Counter[int] = Counter()
    failed = unfiled = 0
    for call in calls:
        reasons = set(_reasons(call.evidence(FILING_REVIEWER)))
        filed.update(reasons)
        grade = call.grades.get(ATTRIBUTION_REVIEWER)
        cause = int(grade.numbers.get("cause", 0)) if grade else 0
        if 1 <= cause <= len(CAUSES):
            causes[cause] += 1
        if call.result.state == "failed":
            failed += 1
            unfiled += not reasons
    return FailureCounts(
        failed,
        unfiled,
        tuple(
            FailureReason(reason, count)
            for reason, count in sorted(filed.items(), key=lambda item: (-item[1], item[0]))
        ),
        tuple(FailureReason(f"{cause} {CAUSES[cause - 1]}", causes[cause]) for cause in sorted(causes)),
    )


def _reasons(evidence: Mapping[str, Any]) -> Iterator[str]:
    found = evidence.get("filed", ())
    for filed in found if isinstance(found, list | tuple) else ():
        reason = filed.get("reason", "") if isinstance(filed, Mapping) else filed
        if reason:
            yield _TOLD.get(str(reason), str(reason))
