"""Calls in real time: ``lateness_p99_ms`` on fake speech, and ``speech_rt_calls`` on the embedded engines.

A frame is late by its hand-over minus its deadline. Each round is a run as ``offhook run --at-once N`` places
it, files and grades included: N calls at once in one process, then as many as are left.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs

from benchmarks._calls import SLICE
from benchmarks._row import BenchRow, print_rows
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.records import CallRecord
from offhook.runner import EngineChoice, RunOptions, carry_out, default_slots, new_run
from offhook.storage import RunFolder
from offhook.testing import FakeSpeech
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.follower import make_follower
from offhook_caller.caller import SimulatedCaller
from offhook_graders.plugin import offhook_graders as first_party_graders
from offhook_industries.customer_support.plugin import offhook_industries as first_party_industries

_FAKE_CALLS: Final = 20
_TRIED: Final = (8, 16)
_LIMIT_MS: Final = 20.0
_LIVE: Final = "reference-live"


class _Live:
    """The reference platform on the ordinary clock."""

    @hookimpl
    def offhook_adapters(self) -> Sequence[ReferenceAdapter]:
        return [ReferenceAdapter(_LIVE, make_follower, virtual_time=False)]


class _FakeSpeech(FakeSpeech):
    """All a run needs, with engines that compute little and are never wrong."""

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
class _Round:
    """``late_ms`` is the p99 of the worst call, ``median_ms`` that of the middle one."""

    calls: int
    passed: int
    late_ms: float
    median_ms: float
    max_ms: float


def _held(host: PluginHost, at_once: int, calls: int, seed: int, out: Path) -> _Round:
    runs = -(-calls // len(SLICE))
    options = RunOptions(
        platform=_LIVE,
        out=out,
        tasks=SLICE,
        runs=runs,
        seed=seed,
        at_once=at_once,
        engines=EngineChoice(),
        images=out.parent / "images",
    )
    opened = new_run(options, host)
    opened = attrs.evolve(opened, calls=opened.calls[:calls], todo=opened.todo[:calls])
    summary = carry_out(opened, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    folder = RunFolder.open(out)
    records: list[CallRecord] = [folder.record(call_id) for call_id in folder.call_ids()]
    late = sorted(record.late.p99_ms for record in records)
    return _Round(
        len(records),
        summary.passed,
        late[-1],
        late[len(late) // 2],
        max(record.late.max_ms for record in records),
    )


def _fake_row(place: Path) -> BenchRow:
    host = PluginHost()
    host.register(_Live(), name="live")
    host.register(_FakeSpeech(), name="fake")
    held = _held(host, _FAKE_CALLS, _FAKE_CALLS, 1, place / "fake")
    how = (
        f"{held.calls} customer support calls on fake speech at once in one process, {held.passed} passed; "
        f"p99 over a call's frames, of the worst call; median call {held.median_ms:.1f} ms, latest frame "
        f"{held.max_ms:.1f} ms; 2 cores"
    )
    return BenchRow("lateness_p99_ms", round(held.late_ms, 2), "ms", "<= 5", how)


def _speech_row(place: Path) -> BenchRow:
    """More and more calls until frames are late. Every round is a seed of its own on an empty cache, so that
    all speech is computed.
    """
    if not default_slots(PluginHost.discover()):
        raise RuntimeError("no voices: install the extra 'speech'")
    held: list[_Round] = []
    for round_number, at_once in enumerate(_TRIED, start=1):
        os.environ["OFFHOOK_CACHE"] = str(place / f"cache-{at_once}")
        host = PluginHost.discover()  # engines are made anew, and find the new cache
        host.register(_Live(), name="live")
        held.append(_held(host, at_once, at_once, round_number, place / f"speech-{at_once}"))
        if held[-1].late_ms > _LIMIT_MS:
            break
    good = [tried.calls for tried in held if tried.late_ms <= _LIMIT_MS]
    tried = ", ".join(f"{one.calls}: {one.late_ms:.1f} ms ({one.passed} passed)" for one in held)
    how = (
        f"customer support calls over the embedded engines at once in one process, nothing in the cache; "
        f"p99 over a call's frames, of the worst call, by calls at once: {tried}; limit {_LIMIT_MS:.0f} ms"
    )
    return BenchRow("speech_rt_calls", max(good, default=0), "calls", ">= 8", how)


def run() -> Iterator[BenchRow]:
    """Both figures; some minutes, for calls last as long as calls do."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        os.environ["OFFHOOK_CACHE"] = str(place / "cache")
        yield _fake_row(place)
        yield _speech_row(place)


if __name__ == "__main__":
    print_rows(run())
