"""Runs on real adapters, callers, tool server and graders; only the speech engines are stand-ins."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.audio import Samples
from offhook.callers import CallerBrief, CallerReport
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.line import CallerEnd
from offhook.packs import ExpectedCall, Pack
from offhook.records import CallKey, CallRecord, RunManifest
from offhook.runner import (
    Done,
    RunOptions,
    UnknownName,
    carry_out,
    follower_plan,
    new_run,
    resume_run,
    summary_of,
)
from offhook.scoring import NO_AGENT, RunSummary
from offhook.sessions import (
    Adapter,
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    Ended,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    ToolResult,
)
from offhook.speech import SpeechStyle, SpeechUnavailable
from offhook.storage import RunFolder, StorageError
from offhook.testing import FakeSpeech, FakeVoice
from offhook.testing_pack import bicycle_pack
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.reference.minds.saboteurs import FAULTS, saboteur
from offhook_caller.caller import SimulatedCaller
from offhook_graders.plugin import offhook_graders as first_party_graders

# --- the world ------------------------------------------------------------------------------------


class Stand(FakeSpeech):
    """A plugin that brings everything a run needs. Engines carry the default names."""

    def __init__(self, *adapters: Adapter, callers: Sequence[Any] = ()) -> None:
        self._adapters = adapters
        self._callers = callers

    @hookimpl
    def offhook_adapters(self) -> Sequence[Adapter]:
        faults = [ReferenceAdapter(f"saboteur-{fault.name}", saboteur(fault)) for fault in FAULTS]
        return [ReferenceAdapter("reference", make_follower), *faults, *self._adapters]

    @hookimpl
    def offhook_callers(self) -> Sequence[Any]:
        return [SimulatedCaller("scripted"), *self._callers]

    @hookimpl
    def offhook_industries(self) -> Sequence[Pack]:
        return [bicycle_pack()]

    @hookimpl
    def offhook_graders(self) -> Sequence[Any]:
        return first_party_graders()


class Watcher:
    """Keeps what the lifecycle hooks tell."""

    def __init__(self) -> None:
        self.started: list[CallKey] = []
        self.finished: list[tuple[str, Path]] = []
        self.runs: list[RunManifest] = []

    @hookimpl
    def offhook_call_started(self, key: CallKey) -> None:
        self.started.append(key)

    @hookimpl
    def offhook_call_finished(self, record: CallRecord, folder: Path) -> None:
        assert (folder / "record.json").is_file()
        self.finished.append((record.call_id, folder))

    @hookimpl
    def offhook_run_finished(self, manifest: RunManifest, folder: Path) -> None:
        self.runs.append(manifest)


class Raising:
    @hookimpl
    def offhook_call_started(self, key: CallKey) -> None:
        raise RuntimeError("this integrator is broken")


def host_of(*adapters: Adapter, callers: Sequence[Any] = (), more: Sequence[object] = ()) -> PluginHost:
    host = PluginHost()
    assert host.register(Stand(*adapters, callers=callers), name="stand")
    for number, plugin in enumerate(more):
        assert host.register(plugin, name=f"more-{number}")
    return host


@attrs.frozen
class Finished:
    summary: RunSummary
    folder: RunFolder
    done: tuple[Done, ...]

    @property
    def record(self) -> CallRecord:
        (call_id,) = self.folder.call_ids()
        return self.folder.record(call_id)


@pytest.fixture
def place(tmp_path: Path) -> Callable[..., Finished]:
    def placed(host: PluginHost, platform: str = "reference", **more: Any) -> Finished:
        more.setdefault("tasks", ("B-E1",))
        options = RunOptions(platform=platform, out=tmp_path / "run", images=tmp_path / "images", **more)
        run = new_run(options, host)
        done: list[Done] = []
        summary = carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=done.append)
        return Finished(summary, run.folder, tuple(done))

    return placed


# --- platforms that misbehave ---------------------------------------------------------------------


class Quiet:
    """A session that takes the call and never says anything. Subclasses misbehave in one place each."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[SessionEvent] = asyncio.Queue()
        self._queue.put_nowait(Ready())
        self.results: list[ToolResult] = []
        self.hung_up = 0

    def tell(self, *events: SessionEvent) -> None:
        for event in events:
            self._queue.put_nowait(event)

    def send_audio(self, frame: Samples) -> None:
        """Heard, and ignored."""

    async def events(self) -> AsyncIterator[SessionEvent]:
        while True:
            event = await self._queue.get()
            yield event
            if isinstance(event, Ended):
                return

    async def send_tool_result(self, result: ToolResult) -> None:
        self.results.append(result)

    def played(self, seconds: float) -> None:
        """Nothing is ever cut off."""

    async def hang_up(self) -> None:
        self.hung_up += 1
        self.tell(Ended("caller"))

    async def fetch_record(self) -> PlatformRecord:
        return PlatformRecord()

    async def fetch_cost(self) -> Cost:
        return Cost(0.02, "reported")


