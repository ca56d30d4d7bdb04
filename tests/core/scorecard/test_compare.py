"""Runs beside each other: what differs, what is a tie, and what may not be compared."""

from __future__ import annotations

import re
from typing import Any

import attrs
import pytest

from offhook.cli._cards import show_comparison, show_scorecard
from offhook.grading import Grade, GradeKind
from offhook.records import CallRecord, ComponentInfo, FrozenStamp
from offhook.scorecard import (
    CardInput,
    comparability,
    compare_page,
    compare_runs,
    component_ties,
    condition_tests,
    scorecard,
    scorecard_page,
)
from offhook.scoring import summarise_run
from offhook.stats import newcombe_same_tasks, wilson
from tests.core.scorecard._built import Built, build, call, graded

BASE = {"S1": 5, "S2": 4, "S3": 2, "S4": 0}
BETTER = {"S1": 5, "S2": 5, "S3": 5, "S4": 1}


def run_of(passes: dict[str, int], **changes: Any) -> CardInput:
    calls = [call(task, run, run <= passes[task]) for task in passes for run in range(1, 6)]
    return build(calls, **changes)


# --- the difference and the crosswalk ---


def test_the_difference_is_over_the_tasks_that_both_have() -> None:
    other = run_of({**BETTER, "S9": 5}, run_id="other")
    found = compare_runs({"base": run_of(BASE), "other": other}).against[0].difference
    expected = newcombe_same_tasks(
        {task: (passes, 5) for task, passes in BETTER.items()},
        {task: (passes, 5) for task, passes in BASE.items()},
    )

    assert found.tasks == ("shop/S1", "shop/S2", "shop/S3", "shop/S4")
    assert found.left_out == ("shop/S9",)
    assert found.value == pytest.approx(0.25)
    assert found.interval == expected.interval


def test_conditions_that_one_run_lacks_are_left_out_and_not_mixed_in() -> None:
    noisy = [call(task, run, False, audio="cafe") for task in BASE for run in range(1, 6)]
    with_noise = run_of(BASE)
    more = build(noisy)
    both = attrs.evolve(
        with_noise,
        records=with_noise.records + more.records,
        grades=with_noise.grades + more.grades,
    )
    found = compare_runs({"base": run_of(BASE), "both": both}).against[0].difference

    assert found.value == 0
    assert found.second.n == 20


def test_conditions_that_were_judged_in_one_run_alone_are_left_out() -> None:
    clean = [call("S1", run) for run in (1, 2)]
    noisy = [call("S1", run, False, audio="cafe") for run in (1, 2)]
    lost = [each.having(ending="error", cause="the disk was full") for each in noisy]
    found = compare_runs({"base": build([*clean, *lost]), "other": build([*clean, *noisy])}).against[0]

    assert found.difference.value == 0
    assert found.difference.first.n == found.difference.second.n == 2


def test_the_crosswalk_says_which_tasks_changed() -> None:
    walk = compare_runs({"base": run_of(BASE), "other": run_of(BETTER)}).crosswalk
    rows = {row.scenario: (row.counts, row.changes) for row in walk.rows}

    assert walk.changed == 3
    assert rows["shop/S1"] == (((5, 5), (5, 5)), ("same",))
    assert rows["shop/S3"] == (((2, 5), (5, 5)), ("passes more often",))
    assert walk.rows[-1].scenario == "shop/S1"  # what did not change comes last


def test_a_task_that_passes_less_often_comes_first() -> None:
    worse = {**BETTER, "S2": 0}
    walk = compare_runs({"base": run_of(BASE), "other": run_of(worse), "third": run_of(BASE)}).crosswalk

    assert (walk.rows[0].scenario, walk.rows[0].changes) == ("shop/S2", ("passes less often", "same"))


def test_equal_shares_of_different_counts_are_no_change() -> None:
    fewer = build([call("S1", 1)])
    walk = compare_runs({"base": run_of({"S1": 5}), "other": fewer}).crosswalk

    assert walk.rows[0].changes == ("same",)


def test_a_task_that_was_not_judged_is_told() -> None:
    void = build([call("S1").having(ending="void", cause="phantom: nobody spoke").without("tool-adherence")])
    walk = compare_runs({"base": run_of({"S1": 5, "S2": 1}), "other": void}).crosswalk

    assert {row.scenario: row.changes for row in walk.rows} == {
        "shop/S1": ("not judged",),
        "shop/S2": ("only in one",),
    }


def test_who_solved_what_and_the_pooled_completion() -> None:
    found = compare_runs({"base": run_of(BASE), "other": run_of(BETTER)})

    assert found.solved.by_all == ("shop/S1", "shop/S2", "shop/S3")
    assert found.solved.by_one == ("shop/S4",)
    assert (found.pooled.passes, found.pooled.n) == (27, 40)


