"""Forbidden calls, and calls that the key expects to be refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.callers import CallerEvent, CallerTurn
from offhook.grading import CallEvidence, Grade, Outcome
from offhook.packcheck import Severity, check_pack
from offhook.packs import ExpectedCall, ForbiddenCall, KnownDefect, Pack, Task
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ReplayCache, ReplayError, pack_digest, replay
from offhook_graders.adherence.tools import ToolGrader

FIND = ("find_customer", {"full_name": "Nadia Okafor", "phone": "541-555-0148"})
VERIFY = ("verify_owner", {"postal_code": "97405", "frame_last4": "7730"})
QUOTE = ("quote_repair", {"service": "brakes"})
CONFIRM = ("confirm_repair", {"quote_id": "=quote_repair.quote_id", "price_accepted": True})
NOTE = ("leave_note", {"note": "it squeals"})
GOOD = (FIND, VERIFY, QUOTE, CONFIRM, NOTE)
UNASKED = ForbiddenCall("leave_note", "a note that nobody asked for", unless_said=(r"\bnote\b",))

Request = tuple[str, Mapping[str, Any]]


@pytest.fixture
def booking(pack: Pack) -> Task:
    """Booking a repair, without the note."""
    task = pack.task("B-H1")
    return attrs.evolve(task, id="B-F1", expected=task.expected[:-1])


@pytest.fixture
def grade(grade_requests: Callable[..., CallEvidence], replays: ReplayCache) -> Callable[..., Grade]:
    def run(task: Task, *requests: Request, **record: Any) -> Grade:
        call = grade_requests(task, requests)
        return ToolGrader(replays).grade(attrs.evolve(call, record=attrs.evolve(call.record, **record)))

    return run


def said(line: str, start: float, source: str = "rule:x") -> tuple[CallerTurn, ...]:
    return (CallerTurn(line, line.lower(), start, start + 2.0, source),)


def test_a_note_that_nobody_asked_for_fails_the_call(grade: Callable[..., Grade], booking: Task) -> None:
    task = attrs.evolve(booking, forbidden=(UNASKED,))

    result = grade(task, *GOOD)

    assert result.outcome is Outcome.FAIL
    assert result.summary == "4 of 4 expected calls matched in the request log; forbidden: leave_note"
    (request,) = result.evidence["forbidden_requests"]
    assert (request["tool"], request["why"]) == ("leave_note", "a note that nobody asked for")
    assert request["allowed_by"] == [r"the caller says /\bnote\b/"]
    assert grade(task, *GOOD[:-1]).outcome is Outcome.PASS


# The tool server of these calls stamps every request with line second 1.0.
@pytest.mark.parametrize(
    ("line", "start", "allowed"),
    [
        ("Please NOTE that it squeals.", 0.5, True),
        ("Please note that it squeals.", 1.5, False),
        ("It squeals.", 0.5, False),
        ("That is notable.", 0.5, False),
    ],
)
def test_it_is_allowed_once_the_caller_has_asked(
    grade: Callable[..., Grade], booking: Task, line: str, start: float, allowed: bool
) -> None:
    result = grade(attrs.evolve(booking, forbidden=(UNASKED,)), *GOOD, caller_turns=said(line, start))

    assert (result.outcome is Outcome.PASS) is allowed


@pytest.mark.parametrize(
    ("unless", "record", "allowed"),
    [
        ("heard:price", {"caller_events": (CallerEvent("heard:price", 0.9),)}, True),
        ("heard:price", {"caller_events": (CallerEvent("heard:price", 1.1),)}, False),
        ("said:note", {"caller_turns": said("Mind the brake.", 0.5, "rule:note")}, True),
        ("said:note", {"caller_turns": said("Mind the brake.", 0.5, "rule:done")}, False),
        ("opened", {"caller_turns": said("Hello.", 0.0, "opening")}, True),
        ("called:confirm_repair", {}, True),
        ("called:end_call", {}, False),
    ],
)
def test_events_and_earlier_calls_allow_it(
    grade: Callable[..., Grade], booking: Task, unless: str, record: dict[str, Any], allowed: bool
) -> None:
    rule = ForbiddenCall("leave_note", "not yet", unless=(unless,))

    result = grade(attrs.evolve(booking, forbidden=(rule,)), *GOOD, **record)

    assert (result.outcome is Outcome.PASS) is allowed


def test_only_the_named_arguments_are_forbidden(grade: Callable[..., Grade], booking: Task) -> None:
    rule = ForbiddenCall("get_service_price", "another service", {"service": "wheel"})
    task = attrs.evolve(booking, forbidden=(rule,))

    assert grade(task, *GOOD, ("get_service_price", {"service": "brakes"})).outcome is Outcome.PASS
    assert grade(task, *GOOD, ("get_service_price", {"service": "Wheel Truing"})).outcome is Outcome.FAIL


def test_a_refused_request_breaks_nothing(grade: Callable[..., Grade], booking: Task) -> None:
    task = attrs.evolve(booking, forbidden=(UNASKED,))

    result = grade(task, NOTE, *GOOD[:-1])  # before the gate: the tool server refuses it

    assert result.outcome is Outcome.PASS


def test_each_of_two_forbidden_requests_is_told(grade: Callable[..., Grade], booking: Task) -> None:
    result = grade(attrs.evolve(booking, forbidden=(UNASKED,)), *GOOD, NOTE)

    assert result.numbers["forbidden"] == 2


# --- refusals that the key expects ---


@pytest.fixture
def refusal(booking: Task) -> Task:
    """A caller who can't prove who they are: the right call is one that is refused."""
    wrong = ExpectedCall("verify_owner", {"postal_code": "97405", "frame_last4": "9999"}, outcome="refused")
    return attrs.evolve(booking, id="B-R1", expected=(booking.expected[0], wrong))


