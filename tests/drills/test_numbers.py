"""Number words, said and read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.audio import rms_dbfs
from offhook.speech import ListenerHint
from offhook.streams import stream
from offhook.testing import FakeListener, FakeVoice
from offhook_drills._numbers import (
    counts_up,
    digits_in,
    draw_variation,
    in_words,
    numbers_in,
    reply_numbers,
    varied_clip,
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Five.", (5,)),
        ("Uh, five.", (5,)),
        ("12", (12,)),
        ("Twenty-one!", (21,)),
        ("twenty one", (21,)),
        ("Twenty, one.", (20, 1)),
        ("twenty ten", (20, 10)),
        ("Seven, eight.", (7, 8)),
        ("it is to late for me", ()),
        ("freight weighed often", ()),
        ("", ()),
    ],
)
def test_numbers_are_read_from_words_and_figures(text: str, numbers: tuple[int, ...]) -> None:
    assert numbers_in(text) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("To.", (2,)),
        ("too", (2,)),
        ("For!", (4,)),
        ("Ate.", (8,)),
        ("Won", (1,)),
        ("Nines", (9,)),
        ("Sixes.", (6,)),
        ("to me", ()),
        ("for, ate", ()),
        ("Tim.", ()),
        ("glasses", ()),
    ],
)
def test_a_homophone_is_a_number_only_where_it_is_the_whole_reply(
    text: str, numbers: tuple[int, ...]
) -> None:
    assert reply_numbers(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "7, 4, 1, 1, 9, 2",
        "Seven, four, one. One, nine, two.",
        "741192",
        "74 11 92",
        "seven four double one nine two",
        "Seven, for, one, won, nine, too.",
        "The numbers are 7 4 1, 1 9 2.",
    ],
)
def test_a_read_back_is_the_same_however_it_is_grouped(text: str) -> None:
    assert digits_in(text) == (7, 4, 1, 1, 9, 2)


def test_little_words_in_a_sentence_are_no_numbers() -> None:
    assert digits_in("I want to wait for you") == ()


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("One, two, three, four", (1, 2, 3, 4)),
        ("Sure. 1, 2, 3", (1, 2, 3)),
        ("12345", (1, 2, 3, 4, 5)),
        ("eighteen nineteen twenty twenty-one", (18, 19, 20, 21)),
        ("one, two", ()),
        ("I will count from one to a hundred", ()),
        ("seven, seven, seven", ()),
    ],
)
def test_counting_is_three_numbers_in_order(text: str, counted: tuple[int, ...]) -> None:
    assert counts_up(text) == counted


@given(st.integers(0, 99))
def test_every_number_is_read_as_it_is_said(number: int) -> None:
    assert numbers_in(f"{in_words(number).capitalize()}.") == (number,)
    assert reply_numbers(str(number)) == (number,)


def test_only_small_numbers_are_said() -> None:
    with pytest.raises(ValueError, match="0 to 99"):
        in_words(100)


def test_no_two_variations_sound_alike_and_all_say_the_word() -> None:
    rng = stream(3, "words", "variation")
    clips = [varied_clip(FakeVoice(), "seven", draw_variation(rng)) for _ in range(6)]
    assert len({clip.sha256 for clip in clips}) == 6
    assert {FakeListener().hear(clip, ListenerHint()).text for clip in clips} == {"seven"}
    levels = [rms_dbfs(clip.samples) for clip in clips]
    assert np.ptp(levels) < 0.5


def test_the_tone_tilts_the_spectrum() -> None:
    plain = {"tempo": 1.0, "pitch": 0.0}
    dull, bright = (
        np.abs(np.fft.rfft(varied_clip(FakeVoice(), "seven", {**plain, "tone": tone}).samples))
        for tone in (-0.4, 0.4)
    )
    hertz = np.fft.rfftfreq(2 * (len(dull) - 1), 1 / 24_000)
    low, high = (hertz > 300) & (hertz < 800), (hertz > 2_000) & (hertz < 2_700)
    assert bright[high].sum() / bright[low].sum() > 1.2 * dull[high].sum() / dull[low].sum()
