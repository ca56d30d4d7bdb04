"""The degraded line as a whole, frame by frame as a call pushes it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from typing import Any

import attrs
import numpy as np
import pytest
from scipy.signal import correlate, welch

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Clip, Samples, frames_of, rms_dbfs
from offhook.levels import active_dbfs
from offhook.line import AudioProfile, LineSetting
from offhook.testing import noise, speechlike
from offhook_caller.profiles.codecs import ULAW_SILENCE
from offhook_caller.profiles.degraded import (
    DegradedLine,
    DegradedParameters,
    DegradedProfile,
    MicrophoneParameters,
)
from offhook_caller.profiles.network import Fate, JitterParameters, LossParameters

QUIET = MicrophoneParameters(hiss_dbfs=-200.0, crackles_per_second=0.0)
FAULTLESS = DegradedParameters(
    microphone=QUIET,
    amr_bit_rate=12200,
    amr_bit_errors=0.0,
    ulaw_bit_errors=0.0,
    loss=LossParameters(to_bad=0.0, to_good=1.0, lost_when_good=0.0),
    jitter=JitterParameters(stalls=0.0),
)


def line_of(
    parameters: DegradedParameters | None = None, *, seed: int = 1, gain: float = 1.0
) -> DegradedLine:
    return DegradedLine(np.random.default_rng(seed), parameters or DegradedParameters(), gain)


def sent_over(line: DegradedLine, clip: Clip) -> Samples:
    return np.concatenate([line.push(frame) for frame in frames_of(clip)])


def band_db(samples: Samples, low: float, high: float) -> float:
    """The share of the power between two frequencies, in dB."""
    hertz, power = welch(samples.astype(float), LINE_RATE, nperseg=4096)
    inside = (hertz >= low) & (hertz < high)
    return float(10 * np.log10(power[inside].sum() / power.sum() + 1e-12))


def test_it_is_an_audio_profile() -> None:
    profile = DegradedProfile()
    assert isinstance(profile, AudioProfile)
    assert attrs.asdict(profile.parameters)["loss"]["to_good"] == LossParameters().to_good


def test_frames_are_whole_and_of_the_lines_type() -> None:
    line = line_of()
    for frame in frames_of(speechlike(1.0)):
        out = line.push(frame)
        assert out.shape == (FRAME_SAMPLES,)
        assert out.dtype == np.int16


def test_the_caller_hears_only_what_a_phone_line_carries() -> None:
    heard = sent_over(line_of(), noise(10.0, dbfs=-20.0))
    inside = band_db(heard, 300, 3400)
    assert inside > -0.5
    assert band_db(heard, 3600, 4000) < inside - 35
    assert band_db(heard, 4000, 12000) < inside - 35
    assert band_db(heard, 0, 200) < inside - 25


def test_silence_is_hiss_and_without_a_microphone_it_is_silence() -> None:
    silent = Clip(np.zeros(LINE_RATE * 4, dtype=np.int16))
    hiss = sent_over(line_of(), silent)
    assert -60 < rms_dbfs(hiss[LINE_RATE:]) < -40
    blocks = hiss[LINE_RATE:].reshape(-1, LINE_RATE // 5)
    assert min(rms_dbfs(block) for block in blocks) > -75  # a gap is shorter than that
    assert rms_dbfs(sent_over(line_of(FAULTLESS), silent)) < -75


def test_the_jitter_buffer_begins_with_mu_law_silence() -> None:
    line = line_of()
    assert [set(packet or b"") for packet in line._waiting] == [{ULAW_SILENCE}] * 3
    opening = np.concatenate([line.push(frame) for frame in frames_of(noise(0.06, dbfs=-10.0))])
    assert not opening.any()


@pytest.mark.speech
def test_the_delay_is_constant_and_about_seventy_milliseconds(spoken: Clip) -> None:
    """Three packets in the jitter buffer, 5 ms of AMR-NB, 3 ms of resampling, and what the filters take."""
    twice = Clip(np.concatenate([spoken.samples, np.zeros(LINE_RATE, np.int16), spoken.samples]))
    for parameters in (FAULTLESS, DegradedParameters()):
        heard = sent_over(line_of(parameters), twice).astype(float)
        lags = []
        span = 4 * LINE_RATE
        for start in range(0, len(twice.samples) - span - 4800, span // 2):
            said = twice.samples[start : start + span].astype(float)
            found = correlate(heard[start : start + span + 4800], said, "valid", method="fft")
            lags.append(int(np.argmax(found)) / LINE_RATE * 1000)
        assert len(lags) > 4
        assert max(lags) - min(lags) < 2.5
        assert 66 < np.median(lags) < 72


@pytest.mark.speech
def test_speech_is_set_to_the_level_and_keeps_most_of_it(spoken: Clip) -> None:
    """The band takes what lies under 300 Hz, which is much of a voice's power; the rest arrives."""
    level = active_dbfs(spoken.samples, LINE_RATE)
    for quieter in (1.0, 0.25):
        clip = Clip(np.rint(spoken.samples * quieter).astype(np.int16))
        setting = LineSetting(speech_dbfs=level + 20 * np.log10(quieter))
        line = DegradedProfile(parameters=FAULTLESS).open(np.random.default_rng(1), setting)
        heard = np.concatenate([line.push(frame) for frame in frames_of(clip)])
        assert -26 < active_dbfs(heard, LINE_RATE) < -20


