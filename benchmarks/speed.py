"""``speech_cold_x`` and ``speech_warm_x``: seconds of calls over real speech that one second gets through."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs

from benchmarks._calls import kit_for, slice_calls
from benchmarks._row import BenchRow, print_rows
from offhook.clock import run_virtual
from offhook.host import PluginHost
from offhook.runner import CallKit, PlannedCall, place_call

_PLACES: Final = "synthesis, recognition, voice activity, tools, tapes and FLAC files included, grading not"


@attrs.frozen
class _Timed:
    """One call: what it lasted, and what it took by the clock and of this process's processor time."""

    voice: str
    seconds: float
    wall: float
    cpu: float


def _placed(kit: CallKit, calls: Sequence[PlannedCall], folder: Path) -> list[_Timed]:
    timed = []
    for call in calls:
        scratch = folder / call.call_id
        scratch.mkdir(parents=True)
        wall, cpu = time.perf_counter(), time.process_time()
        record = run_virtual(place_call(call, kit, scratch))
        took = time.perf_counter() - wall, time.process_time() - cpu
        if record.ending != "completed":
            raise RuntimeError(f"{call.key.task}: the call ended as {record.ending}: {record.cause}")
        timed.append(_Timed(call.voice, record.seconds, *took))
    return timed


def _row(name: str, goal: str, timed: Sequence[_Timed], state: str) -> BenchRow:
    seconds, wall, cpu = (sum(getattr(call, field) for call in timed) for field in ("seconds", "wall", "cpu"))
    slowest = min(timed, key=lambda call: call.seconds / call.wall)
    how = (
        f"{len(timed)} customer support tasks in {len({call.voice for call in timed})} voices, "
        f"{seconds:.0f} s of calls in {wall:.1f} s, "
        f"one after the other in one process ({cpu:.1f} s of its CPU time; piper has its own beside it); "
        f"{_PLACES}; {state}; slowest {slowest.voice} at {slowest.seconds / slowest.wall:.1f} x"
    )
    return BenchRow(name, round(seconds / wall, 1), "x", goal, how)


def run() -> list[BenchRow]:
    """Cold in a cache folder of its own, then the same calls again."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        os.environ["OFFHOOK_CACHE"] = str(place / "cache")
        host = PluginHost.discover()
        kit = kit_for(host, place / "images")
        calls = slice_calls(kit, host)
        kit.images.image(kit.packs["customer-support"])
        cold = _placed(kit, calls, place / "cold")
        warm = _placed(kit, calls, place / "warm")
        for call in calls:
            recordings = [place / state / call.call_id / "recording.flac" for state in ("cold", "warm")]
            if recordings[0].read_bytes() != recordings[1].read_bytes():
                raise RuntimeError(f"{call.key.task}: the warm call is not the cold one")
    return [
        _row(
            "speech_cold_x",
            ">= 8",
            cold,
            "empty cache: joining, checking and loading the models counts too",
        ),
        _row("speech_warm_x", ">= 60", warm, "all speech in the cache, models loaded, equal recordings"),
    ]


if __name__ == "__main__":
    print_rows(run())
