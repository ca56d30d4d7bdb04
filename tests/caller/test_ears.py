from __future__ import annotations

import numpy as np
import pytest

from offhook.audio import FRAME_SECONDS, Clip, Samples, frames_of
from offhook.speech import ListenerHint, SpeechStyle
from offhook.testing import EnergyVad, FakeListener, FakeVoice, concat, gap, noise, speechlike
from offhook_caller.ears import Ear, EarSettings, Utterance


def listen(clip: Clip, settings: EarSettings | None = None) -> tuple[Utterance, ...]:
    ear = Ear(EnergyVad().open(), settings)
    for index, frame in enumerate(frames_of(clip)):
        ear.push(frame, index * FRAME_SECONDS)
    ear.finish()
    return ear.take()


def test_utterances_lie_between_their_voiced_frames() -> None:
    first, second = listen(concat(gap(0.5), speechlike(1.0, 1), gap(0.8), speechlike(0.6, 2), gap(0.6)))
    assert (first.start, first.end) == pytest.approx((0.5, 1.5), abs=0.06)
    assert (second.start, second.end) == pytest.approx((2.3, 2.9), abs=0.06)


def test_a_pause_shorter_than_the_hang_over_does_not_split() -> None:
    pair = concat(gap(0.2), speechlike(0.6, 1), gap(0.2), speechlike(0.6, 2), gap(0.5))
    assert len(listen(pair)) == 1
    assert len(listen(pair, EarSettings(hangover=0.1))) == 2


def test_the_sound_kept_holds_the_words_whole() -> None:
    said = FakeVoice().speak("What is your name?", SpeechStyle())
    (heard,) = listen(concat(gap(0.4), said, gap(0.6)))
    assert FakeListener().hear(heard.clip, ListenerHint()).text == "What is your name?"
    assert said.seconds < heard.clip.seconds <= said.seconds + 0.24 + 0.2 + 2 * FRAME_SECONDS


def test_a_click_is_no_utterance() -> None:
    assert listen(concat(gap(0.4), noise(0.04), gap(0.6))) == ()


def test_faint_noise_is_silence_and_costs_nothing() -> None:
    class Counting:
        frames = 0

        def push(self, frame: Samples) -> float:
            self.frames += 1
            return 1.0

    counting = Counting()
    ear = Ear(counting)
    for index, frame in enumerate(frames_of(noise(0.5, dbfs=-75))):
        ear.push(frame, index * FRAME_SECONDS)
    assert counting.frames == 0
    assert not ear.stirring
    ear.push(np.full(480, 900, dtype=np.int16), 0.5)
    assert counting.frames == 1
    assert ear.stirring


def test_a_monologue_is_cut() -> None:
    parts = listen(speechlike(3.0, 3), EarSettings(longest=1.0))
    assert len(parts) == 3
    assert all(part.seconds <= 1.0 + FRAME_SECONDS for part in parts)


def test_push_tells_when_an_utterance_begins_and_ends() -> None:
    ear = Ear(EnergyVad().open())
    clip = concat(gap(0.2), speechlike(0.5, 1), gap(0.6))
    told = [
        round(index * FRAME_SECONDS, 2)
        for index, frame in enumerate(frames_of(clip))
        if ear.push(frame, index * FRAME_SECONDS)
    ]
    assert len(told) == 2
    assert told[0] == pytest.approx(0.24, abs=0.05)
    assert told[1] == pytest.approx(0.7 + 0.4, abs=0.05)
