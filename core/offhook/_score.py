"""The score's arithmetic: weights, components, rates and pools. Public through `offhook.scoring`."""

from __future__ import annotations

import math
from collections.abc import Iterable

import attrs

# --- the score ---


@attrs.frozen
class ScoreWeights:
    """Points per component and every threshold of the formula. Latencies in seconds."""

    task: float = 80.0
    hearing: float = 10.0
    latency: float = 10.0
    clean_share: float = 0.5
    median_share: float = 0.6
    median_full_s: float = 1.0
    median_zero_s: float = 4.0
    tail_full_s: float = 2.0
    tail_zero_s: float = 6.0
    wer_weight: float = 1.0
    swer_weight: float = 1.0
    ffa_weight: float = 1.0

    def __attrs_post_init__(self) -> None:
        if not self.median_full_s < self.median_zero_s or not self.tail_full_s < self.tail_zero_s:
            raise ValueError("a latency's full points must come before its zero points")


@attrs.frozen
class ScorePart:
    """One component: ``points`` of ``out_of``, or ``points`` None and why in ``note``. ``computation`` prints
    the formula filled in."""

    name: str
    points: float | None
    out_of: float
    computation: str
    note: str = ""


@attrs.frozen
class PlatformScore:
    """``points`` of ``out_of``, over the parts that were measured. ``points`` is None where not even the task
    part was measured: hearing and speed alone are no score."""

    parts: tuple[ScorePart, ...]
    points: float | None
    out_of: float

    def part(self, name: str) -> ScorePart:
        """Raises KeyError for anything but ``task``, ``hearing`` and ``latency``."""
        for part in self.parts:
            if part.name == name:
                return part
        raise KeyError(name)


def hearing_composite(
    wer: float | None,
    swer: float | None = None,
    ffa: float | None = None,
    *,
    weights: ScoreWeights | None = None,
) -> float | None:
    """C: the weighted mean of ``1 - wer``, ``1 - swer`` and ``ffa``, each clamped to 0..1, over those that
    were measured.

    None where nothing was measured.
    """
    w = weights or ScoreWeights()
    terms = [
        (w.wer_weight, None if wer is None else 1 - wer),
        (w.swer_weight, None if swer is None else 1 - swer),
        (w.ffa_weight, ffa),
    ]
    measured = [(weight, _clamp(value)) for weight, value in terms if value is not None and weight > 0]
    if not measured:
        return None
    return sum(weight * value for weight, value in measured) / sum(weight for weight, _ in measured)


def platform_score(
    *,
    pass_share: float | None,
    c_clean: float | None,
    c_degraded: float | None,
    median_s: float | None,
    p95_s: float | None,
    no_latency: str = "no turn with a reply",
    hearing_note: str = "",
    weights: ScoreWeights | None = None,
) -> PlatformScore:
    """The platform score from its inputs; None means "not measured".

    ``pass_share`` is P / (N - F_M), the composites are in 0..1, latencies in seconds. With only one of the
    two composites measured, hearing is that one, and the part says so. ``no_latency`` is why there are no
    latencies, where there are none; ``hearing_note`` what the composites had to do without.

    Raises:
        ValueError: a share outside 0..1, a latency that is not a number, or only one of the two latencies.
    """
    w = weights or ScoreWeights()
    parts = (
        _task_part(_share("pass_share", pass_share), w),
        _hearing_part(_share("c_clean", c_clean), _share("c_degraded", c_degraded), w, hearing_note),
        _latency_part(median_s, p95_s, no_latency, w),
    )
    measured = [part for part in parts if part.points is not None]
    points = None if parts[0].points is None else math.fsum(part.points or 0.0 for part in measured)
    return PlatformScore(parts, points, math.fsum(part.out_of for part in measured))


def _clamp(value: float) -> float:
    return min(1.0, max(0.0, value))


def _share(name: str, value: float | None) -> float | None:
    if value is not None and not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} must lie in 0..1, got {value}")
    return value


def _task_part(share: float | None, w: ScoreWeights) -> ScorePart:
    if share is None:
        return ScorePart("task", None, w.task, "", "no clean call was graded")
    return ScorePart("task", w.task * share, w.task, f"{w.task:g} × {share:.3f}")


