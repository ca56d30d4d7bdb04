"""Tool adherence on calls that a real tool server took."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import pytest

from offhook.grading import CallEvidence, Grade, Outcome
from offhook.packs import Pack, Task
from offhook.toolserver import ReplayCache
from offhook_graders.adherence.tools import ToolGrader

FIND = ("find_customer", {"full_name": "Nadia Okafor", "phone": "541-555-0148"})
VERIFY = ("verify_owner", {"postal_code": "97405", "frame_last4": "7730"})
QUOTE = ("quote_repair", {"service": "brakes"})
CONFIRM = ("confirm_repair", {"quote_id": "=quote_repair.quote_id", "price_accepted": True})
NOTE = ("leave_note", {"note": "it squeals"})
GOOD = (FIND, VERIFY, QUOTE, CONFIRM, NOTE)

Request = tuple[str, Mapping[str, Any]]
GradeCall = Callable[..., Grade]


@pytest.fixture
def booking(pack: Pack) -> Task:
    return pack.task("B-H1")


@pytest.fixture
def grade(grade_requests: Callable[..., CallEvidence], replays: ReplayCache, booking: Task) -> GradeCall:
    def run(*requests: Request, task: Task = booking) -> Grade:
        return ToolGrader(replays).grade(grade_requests(task, requests))

    return run


def lines(grade: Grade) -> list[str]:
    return [call["note"] for call in grade.evidence["expected_calls"]]


def test_a_good_call_matches_every_expected_call(grade: GradeCall) -> None:
    result = grade(*GOOD)

    assert result.outcome is Outcome.PASS
    assert result.summary == "5 of 5 expected calls matched in the request log"
    assert [call["request"]["index"] for call in result.evidence["expected_calls"]] == [0, 1, 2, 3, 4]


def test_a_call_that_skips_quote_and_confirm_matches_three_of_five(grade: GradeCall) -> None:
    result = grade(FIND, VERIFY, NOTE)

    assert result.outcome is Outcome.FAIL
    assert result.summary == "3 of 5 expected calls matched in the request log"
    assert lines(result) == ["matched", "matched", "never called", "never called", "matched"]


def test_order_is_free_and_extra_calls_are_allowed(grade: GradeCall) -> None:
    result = grade(
        ("get_service_price", {"service": "wheel"}), FIND, VERIFY, NOTE, QUOTE, CONFIRM, ("end_call", {})
    )

    assert result.outcome is Outcome.PASS
    assert [entry["tool"] for entry in result.evidence["extra_requests"]] == ["get_service_price", "end_call"]


def test_a_refused_call_does_not_count_as_done(grade: GradeCall) -> None:
    result = grade(QUOTE, FIND, VERIFY, NOTE)  # quoted before the gate: refused

    assert result.numbers["matched"] == 3
    quote = result.evidence["expected_calls"][2]
    assert quote["note"] == "refused, not accepted"
    assert quote["nearest"]["code"] == "not_verified"


def test_a_wrong_argument_is_named_with_both_values(grade: GradeCall) -> None:
    result = grade(FIND, VERIFY, ("quote_repair", {"service": "wheel"}), NOTE)

    quote = result.evidence["expected_calls"][2]
    assert quote["note"] == "called with another service"
    assert quote["differences"] == [{"what": "service", "expected": "brakes", "observed": "wheel"}]


def test_the_nearest_of_several_attempts_is_shown(grade: GradeCall) -> None:
    wrong = ("find_customer", {"full_name": "Bob Smith", "phone": "541-555-0199"})
    close = ("find_customer", {"full_name": "Nadia Okafor", "phone": "541-555-0149"})

    result = grade(wrong, close)

    find = result.evidence["expected_calls"][0]
    assert find["nearest"]["index"] == 1
    assert [difference["what"] for difference in find["differences"]] == ["outcome", "phone"]


def test_arguments_match_in_any_usual_writing(grade: GradeCall) -> None:
    find = ("find_customer", {"full_name": "nadia  OKAFOR", "phone": "+1 (541) 555 0148"})
    verify = ("verify_owner", {"postal_code": 97405, "frame_last4": 7730})
    quote = ("quote_repair", {"service": "Brake Overhaul"})
    confirm = ("confirm_repair", {"quote_id": "=quote_repair.quote_id", "price_accepted": "yes"})

    assert grade(find, verify, quote, confirm, NOTE).outcome is Outcome.PASS


def test_omitted_free_text_does_not_match(
    grade_requests: Callable[..., CallEvidence], booking: Task, replays: ReplayCache
) -> None:
    call = grade_requests(booking, GOOD)
    blank = [
        attrs.evolve(entry, arguments={"note": "  "}) for entry in call.tools if entry.tool == "leave_note"
    ]

    result = ToolGrader(replays).grade(attrs.evolve(call, tools=(*call.tools[:4], *blank)))

    assert result.evidence["expected_calls"][4]["differences"] == [
        {"what": "note", "expected": "any text", "observed": None}
    ]


def test_an_omitted_constrained_argument_never_matches(
    grade_requests: Callable[..., CallEvidence], booking: Task, replays: ReplayCache
) -> None:
    call = grade_requests(booking, GOOD)
    for left_out in ({"quote_id": "QT-1"}, {"quote_id": "QT-1", "price_accepted": None}):
        confirm = attrs.evolve(call.tools[3], arguments=left_out, canonical={})
        tools = (*call.tools[:3], confirm, call.tools[4])

        result = ToolGrader(replays).grade(attrs.evolve(call, tools=tools))

        assert result.outcome is Outcome.FAIL
        assert result.evidence["expected_calls"][3]["differences"] == [
            {"what": "price_accepted", "expected": True, "observed": None}
        ]


def test_one_request_cannot_stand_for_two_identical_expected_calls(grade: GradeCall, pack: Pack) -> None:
    price = pack.task("B-E1")
    twice = attrs.evolve(price, id="B-E1-twice", expected=price.expected * 2)
    request = ("get_service_price", {"service": "tune_up"})

    once = grade(request, task=twice)

    assert once.numbers["matched"] == 1
    assert lines(once) == ["matched", "called, but not once for each expected call"]


def test_two_requests_do_stand_for_two_identical_expected_calls(grade: GradeCall, pack: Pack) -> None:
    price = pack.task("B-E1")
    twice = attrs.evolve(price, id="B-E1-twice", expected=price.expected * 2)
    request = ("get_service_price", {"service": "tune_up"})

    assert grade(request, request, task=twice).outcome is Outcome.PASS


def test_listed_alternatives_are_accepted(grade: GradeCall, pack: Pack) -> None:
    price = pack.task("B-E1")
    expected = attrs.evolve(price.expected[0], alternatives={"service": ("wheel",)})
    task = attrs.evolve(price, id="B-E1-either", expected=(expected,))

    assert grade(("get_service_price", {"service": "wheel"}), task=task).outcome is Outcome.PASS


def test_matching_is_maximum_where_greedy_fails(grade: GradeCall, pack: Pack) -> None:
    price = pack.task("B-E1")
    # The first expected call takes either request, the second only what a greedy matcher gives the first.
    either = attrs.evolve(price.expected[0], alternatives={"service": ("wheel",)})
    only = price.expected[0]
    task = attrs.evolve(price, id="B-E1-crossed", expected=(either, only))

    result = grade(
        ("get_service_price", {"service": "tune_up"}), ("get_service_price", {"service": "wheel"}), task=task
    )

    assert result.outcome is Outcome.PASS
    assert [call["request"]["index"] for call in result.evidence["expected_calls"]] == [1, 0]


def test_an_accepted_call_of_a_forbidden_tool_fails(grade: GradeCall, pack: Pack, booking: Task) -> None:
    task = attrs.evolve(booking, id="B-H1-silent", forbidden_tools=("get_service_price",))

    result = grade(*GOOD, ("get_service_price", {"service": "wheel"}), task=task)

    assert result.outcome is Outcome.FAIL
    assert result.summary.endswith("; forbidden: get_service_price")
    assert result.numbers["matched"] == 5


def test_a_refused_call_of_a_forbidden_tool_did_nothing(grade: GradeCall, booking: Task) -> None:
    task = attrs.evolve(booking, id="B-H1-quiet", forbidden_tools=("get_service_price",))

    assert grade(*GOOD, ("get_service_price", {}), task=task).outcome is Outcome.PASS


def test_a_task_without_calls_passes_on_an_empty_log(grade: GradeCall, pack: Pack) -> None:
    task = attrs.evolve(pack.task("B-E1"), id="B-E1-none", expected=())

    result = grade(task=task)

    assert (result.outcome, result.summary) == (
        Outcome.PASS,
        "0 of 0 expected calls matched in the request log",
    )


def test_requests_of_unknown_tools_are_extra_and_harmless(grade: GradeCall) -> None:
    result = grade(*GOOD, ("sing", {"song": "x"}))

    assert result.outcome is Outcome.PASS


def test_equal_evidence_gives_an_equal_grade(
    grade_requests: Callable[..., CallEvidence], booking: Task, replays: ReplayCache
) -> None:
    call = grade_requests(booking, GOOD[:3])

    assert ToolGrader(replays).grade(call) == ToolGrader(replays).grade(call)


def test_the_key_of_a_task_is_never_satisfied_by_permuted_values(grade: GradeCall) -> None:
    swapped = ("verify_owner", {"postal_code": "77300", "frame_last4": "9740"})
    requests: Sequence[Request] = (FIND, swapped)

    assert (
        grade(*requests)
        .evidence["expected_calls"][1]["note"]
        .startswith("called with another outcome, postal")
    )


@pytest.mark.parametrize(
    ("ended_by", "errors", "passes"),
    [
        ("agent", ("unavailable: a hiccup",), True),
        ("caller", (), True),
        ("platform", ("unavailable: out of memory",), False),
        ("platform", (), False),
    ],
)
def test_a_call_that_the_platform_broke_off_fails_whatever_was_done(
    grade_requests: Callable[..., CallEvidence],
    replays: ReplayCache,
    booking: Task,
    ended_by: str,
    errors: tuple[str, ...],
    passes: bool,
) -> None:
    evidence = grade_requests(booking, GOOD)
    record = attrs.evolve(evidence.record, ended_by=ended_by, session_errors=errors)
    result = ToolGrader(replays).grade(attrs.evolve(evidence, record=record))

    assert (result.outcome is Outcome.PASS) is passes
    assert ("the platform broke off" in result.summary) is not passes
    if not passes:
        assert result.evidence["broke_off"] == (errors[-1] if errors else "no reason given")
