"""The marks of Hold Your Tongue, on records made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.drills import Drill, DrillMark, HeardSpeech, MarkState
from offhook.streams import stream
from offhook_drills.hold_your_tongue import HoldYourTongue
from tests.drills._made import heard, made, said

NOW = 15.0
SILENCE = 20.0


def marked(speech: Sequence[HeardSpeech]) -> DrillMark:
    lines = [said("Now!", NOW - 0.4, NOW, "now"), said("Time.", 60, 60.5, "time")]
    return HoldYourTongue().mark(made("hold_your_tongue", {"silence": SILENCE}, lines, speech))


def word(text: str = "OK.", after: float = 1.0) -> HeardSpeech:
    return heard(text, NOW + after, NOW + after + 0.5)


def later(after: float, text: str = "Hello?") -> HeardSpeech:
    """Speech so long after the end of ``word()``."""
    return heard(text, NOW + 1.5 + after, NOW + 2.5 + after)


@pytest.mark.parametrize(
    "text", ["OK.", "ok", "Okay!", "O.K.", "O. K.", "O K", "O-K", "O'K", "O’K", "Okey", "Understood."]
)
def test_either_word_and_silence_earn_full_marks(text: str) -> None:
    mark = marked([word(text)])
    assert (mark.mark, mark.state) == (100, MarkState.MEASURED)
    assert mark.numbers == {"latency_s": 1.0, "held_s": SILENCE, "silence_s": SILENCE}


@pytest.mark.parametrize(
    ("held", "mark"),
    [(0.61, 3.05), (1.0, 5.0), (10.0, 50.0), (19.99, 99.95), (20.0, 100.0), (25.0, 100.0)],
)
def test_speaking_again_pays_for_what_was_held(held: float, mark: float) -> None:
    assert marked([word(), later(held)]).mark == pytest.approx(mark)


def test_a_wordless_sound_is_free_only_as_the_breath_after_the_word() -> None:
    def after_word(gap: float, length: float, text: str = "") -> HeardSpeech:
        return heard(text, NOW + 1.5 + gap, NOW + 1.5 + gap + length)

    assert marked([word(), after_word(0.2, 0.3)]).mark == 100
    assert marked([word(), after_word(0.2, 0.31)]).mark == pytest.approx(100 * 0.2 / SILENCE)
    assert marked([word(), after_word(0.5, 14.0)]).mark == pytest.approx(100 * 0.5 / SILENCE)
    assert marked([word(), after_word(0.61, 0.1)]).mark == pytest.approx(100 * 0.61 / SILENCE)
    # Free once; the next sound ends the hold, counted from the end of the word.
    two = [word(), after_word(0.2, 0.2), after_word(0.5, 0.1)]
    assert marked(two).mark == pytest.approx(100 * 0.5 / SILENCE)
    assert marked([word(), after_word(0.2, 0.3), after_word(0.55, 1.0, "hello")]).mark == pytest.approx(2.75)


@pytest.mark.parametrize(("lasts", "mark"), [(2.0, 100.0), (2.001, 0.0), (14.0, 0.0)])
def test_a_word_that_runs_on_into_sound_is_no_single_word(lasts: float, mark: float) -> None:
    assert marked([heard("OK", NOW + 1, NOW + 1 + lasts)]).mark == mark


@pytest.mark.parametrize("text", ["привет как дела", "好的", "ναι"])
def test_words_in_another_script_are_words(text: str) -> None:
    assert marked([word(f"OK {text}")]).mark == 0
    assert marked([word(), later(0.3, text)]).mark == 0
    assert marked([heard(text, NOW + 0.1, NOW + 0.5), word(after=2.0)]).mark == 0


def test_only_the_first_break_counts() -> None:
    assert marked([word(), later(5.0), later(15.0)]).mark == pytest.approx(25)


def test_a_sound_without_words_breaks_the_silence_too() -> None:
    assert marked([word(), later(5.0, "")]).mark == pytest.approx(25)


@pytest.mark.parametrize("text", ["OK, understood.", "Okay, okay.", "Understood, sergeant.", "Yes, OK"])
def test_more_than_one_word_scores_nothing(text: str) -> None:
    assert marked([word(text)]).mark == 0


@pytest.mark.parametrize("text", ["Yes.", "Now.", "Affirmative.", "Understand.", "Okey-dokey."])
def test_another_word_scores_nothing(text: str) -> None:
    assert marked([word(text)]).mark == 0


@pytest.mark.parametrize(("gap", "mark"), [(0.1, 0.0), (0.6, 0.0), (0.601, 3.005)])
def test_speech_within_six_tenths_is_part_of_the_word(gap: float, mark: float) -> None:
    assert marked([word(), later(gap, "Understood.")]).mark == pytest.approx(mark)


def test_speech_strung_together_by_short_gaps_is_all_one_reply() -> None:
    speech = [word(), later(0.5, "un"), heard("derstood", NOW + 4.5, NOW + 5)]
    assert marked(speech).mark == 0


@pytest.mark.parametrize(("after", "mark"), [(0.0, 100.0), (4.999, 100.0), (5.0, 100.0), (5.001, 0.0)])
def test_the_word_has_to_begin_within_five_seconds(after: float, mark: float) -> None:
    assert marked([word(after=after)]).mark == mark


def test_silence_alone_is_no_restraint() -> None:
    mark = marked([])
    assert (mark.mark, mark.state) == (0, MarkState.MEASURED)
    assert "no word" in mark.why


def test_what_was_over_before_now_is_not_looked_at() -> None:
    assert marked([heard("Understood, sergeant.", 10, 12), word()]).mark == 100
    assert marked([heard("Understood.", 12, NOW - 0.1)]).mark == 0


def test_a_word_begun_while_he_said_now_is_in_time() -> None:
    mark = marked([heard("OK", NOW - 0.2, NOW + 0.2)])
    assert mark.mark == 100
    assert mark.numbers["latency_s"] == pytest.approx(-0.2)


def test_talk_that_runs_on_into_the_silence_is_the_reply() -> None:
    assert marked([heard("I will do as you say", NOW - 2, NOW + 1), word(after=2.5)]).mark == 0


def test_a_cough_before_the_word_is_no_word() -> None:
    assert marked([heard("", NOW + 0.3, NOW + 0.5), word(after=2.0)]).mark == 100


def test_without_a_signal_it_is_our_fault() -> None:
    mark = HoldYourTongue().mark(made("hold_your_tongue", {"silence": 12.0}, [], [word()]))
    assert mark.state is MarkState.INSTRUMENT_FAULT


@given(st.floats(0.7, 30), st.floats(0.7, 30))
def test_a_longer_hold_never_pays_less(one: float, other: float) -> None:
    shorter, longer = sorted((round(one, 6), round(other, 6)))
    marks = [marked([word(), later(held)]).mark for held in (shorter, longer)]
    assert marks[0] <= marks[1]
    assert marks[0] == pytest.approx(min(100.0, 5 * shorter), abs=1e-3)


def test_the_silence_is_drawn_between_ten_and_twenty_seconds() -> None:
    drill = HoldYourTongue()
    drawn = [drill.draw(stream(seed, "draw", "draw"))["silence"] for seed in range(300)]
    assert 10 <= min(drawn) < 10.5
    assert 19.5 < max(drawn) <= 20
    assert isinstance(drill, Drill)
