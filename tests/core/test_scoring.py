"""The score's formula, its rates and pools, and the summary of a run."""

from __future__ import annotations

import math
import subprocess
import sys

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.grading import Grade, GradeKind, Outcome
from offhook.packs import Task
from offhook.records import CallKey, CallRecord, RunManifest, empty_record
from offhook.scoring import (
    PlatformScore,
    ScoreWeights,
    hearing_composite,
    pass_k,
    pass_rate,
    platform_score,
    pool_turns,
    settle_calls,
    summarise_run,
)
from offhook.testing_pack import bicycle_pack

SHARES = st.floats(0, 1)
SECONDS = st.floats(-1, 20)


def points(**inputs: float | None) -> PlatformScore:
    given_inputs: dict[str, float | None] = {
        "pass_share": 0.8,
        "c_clean": 0.94,
        "c_degraded": 0.7,
        "median_s": 2.5,
        "p95_s": 5.0,
    }
    return platform_score(**{**given_inputs, **inputs})


# --- the formula ---


def test_worked_example_scores_76_2() -> None:
    score = points()

    assert score.points == pytest.approx(76.2)
    assert score.out_of == 100
    assert [part.points for part in score.parts] == [
        pytest.approx(64.0),
        pytest.approx(8.2),
        pytest.approx(4.0),
    ]
    assert score.part("latency").computation == "10 × (0.6 × 0.500 + 0.4 × 0.250)"


def test_perfect_platform_scores_100_and_hopeless_one_0() -> None:
    best = points(pass_share=1, c_clean=1, c_degraded=1, median_s=0.4, p95_s=2.0)
    worst = points(pass_share=0, c_clean=0, c_degraded=0, median_s=4.0, p95_s=30.0)

    assert best.points == 100
    assert worst.points == 0


def test_unmeasured_hearing_leaves_90_points_and_is_no_zero() -> None:
    score = points(c_clean=None, c_degraded=None)

    assert score.points == pytest.approx(68.0)
    assert score.out_of == 90
    assert score.part("hearing").points is None
    assert "not measured" in score.part("hearing").note


def test_hearing_on_one_condition_counts_in_full_and_says_so() -> None:
    part = points(c_degraded=None).part("hearing")

    assert part.points == pytest.approx(9.4)
    assert part.note == "C_degraded not measured"


def test_without_a_graded_call_there_is_no_score() -> None:
    score = points(pass_share=None)

    assert score.points is None
    assert score.part("hearing").points == pytest.approx(8.2)


def test_weights_and_thresholds_come_from_the_weights() -> None:
    weights = ScoreWeights(task=50, hearing=25, latency=25)

    score = platform_score(
        pass_share=0.8, c_clean=0.94, c_degraded=0.7, median_s=2.5, p95_s=5.0, weights=weights
    )

    assert score.points == pytest.approx(70.5)  # what the older weights gave


@pytest.mark.parametrize(
    "inputs",
    [
        {"pass_share": 1.01},
        {"pass_share": math.nan},
        {"c_clean": -0.1},
        {"p95_s": None},
        {"median_s": math.nan},
    ],
)
def test_impossible_inputs_are_refused(inputs: dict[str, float | None]) -> None:
    with pytest.raises(ValueError, match=r"must lie in|needs a median"):
        points(**inputs)


@given(SHARES, SHARES, SHARES, SECONDS, SECONDS, st.floats(0, 1), st.floats(0, 5))
def test_score_is_monotone_and_bounded(
    share: float, clean: float, degraded: float, median: float, p95: float, better: float, faster: float
) -> None:
    base = points(pass_share=share, c_clean=clean, c_degraded=degraded, median_s=median, p95_s=p95).points
    improved = points(
        pass_share=max(share, better),
        c_clean=max(clean, better),
        c_degraded=max(degraded, better),
        median_s=median - faster,
        p95_s=p95 - faster,
    ).points

    assert base is not None
    assert improved is not None
    assert 0 <= base <= improved + 1e-9 <= 100 + 2e-9