def test_an_expected_refusal_is_matched_by_a_refusal(grade: Callable[..., Grade], refusal: Task) -> None:
    tried = ("verify_owner", {"postal_code": "97405", "frame_last4": "9999"})

    result = grade(refusal, FIND, tried)

    assert result.outcome is Outcome.PASS
    assert [call["outcome"] for call in result.evidence["expected_calls"]] == ["accepted", "refused"]
    assert grade(refusal, FIND).outcome is Outcome.FAIL


def test_an_accepted_call_is_not_the_refused_one(grade: Callable[..., Grade], refusal: Task) -> None:
    right = attrs.evolve(refusal.expected[1], alternatives={"frame_last4": ("7730",)})
    task = attrs.evolve(refusal, expected=(refusal.expected[0], right))

    result = grade(task, FIND, VERIFY)

    assert result.evidence["expected_calls"][1]["note"] == "accepted, not refused"


@pytest.mark.parametrize(
    ("index", "outcome", "why"),
    [
        (1, "refused", "accepted, and the key expects it to be refused"),
        (1, None, "refused with not_verified"),
    ],
)
def test_a_key_must_say_what_comes_of_its_calls(
    refusal: Task, tmp_path: Path, index: int, outcome: str | None, why: str
) -> None:
    digits = "7730" if outcome else "9999"
    call = ExpectedCall("verify_owner", {"postal_code": "97405", "frame_last4": digits}, outcome=outcome)
    with pytest.raises(ReplayError, match=why):
        replay(bicycle_pack(), attrs.evolve(refusal, expected=(refusal.expected[0], call)), tmp_path)


# --- what the pack check says of them ---


@pytest.mark.parametrize(
    ("change", "where", "told"),
    [
        ({"forbidden": (ForbiddenCall("fly", "no"),)}, ".forbidden[0].tool", "got 'fly'"),
        ({"forbidden": (ForbiddenCall("end_call", " "),)}, ".forbidden[0].why", "what is wrong"),
        (
            {"forbidden": (ForbiddenCall("get_service_price", "no", {"colour": "red"}),)},
            ".forbidden[0].arguments",
            "got 'colour'",
        ),
        (
            {"forbidden": (ForbiddenCall("get_service_price", "no", {"service": "paint"}),)},
            ".forbidden[0].arguments['service']",
            "got 'paint'",
        ),
        (
            {"forbidden": (ForbiddenCall("end_call", "no", unless=("said:nothing",)),)},
            ".forbidden[0].unless",
            "got 'said:nothing'",
        ),
        (
            {"forbidden": (ForbiddenCall("end_call", "no", unless_said=("(",)),)},
            ".forbidden[0].unless_said[0]",
            "a regular expression",
        ),
        ({"forbidden": (ForbiddenCall("leave_note", "no"),)}, ".forbidden[0]", "nothing that the key calls"),
        ({"forbidden": [ForbiddenCall("end_call", "no")]}, ".forbidden", "a tuple, got list"),
    ],
)
def test_a_wrong_rule_is_told_with_its_place(
    pack: Pack, change: dict[str, Any], where: str, told: str
) -> None:
    broken = attrs.evolve(pack, tasks=(pack.tasks[0], attrs.evolve(pack.tasks[1], **change)))

    errors = [problem for problem in check_pack(broken) if problem.severity is Severity.ERROR]

    assert [error.where for error in errors] == [f"{pack.name}/tasks/B-H1{where}"]
    assert told in errors[0].expected


def test_a_wrong_outcome_is_told(pack: Pack) -> None:
    calls = pack.tasks[0].expected
    wrong = attrs.evolve(calls[0], outcome="declined")
    broken = attrs.evolve(
        pack, tasks=(attrs.evolve(pack.tasks[0], expected=(wrong, *calls[1:])), pack.tasks[1])
    )

    (error,) = [problem for problem in check_pack(broken) if problem.severity is Severity.ERROR]

    assert error.where.endswith("expected[0].outcome")
    assert "'declined'" in error.expected


def test_a_sound_rule_and_a_known_defect_are_no_problem_and_change_the_digest(pack: Pack) -> None:
    task = attrs.evolve(pack.tasks[1], forbidden=(UNASKED,))
    ruled = attrs.evolve(pack, tasks=(pack.tasks[0], task))
    defect = attrs.evolve(pack, defects=(KnownDefect("B-E1", "two prices are right", "2026-11-30"),))

    assert check_pack(ruled) == check_pack(defect) == ()
    assert len({pack_digest(pack), pack_digest(ruled), pack_digest(defect)}) == 3


@pytest.mark.parametrize(
    ("defect", "field"),
    [
        (KnownDefect("B-X1", "x", "2026-11-30"), "task"),
        (KnownDefect("B-E1", " ", "2026-11-30"), "what"),
        (KnownDefect("B-E1", "x", "lately"), "confirmed"),
    ],
)
def test_a_wrong_defect_is_told(pack: Pack, defect: KnownDefect, field: str) -> None:
    (error,) = check_pack(attrs.evolve(pack, defects=(defect,)))

    assert error.where == f"{pack.name}/defects[0].{field}"
