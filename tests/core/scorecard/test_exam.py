"""The exam table: what counts, how calls end, what they cost."""

from __future__ import annotations

import attrs
import pytest

from offhook.grading import Grade, Outcome
from offhook.records import CallRecord
from offhook.scorecard import (
    CallEnd,
    CardInput,
    ExamCard,
    ExclusionKind,
    TaskTraits,
    end_of_call,
    exam_card,
    pareto,
)
from tests.core.scorecard._built import TASKS, Built, build, call, graded, request, verdict


def rates(card: ExamCard, cut: str) -> dict[str, tuple[float, float]]:
    (found,) = [each for each in card.cuts if each.name == cut]
    return {row.name: (row.rate.passes, row.rate.n) for row in found.rows}


# --- what is counted ---


def test_excluded_calls_go_whether_they_passed_or_not() -> None:
    calls = [
        call("S1"),
        call("S2", passed=False),
        call("S3", off_script=("said a value it does not hold",)),
        call("S4", passed=False).having(graded("attribution", {"cause": 2.0})),
        call("S5").having(ending="void", cause="caller left first: it hung up").without("tool-adherence"),
        call("S6", passed=False),
        call("S7", passed=False).having(graded("attribution", {"cause": 1.0})),
        call("S8").having(ending="error", cause="the disk was full").without("tool-adherence"),
        call("S9", passed=False).having(graded("attribution", {"cause": 3.0})),
        call("S10").having(verdict(Outcome.ERROR)),
        call("S11", passed=False).having(graded("attribution", {"cause": 6.0})),
    ]
    table = exam_card(build(calls), wrong_verdicts=["S6-clean-1"]).exclusions

    assert (table.before.passes, table.before.n) == (2, 11)
    assert (table.after.passes, table.after.n) == (1, 3)
    assert dict(table.kinds) == {
        ExclusionKind.CALLER: 3,
        ExclusionKind.VERDICT: 2,
        ExclusionKind.LOST: 2,
        ExclusionKind.UNGRADED: 1,
    }
    assert (table.excluded, table.passing) == (8, 1)


def test_a_call_that_nobody_answered_is_the_candidates_own_miss() -> None:
    silent = [
        call("S1").having(
            call_id=f"silent-{attempt}",
            key=attrs.evolve(call("S1").record.key, attempt=attempt),
            ending="void",
            cause="no agent speech",
        )
        for attempt in (1, 2, 3)
    ]
    card = exam_card(build([*(attrs.evolve(each, grades=()) for each in silent), call("S2")]))

    assert (card.completion.passes, card.completion.n, card.with_verdict) == (1, 2, 1)
    assert {end.end: end.calls for end in card.ends if end.calls} == {
        CallEnd.OBJECTIVE_MET: 1,
        CallEnd.NO_VERDICT: 1,
    }


def test_a_void_that_may_be_placed_again_is_a_lost_session() -> None:
    void = call("S1").having(ending="void", cause="no agent speech").without("tool-adherence")

    assert dict(exam_card(build([void])).exclusions.kinds)[ExclusionKind.LOST] == 1


def test_assertions_and_containment_are_over_calls_with_a_verdict() -> None:
    changes = "state-adherence"
    calls = [
        call("S1").having(verdict(True, changes)),
        call("S2", passed=False).having(verdict(True, changes)).asking(request("transfer_to_human")),
        call("S3").having(verdict(False, changes)).asking(request("transfer_to_human", accepted=False)),
        call("S4").having(verdict(Outcome.UNCLEAR, changes)).asking(request("transfer_to_human")),
    ]
    card = exam_card(build(calls))

    assert (card.completion.passes, card.completion.n, card.with_verdict) == (1, 4, 3)
    assert {a.name: (a.rate.passes, a.rate.n) for a in card.assertions} == {
        changes: (2, 3),
        "tool-adherence": (2, 3),
    }
    assert (card.containment.passes, card.containment.n, card.transfers) == (2, 3, 1)


