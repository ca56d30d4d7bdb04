"""What the pytest plugin does once a test asks for it: which tests there are, and the call or drill of each.

Every marked test function has one run folder; each of its tests places its own call of that run, so tests may
be chosen, repeated and shared out among processes.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
import pytest

from offhook._beside import beside
from offhook._program import NotReady, check_ready
from offhook._pytest_session import Asked, Session, base_name, session_of
from offhook.api import CallOutcome, RunResult, open_run, run
from offhook.drillrun import (
    DrillDone,
    DrillFolder,
    DrillOptions,
    OpenDrillRun,
    PlannedDrill,
    carry_out_drills,
    new_drill_run,
    pick_drills,
)
from offhook.drills import DrillMark, DrillRecord, MarkPart
from offhook.grading import Grade
from offhook.host import PluginHost
from offhook.line import AudioFileError
from offhook.platforms import PlatformUnusable
from offhook.records import CallRecord
from offhook.runner import (
    BrokenPack,
    Done,
    EngineChoice,
    OpenRun,
    PlannedCall,
    RunOptions,
    TooManyAtOnce,
    UnknownName,
    current_versions,
    pick_tasks,
    work_all,
)
from offhook.scoring import PlatformScore, settle_calls, summarise_run
from offhook.speech import SpeechUnavailable
from offhook.storage import StorageError
from offhook.tracing import traced

__all__ = ["HeldDrill", "PlacedCall", "held_drill", "parametrise", "placed_call", "runner"]

T = TypeVar("T")

_SET_UP: Final = (
    AudioFileError,
    BrokenPack,
    PlatformUnusable,
    SpeechUnavailable,
    StorageError,
    TooManyAtOnce,
    TypeError,
    UnknownName,
    ValueError,
)


@attrs.frozen
class Item:
    """What one test is about: a task (``pack/id``) or a drill, and which run of it."""

    name: str
    run: int


@attrs.frozen(repr=False)
class PlacedCall:
    """The call of one test. ``run_folder`` is the run that it belongs to, with the calls of the other tests
    of the same function; ``score`` is of this call alone.
    """

    outcome: CallOutcome
    score: PlatformScore
    run_folder: Path

    @property
    def passed(self) -> bool:
        return self.outcome.passed

    @property
    def state(self) -> str:
        """``passed`` or ``failed``; anything else is an error of the set-up."""
        return self.outcome.state

    @property
    def record(self) -> CallRecord:
        return self.outcome.record

    @property
    def grades(self) -> tuple[Grade, ...]:
        return self.outcome.grades

    @property
    def folder(self) -> Path:
        """Where the evidence lies."""
        return self.outcome.folder

    @property
    def recording(self) -> Path | None:
        """Stereo FLAC; None on a text line."""
        path = self.folder / "recording.flac"
        return path if path.is_file() else None

    @property
    def why(self) -> str:
        """Which call it was, what the graders said against it, and where the evidence lies."""
        key = self.record.key
        lines = [f"{key.pack}/{key.task} run {key.run} {self.state} with {key.platform}"]
        lines += [f"  {line}" for line in self.outcome.why.split("; ") if line]
        return "\n".join([*lines, f"  evidence: {self.folder}"])

    def grade(self, grader: str) -> Grade:
        """Raises KeyError where that grader gave no grade."""
        return self.outcome.grade(grader)

    def __repr__(self) -> str:
        return f"<call {self.record.key.pack}/{self.record.key.task} {self.state}>"


@attrs.frozen(repr=False)
class HeldDrill:
    """The drill of one test. ``marked`` is the whole mark, with its parts."""

    record: DrillRecord
    marked: DrillMark
    folder: Path
    run_folder: Path

    @property
    def mark(self) -> float:
        """0..100; 0 unless ``state`` is ``measured``."""
        return self.marked.mark

    @property
    def state(self) -> str:
        return self.marked.state.value

    @property
    def parts(self) -> tuple[MarkPart, ...]:
        return self.marked.parts

    @property
    def why(self) -> str:
        """Which drill it was, how the mark came about, and where the evidence lies."""
        lines = [f"{self.record.drill} run {self.record.run}: {self.mark:g} with {self.record.platform}"]
        lines += [f"  {self.marked.why}", *(f"  {part.name}: {part.why}" for part in self.parts)]
        return "\n".join([*lines, f"  evidence: {self.folder}"])

    def __repr__(self) -> str:
        return f"<drill {self.record.drill} {self.mark:g}>"


# --- which tests there are ------------------------------------------------------------------------


def parametrise(metafunc: pytest.Metafunc, mark: pytest.Mark, fixture: str) -> None:
    """One test per task or drill, and run. Loads packs or drills, no engine."""
    name = metafunc.definition.nodeid
    if fixture not in metafunc.fixturenames:
        if not any(mark is own for own in metafunc.definition.own_markers):
            return  # the mark of a class or module is for those of its tests that take the fixture
        pytest.fail(f"{name}: a test that is marked {mark.name} has to take {fixture}", pytrace=False)
    session = session_of(metafunc.config)
    try:
        asked = Asked.of(mark)
        host = session.host()
        if mark.name == "offhook":
            names = [f"{task.pack}/{task.id}" for task in pick_tasks(host.packs(), asked.names)]
        else:
            names = [drill.name for drill in pick_drills(host.drills(), asked.names)]
    except _SET_UP as error:
        wrong: Exception | None = error
    else:
        wrong = None
    if wrong is not None:
        pytest.fail(f"{name}: {wrong}", pytrace=False)
    short = [each.rpartition("/")[2] for each in names]
    told = dict(zip(names, short if len(set(short)) == len(short) else names, strict=True))
    items = [Item(each, number) for number in range(1, asked.runs + 1) for each in names]
    ids = [told[item.name] + (f"-run{item.run}" if asked.runs > 1 else "") for item in items]
    metafunc.parametrize(fixture, items, ids=ids, indirect=True)


# --- the call of a test ---------------------------------------------------------------------------


def placed_call(request: pytest.FixtureRequest) -> PlacedCall:
    """Places the call of a test and tells its properties. A call that was not graded ends the set-up."""
    item = _item(request, "offhook")
    asked = _guarded(lambda: Asked.of(_mark(request, "offhook")))
    session = session_of(request.config)
    opened = _guarded(lambda: _opened(request, session, asked, item))
    done = _guarded(lambda: _blocking(lambda: beside(lambda stop, _: _place(opened, item, stop))))
    call = _call_of(opened, done)
    _tell(
        request,
        call_id=call.record.call_id,
        task=item.name,
        run=item.run,
        platform=call.record.key.platform,
        state=call.state,
        cause=call.record.cause or call.outcome.why,
        folder=call.folder,
        score=call.score.points,
        score_out_of=call.score.out_of,
        **{f"score_{part.name}": part.points for part in call.score.parts},
    )
    if call.state not in ("passed", "failed"):
        pytest.fail(call.why, pytrace=False)
    return call


def _opened(request: pytest.FixtureRequest, session: Session, asked: Asked, item: Item) -> OpenRun:
    host, platform = session.platform(request, asked, otherwise="reference")
    seed = session.seed(asked)

    def make() -> OpenRun:
        options = RunOptions(
            platform=platform,
            out=session.folder(request),
            tasks=asked.names,
            runs=asked.runs,
            seed=seed,
            caller=asked.caller,
            line=asked.line,
            engines=EngineChoice(ears=asked.ears),
            platform_options=asked.options,
        )
        return open_run(options, host)

    def usable(opened: OpenRun) -> bool:  # a test that is run again has its call in a run of its own
        return _planned(opened, item).call_id not in opened.folder.call_ids()

    return session.kept((base_name(request.node), id(host), platform), make, usable=usable)


def _planned(opened: OpenRun, item: Item) -> PlannedCall:
    (planned,) = (
        call
        for call in opened.calls
        if (f"{call.key.pack}/{call.key.task}", call.key.run) == (item.name, item.run)
    )
    return planned


def _place(opened: OpenRun, item: Item, stop: threading.Event) -> Done:
    planned, folder, done = _planned(opened, item), opened.folder, list[Done]()
    with folder.lock():
        work_all(
            (planned,),
            opened.options,
            folder,
            stop=stop,
            on_started=lambda _: None,
            on_done=traced(folder, done.append),
            host=opened.host,
        )
    return done[-1]


def _call_of(opened: OpenRun, done: Done) -> PlacedCall:
    folder, call_id = opened.folder, done.planned.call_id
    record = folder.record(call_id)
    grades = folder.grades(call_id, current_versions(folder, opened.host, opened.manifest))
    (settled,) = settle_calls([record], grades)
    score = summarise_run(opened.manifest, [record], grades).score
    outcome = CallOutcome(record, settled.state, settled.why, grades, folder.call_folder(call_id))
    return PlacedCall(outcome, score, folder.path)


# --- the drill of a test --------------------------------------------------------------------------


def held_drill(request: pytest.FixtureRequest) -> HeldDrill:
    """Holds the drill of a test and tells its properties. A drill that was not marked ends the set-up."""
    item = _item(request, "offhook_drill")
    asked = _guarded(lambda: Asked.of(_mark(request, "offhook_drill")))
    session = session_of(request.config)
    done, run_folder = _guarded(lambda: _hold(request, session, asked, item))
    mark, folder = done.mark, DrillFolder(run_folder).drill_folder(done.planned.drill_id)
    _tell(
        request,
        drill_id=done.planned.drill_id,
        drill=item.name,
        run=item.run,
        platform=done.record.platform,
        state=done.record.ending if mark is None else mark.state.value,
        cause=done.why,
        folder=folder,
        mark=None if mark is None else mark.mark,
    )
    if mark is None:
        lines = (
            f"{item.name} run {item.run}: {done.record.ending}",
            f"  {done.why}",
            f"  evidence: {folder}",
        )
        pytest.fail("\n".join(lines), pytrace=False)
    return HeldDrill(done.record, mark, folder, run_folder)


def _hold(
    request: pytest.FixtureRequest, session: Session, asked: Asked, item: Item
) -> tuple[DrillDone, Path]:
    host, platform = session.platform(request, asked, otherwise=None)
    seed = session.seed(asked)
    opened = session.kept(
        (base_name(request.node), id(host), platform),
        lambda: _opened_drills(host, platform, session.folder(request), seed, asked),
        usable=lambda opened: _planned_drill(opened, item).drill_id not in opened.folder.ids(),
    )
    mine = _planned_drill(opened, item)
    done: list[DrillDone] = []
    one = attrs.evolve(opened, todo=(mine,))
    _blocking(lambda: beside(lambda stop, _: carry_out_drills(one, stop=stop, on_done=done.append)))
    return done[-1], opened.folder.path


def _planned_drill(opened: OpenDrillRun, item: Item) -> PlannedDrill:
    (planned,) = (each for each in opened.planned if (each.drill, each.run) == (item.name, item.run))
    return planned


def _opened_drills(host: PluginHost, platform: str, out: Path, seed: int, asked: Asked) -> OpenDrillRun:
    check_ready(host, platform, options=asked.options)
    options = DrillOptions(platform, out, asked.names, asked.runs, seed, platform_options=asked.options)
    return new_drill_run(options, host)


# --- calls of a test's own ------------------------------------------------------------------------


def runner(request: pytest.FixtureRequest) -> Callable[..., RunResult]:
    session = session_of(request.config)

    def place(**asked: Any) -> RunResult:
        asked.setdefault("platform", session.default_platform or "reference")
        asked.setdefault("seed", session.default_seed)
        if asked.get("resume") is None:
            asked.setdefault("out", session.folder(request))
        named = isinstance(asked["platform"], str)
        if not asked.get("block"):
            asked.setdefault("host", session.host(None if named else asked["platform"]))
        return _blocking(lambda: run(**asked))

    return place


# --- helpers --------------------------------------------------------------------------------------


def _mark(request: pytest.FixtureRequest, name: str) -> pytest.Mark:
    mark: pytest.Mark | None = request.node.get_closest_marker(name)
    if mark is None:
        pytest.fail(f"{request.node.nodeid}: mark the test with @pytest.mark.{name}(...)", pytrace=False)
    return mark


def _item(request: pytest.FixtureRequest, name: str) -> Item:
    _mark(request, name)
    if not hasattr(request, "param"):
        pytest.fail(
            f"{request.node.nodeid}: the mark {name} is not supported in pytest.param(marks=...); "
            "mark the test function, its class or its module",
            pytrace=False,
        )
    item: Item = request.param
    return item


def _tell(request: pytest.FixtureRequest, **properties: object) -> None:
    """Properties of a test stand in JUnit's XML; what was not measured is left out."""
    request.node.user_properties.extend(
        (f"offhook_{name}", value if isinstance(value, int | float) else str(value))
        for name, value in properties.items()
        if value is not None and value != ""
    )


def _guarded(work: Callable[[], T]) -> T:
    """Says in one line what is wrong with the set-up, without a traceback through the harness."""
    try:
        return work()
    except (NotReady, *_SET_UP) as error:
        wrong = error
    if isinstance(wrong, NotReady):  # outside of the handler, so that pytest shows the line alone
        pytest.skip(str(wrong))
    pytest.fail(f"offhook: {wrong}", pytrace=False)


def _blocking(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Waits for a coroutine, whether or not a loop is running in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    context = contextvars.copy_context()
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(context.run, lambda: asyncio.run(make())).result()
