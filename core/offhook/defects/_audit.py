"""A drawn sample of a run's calls for people to review."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import attrs

from offhook.streams import derive_seed, stream

if TYPE_CHECKING:
    from offhook.packs import Task
    from offhook.records import RunManifest
    from offhook.scoring import CallResult

__all__ = ["AuditItem", "AuditSample", "draw_audit"]


@attrs.frozen
class AuditItem:
    """One call of the sample. ``duty`` is what the reviewer does with it: ``attribute`` a failed call,
    ``spot check`` a passing one for a false pass, or nothing (empty) for a passing call that was not picked.
    """

    call_id: str
    stratum: str
    state: str
    duty: str


@attrs.frozen
class AuditSample:
    """``strata`` maps each stratum to (drawn, graded calls). ``digest`` names the sample: a filled-in form
    belongs to it or is refused."""

    run_id: str
    seed: int
    share: float
    items: tuple[AuditItem, ...]
    strata: Mapping[str, tuple[int, int]]

    @property
    def digest(self) -> str:
        named: list[str | int] = [
            self.run_id,
            self.seed,
            *(f"{item.call_id} {item.duty}" for item in self.items),
        ]
        return f"{derive_seed('audit', *named):032x}"[:16]


def draw_audit(
    manifest: RunManifest,
    results: Sequence[CallResult],
    tasks: Mapping[tuple[str, str], Task],
    *,
    seed: int,
    share: float = 0.25,
    spot_share: float = 0.2,
) -> AuditSample:
    """Draws ``share`` of the graded calls, rounded up, of each industry and task category; of the passing
    calls drawn, ``spot_share``, rounded up in each stratum, are to be spot-checked. Equal calls and seed draw
    an equal sample, whatever their order.

    Args:
        tasks: the installed tasks, for their categories; a task that is not there is a stratum of its own.

    Raises:
        ValueError: a share outside 0..1.
    """
    for name, value in (("share", share), ("spot_share", spot_share)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must lie in 0..1, got {value}")
    strata: dict[str, list[CallResult]] = {}
    for result in results:
        if result.graded:
            strata.setdefault(_stratum(result, tasks), []).append(result)
    items: list[AuditItem] = []
    drawn: dict[str, tuple[int, int]] = {}
    for name in sorted(strata):
        calls = sorted(strata[name], key=lambda result: result.record.call_id)
        rng = stream(seed, manifest.run_id, f"audit {name}")
        picked = [calls[int(place)] for place in rng.permutation(len(calls))[: _part(share, len(calls))]]
        passing = [result for result in picked if result.state == "passed"]
        checked = {result.record.call_id for result in passing[: _part(spot_share, len(passing))]}
        drawn[name] = (len(picked), len(calls))
        items += [
            AuditItem(result.record.call_id, name, result.state, _duty(result, checked))
            for result in sorted(picked, key=lambda result: result.record.call_id)
        ]
    return AuditSample(manifest.run_id, seed, share, tuple(items), drawn)


def _part(share: float, calls: int) -> int:
    """A share of some calls, rounded up. It is taken as it is written: 0.28 of 25 is 7, where floats make a
    little more of it."""
    return math.ceil(Fraction(repr(float(share))) * calls)


def _stratum(result: CallResult, tasks: Mapping[tuple[str, str], Task]) -> str:
    key = result.record.key
    task = tasks.get((key.pack, key.task))
    return f"{key.pack} · {task.category if task else key.task}"


def _duty(result: CallResult, checked: set[str]) -> str:
    if result.state == "failed":
        return "attribute"
    return "spot check" if result.record.call_id in checked else ""