def test_a_verifiers_assertions_are_shown_and_its_grades_can_be_the_verdicts() -> None:
    def verified(outcome: Outcome, **assertions: str) -> Grade:
        return graded("checker", evidence={"assertions": assertions}, outcome=outcome)

    calls = [
        call("S1", passed=False).having(verified(Outcome.PASS, access="pass", own="pass")),
        call("S2").having(verified(Outcome.FAIL, access="pass", own="fail")),
        call("S3").having(verified(Outcome.UNCLEAR, access="fail", own="unclear")),
        call("S4").having(verified(Outcome.ERROR)),
        call("S5"),
    ]
    by_graders, by_checker = exam_card(build(calls)), exam_card(build(calls), judge="checker")

    def asserted(card: ExamCard) -> dict[str, tuple[float, float]]:
        return {a.name: (a.rate.passes, a.rate.n) for a in card.assertions}

    assert asserted(by_graders)["checker: access"] == (2, 3)
    assert asserted(by_graders)["checker: own"] == (1, 2)
    assert (by_graders.completion.passes, by_graders.completion.n) == (4, 5)
    assert (by_checker.completion.passes, by_checker.completion.n, by_checker.with_verdict) == (1, 3, 2)
    assert asserted(by_checker)["checker: access"] == (2, 2)  # over calls with a verdict
    assert dict(by_checker.exclusions.kinds)[ExclusionKind.UNGRADED] == 2


def test_a_call_whose_log_is_lost_is_neither_contained_nor_transferred() -> None:
    data = attrs.evolve(build([call("S1"), call("S2")]), requests={"S1-clean-1": ()})

    assert exam_card(data).containment.n == 1


# --- ends ---

ENDS = [
    ("satisfied", "caller", (), "pass", CallEnd.OBJECTIVE_MET),
    ("satisfied", "caller", (), "fail", CallEnd.OBJECTIVE_MET),  # the caller's belief, no verdict
    ("satisfied", "caller", ("transfer_to_human",), "fail", CallEnd.OBJECTIVE_MET),
    ("agent_ended", "platform", ("transfer_to_human",), "fail", CallEnd.ESCALATED),
    ("gave_up", "caller", ("transfer_to_human",), "fail", CallEnd.ESCALATED),
    ("gave_up", "caller", (), "fail", CallEnd.CALLER_GAVE_UP),
    ("too_long", "caller", (), "fail", CallEnd.TIMED_OUT),
    ("agent_ended", "platform", ("end_call",), "fail", CallEnd.AGENT_REFUSED),
    ("agent_ended", "line", (), "fail", CallEnd.BROKE_OFF),
    ("satisfied", "caller", (), "unclear", CallEnd.NO_VERDICT),
    ("too_long", "caller", (), "", CallEnd.NO_VERDICT),
]


@pytest.mark.parametrize(("because", "by", "tools", "said", "end"), ENDS)
def test_how_a_call_ended(because: str, by: str, tools: tuple[str, ...], said: str, end: CallEnd) -> None:
    record = attrs.evolve(call("S1").record, hung_up_because=because, ended_by=by)

    assert end_of_call(record, [request(tool) for tool in tools], said) is end


def test_every_end_of_the_list_can_be_reached() -> None:
    assert {end for *_, end in ENDS} == set(CallEnd)


def test_a_refused_transfer_and_a_tool_of_another_name_are_none() -> None:
    record: CallRecord = attrs.evolve(call("S1").record, hung_up_because="gave_up")
    refused, other = [request("transfer_to_human", accepted=False)], [request("hand_over")]

    assert end_of_call(record, refused, "fail") is CallEnd.CALLER_GAVE_UP
    assert end_of_call(record, other, "fail") is CallEnd.CALLER_GAVE_UP
    assert end_of_call(record, other, "fail", transfer_tools=["hand_over"]) is CallEnd.ESCALATED
    assert end_of_call(record, None, "fail") is CallEnd.CALLER_GAVE_UP


def test_ends_are_over_counted_calls_and_say_how_many_passed() -> None:
    calls = [call("S1"), call("S2", passed=False), call("S3", passed=False, hung_up_because="gave_up")]
    calls += [call("S4", off_script=("left a line out",))]
    ends = {end.end: (end.calls, end.passed) for end in exam_card(build(calls)).ends}

    assert ends[CallEnd.OBJECTIVE_MET] == (2, 1)
    assert ends[CallEnd.CALLER_GAVE_UP] == (1, 0)
    assert sum(found for found, _ in ends.values()) == 3


# --- repeats and cuts ---


def three_runs() -> list[Built]:
    passes = {"S1": (1, 1, 1), "S2": (1, 0, 1), "S3": (0, 0, 0), "S4": (1, 1, 0)}
    return [
        call(task, run, bool(passed))
        for task, runs in passes.items()
        for run, passed in enumerate(runs, start=1)
    ]