def test_one_run_is_no_comparison() -> None:
    with pytest.raises(ValueError, match="at least two runs, got 1"):
        compare_runs({"base": run_of(BASE)})


# --- what may be compared ---


def component(name: str, version: str) -> ComponentInfo:
    return ComponentInfo(name, "offhook", version)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"tasks": ("shop/S1",)}, "tasks: shop/S2, shop/S3, shop/S4 only in built"),
        ({"line": "text"}, "line: audio and text"),
        ({"audio": ("cafe", "clean")}, "audio conditions: clean and cafe, clean"),
        (
            {"audio": ("clean", "cafe"), "variant_tasks": ()},
            "audio conditions: clean and clean, cafe",
        ),
        ({"caller": "improvised"}, "caller: scripted and improvised"),
        ({"agents": {"shop": "b"}}, "agent instructions shop (a and b)"),
        ({"packs": {"shop": "2"}}, "content of pack shop (1 and 2)"),
        ({"engines": {"vad": "other", "ears": "x"}}, "engine vad (silero and other)"),
        (
            {"components": (component("caller:scripted", "2"),)},
            "version of caller:scripted (offhook 1 and offhook 2)",
        ),
        (
            {"frozen": FrozenStamp("1.0.0", "ab" * 32)},
            "stamp: draft and manifest 1.0.0 (SHA-256 abababababab)",
        ),
    ],
)
def test_what_can_change_a_score_makes_runs_incomparable(changes: dict[str, Any], line: str) -> None:
    shared: dict[str, Any] = {
        "agents": {"shop": "a"},
        "packs": {"shop": "1"},
        "engines": {"vad": "silero", "ears": "x"},
        "components": (component("caller:scripted", "1"),),
    }
    found = comparability(run_of(BASE, **shared), run_of(BASE, **{**shared, **changes}))

    assert found.differences == (line,)
    assert not found.comparable


def test_other_grader_versions_make_runs_incomparable() -> None:
    data = run_of(BASE)
    newer = attrs.evolve(data, grades=tuple(attrs.evolve(grade, version="2") for grade in data.grades))
    more = attrs.evolve(data, grades=(*data.grades, graded("attribution")))

    assert comparability(data, newer).differences == ("version of grader tool-adherence (1 and 2)",)
    assert comparability(data, more).differences == ("version of grader attribution (none and 1)",)


def test_findings_that_enter_no_score_are_only_noted() -> None:
    data = run_of(BASE)
    finding = attrs.evolve(graded("critic"), kind=GradeKind.FINDING)
    cause = attrs.evolve(graded("attribution"), kind=GradeKind.FINDING)
    judged = attrs.evolve(data, grades=(*data.grades, finding))
    caused = attrs.evolve(data, grades=(*data.grades, cause))

    assert comparability(data, judged).comparable
    assert comparability(data, judged).notes == ("findings of other versions: critic (none and 1)",)
    assert comparability(data, judged, judge="critic").differences == (
        "version of grader critic (none and 1)",
    )
    assert not comparability(data, caused).comparable


def test_the_platform_is_what_is_compared() -> None:
    first = run_of(
        BASE,
        platform="acme",
        engines={"ears": "tiny", "careful_ears": "base"},
        components=(component("adapter:acme", "1"), component("listener:tiny", "1")),
        platform_options={"voice": "a"},
    )
    second = run_of(
        BASE,
        platform="other",
        seed=2,
        runs=6,
        planned=24,
        engines={"ears": "base", "careful_ears": "base"},
        components=(component("adapter:acme", "2"), component("listener:tiny", "2")),
    )
    found = comparability(first, second)

    assert found.comparable
    assert found.notes == (
        "seeds differ (1 and 2): the calls vary otherwise than from run to run",
        "runs of each task differ (5 and 6)",
        "the platform's ears differ (tiny and base)",
        "built lacks 4 of 24 planned calls",
    )


# --- ties ---


def heard(built: Built, errors: int, wait: float) -> Built:
    hearing = {"substitutions": float(errors), "deletions": 0.0, "insertions": 0.0, "reference_words": 20.0}
    told = {"latencies_s": {"published": [wait, wait + 0.1], "ours": [wait]}}
    return built.having(graded("hearing", hearing), graded("latency", {}, told))


def measured(errors: int, wait: float, passes: int) -> CardInput:
    return build(
        [
            heard(call(f"S{task}", run, run <= passes), errors + task % 2, wait + task / 10)
            for task in range(6)
            for run in (1, 2)
        ]
    )


