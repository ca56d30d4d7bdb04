"""A panel: what most of its judges rule holds, and who disagreed is kept."""

from __future__ import annotations

import attrs
import pytest

from offhook.grading import Grade, Outcome
from offhook.judged import Panel, judge_call, rulings_of
from offhook.judging import JudgeCase, JudgeUnavailable, Ruling, Subject, Verdict
from tests.core._judges import CASE, Reporting, Scripted, claim, on, rule

KEPT = rule(Verdict.KEPT)
TOLD = on("told", quote="you get $14.99 back")


def panel(*members: tuple[Ruling, ...]) -> Panel:
    return Panel(tuple(Reporting(rulings, f"judge-{index}") for index, rulings in enumerate(members)))


def verdict(grade: Grade, name: str) -> Verdict:
    return next(each.verdict for each in rulings_of(grade) if each.id == name)


def test_two_of_three_decide() -> None:
    no = on("done", Verdict.NOT_MET, "I could give you ten percent off")
    grade = judge_call(panel((TOLD, on("done"), KEPT), (TOLD, no, KEPT), (TOLD, no, KEPT)), CASE)
    assert (verdict(grade, "told"), verdict(grade, "done")) == (Verdict.MET, Verdict.NOT_MET)
    assert grade.outcome is Outcome.FAIL
    assert grade.evidence["disagreements"] == [
        {"subject": "criterion", "id": "done", "quote": "", "verdicts": ["met", "not_met", "not_met"]}
    ]
    assert [member["judge"] for member in grade.evidence["panel"]] == ["judge-0", "judge-1", "judge-2"]
    assert grade.evidence["panel"][0]["model"] == "made-up"


def test_a_vote_without_a_quote_is_no_vote() -> None:
    made_up = on("done", quote="I have cancelled everything")
    grade = judge_call(panel((TOLD, on("done"), KEPT), (TOLD, made_up, KEPT), (TOLD, made_up, KEPT)), CASE)
    assert verdict(grade, "done") is Verdict.UNCLEAR
    assert grade.outcome is Outcome.UNCLEAR


def test_no_majority_is_unclear() -> None:
    split = (
        (TOLD, on("done"), KEPT),
        (TOLD, on("done", Verdict.NOT_MET), KEPT),
        (TOLD, on("done", Verdict.UNCLEAR), KEPT),
    )
    ruling = next(each for each in rulings_of(judge_call(panel(*split), CASE)) if each.id == "done")
    assert (ruling.verdict, ruling.reason) == (Verdict.UNCLEAR, "no majority: met, not_met, unclear")


def test_a_claim_that_one_of_three_saw_is_none() -> None:
    wrong = claim(Verdict.WRONG, "Plus is $29.99 a year")
    grade = judge_call(panel((TOLD, wrong), (TOLD,), (TOLD,)), CASE)
    assert grade.numbers["claims"] == 0
    assert any(
        each["verdicts"] == ["not raised", "not raised", "wrong"] for each in grade.evidence["disagreements"]
    )
    two = judge_call(
        panel(
            (TOLD, wrong),
            (TOLD, attrs.evolve(wrong, quote="plus IS 29 dollars and 99 cents a  year!")),
            (TOLD,),
        ),
        CASE,
    )
    assert two.numbers["claims_wrong"] == 1


@pytest.mark.parametrize("size", [0, 1, 2, 4])
def test_a_panel_is_odd_and_of_three_or_more(size: int) -> None:
    with pytest.raises(ValueError, match="odd number of different judges"):
        panel(*[()] * size)


def test_the_same_judge_twice_is_no_panel() -> None:
    with pytest.raises(ValueError, match="odd number of different judges"):
        Panel((Scripted(()), Scripted(()), Scripted((), "other")))


def test_its_version_changes_with_a_members() -> None:
    one = panel((), (), ())
    other = Panel((*one.judges[:2], Reporting((), "judge-2", "2")))
    turned = Panel((one.judges[2], one.judges[0], one.judges[1]))
    assert one.version != other.version
    assert one.version == turned.version


def test_a_member_that_is_gone_leaves_no_panel() -> None:
    def gone(case: JudgeCase) -> tuple[Ruling, ...]:
        raise JudgeUnavailable("no key")

    with pytest.raises(JudgeUnavailable):
        judge_call(Panel((Scripted(()), Scripted((), "b"), Scripted(gone, "c"))), CASE)


def test_members_rulings_are_kept_as_they_counted() -> None:
    made_up = on("done", quote="I have cancelled everything")
    grade = judge_call(panel((made_up,), (made_up,), (made_up,)), CASE)
    kept = grade.evidence["panel"][0]["rulings"]
    assert [each["verdict"] for each in kept if each["subject"] == Subject.CRITERION] == [
        "unclear",
        "unclear",
    ]
