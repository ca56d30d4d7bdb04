from __future__ import annotations

import pytest

from offhook.packs import Trait
from offhook.values import ValueKind
from offhook_caller.cues import read_turn
from offhook_caller.minds import Reply
from offhook_caller.phrases import kind_of
from offhook_caller.readback import ReadBack, read_back
from offhook_caller.statedvalues import foreign_values, repeats_a_line, stated_traits

TRAITS = (
    Trait("full_name", ValueKind.NAME, "Selina Cortez"),
    Trait("phone", ValueKind.PHONE, "541-555-0171"),
    Trait("postal_code", ValueKind.ZIP, "97035"),
    Trait("card_last4", ValueKind.DIGITS, "1156"),
    Trait("email", ValueKind.EMAIL, "selina@example.com"),
    Trait("date_of_birth", ValueKind.DATE, "1972-06-30"),
    Trait("order_number", ValueKind.ORDER_NUMBER, "KE-4498870"),
)
STATED = frozenset(trait.name for trait in TRAITS)


def compared(text: str, stated: frozenset[str] = STATED) -> ReadBack:
    turn = read_turn(text)
    return read_back(turn, TRAITS, kind_of(turn), stated)


def right(text: str) -> set[str]:
    return {trait.name for trait in compared(text).right}


def wrong(text: str) -> dict[str, str]:
    return {entry.trait.name: entry.heard for entry in compared(text).wrong}


def test_something_of_the_callers_is_no_other_name() -> None:
    assert wrong("I've got Monday for Selina's bike, is that right?") == {}
    assert wrong("I've got Selina Bike, is that right?") == {"full_name": "Selina Bike"}


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("I have sell in a cart is. Is that right?", "sell in a cart is"),
        ("Okay, I heard Ceiling Corset, right?", "Ceiling Corset"),
        ("Did you say Ceiling?", ""),
        ("I have five four one. Is that right?", ""),
        ("I have a visit here on Tuesday at three for you. Is that right?", ""),
        ("I have your order here, and it has shipped. Is that right?", ""),
        ("I'll book you with Dr. Palmer, is that right?", ""),
        ("Okay, I've got that, correct?", ""),
        ("That's everything, correct?", ""),
        ("That's the spelling, right?", ""),
        ("I have Selina, is that right?", ""),
    ],
)
def test_what_is_left_of_a_name_just_said_is_that_name(text: str, heard: str) -> None:
    turn = read_turn(text)
    just = frozenset({"full_name"})
    found = read_back(turn, TRAITS, kind_of(turn), STATED, just_stated=just)
    assert [entry.heard for entry in found.wrong] == ([heard] if heard else [])
    assert not read_back(turn, TRAITS, kind_of(turn), STATED, just_stated=frozenset({"phone"})).wrong


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I have 541-555-0171, is that right?", {"phone"}),
        ("That's five four one, triple five, oh one seven one, correct?", {"phone"}),
        ("The number ending in 0171, is that right?", {"phone"}),
        ("ZIP 97035 and card 1156, correct?", {"postal_code", "card_last4"}),
        ("I have Celina Cortes. Is that right?", {"full_name"}),
        ("I have seli na cortez. Is that right?", {"full_name"}),
        ("Born on June 30th, 1972, correct?", {"date_of_birth"}),
        ("Is it K E 4 4 9 8 8 7 0?", {"order_number"}),
        ("Your e-mail is selina@example.com, right?", {"email"}),
    ],
)
def test_right_read_backs_in_any_form(text: str, names: set[str]) -> None:
    assert right(text) == names
    assert wrong(text) == {}


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("I have 541-555-0172, is that right?", {"phone": "5415550172"}),
        ("So the ZIP code is 97053, correct?", {"postal_code": "97053"}),
        ("Your card ends in 1165. Is that correct?", {"card_last4": "1165"}),
        ("Your phone number is 541-550-171, right?", {"phone": "541550171"}),
        ("I have Selina Corbin, is that right?", {"full_name": "Selina Corbin"}),
        ("Your date of birth is June 13th, 1972, correct?", {"date_of_birth": "1972-06-13"}),
    ],
)
def test_wrong_read_backs_are_contradicted(text: str, entries: dict[str, str]) -> None:
    assert wrong(text) == entries


@pytest.mark.parametrize(
    "text",
    [
        "The refund is $14.99 for six months, is that okay?",
        "Your case number is 88231077, did you get that right?",
        "We have 1165 stores.",
        "I have Doctor Alan Moore on Friday, is that right?",
        "Please say your phone number again, I only got 541-555.",
    ],
)
def test_the_agents_own_business_is_no_read_back(text: str) -> None:
    assert wrong(text) == {}


