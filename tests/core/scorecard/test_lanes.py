"""The five lanes on calls whose figures are known."""

from __future__ import annotations

import random
from collections.abc import Iterable

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.grading import Outcome
from offhook.judging import Subject, Verdict
from offhook.packs import Tier
from offhook.records import ProfileStamp
from offhook.scorecard import (
    CardInput,
    Condition,
    LaneCard,
    LaneRules,
    LaneStatus,
    TaskTraits,
    lane_card,
    plain,
)
from tests.core.scorecard._built import LATE, TASKS, Built, build, call, graded, ruling, verdict

# 45 of 60 over 12 scenarios of 5, spread so that the design effect is the published one
PUBLISHED = [5] * 8 + [3, 1, 1, 0]


def published() -> list[Built]:
    return [
        call(f"S{index:02d}", run, run <= passes)
        for index, passes in enumerate(PUBLISHED)
        for run in range(1, 6)
    ]


def status(card: LaneCard) -> dict[str, str]:
    return {
        name: str(getattr(card, name).status)
        for name in ("task", "speed", "conversation", "robustness", "compliance")
    }


# --- task ---


def test_the_published_line_comes_out() -> None:
    lane = lane_card(build(published())).task

    assert lane.told == (
        "75% (45 of 60; 95% interval 49% to 90%; Wilson, clustered by task: design effect 4.10, "
        "effective n 14.6; 12 tasks x 5 calls)"
    )
    assert lane.status is LaneStatus.MEASURED


def test_unclear_and_measured_failures_count_against_and_others_are_not_judged() -> None:
    silent = [
        call("S5", audio="clean").having(
            call_id=f"silent-{attempt}",
            key=attrs.evolve(call("S5").record.key, attempt=attempt),
            ending="void",
            cause="no agent speech",
        )
        for attempt in (1, 2, 3)
    ]
    calls = [
        call("S1"),
        call("S2", passed=False),
        call("S3").having(verdict(Outcome.UNCLEAR)),
        call("S4").having(verdict(Outcome.ERROR)),
        *(attrs.evolve(each, grades=()) for each in silent),
        call("S6").having(ending="error", cause="the disk was full"),
        call("S7").without("tool-adherence"),
    ]
    lane = lane_card(build(calls)).task

    assert (lane.passed, lane.failed, lane.measured_failures, lane.unclear) == (1, 1, 1, 1)
    assert lane.not_judged == 3
    assert (lane.rate.passes, lane.rate.n) == (1, 4)
    assert lane.status is LaneStatus.THIN
    assert lane.told.startswith("thin, fewer than 5 judged calls: 25% (1 of 4;")


def test_a_failure_next_to_an_unclear_verdict_is_a_failure() -> None:
    both = call("S1", passed=False).having(verdict(Outcome.UNCLEAR, "state-adherence"))

    assert lane_card(build([both])).task.failed == 1


def test_a_judge_takes_the_place_of_the_verdicts() -> None:
    calls = [
        call("S1", passed=False).having(graded("critic", outcome=Outcome.PASS)),
        call("S2").having(graded("critic", outcome=Outcome.FAIL)),
        call("S3").having(graded("critic", outcome=Outcome.UNCLEAR)),
        call("S4"),
    ]
    lane = lane_card(build(calls), judge="critic").task

    assert (lane.judge, lane.passed, lane.failed, lane.unclear, lane.not_judged) == ("critic", 1, 1, 1, 1)


def test_a_call_that_the_benchmark_voided_is_judged_by_nobody() -> None:
    cause = graded("attribution", {"cause": 2.0})
    calls = [call("S1"), call("S2", passed=False).having(cause, graded("critic", outcome=Outcome.FAIL))]

    assert lane_card(build(calls)).task.rate.n == 1
    assert lane_card(build(calls), judge="critic").task.rate.n == 0