def test_components_are_ties_where_their_intervals_overlap() -> None:
    runs = {"a": measured(1, 1.0, 2), "b": measured(1, 1.05, 1), "c": measured(12, 3.5, 0)}
    ties = {found.component: found for found in component_ties(runs)}

    assert list(ties) == ["task", "hearing", "latency"]
    assert ties["hearing"].standings[0].ties == ("b",)
    assert ties["hearing"].standings[2].ties == ()
    assert ties["hearing"].standings[2].place == "3"
    assert ties["latency"].standings[1].ties == ("a",)
    assert ties["task"].standings[2].ties == ("b",)  # 0 of 12 and 6 of 12 overlap, 12 of 12 is apart


def test_shares_of_components_are_those_of_the_score() -> None:
    data = measured(3, 1.5, 2)
    score = summarise_run(data.manifest, data.records, data.grades).score
    rows = {found.component: found.rows[0] for found in component_ties({"a": data})}

    for name in ("task", "hearing", "latency"):
        part, row = score.part(name), rows[name]
        assert part.points is not None
        assert row.share == pytest.approx(part.points / part.out_of), name
        assert row.interval is not None
        assert row.interval.low <= part.points / part.out_of <= row.interval.high


def test_a_void_call_is_in_no_component() -> None:
    void = heard(call("S1", passed=False), 20, 30.0).having(graded("attribution", {"cause": 3.0}))
    kept = [heard(call(f"S{task}"), 1, 1.0) for task in (2, 3)]
    shares = [found.rows[0].share for found in component_ties({"a": build([*kept, void])})]

    assert shares == [found.rows[0].share for found in component_ties({"a": build(kept)})]


def test_meaning_and_facts_enter_the_share_as_they_enter_the_score() -> None:
    extra = {"semantic_errors": 1.0, "facts_needed": 4.0, "facts_heard": 3.0}
    numbers = {"substitutions": 3.0, "deletions": 1.0, "insertions": 0.0, "reference_words": 20.0, **extra}
    calls = [call(f"S{n}").having(graded("hearing", numbers)) for n in range(3)]
    calls += [
        call(f"S{n}", audio="cafe").having(graded("hearing", {**numbers, "deletions": 9.0})) for n in range(3)
    ]
    data = build(calls)
    part = summarise_run(data.manifest, data.records, data.grades).score.part("hearing")
    (row,) = component_ties({"a": data})[1].rows

    assert part.points is not None
    assert row.share == pytest.approx(part.points / part.out_of)


def test_what_a_tie_is_stands_beside_it_and_intervals_say_how_they_were_made(
    capsys: pytest.CaptureFixture[str],
) -> None:
    both = compare_runs({"a": run_of(BASE), "b": run_of(BETTER)})
    show_comparison(both)
    shown = capsys.readouterr().out

    assert "Components (a tie: the platforms' own 95 % intervals overlap" in " ".join(shown.split())
    assert "go by the difference" in shown
    assert "95 %, by task" in shown  # of the components
    assert re.search("independent +┃ by task", shown)  # of the exam
    pooled = next(line for line in shown.splitlines() if "pooled" in line).split("│")
    assert both.pooled.interval is not None
    assert [pooled[at].strip() for at in (3, 4)] == ["27 of 40", ""]  # none for independent calls
    assert pooled[5].strip() == f"{both.pooled.interval.low:.0%} to {both.pooled.interval.high:.0%}"


def test_the_points_of_a_card_show_what_they_come_from(capsys: pytest.CaptureFixture[str]) -> None:
    data = measured(1, 1.0, 3)
    show_scorecard(scorecard(data), exam=False)
    shown = " ".join(capsys.readouterr().out.split())
    waits = scorecard(data).platform.latency

    assert waits is not None
    assert f"median {waits.median_s:.2f} s, p95 {waits.p95_s:.2f} s ({waits.turns} turns" in shown
    assert "latency points, by the published rule" in shown
    assert "C_degraded not measured" in re.sub("[│ ]+", " ", shown)


def test_pages_know_a_saboteur_from_the_reference() -> None:
    saboteur = run_of(BASE, platform="saboteur-mute", harness_reference=True)
    for page in (
        scorecard_page(scorecard(saboteur)),
        compare_page(compare_runs({"a": saboteur, "b": run_of(BETTER)})),
    ):
        assert '"saboteur": true' in page.replace('":true', '": true')
        assert "standing(" in page.partition("function standing(")[2]  # it is asked, not only there


def test_an_unmeasured_component_has_no_place() -> None:
    ties = component_ties({"a": run_of(BASE), "b": measured(1, 1.0, 1)})

    assert ties[1].rows[0].share is None
    assert ties[1].standings[0].place == "not measured"


def test_equal_runs_give_equal_intervals() -> None:
    assert component_ties({"a": measured(1, 1.0, 1)}) == component_ties({"a": measured(1, 1.0, 1)})


