"""Voice activity from the line's frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from offhook.audio import FRAME_SAMPLES, Clip, Samples, frames_of, silence
from offhook.speech import SpeechStyle, VoiceActivity, VoiceActivityDetector
from offhook_caller.speech.silero import SileroDetector
from offhook_caller.speech.slots import SlotVoice

pytestmark = pytest.mark.speech

HUSH: Samples = np.zeros(FRAME_SAMPLES, np.int16)


@pytest.fixture(scope="module")
def detector(speech_cache: Path) -> SileroDetector:
    return SileroDetector(speech_cache)


@pytest.fixture(scope="module")
def spoken(voices: dict[str, SlotVoice]) -> Clip:
    return voices["us-female-heart"].speak(
        "I would like to change my delivery address please.", SpeechStyle()
    )


def _probabilities(activity: VoiceActivity, *clips: Clip) -> list[float]:
    return [activity.push(frame) for clip in clips for frame in frames_of(clip)]


def test_speech_is_told_from_silence(detector: SileroDetector, spoken: Clip) -> None:
    assert isinstance(detector, VoiceActivityDetector)
    before, after = silence(0.5), silence(1.0)
    found = _probabilities(detector.open(), before, spoken, after)
    speech = found[27 : 25 + round(spoken.seconds / 0.02)]
    assert max(found[:25]) < 0.3
    assert sum(probability > 0.5 for probability in speech) > 0.8 * len(speech)
    assert max(found[-35:]) < 0.3
    assert all(0.0 <= probability <= 1.0 for probability in found)


def test_onset_shows_within_160_ms_also_after_a_long_rest(detector: SileroDetector, spoken: Clip) -> None:
    for rest in (0.2, 0.5, 20.0):
        found = _probabilities(detector.open(), silence(rest), spoken)
        first = next(index for index, probability in enumerate(found) if probability > 0.5)
        assert rest <= first * 0.02 <= rest + 0.16


def test_digital_silence_ends_in_a_fresh_start(detector: SileroDetector, spoken: Clip) -> None:
    used, fresh = detector.open(), detector.open()
    _probabilities(used, spoken, silence(1.0))
    assert used.push(HUSH) == 0.0
    assert _probabilities(used, spoken) == _probabilities(fresh, spoken)


def test_a_short_pause_keeps_the_state(detector: SileroDetector, spoken: Clip) -> None:
    used, fresh = detector.open(), detector.open()
    _probabilities(used, spoken, silence(0.2))
    assert _probabilities(used, spoken) != _probabilities(fresh, spoken)


def test_channels_are_independent_and_repeatable(detector: SileroDetector, spoken: Clip) -> None:
    alone = _probabilities(detector.open(), spoken)
    one, two = detector.open(), detector.open()
    noise = np.random.default_rng(3).normal(0, 2000, FRAME_SAMPLES).astype(np.int16)
    mixed = []
    for frame in frames_of(spoken):
        mixed.append(one.push(frame))
        two.push(noise)
    assert mixed == alone
