"""Waits as figures: percentiles, the tail, shares over thresholds, and how exact they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.audio import FRAME_SECONDS
from offhook_graders.timing.edges import FINE_S
from offhook_graders.timing.measurement import LoudWindows
from offhook_graders.timing.onsets import PublishedRule, dbfs

__all__ = [
    "MEASURES",
    "OVER_S",
    "TurnLatency",
    "latencies",
    "timing_bound_ms",
    "wait_numbers",
    "warnings",
]

MEASURES: Final = ("published", "ours")
OVER_S: Final = (1, 2, 3, 5, 10)
"""Waits longer than each of these are counted, in seconds."""

_MISSED_LIMIT: Final = 0.25


@attrs.frozen
class TurnLatency:
    """One caller turn by one measure. ``latency_s`` is None where ``excluded`` says why."""

    turn: int
    caller_end_s: float | None = None
    onset_s: float | None = None
    threshold: float | None = None
    floored: bool = False
    excluded: str = ""
    overlap_s: float | None = None

    @property
    def latency_s(self) -> float | None:
        if self.excluded or self.caller_end_s is None or self.onset_s is None:
            return None
        return round(self.onset_s - self.caller_end_s, 6)

    def as_json(self) -> dict[str, Any]:
        """``threshold_dbfs`` is what a window had to exceed by the published rule; ours has none."""
        return {
            "turn": self.turn,
            "caller_end_s": _rounded(self.caller_end_s),
            "onset_s": _rounded(self.onset_s),
            "latency_s": self.latency_s,
            "threshold_dbfs": None if self.threshold is None else dbfs(self.threshold),
            "threshold_floored": self.floored,
            "excluded": self.excluded,
            "overlap_s": _rounded(self.overlap_s),
        }


def latencies(turns: Sequence[TurnLatency]) -> list[float]:
    """The waits of the turns that have one."""
    return [turn.latency_s for turn in turns if turn.latency_s is not None]


def wait_numbers(measure: str, turns: Sequence[TurnLatency]) -> dict[str, float]:
    """Figures of one call, each name led by the measure: ``turns`` and ``excluded``; ``median_s``, ``p95_s``
    and ``p99_s`` (linear interpolation); ``tail_ratio``, p95 / p50, where the median is above 0; and
    ``over_1s`` to ``over_10s``, how many waits were longer. Only counts add up over calls.
    """
    import numpy as np

    told = latencies(turns)
    numbers = {
        f"{measure}_turns": float(len(told)),
        f"{measure}_excluded": float(len(turns) - len(told)),
    }
    if not told:
        return numbers
    median, p95, p99 = (float(value) for value in np.percentile(told, [50, 95, 99], method="linear"))
    numbers |= {
        f"{measure}_median_s": round(median, 6),
        f"{measure}_p95_s": round(p95, 6),
        f"{measure}_p99_s": round(p99, 6),
    }
    if median > 0:
        numbers[f"{measure}_tail_ratio"] = round(p95 / median, 4)
    return numbers | {
        f"{measure}_over_{limit}s": float(sum(wait > limit for wait in told)) for limit in OVER_S
    }


def timing_bound_ms(late_p99_ms: float, rule: PublishedRule) -> dict[str, float]:
    """How far a wait may be off for reasons of the measurement itself, in ms either way, on a clean channel:
    the measure's own grain at both ends, one frame of playout (sound that arrives inside a frame is played
    with the next one), and how late the 99th percentile of frames was handed over.
    """
    frame = 1000 * FRAME_SECONDS
    return {
        "published": round(2000 * rule.window_s + frame + late_p99_ms, 3),
        "ours": round(2000 * FINE_S + frame + late_p99_ms, 3),
    }


def warnings(channels: Mapping[str, LoudWindows]) -> list[str]:
    """One line for each channel whose published threshold reaches its own speech: a channel that talks most
    of the time, or over loud noise, has a 20th percentile that is speech or nearly so, and windows of speech
    count as silence.
    """
    return [
        f"the {who} speaks so much, or over so much noise, that the published threshold "
        f"({dbfs(windows.threshold)} dBFS) lies above {windows.missed_share:.0%} of its speech: "
        "take the published waits of this recording for wrong"
        for who, windows in channels.items()
        if windows.missed_share is not None and windows.missed_share >= _MISSED_LIMIT
    ]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
