"""What ``run`` and ``demo`` share: carrying a run out with progress, Ctrl-C and a table at the end."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Protocol, TypeVar

import attrs
import click

from offhook.cli._before import NotReady
from offhook.cli._errors import ExitCode
from offhook.cli._output import DRAFT_MEANS, count, print_json, print_table, standing_of, tell_failed_graders
from offhook.cli._progress import RunProgress
from offhook.report import holds_sound, write_report

if TYPE_CHECKING:
    from offhook.defects import FailurePattern, LiveTracker
    from offhook.runner import Done, OpenRun
    from offhook.scoring import Rate, RunSummary
    from offhook.storage import RunFolder

__all__ = ["Tells", "carry_out_and_show", "in_thread", "is_incomplete", "say_trying", "show_summary"]

T = TypeVar("T")


def carry_out_and_show(run: OpenRun, *, as_json: bool, fail_under: float | None = None) -> ExitCode:
    """Places the calls that are left, writes the report, prints the result, and says how it ended.

    The first Ctrl-C, or SIGTERM, lets the calls in flight finish; the second stops at once. Either way
    finished calls are kept. ``fail_under`` is the percentage of graded calls that must pass.

    Raises:
        NotReady: the platform says that it will take no call at all.
    """
    from offhook.defects import LiveTracker
    from offhook.platforms import PlatformUnusable
    from offhook.runner import PUBLIC_PORT, carry_out, is_routed, read_run

    for problem in run.problems:
        click.echo(f"warning: {problem}", err=True)
    if run.options.public_url and is_routed(run.host.adapters()[run.options.platform]):
        port = run.options.tools_port or PUBLIC_PORT
        click.echo(f"tools are served on 127.0.0.1:{port}, for {run.options.public_url}", err=True)
    if run.spending.is_blind:
        name = run.options.platform
        click.echo(
            f"{name} names no price beforehand: the first call is placed alone, and the others only if it "
            "tells what it cost",
            err=True,
        )
    go_on = f"go on with: offhook run --resume {run.folder.path}"
    stop = threading.Event()
    terminal = sys.stderr.isatty()
    with RunProgress(len(run.calls), len(run.calls) - len(run.todo), terminal=terminal) as progress:
        tracker = LiveTracker(run.manifest.run_id)

        def finished(done: Done) -> None:
            progress.finished(done)
            if done.passed is False and (pattern := _repeats(run, tracker, done.planned.call_id)):
                progress.say(f"repeats: {pattern.told}")

        try:
            summary = in_thread(
                lambda: carry_out(run, stop=stop, on_started=progress.started, on_done=finished),
                stop,
                progress,
                f"Run: {run.folder.path}\n{go_on}",
            )
        except PlatformUnusable as error:
            kept = " (with the same --option values; begin a new run to change one)"
            hint = f"once that is mended, {go_on}{kept if run.options.platform_options else ''}"
            raise NotReady(f"{run.options.platform}: {error}; {hint}") from error
    show_summary(run.folder, summary, as_json=as_json)
    failed = tell_failed_graders(read_run(run.folder, run.host).grades)
    click.echo("writing the report ...", err=True)
    page = write_report(run.folder, run.host)
    if not as_json:
        click.echo(f"Report: {page}")
    if run.options.line != "text" and not holds_sound(run.folder):
        click.echo(
            f"too many calls for sound in the page; to listen: offhook view {run.folder.path}", err=True
        )
    if progress.lost:
        were = "was" if progress.lost == 1 else "were"
        click.echo(f"{count(progress.lost, 'call')} {were} lost; {go_on}", err=True)
    if stop.is_set() and progress.done < len(run.todo):
        click.echo(f"stopped; {go_on}", err=True)
        return ExitCode.INTERRUPTED
    if (capped := run.spending.reached) is not None:
        how = ", without --max-cost" if capped.blind else f" --max-cost {_cents(capped.least)} or more"
        click.echo(f"{capped}; {go_on}{how}", err=True)
        return ExitCode.SPENDING_CAP
    below = fail_under is not None and _is_below(summary, fail_under)
    short = is_incomplete(summary) or progress.lost or failed or below
    return ExitCode.CALLS_IN_ERROR if short else ExitCode.DONE


def _cents(usd: float) -> str:
    """Rounded up to whole cents."""
    return f"{math.ceil(round(usd * 100, 6)) / 100:.2f}"


def _repeats(run: OpenRun, tracker: LiveTracker, call_id: str) -> FailurePattern | None:
    """A way of failing that this failed call repeats, raised while there is time to stop the run."""
    from offhook.runner import current_versions
    from offhook.storage import StorageError

    try:
        record = run.folder.record(call_id)
        return tracker.see(
            record, run.folder.grades(call_id, current_versions(run.folder, run.host, run.manifest))
        )
    except StorageError:
        return None  # damage is told where the run is read


def is_incomplete(summary: RunSummary) -> bool:
    """Whether a planned call came to no grade, however it was re-run."""
    return bool(summary.error or summary.void)


def _is_below(summary: RunSummary, wanted: float) -> bool:
    """Whether fewer of the graded calls pass than wanted, in percent; said in one line if so."""
    if not summary.graded:
        click.echo(f"no call was graded, so --fail-under {wanted:g} is not met", err=True)
        return True
    share = 100 * summary.passed / summary.graded
    if share < wanted:
        click.echo(f"{share:.1f} % of the graded calls pass, --fail-under is {wanted:g}", err=True)
    return share < wanted


def say_trying() -> None:
    """What takes the first seconds of a run."""
    click.echo("trying the engines ...", err=True)


def show_summary(folder: RunFolder, summary: RunSummary, *, as_json: bool) -> None:
    """The task table and the score, or one JSON object."""
    if as_json:
        print_json(_as_json(folder.path, summary))
    else:
        _print_summary(summary)


class Tells(Protocol):
    """Shows progress on a terminal."""

    def say(self, text: str) -> None: ...

    def close(self) -> None: ...


def in_thread(
    work: Callable[[], T], stop: threading.Event, progress: Tells, last_words: str, *, things: str = "calls"
) -> T:
    """Runs the blocking work beside the main thread, which stays free to take signals. ``last_words`` are
    said when it is stopped at once; ``things`` is what it works through.
    """
    outcome: list[T] = []
    failure: list[BaseException] = []

    def target() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # raised again on the main thread
            failure.append(error)

    def interrupted(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            progress.say(f"stopped at once; {things} in flight are dropped, finished {things} are kept")
            progress.close()
            click.echo(last_words, err=True)
            os._exit(ExitCode.INTERRUPTED)  # worker processes see it and end too
        stop.set()
        progress.say(f"finishing the {things} in flight; Ctrl-C again stops at once")

    before = {number: signal.signal(number, interrupted) for number in (signal.SIGINT, signal.SIGTERM)}
    thread = threading.Thread(target=target, daemon=True)
    try:
        thread.start()
        while thread.is_alive():
            thread.join(0.2)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if failure:
        raise failure[0]
    return outcome[0]


def _as_json(folder: Path, summary: RunSummary) -> dict[str, object]:
    score = summary.score
    return {
        "run": str(folder),
        "platform": summary.platform,
        "harness_reference": summary.harness_reference,
        "draft": summary.frozen is None,
        "manifest": None if summary.frozen is None else attrs.asdict(summary.frozen),
        "planned": summary.planned,
        "ran": summary.ran,
        "graded": summary.graded,
        "passed": summary.passed,
        "void": summary.void,
        "error": summary.error,
        "missing": summary.missing,
        "voided_attempts": summary.voided_attempts,
        "short_tasks": [str(short) for short in summary.shortfalls],
        "latency_unreliable_calls": summary.kept_up.late,
        "frames_late_p99_ms": summary.kept_up.worst_p99_ms,
        "score": score.points,
        "score_out_of": score.out_of,
        "score_parts": {part.name: part.points for part in score.parts},
        "variants": {audio: rate and attrs.asdict(rate) for audio, rate in summary.variants.items()},
    }


def _print_summary(summary: RunSummary) -> None:
    # A column is only worth its width where something is in it; beside more counts the title has none left.
    counts = (("planned", "planned"), ("void", "void"), ("re-run", "voided"), ("error", "error"))
    uneven = summary.graded < summary.planned or bool(summary.voided_attempts)
    extra = [
        (name, field)
        for name, field in counts
        if uneven and any(getattr(row, field) for row in summary.tasks)
    ]
    print_table(
        f"{summary.run_id} ({summary.stamp}): {count(summary.planned, 'call')} planned, "
        f"{summary.ran} ran, {summary.graded} graded, {summary.void} void, {summary.error} in error, "
        f"{summary.missing} not placed",
        ("task", *(() if extra else ("title",)), "tier", "passed", "graded", *(name for name, _ in extra)),
        [
            (
                row.placed,
                *(() if extra else (row.title,)),
                row.tier,
                row.passes,
                row.graded,
                *(getattr(row, field) for _, field in extra),
            )
            for row in summary.tasks
        ],
        whole=("task",),
    )
    for result in summary.calls:
        if result.state != "passed":
            key = result.record.key
            click.echo(f"{result.state}: {key.placed} run {key.run} ({result.record.call_id}): {result.why}")
    for short in summary.shortfalls:
        click.echo(str(short))
    print_table(
        f"Score{_remark(summary)}",
        ("part", "points", "of", "how"),
        [
            *(
                (
                    part.name,
                    _points(part.points),
                    f"{part.out_of:g}",
                    "; ".join(filter(None, (part.computation, part.note))),
                )
                for part in summary.score.parts
            ),
            ("total", _points(summary.score.points), f"{summary.score.out_of:g}", _interval(summary)),
        ],
        whole=("part",),
    )
    for audio, rate in summary.variants.items():
        click.echo(f"{audio}, beside the score: {_told(rate)}")
    if summary.frozen is None:
        click.echo(DRAFT_MEANS)
    _tell_late(summary)


def _tell_late(summary: RunSummary) -> None:
    if summary.kept_up.late:
        click.echo(
            f"latency unreliable in {summary.kept_up.told}: this machine could not keep up; "
            "use fewer --at-once or --workers, or let it do nothing else meanwhile"
        )


def _remark(summary: RunSummary) -> str:
    standing = standing_of(summary.platform, summary.harness_reference)
    return f" ({standing})" if standing else ""


def _points(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.1f}"


def _interval(summary: RunSummary) -> str:
    return _told(summary.rate)


def _told(rate: Rate | None) -> str:
    if rate is None:
        return "no graded call"
    interval = f"95 % interval {rate.low:.0%} to {rate.high:.0%}"
    return f"{rate.passes} of {rate.n} calls pass, {rate.share:.0%} ({interval})"
