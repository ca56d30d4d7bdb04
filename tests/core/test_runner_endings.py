"""How a call ends: real adapters, callers, tool server and graders; only the speech engines are stand-ins."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import attrs
import pytest

from offhook.audio import Samples
from offhook.callers import CallerBrief, CallerReport
from offhook.line import CallerEnd
from offhook.scoring import NO_AGENT
from offhook.sessions import AgentAudio, Cost, SessionEvent
from offhook.speech import SpeechUnavailable
from tests.core._platforms import Platform, Quiet, Talking, host_of
from tests.core._runs import placed


def test_a_sound_run_over_audio_passes(tmp_path: Path) -> None:
    run = placed(tmp_path, host_of(), tasks=("bicycle-repair",), runs=2)
    assert [done.passed for done in run.done] == [True] * 4
    assert (run.summary.planned, run.summary.passed, run.summary.error, run.summary.void) == (4, 4, 0, 0)
    for call_id in run.folder.call_ids():
        record = run.folder.record(call_id)
        assert {stamp.name for stamp in record.files} == {
            path.name for path in run.folder.call_folder(call_id).iterdir()
        } - {"record.json"}
        assert {"recording.flac", "caller.flac", "state.sqlite", "tools.jsonl", "platform.json"} == {
            stamp.name for stamp in record.files
        }
        assert run.folder.check_files(record) == ()


def test_a_saboteur_fails_and_is_no_error(tmp_path: Path) -> None:
    run = placed(tmp_path, host_of(), "saboteur-claims-done", tasks=("bicycle-repair",))
    assert run.summary.error == 0
    failed = {result.record.key.task: result.why for result in run.summary.calls if result.state == "failed"}
    assert failed
    assert all("state-adherence" in why for why in failed.values())


def test_an_agent_that_never_speaks_is_void_three_times_and_then_its_failure(tmp_path: Path) -> None:
    run = placed(tmp_path, host_of(Platform(Quiet)), "odd")
    assert [(done.ending, done.passed) for done in run.done] == [
        ("void", None),
        ("void", None),
        ("completed", False),
    ]
    assert [done.again is None for done in run.done] == [False, False, True]
    records = [run.folder.record(call_id) for call_id in run.folder.call_ids()]
    assert sorted(record.key.attempt for record in records) == [1, 2, 3]
    assert {record.cause for record in records} == {NO_AGENT}
    assert (run.summary.graded, run.summary.passed, run.summary.void) == (1, 0, 0)
    assert run.summary.voided_attempts == 2


def test_a_platform_that_takes_no_call_leaves_a_void(tmp_path: Path) -> None:
    run = placed(tmp_path, host_of(Platform(Talking, connecting=ConnectionRefusedError("busy\nhere"))), "odd")
    assert {done.ending for done in run.done} == {"void"}
    assert len(run.done) == 3
    assert run.done[-1].cause == (
        "refused: the platform did not take the call: ConnectionRefusedError: busy here"
    )
    assert (run.summary.void, run.summary.error) == (1, 0)


def test_an_agent_that_cannot_be_deployed_is_an_error(tmp_path: Path) -> None:
    platform = Platform(Talking, deploying=PermissionError("the key has expired"))
    run = placed(tmp_path, host_of(platform), "odd")
    assert (run.record.ending, run.summary.error) == ("error", 1)
    assert run.record.cause == "the agent could not be deployed: PermissionError: the key has expired"
    trace = (run.folder.path / "failures" / f"{run.record.call_id}.txt").read_text()
    assert "PermissionError: the key has expired" in trace


class Deaf(Talking):
    def send_audio(self, frame: Samples) -> None:
        raise ConnectionResetError("the socket is gone")


class Torn(Talking):
    async def events(self) -> AsyncIterator[SessionEvent]:
        async for event in super().events():
            yield event
            if isinstance(event, AgentAudio):
                raise ValueError("frame 7 is no JSON")


class Clinging(Talking):
    async def hang_up(self) -> None:
        raise RuntimeError("no such call")


class Hanging(Talking):
    async def hang_up(self) -> None:
        await asyncio.Event().wait()


class Free(Talking):
    async def fetch_cost(self) -> Cost:
        raise LookupError("no invoice yet")


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        (Deaf, "platform broke: ConnectionResetError: the socket is gone"),
        (Torn, "platform broke: ValueError: frame 7 is no JSON"),
        (Clinging, "platform broke: RuntimeError: no such call"),
        (Hanging, "platform broke: TimeoutError"),
        (Free, "cost: LookupError: no invoice yet"),
    ],
)
def test_a_platform_that_breaks_in_a_call_is_graded_on_what_was_recorded(
    session: Callable[[], Quiet], expected: str, tmp_path: Path
) -> None:
    run = placed(tmp_path, host_of(Platform(session)), "odd")
    assert run.record.ending == "completed"
    assert any(error.startswith(expected) for error in run.record.session_errors)
    assert run.summary.graded == 1
    assert run.record.seconds > 0


@attrs.frozen
class Fainting:
    """A caller that fails, after listening for a moment if there is one."""

    error: Exception
    in_line: bool = False
    name: str = "fainting"
    virtual_time: bool = True

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        if not self.in_line:
            raise self.error

        def listen(frame: Samples, began: float) -> None:
            raise self.error

        line.on_frame(listen)
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


@pytest.mark.parametrize(
    ("in_line", "expected"),
    [
        (False, "the caller failed: ZeroDivisionError: no courage"),
        (True, "the line failed: ZeroDivisionError: no courage"),
    ],
)
def test_a_caller_that_fails_is_our_error_and_the_platform_is_hung_up_on(
    in_line: bool, expected: str, tmp_path: Path
) -> None:
    sessions: list[Quiet] = []

    def session() -> Quiet:
        sessions.append(Talking(ends=False))
        return sessions[-1]

    caller = Fainting(ZeroDivisionError("no courage"), in_line)
    run = placed(tmp_path, host_of(Platform(session), callers=[caller]), "odd", caller="fainting")
    assert (run.record.ending, run.record.cause) == ("error", expected)
    assert run.summary.graded == 0
    assert [session.hung_up for session in sessions] == [1]


@pytest.mark.parametrize("in_line", [False, True])
def test_a_missing_engine_stops_the_run_and_leaves_nothing(in_line: bool, tmp_path: Path) -> None:
    caller = Fainting(SpeechUnavailable("the ears are gone: run pip install ears"), in_line)
    host = host_of(Platform(lambda: Talking(ends=False)), callers=[caller])
    with pytest.raises(SpeechUnavailable, match="run pip install ears"):
        placed(tmp_path, host, "odd", caller="fainting")
    assert list((tmp_path / "run" / "calls").iterdir()) == []


@attrs.frozen(eq=False)
class Careful(Fainting):
    """Notes how many sessions there are as it gets ready, and can fail to."""

    sessions: list[Quiet] = attrs.field(factory=list)
    seen: list[int] = attrs.field(factory=list)
    ready: bool = True

    def prepare(self, brief: CallerBrief) -> None:
        self.seen.append(len(self.sessions))
        if not self.ready:
            raise self.error


@pytest.mark.parametrize("ready", [True, False])
def test_a_caller_gets_ready_before_the_platform_is_asked(ready: bool, tmp_path: Path) -> None:
    caller = Careful(ZeroDivisionError("no courage"), name="careful", ready=ready)

    def session() -> Quiet:
        caller.sessions.append(Talking(ends=False))
        return caller.sessions[-1]

    run = placed(tmp_path, host_of(Platform(session), callers=[caller]), "odd", caller="careful")
    assert (run.record.ending, run.record.cause) == (
        "error",
        "the caller failed: ZeroDivisionError: no courage",
    )
    assert caller.seen == [0]
    assert len(caller.sessions) == (1 if ready else 0)
