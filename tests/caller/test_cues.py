from __future__ import annotations

import attrs
import numpy as np
import pytest
from numpy.typing import NDArray

from offhook.packs import Cues
from offhook.testing import HashEmbedder
from offhook_caller.cues import BadCue, CueMatch, CueMatcher, compile_cues, read_turn


class CountingEmbedder(HashEmbedder):
    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "asked", [])

    def embed(self, sentences: tuple[str, ...]) -> NDArray[np.float32]:
        self.asked.extend(sentences)  # type: ignore[attr-defined]
        return super().embed(sentences)


def match(cues: Cues, text: str) -> CueMatch:
    return CueMatcher(HashEmbedder()).match(compile_cues(cues), read_turn(text))


def test_a_turn_is_read_sentence_by_sentence_and_as_a_whole() -> None:
    turn = read_turn("Thanks, Dr. Moore. It’s $14.99 at 2 p.m. today. Shall I go on?")
    assert [scope.text for scope in turn.sentences] == [
        "Thanks, Dr. Moore.",
        "It's $14.99 at 2 p.m. today.",
        "Shall I go on?",
    ]
    assert turn.scopes[-1].text == "Thanks, Dr. Moore. It's $14.99 at 2 p.m. today. Shall I go on?"


def test_one_sentence_is_its_own_whole() -> None:
    assert len(read_turn("What is your name?").scopes) == 1


@pytest.mark.parametrize("text", ["", "  ", "...", "¿?"])
def test_a_turn_without_words_matches_nothing_and_raises_nothing(text: str) -> None:
    assert not match(Cues(all_of=(r"\w",), like=("hello there",)), text).matched


def test_all_patterns_must_be_found() -> None:
    cues = Cues(all_of=(r"\bzip\b", r"\bfour\b"))
    assert match(cues, "Your ZIP code and the last four digits, please.").by == "pattern"
    assert not match(cues, "Your ZIP code, please.").matched


def test_patterns_may_be_spread_over_the_sentences_of_a_turn() -> None:
    cues = Cues(all_of=(r"14\.99", r"go ahead"))
    found = match(cues, "You get $14.99 back. Shall I go ahead?")
    assert found.scope == "You get $14.99 back. Shall I go ahead?"


@pytest.mark.parametrize(
    "said",
    [
        "The refund is $14.99.",
        "The refund is fourteen ninety-nine.",
        "The refund is 14 dollars and 99 cents.",
    ],
)
def test_normalised_words_find_a_number_however_it_was_written(said: str) -> None:
    assert match(Cues(all_of=("refund is 1 4 9 9",)), said).by == "pattern"


def test_contractions_and_curly_apostrophes_do_not_hide_words() -> None:
    assert match(Cues(all_of=("what is your name",)), "What’s your name?").matched


@pytest.mark.parametrize("heard", ["Your book.", "Your book for Tuesday.", "your now book", "Your booked."])
def test_you_are_booked_is_known_as_recognisers_write_it(heard: str) -> None:
    assert match(Cues(all_of=(r"you're (?:now )?booked",)), heard).matched


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("Witch state was it?", "which state"),
        ("And the Zip coat", "zip code"),
        ("The last for digits", "last four digits"),
    ],
)
def test_usual_slips_of_recognisers_are_read_as_meant(heard: str, meant: str) -> None:
    found = match(Cues(all_of=(meant,)), heard)
    assert (found.matched, found.scope) == (True, heard)


@pytest.mark.parametrize(
    "heard", ["Is it your book?", "Your booked visit is on Tuesday.", "We returned your book."]
)
def test_what_is_booked_of_yours_is_read_as_heard(heard: str) -> None:
    assert not match(Cues(all_of=(r"you're booked",)), heard).matched


def test_an_exception_vetoes_only_the_words_it_is_found_in() -> None:
    cues = Cues(all_of=("phone",), none_of=("zip",))
    vetoed = match(cues, "I need your phone number and ZIP code.")
    assert not vetoed.matched
    assert vetoed.vetoed == "I need your phone number and ZIP code."
    assert (
        match(cues, "Thanks for the ZIP code. What is your phone number?").scope
        == "What is your phone number?"
    )


def test_without_patterns_only_meaning_matches() -> None:
    cues = Cues(like=("What is your phone number?",), threshold=0.6)
    alike = match(cues, "And what is your phone number please?")
    assert alike.by == "meaning"
    assert 0.6 <= alike.similarity < 1.0
    other = match(cues, "We are open until six.")
    assert not other.matched
    assert other.similarity < 0.6


def test_cues_without_anything_never_match() -> None:
    assert not match(Cues(), "Anything at all.").matched


def test_a_broken_pattern_is_quoted() -> None:
    with pytest.raises(BadCue, match=r"'\(zip' is not a regular expression"):
        compile_cues(Cues(all_of=("(zip",)))


def test_each_sentence_is_embedded_once_whatever_the_number_of_cues() -> None:
    embedder = CountingEmbedder()
    matcher = CueMatcher(embedder)
    turn = read_turn("We close at six. Come tomorrow.")
    for like in ("Are you open?", "Where are you?", "Are you open?"):
        matcher.match(compile_cues(Cues(like=(like,))), turn)
    asked: list[str] = embedder.asked  # type: ignore[attr-defined]
    assert len(asked) == len(set(asked)) == 5


def test_a_match_by_meaning_must_be_more_like_what_is_meant_than_like_its_opposite() -> None:
    meant, opposite = "Shall I move your visit to Friday now?", "Your visit has been moved to Friday now."
    cues = Cues(like=(meant,), unlike=(opposite,), threshold=0.2)
    assert match(cues, meant).by == "meaning"
    assert match(attrs.evolve(cues, unlike=()), opposite).by == "meaning"
    assert not match(cues, opposite).matched
