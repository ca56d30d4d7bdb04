"""Which calls an exam does not count, because they measure the benchmark and not the candidate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

import attrs

from offhook.scorecard._input import ScoredCall
from offhook.scoring import ATTRIBUTION_REVIEWER
from offhook.stats import Proportion, wilson

__all__ = ["ExclusionKind", "Exclusions", "exclusion_of", "exclusions"]


class ExclusionKind(StrEnum):
    CALLER = "caller broke its script"
    VERDICT = "confirmed wrong verdict"
    LOST = "lost session"
    UNGRADED = "not graded"


_LEFT_FIRST: Final = "caller left first"  # the runner's reason for such a void


@attrs.frozen
class Exclusions:
    """Completion before and after. ``before`` is over every call that ran, ``after`` over the counted ones;
    ``kinds`` counts the excluded calls by kind and ``passing`` those of them that had passed, which go too: a
    call that the benchmark made easy is as wrong as one it made hard."""

    before: Proportion
    after: Proportion
    kinds: tuple[tuple[ExclusionKind, int], ...]
    passing: int

    @property
    def excluded(self) -> int:
        return sum(count for _, count in self.kinds)


def exclusion_of(call: ScoredCall, wrong_verdicts: Collection[str] = ()) -> ExclusionKind | None:
    """Why a call is not counted, whether it passed or failed; None for one that is. The first that holds:

    - the caller broke its script: its record says so, attribution (cause 2) does, or it left before it had
      said what it wanted;
    - confirmed wrong verdict: its id is in ``wrong_verdicts``, or attribution files a task defect (cause 1);
    - lost session: it ended in an error or was voided without a last attempt, or attribution files a harness
      fault (cause 3);
    - not graded: it was held, but a verdict grader failed or never ran.

    A call that no agent answered in any attempt is the candidate's own failure, and counted."""
    grade = call.grades.get(ATTRIBUTION_REVIEWER)
    cause = int(grade.numbers.get("cause", 0)) if grade else 0
    if call.record.off_script or cause == 2 or call.result.reason == _LEFT_FIRST:
        return ExclusionKind.CALLER
    if call.call_id in wrong_verdicts or cause == 1:
        return ExclusionKind.VERDICT
    if cause == 3 or (call.record.ending != "completed" and not call.unanswered):
        return ExclusionKind.LOST
    return ExclusionKind.UNGRADED if call.ungraded else None


def exclusions(
    calls: Sequence[ScoredCall], wrong_verdicts: Collection[str] = (), *, confidence: float = 0.95
) -> tuple[tuple[ScoredCall, ...], Exclusions]:
    """The counted calls, and the table of the others."""
    why = [(call, exclusion_of(call, wrong_verdicts)) for call in calls]
    counted = tuple(call for call, kind in why if kind is None)
    left_out = [(call, kind) for call, kind in why if kind is not None]
    table = Exclusions(
        before=_completion(calls, confidence),
        after=_completion(counted, confidence),
        kinds=tuple((kind, sum(found is kind for _, found in left_out)) for kind in ExclusionKind),
        passing=sum(call.verdict == "pass" for call, _ in left_out),
    )
    return counted, table


def _completion(calls: Sequence[ScoredCall], confidence: float) -> Proportion:
    return wilson(sum(call.verdict == "pass" for call in calls), len(calls), confidence=confidence)
