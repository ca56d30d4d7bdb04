"""Road traffic: how loud it is against the speech, what it sounds like, and that it never stops."""

from __future__ import annotations

import attrs
import numpy as np
import pytest
from scipy.signal import welch

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Clip, Samples, frames_of, rms_dbfs
from offhook.host import PluginHost
from offhook.levels import active_dbfs
from offhook.line import AudioProfile, LineSetting
from offhook.testing import speechlike
from offhook_caller.profiles.noise import NoiseParameters, NoiseProfile
from offhook_caller.profiles.plugin import offhook_audio_profiles
from offhook_caller.profiles.traffic import TRAFFIC_RATE, TrafficParameters, traffic

SHORT = NoiseProfile(parameters=NoiseParameters(traffic=TrafficParameters(seconds=20.0)))
SILENT = np.zeros(FRAME_SAMPLES, dtype=np.int16)


def heard_on(
    profile: NoiseProfile, clip: Clip | None, setting: LineSetting, *, seconds: float = 20.0, seed: int = 1
) -> Samples:
    """What the platform is sent: the clip, then silence."""
    street = profile.open(np.random.default_rng(seed), setting)
    frames = [] if clip is None else list(frames_of(clip))
    frames += [SILENT] * (round(seconds * LINE_RATE / FRAME_SAMPLES) - len(frames))
    return np.concatenate([street.push(frame) for frame in frames])


def test_the_plugin_brings_both_profiles() -> None:
    profiles = offhook_audio_profiles()
    assert [profile.name for profile in profiles] == ["noise", "degraded"]
    assert all(isinstance(profile, AudioProfile) for profile in profiles)
    assert {"noise", "degraded"} <= set(PluginHost.discover().audio_profiles())


@pytest.mark.speech
@pytest.mark.parametrize("gain", [0.8, 0.1])
@pytest.mark.parametrize("quieter", [1.0, 0.3])
def test_noise_is_at_its_gain_against_speech_of_equal_level(
    spoken: Clip, gain: float, quieter: float
) -> None:
    """Speech and noise both come to -20 dBFS, however loud the voice is, and then the gain applies."""
    clip = Clip(np.rint(spoken.samples * quieter).astype(np.int16))
    setting = LineSetting(gain, active_dbfs(clip.samples, LINE_RATE))
    # the generator's draws are the same for both, so their difference is the speech as it was sent
    mixed = heard_on(SHORT, clip, setting).astype(float)
    road = heard_on(SHORT, None, setting).astype(float)
    speech = mixed - road
    assert active_dbfs(speech, LINE_RATE) == pytest.approx(-20.0, abs=0.1)
    assert active_dbfs(road, LINE_RATE) == pytest.approx(-20.0 + 20 * np.log10(gain), abs=0.1)
    ratio = 10 ** ((active_dbfs(road, LINE_RATE) - active_dbfs(speech, LINE_RATE)) / 20)
    assert ratio == pytest.approx(gain, rel=0.02)


@pytest.mark.speech
def test_the_level_of_a_voice_holds_for_what_else_it_says() -> None:
    """The runner measures a voice once; every voice keeps that level within 1 dB over the lines of a call."""
    from offhook.runner.conditions import VoiceLevels
    from offhook.speech import SpeechStyle

    levels = VoiceLevels()
    for voice in PluginHost.discover().voices().values():
        lines = (
            "My name is Selena Cortez.",
            "It's five four one, five five five, zero one seven one.",
            "Yes, please.",
        )
        said = np.concatenate([voice.speak(line, SpeechStyle(tempo=0.95)).samples for line in lines])
        assert active_dbfs(said, LINE_RATE) == pytest.approx(levels.active_dbfs(voice), abs=1.0)


def test_every_street_is_as_loud_as_the_gain_says() -> None:
    """Whatever the street happens to be; the level is measured on the stretch before it is heard."""
    for seed in range(12):
        road = heard_on(SHORT, None, LineSetting(0.8), seed=seed)
        assert active_dbfs(road, LINE_RATE) == pytest.approx(-21.94, abs=0.1)


