"""Calls in real time: several at once on one loop, each on its own beat, and whether the machine kept up.

Nothing here depends on a quick machine: lateness is only asserted where a platform holds the loop on purpose.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.audio import FRAME_SECONDS, Clip
from offhook.callers import CallerBrief, CallerReport, CallerTurn
from offhook.cli import main
from offhook.cli._carry import show_summary
from offhook.clock import run_real
from offhook.hooks import hookimpl
from offhook.line import CallerEnd, Line
from offhook.records import LATE_LIMIT_MS, CallKey, CallRecord, lateness_fault
from offhook.runner import (
    DEFAULT_AT_ONCE,
    Done,
    PlannedCall,
    RunOptions,
    Seats,
    TooManyAtOnce,
    carry_out,
    new_run,
    resume_run,
    seats_for,
)
from offhook.runner.engines import try_engines, warm_engines
from offhook.scoring import RunSummary
from offhook.sessions import Adapter, Engines
from offhook.speech import EngineInfo, Heard, ListenerHint, SpeechStyle, SpeechUnavailable
from offhook.storage import RunFolder
from offhook.testing import EnergyVad, FakeVoice, HashEmbedder
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.follower import make_follower
from offhook_caller.caller import SimulatedCaller
from tests.core._stand import RealTimePlatform, installed, stand_host


@attrs.frozen
class Ran:
    summary: RunSummary
    folder: RunFolder
    started: tuple[PlannedCall, ...]
    done: tuple[Done, ...]

    @property
    def records(self) -> list[CallRecord]:
        return [self.folder.record(call_id) for call_id in self.folder.call_ids()]


@pytest.fixture
def place(tmp_path: Path) -> Callable[..., Ran]:
    def placed(host: Any, platform: str = "brief", *, on_done: Any = lambda _: None, **more: Any) -> Ran:
        more = {"caller": "terse", "tasks": ("bicycle-repair",), "out": tmp_path / "run", **more}
        options = RunOptions(platform=platform, images=tmp_path / "images", **more)
        run = new_run(options, host)
        started: list[PlannedCall] = []
        done: list[Done] = []

        def told(one: Done) -> None:
            done.append(one)
            on_done(one)

        summary = carry_out(run, stop=threading.Event(), on_started=started.append, on_done=told)
        return Ran(summary, run.folder, tuple(started), tuple(done))

    return placed


# --- at once --------------------------------------------------------------------------------------


class Gathering:
    """A caller that waits until ``size`` calls are on, notes where on the loop's clock its line began, and
    hangs up together with the others.
    """

    name = "gathering"
    virtual_time = False

    def __init__(self, size: int) -> None:
        self._barrier = asyncio.Barrier(size)
        self.began: list[float] = []
        self.loops: set[int] = set()

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        await line.sleep_until(0.5)
        await asyncio.wait_for(self._barrier.wait(), timeout=30)
        self.loops.add(id(asyncio.get_running_loop()))
        self.began.append(beginning(line))
        turn = CallerTurn("Yes.", "Yes.", 0.5, 0.5, "opening")  # a caller that leaves without a word is void
        return CallerReport((turn,), (), (), "satisfied")


def beginning(line: CallerEnd | Line) -> float:
    """The loop's time at the line's second 0, from the quickest of many readings of both clocks."""
    loop = asyncio.get_running_loop()
    readings = []
    for _ in range(500):
        before = loop.time()
        now = line.now
        after = loop.time()
        readings.append((after - before, (before + after) / 2 - now))
    return min(readings)[1]


def gaps(began: Sequence[float]) -> list[float]:
    """The distances between the beats of several lines, around the 20 ms of a frame."""
    beats = sorted(at % FRAME_SECONDS for at in began)
    return [later - sooner for sooner, later in itertools.pairwise([*beats, beats[0] + FRAME_SECONDS])]


def test_calls_at_once_share_a_loop_and_tick_apart(place: Callable[..., Ran]) -> None:
    caller = Gathering(4)
    ran = place(stand_host(callers=(caller,)), caller="gathering", runs=2, at_once=4)
    assert [done.ending for done in ran.done] == ["completed"] * 4  # they met, so they were on together
    assert len(caller.loops) == 1
    assert gaps(caller.began) == pytest.approx([0.005] * 4, abs=0.001)


def test_a_beat_holds_whenever_the_line_begins() -> None:
    async def one(beat: float) -> float:
        line = Line()
        running = asyncio.create_task(line.run(beat=beat))
        await line.caller.sleep_until(0.0)
        began = beginning(line)
        line.caller.hang_up()
        await running
        return began % FRAME_SECONDS

    async def several() -> list[float]:
        return [await one(beat) for beat in (0.003, 0.017, 0.003)]

    assert run_real(several()) == pytest.approx([0.003, 0.017, 0.003], abs=0.0005)


def test_calls_wait_for_a_seat(place: Callable[..., Ran]) -> None:
    on, most = 0, 0

    class Counting:
        @hookimpl
        def offhook_call_started(self, key: CallKey) -> None:
            nonlocal on, most
            on += 1
            most = max(most, on)

        @hookimpl
        def offhook_call_finished(self, record: CallRecord, folder: Path) -> None:
            nonlocal on
            on -= 1

    ran = place(stand_host(Counting()), runs=3, at_once=2)
    assert (len(ran.started), len(ran.done), on) == (6, 6, 0)
    assert most == 2
    assert sorted(done.planned.call_id for done in ran.done) == list(ran.folder.call_ids())


class Torn:
    """A caller that fails on one task, in a way that ends an event loop, once the other call is on."""

    name = "torn"
    virtual_time = False

    def __init__(self, error: BaseException) -> None:
        self._error = error
        self._barrier = asyncio.Barrier(2)

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        await asyncio.wait_for(self._barrier.wait(), timeout=30)
        if brief.task.id == "B-E1":
            raise self._error
        await line.sleep_until(line.now + 1.5)
        turn = CallerTurn("Yes.", "Yes.", 0.5, 0.5, "opening")  # a caller that leaves without a word is void
        return CallerReport((turn,), (), (), "satisfied")


def test_a_plugin_that_exits_ends_its_own_call_only(place: Callable[..., Ran]) -> None:
    ran = place(stand_host(callers=(Torn(SystemExit(3)),)), caller="torn", at_once=2)
    endings = {done.planned.key.task: (done.ending, done.cause) for done in ran.done}
    assert endings == {
        "B-E1": ("error", "the caller failed: SystemExit: 3"),
        "B-H1": ("completed", ""),
    }


def test_what_stops_a_run_lets_the_calls_beside_it_finish(place: Callable[..., Ran], tmp_path: Path) -> None:
    host = stand_host(callers=(Torn(SpeechUnavailable("the ears are gone")),))
    with pytest.raises(SpeechUnavailable, match="the ears are gone"):
        place(host, caller="torn", runs=2, at_once=2)
    folder = RunFolder.open(tmp_path / "run")
    (kept,) = (folder.record(call_id) for call_id in folder.call_ids())
    assert (kept.key.task, kept.ending) == ("B-H1", "completed")
    assert [entry.name for entry in (tmp_path / "run" / "calls").iterdir()] == [kept.call_id]


def test_worker_processes_hold_several_calls_each(
    place: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path / "site", monkeypatch)
    ran = place(stand_host(), runs=2, workers=2, at_once=2, block=("offhook",))
    assert [done.ending for done in ran.done] == ["completed"] * 4, [done.cause for done in ran.done]
    assert [done.lost for done in ran.done] == [False] * 4
    assert ran.summary.graded == 4


def test_a_stopped_run_in_real_time_resumes(tmp_path: Path) -> None:
    host, stop = stand_host(), threading.Event()
    options = RunOptions(
        platform="brief", caller="terse", out=tmp_path / "run", images=tmp_path / "images", runs=3, at_once=2
    )
    first = carry_out(
        new_run(options, host), stop=stop, on_started=lambda _: None, on_done=lambda _: stop.set()
    )
    assert 1 <= first.graded <= 3  # one more may have begun before the stop
    again = resume_run(tmp_path / "run", host, workers=1, at_once=3)
    assert (len(again.todo), again.options.at_once) == (6 - first.graded, 3)
    last = carry_out(again, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (last.graded, last.missing) == (6, 0)


@attrs.frozen
class RealTimeReference(ReferenceAdapter):
    @property
    def capabilities(self) -> Any:
        return attrs.evolve(super().capabilities, virtual_time=False, concurrency=4)


@pytest.mark.slow
def test_real_conversations_at_once_pass(place: Callable[..., Ran]) -> None:
    adapter: Adapter = RealTimeReference("live", make_follower)
    host = stand_host(adapters=(adapter,), callers=(SimulatedCaller("scripted"),))
    ran = place(host, "live", caller="scripted", runs=2, at_once=4)
    assert [done.passed for done in ran.done] == [True] * 4


# --- engines --------------------------------------------------------------------------------------


@attrs.define(eq=False)
class Remembering:
    """Voice and ears that do nothing twice, as the embedded ones; ``done`` counts what was really done."""

    name: str = "remembering"
    done: list[str] = attrs.field(factory=list)
    _known: set[object] = attrs.field(factory=set)

    @property
    def info(self) -> EngineInfo:
        return FakeVoice().info

    @property
    def description(self) -> str:
        return ""

    def speak(self, text: str, style: SpeechStyle) -> Clip:
        self._really("speak", (text, style))
        return FakeVoice().speak("Hello.", SpeechStyle())

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        self._really("hear", (clip.sha256, hint))
        return Heard("hello", (), 1.0)

    def embed(self, sentences: tuple[str, ...]) -> Any:
        self._really("embed", sentences)
        return HashEmbedder().embed(sentences)

    def _really(self, what: str, key: object) -> None:
        if key not in self._known:
            self.done.append(what)
        self._known.add(key)


def test_engines_are_warm_before_real_time_calls_whatever_they_remember() -> None:
    engine = Remembering()
    engines = Engines({"v": engine, "unused": Remembering()}, engine, engine, EnergyVad(), engine)
    try_engines(engines, ["v"], line="audio")
    for _ in range(2):
        engine.done.clear()
        try_engines(engines, ["v"], line="audio")
        assert engine.done == []  # all of it came from memory
        warm_engines(engines, ["v", "v"], line="audio")
        assert engine.done == ["embed", "speak", "hear", "hear"]
    assert engines.voices["unused"].done == []  # type: ignore[attr-defined]


# --- how many -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("concurrency", "workers", "at_once", "expected"),
    [
        (1, 1, None, Seats(1, 1, virtual=False)),
        (100, 1, None, Seats(1, DEFAULT_AT_ONCE, virtual=False)),
        (100, 3, 20, Seats(3, 20, virtual=False)),
        (3, 1, None, Seats(1, 3, virtual=False)),
        (3, 2, None, Seats(2, 1, virtual=False)),
        (1, 8, None, Seats(1, 1, virtual=False)),
        (10, 8, 4, Seats(2, 4, virtual=False)),
        (10, 1, 10, Seats(1, 10, virtual=False)),
    ],
)
def test_there_are_never_more_calls_than_the_platform_takes(
    concurrency: int, workers: int, at_once: int | None, expected: Seats, tmp_path: Path
) -> None:
    host = stand_host(adapters=(RealTimePlatform("p", concurrency=concurrency),))
    options = RunOptions(platform="p", caller="terse", out=tmp_path, workers=workers, at_once=at_once)
    assert seats_for(options, host) == expected


def test_in_virtual_time_every_worker_holds_one_call(tmp_path: Path) -> None:
    host = stand_host(adapters=(RealTimePlatform("p", concurrency=1, virtual_time=True),))
    options = RunOptions(platform="p", caller="terse", out=tmp_path, workers=3, at_once=50)
    assert seats_for(options, host) == Seats(3, 1, virtual=True)


def test_more_calls_than_the_platform_takes_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    host = stand_host()
    options = RunOptions(platform="brief", caller="terse", out=tmp_path / "run", at_once=9)
    with pytest.raises(TooManyAtOnce, match=r"^brief takes 8 calls at once; .* not 9$"):
        new_run(options, host)
    with pytest.raises(TooManyAtOnce, match="ask for 1 to 8, not 0"):
        new_run(attrs.evolve(options, at_once=0), host)
    assert not (tmp_path / "run").exists()


# --- keeping up -----------------------------------------------------------------------------------


@pytest.fixture
def late_run(place: Callable[..., Ran]) -> Ran:
    return place(stand_host(), "sticky")


def test_calls_that_were_not_kept_up_with_have_no_latency(
    late_run: Ran, capsys: pytest.CaptureFixture[str]
) -> None:
    for record in late_run.records:
        assert record.late.p99_ms > 2 * LATE_LIMIT_MS
        grades = {grade.grader: grade for grade in late_run.folder.grades(record.call_id)}
        assert grades["latency"].outcome == "not_measured"
        assert grades["latency"].summary == f"not measured: {lateness_fault(record)}"
        assert "latencies_s" not in grades["latency"].evidence
        assert set(grades["latency"].evidence["unreliable_s"]) == {"published", "ours"}
    assert all("could not keep up: frames were p99" in done.late for done in late_run.done)
    summary = late_run.summary
    assert (summary.kept_up.calls, summary.kept_up.late, summary.kept_up.reliable) == (2, 2, False)
    assert (summary.latency, summary.latency_ours, summary.graded) == (None, None, 2)
    part = summary.score.part("latency")
    assert (part.points, part.note) == (
        None,
        "not measured: this machine could not keep up with 2 of 2 calls",
    )
    show_summary(late_run.folder, summary, as_json=False)
    shown = capsys.readouterr().out
    assert (
        "latency unreliable in 2 of 2 calls: this machine could not keep up; "
        "use fewer --at-once or --workers, or let it do nothing else meanwhile" in shown.splitlines()
    )
    assert "not measured: this machine" in shown  # where the score's parts are explained
    show_summary(late_run.folder, summary, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["latency_unreliable_calls"] == 2
    assert told["frames_late_p99_ms"] > 2 * LATE_LIMIT_MS


def test_what_is_done_about_a_call_never_holds_the_loop(place: Callable[..., Ran]) -> None:
    """A grader and a hook that take their time do not stall the calls beside them."""
    held: list[str] = []

    class Slow:
        name, version, kind = "slow", "1", stand_host().graders()["latency"].kind

        def grade(self, call: Any) -> Any:
            held.append(threading.current_thread().name)
            raise RuntimeError("never mind")

        @hookimpl
        def offhook_graders(self) -> Sequence[Any]:
            return [self]

        @hookimpl
        def offhook_call_started(self, key: CallKey) -> None:
            held.append(threading.current_thread().name)

        @hookimpl
        def offhook_call_finished(self, record: CallRecord, folder: Path) -> None:
            held.append(threading.current_thread().name)

    place(stand_host(Slow()), at_once=2)
    assert len(held) == 6
    assert "offhook-calls" not in held


# --- the command ----------------------------------------------------------------------------------


def test_the_command_places_calls_at_once_and_refuses_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(tmp_path / "site", monkeypatch)
    common = ["run", "--block", "offhook", "--platform", "brief", "--caller", "terse"]
    with pytest.raises(SystemExit) as refused:
        main([*common, "--at-once", "9", "--out", str(tmp_path / "no")])
    assert refused.value.code == 2
    told = capsys.readouterr().err
    assert "Error: --at-once: brief takes 8 calls at once; ask for 1 to 8, not 9" in told
    began = time.monotonic()
    with pytest.raises(SystemExit) as ended:
        main([*common, "--at-once", "2", "--out", str(tmp_path / "run"), "--json"])
    assert (ended.value.code, time.monotonic() - began > 1) == (0, True)
    assert json.loads(capsys.readouterr().out)["graded"] == 2
