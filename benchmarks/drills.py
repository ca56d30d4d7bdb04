"""``drill_audio_x``: seconds of drills over real speech that one second of computing gets through."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs

from benchmarks._row import BenchRow, print_rows
from offhook.clock import run_virtual
from offhook.drillrun import DrillKit, PlannedDrill, mark_of, place_drill, plan_drills
from offhook.drills import Drill, MarkState
from offhook.host import PluginHost
from offhook.runner import EngineChoice, choose_engines
from offhook.sessions import Adapter
from offhook_drills.recruits.faults import FAULTS

_SEED: Final = 1
_PLACES: Final = "synthesis, recognition, voice activity, room, tapes, FLAC files and marks included"


@attrs.frozen
class _Meeting:
    """One drill to hold with one recruit."""

    drill: Drill
    planned: PlannedDrill
    adapter: Adapter


@attrs.frozen
class _Timed:
    """One drill: what it lasted, and what it took by the clock and of this process's processor time."""

    name: str
    seconds: float
    wall: float
    cpu: float


def _meetings(host: PluginHost) -> list[_Meeting]:
    """Each drill with the recruit that does it properly, and with the first of those that fail at it."""
    drills, adapters = host.drills(), host.adapters()
    failing = {fault.breaks: f"recruit-{fault.name}" for fault in reversed(FAULTS)}
    return [
        _Meeting(drill, plan_drills([name], platform=recruit, runs=1, seed=_SEED)[0], adapters[recruit])
        for name, drill in drills.items()
        if name in failing
        for recruit in ("recruit", failing[name])
    ]


def _held(host: PluginHost, meetings: Sequence[_Meeting], folder: Path) -> list[_Timed]:
    engines = choose_engines(host, EngineChoice())
    timed = []
    for meeting in meetings:
        scratch = folder / meeting.planned.drill_id
        scratch.mkdir(parents=True)
        kit = DrillKit(meeting.adapter, engines, _SEED)
        wall, cpu = time.perf_counter(), time.process_time()
        record = run_virtual(place_drill(meeting.drill, meeting.planned, kit, scratch)).record
        mark = mark_of(meeting.drill, record)
        took = time.perf_counter() - wall, time.process_time() - cpu
        name = f"{meeting.drill.name} with {meeting.adapter.name}"
        if mark is None or mark.state is MarkState.INSTRUMENT_FAULT:
            raise RuntimeError(f"{name}: the drill ended as {record.ending}: {record.cause}")
        timed.append(_Timed(name, record.seconds, *took))
    return timed


def _row(name: str, goal: str, timed: Sequence[_Timed], state: str) -> BenchRow:
    seconds, wall, cpu = (sum(getattr(one, field) for one in timed) for field in ("seconds", "wall", "cpu"))
    slowest = min(timed, key=lambda one: one.seconds / one.wall)
    how = (
        f"{len(timed)} meetings, each drill with a proper and a failing recruit, {seconds:.0f} s of drills "
        f"in {wall:.1f} s, one after the other in one process ({cpu:.1f} s of its CPU time; piper has its "
        f"own beside it); {_PLACES}; {state}; slowest {slowest.name}, "
        f"{slowest.seconds / slowest.wall:.1f} x"
    )
    return BenchRow(name, round(seconds / wall, 1), "x", goal, how)


def run() -> list[BenchRow]:
    """Cold in a cache folder of its own, then the same drills again."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        os.environ["OFFHOOK_CACHE"] = str(place / "cache")
        host = PluginHost.discover()
        meetings = _meetings(host)
        cold = _held(host, meetings, place / "cold")
        warm = _held(host, meetings, place / "warm")
        for meeting in meetings:
            tapes = [place / state / meeting.planned.drill_id / "recruit.flac" for state in ("cold", "warm")]
            if tapes[0].read_bytes() != tapes[1].read_bytes():
                raise RuntimeError(f"{meeting.drill.name}: the warm drill is not the cold one")
    return [
        _row("drill_audio_cold_x", ">= 8", cold, "empty cache: checking and loading the models counts too"),
        _row("drill_audio_x", ">= 60", warm, "all speech in the cache, models loaded, equal tapes"),
    ]


if __name__ == "__main__":
    print_rows(run())
