"""From rulings to a grade: what is not quoted is unclear, whoever says otherwise."""

from __future__ import annotations

from typing import Any, cast

import attrs
import pytest

from offhook.grading import GradeKind, Outcome
from offhook.judged import check_rulings, judge_call, rulings_of
from offhook.judging import JudgeCase, JudgeUnavailable, Ruling, Subject, Verdict
from offhook.storage import from_json, to_json
from tests.core._judges import CASE, Reporting, Scripted, claim, on, rule

GOOD = (on("told", quote="you get $14.99 back"), on("done"), rule(Verdict.KEPT))


def verdicts(*rulings: Ruling) -> list[tuple[str, str, bool | None]]:
    return [(each.id, str(each.verdict), each.quote_found) for each in check_rulings(CASE, rulings)]


def test_a_good_call_passes_with_its_counts_and_evidence() -> None:
    accurate = claim(Verdict.ACCURATE, "Plus is $29.99 a year")
    grade = judge_call(Reporting((*GOOD, accurate)), CASE)
    assert (grade.outcome, grade.kind) == (Outcome.PASS, GradeKind.FINDING)
    assert (grade.grader, grade.version, grade.call_id) == ("scripted", "1", "call-1")
    assert {name: value for name, value in grade.numbers.items() if value} == {
        "criteria": 2.0,
        "met": 2.0,
        "claims": 1.0,
        "claims_accurate": 1.0,
        "rules": 1.0,
        "kept": 1.0,
    }
    assert grade.evidence["model"] == "made-up"
    assert grade.summary == "2 of 2 criteria met"
    assert rulings_of(from_json(to_json(grade), type(grade), source="test")) == rulings_of(grade)
    assert [each.quote_found for each in rulings_of(grade)] == [True, True, True, None]


def test_one_criterion_not_met_fails_the_call_and_one_unclear_leaves_it_open() -> None:
    failed = judge_call(
        Scripted((on("told", Verdict.NOT_MET, "Cancel my membership", "caller"), on("done"))), CASE
    )
    assert failed.outcome is Outcome.FAIL
    assert failed.summary == "1 of 2 criteria met; 1 not met; not met: told"
    unclear = judge_call(Scripted((on("told", Verdict.UNCLEAR, ""), on("done"))), CASE)
    assert unclear.outcome is Outcome.UNCLEAR


@pytest.mark.parametrize(
    ("quote", "speaker"),
    [
        ("you get $15.99 back", "agent"),
        ("Cancel my membership", "agent"),  # the caller said that
        ("It is cancelled now", "caller"),  # and the agent this
        ("cancelled", "agent"),
        ("", "agent"),
        ("It is cancelled now", "system"),
    ],
)
def test_without_a_quote_of_its_speaker_nothing_is_met(quote: str, speaker: str) -> None:
    told, done, _kept = check_rulings(CASE, (on("told", Verdict.MET, quote, speaker), *GOOD[1:]))
    assert (told.verdict, told.quote_found) == (Verdict.UNCLEAR, False)
    assert "ruled met, but" in told.reason
    assert (done.verdict, done.quote_found) == (Verdict.MET, True)
    assert (
        judge_call(Scripted((on("told", Verdict.MET, quote, speaker), *GOOD[1:])), CASE).numbers[
            "quotes_missing"
        ]
        == 1
    )


def test_a_judge_does_not_check_its_own_quotes() -> None:
    boasting = attrs.evolve(on("told", quote="words nobody said"), quote_found=True)
    assert verdicts(boasting, *GOOD[1:])[0] == ("told", "unclear", False)


def test_what_is_not_ruled_on_is_unclear() -> None:
    assert verdicts() == [
        ("told", "unclear", None),
        ("done", "unclear", None),
        ("no-sweetener", "unclear", None),
    ]


def test_two_different_rulings_on_one_thing_are_none() -> None:
    twice = (on("done"), on("done", Verdict.NOT_MET))
    assert verdicts(*twice)[1] == ("done", "unclear", None)
    same = (on("done", quote="nobody said this"), on("done"))
    assert verdicts(*same)[1] == ("done", "met", True)


