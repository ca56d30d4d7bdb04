"""From grades to a platform's score.

``score = 80 * P / (N - F_M) + 10 * hearing + 10 * latency``, where

- P of N clean graded calls passed, F_M of them failed through a model the benchmark (not the platform) chose;
- hearing is half ``C`` on clean and half ``C`` on degraded audio, and ``C`` is the mean of ``1 - WER``,
  ``1 - SWER`` and form-filling accuracy as far as they were measured, each clamped to 0..1;
- latency is ``0.6 * clamp((4 - m) / 3) + 0.4 * clamp((6 - q) / 4)`` for the median m and the 95th percentile
  q of the pooled turns, those of calls this machine could not keep up with left out.

What was not measured is left out of the points *and* of the maximum: a platform without a caller transcript
is scored out of 90, never 0 of 10. So is latency where this machine could not keep up with more than half of
the clean completed calls. Everything here is pure; nothing heavier than attrs is imported before a function
needs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import attrs

from offhook._hearing_pool import (
    FLOOR_MEASURER,
    HearingCounts,
    PooledHearing,
    VoiceFloor,
    composite_note,
    pool_hearing,
    synthesis_floor,
)
from offhook._score import (
    KeptUp,
    PassK,
    PlatformScore,
    Rate,
    ScorePart,
    ScoreWeights,
    TurnStats,
    hearing_composite,
    pass_k,
    pass_rate,
    platform_score,
    pool_turns,
)
from offhook._settle import (
    ATTRIBUTION_REVIEWER,
    MAX_ATTEMPTS,
    NO_AGENT,
    SILENT_ATTEMPTS,
    CallResult,
    Shortfall,
    first_trouble,
    own_cause,
    rerun_reason,
    settle_calls,
    shortfalls,
    void_reason,
)

if TYPE_CHECKING:
    from offhook.grading import Grade
    from offhook.packs import Task
    from offhook.records import CallRecord, FrozenStamp, RunManifest

__all__ = [
    "ATTRIBUTION_REVIEWER",
    "CLEAN",
    "FLOOR_MEASURER",
    "HEARING_GRADER",
    "LATENCY_GRADER",
    "MAX_ATTEMPTS",
    "NO_AGENT",
    "SILENT_ATTEMPTS",
    "CallResult",
    "HearingCounts",
    "KeptUp",
    "PassK",
    "PlatformScore",
    "PooledHearing",
    "Rate",
    "RunSummary",
    "ScorePart",
    "ScoreWeights",
    "Shortfall",
    "TaskRow",
    "TierRow",
    "TurnStats",
    "VoiceFloor",
    "chosen_model_failures",
    "first_trouble",
    "hearing_composite",
    "own_cause",
    "pass_k",
    "pass_rate",
    "platform_score",
    "pool_hearing",
    "pool_turns",
    "rerun_reason",
    "settle_calls",
    "summarise_run",
    "synthesis_floor",
    "void_reason",
]

CLEAN: Final = "clean"
HEARING_GRADER: Final = "hearing"
LATENCY_GRADER: Final = "latency"


def chosen_model_failures(grades: Iterable[Grade]) -> frozenset[str]:
    """Ids of the calls whose failure attribution puts on a model that the benchmark's rule chose (causes 5 to
    7)."""
    return frozenset(
        grade.call_id
        for grade in grades
        if grade.grader == ATTRIBUTION_REVIEWER
        and 5 <= grade.numbers.get("cause", 0) <= 7
        and grade.evidence.get("chosen_by") == "rule"
    )


@attrs.frozen
class TaskRow:
    """One task under one audio condition; ``tier`` is empty where the pack is not installed. ``planned``
    splits into ``graded + void + error`` and what was not placed; ``ran`` counts planned calls with a record,
    ``voided`` the attempts that were followed by another."""

    pack: str
    task: str
    title: str
    tier: str
    audio: str
    passes: int
    graded: int
    void: int
    error: int
    planned: int = 0
    ran: int = 0
    voided: int = 0

    @property
    def placed(self) -> str:
        """As ``CallKey.placed``."""
        return f"{self.pack}/{self.task}{'' if self.audio == CLEAN else f' ({self.audio})'}"


@attrs.frozen
class TierRow:
    """One tier's clean calls."""

    tier: str
    tasks: int
    rate: Rate


