"""A drill run from its options to its summary. Drills are held one after the other, in this process."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Container, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import attrs

from offhook.drillrun._agent import drill_agent
from offhook.drillrun._folder import DRILLS_VERSION, DrillFolder, DrillManifest
from offhook.drillrun._one import DrillKit, Outcome, place_drill
from offhook.drillrun._plan import PlannedDrill, next_attempt, pick_drills, plan_drills
from offhook.drillrun._records import BadMark, mark_of, unheld_record
from offhook.drillrun._summary import DrillSummary, read_drill_run
from offhook.drills import Drill, DrillMark, DrillRecord, cast_voices
from offhook.host import PluginHost
from offhook.line import AudioFileError
from offhook.platforms import PlatformUnusable
from offhook.records import ComponentInfo
from offhook.runner._hold import CallFailed
from offhook.runner._loops import Loops, SharedLoop, VirtualLoops
from offhook.runner.deployments import Deployments
from offhook.runner.engines import EngineChoice, choose_engines, try_engines
from offhook.runner.plan import UnknownName
from offhook.sessions import Adapter
from offhook.speech import SpeechUnavailable
from offhook.storage import StorageError, disk_error, to_json

__all__ = [
    "DrillDone",
    "DrillOptions",
    "OpenDrillRun",
    "carry_out_drills",
    "mark_again",
    "new_drill_run",
    "resume_drill_run",
]

# Every further drill would meet the same: the run stops, and --resume goes on once it is mended.
_STOPS_THE_RUN: Final = (StorageError, SpeechUnavailable, AudioFileError, PlatformUnusable)


@attrs.frozen
class DrillOptions:
    """What a drill run is asked to do. ``drills`` are names as ``pick_drills`` takes them (none: all)."""

    platform: str
    out: Path
    drills: tuple[str, ...] = ()
    runs: int = 1
    seed: int = 1
    engines: EngineChoice = attrs.field(factory=EngineChoice)
    platform_options: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen(eq=False)
class OpenDrillRun:
    """A run that is ready to go: ``planned`` is all of it, ``todo`` what is left to hold."""

    host: PluginHost
    folder: DrillFolder
    manifest: DrillManifest
    drills: Mapping[str, Drill]
    planned: tuple[PlannedDrill, ...]
    todo: tuple[PlannedDrill, ...]


@attrs.frozen
class DrillDone:
    """How one drill came out. ``mark`` is None for a void, an error, and where the drill could not mark it;
    ``why`` is a line. ``again`` is the attempt that follows a void.
    """

    planned: PlannedDrill
    record: DrillRecord
    mark: DrillMark | None
    why: str
    again: PlannedDrill | None = None


def new_drill_run(
    options: DrillOptions, host: PluginHost, *, on_trying: Callable[[], None] = lambda: None
) -> OpenDrillRun:
    """Plans a run, tries what it needs, and writes its manifest. ``on_trying`` is called before the engines
    load, which takes seconds.

    Raises:
        UnknownName: a platform, drill or engine that nobody provides.
        SpeechUnavailable: an engine is missing or damaged.
        StorageError: the folder holds something already, or can't be written.
        ValueError: fewer than one run, or thousands of them.
    """
    adapter = _adapter(host, options.platform)
    drills = pick_drills(host.drills(), options.drills)
    plan_drills([d.name for d in drills], platform=options.platform, runs=options.runs, seed=options.seed)
    DrillFolder.refuse_filled(options.out)
    on_trying()
    _try_engines(host, options.engines, drills)
    manifest = DrillManifest(
        version=DRILLS_VERSION,
        run_id=options.out.resolve().name,
        seed=options.seed,
        platform=options.platform,
        order=tuple(drill.name for drill in drills),
        drills={drill.name: drill.version for drill in drills},
        runs=options.runs,
        harness_reference=adapter.capabilities.harness_reference,
        agent_sha256=drill_agent().sha256,
        engines=attrs.asdict(options.engines),
        platform_options=options.platform_options,
        components=(
            host.provenance("adapter", options.platform),
            *(host.provenance("drill", drill.name) for drill in drills),
        ),
        wall={"started": datetime.now(UTC).isoformat(timespec="seconds")},
    )
    folder = DrillFolder.create(options.out, manifest)
    return _opened(folder, host, drills, done=())


def resume_drill_run(
    path: Path, host: PluginHost, *, on_trying: Callable[[], None] = lambda: None
) -> OpenDrillRun:
    """Opens a stopped run and finds out what is left.

    Raises:
        StorageError: no run there, another process writes it, or a drill or the agent has changed since: the
            marks could not be compared.
        UnknownName: a plugin that the run used is gone.
        SpeechUnavailable: an engine is missing or damaged.
    """
    folder = DrillFolder.open(path)
    manifest = folder.manifest()
    _adapter(host, manifest.platform)
    drills = pick_drills(host.drills(), manifest.order)
    changed = [drill.name for drill in drills if drill.version != manifest.drills[drill.name]]
    if manifest.agent_sha256 != drill_agent().sha256:
        changed.append("the agent")
    if changed:
        raise StorageError(f"{', '.join(changed)} changed since {path} was started; begin a new run")
    folder.lock().release()  # says at once that another process is at it
    run = _opened(folder, host, drills, done=folder.ids())
    if run.todo:
        on_trying()
        _try_engines(host, EngineChoice(**manifest.engines), drills)
    return run


def carry_out_drills(
    run: OpenDrillRun,
    *,
    stop: threading.Event,
    on_started: Callable[[PlannedDrill], None] = lambda planned: None,
    on_done: Callable[[DrillDone], None] = lambda done: None,
) -> DrillSummary:
    """Holds and marks what is left. Blocks; set ``stop`` from another thread to end after the drill under
    way.

    Raises:
        StorageError, AudioFileError: another process writes this run, or the disk refuses; finished drills
            are kept.
        SpeechUnavailable, PlatformUnusable: no other drill would fare better; finished drills are kept.
    """
    unmarked: dict[str, str] = {}
    with run.folder.lock():
        run.folder.sweep()
        worker = _Worker(run)
        queue = list(run.todo)
        try:
            while queue and not stop.is_set():
                planned = queue.pop(0)
                on_started(planned)
                done = worker.place(planned)
                if done.again is not None:
                    queue.append(done.again)
                on_done(done)
        finally:
            worker.close()
        _catch_up(run, unmarked)
    return read_drill_run(run.folder, unmarked=unmarked)


def mark_again(folder: DrillFolder, host: PluginHost) -> DrillSummary:
    """Marks the stored drills of a run again, with the versions of the drills that are installed. Evidence is
    only read.

    Raises:
        UnknownName: a drill of the run is not installed.
        StorageError: the manifest is malformed, another process writes this run, or the disk refuses.
    """
    drills = {drill.name: drill for drill in pick_drills(host.drills(), folder.manifest().order)}
    unmarked: dict[str, str] = {}
    with folder.lock():
        for drill_id in folder.ids():
            _mark_stored(folder, drill_id, drills, unmarked)
    versions = {name: drill.version for name, drill in drills.items()}
    return read_drill_run(folder, versions, unmarked=unmarked)


class _Worker:
    """Holds one drill after the other: in virtual time each on a loop of its own, in real time all on one,
    because a platform may keep connections open between them.
    """

    def __init__(self, run: OpenDrillRun) -> None:
        self._run = run
        manifest = run.manifest
        adapter = run.host.adapters()[manifest.platform]
        self._choice = EngineChoice(**manifest.engines)
        engines = choose_engines(run.host, self._choice)
        self._kit = DrillKit(adapter, engines, manifest.seed, manifest.platform_options)
        self._loops: Loops = VirtualLoops()
        if not adapter.capabilities.virtual_time:
            loop = self._loops = SharedLoop(1)
            self._kit = attrs.evolve(self._kit, deployments=Deployments(loop.settle))

    def place(self, planned: PlannedDrill) -> DrillDone:
        """One drill: held, written, marked. One that fails is written as an ``error`` with its cause."""
        drill, folder = self._run.drills[planned.drill], self._run.folder
        components = self._components(drill)
        scratch = folder.scratch(planned.drill_id)
        started = time.time()
        try:
            outcome = self._loops.run(
                lambda beat: place_drill(drill, planned, self._kit, scratch, beat=beat, components=components)
            )
            to_json(outcome.record).encode("utf-8")  # one that no file can hold fails here, as the drill
        except OSError as error:
            raise disk_error(scratch, error) from error
        except _STOPS_THE_RUN:
            raise
        except (Exception, SystemExit) as error:  # a plugin may even call sys.exit()
            why = str(error) if isinstance(error, CallFailed) else f"{type(error).__name__}: {error}"
            scratch = folder.scratch(planned.drill_id)
            empty = unheld_record(
                drill,
                planned,
                self._kit.adapter.name,
                seed=self._kit.seed,
                ending="error",
                cause=why,
                components=components,
            )
            outcome = Outcome(empty, traceback.format_exc())
        if outcome.trace:
            folder.note_failure(planned.drill_id, outcome.trace)
        stamps = {
            "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started)),
            "took_s": f"{time.time() - started:.3f}",
        }
        record = attrs.evolve(outcome.record, wall={**outcome.record.wall, **stamps})
        return self._filed(drill, planned, scratch, record)

    def close(self) -> None:
        """Takes down what was deployed; what could not be is kept under ``failures/``."""
        failures = self._loops.run(lambda _: self._kit.deployments.close())
        self._loops.close()
        if failures:
            self._run.folder.note_failure("teardown", "\n".join(failures) + "\n")

    def _filed(self, drill: Drill, planned: PlannedDrill, scratch: Path, record: DrillRecord) -> DrillDone:
        run = self._run
        place = run.folder.commit(scratch, record)
        mark, why = _marked(run.folder, drill, record)
        run.host.notify("offhook_drill_finished", record=record, mark=mark, folder=place)
        again = None
        if record.ending == "void":
            again = next_attempt(planned, platform=run.manifest.platform, seed=run.manifest.seed)
        return DrillDone(planned, record, mark, why, again)

    def _components(self, drill: Drill) -> tuple[ComponentInfo, ...]:
        host = self._run.host
        voices = cast_voices(drill.cast, self._kit.engines.voices).values()
        named = (
            ("listener", self._choice.careful_ears),
            ("vad", self._choice.vad),
            *(("voice", name) for name in sorted({voice.name for voice in voices})),
        )
        return (
            host.provenance("adapter", self._kit.adapter.name),
            host.provenance("drill", drill.name),
            *(
                host.provenance(kind, name, sha256=host.components(kind)[name].value.info.weights_sha256)
                for kind, name in named
            ),
        )


def _marked(folder: DrillFolder, drill: Drill, record: DrillRecord) -> tuple[DrillMark | None, str]:
    """Marks a drill and stores the mark; why it came out so, or could not be marked."""
    try:
        mark = mark_of(drill, record)
    except BadMark as error:
        folder.note_failure(f"{record.drill_id}-mark", "".join(traceback.format_exception(error)))
        return None, str(error)
    if mark is None:
        return None, record.cause
    folder.write_mark(mark)
    return mark, mark.why


def _mark_stored(
    folder: DrillFolder, drill_id: str, drills: Mapping[str, Drill], unmarked: dict[str, str]
) -> None:
    """Marks a stored drill; why it could not be is added to ``unmarked``."""
    try:
        record = folder.record(drill_id)
    except StorageError:
        return  # the summary names it
    if record.drill in drills:
        mark, why = _marked(folder, drills[record.drill], record)
        if mark is None:
            unmarked[drill_id] = why


def _catch_up(run: OpenDrillRun, unmarked: dict[str, str]) -> None:
    """Marks what a dying process stored and did not come to mark."""
    for drill_id in run.folder.ids():
        try:
            version = run.manifest.drills[run.folder.record(drill_id).drill]
            owed = run.folder.mark(drill_id, version) is None
        except (KeyError, StorageError):
            continue
        if owed:
            _mark_stored(run.folder, drill_id, run.drills, unmarked)


def _adapter(host: PluginHost, name: str) -> Adapter:
    adapters = host.adapters()
    if name not in adapters:
        raise UnknownName("platform", name, adapters)
    return adapters[name]


def _opened(
    folder: DrillFolder, host: PluginHost, drills: tuple[Drill, ...], *, done: Container[str]
) -> OpenDrillRun:
    manifest = folder.manifest()
    planned = plan_drills(manifest.order, platform=manifest.platform, runs=manifest.runs, seed=manifest.seed)
    left = (_left(each, folder, manifest, done) for each in planned)
    todo = tuple(each for each in left if each is not None)
    return OpenDrillRun(
        folder=folder,
        host=host,
        manifest=manifest,
        drills={d.name: d for d in drills},
        planned=planned,
        todo=todo,
    )


def _left(
    planned: PlannedDrill, folder: DrillFolder, manifest: DrillManifest, done: Container[str]
) -> PlannedDrill | None:
    """The attempt of a planned drill that is still to be held; None when it is settled."""
    attempt: PlannedDrill | None = planned
    while attempt is not None and attempt.drill_id in done:
        try:
            void = folder.record(attempt.drill_id).ending == "void"
        except StorageError:
            void = False  # damaged evidence is named when the run is read, and never overwritten
        attempt = next_attempt(attempt, platform=manifest.platform, seed=manifest.seed) if void else None
    return attempt


def _try_engines(host: PluginHost, choice: EngineChoice, drills: tuple[Drill, ...]) -> None:
    engines = choose_engines(host, choice)
    slots = {voice.name for drill in drills for voice in cast_voices(drill.cast, engines.voices).values()}
    try_engines(engines, slots, line="audio")