# --- conditions against clean ---


def conditions(cafe: int, street: int) -> CardInput:
    return build(
        [
            call(
                f"S{task:02d}", run, task < {"clean": 20, "cafe": cafe, "street": street}[audio], audio=audio
            )
            for task in range(24)
            for run in (1, 2)
            for audio in ("clean", "cafe", "street")
        ]
    )


def test_conditions_are_tested_as_one_family() -> None:
    found = condition_tests({"a": conditions(5, 19), "b": conditions(20, 20)})
    verdicts = {(each.run, each.audio): each for each in found}

    assert verdicts["a", "cafe"].family is not None
    assert verdicts["a", "cafe"].family.differs
    assert verdicts["a", "cafe"].told.startswith("differs: p < 0.001")
    street = verdicts["a", "street"].family
    assert street is not None
    assert not street.differs
    assert verdicts["b", "cafe"].told == "not measured (no task with both a pass and a failure)"
    # the smallest of the made tests is multiplied by their number
    made = [each.test.p_value for each in found if each.test and each.test.p_value is not None]
    first = verdicts["a", "cafe"]
    assert first.family is not None
    assert first.test is not None
    assert first.test.p_value is not None
    assert first.family.adjusted == pytest.approx(first.test.p_value * len(made))


def test_clean_runs_have_no_condition_to_test() -> None:
    assert condition_tests({"a": run_of(BASE)}) == ()


# --- pages ---


def test_pages_hold_the_figures_and_stay_harmless() -> None:
    taken = "<script>alert(1)</script>"
    data = run_of(BASE, run_id=taken)
    page = scorecard_page(scorecard(data), damaged=[taken])
    both = compare_page(compare_runs({"base": data, taken: run_of(BETTER)}))

    for text in (page, both):
        assert taken not in text
        assert "\\u003cscript>alert(1)" in text
    assert "Wilson, clustered by task" in page
    assert "passes more often" in both


def test_records_do_not_enter_results() -> None:
    """A card is figures: whoever keeps it keeps no evidence alive."""
    seen: list[object] = []

    def walk(value: object) -> None:
        seen.append(value)
        if attrs.has(type(value)):
            for field in attrs.fields(type(value)):  # type: ignore[arg-type]
                walk(getattr(value, field.name))
        elif isinstance(value, tuple | list):
            for each in value:
                walk(each)

    walk(scorecard(run_of(BASE)))
    assert len(seen) > 100
    assert not any(isinstance(value, CallRecord | Grade) for value in seen)


VOID = [
    call(f"S{n}").having(ending="void", cause="phantom: nobody spoke").without("tool-adherence")
    for n in range(3)
]


@pytest.mark.parametrize("calls", [[], VOID], ids=["no calls", "all void"])
def test_runs_with_nothing_to_measure_have_cards_and_pages_that_say_so(
    calls: list[Built], capsys: pytest.CaptureFixture[str]
) -> None:
    data = build(calls, planned=3, tasks=("shop/S0",))
    card, both = scorecard(data), compare_runs({"a": data, "b": data})
    show_scorecard(card, exam=False)
    show_scorecard(card, exam=True)
    show_comparison(both)
    shown = capsys.readouterr().out

    assert "b against a: not measured (no task in common)" in shown
    assert "not measured (no judged call)" in shown
    zeros = re.findall(r"(?<![\d.])0(?:\.0)?% +│ (\S+ of \S+)", shown)
    assert zeros == (["0 of 3"] if calls else [])  # of those that ran, before exclusions
    assert "not measured (no judged call)" in scorecard_page(card)
    assert "not measured (no task in common)" in compare_page(both)


def test_a_wrong_verdict_is_of_one_run_though_both_have_a_call_of_that_id() -> None:
    noisy = build([call("S1"), call("S1", 2), call("S1", audio="cafe"), call("S1", 2, False, audio="cafe")])
    runs = {"base": noisy, "other": noisy}
    found = compare_runs(runs, wrong_verdicts={"base": ["S1-clean-1", "S1-cafe-2"]})

    assert [found.cards[name].exam.counted for name in runs] == [2, 4]
    assert (found.pooled.passes, found.pooled.n) == (5, 6)
    assert found.pooled.tasks == 1  # the same task in both runs is one cluster
    assert found.pooled.interval is not None
    alone = wilson(5, 6).interval
    assert alone is not None
    assert found.pooled.interval.low < alone.low
    tests = {test.run: test.test for test in found.conditions}
    assert tests["base"] is not None
    assert tests["other"] is not None
    assert (tests["base"].first, tests["base"].second) == (((1, 1),), ((1, 1),))
    assert (tests["other"].first, tests["other"].second) == (((1, 2),), ((2, 2),))
