"""``offhook power``: how many calls tell two platforms apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, open_run, print_json, tell_damage

if TYPE_CHECKING:
    from offhook.runner import Damaged
    from offhook.stats import CallPlan

__all__ = ["power"]

_TASKS = 90
_RUNS = 5
_ICC = 0.3


@attrs.frozen
class _Basis:
    """What a run taught, or what is assumed; ``said`` says which."""

    rate: float | None
    tasks: int
    runs: int
    icc: float
    said: str
    damaged: tuple[Damaged, ...] = ()


@click.command(
    epilog="""\b
Examples:
  offhook power --rates 0.80 0.85
  offhook power --rates 0.80 0.85 --tasks 24 --runs 3 --icc 0.5
  offhook power --rate 0.80 --tasks 24 --runs 3
  offhook power --from runs/nightly
  offhook power --from runs/nightly --rates 0.80 0.85 --json
"""
)
@click.option(
    "--rates",
    type=click.FloatRange(0, 1),
    nargs=2,
    metavar="A B",
    help="Pass rates of the two platforms, such as 0.80 0.85.",
)
@click.option("--rate", type=click.FloatRange(0, 1), help="One pass rate: only ask what can be told from it.")
@click.option("--tasks", type=click.IntRange(min=1), help=f"Tasks.  [default: {_TASKS}, or the run's]")
@click.option(
    "--runs", type=click.IntRange(min=1), help=f"Calls of each task.  [default: {_RUNS}, or the run's]"
)
@click.option(
    "--icc",
    type=click.FloatRange(0, 1),
    help="How alike the calls of one task are: 0 not at all, 1 all pass or all fail.  "
    f"[default: {_ICC}, or the run's]",
)
@click.option(
    "--deff", type=click.FloatRange(min=1), help="A design effect instead of --icc: 1 + (runs - 1) x icc."
)
@click.option(
    "--correlation",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    show_default=True,
    help="Of the two platforms' pass rates over the tasks. Above 0, fewer calls do.",
)
@click.option(
    "--power",
    "wanted",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="Chance of telling them apart.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Chance of telling equal ones apart.",
)
@click.option(
    "--from",
    "run",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="A run whose graded clean calls give rate, tasks, runs and icc.",
)
@json_option
@click.pass_context
def power(
    ctx: click.Context,
    rates: tuple[float, float] | None,
    rate: float | None,
    tasks: int | None,
    runs: int | None,
    icc: float | None,
    deff: float | None,
    correlation: float,
    wanted: float,
    alpha: float,
    run: Path | None,
    as_json: bool,
) -> int:
    """Say how many calls tell two platforms apart.

    Each platform gets the same tasks, several times each. Calls of one task are alike, so they tell less than
    as many calls of different tasks: --icc says how alike. Prints the chance of telling the two apart with
    these calls, how many calls it takes, and what difference these calls can tell. With --from, damaged
    calls are named and left out; then the exit code is 1.
    """
    from offhook.stats import CallPlan

    if rates and rate is not None:
        raise click.UsageError("give --rates A B or --rate, not both", ctx)
    if icc is not None and deff is not None:
        raise click.UsageError("give --icc or --deff, not both", ctx)
    if not rates and rate is None and run is None:
        raise click.UsageError("name two pass rates, such as --rates 0.80 0.85, or a run with --from", ctx)
    if rates and rates[0] == rates[1]:
        raise click.UsageError("no number of calls tells equal rates apart", ctx)
    if wanted <= alpha:
        raise click.UsageError("--power must lie above --alpha", ctx)
    basis = _of_run(run, ctx) if run else _Basis(None, _TASKS, _RUNS, _ICC, "")
    tasks, runs = tasks or basis.tasks, runs or basis.runs
    if deff is not None:
        icc = _icc_of(deff, runs, ctx)
    said = basis.said if icc is None else ""
    base = rates[0] if rates else basis.rate if rate is None else rate
    assert base is not None  # one of the three was given
    try:
        plan = CallPlan(tasks, runs, basis.icc if icc is None else icc, correlation, alpha)
        answer = _answer(plan, base, rates[1] if rates else None, wanted)
    except ValueError as error:  # a nan passes for a number in every range
        raise click.UsageError(str(error), ctx) from error
    if as_json:
        print_json(_as_json(answer, said))
    else:
        click.echo("\n".join(_lines(answer, said)))
    tell_damage(basis.damaged)
    return ExitCode.CALLS_IN_ERROR if basis.damaged else ExitCode.DONE


def _of_run(path: Path, ctx: click.Context) -> _Basis:
    from offhook.host import PluginHost
    from offhook.runner import read_run, summarise
    from offhook.scoring import CLEAN
    from offhook.stats import design_effect

    host = PluginHost.discover()
    stored = read_run(open_run(path), host)
    rows = [row for row in summarise(stored, host).tasks if row.audio == CLEAN]
    design = design_effect((row.passes, row.graded) for row in rows)
    if design is None:
        raise click.UsageError(f"{path} has no graded clean call", ctx)
    calls = sum(n for _, n in design.counts)
    rate = sum(passes for passes, _ in design.counts) / calls
    shape = f"{count(calls, 'graded call')} of {count(len(design.counts), 'task')}"
    if design.estimable and design.cap > 1:
        icc, said = design.icc, f"from {shape}"
    else:
        icc, said = _ICC, f"assumed: {shape} can't tell it"
    return _Basis(rate, len(design.counts), max(1, round(design.cap)), icc, said, stored.damaged)


def _icc_of(deff: float, runs: int, ctx: click.Context) -> float:
    if deff > runs:
        raise click.UsageError(f"--deff can't be above the number of runs ({runs})", ctx)
    return (deff - 1) / (runs - 1) if runs > 1 else 0.0


@attrs.frozen
class _Answer:
    """What ``plan`` can do around ``rate``; the fields about ``second`` are None where only one is given."""

    plan: CallPlan
    rate: float
    wanted: float
    below: float | None
    above: float | None
    second: float | None = None
    power: float | None = None
    tasks_needed: int | None = None
    runs_needed: int | None = None


def _answer(plan: CallPlan, rate: float, second: float | None, wanted: float) -> _Answer:
    answer = _Answer(plan, rate, wanted, *plan.detectable(rate, power=wanted))
    if second is None:
        return answer
    return attrs.evolve(
        answer,
        second=second,
        power=plan.power(rate, second),
        tasks_needed=plan.tasks_needed(rate, second, power=wanted),
        runs_needed=plan.runs_needed(rate, second, power=wanted),
    )


def _as_json(answer: _Answer, said: str) -> dict[str, object]:
    plan = answer.plan
    found: dict[str, object] = {
        **attrs.asdict(plan),
        "icc_from": said or "given or assumed",
        "calls": plan.calls,
        "design_effect": plan.deff,
        "effective_n": plan.effective_n,
        "rate": answer.rate,
        "wanted_power": answer.wanted,
        "tells_below": answer.below,
        "tells_above": answer.above,
    }
    if answer.tasks_needed is not None:
        found |= {
            "second_rate": answer.second,
            "power": answer.power,
            "tasks_needed": answer.tasks_needed,
            "calls_needed": answer.tasks_needed * plan.runs,
            "runs_needed": answer.runs_needed,
        }
    return found


def _lines(answer: _Answer, said: str) -> Iterator[str]:
    plan, wanted = answer.plan, _percent(answer.wanted)
    runs, rate = count(plan.runs, "run"), _percent(answer.rate)
    yield (
        f"{count(plan.tasks, 'task')} x {runs} = {count(plan.calls, 'call')} to each platform; "
        f"calls of one task alike (ICC) {plan.icc:.2f}{f', {said}' if said else ''}."
    )
    yield f"Design effect {plan.deff:.2f}: they tell as much as {plan.effective_n:.1f} independent calls."
    if answer.second is not None and answer.power is not None and answer.tasks_needed is not None:
        calls = count(answer.tasks_needed * plan.runs, "call")
        yield f"Chance of telling {rate} from {_percent(answer.second)}: {_percent(answer.power)}."
        needed = count(answer.tasks_needed, "task")
        yield f"To have a chance of {wanted} takes {needed} x {runs} = {calls} to each platform."
        tasks = count(plan.tasks, "task")
        if answer.runs_needed is None:
            yield f"With {tasks}, no number of runs is enough."
        else:
            yield f"With {tasks}, {count(answer.runs_needed, 'run')} of each will do."
    sides = [
        f"{_percent(end)} or {word}"
        for end, word in ((answer.below, "less"), (answer.above, "more"))
        if end is not None
    ]
    told = f"{rate} from {', and from '.join(sides)}" if sides else f"no other rate from {rate}"
    yield f"With a chance of {wanted} these calls tell {told}."


def _percent(share: float) -> str:
    """A tenth of a point, left out where it is 0."""
    return f"{share * 100:.1f}".removesuffix(".0") + "%"
