"""A run from its options to its summary: plan, folder, workers, totals."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import attrs

from offhook._packshape import shape_problems
from offhook.grading import Grade
from offhook.host import PluginHost
from offhook.line import CLEAN
from offhook.packs import Pack
from offhook.records import RUN_VERSION, ComponentInfo, RunManifest
from offhook.runner._dropped import dropped_calls, note_dropped
from offhook.runner._layers import settled_layers
from offhook.runner._versions import current_versions, grading_versions, other_versions
from offhook.runner.conditions import check_conditions, profile_stamps, try_profiles, variant_tasks
from offhook.runner.engines import EngineChoice, choose_engines, default_slots, try_engines
from offhook.runner.grade import GradedCall, GradeDesk
from offhook.runner.kit import CallKit, make_kit, parties_of
from offhook.runner.options import RunOptions
from offhook.runner.plan import (
    PlannedCall,
    UnknownName,
    WrongLine,
    assign_voices,
    next_attempt,
    pick_tasks,
    plan_calls,
)
from offhook.runner.routing import check_routing
from offhook.runner.seats import seats_for
from offhook.runner.spending import Charge, Spending, charge_of, check_cap, list_price
from offhook.runner.stored import StoredRun, read_run
from offhook.runner.work import Done, attempt_after, work_all
from offhook.scoring import ATTRIBUTION_REVIEWER, RunSummary, own_cause, rerun_reason, summarise_run
from offhook.storage import RunFolder, StorageError
from offhook.textline import TextAdapter, TextCaller
from offhook.toolserver import SeedError, agent_config, pack_digest
from offhook.tracing import traced

__all__ = ["BrokenPack", "OpenRun", "carry_out", "new_run", "resume_run", "summarise", "summary_of"]


class BrokenPack(Exception):
    """A pack can't be used at all; the message names its file and the path inside it."""


@attrs.frozen(eq=False)
class OpenRun:
    """A run that is ready to go: ``calls`` is all of it, ``todo`` what has no folder yet. ``spending`` tells
    afterwards whether the cap stopped it.
    """

    options: RunOptions
    host: PluginHost
    folder: RunFolder
    manifest: RunManifest
    calls: tuple[PlannedCall, ...]
    todo: tuple[PlannedCall, ...]
    spending: Spending = attrs.field(factory=lambda: Spending(None))

    @property
    def problems(self) -> tuple[str, ...]:
        """One line for each installed grader that is left out, because no grade of its could be stored."""
        return GradeDesk(self.host, self.folder).problems


def new_run(
    options: RunOptions, host: PluginHost, *, on_trying: Callable[[], None] = lambda: None
) -> OpenRun:
    """Plans a run, tries what it needs, and writes its manifest. ``on_trying`` is called before the engines
    of a run over audio load, which takes seconds.

    Raises:
        UnknownName: a platform, caller, engine, task or audio condition nobody provides.
        WrongLine: a text run with a platform or caller that takes no text calls.
        WrongCondition: audio conditions that no call could be placed on.
        WrongSelection: a frozen selection is not of the models that the platform says it runs.
        BrokenPack: a pack that no call could be placed with.
        UnusableProfile: an audio profile that raises, or returns what no line can carry.
        SpeechUnavailable: an engine is missing or damaged.
        TooManyAtOnce: more calls at once than the platform takes.
        ToolsUnreachable: no call could reach a tool.
        CostUnknown: a cap that could not hold, since the platform tells no cost.
        StorageError: the folder holds a run or other files already, or it or the cache can't be written.
    """
    kit = make_kit(
        host,
        platform=options.platform,
        caller=options.caller,
        choice=options.engines,
        images=options.images,
        seed=options.seed,
        options=options.platform_options,
    )
    check_routing(kit.adapter, options)
    check_cap(kit.adapter, options.max_cost)
    seats_for(options, host)
    _check_line(kit, options.line)
    tasks = pick_tasks(kit.packs, options.tasks)
    names = tuple(f"{task.pack}/{task.id}" for task in tasks)
    if not names:
        raise UnknownName("pack", "any", ())
    check_conditions(host, options.audio, line=options.line)
    variants = variant_tasks(tasks, options.audio, options.variants)
    _check_packs(kit, sorted({name.split("/", 1)[0] for name in names}), host, options.images)
    manifest = _manifest(options, kit, names, variants)
    calls = _calls(manifest, options, host)
    RunFolder.refuse_existing(options.out)
    _refuse_filled(options.out)
    _try_engines(host, options, calls, on_trying)
    folder = RunFolder.create(options.out, attrs.evolve(manifest, planned=len(calls)))
    spending = Spending(options.max_cost, list_price(kit.adapter))
    return OpenRun(options, host, folder, folder.manifest(), calls, calls, spending)


