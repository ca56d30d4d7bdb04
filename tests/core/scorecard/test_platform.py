"""The platform card, the stability block and why calls fail."""

from __future__ import annotations

import attrs
import pytest

from offhook.grading import Grade
from offhook.packs import Tier
from offhook.records import FrozenStamp, ModelLayer
from offhook.scorecard import lane_card, plain, platform_card, scored_calls, stamp_of, why_calls_fail
from tests.core.scorecard._built import TASKS, build, call, graded

PUBLISHED = [5] * 8 + [3, 1, 1, 0]


# --- the platform card ---


def test_plain_and_clustered_intervals_stand_beside_each_other() -> None:
    calls = [
        call(f"S{index:02d}", run, run <= passes)
        for index, passes in enumerate(PUBLISHED)
        for run in range(1, 6)
    ]
    card = platform_card(build([*calls, call("S00", 1, False, audio="cafe")], planned=63))

    assert card.plain.told == "75% (45/60; 95% interval 63% to 84%)"
    assert card.clustered.told.startswith("75% (45/60; 95% interval 49% to 90%;")
    assert card.score.part("task").points == pytest.approx(60)
    assert [(found.audio, found.rate.passes, found.rate.n) for found in card.variants] == [("cafe", 0, 1)]
    counts = card.counts
    assert (counts.planned, counts.ran, counts.graded, counts.passed, counts.missing) == (63, 61, 61, 45, 2)
    assert card.pass_k.k == 5
    assert card.pass_k.pass_k == pytest.approx(8 / 12)


def test_unbiased_pass_k_and_the_observed_share_differ_with_more_runs() -> None:
    calls = [call("S1", run, run < 4) for run in (1, 2, 3, 4)]
    card = platform_card(build(calls, runs=2))

    assert card.pass_k.pass_k == pytest.approx(3 / 6)
    assert card.pass_k.all_passed_share == 0


def blamed(cause: int, chosen_by: str = "rule") -> Grade:
    return graded("attribution", {"cause": float(cause)}, {"chosen_by": chosen_by})


def test_failures_of_chosen_models_are_counted_by_model_and_leave_the_score() -> None:
    layers = (ModelLayer("stt", "ears-2", "rule"), ModelLayer("llm", "mind-1", "rule"))
    calls = [
        call("S1").having(blamed(5)),
        call("S2", passed=False).having(blamed(5)),
        call("S3", passed=False).having(blamed(6)),
        call("S4", passed=False).having(blamed(6)),
        call("S5", passed=False).having(blamed(6, "bundled")),
        call("S6", passed=False, audio="cafe").having(blamed(5)),
    ]
    card = platform_card(build(calls, layers=layers))

    assert [(found.layer, found.model, found.calls) for found in card.model_failures] == [
        ("llm", "mind-1", 2),
        ("stt", "ears-2", 1),
    ]
    assert card.f_m == 3
    assert card.score.part("task").points == pytest.approx(80 * 1 / (5 - 3))
    assert (card.plain.passes, card.plain.n) == (1, 5)


def test_one_model_for_all_layers_takes_all_blame() -> None:
    data = build([call("S1", passed=False).having(blamed(7))], layers=(ModelLayer("speech", "omni", "rule"),))

    assert [(found.layer, found.model) for found in platform_card(data).model_failures] == [("tts", "omni")]


def test_tiers_are_of_clean_calls_alone() -> None:
    tasks = tuple(
        attrs.evolve(TASKS[0], pack="shop", id=name, tier=tier)
        for name, tier in (("S1", Tier.EASY), ("S2", Tier.HARD))
    )
    calls = [call("S1"), call("S2", passed=False), call("S2", audio="cafe")]
    card = platform_card(build(calls, installed=tasks))

    assert [(tier.tier, tier.rate.passes, tier.rate.n) for tier in card.tiers] == [
        ("easy", 1, 1),
        ("hard", 0, 1),
    ]


def test_a_run_says_draft_until_it_follows_a_frozen_manifest() -> None:
    data = build([call("S1")])
    frozen = attrs.evolve(data.manifest, frozen=FrozenStamp("1.2.0", "ab" * 32))

    assert stamp_of(data.manifest) == platform_card(data).stamp == "draft"
    assert stamp_of(frozen) == "manifest 1.2.0 (SHA-256 abababababab)"