def test_pass_3_is_over_scenarios_that_ran_three_times_on_one_line() -> None:
    calls = [call("S1", run) for run in (1, 2, 3)]
    calls += [call("S2", run, run < 3) for run in (1, 2, 3)]
    calls += [call("S3", run) for run in (1, 2)] + [call("S3", 1, audio="cafe")]
    lane = lane_card(build(calls)).task

    assert (lane.pass_k.k, lane.pass_k.tasks, lane.pass_k.always, lane.pass_k.pass_k) == (3, 2, 1, 0.5)


# --- speed ---


def waiting(task: str, waits: Iterable[float], **changes: object) -> Built:
    found = {"latencies_s": {"ours": list(waits), "published": [9.0]}}
    return call(task, **changes).having(graded("latency", {"ours_timing_bound_ms": 2.5}, found))  # type: ignore[arg-type]


def test_speed_pools_the_waits_of_quiet_calls() -> None:
    calls = [
        waiting("S1", [0.5 + 0.1 * step for step in range(20)]),
        waiting("S2", [12.0]),
        waiting("S3", [30.0], audio="cafe"),
    ]
    lane = lane_card(build(calls)).speed

    assert (lane.turns, lane.calls, lane.status) == (21, 2, LaneStatus.MEASURED)
    assert lane.p50_s == pytest.approx(1.5)
    assert lane.p95_s == pytest.approx(2.4)
    assert lane.p99_s == pytest.approx(2.4 + 0.8 * 9.6)
    assert lane.tail_ratio == pytest.approx(1.6)
    assert {over.seconds: over.turns for over in lane.over} == {1.0: 15, 2.0: 5, 3.0: 1, 5.0: 1, 10.0: 1}
    assert lane.bound_ms == 2.5
    assert "timing ±2.5 ms" in lane.told


def test_speed_is_thin_below_twenty_turns_and_leaves_out_what_was_not_kept_up_with() -> None:
    calls = [waiting("S1", [1.0] * 19), waiting("S2", [50.0], late=LATE)]
    lane = lane_card(build(calls)).speed

    assert (lane.status, lane.p99_s, lane.late_calls) == (LaneStatus.THIN, 1.0, 1)
    assert lane.told.startswith("thin, fewer than 20 answered turns: p50 1.00 s")


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        ([], "no completed clean call"),
        ([call("S1", audio="cafe")], "no completed clean call"),
        ([call("S1")], "no turn with a reply"),
        ([waiting("S1", [1.0], late=LATE)], "this machine could not keep up with 1 of 1 clean calls"),
        (
            [call("S1").having(key=attrs.evolve(call("S1").record.key, line="text"))],
            "a text line has no waits",
        ),
    ],
)
def test_speed_without_evidence_says_why(calls: list[Built], why: str) -> None:
    lane = lane_card(build(calls)).speed

    assert (lane.status, lane.told) == (LaneStatus.NOT_MEASURED, f"not measured ({why})")


def test_a_bound_that_some_grades_lack_is_not_measured() -> None:
    bare = call("S2").having(graded("latency", evidence={"latencies_s": {"ours": [1.0]}}))

    assert lane_card(build([waiting("S1", [1.0]), bare])).speed.bound_ms is None


# --- conversation ---


def talking(task: str, turns: int, **changes: object) -> Built:
    numbers = {
        "caller_turns": float(turns),
        "talked_over_turns": 2.0,
        "answerable_turns": float(turns - 1),
        "unanswered_turns": 1.0,
        "agent_utterances": 8.0,
        "agent_repeats": 1.0,
        "agent_barge_ins": 3.0,
    }
    yields = {"yields": [{"yield_s": 0.2}, {"yield_s": 0.4}, {"yield_s": None}]}
    return call(task, **changes).having(graded("conversation", numbers, yields))  # type: ignore[arg-type]


def test_conversation_adds_counts_up_without_an_interval() -> None:
    lane = lane_card(build([talking("S1", 10), talking("S2", 10)])).conversation

    assert lane.status is LaneStatus.MEASURED
    assert lane.told == "talked over 20% (4 of 20), unanswered 11% (2 of 18), repeated 12% (2 of 16)"