def test_a_verdict_of_another_subject_and_unknown_ids_do_not_count() -> None:
    assert verdicts(on("done", Verdict.KEPT))[1] == ("done", "unclear", None)
    assert len(verdicts(on("another-criterion"))) == 3
    odd = check_rulings(CASE, (claim(Verdict.WRONG, "Plus is $29.99 a year", "no-such-fact"),))
    assert [each.verdict for each in odd if each.subject is Subject.FACT] == [Verdict.UNCLEAR]


def test_claims_and_breaches_need_the_agents_own_words() -> None:
    rulings = (
        claim(Verdict.WRONG, "you get $14.99 back"),
        claim(Verdict.FABRICATED, "ten percent off", ""),
        claim(Verdict.FABRICATED, "Cancel my membership", ""),
        rule(Verdict.BREACHED, "I could give you ten percent off"),
    )
    numbers = judge_call(Scripted(rulings), CASE).numbers
    assert (numbers["claims"], numbers["claims_wrong"], numbers["fabricated"]) == (2, 1, 1)
    assert (numbers["claims_unclear"], numbers["breaches"], numbers["quotes_missing"]) == (1, 1, 1)
    assert (
        judge_call(Scripted((rule(Verdict.BREACHED, "half the price"),)), CASE).numbers["rules_unclear"] == 1
    )
    callers = attrs.evolve(claim(Verdict.WRONG, "Cancel my membership"), speaker="caller")
    assert judge_call(Scripted((callers,)), CASE).numbers["claims"] == 0  # callers may claim what they like


def test_a_claim_counts_once_and_two_rulings_on_it_are_none() -> None:
    accurate = claim(Verdict.ACCURATE, "Plus is $29.99 a year")
    again = attrs.evolve(accurate, quote="plus IS twenty-nine ninety-nine a year", reason="once more")
    assert judge_call(Scripted((accurate, again)), CASE).numbers["claims_accurate"] == 1
    torn = judge_call(Scripted((accurate, attrs.evolve(again, verdict=Verdict.WRONG))), CASE)
    assert (torn.numbers["claims"], torn.numbers["claims_unclear"]) == (0, 1)


def test_a_call_without_a_word_is_not_measured_and_not_asked_about() -> None:
    def never(case: JudgeCase) -> tuple[Ruling, ...]:
        raise AssertionError("asked")

    grade = judge_call(Scripted(never), attrs.evolve(CASE, transcript=()))
    assert (grade.outcome, grade.summary) == (Outcome.NOT_MEASURED, "not measured: nobody said a word")


def test_a_judge_that_breaks_gives_an_error_and_no_verdict() -> None:
    def broken(case: JudgeCase) -> tuple[Ruling, ...]:
        raise RuntimeError("out of luck")

    grade = judge_call(Scripted(broken), CASE)
    assert (grade.outcome, grade.summary) == (Outcome.ERROR, "RuntimeError: out of luck")
    wrong = cast("tuple[Ruling, ...]", ("met", "met"))
    assert judge_call(Scripted(wrong), CASE).outcome is Outcome.ERROR


def test_an_unavailable_judge_is_no_grade() -> None:
    def gone(case: JudgeCase) -> tuple[Ruling, ...]:
        raise JudgeUnavailable("no key")

    with pytest.raises(JudgeUnavailable, match="no key"):
        judge_call(Scripted(gone), CASE)


def test_half_a_character_and_endless_words_can_be_stored() -> None:
    wild = Ruling(Subject.CRITERION, "told", Verdict.NOT_MET, "\ud83d" * 5000, "agent", reason="\udc00")
    grade = judge_call(Scripted((wild,)), CASE)
    stored: Any = from_json(to_json(grade), type(grade), source="test")
    assert len(stored.evidence["rulings"][0]["quote"]) == 2000
    to_json(grade).encode("utf-8")
