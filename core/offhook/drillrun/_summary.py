"""What a drill run came to: one result per drill and run, and the mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import fmean

import attrs

from offhook.drillrun._folder import DrillFolder, DrillManifest
from offhook.drillrun._plan import PlannedDrill, ids_of, plan_drills
from offhook.drills import DrillMark, DrillRecord
from offhook.records import LATE_LIMIT_MS
from offhook.storage import StorageError

__all__ = ["DrillResult", "DrillSummary", "read_drill_run"]


@attrs.frozen
class DrillResult:
    """How one planned drill came out. ``state`` is that of its mark, or ``void``, ``error`` or ``missing``
    (not held yet); ``why`` says it in a line.
    """

    planned: PlannedDrill
    state: str
    why: str
    record: DrillRecord | None = None
    mark: DrillMark | None = None

    @property
    def late(self) -> str:
        """Why no time measured in it can be relied on, in words; empty where the harness kept up."""
        if self.record is None or self.record.late.p99_ms <= LATE_LIMIT_MS:
            return ""
        return f"the harness could not keep up: frames were p99 {self.record.late.p99_ms:.0f} ms late"


@attrs.frozen
class DrillSummary:
    """``mean`` is over the drills, of each drill's mean over its runs; voids and errors are left out of it,
    all else counts. None where nothing was marked. ``damaged`` has a line for each file of a drill that can
    no longer be read, or has changed.
    """

    manifest: DrillManifest
    results: tuple[DrillResult, ...]
    damaged: tuple[str, ...] = ()

    @property
    def counts(self) -> Mapping[str, int]:
        """Results by state."""
        return Counter(result.state for result in self.results)

    @property
    def mean(self) -> float | None:
        means = [mean for mean in self.by_drill.values() if mean is not None]
        return fmean(means) if means else None

    @property
    def by_drill(self) -> Mapping[str, float | None]:
        """The mean mark of each drill, in order."""
        marks: dict[str, list[float]] = {name: [] for name in self.manifest.order}
        for result in self.results:
            if result.mark is not None:
                marks[result.planned.drill].append(result.mark.mark)
        return {name: fmean(of) if of else None for name, of in marks.items()}


def read_drill_run(
    folder: DrillFolder,
    versions: Mapping[str, str] | None = None,
    *,
    unmarked: Mapping[str, str] | None = None,
) -> DrillSummary:
    """Reads a run, finished or not. A drill that can't be read is an error that names the file.

    Args:
        versions: by which version of each drill it is marked; those it was held with, unless given.
        unmarked: why drills could not be marked just now, by drill id.

    Raises:
        StorageError: the run's manifest is missing or malformed.
    """
    manifest = folder.manifest()
    wanted = {**manifest.drills, **(versions or {})}
    platform, runs, seed = manifest.platform, manifest.runs, manifest.seed
    attempts = ids_of(manifest.order, platform=platform, runs=runs, seed=seed)
    stored = [attempts[drill_id] for drill_id in folder.ids() if drill_id in attempts]
    latest: dict[tuple[str, int], PlannedDrill] = {}
    for planned in sorted(stored, key=lambda planned: planned.attempt):
        latest[planned.drill, planned.run] = planned
    damaged: list[str] = []
    results = [
        _result(folder, first, latest.get((first.drill, first.run)), wanted, damaged, unmarked or {})
        for first in plan_drills(manifest.order, platform=platform, runs=runs, seed=seed)
    ]
    return DrillSummary(manifest, tuple(results), tuple(damaged))


def _result(
    folder: DrillFolder,
    first: PlannedDrill,
    latest: PlannedDrill | None,
    versions: Mapping[str, str],
    damaged: list[str],
    unmarked: Mapping[str, str],
) -> DrillResult:
    if latest is None:
        return DrillResult(first, "missing", "not held yet")
    try:
        record = folder.record(latest.drill_id)
        damaged += folder.check_files(record)
        mark = folder.mark(latest.drill_id, versions[latest.drill])
    except StorageError as error:
        damaged.append(str(error))
        return DrillResult(latest, "error", str(error))
    if record.ending in ("void", "error"):
        return DrillResult(latest, record.ending, record.cause, record)
    if latest.drill_id in unmarked:
        return DrillResult(latest, "error", unmarked[latest.drill_id], record)
    if mark is None:
        return DrillResult(latest, "error", "not marked; see: offhook drill --mark", record)
    return DrillResult(latest, mark.state.value, mark.why, record, mark)
