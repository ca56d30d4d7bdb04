"""LiveKit Agents: ``livekit_virtual_x``, seconds of calls over real speech that one second gets through, and
``livekit_lateness_p99_ms`` of eight calls at once in real time, on fake speech.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks._calls import check_equal
from benchmarks._row import BenchRow, print_rows
from benchmarks.real_time import _FakeSpeech
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.records import CallRecord
from offhook.runner import EngineChoice, RunOptions, carry_out, default_slots, new_run, pick_tasks
from offhook.storage import RunFolder
from offhook_adapters.livekit.adapter import LiveKitAdapter

_AT_ONCE: Final = 8
_PACK: Final = "customer-support"
_TASKS: Final = ("T4-E1", "T4-M2", "T4-M3", "T4-H1", "T5-E1", "T5-M1", "R-E1", "R-M3")
_MANY: Final = 20


class _Platforms:
    """LiveKit in virtual time; and on the ordinary clock, where it is to hear fake speech."""

    @hookimpl
    def offhook_adapters(self) -> Sequence[LiveKitAdapter]:
        return [
            LiveKitAdapter("livekit-virtual"),
            LiveKitAdapter("livekit-live", virtual_time=False, line_vad=True),
        ]


def _held(
    host: PluginHost, platform: str, tasks: Sequence[str], out: Path, at_once: int | None = None
) -> tuple[list[CallRecord], int, float]:
    """The records, how many calls passed, and the seconds it took."""
    options = RunOptions(
        platform=platform,
        out=out,
        tasks=tuple(f"{_PACK}/{task}" for task in tasks),
        seed=1,
        at_once=at_once,
        engines=EngineChoice(),
        images=out.parent / "images",
    )
    opened = new_run(options, host)
    began = time.perf_counter()
    summary = carry_out(opened, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    took = time.perf_counter() - began
    folder = RunFolder.open(out)
    return [folder.record(call_id) for call_id in folder.call_ids()], summary.passed, took


def _speed_row(place: Path) -> BenchRow:
    """The second of two runs, whose speech is in the cache; both must have equal records and files."""
    os.environ["OFFHOOK_CACHE"] = str(place / "cache")
    host = PluginHost.discover()
    if not default_slots(host):
        raise RuntimeError("no voices: install the extra 'speech'")
    host.register(_Platforms(), name="livekit-bench")
    tasks = [task.id for task in pick_tasks(host.packs(), (_PACK,))[:_MANY]]
    first, _, cold = _held(host, "livekit-virtual", tasks, place / "first")
    records, passed, took = _held(host, "livekit-virtual", tasks, place / "second")
    seconds = sum(record.seconds for record in records)
    check_equal(first, records)
    how = (
        f"{len(records)} customer support tasks, {seconds:.0f} s of calls in {took:.1f} s, one after the "
        f"other in one process, {passed} passed; voices, ears, LiveKit's own turn-taking, files and grades "
        f"included; speech from the cache; the first time round, with an empty one, "
        f"{sum(record.seconds for record in first) / cold:.1f} x; equal records and files both times; 2 cores"
    )
    return BenchRow("livekit_virtual_x", round(seconds / took, 1), "x", ">= 8", how)


def _lateness_row(place: Path) -> BenchRow:
    host = PluginHost()
    host.register(_Platforms(), name="livekit-bench")
    host.register(_FakeSpeech(), name="fake")
    records, passed, _ = _held(host, "livekit-live", _TASKS, place / "live", _AT_ONCE)
    late = sorted(record.late.p99_ms for record in records)
    how = (
        f"{len(records)} customer support calls on fake speech at once in one process, {passed} passed; p99 "
        f"over a call's frames, of the worst call; median call {late[len(late) // 2]:.1f} ms, latest frame "
        f"{max(record.late.max_ms for record in records):.1f} ms; LiveKit is loaded as they begin; 2 cores"
    )
    return BenchRow("livekit_lateness_p99_ms", round(late[-1], 2), "ms", "<= 20", how)


def run() -> Iterator[BenchRow]:
    """Both figures; some minutes, for calls in real time last as long as calls do."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        yield _lateness_row(place)
        yield _speed_row(place)


if __name__ == "__main__":
    print_rows(run())
