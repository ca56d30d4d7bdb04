"""Quotes are found by code: in what the right speaker said, whatever the typography, word by word."""

from __future__ import annotations

import pytest

from offhook.judged import contains_words, find_quote
from offhook.judging import Line

TALK = (
    Line("agent", "Thanks for calling. What can I do for you?", 0.0),
    Line("caller", "Hi, please cancel Kestrel Plus for me.", 1.0),
    Line("agent", "You’ll get $14.99 back for six unused months,", 5.0),
    Line("agent", "and Kestrel Plus ends today. Shall I cancel it?", 7.0),
    Line("caller", "Yes, I don't need it any more.", 10.0),
    Line("agent", "It's cancelled. The reference is 541-555-0171.", 12.0),
)


@pytest.mark.parametrize(
    ("quote", "speaker", "where"),
    [
        ("What can I do for you?", "agent", (0, 0)),
        ("WHAT CAN I DO", "agent", (0, 0)),
        ("you'll get $14.99 back", "agent", (2, 2)),  # straight for curly
        ("You will get fourteen ninety-nine back", "agent", (2, 2)),  # as spoken
        ("for 6 unused months, and Kestrel Plus ends today", "agent", (2, 3)),  # over two lines
        ("I don’t need it", "caller", (4, 4)),  # curly for straight
        ("  please \n cancel ", "caller", (1, 1)),
    ],
)
def test_found(quote: str, speaker: str, where: tuple[int, int]) -> None:
    found = find_quote(TALK, quote, speaker)
    assert found is not None
    assert (found.first, found.last) == where


@pytest.mark.parametrize(
    ("quote", "speaker"),
    [
        ("please cancel Kestrel Plus", "agent"),  # the other speaker's words
        ("Shall I cancel it", "caller"),
        ("You'll get $14.90 back", "agent"),  # another amount
        ("You'll get back for six unused months", "agent"),  # a gap
        ("What can I do for you? You'll get $14.99", "agent"),  # the caller speaks between
        ("What ... do for you", "agent"),
        ("months", "agent"),  # one word
        ("", "agent"),
        ("...", "agent"),
        ("the reference is 541-555", "agent"),  # a piece of a number is another number
        ("What can I do for you?", "nobody"),
    ],
)
def test_not_found(quote: str, speaker: str) -> None:
    assert find_quote(TALK, quote, speaker) is None


def test_a_piece_of_a_number_is_no_part_of_it() -> None:
    assert contains_words(("ends", "in", "1", "1", "5", "6"), ("1", "1", "5", "6")) == 2
    assert contains_words(("ends", "in", "1", "1", "5", "6"), ("1", "1")) is None
    assert contains_words(("1", "1", "5", "6", "is", "it"), ("5", "6", "is")) is None
    assert contains_words(("a",), ()) is None
