"""The department of Kestrel's line has the published desks, tools and hand-offs, and its prompts say how to
use them: nothing a single call needs, no tool that isn't there."""

from __future__ import annotations

import re

import pytest

from offhook.graphs import AgentGraph
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.graph import graph
from offhook_industries.customer_support.seed.cases import CASES
from offhook_industries.customer_support.tools import all_tools
from tests.industries._desks import (
    SESSION,
    Desks,
    check_desks,
    check_length,
    check_own_tools_are_named,
    check_tools_named,
)

# The published table: each desk's tools, in its order, and where it hands over.
DESKS: Desks = {
    "reception": (("search_kb", "get_store_info", "get_policy", "get_fee"), ("verification", "fraud")),
    "verification": (
        ("search_kb", "identify_customer", "verify_identity", "get_customer_summary"),
        ("orders", "returns", "service", "membership"),
    ),
    "orders": (
        (
            "search_kb",
            "get_customer_summary",
            "get_order",
            "quote_delivery_change",
            "confirm_delivery_change",
            "cancel_order",
            "quote_price_match",
            "confirm_price_match",
            "get_fee",
        ),
        ("returns", "service", "fraud"),
    ),
    "returns": (
        (
            "search_kb",
            "get_order",
            "check_return_eligibility",
            "quote_return",
            "confirm_return",
            "create_return_label",
            "get_refund_status",
            "get_fee",
        ),
        ("orders", "service", "fraud"),
    ),
    "service": (
        (
            "search_kb",
            "get_order",
            "get_protection_plans",
            "check_coverage",
            "book_service_appointment",
            "get_service_appointment",
            "cancel_service_appointment",
        ),
        ("returns", "membership", "fraud"),
    ),
    "membership": (
        (
            "search_kb",
            "get_membership",
            "quote_membership_upgrade",
            "confirm_membership_upgrade",
            "quote_membership_cancellation",
            "confirm_membership_cancellation",
            "get_fee",
        ),
        ("service", "fraud"),
    ),
    "fraud": (
        (
            "search_kb",
            "get_fee",
            "check_subscription_charge",
            "check_outbound_contact",
            "report_scam_contact",
        ),
        ("verification",),
    ),
}


@pytest.fixture(scope="module")
def department() -> AgentGraph:
    return graph()


@pytest.fixture(scope="module")
def prompt(department: AgentGraph) -> str:
    return department.collapsed_prompt()


def test_desks_tools_and_hand_offs_are_the_published_ones(department: AgentGraph) -> None:
    check_desks(department, DESKS, total=39)
    assert [desk.name for desk in department.specialists] == list(DESKS)
    assert [desk.tools for desk in department.specialists] == [tools for tools, _ in DESKS.values()]


def test_shape_and_counts(department: AgentGraph) -> None:
    assert department.shape == "cyclic"
    assert len(department.business_tools) == 31
    assert len(department.hand_off_tools) == 6


def test_tools_are_those_of_the_desks_and_of_the_session(department: AgentGraph) -> None:
    assert {tool.name for tool in all_tools()} == {*department.business_tools, *SESSION}


def test_collapsed_prompt_is_as_long_as_the_published_one(department: AgentGraph) -> None:
    check_length(department, 3523)


def test_every_tool_is_named_and_no_other(department: AgentGraph, prompt: str) -> None:
    parameters = [parameter for tool in all_tools() for parameter in tool.parameters]
    values = {choice.value for parameter in parameters for choice in parameter.choices}
    check_tools_named(department, {*values, *(parameter.name for parameter in parameters), "in_short"})
    assert re.search(r"\bin_short\b", prompt)


@pytest.mark.parametrize("desk", DESKS)
def test_a_desk_alone_is_told_of_its_tools_and_of_no_other_desks(desk: str, department: AgentGraph) -> None:
    check_own_tools_are_named(department, desk)
    specialist = department.specialist(desk)
    told = department.manner + specialist.instructions
    assert [tool for tool in specialist.tools if tool not in told] == []
    others = {tool.name for tool in all_tools()} - set(specialist.tools)
    # What verification loaded is there on later desks too.
    assert {tool for tool in others if re.search(rf"\b{tool}\b", specialist.instructions)} == set()
    assert "transfer_to" not in specialist.instructions
    assert all(line.startswith("##") for line in specialist.instructions.splitlines() if line.startswith("#"))


def test_agent_knows_the_day_of_the_scenario(prompt: str) -> None:
    assert f"Today is {policy.spoken_day(policy.NOW.date())}." in prompt
    assert "{" not in prompt


def test_prompts_hold_no_price_and_no_value_of_a_case(prompt: str) -> None:
    # A price in the prompt would let an agent answer without asking its tools.
    assert re.findall(r"\$\s?\d", prompt) == []
    for case in CASES:
        values = [case.full_name, case.phone, case.email]
        values += [value for order in case.orders for value in (order.order_number, order.card_last4)]
        assert [value for value in values if value in prompt] == []
    assert re.findall(r"KE-\d|\b\d{5}\b", prompt) == []
