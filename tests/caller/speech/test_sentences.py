"""Cutting a text into speakable pieces."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook_caller.speech.sentences import LONGEST_PIECE, pieces_of


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Hello there.", ["Hello there."]),
        ("Hello. How are you?  Fine!", ["Hello.", "How are you?", "Fine!"]),
        ("Dr. Ito sees Mr. J. Abara on Monday. Bye.", ["Dr. Ito sees Mr. J. Abara on Monday.", "Bye."]),
        ('She said "no." Then she left.', ['She said "no."', "Then she left."]),
        ("It costs 3.50 today", ["It costs 3.50 today"]),
        ("First line\n\nsecond   line", ["First line", "second line"]),
        ("... !", []),
        ("", []),
    ],
)
def test_sentences(text: str, pieces: list[str]) -> None:
    assert [piece.text for piece in pieces_of(text)] == pieces


def test_only_the_last_piece_has_no_pause() -> None:
    pauses = [piece.pause for piece in pieces_of("One. Two. Three.")]
    assert pauses[-1] == 0.0
    assert all(pause > 0.1 for pause in pauses[:-1])


def test_a_long_sentence_is_cut_at_clauses_with_shorter_pauses() -> None:
    clause = "and then the parcel went back to the depot once more"
    pieces = pieces_of(", ".join([clause] * 12) + ". Yes.")
    assert len(pieces) > 3
    assert all(len(piece.text) <= LONGEST_PIECE for piece in pieces)
    assert all(piece.text.endswith("more,") for piece in pieces[:-2])
    assert pieces[0].pause < pieces[-2].pause


@given(st.text(alphabet=st.sampled_from("abc 19.,;!?\n"), max_size=1500))
def test_no_word_is_lost_or_moved(text: str) -> None:
    words = re.findall(r"[a-c0-9]+", text)
    pieces = pieces_of(text)
    assert [word for piece in pieces for word in re.findall(r"[a-c0-9]+", piece.text)] == words
    longest_word = max((len(word) for word in text.split()), default=0)
    assert all(len(piece.text) <= max(LONGEST_PIECE, longest_word) for piece in pieces)
