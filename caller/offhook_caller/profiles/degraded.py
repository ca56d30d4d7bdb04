"""Profile ``degraded``: a weak mobile signal that is carried on to a landline.

Packet by packet, 20 ms at 8 kHz: microphone with hiss and crackle, telephone band, AMR-NB over the air with
bit errors, G.711 over the landline network with bit errors, losses in bursts, jitter against a jitter buffer,
concealment, telephone band.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Any, Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import LINE_RATE, Samples
from offhook.line import FrameTransform, LineSetting
from offhook_caller.profiles.codecs import (
    AMR_MODES,
    CODEC_RATE,
    PACKET_SAMPLES,
    ULAW_SILENCE,
    AmrLeg,
    UlawLeg,
)
from offhook_caller.profiles.concealment import Concealment
from offhook_caller.profiles.levels import amplitude_of, gain_to
from offhook_caller.profiles.network import PACKET_MS, Fate, JitterParameters, LossParameters, Network

__all__ = ["DegradedLine", "DegradedParameters", "DegradedProfile", "MicrophoneParameters"]

Sound = NDArray[np.floating[Any]]

_STEP: Final = LINE_RATE // CODEC_RATE
_HALF: Final = 36  # of the resampling filters, in samples at 24 kHz: 1.5 ms
_NOISE_PACKETS: Final = 50


@attrs.frozen
class MicrophoneParameters:
    """``hiss_dbfs`` is white noise, as RMS. A crackle is a burst that decays within ``crackle_ms``; its peak
    is drawn from ``crackle_dbfs``, evenly in dB."""

    hiss_dbfs: float = -45.0
    crackles_per_second: float = 2.0
    crackle_ms: tuple[float, float] = (0.5, 3.0)
    crackle_dbfs: tuple[float, float] = (-32.0, -18.0)


@attrs.frozen
class DegradedParameters:
    """``level_dbfs`` is the active level the speech is set to. ``amr_bit_rate`` is AMR-NB's mode in bit/s;
    bit error rates are per bit, after the channel's own correction."""

    level_dbfs: float = -20.0
    microphone: MicrophoneParameters = attrs.field(factory=MicrophoneParameters)
    band_hz: tuple[float, float] = (300.0, 3400.0)
    amr_bit_rate: int = attrs.field(default=5900, validator=attrs.validators.in_(AMR_MODES))
    amr_bit_errors: float = 4e-4
    ulaw_bit_errors: float = 1e-5
    loss: LossParameters = attrs.field(factory=LossParameters)
    jitter: JitterParameters = attrs.field(factory=JitterParameters)


@attrs.frozen
class DegradedProfile:
    """Silence is never quite silent here, and what is said arrives about 70 ms later."""

    name: str = "degraded"
    background: str = ""
    impairment: str = "weak mobile signal"
    parameters: DegradedParameters = attrs.field(factory=DegradedParameters)

    def open(self, rng: np.random.Generator, setting: LineSetting) -> FrameTransform:
        gain = gain_to(self.parameters.level_dbfs, setting.speech_dbfs)
        return DegradedLine(rng, self.parameters, gain)


class DegradedLine:
    """The line of one call. ``fates`` counts what became of its packets.

    Raises:
        SpeechUnavailable: PyAV is missing.
    """

    def __init__(self, rng: np.random.Generator, parameters: DegradedParameters, speech_gain: float) -> None:
        # one stream a part, so that none of them depends on how much another one draws
        air, landline, network, microphone = rng.spawn(4)
        self.amr = AmrLeg(air, parameters.amr_bit_rate, parameters.amr_bit_errors)
        self.ulaw = UlawLeg(landline, parameters.ulaw_bit_errors)
        self.fates: Counter[Fate] = Counter()
        self._network = Network(network, parameters.loss, parameters.jitter)
        self._microphone = _Microphone(microphone, parameters.microphone)
        self._band = (_Band(parameters.band_hz), _Band(parameters.band_hz))
        self._gain = speech_gain
        self._down, self._up = _Down(), _Up()
        self._concealment = Concealment()
        held = round(parameters.jitter.buffer_ms / PACKET_MS)
        self._waiting: deque[bytes | None] = deque([bytes([ULAW_SILENCE]) * PACKET_SAMPLES] * held)

    def push(self, frame: Samples) -> Samples:
        """As ``FrameTransform.push``."""
        said = self._down.push(frame * self._gain) + self._microphone.next()
        sent = self.ulaw.encode(self.amr.push(_int16(self._band[0].push(said))))
        fate = self._network.next()
        self.fates[fate] += 1
        self._waiting.append(sent if fate is Fate.IN_TIME else None)
        packet = self._waiting.popleft()
        heard = (
            self._concealment.missed()
            if packet is None
            else self._concealment.received(self.ulaw.decode(packet))
        )
        return _int16(self._up.push(self._band[1].push(heard)))