def test_conversation_is_thin_below_twenty_turns_and_needs_a_grade() -> None:
    assert lane_card(build([talking("S1", 19)])).conversation.status is LaneStatus.THIN
    assert lane_card(build([call("S1")])).conversation.told == (
        "not measured (no call with a conversation grade)"
    )


def test_a_grade_that_did_not_measure_gives_no_counts() -> None:
    unmeasured = graded("conversation", {"caller_turns": 50.0}, outcome=Outcome.NOT_MEASURED)

    told = lane_card(build([call("S1").having(unmeasured)])).conversation

    assert told.status is LaneStatus.NOT_MEASURED
    assert told.told == "not measured (built)"  # what the grade itself says


# --- robustness ---


def noisy() -> list[Built]:
    calls = [call(f"S{index}", run) for index in range(4) for run in (1, 2)]
    calls += [call(f"S{index}", run, index > 0, audio="cafe") for index in range(4) for run in (1, 2)]
    return [*calls, call("S0", 1, False, audio="street"), call("S9", 1, False, audio="moon")]


def test_the_largest_drop_is_against_clean_on_the_same_tasks() -> None:
    lane = lane_card(build(noisy())).robustness
    groups = {group.value: group for group in lane.groups if group.dimension == "noise"}

    assert lane.status is LaneStatus.MEASURED
    assert groups["clean"].is_reference
    assert groups["cafe"].drop == pytest.approx(0.25)
    assert groups["cafe"].shared == 4
    assert groups["street"].drop == pytest.approx(1.0)  # over S0 alone, which passes when it is clean
    assert groups["moon"].interval is None
    assert groups["moon"].drop is None
    assert groups["moon"].drop_told == "not compared (no task in common)"
    assert groups["clean"].drop_told == ""
    assert lane.largest == groups["street"]
    assert lane.told.startswith("largest at noise street: drop 100 points (95% interval ")


def test_calls_of_another_task_show_no_drop_at_all() -> None:
    calls = [each for each in noisy() if each.record.key.audio != "street"]
    largest = lane_card(build(calls)).robustness.largest

    assert largest is not None
    assert largest.value == "cafe"
    assert largest.drop == pytest.approx(0.25)  # the moon's calls are of another task


def test_an_interval_says_that_a_small_drop_may_be_none() -> None:
    lane = lane_card(build(noisy())).robustness
    cafe = next(group for group in lane.groups if group.value == "cafe")

    assert cafe.interval is not None
    assert cafe.interval.low < 0 < 0.25 < cafe.interval.high


def test_clean_calls_alone_are_thin_and_none_are_not_measured() -> None:
    assert lane_card(build([call("S1")])).robustness.told == "thin, nothing beside the clean calls (1 judged)"
    assert lane_card(build([])).robustness.status is LaneStatus.NOT_MEASURED
    assert lane_card(build([call("S1", audio="cafe")])).robustness.status is LaneStatus.THIN


def test_groups_that_share_no_task_with_the_clean_one_are_thin_and_show_no_figure() -> None:
    apart = [call("S1"), call("S2", passed=False, audio="cafe"), call("S3", passed=False, voice="voice-b")]
    lane = lane_card(build(apart)).robustness

    assert lane.status is LaneStatus.THIN
    assert lane.largest is None
    assert lane.told == "thin, no group shares a task with its reference (3 judged)"
    assert not any("points" in group.told for group in lane.groups)


def test_conditions_are_taken_apart_and_never_mixed() -> None:
    data = attrs.evolve(
        build([call("S1"), call("S1", 2, False, audio="both"), call("S1", 3, audio="phone")]),
        conditions={"both": Condition("cafe", "packet loss"), "phone": Condition("clean", "narrowband")},
    )
    groups = {(group.dimension, group.value) for group in lane_card(data).robustness.groups}

    assert groups == {("noise", "clean"), ("impairment", "none"), ("impairment", "narrowband")}


