"""``rss_20_mb``: the memory of twenty calls held at once in one process."""

from __future__ import annotations

import asyncio
import resource
import secrets
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks._calls import kit_for, slice_calls
from benchmarks._row import BenchRow, print_rows
from offhook.clock import run_virtual
from offhook.host import PluginHost
from offhook.records import CallRecord
from offhook.runner import CallKit, PlannedCall, place_call
from offhook.speech import ListenerHint, SpeechStyle

_CALLS: Final = 20


async def _all_at_once(kit: CallKit, calls: Sequence[PlannedCall], folder: Path) -> list[CallRecord]:
    scratches = [folder / call.call_id for call in calls]
    for scratch in scratches:
        scratch.mkdir()
    return await asyncio.gather(
        *(place_call(call, kit, scratch) for call, scratch in zip(calls, scratches, strict=True))
    )


def _peak_mb() -> float:
    """Of this process. Linux counts in kilobytes, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _load_models(kit: CallKit, calls: Sequence[PlannedCall]) -> None:
    """Says and hears what is in no cache, so that every model is in memory however warm the cache is."""
    sentence = f"My reference number is {secrets.randbelow(10**12)}."
    for voice in sorted({call.voice for call in calls}):
        clip = kit.engines.voices[voice].speak(sentence, SpeechStyle())
        kit.engines.ears.hear(clip, ListenerHint())
        kit.engines.careful_ears.hear(clip, ListenerHint())


def run() -> list[BenchRow]:
    """Places the calls in one virtual-time loop, models loaded; the cache is used as it is found."""
    host = PluginHost.discover()
    with tempfile.TemporaryDirectory() as scratch:
        kit = kit_for(host, Path(scratch, "images"))
        calls = slice_calls(kit, host, runs=3)[:_CALLS]
        _load_models(kit, calls)
        before = _peak_mb()
        records = run_virtual(_all_at_once(kit, calls, Path(scratch)))
        peak = _peak_mb()
    unheld = [record.cause for record in records if record.ending != "completed"]
    if unheld or len(records) != _CALLS:
        raise RuntimeError(f"{len(records)} calls, not completed: {unheld}")
    longest = max(record.seconds for record in records)
    how = (
        f"peak resident size of one process with {_CALLS} calls (seven customer support tasks in turn, "
        f"the longest {longest:.0f} s) in one virtual-time loop, tapes and models included, "
        f"{before:.0f} MB of it before the first call; piper's own process is not counted"
    )
    return [BenchRow("rss_20_mb", round(peak, 1), "MB", "<= 1500", how)]


if __name__ == "__main__":
    print_rows(run())
