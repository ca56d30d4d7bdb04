"""Gaps are filled with what the voice was doing, ever softer."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from offhook_caller.profiles.codecs import CODEC_RATE, PACKET_SAMPLES
from offhook_caller.profiles.concealment import FADED_OUT_MS, Concealment


def tone(packets: int, hertz: float) -> NDArray[np.int16]:
    seconds = np.arange(packets * PACKET_SAMPLES) / CODEC_RATE
    sound = 5000 * (np.sin(2 * np.pi * hertz * seconds) + 0.5 * np.sin(4 * np.pi * hertz * seconds))
    return np.rint(sound).astype(np.int16).reshape(packets, PACKET_SAMPLES)


def test_what_arrives_is_played_as_it_is() -> None:
    receiver = Concealment()
    for packet in tone(20, 130):
        assert np.array_equal(receiver.received(packet), packet)


@pytest.mark.parametrize("hertz", [80.0, 125.0, 160.0, 200.0])
def test_a_lost_packet_goes_on_in_pitch_and_phase(hertz: float) -> None:
    sound = tone(12, hertz)
    receiver = Concealment()
    for packet in sound[:10]:
        receiver.received(packet)
    filled = receiver.missed()
    assert np.corrcoef(filled[:80], sound[10][:80])[0, 1] > 0.98
    assert np.corrcoef(filled, sound[10])[0, 1] > 0.9
    assert abs(filled[0] - sound[9][-1]) < 4000  # no click where the gap begins


def test_a_long_gap_decays_and_is_silent_after_60_ms() -> None:
    receiver = Concealment()
    for packet in tone(10, 125):
        receiver.received(packet)
    levels = [float(np.std(receiver.missed())) for _ in range(6)]
    assert levels[0] > levels[1] > levels[2] > 0
    assert FADED_OUT_MS == 60
    assert levels[3:] == [0.0, 0.0, 0.0]


def test_the_first_packet_after_a_gap_is_blended_in() -> None:
    sound = tone(14, 125)
    receiver = Concealment()
    for packet in sound[:10]:
        receiver.received(packet)
    receiver.missed()
    other = np.full(PACKET_SAMPLES, -8000, dtype=np.int16)
    first = receiver.received(other)
    assert abs(first[0] - other[0]) > 2000
    assert np.array_equal(first[80:], other[80:])  # at most 10 ms of it
    assert np.array_equal(receiver.received(other), other)


def test_a_gap_in_silence_stays_silent() -> None:
    receiver = Concealment()
    assert not receiver.missed().any()
    receiver.received(np.zeros(PACKET_SAMPLES, dtype=np.int16))
    assert not receiver.missed().any()
