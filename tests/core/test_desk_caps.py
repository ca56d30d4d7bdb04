"""A platform gone wild: what is kept of it, and that it always comes to an end."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.clock import run_real, run_virtual
from offhook.drillrun import DrillKit, Outcome, place_drill, plan_drills
from offhook.runner import RunOptions, carry_out, new_run
from offhook.runner._desk import SessionDesk
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Ended,
    SessionError,
    SessionEvent,
    TranscriptKind,
    Usage,
    UserTranscript,
)
from offhook.testing import ScriptedRecruit, fake_engines
from tests.core._drill_stand import Repeat
from tests.core._stand import RealTimePlatform, stand_host


class Sink:
    """Counts what reaches the line."""

    def __init__(self) -> None:
        self.pushed = 0
        self.texts: list[str] = []

    def audio(self, samples: Any, rate: int) -> None:
        self.pushed += 1

    def clear(self) -> float:
        return 0.0

    def text(self, text: str) -> None:
        self.texts.append(text)

    def meeting(self, event: Any) -> None:
        raise ValueError("this is no meeting")


class Told:
    """A session that is nothing but its events."""

    def __init__(self, events: AsyncIterator[SessionEvent]) -> None:
        self._events = events

    def events(self) -> AsyncIterator[SessionEvent]:
        return self._events


async def all_of(events: Iterable[SessionEvent]) -> AsyncIterator[SessionEvent]:
    for event in events:
        yield event
    yield Ended("agent", "done")


def desk_told(
    events: AsyncIterator[SessionEvent], run: Callable[[Any], Any] = run_virtual
) -> tuple[SessionDesk, Ended, Sink]:
    async def told() -> tuple[SessionDesk, Ended, Sink]:
        sink, session, tools = Sink(), Told(events), object()
        desk = SessionDesk(session, tools, sink, lambda: 1.0)  # type: ignore[arg-type]
        return desk, await desk.run(), sink

    result: tuple[SessionDesk, Ended, Sink] = run(told())
    return result


def test_the_first_errors_are_kept_and_that_there_were_more() -> None:
    desk, ended, _ = desk_told(all_of(SessionError("c", str(n)) for n in range(1000)))
    assert desk.errors == [*(f"c: {n}" for n in range(200)), "... and more were left out"]
    assert ended.by == "agent"
    desk, _, _ = desk_told(all_of(SessionError("c", str(n)) for n in range(200)))
    assert len(desk.errors) == 200  # nothing is left out, and nothing says so


def test_a_break_among_too_many_errors_is_still_the_reason() -> None:
    async def breaks() -> AsyncIterator[SessionEvent]:
        for _ in range(300):
            yield SessionError("c", "m")
        raise OSError("reset")

    _, ended, _ = desk_told(breaks())
    assert ended == Ended("platform", "platform broke: OSError: reset")


@pytest.mark.parametrize(
    ("events", "kept"),
    [
        ([AgentTranscript("a")] * 3_000, 2_000),
        ([AgentTranscript("y" * 30_000)] * 5, 3),
        ([AgentTranscript("y" * 30_000, TranscriptKind.DELTA)] * 5, 1),
        ([AgentTranscript("y" * 30_000)] * 3 + [AgentTranscript("y" * 30_000, TranscriptKind.CUMULATIVE)], 3),
    ],
)
def test_a_transcript_is_kept_up_to_its_limits(events: list[SessionEvent], kept: int) -> None:
    desk, _, sink = desk_told(all_of([*events, UserTranscript("hello")]))
    assert len(desk.agent.finals) == kept
    assert sum(len(final.text) for final in desk.agent.finals) <= 100_000
    (line,) = desk.errors
    assert "the agent transcript was too long" in line
    assert [final.text for final in desk.user.finals] == ["hello"]  # each side has limits of its own
    finals = [event for event in events if event.kind is TranscriptKind.FINAL]  # type: ignore[union-attr]
    assert len(sink.texts) == len(finals)  # what is not kept is still said


def test_usage_has_so_many_names_and_no_more() -> None:
    told = [Usage({f"q{n}": 1.0}) for n in range(300)]
    desk, _, _ = desk_told(all_of([*told, *told]))
    assert desk.usage == {f"q{n}": 2.0 for n in range(200)}
    assert desk.errors == ["Usage has too many names: no more than 200 are kept"]


async def endless(event: SessionEvent, *, polite: bool = True) -> AsyncIterator[SessionEvent]:
    while True:
        yield event
        if polite:
            await asyncio.sleep(0)


AUDIO = AgentAudio(np.ones(1, dtype=np.int16), 24_000)


@pytest.mark.parametrize("polite", [True, False])
def test_a_platform_that_lets_no_time_pass_is_ended(polite: bool) -> None:
    desk, ended, sink = desk_told(endless(AUDIO, polite=polite))
    reason = "the platform sent 100000 events without letting time pass"
    assert ended == Ended("platform", reason)
    assert desk.errors == [reason]
    assert sink.pushed == 100_000


def test_many_events_are_no_offence_where_time_passes() -> None:
    async def two_bursts(seconds: float) -> AsyncIterator[SessionEvent]:
        for _ in range(2):
            for _ in range(60_000):
                yield AUDIO
            await asyncio.sleep(seconds)
        yield Ended("agent")

    for run, seconds in ((run_virtual, 0.001), (run_real, 0.0)):
        desk, ended, sink = desk_told(two_bursts(seconds), run)
        assert (ended.by, desk.errors, sink.pushed) == ("agent", [], 120_000)


# --- and in a drill ------------------------------------------------------------------------------------


@attrs.frozen
class Wild(ScriptedRecruit):
    """Its session tells ``events`` and hangs up by ``hang_up``, where they are given."""

    events: Callable[[Any], AsyncIterator[SessionEvent]] | None = None
    hang_up: Any = None

    async def connect(self, deployment: Any, call: Any) -> Any:
        session: Any = await super().connect(deployment, call)
        if self.events is not None:
            told = session.events()
            session.events = lambda: self.events(told)
        if self.hang_up is not None:
            session.hang_up = self.hang_up
        return session


def drilled(platform: ScriptedRecruit) -> Outcome:
    drill = Repeat()
    planned = plan_drills([drill.name], platform=platform.name, runs=1, seed=1)[0]
    return run_virtual(place_drill(drill, planned, DrillKit(platform, fake_engines(), 1), None))


def test_a_drill_goes_on_to_its_end_without_a_platform_that_lets_no_time_pass() -> None:
    record = drilled(Wild(events=lambda _: endless(AgentTranscript("a")))).record
    assert record.ending == "completed"
    assert record.agent_left is not None
    assert record.session_errors[-1] == "the platform sent 100000 events without letting time pass"
    assert len(record.agent_transcripts) == 2_000


def test_nobody_is_told_of_a_task_that_would_not_be_cancelled(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def clings(told: AsyncIterator[SessionEvent]) -> AsyncIterator[SessionEvent]:
        while True:
            try:
                await asyncio.sleep(1000)
            except asyncio.CancelledError:
                continue
            yield AgentTranscript("never")

    async def never() -> None:
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(1000)

    record = drilled(Wild(events=clings, hang_up=never)).record
    gc.collect()
    assert record.ending == "completed"
    assert "platform did not stop" in record.session_errors
    assert [line for line in caplog.messages if "never retrieved" in line] == []


# --- and in a call -------------------------------------------------------------------------------------


class ExitsAtTheEnd(RealTimePlatform):
    async def teardown(self, deployment: Any) -> None:
        raise SystemExit(9)


def test_a_teardown_that_exits_is_a_failure_of_a_run_of_calls(tmp_path: Path) -> None:
    host = stand_host(adapters=(ExitsAtTheEnd("exits", virtual_time=True),))
    options = RunOptions("exits", caller="terse", out=tmp_path / "run", images=tmp_path / "images")
    run = new_run(options, host)
    carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert "SystemExit: 9" in (tmp_path / "run" / "failures" / "teardown.txt").read_text()
    assert len(run.folder.call_ids()) == len(run.calls)