def test_packets_meet_the_fate_that_the_parameters_give() -> None:
    line = line_of(seed=3)
    silent = np.zeros(FRAME_SAMPLES, dtype=np.int16)
    for _ in range(6000):
        line.push(silent)
    assert line.amr.frames == sum(line.fates.values()) == 6000
    assert line.fates[Fate.LOST] / 6000 == pytest.approx(LossParameters().rate, rel=0.35)
    assert 0.004 < line.fates[Fate.LATE] / 6000 < 0.016
    assert 0 < line.amr.withheld < line.amr.hit
    assert line.ulaw.hit > 20


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (Fate.LOST, {"loss": LossParameters(to_bad=0.0, to_good=1.0, lost_when_good=0.1)}),
        (Fate.LATE, {"jitter": JitterParameters(stalls=0.03, stall_ms=(100.0, 100.0))}),
    ],
)
def test_a_packet_that_is_not_there_in_time_is_concealed_and_the_sound_goes_on(
    kind: Fate, changes: dict[str, Any]
) -> None:
    clip = speechlike(6.0)
    whole = sent_over(line_of(FAULTLESS), clip)
    patchy_line = line_of(attrs.evolve(FAULTLESS, **changes))
    patchy = sent_over(patchy_line, clip)
    gone = patchy_line.fates[kind]
    assert gone > 8
    assert gone + patchy_line.fates[Fate.IN_TIME] == 300
    differing = np.abs(whole.astype(int) - patchy).reshape(-1, FRAME_SAMPLES).max(axis=1) > 50
    assert gone * 0.5 <= differing.sum() <= gone * 3  # a gap, the packet after it, and the filter's tail
    assert rms_dbfs(patchy) == pytest.approx(rms_dbfs(whole), abs=1.5)


def test_the_codec_is_given_no_more_than_the_telephone_band(monkeypatch: pytest.MonkeyPatch) -> None:
    line = line_of()
    given: list[Samples] = []
    push = line.amr.push

    def watched(packet: Samples) -> Samples:
        given.append(packet)
        return push(packet)

    monkeypatch.setattr(line.amr, "push", watched)
    sent_over(line, noise(6.0, dbfs=-20.0))
    hertz, power = welch(np.concatenate(given).astype(float), 8000, nperseg=2048)
    inside = power[(hertz >= 300) & (hertz <= 3400)].mean()
    assert 10 * np.log10(power[hertz > 3600].mean() / inside) < -35
    assert 10 * np.log10(power[hertz < 200].mean() / inside) < -30


def test_one_more_error_rate_changes_no_other_draw() -> None:
    """Each part has a stream of its own: the same packets are lost with any codec."""
    lines = [line_of(), line_of(attrs.evolve(DegradedParameters(), amr_bit_errors=1e-2))]
    for line in lines:
        sent_over(line, speechlike(12.0))  # draws are made in blocks: past the first ones
    assert lines[0].fates == lines[1].fates
    assert lines[0].ulaw.hit == lines[1].ulaw.hit
    assert lines[0].amr.hit < lines[1].amr.hit


def test_equal_seeds_give_equal_calls_and_others_do_not() -> None:
    clip = speechlike(3.0)
    one, same, other = (sent_over(line_of(seed=seed), clip) for seed in (1, 1, 2))
    assert one.tobytes() == same.tobytes()
    assert one.tobytes() != other.tobytes()


def test_two_calls_at_once_do_not_disturb_each_other() -> None:
    frames = list(frames_of(speechlike(2.0)))
    alone = line_of(seed=5)
    expected = [alone.push(frame).tobytes() for frame in frames]
    first, second = line_of(seed=5), line_of(seed=6)
    pairs = [(first.push(frame).tobytes(), second.push(frame)) for frame in frames]
    assert [one for one, _ in pairs] == expected


_IN_A_PROCESS = """
import hashlib, sys
import numpy as np
from offhook.audio import frames_of
from offhook.host import PluginHost
from offhook.line import LineSetting
from offhook.testing import speechlike
profile = PluginHost.discover().audio_profiles()[sys.argv[1]]
line = profile.open(np.random.default_rng(11), LineSetting(noise_gain=0.8, speech_dbfs=-23.0))
sent = b"".join(line.push(frame).tobytes() for frame in frames_of(speechlike(3.0)))
print(hashlib.sha256(sent).hexdigest())
"""


@pytest.mark.parametrize("name", ["degraded", "noise"])
def test_another_process_gets_the_same_bytes(name: str) -> None:
    from offhook.host import PluginHost

    profile = PluginHost.discover().audio_profiles()[name]
    line = profile.open(np.random.default_rng(11), LineSetting(noise_gain=0.8, speech_dbfs=-23.0))
    here = hashlib.sha256(b"".join(line.push(frame).tobytes() for frame in frames_of(speechlike(3.0))))
    found = subprocess.run(
        [sys.executable, "-c", _IN_A_PROCESS, name], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == here.hexdigest()


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="amr_bit_rate"):
        DegradedParameters(amr_bit_rate=6000)
