"""Which drills a run holds, and what each is drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from offhook.drills import Drill
from offhook.runner.plan import UnknownName
from offhook.scoring import MAX_ATTEMPTS
from offhook.storage import StorageError, is_safe_name
from offhook.streams import opaque_id

__all__ = ["MOST_RUNS", "PlannedDrill", "ids_of", "next_attempt", "pick_drills", "plan_drills"]

MOST_RUNS: Final = 5_000


@attrs.frozen
class PlannedDrill:
    """One drill to hold. ``drill_id`` tells nothing about it; ``draw_id`` is what its random streams are
    derived from beside the run's seed: equal on every platform, so that all are drilled alike.
    """

    drill: str
    run: int
    drill_id: str
    draw_id: str
    attempt: int = 1


def pick_drills(drills: Mapping[str, Drill], names: Sequence[str]) -> tuple[Drill, ...]:
    """Drills by name, in the order given; ``all``, or no name, means all of them.

    Raises:
        UnknownName: no such drill, or none at all is installed.
        StorageError: the drill's version can't name a folder for its marks.
    """
    wanted = list(drills) if not names or "all" in names else list(dict.fromkeys(names))
    for name in wanted or ["all"]:
        if name not in drills:
            raise UnknownName("drill", name, drills)
        version = drills[name].version
        if not is_safe_name(version):
            raise StorageError(f"drill {name}: its version {version!r} can't name a folder")
    return tuple(drills[name] for name in wanted)


def plan_drills(names: Sequence[str], *, platform: str, runs: int, seed: int) -> tuple[PlannedDrill, ...]:
    """Every drill of a run, run by run, so that a stopped one has whole rounds. Raises ValueError for
    fewer than one run or more than ``MOST_RUNS``.
    """
    if not 1 <= runs <= MOST_RUNS:
        raise ValueError(f"runs must be 1 to {MOST_RUNS}, got {runs}")
    return tuple(
        _planned(name, run, 1, platform=platform, seed=seed) for run in range(1, runs + 1) for name in names
    )


def next_attempt(planned: PlannedDrill, *, platform: str, seed: int) -> PlannedDrill | None:
    """The same drill once more after a void, drawn afresh; None when it has had all its attempts."""
    if planned.attempt >= MAX_ATTEMPTS:
        return None
    return _planned(planned.drill, planned.run, planned.attempt + 1, platform=platform, seed=seed)


def ids_of(names: Sequence[str], *, platform: str, runs: int, seed: int) -> Mapping[str, PlannedDrill]:
    """Every drill that a run may come to hold, by id, all attempts included."""
    every = (
        _planned(name, run, attempt, platform=platform, seed=seed)
        for run in range(1, runs + 1)
        for name in names
        for attempt in range(1, MAX_ATTEMPTS + 1)
    )
    return {planned.drill_id: planned for planned in every}


def _planned(drill: str, run: int, attempt: int, *, platform: str, seed: int) -> PlannedDrill:
    return PlannedDrill(
        drill,
        run,
        opaque_id(seed, "drill", drill, platform, run, attempt),
        opaque_id(seed, "draw", drill, run, attempt),
        attempt,
    )