def resume_run(
    path: Path,
    host: PluginHost,
    *,
    workers: int,
    at_once: int | None = None,
    block: tuple[str, ...] = (),
    tools_port: int = 0,
    public_url: str = "",
    max_cost: float | None = None,
    on_trying: Callable[[], None] = lambda: None,
) -> OpenRun:
    """Opens a stopped run and finds out what is left. ``block`` is what ``host`` was discovered without; of
    ``max_cost`` what the run has cost already is spent.

    Raises:
        StorageError: no run there, another process writes it, or a pack, agent or grader has changed since:
            its calls could not be compared.
        UnknownName: a plugin that the run used is gone.
        TooManyAtOnce: more calls at once than the platform takes.
        ToolsUnreachable: no call could reach a tool.
        CostUnknown: a cap that could not hold, since the platform tells no cost.
        SpeechUnavailable: an engine is missing or damaged.
    """
    folder = RunFolder.open(path)
    manifest = folder.manifest()
    options = RunOptions(
        platform=manifest.platform,
        out=path,
        tasks=manifest.tasks,
        runs=manifest.runs,
        seed=manifest.seed,
        workers=workers,
        at_once=at_once,
        caller=manifest.caller,
        line=manifest.line,
        audio=manifest.audio,
        engines=EngineChoice(**manifest.engines),
        platform_options=manifest.platform_options,
        block=block,
        attempts=manifest.attempts,
        frozen=manifest.frozen,
        tools_port=tools_port,
        public_url=public_url,
        max_cost=max_cost,
    )
    adapter, _ = parties_of(host, options.platform, options.caller)
    check_routing(adapter, options)
    check_cap(adapter, max_cost)
    seats_for(options, host)
    if changed := other_versions(folder, host):
        raise StorageError(f"{changed[0]}; compare first with: offhook regrade {path}")
    packs = host.packs()
    for name, stamp in manifest.packs.items():
        if name not in packs:
            raise UnknownName("pack", name, packs)
        if _pack_stamp(packs[name]) != stamp:
            raise StorageError(f"pack {name} has changed since {path} was started; begin a new run")
    _check_profiles(manifest, host, path)
    calls = _calls(manifest, options, host)
    folder.lock().release()  # says at once that another process is at it
    done = set(folder.call_ids())
    versions = current_versions(folder, host, manifest)
    left = (_left(call, folder, done, manifest, versions) for call in calls)
    todo = tuple(call for call in left if call is not None)
    _try_engines(host, options, todo, on_trying)
    spending = Spending(max_cost, list_price(adapter), _charges(folder) if max_cost is not None else ())
    return OpenRun(options, host, folder, manifest, calls, todo, spending)