@attrs.frozen
class RunSummary:
    """A run in figures. ``planned`` splits into ``graded + void + error + missing``; ``ran`` counts planned
    calls with a record.

    ``rate`` is the raw P / N of clean calls beside the score's P / (N - F_M); ``variants`` gives the other
    audio conditions' rates, which never enter the score. ``latency`` is the published measure that is scored,
    ``latency_ours`` the sample-accurate one beside it. Both pool the calls this machine kept up with, and are
    None where those are less than half: ``kept_up`` counts the clean completed calls."""

    run_id: str
    platform: str
    harness_reference: bool
    planned: int
    ran: int
    graded: int
    passed: int
    void: int
    error: int
    missing: int
    voided_attempts: int
    model_failures: int
    rate: Rate | None
    variants: Mapping[str, Rate | None]
    score: PlatformScore
    pass_k: PassK | None
    hearing: Mapping[str, PooledHearing | None]
    latency: TurnStats | None
    latency_ours: TurnStats | None
    kept_up: KeptUp
    tasks: tuple[TaskRow, ...]
    tiers: tuple[TierRow, ...]
    calls: tuple[CallResult, ...]
    shortfalls: tuple[Shortfall, ...] = ()
    frozen: FrozenStamp | None = None

    @property
    def stamp(self) -> str:
        """What every report says of the run: which frozen manifest it followed, or that it is a draft."""
        return "draft" if self.frozen is None else str(self.frozen)


def summarise_run(
    manifest: RunManifest,
    records: Sequence[CallRecord],
    grades: Sequence[Grade],
    tasks: Iterable[Task] = (),
    *,
    model_failures: Collection[str] | None = None,
    weights: ScoreWeights | None = None,
) -> RunSummary:
    """Adds up a run. Pure: records and grades may come in any order.

    Args:
        tasks: the installed tasks, for titles and tiers.
        model_failures: ids of failed calls that attribution blamed on a model the platform did not choose
            (F_M); by default what the attribution grades say."""
    results = settle_calls(records, grades, attempts=manifest.attempts)
    if model_failures is None:
        model_failures = chosen_model_failures(grades)
    clean = [result for result in results if result.record.key.audio == CLEAN]
    heard = [result for result in results if result.state != "void"]
    clean_heard = [result for result in heard if result.record.key.audio == CLEAN]
    clean_graded = [result for result in clean if result.graded]
    passes = sum(result.state == "passed" for result in clean_graded)
    excluded = sum(
        result.state == "failed" and result.record.call_id in model_failures for result in clean_graded
    )
    scored = len(clean_graded) - excluded
    hearing = _hearing_by_condition(heard, grades)
    kept_up = _kept_up(clean_heard)
    latency, ours = (
        _turns(clean_heard, grades, measure) if kept_up.reliable else None
        for measure in ("published", "ours")
    )
    score = platform_score(
        pass_share=passes / scored if scored else None,
        c_clean=_composite(hearing["clean"], weights),
        c_degraded=_composite(hearing["degraded"], weights),
        hearing_note=composite_note(hearing),
        median_s=latency.median_s if latency else None,
        p95_s=latency.p95_s if latency else None,
        no_latency="no turn with a reply"
        if kept_up.reliable
        else f"this machine could not keep up with {kept_up.told}",
        weights=weights,
    )
    rows = _task_rows(manifest, results, {task.key: task for task in tasks}, records)
    counts = {
        state: sum(result.state == state for result in results)
        for state in ("passed", "failed", "void", "error")
    }
    return RunSummary(
        run_id=manifest.run_id,
        platform=manifest.platform,
        harness_reference=manifest.harness_reference,
        planned=manifest.planned,
        ran=len(results),
        graded=counts["passed"] + counts["failed"],
        passed=counts["passed"],
        void=counts["void"],
        error=counts["error"],
        missing=max(0, manifest.planned - len(results)),
        voided_attempts=len(records) - len(results),
        model_failures=excluded,
        rate=pass_rate(passes, len(clean_graded)),
        variants=_variant_rates(results),
        score=score,
        pass_k=pass_k(
            [(row.passes, row.graded) for row in rows if row.audio == CLEAN], max(1, manifest.runs)
        ),
        hearing=hearing,
        latency=latency,
        latency_ours=ours,
        kept_up=kept_up,
        tasks=rows,
        tiers=_tier_rows(rows),
        calls=results,
        shortfalls=shortfalls(results, manifest.runs),
        frozen=manifest.frozen,
    )