def test_composite_is_the_mean_of_what_was_measured_clamped() -> None:
    assert hearing_composite(0.1) == pytest.approx(0.9)
    assert hearing_composite(0.3, 0.1, 0.5) == pytest.approx((0.7 + 0.9 + 0.5) / 3)
    assert hearing_composite(1.4) == 0
    assert hearing_composite(None) is None
    assert hearing_composite(0.5, weights=ScoreWeights(wer_weight=0)) is None


# --- rates and pools ---


def test_wilson_interval_of_a_perfect_and_a_mixed_rate() -> None:
    perfect, mixed = pass_rate(10, 10), pass_rate(360, 450)

    assert perfect is not None
    assert mixed is not None
    assert (perfect.share, perfect.high) == (1.0, 1.0)
    assert perfect.low == pytest.approx(0.7225, abs=1e-4)
    assert (mixed.low, mixed.high) == (pytest.approx(0.7606, abs=1e-4), pytest.approx(0.8344, abs=1e-4))


def test_half_width_at_450_calls_is_at_most_4_6_points() -> None:
    widest = max(pass_rate(passes, 450).high - pass_rate(passes, 450).low for passes in range(0, 451, 25))  # type: ignore[union-attr]

    assert widest / 2 == pytest.approx(0.046, abs=5e-4)


def test_no_calls_have_no_rate() -> None:
    assert pass_rate(0, 0) is None


def test_more_passes_than_calls_are_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2"):
        pass_rate(3, 2)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_holds_the_share_and_has_width(counts: tuple[int, int]) -> None:
    rate = pass_rate(*counts)

    assert rate is not None
    assert 0 <= rate.low <= rate.share <= rate.high <= 1
    assert rate.high > rate.low


def test_pass_k_is_the_share_of_tasks_whose_runs_all_pass() -> None:
    result = pass_k([(5, 5), (4, 5), (5, 5), (0, 5)], 5)

    assert result is not None
    assert (result.share, result.tasks) == (0.5, 4)


def test_pass_k_draws_without_replacement_and_skips_tasks_with_too_few_runs() -> None:
    result = pass_k([(2, 4), (3, 3), (1, 1)], 2)

    assert result is not None
    assert result.share == pytest.approx((1 / 6 + 1) / 2)  # not (2/4)^2
    assert result.tasks == 2
    assert pass_k([(1, 1)], 2) is None


def test_pooled_turns_interpolate_and_keep_negative_latencies() -> None:
    stats = pool_turns([-0.2, 1.0, 2.0, 3.0, 4.0])

    assert stats is not None
    assert (stats.turns, stats.median_s) == (5, 2.0)
    assert stats.p95_s == pytest.approx(3.8)
    assert pool_turns([]) is None


def wer_grade(call_id: str, errors: int, words: int, outcome: Outcome = Outcome.MEASURED) -> Grade:
    numbers = {"substitutions": errors, "deletions": 0, "insertions": 0, "reference_words": words}
    return Grade("hearing", "1", GradeKind.MEASURE, call_id, outcome, "", numbers=numbers)


# --- a run ---


def record(call_id: str, key: CallKey, ending: str = "completed", cause: str = "") -> CallRecord:
    return empty_record(call_id, key, seed=1, ending=ending, cause=cause)


def verdict(call_id: str, outcome: Outcome, grader: str = "tool-adherence") -> Grade:
    return Grade(grader, "1", GradeKind.VERDICT, call_id, outcome, f"{outcome} it is")


def latency_grade(call_id: str, published: list[float], ours: list[float]) -> Grade:
    evidence = {"latencies_s": {"published": published, "ours": ours}}
    return Grade("latency", "1", GradeKind.MEASURE, call_id, Outcome.MEASURED, "", evidence=evidence)


def key(task: str, run: int = 1, *, audio: str = "clean", attempt: int = 1) -> CallKey:
    return CallKey("bicycle-repair", task, "twin", run, audio=audio, attempt=attempt)