def test_conditions_are_those_that_the_run_keeps_of_its_profiles() -> None:
    built_data = build([call("S1"), call("S1", 2, False, audio="street"), call("S1", 3, audio="line")])
    manifest = attrs.evolve(
        built_data.manifest,
        profiles={
            "street": ProfileStamp("road traffic", "", {}),
            "line": ProfileStamp("", "weak mobile signal", {}),
        },
    )
    groups = lane_card(attrs.evolve(built_data, manifest=manifest)).robustness.groups

    assert {(group.dimension, group.value, group.is_reference) for group in groups} == {
        ("noise", "clean", True),
        ("noise", "road traffic", False),
        ("impairment", "none", True),
        ("impairment", "weak mobile signal", False),
    }


def test_voices_tiers_and_languages_are_compared_on_quiet_lines() -> None:
    tasks = [attrs.evolve(TASKS[0], pack="shop", id=f"S{index}") for index in range(2)]
    tiers = tuple(
        attrs.evolve(task, tier=tier) for task, tier in zip(tasks, (Tier.EASY, Tier.HARD), strict=True)
    )
    calls = [call("S0"), call("S0", 2, voice="voice-b"), call("S1", 1, False), call("S1", 1, audio="cafe")]
    data = attrs.evolve(
        build(calls, installed=tiers),
        traits={"shop/S0": TaskTraits(language="en"), "shop/S1": TaskTraits(language="de")},
    )
    found = {(g.dimension, g.value): (g.rate.n, g.is_reference) for g in lane_card(data).robustness.groups}

    assert found == {
        ("voice", "voice-a"): (2, True),
        ("voice", "voice-b"): (1, False),
        ("difficulty", "easy"): (2, True),
        ("difficulty", "hard"): (1, False),
        ("noise", "clean"): (3, True),
        ("noise", "cafe"): (1, False),
        ("language", "en"): (2, True),
        ("language", "de"): (1, False),
    }


# --- compliance ---


def ruled(task: str, *rulings: dict[str, object], judge: str = "critic") -> Built:
    return call(task).having(graded(judge, evidence={"rulings": list(rulings)}))


FACT, MUST_NOT = Subject.FACT, Subject.MUST_NOT


def test_only_rulings_with_a_quote_that_was_found_count() -> None:
    accurate = ruling(FACT, Verdict.ACCURATE)
    calls = [
        ruled("S1", accurate, accurate, accurate, ruling(FACT, Verdict.WRONG)),
        ruled("S2", ruling(FACT, Verdict.FABRICATED), ruling(MUST_NOT, Verdict.BREACHED), accurate),
        ruled("S3", ruling(MUST_NOT, Verdict.KEPT, found=None), ruling(FACT, Verdict.WRONG, found=False)),
        ruled("S4", ruling(FACT, Verdict.UNCLEAR, found=False), ruling(Subject.CRITERION, Verdict.MET)),
    ]
    lane = lane_card(build(calls)).compliance

    assert (lane.status, lane.judge, lane.calls) == (LaneStatus.MEASURED, "critic", 4)
    assert (lane.accuracy.passes, lane.accuracy.n, lane.wrong, lane.fabrications) == (4, 6, 1, 1)
    assert (lane.breaches, lane.breached_calls.count, lane.breached_calls.of, lane.unverified) == (1, 1, 4, 2)
    assert lane.told.endswith("must-not breaches 1 in 1 of 4 calls; verified fabrications 1")


def test_compliance_is_thin_below_five_claims_and_a_breach_alone_is_evidence() -> None:
    four = ruled("S1", *[ruling(FACT, Verdict.ACCURATE)] * 4)
    breach = ruled("S1", ruling(MUST_NOT, Verdict.BREACHED))

    assert lane_card(build([four])).compliance.status is LaneStatus.THIN
    assert lane_card(build([breach])).compliance.status is LaneStatus.THIN
    assert "facts not measured (no verified claim); must-not breaches 1" in (
        lane_card(build([breach])).compliance.told
    )


