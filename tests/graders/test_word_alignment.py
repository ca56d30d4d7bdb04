"""Alignment of words."""

from __future__ import annotations

import random
import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st

from offhook_graders.hearing.word_alignment import align_words, places_in

WORDS = st.lists(st.sampled_from(["my", "order", "is", "k", "e", "4", "0", "a b", ""]), max_size=12)


@settings(deadline=None)  # the first alignment imports jiwer
@given(WORDS, WORDS)
def test_wer_is_zero_only_for_equal_words(reference: list[str], hypothesis: list[str]) -> None:
    alignment = align_words(reference, hypothesis)

    assert (alignment.errors == 0) == (reference == hypothesis)
    if reference:
        assert (alignment.wer == 0) == (reference == hypothesis)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_the_alignment_tells_both_sides_in_full(reference: list[str], hypothesis: list[str]) -> None:
    alignment = align_words(reference, hypothesis)

    assert [word for chunk in alignment.chunks for word in chunk.reference] == reference
    assert [word for chunk in alignment.chunks for word in chunk.hypothesis] == hypothesis
    assert abs(len(reference) - len(hypothesis)) <= alignment.errors <= max(len(reference), len(hypothesis))


@settings(deadline=None)
@given(WORDS, WORDS)
def test_a_cut_at_every_border_costs_no_more_than_the_whole(
    reference: list[str], hypothesis: list[str]
) -> None:
    places = places_in(reference, hypothesis)

    assert len(places) == len(reference) + 1
    flat = [0, *(at for place in places for at in place), len(hypothesis)]
    assert flat == sorted(flat)
    pieces = zip(reference, places, places[1:], strict=False)
    errors = sum(align_words([word], hypothesis[low[1] : high[0]]).errors for word, low, high in pieces)
    errors += sum(high - low for low, high in places)
    assert errors == align_words(reference, hypothesis).errors


def test_of_equal_alignments_the_one_of_like_words_is_taken() -> None:
    places = places_in(["i", "want", "a", "bike", "thanks"], ["i", "want", "a", "bicycle", "thank", "you"])

    assert places[4] == (4, 4)
    assert places_in([], ["a"]) == ((0, 1),)
    assert places_in(["a"], []) == ((0, 0), (0, 0))


def test_a_transcript_of_thousands_of_words_takes_little_memory() -> None:
    rng = random.Random(1)
    vocabulary = ["".join(rng.choices("abcdefghijk", k=rng.randint(2, 7))) for _ in range(500)]
    said = rng.choices(vocabulary, k=2000)
    heard = [word for word in said if rng.random() < 0.9]

    tracemalloc.start()
    places = places_in(said, heard)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert places[-1][1] == len(heard)
    assert peak < 5 * len(said) * len(heard)  # bytes; costs in doubles take 32 and more a pair of words