def test_a_run_without_calls_has_no_score() -> None:
    card = platform_card(build([], planned=3))

    assert card.score.points is None
    assert (card.counts.planned, card.counts.missing) == (3, 3)
    assert not card.plain.measured


# --- stability ---


def waits(*values: float) -> Grade:
    return graded("latency", {}, {"latencies_s": {"ours": list(values)}})


def test_stability_is_measured_against_its_bars() -> None:
    calls = [
        *(call("S1", run).having(waits(wait)) for run, wait in ((1, 1.0), (2, 1.1), (3, 1.2))),
        *(call("S2", run, run != 2).having(waits(wait)) for run, wait in ((1, 1.0), (2, 1.1), (3, 1.2))),
    ]
    block = lane_card(build(calls)).stability

    assert block.reruns == 3
    assert block.agreement.value == pytest.approx((1 + 1 / 3) / 2)
    assert block.agreement.told == "verdict agreement: 67% over 2 tasks (bar: at least 90%): missed"
    assert block.pass_sd.value == pytest.approx(0.288675)
    assert block.pass_sd.told == "pass rate SD: 28.9 points over 3 runs (bar: at most 3.0 points): missed"
    assert block.p50.value == pytest.approx(0.1 / 1.1)
    assert block.p50.told == "p50 wait, run to run: 9% over 3 runs (bar: at most 10%): held"
    assert block.yield_iqr.told == (
        "barge-in yield IQR: not measured (0 yields, 4 are needed; bar: at most 250 ms)"
    )
    assert block.yield_iqr.holds is None


def test_a_value_on_its_bar_holds_and_yields_spread_over_their_middle_half() -> None:
    times = [{"yield_s": time} for time in (0.1, 0.3, 0.4, 0.55, 9.0)]
    told = graded("conversation", {"caller_turns": 5.0}, {"yields": [*times, {"yield_s": None}]})
    calls = [call("S1", run, run < 10).having(*([told] if run == 1 else [])) for run in range(1, 3)]
    block = lane_card(build(calls)).stability

    assert block.yield_iqr.value == pytest.approx(0.25)
    assert block.yield_iqr.holds is True  # although 0.55 - 0.3 is a little more than 0.25 to a computer
    assert block.agreement.holds is True


def test_one_run_has_nothing_to_compare() -> None:
    block = lane_card(build([call("S1").having(waits(1.0))])).stability

    assert [bar.holds for bar in block.bars] == [None] * 4
    assert block.pass_sd.why_not == "fewer than two judged runs"


# --- why calls fail ---


def test_a_call_is_counted_under_each_of_its_reasons() -> None:
    both = [{"reason": "criterion_not_met", "detail": "", "quote": ""}, {"reason": "fabrication"}]
    calls = [
        call("S1", passed=False).having(
            graded("failure-filing", evidence={"filed": both}), graded("attribution", {"cause": 6.0})
        ),
        call("S2", passed=False).having(graded("failure-filing", evidence={"filed": both[:1] * 2})),
        call("S3", passed=False),
        call("S4"),
    ]
    found = lane_card(build(calls)).failures

    assert [(reason.reason, reason.calls) for reason in found.filed] == [
        ("mission criterion not met", 2),
        ("verified fabrication", 1),
    ]
    assert [(cause.reason, cause.calls) for cause in found.causes] == [("6 language model", 1)]
    assert (found.failed, found.unfiled) == (3, 1)


def test_plain_data_has_fields_and_what_follows_from_them() -> None:
    data = plain(lane_card(build([call("S1")])))

    assert data["task"]["status"] == "thin"
    assert data["task"]["rate"]["share"] == 1.0
    assert data["speed"]["p50_s"] is None
    assert plain(float("nan")) is None


def test_a_filing_of_another_shape_is_no_reason() -> None:
    filing = graded("failure-filing", evidence={"filed": 7})
    assert why_calls_fail(scored_calls(build([call("S1", passed=False).having(filing)]))).unfiled == 1
