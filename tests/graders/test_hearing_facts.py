"""Form-filling accuracy: which facts count, and where the transcript has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, Grade
from offhook.packs import ExpectedCall, Pack, Task, Trait
from offhook.testing_pack import bicycle_pack
from offhook.values import ValueKind
from offhook_graders.hearing.facts import facts_needed
from offhook_graders.hearing.grader import HearingGrader
from tests.graders.hearing_calls import MakeEvidence, measured, said


def task_of(*traits: Trait, arguments: dict[str, Any] | None = None) -> Task:
    """A task whose one call needs all of the caller's traits, or what ``arguments`` says."""
    needed = {trait.name: trait.value for trait in traits} if arguments is None else arguments
    return attrs.evolve(
        bicycle_pack().task("B-E1"), traits=traits, expected=(ExpectedCall("register", arguments=needed),)
    )


def graded(evidence: MakeEvidence, task: Task, turns: Sequence[CallerTurn], heard: Sequence[str]) -> Grade:
    return HearingGrader().grade(measured(evidence(task, turns=turns, heard=heard)))


def counts(grade: Grade) -> tuple[float, float]:
    return grade.numbers["facts_needed"], grade.numbers["facts_heard"]


def test_facts_are_the_names_and_numbers_that_the_calls_need() -> None:
    pack = bicycle_pack()

    assert [trait.name for trait in facts_needed(pack, pack.task("B-H1"))] == [
        "full_name",
        "phone",
        "postal_code",
        "frame_last4",
    ]  # the service is one of a list
    assert facts_needed(pack, pack.task("B-E1")) == ()


def test_a_trait_is_needed_by_its_value_and_each_value_once() -> None:
    traits = (
        Trait("phone", ValueKind.PHONE, "541-555-0148"),
        Trait("mobile", ValueKind.PHONE, "(541) 555 0148"),
        Trait("born", ValueKind.DATE, "1972-06-30"),
        Trait("pet", ValueKind.NAME, "Rex"),
        Trait("code", ValueKind.DIGITS, "7730"),
        Trait("broken", ValueKind.PHONE, "no number"),
    )
    task = task_of(*traits, arguments={"a": "5415550148", "b": "June 30, 1972", "c": 7730, "d": True})

    assert [trait.name for trait in facts_needed(bicycle_pack(), task)] == ["phone", "born", "code"]
    other = attrs.evolve(
        task, expected=(ExpectedCall("register", {"a": "none"}, alternatives={"a": ("Rex",)}),)
    )
    assert [trait.name for trait in facts_needed(bicycle_pack(), other)] == ["pet"]


NAME = Trait("name", ValueKind.NAME, "Maeve O'Brien")
EMAIL = Trait("email", ValueKind.EMAIL, "selina.cortez@example.com")
SPELLED = Trait("surname", ValueKind.SPELLED, "CORTEZ")
PHONE = Trait("phone", ValueKind.PHONE, "541-555-0171")
DATE = Trait("born", ValueKind.DATE, "1972-06-30")
ORDER = Trait("order", ValueKind.ORDER_NUMBER, "KE-4408117")
AMOUNT = Trait("refund", ValueKind.AMOUNT, "14.99")
ZIP = Trait("zip", ValueKind.ZIP, "97035")


@pytest.mark.parametrize(
    ("trait", "spoken", "heard"),
    [
        (NAME, "It's Maeve O'Brien.", "it’s Maeve O’Brien"),
        (NAME, "It's Maeve O'Brien.", "It's Maeve Obrien."),
        (EMAIL, "selina dot cortez at example dot com", "It's Selina.Cortez@example.com."),
        (EMAIL, "selina dot cortez at example dot com", "selina dot cortez at example dot com"),
        (SPELLED, "that is C, O, R, T, E, Z", "That is C-O-R-T-E-Z."),
        (SPELLED, "that is C, O, R, T, E, Z", "that is c o r t e z"),
        (PHONE, "five four one, five five five, oh one seven one", "541, double five five, 0171"),
        (PHONE, "five four one, triple five, oh one seven one", "(541) 555-0171"),
        (DATE, "June thirtieth, nineteen seventy-two", "6/30/1972"),
        (DATE, "June thirtieth, nineteen seventy-two", "the thirtieth of June nineteen seventy two"),
        (ORDER, "K E four four oh eight one one seven", "KE-4408117"),
        (AMOUNT, "fourteen dollars and ninety-nine cents", "$14.99"),
        (ZIP, "nine seven oh three five", "97035"),
    ],
)
def test_a_fact_is_heard_in_its_written_and_its_spoken_form(
    evidence: MakeEvidence, trait: Trait, spoken: str, heard: str
) -> None:
    grade = graded(evidence, task_of(trait), said(spoken), [heard])

    assert counts(grade) == (1, 1)
    (fact,) = grade.evidence["facts"]
    assert (fact["trait"], fact["value"], fact["turns"], fact["heard"]) == (
        trait.name,
        trait.value,
        [0],
        True,
    )
    assert fact["evidence"] in heard
    assert fact["form"]
    assert grade.summary.endswith("1 of 1 facts heard")


