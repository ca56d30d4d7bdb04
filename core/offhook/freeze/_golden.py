"""The golden set scored again: its stored calls by the installed graders, and a crosswalk from old to new."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import attrs

from offhook.host import PluginHost
from offhook.runner import Change, GradedCall, Regrade, compared_regrade
from offhook.scoring import RunSummary
from offhook.storage import RunFolder

__all__ = ["Crosswalk", "rescore"]


@attrs.frozen
class Crosswalk:
    """Old against new on the same calls. ``steps`` counts, by grader, each changed pair of outcomes;
    ``figures`` are the parts of the score and the pass rate before and after, None where not measured."""

    calls: int
    outcomes: int
    changes: tuple[Change, ...]
    steps: Mapping[str, Mapping[tuple[str, str], int]]
    figures: Mapping[str, tuple[float | None, float | None]]
    broken: tuple[GradedCall, ...]

    @property
    def same(self) -> bool:
        """Whether every outcome and every figure came out as before."""
        return not self.changes and not self.broken and all(old == new for old, new in self.figures.values())

    @property
    def told(self) -> str:
        """What changed, in a line; that nothing did."""
        moved = [name for name, (old, new) in self.figures.items() if old != new]
        parts = [
            f"{len(self.changes)} of {self.outcomes} outcomes changed" if self.changes else "",
            f"other figures for {', '.join(moved)}" if moved else "",
            f"{len(self.broken)} calls could not be read" if self.broken else "",
        ]
        return "; ".join(part for part in parts if part) or "all outcomes come out as before"


def rescore(
    golden: RunFolder,
    host: PluginHost,
    *,
    workers: int = 1,
    block: Sequence[str] = (),
    stop: threading.Event | None = None,
    on_done: Callable[[GradedCall], None] = lambda _: None,
) -> Crosswalk:
    """Grades the golden set by the installed graders, beside the run; nothing of it changes. ``stop`` and
    ``on_done`` are as of grading.

    Raises:
        StorageError: the run can't be read, or is in use.
        InterruptedError: ``stop`` was set before all calls were graded.
    """
    with (
        golden.lock(),
        compared_regrade(golden, host, workers=workers, block=block, stop=stop, on_done=on_done) as (
            found,
            beside,
        ),
    ):
        outcomes = sum(len(beside.grades(call_id, found.after)) for call_id in golden.call_ids())
    return _crosswalk(found, outcomes)


def _crosswalk(found: Regrade, outcomes: int) -> Crosswalk:
    steps: dict[str, Counter[tuple[str, str]]] = {}
    for change in found.changes:
        steps.setdefault(change.grader, Counter())[change.old, change.new] += 1
    before, after = _figures(found.summary_before), _figures(found.summary_after)
    return Crosswalk(
        calls=found.calls,
        outcomes=outcomes,
        changes=found.changes,
        steps={name: dict(sorted(counted.items())) for name, counted in sorted(steps.items())},
        figures={name: (before[name], after[name]) for name in before},
        broken=found.broken,
    )


def _figures(summary: RunSummary) -> dict[str, float | None]:
    return {
        "passed": float(summary.passed),
        "graded": float(summary.graded),
        **{part.name: part.points for part in summary.score.parts},
        "score": summary.score.points,
    }