def manifest(planned: int, *, runs: int = 1, audio: tuple[str, ...] = ("clean",)) -> RunManifest:
    return RunManifest(
        version=1,
        run_id="r1",
        seed=1,
        platform="twin",
        caller="scripted",
        line="audio",
        runs=runs,
        audio=audio,
        tasks=("bicycle-repair/B-E1", "bicycle-repair/B-H1"),
        planned=planned,
        harness_reference=False,
        components=(),
    )


@pytest.fixture
def tasks() -> tuple[Task, ...]:
    return bicycle_pack().tasks


def test_a_call_passes_when_every_verdict_does() -> None:
    records = [record("a", key("B-E1")), record("b", key("B-H1"))]
    grades = [
        verdict("a", Outcome.PASS),
        verdict("a", Outcome.PASS, "state-adherence"),
        verdict("b", Outcome.PASS),
        verdict("b", Outcome.FAIL, "state-adherence"),
    ]

    results = settle_calls(records, grades)

    assert [result.state for result in results] == ["passed", "failed"]
    assert results[1].why == "state-adherence: fail it is"


@pytest.mark.parametrize(
    "grades", [[], [verdict("a", Outcome.PASS), verdict("a", Outcome.ERROR, "state-adherence")]]
)
def test_a_call_without_a_whole_verdict_is_an_error_and_not_a_failure(grades: list[Grade]) -> None:
    (result,) = settle_calls([record("a", key("B-E1"))], grades)

    assert result.state == "error"
    assert not result.graded


def test_a_call_that_did_not_pass_says_what_the_platform_ran_into() -> None:
    broken = attrs.evolve(
        record("a", key("B-E1")), session_errors=("agent_failed: KeyError: 'plans'", "gone")
    )
    (failed,) = settle_calls([broken], [verdict("a", Outcome.FAIL)])
    assert failed.why == "tool-adherence: fail it is (platform: agent_failed: KeyError: 'plans')"
    (passed,) = settle_calls([broken], [verdict("a", Outcome.PASS)])
    assert passed.why == ""


def test_the_last_attempt_counts_whatever_the_order_of_records() -> None:
    first = record("a", key("B-E1"), "void", "no agent speech")
    second = record("b", key("B-E1", attempt=2))

    for records in ([first, second], [second, first]):
        (result,) = settle_calls(records, [verdict("b", Outcome.PASS)])
        assert (result.record.call_id, result.state) == ("b", "passed")


def test_a_third_attempt_without_agent_speech_is_the_platforms_failure() -> None:
    attempts = [
        record(str(attempt), key("B-E1", attempt=attempt), "void", "no agent speech") for attempt in (1, 2, 3)
    ]

    assert settle_calls(attempts[:2], [])[0].state == "void"
    assert settle_calls(attempts, [])[0].state == "failed"


def test_a_third_void_of_another_cause_stays_void() -> None:
    assert settle_calls([record("a", key("B-E1", attempt=3), "void", "phantom")], [])[0].state == "void"


def test_summary_publishes_planned_ran_void_and_error(tasks: tuple[Task, ...]) -> None:
    records = [
        record("a", key("B-E1", 1)),
        record("b", key("B-E1", 2), "void", "phantom"),
        record("c", key("B-E1", 3), "error", "harness: OSError"),
        record("d0", key("B-H1", 1), "void", "no agent speech"),
        record("d", key("B-H1", 1, attempt=2)),
    ]
    grades = [verdict("a", Outcome.PASS), verdict("d", Outcome.FAIL)]

    summary = summarise_run(manifest(6, runs=3), records, grades, tasks)

    assert (summary.planned, summary.ran, summary.graded, summary.passed) == (6, 4, 2, 1)
    assert (summary.void, summary.error, summary.missing, summary.voided_attempts) == (1, 1, 2, 1)
    assert summary.graded + summary.void + summary.error + summary.missing == summary.planned
    easy, hard = summary.tasks
    assert (easy.task, easy.tier, easy.passes, easy.graded, easy.void, easy.error) == (
        "B-E1",
        "easy",
        1,
        1,
        1,
        1,
    )
    assert (hard.passes, hard.graded, hard.title) == (0, 1, tasks[1].title)
    assert [(row.tier, row.rate.passes, row.rate.n) for row in summary.tiers] == [
        ("easy", 1, 1),
        ("hard", 0, 1),
    ]


