"""The codec tandem on real codecs: what it does to sound, and what bit errors do to what it sends."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np
import pytest

from offhook.audio import Clip, Samples, rms_dbfs
from offhook.speech import SpeechUnavailable
from offhook_caller.profiles.codecs import (
    AMR_MODES,
    CODEC_RATE,
    PACKET_SAMPLES,
    ULAW_SILENCE,
    AmrLeg,
    UlawLeg,
)


def packets(n: int) -> list[Samples]:
    """A voice-like sound: harmonics of a pitch that glides between 100 and 200 Hz, coming and going."""
    seconds = np.arange(n * PACKET_SAMPLES) / CODEC_RATE
    turns = 150 * seconds + 50 / (2 * np.pi * 1.3) * np.sin(2 * np.pi * 1.3 * seconds)
    sound = sum(np.sin(2 * np.pi * k * turns + k) / k for k in range(1, 18))
    sound = 3000 * sound * (0.6 + 0.4 * np.sin(2 * np.pi * 3 * seconds))
    return list(np.rint(sound).astype(np.int16).reshape(n, PACKET_SAMPLES))


def through(leg: AmrLeg, sent: list[Samples]) -> Samples:
    return np.concatenate([leg.push(packet) for packet in sent])


# --- mu-law ---------------------------------------------------------------------------------------


def ulaw(error_rate: float = 0.0, seed: int = 1) -> UlawLeg:
    return UlawLeg(np.random.default_rng(seed), error_rate)


def test_mu_law_silence_is_0xff() -> None:
    leg = ulaw()
    assert leg.encode(np.zeros(PACKET_SAMPLES, dtype=np.int16)) == bytes([0xFF]) * PACKET_SAMPLES
    assert ULAW_SILENCE == 0xFF
    assert not leg.decode(bytes([ULAW_SILENCE]) * PACKET_SAMPLES).any()


def test_mu_law_is_that_of_the_recommendation() -> None:
    """Segment ends and signs of G.711: 8-bit codes are inverted, positive ones have the sign bit set."""
    leg = ulaw()
    assert leg.decode(bytes([0x80, 0x00, 0xF0, 0x70, 0xFF, 0x7F])).tolist() == [
        32124,
        -32124,
        120,
        -120,
        0,
        0,
    ]
    every = leg.decode(bytes(range(256)))
    assert leg.encode(every.copy())[:0x7F] == bytes(range(0x7F))
    ramp = np.arange(-32000, 32000, dtype=np.int16)
    error = np.abs(leg.decode(leg.encode(ramp)).astype(int) - ramp)
    assert np.all(error <= 8 + np.abs(ramp.astype(int)) / 32)


def test_mu_law_bit_errors_are_in_the_bytes_and_as_many_as_asked_for() -> None:
    rate = 1e-3
    clean, noisy = ulaw(), ulaw(rate)
    sent = packets(400)
    pairs = [(clean.encode(packet), noisy.encode(packet)) for packet in sent]
    flips = sum((a ^ b).bit_count() for one, two in pairs for a, b in zip(one, two, strict=True))
    bits = 400 * PACKET_SAMPLES * 8
    assert abs(flips - rate * bits) < 4 * math.sqrt(rate * bits)
    assert noisy.hit == sum(one != two for one, two in pairs)


# --- AMR-NB ---------------------------------------------------------------------------------------


@pytest.mark.speech
@pytest.mark.parametrize("bit_rate", AMR_MODES)
def test_every_mode_carries_a_voice_five_milliseconds_late(bit_rate: int, spoken: Clip) -> None:
    said = spoken.at_rate(CODEC_RATE).samples
    said = said[: len(said) // PACKET_SAMPLES * PACKET_SAMPLES]
    heard = through(AmrLeg(np.random.default_rng(1), bit_rate, 0.0), list(said.reshape(-1, PACKET_SAMPLES)))
    likeness = [np.corrcoef(said[:-100], heard[lag:][: len(said) - 100])[0, 1] for lag in range(100)]
    assert int(np.argmax(likeness)) == pytest.approx(40, abs=2)
    assert max(likeness) > 0.7
    assert rms_dbfs(heard) == pytest.approx(rms_dbfs(said), abs=1.5)


def test_a_mode_knows_the_bits_of_its_frames() -> None:
    from offhook_caller.profiles.codecs import _amr

    for bit_rate, (bits, class_a) in AMR_MODES.items():
        encoder, _ = _amr(bit_rate)
        assert bits == bit_rate // 50
        assert class_a < bits
        frame = _frame_of(packets(1)[0])
        (sent,) = encoder.encode(frame)
        assert len(bytes(sent)) == 1 + math.ceil(bits / 8)


def _frame_of(packet: Samples) -> Any:
    from av import AudioFrame

    frame = AudioFrame.from_ndarray(packet[np.newaxis], format="s16", layout="mono")
    frame.sample_rate, frame.pts = CODEC_RATE, 0
    return frame


def test_amr_bit_errors_hit_frames_as_often_as_they_must() -> None:
    rate, bit_rate, n = 1e-3, 5900, 3000
    bits, class_a = AMR_MODES[bit_rate]
    leg = AmrLeg(np.random.default_rng(2), bit_rate, rate)
    through(leg, packets(n))
    for count, chance in ((leg.hit, 1 - (1 - rate) ** bits), (leg.withheld, 1 - (1 - rate) ** class_a)):
        assert abs(count - n * chance) < 4 * math.sqrt(n * chance * (1 - chance))
    assert 0 < leg.withheld < leg.hit


def test_amr_bit_errors_are_heard_from_the_frame_they_hit_on() -> None:
    sent = packets(300)
    right, leg = AmrLeg(np.random.default_rng(3), 5900, 0.0), AmrLeg(np.random.default_rng(3), 5900, 5e-4)
    same, hits = [], []
    for packet in sent:
        same.append(np.array_equal(right.push(packet), leg.push(packet)))
        hits.append(leg.hit)
    first = hits.index(1)
    assert 0 < first < 250
    assert all(same[:first])
    assert not same[first]


def test_a_call_in_which_every_checksum_fails_falls_silent() -> None:
    leg = AmrLeg(np.random.default_rng(4), 5900, 0.2)
    heard = through(leg, packets(100))
    assert leg.withheld == leg.frames == 100
    assert rms_dbfs(heard[-PACKET_SAMPLES * 20 :]) < -60


def test_without_its_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "av":
            raise ImportError("No module named 'av'")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(SpeechUnavailable, match=r"PyAV; install with: pip install 'offhook\[speech\]'"):
        ulaw()
    with pytest.raises(SpeechUnavailable, match="install with"):
        AmrLeg(np.random.default_rng(1), 5900, 0.0)
