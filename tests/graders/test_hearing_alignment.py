"""Turns and transcript lines, aligned: where lines are cut means nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.host import PluginHost
from offhook.runner.measured import HostEngines
from offhook.speech import SentenceEmbedder
from offhook.testing import HashEmbedder
from offhook_graders.hearing.alignment import CallAlignment, align_call

TURNS = [
    "Hi, please cancel Kestrel Plus for me as of today.",
    "My name is Selina Cortez.",
    "It's five four one, five five five, oh one seven one.",
    "No thanks, I still want to cancel.",
    "Yes, go ahead. I get fourteen dollars and ninety-nine cents back.",
]
PHRASES = st.sampled_from(
    [
        *TURNS,
        "nineteen seventy",
        "five five five",
        "twenty",
        "thirty-six dollars",
        "it's double five",
        "yes",
        "thanks for watching",
        "no",
        "...",
        "K E 4 4",
    ]
)


def counts(alignment: CallAlignment) -> list[int]:
    words = [group.alignment for group in alignment.groups]
    return [
        sum(some.substitutions for some in words),
        sum(some.deletions for some in words),
        sum(some.insertions for some in words),
        alignment.reference_words,
        len(alignment.phrases),
    ]


def without_lines(alignment: CallAlignment) -> list[Any]:
    return [(group.turns, group.text, group.alignment, group.phrases) for group in alignment.groups]


@pytest.mark.parametrize("embedder", [None, HashEmbedder()])
@settings(deadline=None, max_examples=60)
@given(st.lists(PHRASES, max_size=5), st.lists(PHRASES, max_size=5), st.data())
def test_cutting_the_transcript_into_other_lines_changes_nothing(
    embedder: SentenceEmbedder | None, turns: list[str], lines: list[str], data: st.DataObject
) -> None:
    words = " ".join(lines).split()
    places = data.draw(st.lists(st.integers(0, len(words)), max_size=6).map(sorted))
    borders = [0, *places, len(words)]
    recut = [" ".join(words[start:end]) for start, end in pairwise(borders)]

    one, other = align_call(turns, lines, embedder), align_call(turns, recut, embedder)

    assert counts(one) == counts(other)
    assert without_lines(one) == without_lines(other)


@pytest.mark.parametrize("embedder", [None, HashEmbedder()])
@settings(deadline=None, max_examples=60)
@given(st.lists(PHRASES, min_size=1, max_size=6))
def test_a_perfect_transcript_has_no_error(embedder: SentenceEmbedder | None, turns: list[str]) -> None:
    assert counts(align_call(turns, turns, embedder))[:3] == [0, 0, 0]
    assert counts(align_call(turns, [" ".join(turns)], embedder))[:3] == [0, 0, 0]


@settings(deadline=None, max_examples=60)
@given(st.lists(PHRASES, max_size=5), st.lists(PHRASES, max_size=5))
def test_every_word_of_both_sides_is_in_one_group(turns: list[str], lines: list[str]) -> None:
    words = [group.alignment for group in align_call(turns, lines, HashEmbedder()).groups]
    alone = [group.alignment for group in align_call(turns, lines).groups]

    for some in (words, alone):
        assert sum(each.reference_words for each in some) == sum(each.reference_words for each in alone)
    heard = [
        [word for each in some for chunk in each.chunks for word in chunk.hypothesis]
        for some in (words, alone)
    ]
    assert heard[0] == heard[1]


def test_a_line_over_two_turns_and_a_turn_over_two_lines_are_put_right() -> None:
    found = align_call(
        TURNS,
        [
            "Hi, please cancel Kestrel Plus for me as of today. My name",
            "is Salina Cortez.",
            "It's 541-555-0171. No thanks, I",
            "still want to cancel. Yes, go ahead. I get $14.99 back.",
        ],
        HashEmbedder(),
    )

    assert [group.turns for group in found.groups] == [(0,), (1,), (2,), (3,), (4,)]
    assert [group.lines for group in found.groups] == [(0,), (0, 1), (2,), (2, 3), (3,)]
    assert [group.text for group in found.groups] == [
        "Hi, please cancel Kestrel Plus for me as of today.",
        "My name is Salina Cortez.",
        "It's 541-555-0171.",
        "No thanks, I still want to cancel.",
        "Yes, go ahead. I get $14.99 back.",
    ]
    assert counts(found)[:3] == [1, 0, 0]


@pytest.mark.parametrize(
    "lines",
    [
        ["It is nineteen seventy.", "Five five five."],
        ["it is 1970", "555"],
        ["it is nineteen seventy five five five"],
    ],
)
def test_a_number_that_runs_on_into_the_next_turn_is_taken_as_it_was_heard(lines: list[str]) -> None:
    assert counts(align_call(["It is nineteen seventy.", "Five five five."], lines))[:3] == [0, 0, 0]


def test_it_reads_back_as_it_was_stored() -> None:
    found = align_call(TURNS, ["please counsel it", *TURNS[2:]], HashEmbedder())

    assert CallAlignment.from_json(found.as_json()) == found
    with pytest.raises(ValueError, match="not an alignment"):
        CallAlignment.from_json({"groups": [{"turns": "no"}]})


@pytest.mark.speech
def test_meaning_pairs_turns_that_words_would_pair_wrongly() -> None:
    embedder = HostEngines(PluginHost.discover()).embedder()
    turns = [
        "I would like to cancel my subscription.",
        "My postcode is nine seven oh three five.",
        "Can you send the confirmation to my phone?",
    ]
    lines = ["I want to end the membership", "could you text me the confirmation"]

    found = align_call(turns, lines, embedder)

    assert [(group.turns, group.text) for group in found.groups if group.text] == [
        ((0,), "I want to end the membership"),
        ((2,), "could you text me the confirmation"),
    ]
    missed = next(group for group in found.groups if group.turns == (1,))
    assert missed.alignment.deletions == missed.alignment.reference_words > 5