@pytest.mark.parametrize(
    ("trait", "spoken", "heard"),
    [
        (NAME, "It's Maeve O'Brien.", "It's Maeve Bryant."),
        (EMAIL, "selina dot cortez at example dot com", "selina_cortez@example.com"),
        (SPELLED, "that is C, O, R, T, E, Z", "that is C O R T E C"),
        (PHONE, "five four one, five five five, oh one seven one", "541 555 0177"),
        (PHONE, "five four one, five five five, oh one seven one", "541 55 0171"),
        (DATE, "June thirtieth, nineteen seventy-two", "July 30, 1972"),
        (ORDER, "K E four four oh eight one one seven", "KB-4408117"),
        (AMOUNT, "fourteen dollars and ninety-nine cents", "$40.99"),
        (ZIP, "nine seven oh three five", "my zip"),
    ],
)
def test_a_fact_that_came_through_wrong_is_not_heard(
    evidence: MakeEvidence, trait: Trait, spoken: str, heard: str
) -> None:
    grade = graded(evidence, task_of(trait), said(spoken), [heard])

    assert counts(grade) == (1, 0)
    assert grade.evidence["facts"][0]["evidence"] == heard  # what is there instead


def test_a_fact_that_nobody_said_is_not_asked_for(evidence: MakeEvidence) -> None:
    assert counts(graded(evidence, task_of(ZIP), said("I have no idea."), ["97035"])) == (0, 0)


def test_a_fact_counts_where_it_was_said_and_not_elsewhere(evidence: MakeEvidence) -> None:
    code = Trait("code", ValueKind.DIGITS, "1156")
    turns = said(
        "My card ends in one one five six.",
        "Please send it on Monday then.",
        "Thank you very much.",
        "I paid eleven fifty-six for it.",
    )

    missed = graded(
        evidence,
        task_of(code),
        [*turns[:3], CallerTurn("And my flat is number twelve.", "And my flat is number twelve.", 3, 4, "x")],
        [
            "my card ends in",
            "please send it on monday then",
            "thank you very much",
            "and my flat is number 1156",
        ],
    )

    assert counts(missed) == (1, 0)


def test_a_fact_that_is_repeated_needs_to_come_through_once(evidence: MakeEvidence) -> None:
    turns = said("nine seven oh three five", "I said: nine, seven, oh, three, five.")

    grade = graded(evidence, task_of(ZIP), turns, ["97 or 5", "I said 9 7 0 3 5"])

    assert counts(grade) == (1, 1)
    assert grade.evidence["facts"][0]["turns"] == [0, 1]


def test_a_fact_spread_over_turns_and_over_lines_is_one_fact(evidence: MakeEvidence) -> None:
    turns = said("It's five four one", "five five five", "oh one seven one")

    apart = graded(evidence, task_of(PHONE), turns, ["it's 541", "555", "0171"])
    together = graded(
        evidence,
        task_of(PHONE),
        said("five four one five five five oh one seven one"),
        ["541 5", "55 01", "71"],
    )

    assert counts(apart) == (1, 1)
    assert apart.evidence["facts"][0]["turns"] == [0, 1, 2]
    assert counts(together) == (1, 1)


def test_without_a_transcript_of_a_turn_its_facts_are_missed(evidence: MakeEvidence) -> None:
    grade = graded(
        evidence, task_of(NAME, ZIP), said("It's Maeve O'Brien.", "nine seven oh three five"), ["97035"]
    )

    assert counts(grade) == (2, 1)
    assert [fact["heard"] for fact in grade.evidence["facts"]] == [False, True]


def test_facts_need_no_embedder(evidence: MakeEvidence, pack: Pack) -> None:
    call: CallEvidence = evidence(
        pack.task("B-H1"),
        turns=said("Nadia Okafor, five four one, five five five, oh one four eight."),
        heard=["Nadia Okafor 541-555-0148"],
    )

    assert counts(HearingGrader().grade(call)) == (2, 2)
