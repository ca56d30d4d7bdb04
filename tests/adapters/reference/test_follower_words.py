"""Templates and the small things callers say."""

from __future__ import annotations

import pytest

from offhook.packs import Parameter
from offhook.values import ValueKind
from offhook_adapters.reference.minds._follower_words import (
    asks_to_repeat,
    flattened,
    is_greeting,
    render,
    shown,
    wants_nothing_more,
)


def test_fields_are_filled_and_a_sentence_without_its_value_is_left_out() -> None:
    template = "You get {quote.refund_cents} back. That is {quote.months} months. Shall I go on, {name}?"
    fields = {"quote.refund_cents": "$14.99", "name": "Ann"}
    assert render(template, fields) == "You get $14.99 back. Shall I go on, Ann?"


def test_results_flatten_with_cents_as_dollars() -> None:
    body = {
        "refund_cents": 1499,
        "count": 6,
        "member": {"tier": "plus", "auto": True},
        "none": None,
        "list": [1],
    }
    assert flattened("quote", body) == {
        "quote.refund_cents": "$14.99",
        "quote.count": "6",
        "quote.member.tier": "plus",
        "quote.member.auto": "yes",
    }


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (ValueKind.AMOUNT, 705, "$7.05"),
        (ValueKind.DIGITS, "042", "0 4 2"),
        (ValueKind.DIGITS, "1156", "1156"),
        (ValueKind.YES_NO, True, "yes"),
        (ValueKind.NAME, "Ann Bell", "Ann Bell"),
    ],
)
def test_values_are_shown_so_that_they_can_be_said(kind: ValueKind, value: str | int, text: str) -> None:
    assert shown(Parameter("value", kind, "a value"), value) == text


@pytest.mark.parametrize("text", ["Sorry, could you say that again?", "Pardon?", "I didn't catch that."])
def test_a_wish_to_hear_it_again_is_recognised(text: str) -> None:
    assert asks_to_repeat(text)


@pytest.mark.parametrize("text", ["Sorry, I'll repeat that, 541 555.", "No, please cancel it."])
def test_an_answer_is_no_wish_to_hear_it_again(text: str) -> None:
    assert not asks_to_repeat(text)


def test_only_a_bare_hello_is_a_greeting() -> None:
    assert is_greeting("Hello? Are you there?")
    assert not is_greeting("Hello, I want to cancel my plan.")


@pytest.mark.parametrize(
    "text", ["Thank you, that's all I needed.", "That is everything.", "All set, thanks.", "Okay, bye."]
)
def test_a_caller_who_is_done_is_recognised(text: str) -> None:
    assert wants_nothing_more(text)


def test_a_further_wish_is_not_taken_for_being_done() -> None:
    assert not wants_nothing_more("One more question about my order.")