def carry_out(
    run: OpenRun,
    *,
    stop: threading.Event,
    on_started: Callable[[PlannedCall], None],
    on_done: Callable[[Done], None],
) -> RunSummary:
    """Places what is left and sums the run up. Blocks; set ``stop`` from another thread to end early.

    Raises:
        StorageError, AudioFileError: another process writes this run, or the disk refuses; finished calls are
            kept.
        SpeechUnavailable: an engine is missing or damaged; finished calls are kept.
        PlatformUnusable: the platform says that it will take no call at all; finished calls are kept.
        ServeError: the port for the platform's tool calls can't be had.
    """
    with run.folder.lock():
        note_dropped(run.folder)
        run.folder.sweep()
        desk = GradeDesk(run.host, run.folder)
        # Grades may void a call, so those that a dying process left ungraded come first.
        todo = (*run.todo, *_attempts_after(desk.catch_up(), run))
        while todo:
            work_all(
                todo,
                run.options,
                run.folder,
                stop=stop,
                on_started=on_started,
                on_done=traced(run.folder, on_done),
                host=run.host,
                spending=run.spending,
            )
            late = desk.catch_up()
            over = stop.is_set() or run.spending.reached is not None
            todo = () if over else _attempts_after(late, run)
    summary = summary_of(run.folder, run.host)
    if not summary.missing:
        run.host.notify("offhook_run_finished", manifest=run.manifest, folder=run.folder.path)
    return summary


def summary_of(folder: RunFolder, host: PluginHost) -> RunSummary:
    """Sums up what a run folder holds, finished or not, by the grades of the installed graders' versions. A
    call that can't be read counts as an error.

    Raises:
        StorageError: the run's manifest is malformed.
    """
    return summarise(read_run(folder, host), host)


def summarise(stored: StoredRun, host: PluginHost) -> RunSummary:
    """As ``summary_of``, of a run that has been read already."""
    tasks = [task for pack in host.packs().values() for task in pack.tasks]
    return summarise_run(stored.manifest, stored.records, stored.grades, tasks)


def _check_profiles(manifest: RunManifest, host: PluginHost, path: Path) -> None:
    check_conditions(host, manifest.audio, line=manifest.line)
    for name, stamp in profile_stamps(host, manifest.audio).items():
        if manifest.profiles.get(name) != stamp:
            raise StorageError(f"audio profile {name} has changed since {path} was started; begin a new run")


def _check_line(kit: CallKit, line: str) -> None:
    if line != "text":
        return
    if not isinstance(kit.adapter, TextAdapter):
        raise WrongLine(f"platform {kit.adapter.name} takes no text calls; leave out --line text")
    if not isinstance(kit.caller, TextCaller):
        raise WrongLine(f"caller {kit.caller.name} holds no text calls; leave out --line text")


def _check_packs(kit: CallKit, names: Iterable[str], host: PluginHost, images: Path) -> None:
    """What would otherwise show in the middle of a call: pieces of the wrong type, a seed that fails."""
    for name in names:
        origin = host.components("industry")[name].plugin
        where = f"pack {name} ({origin.file or origin.name})"
        problems = list(shape_problems(kit.packs[name]))
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise BrokenPack(f"{where}: {problems[0].where}: {problems[0].expected}{more}")
        try:
            kit.images.image(kit.packs[name])
        except SeedError as error:
            raise BrokenPack(f"{where}: {error}") from error
        except OSError as error:
            raise StorageError(
                f"cannot use the cache folder {images.parent}: {error.strerror or error}; "
                "set OFFHOOK_CACHE to a folder that can be written"
            ) from error


def _refuse_filled(out: Path) -> None:
    """A run's files never go among others. One stopped before its manifest was written left no run."""
    try:
        filled = out.is_dir() and any(entry.name not in ("calls", ".lock") for entry in out.iterdir())
    except OSError as error:
        raise StorageError(f"cannot read {out}: {error.strerror or error}") from error
    if filled:
        raise StorageError(f"{out} is not empty and holds no run; give --out a new folder")


def _try_engines(
    host: PluginHost, options: RunOptions, calls: Sequence[PlannedCall], on_trying: Callable[[], None]
) -> None:
    if calls:
        if options.line == "audio":
            on_trying()
        voices = [call.voice for call in calls]
        try_engines(choose_engines(host, options.engines), voices, line=options.line)
        try_profiles(host, sorted({call.key.audio for call in calls}))


