"""The firm's desks, the one agent they collapse into, and the words of the policy follower."""

from __future__ import annotations

import pytest

from offhook_industries.legal.graph import graph
from offhook_industries.legal.guide import follower_guide
from offhook_industries.legal.pack import build_pack
from tests.industries._desks import (
    Desks,
    asides_for,
    check_desks,
    check_every_argument_is_had,
    check_judged,
    check_length,
    check_own_tools_are_named,
    check_tools_named,
)

GRAPH = graph()
GUIDE = follower_guide()
PACK = build_pack()

# The published table: each desk's tools and where it hands over.
DESKS: Desks = {
    "reception": (
        {"lookup_caller", "get_caller_matters", "take_message"},
        ("screening", "client_services"),
    ),
    "screening": (
        {"check_conflict", "check_practice_area", "check_jurisdiction", "calculate_filing_deadline"},
        ("intake",),
    ),
    "intake": (
        {"record_intake", "add_intake_note", "send_intake_packet", "request_records_authorization"},
        ("scheduling",),
    ),
    "scheduling": (
        {
            "get_attorney",
            "find_evaluation_slots",
            "hold_evaluation",
            "confirm_evaluation",
            "hold_cancellation",
            "confirm_cancellation",
        },
        (),
    ),
    "client_services": (
        {"get_caller_matters", "get_case_status", "take_message", "add_intake_note"},
        (),
    ),
}


def test_the_desks_are_the_published_ones() -> None:
    check_desks(GRAPH, DESKS, total=24)
    assert len(GRAPH.business_tools) == 18
    assert GRAPH.shape == "sequential"


def test_the_collapsed_prompt_is_as_long_as_the_published_one() -> None:
    check_length(GRAPH, 2131)


def test_the_collapsed_prompt_speaks_of_every_tool_and_of_no_other() -> None:
    check_tools_named(GRAPH, {"full_name", "told_before_screening", "terms_acknowledged"})


@pytest.mark.parametrize("desk", [desk.name for desk in GRAPH.specialists])
def test_a_desk_speaks_of_its_own_tools_and_hand_offs(desk: str) -> None:
    check_own_tools_are_named(GRAPH, desk)


def test_the_agent_is_the_collapsed_graph() -> None:
    assert PACK.graph == GRAPH
    assert PACK.agent.prompt == GRAPH.collapsed_prompt()
    assert len(PACK.agent.tools) == len(PACK.tools) == 20


def test_no_value_of_a_task_leaks_into_the_words() -> None:
    text = GRAPH.collapsed_prompt()
    for value in ("Northgate", "Vertex", "Okonkwo", "EV-21", "260", "Arizona", "eighty", "Castro", "Brandt"):
        assert value not in text


def test_every_argument_of_every_key_can_be_had() -> None:
    check_every_argument_is_had(PACK, GUIDE)


@pytest.mark.parametrize("name", ["confirm_evaluation", "confirm_cancellation"])
def test_nothing_is_committed_before_it_is_read_back(name: str) -> None:
    words = next(words for words in GUIDE.tools if words.tool == name)
    source = next(iter(words.carry.values())).partition(".")[0]
    assert f"{{{source}.read_back}}" in words.propose
    assert words.consent is not None


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My wife just collapsed next to me.", "911"),
        ("He can't breathe.", "911"),
        ("Is eighty thousand in the right area?", "worth"),
        ("They offered me a settlement. Should I take it?", "worth"),
        ("Let me tell you what happened to me.", "free to hear"),
    ],
)
def test_what_a_caller_touches_on_is_answered(said: str, told: str) -> None:
    (aside,) = asides_for(GUIDE, said)
    assert told in aside


@pytest.mark.parametrize(
    "said",
    [
        "I'd like to leave a message for a lawyer.",
        "I slipped on a wet floor and broke my wrist.",
        "Yes, please book it.",
        "It's worth mentioning that a shop owner saw it.",
    ],
)
def test_an_ordinary_line_calls_for_no_aside(said: str) -> None:
    assert asides_for(GUIDE, said) == []


def test_what_judges_are_told_fits_the_keys() -> None:
    check_judged(PACK)
