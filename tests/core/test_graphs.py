"""A department of specialists and the one agent it collapses into."""

from __future__ import annotations

import attrs
import pytest

from offhook.graphs import AgentGraph, HandOff, Specialist

DESK = Specialist(
    "desk",
    "The front desk",
    "## Hours\n\nGive the hours with get_hours.",
    ("get_hours", "take_message"),
    (HandOff("booking", "the caller wants a visit"), HandOff("billing", "the caller asks about a bill")),
)
BOOKING = Specialist("booking", "Visits", "Book with book_visit.", ("book_visit", "take_message"))
BILLING = Specialist(
    "billing", "Bills", "Read the balance.", ("get_balance",), (HandOff("booking", "a visit is due"),)
)
GRAPH = AgentGraph(
    "Fernhill Clinic", "# Manner\n\nBe brief.\n", "# The end\n\nCall end_call.\n", (DESK, BOOKING, BILLING)
)


def test_every_tool_is_counted_once() -> None:
    assert GRAPH.business_tools == ("get_hours", "take_message", "book_visit", "get_balance")
    assert GRAPH.hand_off_tools == ("transfer_to_booking", "transfer_to_billing")


def test_a_specialist_is_told_its_own_part_and_its_hand_offs() -> None:
    assert GRAPH.prompt_of("billing") == (
        "# Manner\n\nBe brief.\n\n# Bills\n\nRead the balance.\n\n# Handing on\n\n"
        "Other desks do what you have no tool for.\n\n- Call transfer_to_booking when a visit is due.\n"
    )
    assert "Handing on" not in GRAPH.prompt_of("booking")
    with pytest.raises(KeyError, match="no specialist 'nobody'"):
        GRAPH.prompt_of("nobody")


def test_the_collapsed_prompt_holds_every_part_and_no_hand_off_tool() -> None:
    prompt = GRAPH.collapsed_prompt()
    for part in (GRAPH.manner, GRAPH.session, *(desk.instructions for desk in GRAPH.specialists)):
        assert part.strip() in prompt
    assert '- When the caller asks about a bill, go on under "Bills".' in prompt
    assert "transfer_to" not in prompt


@pytest.mark.parametrize(
    ("ways", "shape"),
    [
        ({"a": ("b", "c"), "b": ("d",), "c": ("d",), "d": ()}, "acyclic"),
        ({"a": ("b", "c"), "b": ("d",), "c": (), "d": ()}, "sequential"),
        ({"a": ("b",), "b": ("c",), "c": ("b",)}, "cyclic"),
        ({"a": ()}, "sequential"),
    ],
)
def test_the_shape_follows_from_the_hand_offs(ways: dict[str, tuple[str, ...]], shape: str) -> None:
    desks = tuple(
        Specialist(name, name, "x", (), tuple(HandOff(to, "needed") for to in targets))
        for name, targets in ways.items()
    )
    assert AgentGraph("Fernhill", "m", "s", desks).shape == shape


@pytest.mark.parametrize(
    ("desks", "told"),
    [
        ((), "at least one specialist"),
        ((BOOKING, BOOKING), "a name of its own"),
        ((DESK, BOOKING), "desk hands over to 'billing', expected another of desk, booking"),
        ((attrs.evolve(BOOKING, hands_to=(HandOff("booking", "lost"),)),), "booking hands over to 'booking'"),
    ],
)
def test_a_broken_graph_is_told_in_one_line(desks: tuple[Specialist, ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        AgentGraph("Fernhill", "m", "s", desks)