def _left(
    call: PlannedCall,
    folder: RunFolder,
    done: Container[str],
    manifest: RunManifest,
    versions: Mapping[str, str],
) -> PlannedCall | None:
    """The attempt of a planned call that is still to be placed; None when the call is settled."""
    attempt: PlannedCall | None = call
    while attempt is not None and attempt.call_id in done:
        try:
            record = folder.record(attempt.call_id)
            grades = _voiding_grades(folder, attempt.call_id, versions)
        except StorageError:
            return None  # damaged evidence is named when the run is read, and never overwritten
        attempt = attempt_after(attempt, record, grades, folder, manifest.seed, manifest.attempts)
    return attempt


def _charges(folder: RunFolder) -> Iterator[Charge]:
    """What each call cost; nobody knows of one that can't be read, or left nothing to read."""
    yield from [Charge(None)] * dropped_calls(folder)
    for call_id in folder.call_ids():
        try:
            yield charge_of(folder.record(call_id))
        except StorageError:
            yield Charge(None)


def _voiding_grades(folder: RunFolder, call_id: str, versions: Mapping[str, str]) -> tuple[Grade, ...]:
    """A call's grades, if its attribution may void it: most calls have none to read."""
    name = ATTRIBUTION_REVIEWER
    if name not in versions or not own_cause(folder.grades(call_id, {name: versions[name]})):
        return ()
    return folder.grades(call_id, versions)


def _attempts_after(late: Iterable[GradedCall], run: OpenRun) -> tuple[PlannedCall, ...]:
    """What has to follow calls that were graded only now."""
    graded = {call.call_id: call for call in late}
    if not graded:
        return ()
    following = []
    for call in run.calls:
        attempt: PlannedCall | None = call
        while attempt is not None:
            found = graded.get(attempt.call_id)
            after = next_attempt(attempt, run.manifest.seed, attempts=run.manifest.attempts)
            if found is not None and after is not None and after.call_id not in run.folder.call_ids():
                record = run.folder.record(attempt.call_id)
                if rerun_reason(record, found.grades):
                    following.append(after)
            attempt = after
    return tuple(following)


def _calls(manifest: RunManifest, options: RunOptions, host: PluginHost) -> tuple[PlannedCall, ...]:
    packs = host.packs()
    return plan_calls(
        pick_tasks(packs, manifest.tasks),
        platform=manifest.platform,
        runs=manifest.runs,
        seed=manifest.seed,
        voices=assign_voices(packs.values(), default_slots(host)),
        audio=manifest.audio,
        line=options.line,
        variants=manifest.variant_tasks,
    )


def _manifest(
    options: RunOptions, kit: CallKit, names: tuple[str, ...], variants: tuple[str, ...]
) -> RunManifest:
    packs = sorted({name.split("/", 1)[0] for name in names})
    now = datetime.now(UTC)
    return RunManifest(
        version=RUN_VERSION,
        run_id=options.out.resolve().name,
        seed=options.seed,
        platform=options.platform,
        caller=options.caller,
        line=options.line,
        runs=options.runs,
        audio=options.audio,
        tasks=names,
        planned=0,
        harness_reference=kit.adapter.capabilities.harness_reference,
        components=_components(kit, packs, options.audio),
        agents={name: agent_config(kit.packs[name]).sha256 for name in packs},
        packs={name: _pack_stamp(kit.packs[name]) for name in packs},
        engines=attrs.asdict(options.engines),
        platform_options=options.platform_options,
        layers=settled_layers(kit.adapter.capabilities.layers, options.selected),
        attempts=options.attempts,
        graders=grading_versions(kit.host),
        frozen=options.frozen,
        wall={"started": now.isoformat(timespec="seconds")},
        variant_tasks=variants,
        profiles=profile_stamps(kit.host, options.audio),
    )


def _components(kit: CallKit, packs: list[str], audio: Sequence[str]) -> tuple[ComponentInfo, ...]:
    return (
        kit.host.provenance("adapter", kit.adapter.name),
        kit.host.provenance("caller", kit.caller.name),
        *(kit.host.provenance("industry", name) for name in packs),
        *(kit.host.provenance("audio_profile", name) for name in audio if name != CLEAN.name),
        *(kit.host.provenance("grader", name) for name in kit.host.graders()),
    )


def _pack_stamp(pack: Pack) -> str:
    return f"{pack.version} {pack_digest(pack)}"
