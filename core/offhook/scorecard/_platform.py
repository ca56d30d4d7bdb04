"""The platform score card: the benchmark's score with everything that belongs beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import attrs

from offhook.packs import Tier
from offhook.scorecard._input import CardInput, ScoredCall, scored_calls
from offhook.scorecard._lanes import counts_by
from offhook.scorecard._rules import LaneRules
from offhook.scorecard._stamp import stamp_of
from offhook.scoring import (
    ATTRIBUTION_REVIEWER,
    CLEAN,
    KeptUp,
    PlatformScore,
    TurnStats,
    chosen_model_failures,
    summarise_run,
)
from offhook.stats import ClusteredProportion, Proportion, Repeats, clustered_wilson, repeats, wilson

__all__ = ["CallCounts", "ConditionRate", "ModelFailures", "PlatformCard", "TierRate", "platform_card"]

_LAYERS = {5: "stt", 6: "llm", 7: "tts"}


@attrs.frozen
class CallCounts:
    """``planned`` splits into ``graded + void + error + missing``; ``ran`` is those with a record.
    ``voided_attempts`` were placed again."""

    planned: int
    ran: int
    graded: int
    passed: int
    void: int
    error: int
    missing: int
    voided_attempts: int


@attrs.frozen
class ModelFailures:
    """``calls`` that failed through one model that the benchmark's rule chose: part of F_M."""

    layer: str
    model: str
    calls: int


@attrs.frozen
class ConditionRate:
    """Graded calls on one audio condition, clustered by task."""

    audio: str
    rate: ClusteredProportion


@attrs.frozen
class TierRate:
    """Graded clean calls of one tier, clustered by task."""

    tier: str
    rate: ClusteredProportion


@attrs.frozen
class PlatformCard:
    """``plain`` and ``clustered`` are both the raw P / N of clean calls: Wilson as for independent calls, and
    clustered by task. ``model_failures`` splits F_M. ``pass_k`` has the unbiased pass^k and the observed
    share of tasks whose every run passed. ``variants`` are the other audio conditions, which only enter the
    score through hearing. ``latency`` is the published measure that is scored."""

    run_id: str
    platform: str
    harness_reference: bool
    stamp: str
    counts: CallCounts
    score: PlatformScore
    plain: Proportion
    clustered: ClusteredProportion
    model_failures: tuple[ModelFailures, ...]
    pass_k: Repeats
    variants: tuple[ConditionRate, ...]
    tiers: tuple[TierRate, ...]
    latency: TurnStats | None
    kept_up: KeptUp

    @property
    def saboteur(self) -> bool:
        """Whether the platform is the reference with a fault built in, by its name."""
        return self.platform.startswith("saboteur-")

    @property
    def f_m(self) -> int:
        return sum(found.calls for found in self.model_failures)


def platform_card(data: CardInput, rules: LaneRules | None = None) -> PlatformCard:
    """The card of one run."""
    rules = rules or LaneRules()
    calls = scored_calls(data)
    summary = summarise_run(data.manifest, data.records, data.grades, data.tasks)
    graded = [call for call in calls if call.result.graded]
    clean = [call for call in graded if call.record.key.audio == CLEAN]
    by_task = counts_by((call.scenario, _passed(call)) for call in clean)
    passes = sum(_passed(call) for call in clean)
    audios = sorted({call.record.key.audio for call in calls} - {CLEAN})
    tiers = [(str(tier), [c for c in clean if c.task and c.task.tier is tier]) for tier in Tier]
    return PlatformCard(
        run_id=data.manifest.run_id,
        platform=data.manifest.platform,
        harness_reference=data.manifest.harness_reference,
        stamp=stamp_of(data.manifest),
        counts=CallCounts(
            summary.planned,
            summary.ran,
            summary.graded,
            summary.passed,
            summary.void,
            summary.error,
            summary.missing,
            summary.voided_attempts,
        ),
        score=summary.score,
        plain=wilson(passes, len(clean), confidence=rules.confidence),
        clustered=clustered_wilson(by_task.values(), confidence=rules.confidence),
        model_failures=_model_failures(data, clean),
        pass_k=repeats(by_task.values(), max(1, data.manifest.runs)),
        variants=tuple(
            ConditionRate(audio, _rate([c for c in graded if c.record.key.audio == audio], rules))
            for audio in audios
        ),
        tiers=tuple(TierRate(tier, _rate(mine, rules)) for tier, mine in tiers if mine),
        latency=summary.latency,
        kept_up=summary.kept_up,
    )


def _passed(call: ScoredCall) -> bool:
    return call.result.state == "passed"


def _rate(calls: Sequence[ScoredCall], rules: LaneRules) -> ClusteredProportion:
    counts = counts_by((call.scenario, _passed(call)) for call in calls)
    return clustered_wilson(counts.values(), confidence=rules.confidence)


def _model_failures(data: CardInput, clean: Sequence[ScoredCall]) -> tuple[ModelFailures, ...]:
    """The same calls that the score leaves out, each under its layer's model."""
    blamed = chosen_model_failures(data.grades)
    models = {layer.layer: layer.model for layer in data.manifest.layers}
    found: Counter[tuple[str, str]] = Counter()
    for call in clean:
        if call.call_id in blamed and not _passed(call):
            layer = _LAYERS[int(call.grades[ATTRIBUTION_REVIEWER].numbers["cause"])]
            found[layer, models.get(layer, models.get("speech", "unknown"))] += 1
    return tuple(ModelFailures(layer, model, found[layer, model]) for layer, model in sorted(found))
