"""The marks of Read It Back, on records made by hand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.drills import Drill, DrillMark, HeardSpeech, MarkState
from offhook.streams import stream
from offhook_drills._numbers import in_words
from offhook_drills.read_it_back import ReadItBack
from tests.drills._made import heard, made, said

NUMBERS = [7, 4, 1, 9, 2, 4]
END = 15.5


def marked(speech: Sequence[HeardSpeech], numbers: Sequence[int] = tuple(NUMBERS)) -> DrillMark:
    lines = [said(in_words(number), 10.0 + at, 10.5 + at, "number") for at, number in enumerate(numbers)]
    return ReadItBack().mark(made("read_it_back", {"numbers": list(numbers)}, lines, speech))


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("Seven, four, one, nine, two, four.", 6),
        ("7 4 1 9 2 4", 6),
        ("741, 924", 6),
        ("The numbers are: 7, 4, 1, 9, 2, 4. Over.", 6),
        ("Seven four one nine two for", 6),
        ("7 4 1 9 2 4 4", 6),
        ("7 4 1 9 2", 5),
        ("7 4 8 9 2 4", 5),
        ("4 1 9 2 4", 0),
        ("4 2 9 1 4 7", 0),
        ("7 4 9 2 4", 2),
        ("7 7 4 1 9 2 4", 1),
        ("Yes, sergeant.", 0),
    ],
)
def test_each_number_pays_in_its_own_place(reply: str, right: int) -> None:
    mark = marked([heard(reply, END + 1, END + 4)])
    assert mark.mark == pytest.approx(100 * right / 6)
    assert mark.state is MarkState.MEASURED


def test_nothing_back_scores_nothing() -> None:
    mark = marked([])
    assert (mark.mark, mark.why) == (0, "nothing was read back")


def test_slow_replies_in_pieces_are_one_read_back_and_timing_is_not_marked() -> None:
    mark = marked(
        [
            heard("Seven, four.", END + 9, END + 10),
            heard("One, nine", END + 12, END + 13),
            heard("2, 4", END + 16, END + 17),
        ]
    )
    assert mark.mark == 100
    assert mark.numbers["latency_s"] == pytest.approx(9)
    assert mark.numbers["reply_s"] == pytest.approx(8)


def test_words_that_sound_like_numbers_are_told_in_each_stretch_alone() -> None:
    speech = [heard("7 for 1", END + 1, END + 2), heard("thank you, 9 2 4", END + 5, END + 6)]
    assert marked(speech).mark == 100
    assert (
        marked([heard("I am ready for it", END + 1, END + 2), heard("741924", END + 3, END + 4)]).mark == 100
    )


def test_an_ordinal_is_no_digit() -> None:
    assert marked([heard("7 4 1 9 2 4th", END + 1, END + 2)]).mark == pytest.approx(500 / 6)


def test_echoing_while_he_dictates_is_no_read_back() -> None:
    echoes = [heard(in_words(number), 10.6 + at, 10.9 + at) for at, number in enumerate(NUMBERS[:5])]
    assert marked(echoes).mark == 0
    assert marked([*echoes, heard("741924", END + 1, END + 3)]).mark == 100


def test_a_reply_that_begins_before_he_has_finished_counts() -> None:
    mark = marked([heard("7 4 1 9 2 4", END - 0.2, END + 3)])
    assert mark.mark == 100
    assert mark.numbers["latency_s"] == pytest.approx(-0.2)


def test_numbers_that_he_never_said_are_our_fault() -> None:
    record = made("read_it_back", {"numbers": NUMBERS}, [said("seven", 1, 2, "number")], [])
    assert ReadItBack().mark(record).state is MarkState.INSTRUMENT_FAULT


@given(st.lists(st.integers(1, 9), min_size=6, max_size=6), st.lists(st.integers(1, 9), max_size=8))
def test_the_mark_is_the_share_in_place(numbers: list[int], read: list[int]) -> None:
    mark = marked([heard(", ".join(map(in_words, read)), END + 1, END + 5)], numbers)
    right = sum(a == b for a, b in zip(numbers, read, strict=False))
    assert mark.mark == pytest.approx(100 * right / 6)
    assert [part.mark for part in mark.parts] == [
        100.0 if place < len(read) and read[place] == number else 0.0 for place, number in enumerate(numbers)
    ]


def test_every_word_is_drawn_and_varied_and_differs_from_its_neighbour() -> None:
    drill = ReadItBack()
    draws = [drill.draw(stream(seed, "draw", "draw")) for seed in range(40)]
    assert {number for draw in draws for number in draw["numbers"]} == set(range(1, 10))
    assert len({tuple(draw["numbers"]) for draw in draws}) == 40
    assert all(a != b for draw in draws for a, b in itertools.pairwise(draw["numbers"]))
    assert all(len({tuple(each.items()) for each in draw["variations"]}) == 6 for draw in draws)
    assert isinstance(drill, Drill)