class Talking(Quiet):
    """Says hello and ends the call."""

    def __init__(self, *events: SessionEvent, ends: bool = True) -> None:
        super().__init__()
        clip = FakeVoice().speak("Hello, this is Fernhill.", SpeechStyle())
        self.tell(AgentTranscript("Hello, this is Fernhill."), AgentAudio(clip.samples, clip.rate), *events)
        if ends:
            self.tell(Ended("agent"))


@attrs.frozen
class Platform:
    """An adapter around any session. ``deploying`` and ``connecting`` are raised where given."""

    session: Callable[[], Quiet]
    name: str = "odd"
    deploying: Exception | None = None
    connecting: Exception | None = None

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(virtual_time=True)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        if self.deploying is not None:
            raise self.deploying
        return Deployment(self.name, "odd:1", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Quiet:
        if self.connecting is not None:
            raise self.connecting
        return self.session()

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


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


# --- how a call ends ------------------------------------------------------------------------------


def test_a_sound_run_over_audio_passes(place: Callable[..., Finished]) -> None:
    run = place(host_of(), tasks=("bicycle-repair",), runs=2)
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


def test_a_saboteur_fails_and_is_no_error(place: Callable[..., Finished]) -> None:
    run = place(host_of(), "saboteur-claims-done", tasks=("bicycle-repair",))
    assert run.summary.error == 0
    failed = {result.record.key.task: result.why for result in run.summary.calls if result.state == "failed"}
    assert failed
    assert all("state-adherence" in why for why in failed.values())


def test_an_agent_that_never_speaks_is_void_three_times_and_then_its_failure(
    place: Callable[..., Finished],
) -> None:
    run = place(host_of(Platform(Quiet)), "odd")
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


def test_a_platform_that_takes_no_call_leaves_a_void(place: Callable[..., Finished]) -> None:
    run = place(host_of(Platform(Talking, connecting=ConnectionRefusedError("busy\nhere"))), "odd")
    assert {done.ending for done in run.done} == {"void"}
    assert len(run.done) == 3
    assert run.done[-1].cause == (
        "refused: the platform did not take the call: ConnectionRefusedError: busy here"
    )
    assert (run.summary.void, run.summary.error) == (1, 0)


def test_an_agent_that_cannot_be_deployed_is_an_error(place: Callable[..., Finished]) -> None:
    run = place(host_of(Platform(Talking, deploying=PermissionError("the key has expired"))), "odd")
    assert (run.record.ending, run.summary.error) == ("error", 1)
    assert run.record.cause == "the agent could not be deployed: PermissionError: the key has expired"
    trace = (run.folder.path / "failures" / f"{run.record.call_id}.txt").read_text()
    assert "PermissionError: the key has expired" in trace


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
    session: Callable[[], Quiet], expected: str, place: Callable[..., Finished]
) -> None:
    run = place(host_of(Platform(session)), "odd")
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
    in_line: bool, expected: str, place: Callable[..., Finished]
) -> None:
    sessions: list[Quiet] = []

    def session() -> Quiet:
        sessions.append(Talking(ends=False))
        return sessions[-1]

    caller = Fainting(ZeroDivisionError("no courage"), in_line)
    run = place(host_of(Platform(session), callers=[caller]), "odd", caller="fainting")
    assert (run.record.ending, run.record.cause) == ("error", expected)
    assert run.summary.graded == 0
    assert [session.hung_up for session in sessions] == [1]