def test_tasks_pass_always_at_times_or_never_and_runs_spread() -> None:
    card = exam_card(build(three_runs()))

    assert (card.steady.k, card.steady.always, card.steady.mixed, card.steady.never) == (3, 1, 2, 1)
    assert card.spread.runs == ((3, 4), (2, 4), (2, 4))
    assert card.spread.sd == pytest.approx(0.1443376)  # over runs - 1


def test_completion_is_cut_by_every_trait_that_is_known() -> None:
    task = attrs.evolve(TASKS[0], pack="shop", id="S1", category="billing")
    calls = [call("S1"), call("S1", 2, False, audio="cafe"), call("S2", voice="voice-b")]
    traits = {"shop/S1": TaskTraits(requests=3, persona="calm")}
    data: CardInput = attrs.evolve(build(calls, installed=(task,)), traits=traits)
    card = exam_card(data)

    assert rates(card, "requests") == {"3": (1, 2)}
    assert rates(card, "persona") == {"calm": (1, 2)}
    assert rates(card, "use case") == {"billing": (1, 2)}
    assert rates(card, "background") == {"cafe": (0, 1), "clean": (2, 2)}
    assert rates(card, "tier") == {str(task.tier): (1, 2)}
    assert rates(card, "voice") == {"voice-a": (1, 2), "voice-b": (1, 1)}
    assert {cut.name: cut.unknown for cut in card.cuts}["persona"] == 1


# --- cost and manners ---


def test_cost_is_of_the_calls_whose_cost_is_known() -> None:
    calls = [
        call("S1", cost_usd=0.10, cost_basis="bill"),
        call("S2", passed=False, cost_usd=0.30, cost_basis="rate card"),
        call("S3"),
    ]
    costs = exam_card(build(calls)).costs

    assert costs.mean_usd == pytest.approx(0.2)
    assert costs.per_completed_usd == pytest.approx(0.4)
    assert costs.told == ("$0.200 a call, $0.400 a completed call (known for 2 of 3: bill 1, rate card 1)")
    assert exam_card(build([call("S1")])).costs.told == "not measured (no call with a known cost)"
    assert exam_card(build([call("S1", cost_usd=0.0, cost_basis="free")])).costs.mean_usd == 0


def test_a_run_is_on_the_frontier_unless_another_gives_more_for_less() -> None:
    points = pareto(
        {
            "dear": (0.6, 0.38),
            "good": (0.2, 0.45),
            "cheap": (0.1, 0.2),
            "twin": (0.1, 0.2),
            "worse": (0.1, 0.1),
            "free": (None, 0.9),
        }
    )

    assert {point.name: point.frontier for point in points} == {
        "cheap": True,
        "twin": True,
        "good": True,
        "dear": False,
        "worse": False,
    }
    assert [point.name for point in points] == ["cheap", "twin", "worse", "good", "dear"]


def test_barge_ins_are_per_100_measured_calls() -> None:
    calls = [
        call("S1").having(graded("conversation", {"agent_barge_ins": 3.0})),
        call("S2").having(graded("conversation", {"agent_barge_ins": 0.0})),
        call("S3"),
    ]
    assert exam_card(build(calls)).barge_ins.per_100_calls == 150
    assert exam_card(build([call("S1")])).barge_ins.per_100_calls is None


def test_passes_that_rest_on_the_sound_of_a_name_are_counted() -> None:
    by_sound = request("verify_caller", response={"verified": True, "matched_by": "soundex"})
    exact = request("verify_caller", response={"verified": True, "matched_by": "exact"})
    calls = [
        call("S1").asking(by_sound),
        call("S2", passed=False).asking(by_sound),
        call("S3").asking(exact),
        call("S4").having(verdict(True, checks=[{"matched_by": "soundex"}])),
        call("S5"),
    ]
    card = exam_card(build(calls)).soundex

    assert (card.passes, card.told) == (2, 4)


def test_an_empty_exam_measures_nothing() -> None:
    card = exam_card(build([]))

    assert card.completion.share is None
    assert card.counted == 0
    assert not card.spread.measured
    assert not card.steady.measured


def test_many_calls_of_few_runs_do_not_make_a_task_steady() -> None:
    calls = [call("S1", run, audio=audio) for run, audio in ((1, "clean"), (1, "cafe"), (2, "clean"))] + [
        call("S2", run) for run in (1, 2, 3)
    ]
    steady = exam_card(build(calls, runs=3)).steady

    assert (steady.tasks, steady.always, steady.left_out) == (1, 1, 1)
