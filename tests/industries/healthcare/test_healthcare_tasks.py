"""The 30 healthcare calls: the published ones, with keys that come to the published numbers, callers who
state nothing they do not hold, and rules that fire on what they are written for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import attrs
import pytest

from offhook.packs import Pack, Tier
from offhook.toolserver import SeedImages, replay
from offhook.values import ValueKind
from offhook_caller.cue_tests import state_given
from offhook_caller.cues import CueMatcher
from offhook_caller.deterministic import Decider
from offhook_caller.minds import CallState
from offhook_caller.speech.plugin import offhook_embedders
from offhook_caller.statedvalues import foreign_values
from offhook_industries.healthcare.pack import build_pack
from offhook_industries.healthcare.seed.cases import CASES, NEWCOMERS

PUBLISHED: Final = {
    "C1-E1": ("Aetna coverage at Park Avenue", Tier.EASY, 1, 2, 0),
    "C1-H2": ("Hours, Medicare, then an urgent rash booking", Tier.HARD, 5, 13, 1),
    "C1-H3": ("Oscar Health coverage then a new-patient booking", Tier.HARD, 6, 16, 2),
    "C1-M2": ("Cigna coverage then a new-patient booking", Tier.MEDIUM, 4, 11, 1),
    "C1-M3": ("Allergy skin testing at Park Avenue", Tier.MEDIUM, 1, 2, 1),
    "C2-E1": ("Medical cancellation policy", Tier.EASY, 0, 0, 0),
    "C2-H2": ("Allergy shot for a child", Tier.HARD, 6, 9, 1),
    "C2-H3": ("Cancel the August 21 cosmetic consult", Tier.HARD, 7, 11, 2),
    "C2-M2": ("Cancel a September follow-up", Tier.MEDIUM, 2, 4, 1),
    "C2-M4": ("Move the September Windermere follow-up", Tier.MEDIUM, 3, 6, 1),
    "C3-E1": ("UnitedHealthcare at Brooklyn Heights", Tier.EASY, 1, 2, 0),
    "C3-H1": ("Aetna Open Access Elect Choice at Park Avenue", Tier.HARD, 6, 16, 2),
    "C3-H2": ("Out-of-pocket cost without a member ID", Tier.HARD, 6, 16, 2),
    "C3-M1": ("Copay for a Park Avenue visit", Tier.MEDIUM, 1, 4, 0),
    "C3-M3": ("Medicare at Windermere then a booking", Tier.MEDIUM, 4, 11, 1),
    "C4-E1": ("Botox cost inquiry", Tier.EASY, 1, 1, 0),
    "C4-H2": ("Botox on an existing cosmetic consult", Tier.HARD, 5, 6, 0),
    "C4-H4": ("Existing patient Botox after Windermere cannot do cosmetic", Tier.HARD, 9, 15, 1),
    "C4-M1": ("Microneedling consult", Tier.MEDIUM, 5, 9, 1),
    "C4-M2": ("Cheek filler consult", Tier.MEDIUM, 4, 8, 1),
    "C5-E1": ("Paying by card over the phone", Tier.EASY, 0, 0, 0),
    "C5-H1": ("Large balance, cannot pay in full", Tier.HARD, 9, 11, 1),
    "C5-H2": ("Balance question then move August 20 visit", Tier.HARD, 5, 7, 1),
    "C5-M1": ("Unrecognized bill", Tier.MEDIUM, 3, 3, 0),
    "C5-M4": ("Explain the visit charge, do not pay", Tier.MEDIUM, 3, 3, 0),
    "R-E1": ("Ask for a person", Tier.EASY, 1, 2, 0),
    "R-H1": ("What the biopsy results say", Tier.HARD, 8, 15, 1),
    "R-H2": ("Accutane refill", Tier.HARD, 4, 10, 1),
    "R-M2": ("Pay the balance by card now", Tier.MEDIUM, 2, 3, 0),
    "R-M4": ("Triamcinolone refill", Tier.MEDIUM, 2, 3, 0),
}
CATEGORIES: Final = {
    "C1": "new-patient",
    "C2": "scheduling",
    "C3": "coverage",
    "C4": "cosmetic",
    "C5": "billing",
    "R": "clinical",
}
WITHOUT_GATE: Final = {
    "C1-M2", "C1-M3", "C3-M1", "C3-M3", "C4-M1", "C4-M2", "C1-H2", "C1-H3", "C3-H1", "C3-H2",
}  # fmt: skip
MESSAGES: Final = ("send_sms", "send_payment_link", "send_portal_activation")
ASKED_FOR: Final = {
    ("C1-H3", "send_sms"),
    ("C4-H4", "send_payment_link"),
    ("C5-H1", "send_payment_link"),
    ("R-H1", "send_portal_activation"),
}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


def test_the_tasks_are_the_published_ones(pack: Pack) -> None:
    assert {task.id for task in pack.tasks} == set(PUBLISHED)
    for task in pack.tasks:
        numbers = task.structure
        found = (task.title, task.tier, numbers.tool_calls, numbers.constrained_args, numbers.rows_written)
        assert found == PUBLISHED[task.id]
        assert task.category == CATEGORIES[task.id.partition("-")[0]]


def test_each_category_has_one_easy_two_medium_and_two_hard_tasks(pack: Pack) -> None:
    for category in CATEGORIES.values():
        tiers = sorted(task.tier for task in pack.tasks if task.category == category)
        assert tiers == [Tier.EASY, Tier.HARD, Tier.HARD, Tier.MEDIUM, Tier.MEDIUM]


def test_keys_come_to_their_numbers(pack: Pack, tmp_path: Path) -> None:
    images = SeedImages(tmp_path / "images")
    for task in pack.tasks:
        done = replay(pack, task, tmp_path / task.id, images=images)
        rows = (len(done.calls), sum(len(call.arguments) for call in task.expected), done.rows_written)
        assert rows == PUBLISHED[task.id][2:], task.id


def test_which_tasks_lie_behind_the_gate_and_which_write(pack: Pack) -> None:
    gated = {task.id for task in pack.tasks if any(call.tool == "verify_identity" for call in task.expected)}
    assert gated == {name for name in PUBLISHED if "-E" not in name} - WITHOUT_GATE
    assert [sum(tier in name for name in gated) for tier in ("-E", "-M", "-H")] == [0, 6, 8]
    writing = [name for name, (*_, rows) in PUBLISHED.items() if rows]
    assert [sum(tier in name for name in writing) for tier in ("-E", "-M", "-H")] == [0, 7, 11]


def test_messages_are_forbidden_until_they_are_asked_for(pack: Pack) -> None:
    for task in pack.tasks:
        forbidden = {entry.tool: entry for entry in task.forbidden}
        # What the agent's own instructions answer is no reason for a person.
        assert set(forbidden) - set(MESSAGES) == (set() if task.expected else {"transfer_to_human"})
        for tool, entry in forbidden.items():
            if tool not in MESSAGES:
                continue
            rules = {rule.id: rule for rule in task.rules}
            lines = [rules[event.removeprefix("said:")].line for event in entry.unless]
            assert bool(lines) == ((task.id, tool) in ASKED_FOR), (task.id, tool)
            word = {"send_sms": "text", "send_payment_link": "link", "send_portal_activation": "portal"}[tool]
            assert all(word in line for line in lines)


# --- who calls ------------------------------------------------------------------------------------------


def test_every_trait_is_a_value_of_the_cases(pack: Pack) -> None:
    held = {
        str(value)
        for person in (*CASES, *NEWCOMERS)
        for value in (*attrs.astuple(person, recurse=False),)
        if isinstance(value, str)
    }
    for task in pack.tasks:
        for trait in task.traits:
            assert trait.value in held, (task.id, trait.name)


def test_the_traits_of_a_task_belong_to_one_person(pack: Pack) -> None:
    people = {person.full_name: person for person in (*CASES, *NEWCOMERS)}
    for task in pack.tasks:
        if not task.traits:
            continue
        who = people[task.trait("full_name").value]
        assert task.trait("date_of_birth").value == str(who.date_of_birth)
        assert (task.trait("phone").value, task.trait("postal_code").value) == (who.phone, who.postal_code)


def test_no_line_states_a_value_its_caller_does_not_hold(pack: Pack) -> None:
    for task in pack.tasks:
        for line in (task.intent.opening, task.intent.closing, *(rule.line for rule in task.rules)):
            assert foreign_values(line, task.traits, ()) == (), (task.id, line)


def test_nobody_says_what_only_the_clinic_knows(pack: Pack) -> None:
    for task in pack.tasks:
        ids = [
            str(value)
            for call in task.expected
            for value in call.arguments.values()
            if str(value).startswith(("P-", "SL-", "AP-", "CH-"))
        ]
        said = " ".join((task.intent.opening, *(rule.line for rule in task.rules)))
        assert not [value for value in ids if value in said], task.id


@pytest.mark.parametrize("task_id", ["C1-E1", "C2-E1", "C3-E1", "C4-E1", "C5-E1", "R-E1"])
def test_callers_with_a_public_question_hold_nothing(pack: Pack, task_id: str) -> None:
    assert pack.task(task_id).traits == ()


def test_dates_are_said_with_their_year(pack: Pack) -> None:
    for task in pack.tasks:
        for trait in task.traits:
            if trait.kind is ValueKind.DATE:
                lines = [rule.line for rule in task.rules if rule.id == "birth"]
                assert lines
                assert all(trait.value[:4] in line for line in lines)


# --- rules ----------------------------------------------------------------------------------------------


def test_every_rule_is_written_out_for_people(pack: Pack) -> None:
    for task in pack.tasks:
        for rule in task.rules:
            assert rule.when.endswith(tuple("abcdefghijklmnopqrstuvwxyz0123456789")), (task.id, rule.id)
            assert rule.line.endswith((".", "?", "!")), (task.id, rule.id)
            assert sum(test.fires for test in rule.tests) >= 3
            assert sum(not test.fires for test in rule.tests) >= 3


# --- whole calls ----------------------------------------------------------------------------------------

CALLS: Final = {
    "C1-H2": (
        ("Our White Plains office is open Mondays from 7:30 AM to 4:30 PM.", "rule:hours"),
        ("Yes, Medicare is accepted there. What else can I do for you?", "rule:answer"),
        ("I'm sorry to hear that. Do you have a fever, or trouble breathing?", "rule:how-urgent"),
        ("The first visit I can offer is Tuesday, August 25, at 1 PM. Would that work?", "rule:sooner"),
        ("I do have something today at 2:40 PM. Would you like me to book that?", "rule:book-it"),
        ("Gladly. What's your full name, date of birth, and phone number?", "rule:name-and-birth-and-phone"),
        ("You're booked for today at 2:40 PM. Shall I text you a confirmation?", "rule:done"),
    ),
    "C5-H1": (
        ("May I have your full name and date of birth?", "rule:name-and-birth"),
        ("Thank you, Maria. You owe $486.00. Shall I text you a payment link?", "rule:why-visit"),
        ("It was not covered, because your deductible had not been met.", "rule:spread-it"),
        ("Let me look into financing for you.", "silence"),
        ("You can pay over six months at $81.00 or twelve at $40.50.", "rule:take-financing"),
        ("Okay, the payment link has been sent to your phone.", "rule:consult"),
        ("I have Wednesday, August 26, at 10:30 AM, or Thursday at 2 PM.", "rule:first-time"),
        ("Wednesday, August 26, at 10:30 AM, at no charge. Should I move it there?", "rule:move-it"),
        ("Your consult has been moved to Wednesday, August 26. Anything else?", "rule:done"),
    ),
    "C2-H3": (
        ("Your full name and date of birth, please?", "rule:name-and-birth"),
        ("Are you sure you want to cancel it?", "rule:deposit-first"),
        ("The deposit of $50.00 stays on your account as a credit.", "silence"),
        ("Would you rather move the consult to September 2 at 10 AM?", "rule:no-moving"),
        ("All right, shall I cancel it then?", "rule:cancel-it"),
        ("It's cancelled, free of charge. Is there anything else?", "rule:waitlist-please"),
        ("You're on the waitlist at Garden City now.", "rule:done"),
    ),
    "R-H1": (
        ("What's your name, and what's your date of birth?", "rule:name-and-birth"),
        ("The biopsy is back and waits for the doctor's review.", "rule:blood-work"),
        ("The blood work is still being processed at the lab.", "rule:push"),
        ("I can't read results to you. I could send your care team a message.", "rule:message-please"),
        ("Is that urgent, or is a routine message all right?", "rule:not-urgent"),
        ("I've sent the message. The team will call you by tomorrow at 9 AM.", "silence"),
        ("Your portal isn't active. Should I send an activation by e-mail or text?", "rule:portal-please"),
        ("The activation has been sent.", "rule:hours-please"),
        ("Westfield is open Monday to Friday, 7:30 AM to 4:30 PM.", "rule:hours-told"),
    ),
}


@pytest.mark.speech
@pytest.mark.parametrize("task_id", list(CALLS))
def test_a_call_with_another_agent_than_the_follower(pack: Pack, task_id: str) -> None:
    decider = Decider(pack.task(task_id), CueMatcher(offhook_embedders()[0]))
    state = decider.open(CallState()).state
    answers = []
    for heard, _ in CALLS[task_id]:
        decision = decider.decide(heard, state)
        state = decision.state
        answers.append((heard, decision.reply.source if decision.reply is not None else "silence"))
    assert answers == list(CALLS[task_id])


@pytest.mark.speech
def test_a_wrong_child_is_corrected(pack: Pack) -> None:
    task = pack.task("C2-H2")
    decider = Decider(task, CueMatcher(offhook_embedders()[0]))
    said = state_given(decider, task, ("said:name-and-birth",))
    right = decider.decide("I have Oliver Grant, born May 19, 2016. Is that right?", said)
    wrong = decider.decide("I have Olivia Grant, born May 19, 2016. Is that right?", said)
    assert right.reply is not None
    assert right.reply.written == "Yes, that's right."
    assert wrong.reply is not None
    assert wrong.reply.written == "No, it's Oliver Grant."