def test_summary_scores_clean_calls_and_keeps_variants_apart(tasks: tuple[Task, ...]) -> None:
    records = [record("a", key("B-E1")), record("b", key("B-H1")), record("c", key("B-E1", audio="noise"))]
    grades = [
        verdict("a", Outcome.PASS),
        verdict("b", Outcome.PASS),
        verdict("c", Outcome.FAIL),
        wer_grade("a", 1, 50),
        wer_grade("b", 5, 50),
        wer_grade("c", 30, 100),
        latency_grade("a", [2.0, 3.0], [2.1]),
        latency_grade("b", [2.5], [2.4]),
        latency_grade("c", [60.0], [60.0]),
    ]

    summary = summarise_run(manifest(3, audio=("clean", "noise")), records, grades, tasks)

    assert summary.score.part("task").points == 80
    assert summary.score.part("hearing").points == pytest.approx(10 * (0.94 + 0.70) / 2)
    assert summary.latency is not None
    assert summary.latency_ours is not None
    assert (summary.latency.turns, summary.latency.median_s) == (3, 2.5)
    assert summary.latency_ours.median_s == pytest.approx(2.25)
    noise = summary.variants["noise"]
    assert noise is not None
    assert (noise.passes, noise.n) == (0, 1)
    assert [row.audio for row in summary.tasks] == ["clean", "clean", "noise", "noise"]


def test_failures_of_a_model_we_chose_leave_the_score_but_not_the_raw_rate() -> None:
    records = [record("a", key("B-E1")), record("b", key("B-H1")), record("c", key("B-H1", 2))]
    grades = [verdict("a", Outcome.PASS), verdict("b", Outcome.FAIL), verdict("c", Outcome.FAIL)]

    summary = summarise_run(manifest(3), records, grades, model_failures={"b", "a"})

    assert summary.score.part("task").points == pytest.approx(40)
    assert summary.rate is not None
    assert (summary.rate.passes, summary.rate.n) == (1, 3)
    assert summary.model_failures == 1  # a passed: nothing to leave out


def test_a_run_whose_every_call_failed_through_our_model_has_no_score() -> None:
    summary = summarise_run(
        manifest(1), [record("a", key("B-E1"))], [verdict("a", Outcome.FAIL)], model_failures=["a"]
    )

    assert summary.score.points is None


def test_hearing_counts_failed_calls_and_no_unfinished_ones() -> None:
    records = [record("a", key("B-E1")), record("b", key("B-H1"), "void", "phantom")]
    grades = [verdict("a", Outcome.FAIL), wer_grade("a", 1, 10), wer_grade("b", 10, 10)]

    summary = summarise_run(manifest(2), records, grades)

    assert summary.hearing["clean"] is not None
    assert summary.hearing["clean"].wer == 0.1


def test_an_empty_run_is_summed_up_as_not_measured(tasks: tuple[Task, ...]) -> None:
    summary = summarise_run(manifest(2), [], [], tasks)

    assert (summary.ran, summary.missing, summary.rate, summary.pass_k) == (0, 2, None, None)
    assert summary.score.points is None
    assert [(row.task, row.graded) for row in summary.tasks] == [("B-E1", 0), ("B-H1", 0)]


def test_summary_does_not_depend_on_the_order_of_its_inputs(tasks: tuple[Task, ...]) -> None:
    records = [record(name, key("B-H1", run)) for run, name in enumerate("abc", start=1)]
    grades = [verdict("a", Outcome.PASS), verdict("b", Outcome.FAIL), verdict("c", Outcome.PASS)]

    one = summarise_run(manifest(3, runs=3), records, grades, tasks)
    other = summarise_run(manifest(3, runs=3), records[::-1], grades[::-1], tasks)

    assert attrs.asdict(one) == attrs.asdict(other)


def test_importing_scoring_is_cheap() -> None:
    code = "import sys, offhook.scoring; print([m for m in ('scipy', 'numpy', 'jiwer') if m in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