@pytest.mark.parametrize("in_line", [False, True])
def test_a_missing_engine_stops_the_run_and_leaves_nothing(
    in_line: bool, place: Callable[..., Finished], tmp_path: Path
) -> None:
    caller = Fainting(SpeechUnavailable("the ears are gone: run pip install ears"), in_line)
    host = host_of(Platform(lambda: Talking(ends=False)), callers=[caller])
    with pytest.raises(SpeechUnavailable, match="run pip install ears"):
        place(host, "odd", caller="fainting")
    assert list((tmp_path / "run" / "calls").iterdir()) == []


# --- tools ----------------------------------------------------------------------------------------


def test_tool_calls_reach_the_server_and_the_answers_come_back(place: Callable[..., Finished]) -> None:
    calls = (
        ToolCall("a", "get_service_price", {"service": "tune_up"}),
        ToolCall("b", "get_service_price", {"service": "tune_up"}, provisional=True),
        ToolCall("c", "melt_bicycle", {}),
        ToolCall("d", "get_service_price", {"service": "nothing"}),
    )
    session = Talking(*calls)
    run = place(host_of(Platform(lambda: session)), "odd")
    log = run.folder.tools(run.record.call_id)
    assert [(entry.source_id, entry.tool, entry.status) for entry in log] == [
        ("a", "get_service_price", 200),
        ("b", "get_service_price", 200),
        ("c", "melt_bicycle", 404),
        ("d", "get_service_price", 422),
    ]
    assert sorted((result.id, result.status) for result in session.results) == [
        ("a", 200),
        ("b", 200),
        ("c", 404),
        ("d", 422),
    ]
    assert run.record.session_errors == ()


def test_a_call_taken_back_before_it_arrived_is_not_made(place: Callable[..., Finished]) -> None:
    taken_back = ToolCall("early", "get_service_price", {"service": "tune_up"}, provisional=True)
    session = Talking(taken_back, ToolCancelled("early"), ToolCancelled("never-made"))
    run = place(host_of(Platform(lambda: session)), "odd")
    assert run.folder.tools(run.record.call_id) == ()
    assert session.results == []


class Refusing(Talking):
    async def send_tool_result(self, result: ToolResult) -> None:
        raise BrokenPipeError("not\nlistening")


def test_a_platform_that_takes_no_answer_is_noted(place: Callable[..., Finished]) -> None:
    session = Refusing(ToolCall("a", "get_service_price", {"service": "tune_up"}))
    run = place(host_of(Platform(lambda: session)), "odd")
    assert run.record.ending == "completed"
    assert run.record.session_errors == ("tool call a: BrokenPipeError: not listening",)
    assert len(run.folder.tools(run.record.call_id)) == 1


# --- runs -----------------------------------------------------------------------------------------


def test_lifecycle_hooks_are_called_once_each_and_cannot_break_a_run(place: Callable[..., Finished]) -> None:
    watcher = Watcher()
    host = host_of(more=[Raising(), watcher])
    run = place(host, tasks=("bicycle-repair",), line="text")
    assert run.summary.passed == 2
    assert sorted(key.task for key in watcher.started) == ["B-E1", "B-H1"]
    assert sorted(call_id for call_id, _ in watcher.finished) == list(run.folder.call_ids())
    assert [manifest.run_id for manifest in watcher.runs] == [run.summary.run_id]
    assert any("this integrator is broken" in problem.what for problem in host.problems)


