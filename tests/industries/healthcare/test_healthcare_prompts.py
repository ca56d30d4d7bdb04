"""The front desk, the one agent it collapses into, and the words of the policy follower."""

from __future__ import annotations

import pytest

from offhook_industries.healthcare.graph import graph
from offhook_industries.healthcare.guide import follower_guide
from offhook_industries.healthcare.pack import build_pack
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
        {"create_callback_task", "list_locations"},
        ("identity", "scheduling", "coverage", "cosmetic"),
    ),
    "identity": (
        {"create_callback_task", "identify_patient", "verify_identity", "get_patient_summary"},
        ("scheduling", "billing", "clinical", "coverage", "cosmetic"),
    ),
    "scheduling": (
        {
            "create_callback_task",
            "send_sms",
            "classify_visit_request",
            "list_locations",
            "find_slots",
            "book_appointment",
            "reschedule_appointment",
            "cancel_appointment",
            "join_waitlist",
            "schedule_allergy_service",
        },
        (),
    ),
    "coverage": (
        {
            "create_callback_task",
            "list_locations",
            "check_plan_accepted",
            "run_eligibility_check",
            "capture_insurance_update",
        },
        ("scheduling",),
    ),
    "cosmetic": (
        {
            "create_callback_task",
            "quote_cosmetic_service",
            "list_locations",
            "find_slots",
            "book_cosmetic_consult",
            "send_payment_link",
            "offer_financing",
        },
        (),
    ),
    "billing": (
        {
            "create_callback_task",
            "get_account_balance",
            "explain_charge",
            "send_payment_link",
            "offer_financing",
            "request_fee_waiver",
        },
        ("scheduling",),
    ),
    "clinical": (
        {
            "create_callback_task",
            "get_results_status",
            "request_rx_refill",
            "create_clinical_message",
            "send_portal_activation",
        },
        ("scheduling",),
    ),
}


def test_the_desks_are_the_published_ones() -> None:
    check_desks(GRAPH, DESKS, total=35)
    assert len(GRAPH.business_tools) == 27
    assert GRAPH.shape == "acyclic"


def test_the_collapsed_prompt_is_as_long_as_the_published_one() -> None:
    check_length(GRAPH, 3475)


def test_the_collapsed_prompt_speaks_of_every_tool_and_of_no_other() -> None:
    values = {
        "verification_failed",
        "cost_estimate",
        "cosmetic_consult",
        "cosmetic_deposit",
        "cosmetic_treatment",
        "medical_balance",
        "front_desk",
        "caller_asked",
        "terms_accepted",
        "free_change",
    }
    check_tools_named(GRAPH, values)


@pytest.mark.parametrize("desk", [desk.name for desk in GRAPH.specialists])
def test_a_desk_speaks_of_its_own_tools_and_hand_offs(desk: str) -> None:
    check_own_tools_are_named(GRAPH, desk)


def test_the_agent_is_the_collapsed_graph() -> None:
    assert PACK.graph == GRAPH
    assert PACK.agent.prompt == GRAPH.collapsed_prompt()
    assert len(PACK.agent.tools) == len(PACK.tools) == 29


def test_no_value_of_a_task_leaks_into_the_words() -> None:
    text = GRAPH.collapsed_prompt()
    for value in (
        "Alvarez",
        "Park Avenue",
        "Windermere",
        "486",
        "Aetna",
        "Botox",
        "triamcinolone",
        "P-2",
        "SL-3",
    ):
        assert value not in text


def test_every_argument_of_every_key_can_be_had() -> None:
    check_every_argument_is_had(PACK, GUIDE)


@pytest.mark.parametrize(
    "name",
    ["book_appointment", "book_cosmetic_consult", "reschedule_appointment", "cancel_appointment"],
)
def test_nothing_is_committed_before_it_is_read_back(name: str) -> None:
    words = next(words for words in GUIDE.tools if words.tool == name)
    assert words.consent is not None
    assert "{slot_id}" in words.propose or "{appointment_id}" in words.propose


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My face is swelling up.", "911"),
        ("I have trouble breathing since this morning.", "911"),
        ("Can I just read you my card number?", "secure link"),
        ("I'd like to pay my bill by credit card over the phone.", "secure link"),
        ("How late can I cancel a visit?", "24 hours"),
        ("What is your cancellation policy for a medical visit?", "24 hours"),
        ("Could I get it done at that consult?", "same visit"),
    ],
)
def test_what_a_caller_touches_on_is_answered(said: str, told: str) -> None:
    (aside,) = asides_for(GUIDE, said)
    assert told in aside


@pytest.mark.parametrize(
    "said",
    [
        "I'd like to cancel my follow-up in September.",
        "The name on my insurance card is Aetna.",
        "Yes, please book it.",
        "What do I owe you?",
    ],
)
def test_an_ordinary_line_calls_for_no_aside(said: str) -> None:
    assert asides_for(GUIDE, said) == []


def test_what_judges_are_told_fits_the_keys() -> None:
    check_judged(PACK)
