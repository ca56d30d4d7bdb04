from __future__ import annotations

import attrs
import pytest

from offhook.packs import Trait
from offhook.values import ValueKind
from offhook_caller.cues import read_turn
from offhook_caller.phrases import asked_traits, kind_of

TRAITS = (
    Trait("full_name", ValueKind.NAME, "Selina Cortez"),
    Trait("phone", ValueKind.PHONE, "541-555-0171"),
    Trait("postal_code", ValueKind.ZIP, "97035"),
    Trait("card_last4", ValueKind.DIGITS, "1156"),
    Trait("email", ValueKind.EMAIL, "selina@example.com"),
    Trait("order_number", ValueKind.ORDER_NUMBER, "KE-4498870"),
    Trait("date_of_birth", ValueKind.DATE, "1972-06-30"),
)


def holding(text: str) -> set[str]:
    return {name for name, holds in attrs.asdict(kind_of(read_turn(text))).items() if holds}


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, could you say that again?",
        "Could you repeat your phone number, please?",
        "Please say it once more, one digit at a time.",
        "I didn't quite catch that.",
        "I couldn't hear you.",
        "Can you spell your last name for me?",
        "Could you tell me the ZIP code more slowly?",
        "Sorry?",
    ],
)
def test_requests_to_repeat(text: str) -> None:
    assert "repeat" in holding(text)


@pytest.mark.parametrize(
    "text",
    ["Let me repeat that back to you.", "What is your phone number?", "I'll read that back. It's 97035."],
)
def test_other_turns_ask_for_no_repetition(text: str) -> None:
    assert "repeat" not in holding(text)


@pytest.mark.parametrize(
    "text",
    [
        "I have 541-555-0171, is that right?",
        "Your ZIP code is 97035, correct?",
        "Did I get that right?",
        "I heard 1156?",
        "Does that sound right?",
    ],
)
def test_read_backs_ask_to_confirm(text: str) -> None:
    assert "confirm" in holding(text)


@pytest.mark.parametrize(
    "text", ["Can I have your name to confirm your account?", "Which one is right for you?"]
)
def test_other_questions_do_not_ask_to_confirm(text: str) -> None:
    assert "confirm" not in holding(text)


@pytest.mark.parametrize(
    "text",
    ["One moment, please.", "Let me look that up.", "Could you hold for a second?", "I'm checking that now."],
)
def test_holds(text: str) -> None:
    assert "hold" in holding(text)


@pytest.mark.parametrize(
    "text", ["One moment. Meanwhile, what's your ZIP code?", "Let me get your phone number.", "It costs $5."]
)
def test_a_question_after_a_filler_is_no_hold(text: str) -> None:
    assert "hold" not in holding(text)


def test_closing_goodbye_and_purpose() -> None:
    assert holding("Is there anything else I can help you with?") == {"closing", "question"}
    assert holding("Thanks for calling. Have a great day!") == {"goodbye"}
    assert holding("Goodbye.") == {"goodbye"}
    assert "goodbye" not in holding("Thanks for calling. How can I help?")
    assert holding("How may I help you today?") == {"purpose", "question"}
    assert holding("I found your membership.") == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What's your full name and phone number?", {"full_name", "phone"}),
        ("Could you give me the ZIP code on the order?", {"postal_code", "order_number"}),
        ("I need the last four digits of the card.", {"card_last4"}),
        ("What is your date of birth?", {"date_of_birth"}),
        ("And the best number to reach you?", {"phone"}),
        ("May I have your email address?", {"email"}),
        ("Let me get your postal code.", {"postal_code"}),
        ("What is the product name?", set()),
        ("I found your phone number. Is there a color you prefer?", set()),
        ("Your order was shipped.", set()),
    ],
)
def test_the_traits_a_question_asks_for(text: str, names: set[str]) -> None:
    assert {trait.name for trait in asked_traits(read_turn(text), TRAITS)} == names


@pytest.mark.parametrize(
    ("sentence", "asked"),
    [
        ("Can he come to the phone himself?", ()),
        ("Did they get any card details out of you?", ()),
        ("Would you rather do it over the phone?", ()),
        ("What is the phone number on file?", ("phone",)),
        ("What are the last four digits of your card?", ("card_last4",)),
        ("Who is on the other side?", ("other_side",)),
        ("May I have your name?", ("full_name",)),
    ],
)
def test_a_value_is_told_only_when_it_is_that_value_that_is_asked_for(
    sentence: str, asked: tuple[str, ...]
) -> None:
    traits = (
        Trait("full_name", ValueKind.NAME, "Nadia Okafor"),
        Trait("other_side", ValueKind.NAME, "Union Textiles"),
        Trait("phone", ValueKind.PHONE, "541-555-0148"),
        Trait("card_last4", ValueKind.DIGITS, "1156"),
    )
    assert tuple(trait.name for trait in asked_traits(read_turn(sentence), traits)) == asked