def test_the_road_is_there_from_the_first_frame_on_and_never_stops() -> None:
    road = heard_on(SHORT, None, LineSetting(0.8), seconds=65.0)
    levels = [rms_dbfs(block) for block in road.reshape(-1, LINE_RATE // 2)]
    assert min(levels) > -40
    assert max(levels) - min(levels) > 6  # vehicles come and go
    assert rms_dbfs(road[:FRAME_SAMPLES]) > -45


def test_the_stretch_goes_on_into_itself_without_a_seam() -> None:
    road = traffic(np.random.default_rng(2), TrafficParameters(seconds=20.0))
    seam = abs(road[0] - road[-1])
    assert seam < 4 * np.std(np.diff(road))
    twice = heard_on(SHORT, None, LineSetting(0.8), seconds=40.0)
    half = len(twice) // 2
    assert np.array_equal(twice[:half], twice[half:])


def test_the_spectrum_is_that_of_road_traffic() -> None:
    """EN 1793-3 by thirds of an octave (A-weighted there), as a microphone that begins at 120 Hz has it."""
    thirds = np.array(
        [100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000]
    )
    table = np.array([-20, -20, -18, -16, -15, -14, -13, -12, -11, -9, -8, -9, -10, -11, -13, -15, -16, -18])
    weight = np.array(
        [-19.1, -16.1, -13.4, -10.9, -8.6, -6.6, -4.8, -3.2, -1.9, -0.8, 0, 0.6, 1, 1.2, 1.3, 1.2, 1, 0.5]
    )
    ratio = (thirds / 120.0) ** 2
    expected = 10 ** ((table - weight) / 10) * ratio**2 / (1 + ratio**2)
    found = np.zeros(len(thirds))
    for seed in range(2):
        hertz, power = welch(
            traffic(np.random.default_rng(seed), TrafficParameters()), TRAFFIC_RATE, nperseg=8192
        )
        edges = 2 ** (1 / 6)
        found += [power[(hertz >= third / edges) & (hertz < third * edges)].sum() for third in thirds]
    octaves = [10 * np.log10(bands.reshape(-1, 3).sum(axis=1) / bands.sum()) for bands in (found, expected)]
    assert np.abs(octaves[0] - octaves[1]).max() < 3.0


def test_a_passing_engine_falls_in_pitch() -> None:
    """One vehicle at 60 km/h, alone: 5 % higher as it comes, 5 % lower as it goes."""
    only = TrafficParameters(
        seconds=20.0,
        vehicles_per_minute=3.0,
        speed_kmh=(60.0, 60.0),
        distance_m=(6.0, 6.0),
        firing_hz=(200.0, 200.0),
        harmonics=1,
        engine_db=40.0,
        distant_db=-100.0,
        horns_per_minute=0.0,
    )
    for seed in range(50):
        rng = np.random.default_rng(seed)
        road = traffic(rng, only)
        loud = np.abs(road) > 0.3 * np.abs(road).max()
        nearest = int(np.median(np.flatnonzero(loud)))
        if 4 * TRAFFIC_RATE < nearest < 16 * TRAFFIC_RATE and np.ptp(np.flatnonzero(loud)) < 3 * TRAFFIC_RATE:
            break
    pitches = []
    for start in (nearest - 3 * TRAFFIC_RATE, nearest + 2 * TRAFFIC_RATE):
        piece = road[start : start + TRAFFIC_RATE] * np.hanning(TRAFFIC_RATE)
        pitches.append(float(np.argmax(np.abs(np.fft.rfft(piece)))))
    fast = 60 / 3.6 / 343
    assert pitches[0] == pytest.approx(200 / (1 - fast), abs=2)
    assert pitches[1] == pytest.approx(200 / (1 + fast), abs=2)


def test_there_are_vehicles_and_horns_as_many_as_asked_for() -> None:
    base = TrafficParameters(seconds=20.0, vehicles_per_minute=0.0, horns_per_minute=0.0)
    quiet = traffic(np.random.default_rng(3), base)
    # the distance alone is even; vehicles and horns stand out of it
    for more in (attrs.evolve(base, vehicles_per_minute=12.0), attrs.evolve(base, horns_per_minute=12.0)):
        levels = [
            np.sqrt(np.mean(np.square(road.reshape(-1, TRAFFIC_RATE // 10)), axis=1))
            for road in (quiet, traffic(np.random.default_rng(3), more))
        ]
        assert levels[1].max() / np.median(levels[1]) > 1.5 * levels[0].max() / np.median(levels[0])


def test_loud_speech_on_a_loud_road_is_cut_at_full_scale() -> None:
    shout = Clip(np.full(LINE_RATE, 32767, dtype=np.int16))
    heard = heard_on(SHORT, shout, LineSetting(0.8, speech_dbfs=-20.0), seconds=2.0)
    assert heard.max() == 32767
    assert heard[:LINE_RATE].min() > 0  # and does not wrap


def test_equal_seeds_give_equal_streets_and_others_do_not() -> None:
    one, same, other = (
        heard_on(SHORT, speechlike(2.0), LineSetting(0.8), seconds=4.0, seed=seed) for seed in (1, 1, 2)
    )
    assert one.tobytes() == same.tobytes()
    assert one.tobytes() != other.tobytes()


def test_frames_are_whole_and_nothing_is_late() -> None:
    """No filter, no buffer: a sample of speech leaves in the frame it came in."""
    street = SHORT.open(np.random.default_rng(1), LineSetting(0.0, speech_dbfs=-20.0))
    for frame in frames_of(speechlike(1.0)):
        out = street.push(frame)
        assert out.shape == (FRAME_SAMPLES,)
        assert out.dtype == np.int16
        assert np.array_equal(out, frame)
