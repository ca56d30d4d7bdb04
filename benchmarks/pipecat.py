"""Pipecat: ``pipecat_virtual_x``, seconds of calls over real speech that one second gets through, and
``pipecat_lateness_p99_ms`` of four calls at once in real time, on fake speech.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs

from benchmarks._calls import SEED, SLICE, check_equal
from benchmarks._row import BenchRow, print_rows
from offhook.clock import run_virtual
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.records import CallRecord
from offhook.runner import (
    CallKit,
    EngineChoice,
    PlannedCall,
    RunOptions,
    assign_voices,
    carry_out,
    default_slots,
    make_kit,
    new_run,
    pick_tasks,
    place_call,
    plan_calls,
)
from offhook.storage import RunFolder
from offhook.testing import FakeSpeech
from offhook_adapters.pipecat.adapter import PipecatAdapter
from offhook_caller.caller import SimulatedCaller
from offhook_graders.plugin import offhook_graders as first_party_graders
from offhook_industries.customer_support.plugin import offhook_industries as first_party_industries

_VIRTUAL: Final = "pipecat-bench"
_LIVE: Final = "pipecat-live"
_TASKS: Final = 20
_AT_ONCE: Final = 4


class _Virtual:
    @hookimpl
    def offhook_adapters(self) -> Sequence[PipecatAdapter]:
        return [PipecatAdapter(_VIRTUAL)]


class _Live(FakeSpeech):
    """Pipecat on the ordinary clock, and all a run needs with engines that compute little."""

    @hookimpl
    def offhook_adapters(self) -> Sequence[PipecatAdapter]:
        return [PipecatAdapter(_LIVE, virtual_time=False, line_vad=True)]

    @hookimpl
    def offhook_industries(self) -> Sequence[object]:
        return first_party_industries()

    @hookimpl
    def offhook_callers(self) -> Sequence[SimulatedCaller]:
        return [SimulatedCaller("scripted")]

    @hookimpl
    def offhook_graders(self) -> Sequence[object]:
        return first_party_graders()


@attrs.frozen
class _Pass:
    """All calls once: what they lasted, what they took by the clock and of this process's processor time."""

    records: tuple[CallRecord, ...]
    wall: float
    cpu: float

    @property
    def seconds(self) -> float:
        return sum(record.seconds for record in self.records)


def _once(kit: CallKit, calls: Sequence[PlannedCall], folder: Path) -> _Pass:
    records = []
    wall, cpu = time.perf_counter(), time.process_time()
    for call in calls:
        scratch = folder / call.call_id
        scratch.mkdir(parents=True)
        records.append(run_virtual(place_call(call, kit, scratch)))
    return _Pass(tuple(records), time.perf_counter() - wall, time.process_time() - cpu)


def _virtual_row(place: Path) -> BenchRow:
    os.environ["OFFHOOK_CACHE"] = str(place / "cache")
    host = PluginHost.discover()
    host.register(_Virtual(), name="pipecat-bench")
    kit = make_kit(
        host,
        platform=_VIRTUAL,
        caller="scripted",
        choice=EngineChoice(),
        images=place / "images",
        seed=SEED,
        options={},
    )
    calls = plan_calls(
        pick_tasks(kit.packs, ("customer-support",))[:_TASKS],
        platform=_VIRTUAL,
        runs=1,
        seed=SEED,
        voices=assign_voices(kit.packs.values(), default_slots(host)),
    )
    first, again = (_once(kit, calls, place / state) for state in ("cold", "warm"))
    check_equal(first.records, again.records)
    how = (
        f"{len(calls)} customer support tasks, {again.seconds:.0f} s of calls in {again.wall:.1f} s "
        f"({again.cpu:.1f} s of CPU time), one after the other in one process; voices, ears and Pipecat's "
        f"own voice activity detection and smart turn included, grading not; speech from the cache; the "
        f"first time round, with an empty one, {first.seconds / first.wall:.1f} x; equal records and files "
        f"both times; 2 cores"
    )
    return BenchRow("pipecat_virtual_x", round(again.seconds / again.wall, 1), "x", ">= 8", how)


def _live_row(place: Path) -> BenchRow:
    host = PluginHost()
    host.register(_Live(), name="live")
    options = RunOptions(
        platform=_LIVE,
        out=place / "live",
        tasks=SLICE,
        seed=SEED,
        at_once=_AT_ONCE,
        engines=EngineChoice(),
        images=place / "images",
    )
    run = new_run(options, host)
    run = attrs.evolve(run, calls=run.calls[:_AT_ONCE], todo=run.todo[:_AT_ONCE])
    summary = carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    folder = RunFolder.open(options.out)
    records = [folder.record(call_id) for call_id in folder.call_ids()]
    late = sorted(record.late.p99_ms for record in records)
    how = (
        f"{len(records)} customer support calls on fake speech at once in one process, {summary.passed} "
        f"passed; p99 over a call's frames, of the worst call; median call {late[len(late) // 2]:.1f} ms, "
        f"latest frame {max(record.late.max_ms for record in records):.1f} ms; smart turn and the rest of "
        f"Pipecat as in a real call, voice activity by loudness; 2 cores"
    )
    return BenchRow("pipecat_lateness_p99_ms", round(late[-1], 2), "ms", "<= 20", how)


def run() -> Iterator[BenchRow]:
    """Both figures; some minutes."""
    with tempfile.TemporaryDirectory() as scratch:
        yield _live_row(Path(scratch))
        yield _virtual_row(Path(scratch))


if __name__ == "__main__":
    print_rows(run())
