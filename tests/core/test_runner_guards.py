"""Platforms and graders that return nonsense, hang or break the rules: each costs a note, never the run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.runner import Done, GradeDesk, RunOptions, carry_out, new_run, work_all
from offhook.runner._process import WorkerDied, WorkerProcess
from offhook.runner.work import LocalWorker
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
    SessionError,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    ToolResult,
    Usage,
    UserTranscript,
)
from offhook.speech import SpeechStyle
from offhook.storage import RunFolder, StorageError, clean_text
from offhook.testing import FakeSpeech, FakeVoice
from offhook.testing_pack import bicycle_pack
from offhook_caller.caller import SimulatedCaller

LONE = "\ud800"
ODD: Any = None  # a value of a type that no annotation allows


class Session:
    """Says hello, tells ``events`` and ends the call; subclasses misbehave in one place each."""

    def __init__(self, *events: Any, ends: bool = True) -> None:
        clip = FakeVoice().speak("Hello, this is Fernhill.", SpeechStyle())
        hello = (Ready(), AgentTranscript("Hello, this is Fernhill."), AgentAudio(clip.samples, clip.rate))
        self.told: list[Any] = [*hello, *events, *([Ended("agent")] if ends else [])]
        self.results: list[ToolResult] = []
        self.over = asyncio.Event()

    def send_audio(self, frame: Any) -> None:
        """Heard, and ignored."""

    async def events(self) -> AsyncIterator[SessionEvent]:
        for event in self.told:
            yield event
        await self.over.wait()
        yield Ended("caller")

    async def send_tool_result(self, result: ToolResult) -> None:
        self.results.append(result)

    def played(self, seconds: float) -> None:
        """Nothing is ever cut off."""

    async def hang_up(self) -> None:
        self.over.set()

    async def fetch_record(self) -> Any:
        return PlatformRecord()

    async def fetch_cost(self) -> Any:
        return Cost(0.02, "reported")


@attrs.frozen
class Platform:
    session: Callable[[], Any]
    name: str = "odd"
    deployed: bool = True

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(virtual_time=True, record=True, cost=True)

    async def deploy(self, agent: AgentConfig) -> Any:
        return Deployment(self.name, "odd:1", agent, agent.sha256) if self.deployed else None

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        return self.session()

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


@attrs.frozen(eq=False)
class Stand(FakeSpeech):
    adapter: Adapter
    graders: tuple[Any, ...]

    @hookimpl
    def offhook_adapters(self) -> Sequence[Adapter]:
        return [self.adapter]

    @hookimpl
    def offhook_callers(self) -> Sequence[Any]:
        return [SimulatedCaller("scripted")]

    @hookimpl
    def offhook_industries(self) -> Sequence[Any]:
        return [bicycle_pack()]

    @hookimpl
    def offhook_graders(self) -> Sequence[Any]:
        return self.graders


@attrs.frozen
class Ran:
    folder: RunFolder
    host: PluginHost
    done: tuple[Done, ...]

    @property
    def record(self) -> Any:
        return self.folder.record(self.folder.call_ids()[0])

    @property
    def errors(self) -> tuple[str, ...]:
        errors: tuple[str, ...] = self.record.session_errors
        return errors

    @property
    def grade(self) -> Grade:
        (grade,) = self.folder.grades(self.record.call_id)
        return grade


@pytest.fixture
def place(tmp_path: Path) -> Callable[..., Ran]:
    def placed(session: Callable[[], Any] = Session, *graders: Any, deployed: bool = True) -> Ran:
        host = PluginHost()
        host.register(Stand(Platform(session, deployed=deployed), graders), name="stand")
        options = RunOptions(
            platform="odd", out=tmp_path / "run", images=tmp_path / "images", tasks=("B-E1",)
        )
        run = new_run(options, host)
        done: list[Done] = []
        carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=done.append)
        return Ran(run.folder, host, tuple(done))

    return placed


# --- values a platform tells ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "note"),
    [
        (Usage({"x": float("nan")}), "platform broke: ValueError: Usage 'x' is nan, expected a finite"),
        (Usage({"x": float("inf")}), "platform broke: ValueError: Usage 'x' is inf, expected a finite"),
        (Usage({"x": 10**400}), "platform broke: OverflowError"),
        (Usage({"x": "many"}), "platform broke: ValueError: Usage 'x' is 'many', expected a finite"),  # type: ignore[dict-item]
        (Usage(ODD), "platform broke: ValueError: Usage.quantities is NoneType"),
        (AgentTranscript(ODD), "platform broke: ValueError: AgentTranscript.text is NoneType"),
        (UserTranscript(b"abc"), "platform broke: ValueError: UserTranscript.text is bytes"),  # type: ignore[arg-type]
        (SessionError("x", f"hi {LONE}\nthere"), "x: hi \ufffd there"),
        (SessionError("x", ODD), "x: None"),
        (Ended(ODD, LONE), "platform broke: ValueError: Ended.by is None"),
    ],
)
def test_an_odd_value_costs_a_note_and_not_the_call(event: Any, note: str, place: Callable[..., Ran]) -> None:
    ran = place(lambda: Session(event))
    assert ran.record.ending == "completed"
    assert [error for error in ran.errors if error.startswith(note)]


def test_what_can_be_kept_of_odd_values_is_kept(place: Callable[..., Ran]) -> None:
    events = (
        Usage({"x": np.float32(3), "y": float("nan")}),  # type: ignore[dict-item]
        Usage({"x": 1}),
        AgentTranscript(f"hi {LONE} there"),
        UserTranscript(f"yes {LONE}"),
        Ended("agent", LONE),
    )
    ran = place(lambda: Session(*events))
    assert ran.record.usage == {"x": 4.0}
    assert ran.record.agent_transcripts[-1].text == "hi \ufffd there"
    assert [heard.text for heard in ran.record.user_transcripts] == ["yes \ufffd"]
    assert ran.done[0].ending == "completed"


@pytest.mark.parametrize(
    ("cost", "note"),
    [
        (Cost(float("nan"), "reported"), "cost: ValueError: Cost.usd is nan"),
        (Cost("1.5", "reported"), "cost: ValueError: Cost.usd is '1.5'"),  # type: ignore[arg-type]
        ({"usd": 1}, "cost: TypeError: the platform returned dict, expected Cost"),
    ],
)
def test_a_cost_that_is_none_is_noted(cost: Any, note: str, place: Callable[..., Ran]) -> None:
    class Dear(Session):
        async def fetch_cost(self) -> Any:
            return cost

    ran = place(Dear)
    assert (ran.record.ending, ran.record.cost_usd, ran.record.cost_basis) == ("completed", None, "unknown")
    assert [error for error in ran.errors if error.startswith(note)]


@pytest.mark.parametrize(
    ("told", "note"),
    [
        (PlatformRecord(raw={"x": float("nan")}), "record: ValueError"),
        (PlatformRecord(raw={"x": datetime(2026, 1, 1, tzinfo=UTC)}), "record: TypeError"),
        (PlatformRecord(transcript=(LONE,)), "record: UnicodeEncodeError"),
        ({"a": 1}, "record: TypeError: the platform returned dict, expected PlatformRecord"),
    ],
)
def test_a_record_that_no_file_can_hold_is_noted(told: Any, note: str, place: Callable[..., Ran]) -> None:
    class Chronicle(Session):
        async def fetch_record(self) -> Any:
            return told

    ran = place(Chronicle)
    assert ran.record.ending == "completed"
    assert [error for error in ran.errors if error.startswith(note)]
    assert "platform.json" not in {stamp.name for stamp in ran.record.files}


def test_a_record_of_ours_that_no_file_can_hold_is_an_error(
    place: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = LocalWorker._held

    def spoiled(self: LocalWorker, planned: Any, scratch: Path) -> Any:
        return attrs.evolve(held(self, planned, scratch), voice=f"x{LONE}")

    monkeypatch.setattr(LocalWorker, "_held", spoiled)
    ran = place()
    assert ran.record.ending == "error"
    assert ran.record.cause.startswith("harness: UnicodeEncodeError")


def test_no_session_and_no_deployment_are_told_in_words(place: Callable[..., Ran]) -> None:
    ran = place(lambda: None)
    assert {done.cause for done in ran.done} == {"refused: the platform returned no session"}


def test_a_deployment_that_is_none_is_an_error(place: Callable[..., Ran]) -> None:
    ran = place(deployed=False)
    assert ran.record.cause == "the agent could not be deployed: the platform returned no deployment"


# --- sessions that do not stop --------------------------------------------------------------------


class Swallowing(Session):
    async def events(self) -> AsyncIterator[SessionEvent]:
        for event in self.told:
            yield event
        while True:
            try:
                await asyncio.sleep(5)
            except asyncio.CancelledError:
                continue


class SwallowingAll(Session):
    async def events(self) -> AsyncIterator[SessionEvent]:
        for event in self.told:
            yield event
        for _ in range(50):
            try:
                await asyncio.sleep(5)
            except BaseException:
                continue


@pytest.mark.parametrize("session", [Swallowing, SwallowingAll])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_session_that_swallows_cancellation_is_left_behind(
    session: type[Session], place: Callable[..., Ran]
) -> None:
    ran = place(lambda: session(ends=False))
    assert ran.record.ending == "completed"
    assert "platform did not stop" in ran.errors


async def _for_ever() -> None:
    while True:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            continue


class Endless(Session):
    async def hang_up(self) -> None:
        await super().hang_up()
        await _for_ever()

    async def fetch_cost(self) -> Any:
        await _for_ever()

    async def send_tool_result(self, result: ToolResult) -> None:
        await _for_ever()


def test_nothing_else_a_session_does_is_waited_for_without_limit(place: Callable[..., Ran]) -> None:
    ran = place(lambda: Endless(ToolCall("a", "get_service_price", {"service": "tune_up"})))
    assert ran.record.ending == "completed"
    assert "tool call a: the platform did not stop" in ran.errors
    assert [error for error in ran.errors if error.startswith("cost: TimeoutError")]
    assert [error for error in ran.errors if error.startswith("platform broke: TimeoutError")]


@pytest.mark.parametrize("error", [asyncio.CancelledError(), SystemExit(3)])
def test_a_stream_that_cancels_itself_or_exits_has_broken(
    error: BaseException, place: Callable[..., Ran]
) -> None:
    class Quitting(Session):
        async def events(self) -> AsyncIterator[SessionEvent]:
            for event in self.told:
                yield event
            raise error

    ran = place(lambda: Quitting(ends=False))
    assert (ran.record.ending, ran.record.ended_by) == ("completed", "platform")
    assert [note for note in ran.errors if note.startswith(f"platform broke: {type(error).__name__}")]


# --- tools ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [None, ["a"], {"service": float("nan")}, {"service": {1, 2}}, '{"service": "tune'], ids=repr
)
def test_arguments_that_are_no_json_object_are_logged_and_refused(
    arguments: Any, place: Callable[..., Ran]
) -> None:
    session = Session(ToolCall("a", "get_service_price", arguments))
    ran = place(lambda: session)
    (entry,) = ran.folder.tools(ran.record.call_id)
    assert (entry.status, entry.raw) == (400, str(arguments))
    assert [(result.id, result.status) for result in session.results] == [("a", 400)]
    assert ran.errors == ()


def test_ids_that_are_no_text_or_come_twice_lose_no_call(place: Callable[..., Ran]) -> None:
    tune_up = {"service": "tune_up"}
    session = Session(
        ToolCall(ODD, "get_service_price", tune_up),
        ToolCall("a", "get_service_price", tune_up),
        ToolCall("a", "get_service_price", {}),
        ToolCall("b", "get_service_price", tune_up, provisional=True),
        ToolCall("b", "get_service_price", tune_up, provisional=True),
        ToolCancelled("b"),
    )
    ran = place(lambda: session)
    log = ran.folder.tools(ran.record.call_id)
    assert [(entry.source_id, entry.status) for entry in log] == [("None", 200), ("a", 200), ("a", 422)]
    assert sorted((str(result.id), result.status) for result in session.results) == [
        ("None", 200),
        ("a", 200),
        ("a", 422),
    ]
    assert {result.id for result in session.results} == {None, "a"}


@pytest.mark.parametrize(("delay", "status", "logged"), [(0.5, 200, 1), (3.0, 410, 0)])
def test_a_tool_called_long_after_the_hang_up_is_turned_away(
    delay: float, status: int, logged: int, place: Callable[..., Ran]
) -> None:
    class Late(Session):
        async def events(self) -> AsyncIterator[SessionEvent]:
            for event in self.told:
                yield event
            await self.over.wait()
            await asyncio.sleep(delay)
            yield ToolCall("late", "get_service_price", {"service": "tune_up"})
            await asyncio.sleep(0.5)
            yield Ended("caller")

    session = Late(ends=False)
    ran = place(lambda: session)
    assert [(result.id, result.status) for result in session.results] == [("late", status)]
    assert len(ran.folder.tools(ran.record.call_id)) == logged
    assert len([error for error in ran.errors if "after the caller had hung up" in error]) == 1 - logged


# --- graders --------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class Grading:
    """A grader that returns a sound grade with one change, or whatever ``instead`` gives."""

    change: dict[str, Any] = attrs.field(factory=dict)
    instead: Callable[[], Any] | None = None
    name: Any = "strict"
    version: Any = "1"
    kind: Any = GradeKind.MEASURE

    def grade(self, call: CallEvidence) -> Any:
        if self.instead is not None:
            return self.instead()
        own = Grade("strict", "1", GradeKind.MEASURE, call.record.call_id, Outcome.MEASURED, "fine")
        return attrs.evolve(own, **self.change)


def _exit() -> None:
    raise SystemExit(7)


def _surrogate() -> None:
    raise RuntimeError(f"boom {LONE}\nthere")


@pytest.mark.parametrize(
    ("grader", "why"),
    [
        (Grading(instead=lambda: None), "the grader returned NoneType, expected Grade"),
        (Grading(instead=dict), "the grader returned dict, expected Grade"),
        (Grading(instead=_exit), "SystemExit: 7"),
        (Grading(instead=_surrogate), "RuntimeError: boom \ufffd there"),
        (Grading({"numbers": {"x": float("nan")}}), "the grade's number 'x' is nan"),
        (Grading({"numbers": {"x": "1"}}), "the grade's number 'x' is '1'"),
        (Grading({"numbers": None}), "AttributeError"),
        (Grading({"evidence": {"x": float("inf")}}), "ValueError"),
        (Grading({"evidence": {"x": object()}}), "TypeError"),
        (Grading({"summary": LONE}), "UnicodeEncodeError"),
        (Grading({"summary": None}), "the grade's summary is NoneType"),
        (Grading({"outcome": "great"}), "the grade's outcome is 'great'"),
        (
            Grading({"grader": "state-adherence"}),
            "the grade's grader is 'state-adherence', expected 'strict'",
        ),
        (Grading({"grader": "../../escaped"}), "the grade's grader is '../../escaped'"),
        (Grading({"version": "2"}), "the grade's version is '2'"),
        (Grading({"kind": GradeKind.VERDICT}), "the grade's kind is"),
        (Grading({"call_id": "../nope"}), "the grade's call_id is '../nope'"),
    ],
)
def test_a_grade_that_cannot_be_taken_is_an_error_of_its_own_grader(
    grader: Grading, why: str, place: Callable[..., Ran], tmp_path: Path
) -> None:
    ran = place(Session, grader)
    grade = ran.grade
    assert (grade.grader, grade.version, grade.kind, grade.outcome) == (
        "strict",
        "1",
        GradeKind.MEASURE,
        Outcome.ERROR,
    )
    assert grade.summary.startswith(why)
    written = {path.relative_to(tmp_path) for path in tmp_path.rglob(f"{ran.record.call_id}.json")}
    assert written == {Path("run/grades/strict/1") / f"{ran.record.call_id}.json"}


def test_a_sound_grade_is_stored_as_it_is(place: Callable[..., Ran]) -> None:
    ran = place(Session, Grading({"numbers": {"x": 1.5}, "evidence": {"pairs": [[1, 2]]}}))
    assert (ran.grade.outcome, ran.grade.numbers) == (Outcome.MEASURED, {"x": 1.5})


@pytest.mark.parametrize(
    "names",
    [{"name": "../../escaped"}, {"name": ".hidden"}, {"version": "a/b"}, {"version": 1}, {"kind": "measure"}],
    ids=repr,
)
def test_a_grader_whose_grades_have_no_place_is_left_out_and_told(
    names: dict[str, Any],
    place: Callable[..., Ran],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    ran = place(Session, Grading(**names))
    assert not list(tmp_path.rglob(f"{ran.record.call_id}.json"))
    desk = GradeDesk(ran.host, ran.folder)
    (problem,) = desk.problems
    assert "left out" in problem
    assert len(list(desk.regrade())) == 1
    assert [record.getMessage() for record in caplog.records if "left out" in record.getMessage()] == [
        problem
    ]


def test_no_grade_is_written_outside_its_folder(place: Callable[..., Ran]) -> None:
    ran = place()
    stray = Grade("..", "1", GradeKind.MEASURE, ran.record.call_id, Outcome.MEASURED, "")
    with pytest.raises(StorageError, match="no folder can be named after grader"):
        ran.folder.write_grades(ran.record.call_id, [stray])


# --- workers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("stored", [True, False])
def test_a_call_that_was_stored_before_its_worker_died_is_done(
    stored: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = PluginHost()
    host.register(Stand(Platform(Session), ()), name="stand")
    options = RunOptions(
        platform="odd", out=tmp_path / "run", images=tmp_path / "images", tasks=("B-E1",), workers=2
    )
    run = new_run(options, host)
    local = LocalWorker(options, run.folder, host=host)

    def dying(self: WorkerProcess, planned: Any) -> Any:
        if stored:
            local.place(planned)
        raise WorkerDied("killed")

    monkeypatch.setattr(WorkerProcess, "ask", dying)
    done: list[Done] = []
    work_all(
        run.todo,
        options,
        run.folder,
        stop=threading.Event(),
        on_started=lambda _: None,
        on_done=done.append,
        host=host,
    )
    assert [(one.ending, one.lost) for one in done] == [("completed", False) if stored else ("error", True)]


def test_clean_text_leaves_everything_but_lone_surrogates() -> None:
    assert clean_text(f"a{LONE}b\U0001f600\n") == "a\ufffdb\U0001f600\n"