def test_a_stopped_run_resumes_what_is_left(tmp_path: Path) -> None:
    watcher = Watcher()
    host = host_of(more=[watcher])
    options = RunOptions(
        platform="reference", out=tmp_path / "run", images=tmp_path / "images", line="text", runs=3
    )
    run = new_run(options, host)
    stop = threading.Event()
    first = carry_out(run, stop=stop, on_started=lambda _: None, on_done=lambda _: stop.set())
    assert (first.planned, first.graded, first.missing) == (6, 1, 5)
    assert watcher.runs == []
    before = {call_id: run.folder.record(call_id) for call_id in run.folder.call_ids()}
    again = resume_run(tmp_path / "run", host, workers=1)
    assert {call.call_id for call in again.todo}.isdisjoint(before)
    last = carry_out(again, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (last.graded, last.missing) == (6, 0)
    assert len(watcher.runs) == 1
    assert {call_id: run.folder.record(call_id) for call_id in before} == before


def test_a_resumed_run_goes_on_with_the_next_attempt_of_a_void(tmp_path: Path) -> None:
    host = host_of(Platform(Quiet))
    options = RunOptions(platform="odd", out=tmp_path / "run", images=tmp_path / "images", tasks=("B-E1",))
    stop = threading.Event()
    carry_out(new_run(options, host), stop=stop, on_started=lambda _: None, on_done=lambda _: stop.set())
    again = resume_run(tmp_path / "run", host, workers=1)
    assert [call.key.attempt for call in again.todo] == [2]
    summary = carry_out(again, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (summary.graded, summary.voided_attempts) == (1, 2)


def test_a_changed_pack_is_not_resumed(tmp_path: Path, place: Callable[..., Finished]) -> None:
    place(host_of(), line="text")

    class Changed(Stand):
        @hookimpl
        def offhook_industries(self) -> Sequence[Pack]:
            return [attrs.evolve(bicycle_pack(), version="99")]

    host = PluginHost()
    host.register(Changed(), name="changed")
    with pytest.raises(StorageError, match="pack bicycle-repair has changed"):
        resume_run(tmp_path / "run", host, workers=1)


def test_calls_that_were_stored_and_not_graded_are_graded_at_the_end(
    tmp_path: Path, place: Callable[..., Finished]
) -> None:
    host = host_of()
    run = place(host, line="text")
    for grade in (run.folder.path / "grades").rglob("*.json"):
        grade.unlink()
    assert summary_of(run.folder, host).error == 1
    again = resume_run(tmp_path / "run", host, workers=1)
    summary = carry_out(again, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (summary.passed, summary.error) == (1, 0)


def test_an_unknown_audio_condition_names_what_there_is(place: Callable[..., Finished]) -> None:
    with pytest.raises(UnknownName, match="unknown audio condition 'clan'; nearest: clean"):
        place(host_of(), audio=("clan",))


class BadGrader:
    name = "bad"
    version = "1"
    kind = first_party_graders()[0].kind

    def grade(self, call: object) -> Any:
        raise LookupError("this grader is lost\nhere")


def test_a_grader_that_raises_is_an_error_and_never_a_failure(place: Callable[..., Finished]) -> None:
    class Bad:
        @hookimpl
        def offhook_graders(self) -> Sequence[Any]:
            return [BadGrader()]

    run = place(host_of(more=[Bad()]), line="text")
    assert (run.summary.error, run.summary.graded) == (1, 0)
    (result,) = run.summary.calls
    assert result.why == "bad: LookupError: this grader is lost here"


# --- what the follower is told --------------------------------------------------------------------


VALUES = st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789@-", min_size=6, max_size=14).map(
    "zq{}".format  # so that no value is a piece of a tool's own name
)


@given(
    values=st.lists(st.one_of(VALUES, st.integers(10**6, 10**9)), min_size=3, max_size=3, unique=True),
    task=st.sampled_from(range(2)),
)
def test_no_expected_value_reaches_the_follower(values: list[Any], task: int) -> None:
    pack = bicycle_pack()
    chosen = pack.tasks[task]
    marked = tuple(
        ExpectedCall(
            call.tool,
            dict.fromkeys(call.arguments, values[0]),
            dict.fromkeys(call.free_text, str(values[1])),
            call.carry,
        )
        for call in chosen.expected
    )
    plan = follower_plan(pack, attrs.evolve(chosen, expected=marked))
    told = json.dumps([attrs.asdict(step) for step in plan.steps])
    assert not any(str(value) in told for value in values)
    assert [step.tool for step in plan.steps] == [call.tool for call in chosen.expected]


def test_no_value_of_a_real_task_reaches_the_follower() -> None:
    for pack in PluginHost.discover().packs().values():
        for task in pack.tasks:
            plan = follower_plan(pack, task)
            told = json.dumps([attrs.asdict(step) for step in plan.steps])
            words = [*(trait.value for trait in task.traits)]
            words += [str(value) for call in task.expected for value in call.arguments.values()]
            names = {name for step in plan.steps for name in (step.tool, *step.parameters)}
            assert not [word for word in words if word not in names and f'"{word}"' in told]
