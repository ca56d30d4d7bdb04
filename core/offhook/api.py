"""What a program starts with: ``await offhook.run(...)`` and ``await offhook.drill(...)``, as ``offhook run``
and ``offhook drill`` on the command line.

    import asyncio

    import offhook

    async def main() -> None:
        result = await offhook.run(tasks=["customer-support"], platform="reference", line="text")
        print(result.summary.passed, "of", result.summary.planned, result.score.points)
        for call in result.calls:
            print(call.record.key.task, call.state, call.why)

    asyncio.run(main())

``platform`` may be an adapter of the program's own, without any packaging: ``offhook.run(platform=
MyAdapter())``. Whatever else a program brings (packs, graders, listeners of calls) it registers on a host:

    host = offhook.PluginHost.discover()
    host.register(my_plugin, name="mine")
    await offhook.run(platform="mine", host=host)

The calls are placed in a thread, so the event loop stays free, and several runs may go on at once, each in
its own folder.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from offhook._beside import Relay, beside, refuse_async
from offhook._program import (
    NotReady,
    WorkerWatch,
    check_ready,
    check_verdict,
    claimed,
    leave_unguarded,
    name_of,
    program_host,
    refuse_unseen,
    take_in,
)
from offhook.callers import Caller
from offhook.grading import Grade
from offhook.host import PluginHost
from offhook.records import CallRecord, RunManifest
from offhook.runner import (
    CapReached,
    Done,
    EngineChoice,
    OpenRun,
    PlannedCall,
    RunOptions,
    carry_out,
    new_run,
    pick_tasks,
    read_run,
    resume_run,
    split_conditions,
)
from offhook.scoring import PlatformScore, RunSummary
from offhook.sessions import Adapter
from offhook.storage import RunFolder

if TYPE_CHECKING:
    from offhook.drillrun import DrillDone, DrillManifest, DrillResult, DrillSummary, PlannedDrill
    from offhook.runner import StoredRun

__all__ = ["CallOutcome", "DrillRunResult", "NotReady", "RunResult", "drill", "program_host", "run"]


@attrs.frozen
class CallOutcome:
    """What one planned call came to. ``state`` is ``passed``, ``failed``, ``void`` or ``error``, and ``why``
    says so in a line where it did not pass. ``grades`` are sorted by grader; ``folder`` holds the evidence
    (`offhook.records` lists the files).
    """

    record: CallRecord
    state: str
    why: str
    grades: tuple[Grade, ...]
    folder: Path

    @property
    def passed(self) -> bool:
        return self.state == "passed"

    def grade(self, grader: str) -> Grade:
        """Raises KeyError where that grader gave no grade."""
        for grade in self.grades:
            if grade.grader == grader:
                return grade
        raise KeyError(grader)


@attrs.frozen(eq=False)
class RunResult:
    """A run that has ended. ``folder`` is the run folder; ``calls`` has one outcome per planned call that
    left a record, after its re-runs, in the order of ``summary.calls``. ``capped`` is there if ``max_cost``
    stopped it.
    """

    folder: Path
    manifest: RunManifest
    summary: RunSummary
    calls: tuple[CallOutcome, ...]
    host: PluginHost = attrs.field(repr=False)
    capped: CapReached | None = None

    @property
    def passed(self) -> bool:
        """Whether every planned call was placed, graded and passed."""
        return self.summary.planned > 0 and self.summary.passed == self.summary.planned

    @property
    def score(self) -> PlatformScore:
        """``points`` of ``out_of``, and its parts."""
        return self.summary.score

    @property
    def why(self) -> str:
        """A line for each call that did not pass, and one for those that were not placed; empty if all
        passed.
        """
        lines = [f"{_name(call.record)}: {call.state}: {call.why}" for call in self.calls if not call.passed]
        if self.summary.missing:
            lines.append(f"{self.summary.missing} of {self.summary.planned} calls were not placed")
        if self.capped is not None:
            lines.append(str(self.capped))
        return "\n".join(lines)

    def report(self, out: Path | None = None, *, audio: bool | None = None) -> Path:
        """Writes the run's HTML report and returns where (default: ``report.html`` in the run folder). With
        ``audio`` the recordings are inside; None is up to 120 calls.

        Raises:
            StorageError: the run can't be read, or the page can't be written.
        """
        from offhook.report import write_report

        return write_report(RunFolder.open(self.folder), self.host, out=out, audio=audio)


@attrs.frozen(eq=False)
class DrillRunResult:
    """A drill run that has ended. ``summary.results`` has one result per planned drill and run."""

    folder: Path
    manifest: DrillManifest
    summary: DrillSummary
    host: PluginHost = attrs.field(repr=False)

    @property
    def drills(self) -> tuple[DrillResult, ...]:
        return self.summary.results

    @property
    def mean(self) -> float | None:
        """The mean mark, 0..100, over the drills; None where nothing was marked."""
        return self.summary.mean


async def run(
    *,
    platform: str | Adapter = "reference",
    tasks: str | Sequence[str] = (),
    runs: int = 1,
    seed: int = 1,
    workers: int = 1,
    at_once: int | None = None,
    caller: str | Caller = "scripted",
    line: str = "audio",
    audio: str | Sequence[str] = "clean",
    variants: str = "easy",
    ears: str = "whisper-tiny",
    options: Mapping[str, str] | None = None,
    block: Sequence[str] = (),
    out: Path | str | None = None,
    resume: Path | str | None = None,
    max_cost: float | None = None,
    public_url: str = "",
    tools_port: int = 0,
    on_started: Callable[[PlannedCall], object] | None = None,
    on_done: Callable[[Done], object] | None = None,
    host: PluginHost | None = None,
) -> RunResult:
    """Places calls to a platform and grades them.

    Cancelling it (``task.cancel()``, ``asyncio.timeout``, Ctrl-C under ``asyncio.run``) lets the calls in
    flight finish, then raises CancelledError; cancelling once more leaves at once. Finished calls are kept
    either way, and ``resume`` goes on with them.

    Args:
        platform: who answers, by name or as an adapter of your own.
        tasks: packs (``customer-support``), tasks (``T4-H1``) or both together
            (``customer-support/T4-H1``); none means all.
        runs: how often each task is called.
        seed: equal seeds, equal calls.
        workers: processes; 1 stays in this one. Other processes see installed plugins only.
        at_once: real-time calls that each process holds at the same time (None: as many as the platform
            takes, at most four).
        caller: who places the calls, by name or as an object.
        line: ``audio``, or ``text`` for words alone.
        audio: audio conditions: ``clean``, ``noise``, ``degraded``, those of plugins; one or several.
        variants: the tasks that conditions other than clean are placed for: ``easy`` ones, as the benchmark
            has it, or ``all``.
        ears: the platform's recogniser, by name.
        options: handed to the platform.
        block: plugins or distributions to leave out; with ``host``, what it was discovered without.
        out: the run's folder, new or empty (None: ``runs/PLATFORM-TIME``, with ``-2`` and so on where that is
            taken).
        resume: a stopped run to go on with. What is planned stays as it is: other arguments are left out or
            equal to it, only ``workers``, ``at_once``, ``block``, ``max_cost``, ``public_url``,
            ``tools_port``, the callbacks and ``host`` are free.
        max_cost: what the run may cost in USD, calls before a ``resume`` included (None: no limit). No call
            is started that could pass it; the result's ``capped`` tells.
        public_url: for platforms that call tools over the internet: the address that leads to ``tools_port``.
        tools_port: where on this machine such platforms reach the tools (0: 8765 with ``public_url``, else
            any free port).
        on_started, on_done: plain functions, called on this event loop, in order, as calls begin and end.
            What one of them raises stops the run and is raised here.
        host: the plugins to use (None: all that are installed).

    Raises:
        UnknownName: a platform, caller, engine, task or option nobody provides.
        NotReady: the platform or caller lacks something on this machine.
        TooManyAtOnce: more calls at once than the platform takes.
        WrongLine: a text run with a platform or caller that takes no text calls.
        WrongCondition: audio conditions that no call could be placed on.
        BrokenPack: a pack that no call could be placed with.
        UnusableProfile: an audio profile that raises, or returns what no line can carry.
        SpeechUnavailable: an engine or its weights are missing or damaged.
        PlatformUnusable: the platform says that it will take no call at all.
        ToolsUnreachable: the platform could not call a tool, for want of ``public_url`` for example.
        CostUnknown: ``max_cost`` could not hold, since the platform never tells a cost.
        ServeError: ``tools_port`` can't be had.
        StorageError: the folder holds a run already, is in use, or the disk refuses.
        AudioFileError: a tape can't be written.
        ValueError: arguments that contradict each other, or objects that worker processes can't see.
        TypeError: a platform or caller that is neither a name nor what its contract says; an async callback.
        RuntimeError: the worker processes could not start.
    """
    if line not in ("audio", "text"):
        raise ValueError(f"line must be 'audio' or 'text', not {line!r}")
    if runs < 1 or workers < 1 or (at_once is not None and at_once < 1):
        raise ValueError("runs, workers and at_once must be at least 1")
    if max_cost is not None and not 0 < max_cost < math.inf:
        raise ValueError("max_cost must be an amount of more than 0")
    if not 0 <= tools_port <= 65535:
        raise ValueError("tools_port must be from 0 to 65535")
    _check_common(seed, on_started, on_done)
    if workers > 1:
        leave_unguarded()
    asked = RunOptions(
        platform=name_of("platform", platform, Adapter),
        out=Path(out if out is not None else resume if resume is not None else ""),
        tasks=(tasks,) if isinstance(tasks, str) else tuple(tasks),
        runs=runs,
        seed=seed,
        workers=workers,
        at_once=at_once,
        caller=name_of("caller", caller, Caller),
        line=line,
        audio=split_conditions((audio,) if isinstance(audio, str) else tuple(audio)),
        variants=variants,
        engines=EngineChoice(ears=ears),
        platform_options=dict(options or {}),
        block=tuple(block),
        max_cost=max_cost,
        public_url=public_url,
        tools_port=tools_port,
    )
    brought = [item for item in (platform, caller) if not isinstance(item, str)]

    def work(stop: threading.Event, relay: Relay) -> RunResult:
        used = host if host is not None else PluginHost.discover(block=asked.block)
        take_in(used, *brought, given=host is not None)
        if workers > 1:
            refuse_unseen(used, workers, asked.block)
        fresh = out is None and resume is None
        with claimed(_by_time(asked.platform)) if fresh else nullcontext(asked.out) as path:
            opened = open_run(
                attrs.evolve(asked, out=path), used, resume=None if resume is None else Path(resume)
            )
        watch = WorkerWatch(stop)

        def done(done: Done) -> None:
            watch.see(done)
            if on_done is not None:
                relay.tell(on_done, done)

        summary = carry_out(
            opened,
            stop=stop,
            on_started=lambda planned: relay.tell(on_started, planned) if on_started else None,
            on_done=done,
        )
        watch.check()
        return _result(opened, summary)

    return await beside(work)


async def drill(
    *,
    platform: str | Adapter | None = None,
    drills: str | Sequence[str] = (),
    runs: int = 1,
    seed: int = 1,
    options: Mapping[str, str] | None = None,
    block: Sequence[str] = (),
    out: Path | str | None = None,
    resume: Path | str | None = None,
    on_started: Callable[[PlannedDrill], object] | None = None,
    on_done: Callable[[DrillDone], object] | None = None,
    host: PluginHost | None = None,
) -> DrillRunResult:
    """Drills a platform in a live meeting and marks what it did. Cancelling and callbacks are as in ``run``;
    so are the arguments that have the same name.

    Args:
        platform: who is drilled, by name or as an adapter of your own; only ``resume`` can do without.
        drills: drills by name (``count_off``); none means all.
        out: the run's folder, new or empty (None: ``runs/drill-PLATFORM-TIME``).
        resume: a stopped drill run to go on with; what is planned is left out or given as it was.

    Raises:
        UnknownName: a platform, drill, engine or option nobody provides.
        NotReady, SpeechUnavailable, PlatformUnusable, StorageError, AudioFileError, ValueError, TypeError: as
            ``run``.
    """
    if runs < 1:
        raise ValueError("runs must be at least 1")
    _check_common(seed, on_started, on_done)
    if platform is None and resume is None:
        raise ValueError("say who is drilled: platform=...")
    name = "" if platform is None else name_of("platform", platform, Adapter)
    asked = (drills,) if isinstance(drills, str) else tuple(drills)
    given = dict(options or {})

    def work(stop: threading.Event, relay: Relay) -> DrillRunResult:
        from offhook import drillrun

        used = host if host is not None else PluginHost.discover(block=block)
        if platform is not None and not isinstance(platform, str):
            take_in(used, platform, given=host is not None)
        if resume is None:
            check_ready(used, name, options=given)
            new = claimed(_by_time(f"drill-{name}")) if out is None else nullcontext(Path(out))
            with new as path:
                chosen = drillrun.DrillOptions(name, path, asked, runs, seed, platform_options=given)
                opened = drillrun.new_drill_run(chosen, used)
        else:
            plan = drillrun.DrillFolder.open(Path(resume)).manifest()
            _refuse_changed(
                Path(resume),
                platform=(name, "", plan.platform),
                drills=(_drill_names(used, asked), [], list(plan.order)),
                runs=(runs, 1, plan.runs),
                seed=(seed, 1, plan.seed),
                options=(given, {}, dict(plan.platform_options)),
                out=(None if out is None else Path(out), None, Path(resume)),
            )
            check_ready(used, plan.platform, options=plan.platform_options)
            opened = drillrun.resume_drill_run(Path(resume), used)
        summary = drillrun.carry_out_drills(
            opened,
            stop=stop,
            on_started=lambda planned: relay.tell(on_started, planned) if on_started else None,
            on_done=lambda done: relay.tell(on_done, done) if on_done else None,
        )
        return DrillRunResult(opened.folder.path, opened.manifest, summary, used)

    return await beside(work)


def open_run(asked: RunOptions, host: PluginHost, *, resume: Path | None = None) -> OpenRun:
    """Looks over what a run needs and plans it, or opens a stopped one. Raises as ``run`` does."""
    if resume is None:
        check_ready(host, asked.platform, asked.caller, options=asked.platform_options)
        check_verdict(host)
        return new_run(asked, host)
    planned = RunFolder.open(resume).manifest()
    _refuse_changes(asked, planned, host, resume)
    check_ready(host, planned.platform, planned.caller, options=planned.platform_options)
    check_verdict(host)
    return resume_run(
        resume,
        host,
        workers=asked.workers,
        at_once=asked.at_once,
        block=asked.block,
        tools_port=asked.tools_port,
        public_url=asked.public_url,
        max_cost=asked.max_cost,
    )


def outcomes(stored: StoredRun, summary: RunSummary, folder: RunFolder) -> tuple[CallOutcome, ...]:
    """The outcome of each planned call of a run that has been read."""
    grades: dict[str, list[Grade]] = {}
    for grade in stored.grades:
        grades.setdefault(grade.call_id, []).append(grade)
    return tuple(
        CallOutcome(
            result.record,
            result.state,
            result.why,
            tuple(grades.get(result.record.call_id, ())),
            folder.call_folder(result.record.call_id),
        )
        for result in summary.calls
    )


def _result(opened: OpenRun, summary: RunSummary) -> RunResult:
    calls = outcomes(read_run(opened.folder, opened.host), summary, opened.folder)
    capped = opened.spending.reached
    return RunResult(opened.folder.path, opened.manifest, summary, calls, opened.host, capped)


def _refuse_changes(asked: RunOptions, planned: RunManifest, host: PluginHost, resume: Path) -> None:
    """A resumed run is the one that was planned."""
    default = RunOptions(platform="reference", out=resume)
    chosen = pick_tasks(host.packs(), asked.tasks) if asked.tasks else ()
    tasks = [f"{task.pack}/{task.id}" for task in chosen]
    _refuse_changed(
        resume,
        platform=(asked.platform, default.platform, planned.platform),
        tasks=(tasks, [], list(planned.tasks)),
        runs=(asked.runs, default.runs, planned.runs),
        seed=(asked.seed, default.seed, planned.seed),
        caller=(asked.caller, default.caller, planned.caller),
        line=(asked.line, default.line, planned.line),
        audio=(asked.audio, default.audio, planned.audio),
        variants=(asked.variants, default.variants, _variants_of(planned)),
        ears=(asked.engines.ears, default.engines.ears, planned.engines.get("ears")),
        options=(dict(asked.platform_options), {}, dict(planned.platform_options)),
        out=(asked.out, resume, resume),
    )


def _variants_of(planned: RunManifest) -> str:
    return "all" if planned.variant_tasks in (None, planned.tasks) else "easy"


def _refuse_changed(resume: Path, **arguments: tuple[object, object, object]) -> None:
    """``arguments`` are what was given, what stands for left out, and what was planned."""
    changed = [name for name, (given, left_out, plan) in arguments.items() if given not in (left_out, plan)]
    if changed:
        raise ValueError(f"resume goes on with {resume} as it was planned; leave out {' and '.join(changed)}")


def _check_common(
    seed: int, on_started: Callable[..., object] | None, on_done: Callable[..., object] | None
) -> None:
    if seed < 0:
        raise ValueError("seed must be at least 0")
    refuse_async(on_started=on_started, on_done=on_done)


def _by_time(name: str) -> Path:
    now = datetime.now().astimezone()
    return Path("runs") / f"{name}-{now:%Y%m%d-%H%M%S}"


def _drill_names(host: PluginHost, asked: Sequence[str]) -> list[str]:
    from offhook.drillrun import pick_drills

    return [drill.name for drill in pick_drills(host.drills(), asked)] if asked else []


def _name(record: CallRecord) -> str:
    return f"{record.key.placed} run {record.key.run}"