def test_compliance_without_a_ruling_says_so_and_never_blends_judges() -> None:
    two = [ruled("S1", ruling(FACT, Verdict.ACCURATE)), ruled("S2", judge="panel")]

    assert lane_card(build([call("S1")])).compliance.told == "not measured (no call was judged for it)"
    assert lane_card(build([ruled("S1")])).compliance.told == (
        "not measured (no verified claim or breach in 1 judged calls)"
    )
    assert lane_card(build(two)).compliance.told == (
        "not measured (several judges ruled (critic, panel): name one)"
    )
    assert lane_card(build(two), judge="critic").compliance.n == 1


# --- all of them ---


@pytest.mark.parametrize("calls", [[], [call("S1").having(ending="void", cause="phantom: nobody spoke")]])
def test_a_run_without_a_call_that_counts_has_no_lane(calls: list[Built]) -> None:
    assert set(status(lane_card(build(calls))).values()) == {"not measured"}


def test_floors_come_from_the_rules_and_bad_ones_are_refused() -> None:
    rules = LaneRules(task_calls=61, speed_turns=1)
    card = lane_card(build([*published(), waiting("X1", [1.0])]), rules)

    assert card.task.status is LaneStatus.MEASURED
    assert lane_card(build(published()), rules).task.status is LaneStatus.THIN
    assert card.speed.status is LaneStatus.MEASURED
    for bad in ({"task_calls": 0}, {"confidence": 1.0}, {"slow_s": (2.0, 1.0)}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            LaneRules(**bad)


def everything() -> CardInput:
    accurate = [ruling(FACT, Verdict.ACCURATE)] * 3
    calls = [each.having(graded("critic", evidence={"rulings": accurate})) for each in noisy()]
    return build(
        [
            built.having(
                *waiting(built.record.key.task, [1.0, 2.0, 3.0]).grades[1:],
                *talking(built.record.key.task, 9).grades[1:],
            )
            for built in calls
        ]
    )


NEEDS = {
    "task": {"tool-adherence"},
    "speed": {"latency"},
    "conversation": {"conversation"},
    "robustness": {"tool-adherence"},
    "compliance": {"critic"},
}


@given(st.sampled_from(sorted(NEEDS)), st.randoms(use_true_random=False))
def test_a_lane_changes_neither_with_unrelated_grades_nor_with_the_order(
    lane: str, rng: random.Random
) -> None:
    data = everything()
    records, grades = list(data.records), [g for g in data.grades if g.grader in NEEDS[lane]]
    rng.shuffle(records)
    rng.shuffle(grades)
    less = attrs.evolve(data, records=tuple(records), grades=tuple(grades))

    assert plain(getattr(lane_card(less), lane)) == plain(getattr(lane_card(data), lane))


@pytest.mark.parametrize("lane", sorted(NEEDS))
def test_a_lane_is_gone_without_its_own_grades(lane: str) -> None:
    data = everything()
    grades = tuple(grade for grade in data.grades if grade.grader not in NEEDS[lane])

    assert getattr(lane_card(data), lane).status is LaneStatus.MEASURED
    assert getattr(lane_card(attrs.evolve(data, grades=grades)), lane).status is LaneStatus.NOT_MEASURED


def test_a_ruling_of_another_shape_counts_for_nothing() -> None:
    accurate = ruling(FACT, Verdict.ACCURATE)
    odd = graded(
        "critic", evidence={"rulings": [3, None, accurate, {"subject": "fact", "verdict": ["wrong"]}]}
    )
    lane = lane_card(build([call("S1").having(odd)])).compliance

    assert (lane.calls, lane.accuracy.passes, lane.accuracy.n, lane.unverified) == (1, 1, 1, 0)
