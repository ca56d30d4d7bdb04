"""The cards in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from offhook.cli._output import DRAFT_MEANS, count, print_table, standing_of
from offhook.cli._pages import shown

if TYPE_CHECKING:
    from offhook.scorecard import ExamCard, LaneCard, PlatformCard, RunComparison, Scorecard
    from offhook.scoring import ScorePart
    from offhook.stats import ClusteredProportion, Proportion, Repeats

__all__ = ["show_comparison", "show_scorecard"]


def show_scorecard(card: Scorecard, *, exam: bool) -> None:
    """Platform score and lanes, or with ``exam`` the exam table."""
    _head(card.platform)
    if exam:
        _exam(card.exam)
        return
    _lanes(card.lanes)
    _failures(card.lanes)
    _platform(card.platform)


def show_comparison(comparison: RunComparison) -> None:
    base = comparison.runs[0]
    for found in comparison.against:
        for line in found.comparability.differences:
            click.echo(f"not comparable: {base} and {found.run}: {line}")
        click.echo(
            f"{found.run} against {base}: {found.difference.told}, "
            f"{count(len(found.difference.tasks), 'task')} in common"
        )
        for line in found.comparability.notes:
            click.echo(f"note: {line}")
    for name in comparison.runs:
        if standing := _standing(comparison.cards[name].platform):
            click.echo(f"{name}: {standing}")
        print_table(name, ("lane", "figures"), comparison.lanes(name).lines, whole=("lane",))
    print_table(
        "Components (a tie: the platforms' own 95 % intervals overlap, as in the published reading)",
        ("component", "run", "share", "95 %, by task", "place", "ties with"),
        [
            (
                tie.component,
                row.run,
                _share(row.share),
                _span(row.interval),
                found.place,
                ", ".join(found.ties),
            )
            for tie in comparison.ties
            for row, found in zip(tie.rows, tie.standings, strict=True)
        ],
    )
    click.echo(
        "the difference over the same tasks, above, is sharper than a tie: where it leaves out 0 although "
        "the task component is a tie, go by the difference"
    )
    _crosswalk(comparison)
    _exams(comparison)
    solved = comparison.solved
    click.echo(
        f"tasks solved by all runs {len(solved.by_all)}, by one {len(solved.by_one)}, "
        f"by none {len(solved.by_none)}"
    )
    for point in comparison.costs:
        best = ", on the frontier" if point.frontier else ""
        click.echo(
            f"cost: {point.name} {_money(point.cost_usd)} a call, completes {point.completion:.0%}{best}"
        )
    for found_test in comparison.conditions:
        click.echo(f"{found_test.run}, {found_test.audio} against clean: {found_test.told}")


def _exams(comparison: RunComparison) -> None:
    exams = [(name, comparison.cards[name].exam) for name in comparison.runs]
    pooled = comparison.pooled
    print_table(
        "Exam, with 95 % intervals as for independent calls and clustered by task",
        ("run", "completes", "passed", "independent", "by task"),
        [
            *((name, *_rate(exam.completion), _span(exam.clustered.interval)) for name, exam in exams),
            # Calls of several runs on the same tasks are not independent, so there is no such interval.
            ("pooled", *_rate(pooled)[:2], "", _span(pooled.interval)),
        ],
        whole=("passed", "completes"),
    )
    print_table(
        "Repeats and cost",
        ("run", "SD of runs, points", "tasks always/mixed/never", "cost a call"),
        [(name, _sd(exam), _steady(exam), _money(exam.costs.mean_usd)) for name, exam in exams],
    )


def _head(platform: PlatformCard) -> None:
    from offhook.scorecard._stamp import DRAFT

    c = platform.counts
    run = shown(f"{platform.run_id} ({platform.platform}), {platform.stamp}")
    click.echo(
        f"{run}: {count(c.planned, 'call')} planned, "
        f"{c.ran} ran, {c.graded} graded, {c.void} void, {c.error} in error, {c.missing} not placed"
    )
    if standing := _standing(platform):
        click.echo(standing)
    if platform.stamp == DRAFT:
        click.echo(DRAFT_MEANS)


def _standing(platform: PlatformCard) -> str:
    return shown(standing_of(platform.platform, platform.harness_reference))


def _lanes(lanes: LaneCard) -> None:
    by = f", task by {lanes.task.judge}" if lanes.task.judge else ""
    print_table(f"Five lanes, never blended{by}", ("lane", "figures"), lanes.lines, whole=("lane",))
    click.echo(
        f"task: {lanes.task.passed} passed, {lanes.task.failed} failed, "
        f"{lanes.task.measured_failures} measured failures, {lanes.task.unclear} unclear, "
        f"{lanes.task.not_judged} not judged; {_pass_k(lanes.task.pass_k)}"
    )
    for group in lanes.robustness.groups:
        if group.interval is not None:
            click.echo(f"robustness: {group.told}")
    for bar in lanes.stability.bars:
        click.echo(f"stability: {bar.told}")


def _failures(lanes: LaneCard) -> None:
    found = lanes.failures
    rows = [("filed", reason.reason, reason.calls) for reason in found.filed]
    rows += [("attributed", reason.reason, reason.calls) for reason in found.causes]
    if rows:
        print_table("Why calls fail (a call may be filed under several)", ("by", "reason", "calls"), rows)
    elif found.failed:
        click.echo(f"{count(found.failed, 'failed call')}, none filed under a reason")


def _platform(platform: PlatformCard) -> None:
    score = platform.score
    print_table(
        "Platform score",
        ("part", "points", "of", "how"),
        [
            *((part.name, _points(part.points), f"{part.out_of:g}", _how(part)) for part in score.parts),
            ("total", _points(score.points), f"{score.out_of:g}", ""),
        ],
        whole=("part",),
    )
    if (waits := platform.latency) is not None:
        click.echo(
            f"latency points, by the published rule: median {waits.median_s:.2f} s, p95 {waits.p95_s:.2f} s "
            f"({count(waits.turns, 'turn')} of clean calls); the speed lane has our own measure of the waits"
        )
    print_table(
        "Pass rates",
        ("calls", "share", "passed", "95 % interval"),
        [
            ("clean, as independent calls", *_rate(platform.plain)),
            ("clean, clustered by task", *_rate(platform.clustered)),
            *((f"{found.audio}, reported apart", *_rate(found.rate)) for found in platform.variants),
            *((f"clean, {tier.tier}", *_rate(tier.rate)) for tier in platform.tiers),
        ],
    )
    steady = platform.pass_k
    observed = "" if steady.all_passed_share is None else f"; observed always {steady.all_passed_share:.0%}"
    click.echo(f"{_pass_k(steady)}{observed}")
    models = "".join(f"; {found.layer} {found.model}: {found.calls}" for found in platform.model_failures)
    click.echo(f"failures of models that the benchmark chose (F_M): {platform.f_m}{models}")


def _exam(exam: ExamCard) -> None:
    table = exam.exclusions
    print_table(
        "Completion",
        ("over", "share", "passed", "95 % interval"),
        [
            ("before exclusions", *_rate(table.before)),
            ("counted", *_rate(exam.completion)),
            ("counted, clustered by task", *_rate(exam.clustered)),
        ],
    )
    kinds = ", ".join(f"{kind} {number}" for kind, number in table.kinds)
    click.echo(f"{count(table.excluded, 'call')} excluded ({kinds}); {table.passing} of them had passed")
    print_table(
        f"Over {count(exam.with_verdict, 'call')} with a verdict",
        ("assertion", "share", "held", "95 % interval"),
        [
            *((found.name, *_rate(found.rate)) for found in exam.assertions),
            ("contained (no transfer)", *_rate(exam.containment)),
        ],
    )
    print_table(
        "How calls ended",
        ("end", "calls", "passed"),
        [(str(end.end), end.calls, end.passed) for end in exam.ends],
    )
    print_table(
        "Completion by trait",
        ("trait", "value", "share", "passed", "95 % interval"),
        [(cut.name, row.name, *_rate(row.rate)) for cut in exam.cuts for row in cut.rows],
    )
    click.echo("\n".join(_exam_lines(exam)))


def _exam_lines(exam: ExamCard) -> Iterable[str]:
    barge_ins, soundex = exam.barge_ins.per_100_calls, exam.soundex
    yield f"transfers: {exam.transfers}"
    yield f"run to run: {exam.spread.told}"
    yield f"tasks: {exam.steady.told}"
    yield f"cost: {exam.costs.told}"
    yield f"agent barge-ins per 100 calls: {'not measured' if barge_ins is None else f'{barge_ins:.0f}'}"
    yield (
        "passes that rest on a name matched by sound alone: "
        f"{f'{soundex.passes} of {soundex.told} calls that say' if soundex.told else 'not measured'}"
    )


def _crosswalk(comparison: RunComparison) -> None:
    walk = comparison.crosswalk
    rows = [
        (row.scenario, row.audio, *(_count(found) for found in row.counts), "; ".join(row.changes))
        for row in walk.rows
        if row.changed
    ]
    title = f"Crosswalk: {walk.changed} of {count(len(walk.rows), 'row')} changed"
    if rows:
        print_table(title, ("task", "audio", *walk.runs, "change"), rows)
    else:
        click.echo(title)


def _count(found: Sequence[int]) -> str:
    return f"{found[0]} of {found[1]}" if found[1] else "none"


def _rate(found: Proportion | ClusteredProportion) -> tuple[str, str, str]:
    if found.share is None:
        return "not measured", "", ""
    return f"{found.share:.1%}", f"{found.passes:g} of {found.n:g}", _span(found.interval)


def _span(interval: object) -> str:
    from offhook.stats import Interval

    return f"{interval.low:.0%} to {interval.high:.0%}" if isinstance(interval, Interval) else ""


def _share(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.0%}"


def _how(part: ScorePart) -> str:
    return "; ".join(filter(None, (part.computation, part.note)))


def _points(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.1f}"


def _money(value: float | None) -> str:
    return "not measured" if value is None else f"${value:.3f}"


def _sd(exam: ExamCard) -> str:
    return "not measured" if exam.spread.sd is None else f"{exam.spread.sd * 100:.1f}"


def _pass_k(found: Repeats) -> str:
    return found.told if found.measured else f"pass^{found.k} {found.told}"


def _steady(exam: ExamCard) -> str:
    steady = exam.steady
    return f"{steady.always}/{steady.mixed}/{steady.never}" if steady.measured else "not measured"