def test_a_number_never_stated_is_contradicted_only_when_it_is_named() -> None:
    turn = "I have 541-555-0172, is that right?"
    assert compared(turn, frozenset()).wrong == ()
    assert compared(f"Your phone number? {turn}", frozenset()).wrong != ()


def test_evidence_names_what_was_compared() -> None:
    assert compared("ZIP 97053, phone 541-555-0171, correct?").evidence == (
        "postal_code heard as 97053, is 97035; phone is 541-555-0171"
    )


def test_the_traits_a_line_states() -> None:
    assert stated_traits("Selina Cortez, 541-555-0171.", TRAITS) == ("full_name", "phone")
    assert stated_traits("ZIP nine seven zero three five, card ending 1156.", TRAITS) == (
        "postal_code",
        "card_last4",
    )
    assert stated_traits("No, please cancel it.", TRAITS) == ()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("My number is 541-555-0199.", ("5415550199",)),
        ("It's five four one, five five five, zero one nine nine.", ("5415550199",)),
        ("My name is Selma Ridgeway.", ("Selma Ridgeway",)),
        ("Write to someone@example.org.", ("someone@example.org",)),
        ("I was born on June 1st, 1970. My ZIP is 90210.", ("90210", "1970-06-01")),
    ],
)
def test_values_that_are_not_the_callers(text: str, values: tuple[str, ...]) -> None:
    assert foreign_values(text, TRAITS, ()) == values


@pytest.mark.parametrize(
    "text",
    [
        "It's 541-555-0171, and my ZIP is 97035.",
        "The last four of my phone number are 0171.",
        "This is Selina Cortez, born June 30th, 1972.",
        "I paid $14.99 for 6 months.",
        "Order KE-4498870, the speaker.",
        "No, thanks.",
    ],
)
def test_own_values_and_small_talk_are_not_foreign(text: str) -> None:
    assert foreign_values(text, TRAITS, ()) == ()


def test_a_value_of_an_authored_line_is_the_callers() -> None:
    assert foreign_values("The one for 2048 points.", TRAITS, ("I want the 2048 points.",)) == ()


@pytest.mark.parametrize(
    ("heard", "wrong"),
    [
        ("I have golf lime roofing. Is that right?", True),
        ("I have Sunshine Roofing. Is that right?", False),
        ("I have Trident Delivery. Is that right?", False),
    ],
)
def test_a_name_that_is_nearly_the_callers_is_a_wrong_read_back(heard: str, wrong: bool) -> None:
    traits = (Trait("other_side", ValueKind.NAME, "Golfline Roofing" if wrong else "Sunshine Roofing"),)
    turn = read_turn(heard)
    found = read_back(turn, traits, kind_of(turn), frozenset())
    assert bool(found.wrong) is wrong


def test_a_name_that_was_put_right_is_not_haggled_over() -> None:
    traits = (Trait("full_name", ValueKind.NAME, "Paula Simmons"),)
    turn = read_turn("I have Paulus Simmons. Is that right?")
    first = read_back(turn, traits, kind_of(turn), frozenset({"full_name"}))
    again = read_back(turn, traits, kind_of(turn), frozenset({"full_name"}), frozenset({"full_name"}))
    assert (bool(first.wrong), bool(again.wrong)) == (True, False)
    assert [trait.name for trait in again.right] == ["full_name"]
    other = read_turn("I have Peter Summers. Is that right?")
    assert not read_back(other, traits, kind_of(other), frozenset(), frozenset({"full_name"})).right


@pytest.mark.parametrize(
    ("heard", "repeated"),
    [
        ("So you slipped on a wet floor and broke your wrist, is that right?", True),
        ("You slipped on a wet floor 3 times and broke your wrist, right?", False),
        ("You broke your arm in a car accident, is that right?", False),
    ],
)
def test_a_line_of_the_callers_own_is_known_when_it_is_said_back(heard: str, repeated: bool) -> None:
    line = "I slipped on a wet floor without a sign and broke my wrist."
    said = (Reply(line, line, "rule:story"), Reply("Yes.", "Yes.", "repair:yes"))
    assert repeats_a_line(read_turn(heard), said) is repeated


def test_a_day_in_another_sentence_is_not_the_callers_birthday() -> None:
    traits = (Trait("date_of_birth", ValueKind.DATE, "1993-01-29"),)
    turn = read_turn("I have your date of birth. It would be Friday, August 21, 2026. Is that right?")
    assert not read_back(turn, traits, kind_of(turn), frozenset({"date_of_birth"})).wrong
    own = read_turn("I have your date of birth as January 27, 1993. Is that right?")
    assert read_back(own, traits, kind_of(own), frozenset({"date_of_birth"})).wrong