def _composite(pooled: PooledHearing | None, weights: ScoreWeights | None) -> float | None:
    return None if pooled is None else pooled.composite(weights)


def _hearing_by_condition(
    results: Sequence[CallResult], grades: Sequence[Grade]
) -> dict[str, PooledHearing | None]:
    """Hearing counts every completed call whatever its grade; all variants together are ``degraded``."""
    hearing = {grade.call_id: grade for grade in grades if grade.grader == HEARING_GRADER}
    pools: dict[str, list[Grade]] = {"clean": [], "degraded": []}
    for result in results:
        grade = hearing.get(result.record.call_id)
        if grade is not None and result.record.ending == "completed":
            pools["clean" if result.record.key.audio == CLEAN else "degraded"].append(grade)
    return {condition: pool_hearing(pool) for condition, pool in pools.items()}


def _kept_up(results: Sequence[CallResult]) -> KeptUp:
    from offhook.records import lateness_fault

    held = [result.record for result in results if result.record.ending == "completed"]
    late = sum(bool(lateness_fault(record)) for record in held)
    return KeptUp(len(held), late, max((record.late.p99_ms for record in held), default=0.0))


def _turns(results: Sequence[CallResult], grades: Sequence[Grade], measure: str) -> TurnStats | None:
    from offhook.records import lateness_fault

    waits = {
        grade.call_id: _waits(grade.evidence.get("latencies_s"), measure)
        for grade in grades
        if grade.grader == LATENCY_GRADER
    }
    ids = [
        result.record.call_id
        for result in results
        if result.record.ending == "completed" and not lateness_fault(result.record)
    ]
    return pool_turns(wait for call_id in ids for wait in waits.get(call_id, ()))


def _waits(by_measure: object, measure: str) -> list[float]:
    """The waits of one grade; a damaged grade, or one of another shape, has none."""
    found = by_measure.get(measure) if isinstance(by_measure, Mapping) else None
    if not isinstance(found, list | tuple):
        return []
    numbers = [value for value in found if isinstance(value, int | float) and not isinstance(value, bool)]
    return [float(value) for value in numbers] if len(numbers) == len(found) else []


def _variant_rates(results: Sequence[CallResult]) -> dict[str, Rate | None]:
    rates: dict[str, Rate | None] = {}
    for audio in sorted({result.record.key.audio for result in results} - {CLEAN}):
        graded = [result for result in results if result.record.key.audio == audio and result.graded]
        rates[audio] = pass_rate(sum(result.state == "passed" for result in graded), len(graded))
    return rates


def _task_rows(
    manifest: RunManifest,
    results: Sequence[CallResult],
    tasks: Mapping[tuple[str, str], Task],
    records: Sequence[CallRecord],
) -> tuple[TaskRow, ...]:
    groups: dict[tuple[str, str, str], list[str]] = {}
    for audio in manifest.audio:
        for name in manifest.tasks_under(audio):  # tasks whose calls never ran keep their row
            pack, _, task_id = name.partition("/")
            groups.setdefault((pack, task_id, audio), [])
    for result in results:
        key = result.record.key
        groups.setdefault((key.pack, key.task, key.audio), []).append(result.state)
    placed = Counter((record.key.pack, record.key.task, record.key.audio) for record in records)
    rows = []
    for pack, task_id, audio in sorted(
        groups, key=lambda group: (group[2] != CLEAN, group[2], group[0], group[1])
    ):
        states = groups[pack, task_id, audio]
        task = tasks.get((pack, task_id))
        passes = states.count("passed")
        rows.append(
            TaskRow(
                pack=pack,
                task=task_id,
                title=task.title if task else "",
                tier=str(task.tier) if task else "",
                audio=audio,
                passes=passes,
                graded=passes + states.count("failed"),
                void=states.count("void"),
                error=states.count("error"),
                planned=manifest.runs,
                ran=len(states),
                voided=placed[pack, task_id, audio] - len(states),
            )
        )
    return tuple(rows)


def _tier_rows(rows: Sequence[TaskRow]) -> tuple[TierRow, ...]:
    tiers = []
    for tier in ("easy", "medium", "hard"):
        mine = [row for row in rows if row.tier == tier and row.audio == CLEAN]
        rate = pass_rate(sum(row.passes for row in mine), sum(row.graded for row in mine))
        if rate is not None:
            tiers.append(TierRow(tier, len(mine), rate))
    return tuple(tiers)