def _hearing_part(clean: float | None, degraded: float | None, w: ScoreWeights, without: str) -> ScorePart:
    halves = [("C_clean", w.clean_share, clean), ("C_degraded", 1 - w.clean_share, degraded)]
    measured = [(name, weight, value) for name, weight, value in halves if value is not None and weight > 0]
    if not measured:
        return ScorePart(
            "hearing", None, w.hearing, "", "not measured: no transcript of the caller to compare"
        )
    total = sum(weight for _, weight, _ in measured)
    terms = " + ".join(f"{weight / total:g} × {name} {value:.3f}" for name, weight, value in measured)
    missing = [name for name, weight, value in halves if value is None and weight > 0]
    share = sum(weight * value for _, weight, value in measured) / total
    note = "; ".join([*(f"{name} not measured" for name in missing), *([without] if without else [])])
    return ScorePart("hearing", w.hearing * share, w.hearing, f"{w.hearing:g} × ({terms})", note)


def _latency_part(median_s: float | None, p95_s: float | None, why_not: str, w: ScoreWeights) -> ScorePart:
    if median_s is None and p95_s is None:
        return ScorePart("latency", None, w.latency, "", f"not measured: {why_not}")
    if median_s is None or p95_s is None or math.isnan(median_s) or math.isnan(p95_s):
        raise ValueError(f"latency needs a median and a 95th percentile, got {median_s} and {p95_s}")
    median = _clamp((w.median_zero_s - median_s) / (w.median_zero_s - w.median_full_s))
    tail = _clamp((w.tail_zero_s - p95_s) / (w.tail_zero_s - w.tail_full_s))
    share = w.median_share * median + (1 - w.median_share) * tail
    computation = f"{w.latency:g} × ({w.median_share:g} × {median:.3f} + {1 - w.median_share:g} × {tail:.3f})"
    return ScorePart("latency", w.latency * share, w.latency, computation)


# --- rates and pools ---


@attrs.frozen
class Rate:
    """A proportion with its Wilson interval."""

    passes: int
    n: int
    share: float
    low: float
    high: float


def pass_rate(passes: int, n: int, *, confidence: float = 0.95) -> Rate | None:
    """``passes / n`` with the Wilson score interval (`offhook.stats.wilson`); None ("not measured") for
    ``n`` = 0.

    Raises:
        ValueError: counts that are negative, or more passes than calls.
    """
    from offhook.stats import wilson

    found = wilson(passes, n, confidence=confidence).interval
    return None if found is None else Rate(passes, n, passes / n, found.low, found.high)


@attrs.frozen
class PassK:
    """``share`` of ``tasks`` that pass on all of ``k`` runs."""

    k: int
    share: float
    tasks: int


def pass_k(counts: Iterable[tuple[int, int]], k: int) -> PassK | None:
    """pass^k over tasks, from ``(passes, graded runs)`` pairs: the chance that k runs drawn without
    replacement all pass.

    That is ``C(c, k) / C(n, k)`` a task, so with exactly k runs the plain share of tasks whose runs all
    passed. Tasks with fewer than k graded runs are left out; None where none is left."""
    from offhook.stats import repeats

    found = repeats(counts, k)
    return None if found.pass_k is None else PassK(k, found.pass_k, found.tasks)


@attrs.frozen
class TurnStats:
    """Pooled turn latencies in seconds."""

    turns: int
    median_s: float
    p95_s: float


@attrs.frozen
class KeptUp:
    """Whether this machine kept up with ``calls`` held calls: ``late`` of them it did not, and
    ``worst_p99_ms`` is the 99th percentile of the lateness of frames on the worst."""

    calls: int
    late: int
    worst_p99_ms: float

    @property
    def reliable(self) -> bool:
        """False where more than half of the calls were late. The rest would then be no fair sample: what
        a machine keeps up with is the short, quiet calls."""
        return 2 * self.late <= self.calls

    @property
    def told(self) -> str:
        """``3 of 7 calls``."""
        return f"{self.late} of {self.calls} call{'' if self.calls == 1 else 's'}"


def pool_turns(latencies_s: Iterable[float]) -> TurnStats | None:
    """Median and 95th percentile of pooled turns, by linear interpolation between order statistics (numpy's
    default, Hyndman and Fan's type 7). None without turns. Negative latencies stay negative."""
    values = list(latencies_s)
    if not values:
        return None
    import numpy as np

    median, p95 = np.percentile(np.asarray(values, dtype=np.float64), [50.0, 95.0], method="linear")
    return TurnStats(len(values), float(median), float(p95))