class _Microphone:
    """Hiss and crackle at 8 kHz, drawn a second at a time."""

    def __init__(self, rng: np.random.Generator, parameters: MicrophoneParameters) -> None:
        self._rng, self._parameters = rng, parameters
        self._ready: deque[Sound] = deque()
        self._tail = np.zeros(round(parameters.crackle_ms[1] * CODEC_RATE / 1000) * 4)

    def next(self) -> Sound:
        if not self._ready:
            self._ready.extend(self._second())
        return self._ready.popleft()

    def _second(self) -> Sound:
        parameters, rng = self._parameters, self._rng
        n = _NOISE_PACKETS * PACKET_SAMPLES
        sound = np.zeros(n + len(self._tail))
        sound[:n] = rng.normal(0.0, amplitude_of(parameters.hiss_dbfs), n)
        sound[: len(self._tail)] += self._tail
        for _ in range(int(rng.poisson(parameters.crackles_per_second * n / CODEC_RATE))):
            decay = rng.uniform(*parameters.crackle_ms) * CODEC_RATE / 1000
            peak = amplitude_of(rng.uniform(*parameters.crackle_dbfs))
            at, length = int(rng.integers(n)), len(self._tail)
            burst = np.exp(-3 * np.arange(length) / decay) * rng.uniform(-1.0, 1.0, length)
            sound[at : at + length] += peak * burst
        self._tail = sound[n:].copy()
        return sound[:n].reshape(_NOISE_PACKETS, PACKET_SAMPLES)


class _Band:
    """The telephone band at 8 kHz: elliptic band-pass, 0.5 dB ripple, 50 dB down outside."""

    def __init__(self, band_hz: tuple[float, float]) -> None:
        from scipy.signal import ellip, lfilter

        # a filter in one piece: sections cost four times as much for 20 ms, and double precision bears it
        self._b, self._a = ellip(5, 0.5, 50.0, band_hz, btype="bandpass", fs=CODEC_RATE)
        self._state = np.zeros(len(self._a) - 1)
        self._filter = lfilter

    def push(self, sound: Sound) -> Sound:
        filtered, self._state = self._filter(self._b, self._a, sound, zi=self._state)
        return filtered


def _low_pass() -> Sound:
    """Passes the telephone band, and what it lets through above 4 kHz folds to above 3.4 kHz: 60 dB down from
    4.6 kHz."""
    from scipy.signal import firwin

    taps: Sound = firwin(2 * _HALF + 1, 4000.0, window=("kaiser", 5.65), fs=LINE_RATE)
    return taps


class _Down:
    """24 kHz to 8 kHz, 1.5 ms late."""

    def __init__(self) -> None:
        self._taps = _low_pass()
        self._history: Sound = np.zeros(2 * _HALF)

    def push(self, sound: Sound) -> Sound:
        from scipy.signal import upfirdn

        whole = np.concatenate((self._history, sound))
        self._history = whole[len(sound) :]
        filtered: Sound = upfirdn(self._taps, whole, 1, _STEP)
        return filtered[2 * _HALF // _STEP :][: len(sound) // _STEP]


class _Up:
    """8 kHz to 24 kHz, 1.5 ms late."""

    def __init__(self) -> None:
        self._taps = _low_pass() * _STEP
        self._history: Sound = np.zeros(2 * _HALF // _STEP)

    def push(self, sound: Sound) -> Sound:
        from scipy.signal import upfirdn

        whole = np.concatenate((self._history, sound))
        self._history = whole[len(sound) :]
        filtered: Sound = upfirdn(self._taps, whole, _STEP, 1)
        return filtered[2 * _HALF :][: len(sound) * _STEP]


def _int16(sound: Sound) -> Samples:
    samples: Samples = np.clip(np.rint(sound), -32768, 32767).astype(np.int16)
    return samples
