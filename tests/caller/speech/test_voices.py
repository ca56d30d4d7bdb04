"""The eight voice slots: distinct, repeatable, tidy at the edges, and as high as their names say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE, Clip, Samples, rms_dbfs
from offhook.host import PluginHost
from offhook.runner import default_slots
from offhook.runner.plan import assign_voices, plan_calls
from offhook.speech import SpeechStyle, Voice, VoiceSlot
from offhook.testing_pack import bicycle_pack
from offhook_caller.speech.slots import SlotVoice

pytestmark = pytest.mark.speech

NAMES = (
    "us-female-heart",
    "us-female-heart-high",
    "us-female-heart-low",
    "us-female-heart-lower-slow",
    "us-male-joe",
    "us-male-joe-high",
    "us-male-joe-low",
    "us-male-joe-lower-slow",
)
LINE = "I would like to know whether my order has left the warehouse."
PLAIN = SpeechStyle()


def _fundamental(clip: Clip) -> float:
    """Median pitch in Hz over voiced 40 ms windows, by autocorrelation."""
    window, pitches = round(0.04 * clip.rate), []
    for start in range(0, len(clip.samples) - window, window):
        part = clip.samples[start : start + window].astype(np.float64)
        if rms_dbfs(clip.samples[start : start + window]) < -30:
            continue
        correlation = np.correlate(part, part, "full")[window - 1 :]
        low, high = clip.rate // 350, clip.rate // 60
        lag = low + int(np.argmax(correlation[low:high]))
        if correlation[lag] > 0.5 * correlation[0]:
            pitches.append(clip.rate / lag)
    return float(np.median(pitches))


def _loudest_5_ms(samples: Samples) -> float:
    window = LINE_RATE // 200
    return max(rms_dbfs(samples[at : at + window]) for at in range(0, len(samples), window))


def _semitones(clip: Clip, than: Clip) -> float:
    return float(12 * np.log2(_fundamental(clip) / _fundamental(than)))


def test_there_are_eight_slots_named_by_what_they_are(voices: dict[str, SlotVoice]) -> None:
    assert tuple(voices) == NAMES
    assert all(isinstance(voice, Voice) for voice in voices.values())
    assert len({voice.description for voice in voices.values()}) == 8
    assert all(voice.info.name == name for name, voice in voices.items())


def test_the_slots_are_the_rotation_of_accent_and_gender(voices: dict[str, SlotVoice]) -> None:
    assert Counter((voice.accent, voice.gender) for voice in voices.values()) == {
        ("American", "female"): 2,
        ("mature", "female"): 1,
        ("Southern", "female"): 1,
        ("American", "male"): 2,
        ("mature", "male"): 1,
        ("Southern", "male"): 1,
    }
    assert all(f"US {voice.gender}," in voice.description for voice in voices.values())
    southern = [voice.description for voice in voices.values() if voice.accent == "Southern"]
    assert all("its accent stays General American" in text for text in southern)


def test_tasks_take_turns_in_the_slots_and_variants_inherit() -> None:
    host = PluginHost.discover(block=["customer-support"])
    provided = host.voices().values()
    assert all(isinstance(voice, VoiceSlot) and voice.accent for voice in provided)
    pack = bicycle_pack()
    tasks = tuple(attrs.evolve(pack.tasks[0], id=f"B-E{number}") for number in range(9, 0, -1))
    pack = attrs.evolve(pack, tasks=tasks)
    assigned = assign_voices([pack], default_slots(host))
    assert [assigned[pack.name, f"B-E{number}"] for number in range(1, 10)] == [*NAMES, NAMES[0]]
    calls = plan_calls(
        tasks, platform="p", runs=2, seed=1, voices=assigned, audio=("clean", "noise", "degraded")
    )
    assert {(call.key.task, call.voice) for call in calls} == {
        (task.id, assigned[task.key]) for task in tasks
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_slot_speaks_tidily(voices: dict[str, SlotVoice], name: str) -> None:
    clip = voices[name].speak(LINE, PLAIN)
    assert clip.rate == LINE_RATE
    assert 2.5 < clip.seconds < 6
    edge = round(0.05 * LINE_RATE)
    assert _loudest_5_ms(clip.samples[:edge]) > -60
    assert _loudest_5_ms(clip.samples[-edge:]) > -60
    assert -27 < rms_dbfs(clip.samples) < -21
    assert np.abs(clip.samples).max() < 32767


def test_slots_sound_different(voices: dict[str, SlotVoice]) -> None:
    assert len({voice.speak(LINE, PLAIN).sha256 for voice in voices.values()}) == 8


@pytest.mark.parametrize(("plain", "family"), [("us-female-heart", NAMES[1:4]), ("us-male-joe", NAMES[5:8])])
def test_pitch_is_what_the_slot_says(
    voices: dict[str, SlotVoice], plain: str, family: tuple[str, ...]
) -> None:
    reference = voices[plain].speak(LINE, PLAIN)
    for name in family:
        voice = voices[name]
        at_own_pace = voice.speak(LINE, SpeechStyle(tempo=1 / voice.tempo))
        assert _semitones(at_own_pace, reference) == pytest.approx(voice.pitch, abs=0.7), name


@pytest.mark.parametrize("name", ["us-female-heart-lower-slow", "us-male-joe-lower-slow"])
def test_style_composes_with_the_slot(voices: dict[str, SlotVoice], name: str) -> None:
    own = voices[name].speak(LINE, PLAIN)
    slower = voices[name].speak(LINE, SpeechStyle(tempo=0.8))
    assert slower.seconds / own.seconds == pytest.approx(1 / 0.8, rel=0.12)
    higher = voices[name].speak(LINE, SpeechStyle(pitch=2.0))
    assert _semitones(higher, own) == pytest.approx(2.0, abs=0.5)


@pytest.mark.parametrize("name", ["us-female-heart-low", "us-male-joe-low"])
def test_a_fresh_process_says_the_same_bytes(
    voices: dict[str, SlotVoice], in_fresh_process: Callable[[str], str], name: str
) -> None:
    here = voices[name].speak("Something else first.", PLAIN), voices[name].speak(LINE, PLAIN)
    code = (
        "from offhook.caches import cache_root\n"
        "from offhook.speech import SpeechStyle\n"
        "from offhook_caller.speech.slots import embedded_voices\n"
        f"(voice,) = [v for v in embedded_voices(cache_root()) if v.name == {name!r}]\n"
        f"print(voice.speak({LINE!r}, SpeechStyle()).sha256)\n"
    )
    assert in_fresh_process(code) == here[1].sha256


def test_sentences_are_joined_with_a_pause(voices: dict[str, SlotVoice]) -> None:
    voice = voices["us-female-heart"]
    first, second = voice.speak("That is right.", PLAIN), voice.speak("Thank you.", PLAIN)
    both = voice.speak("That is right. Thank you.", PLAIN)
    assert both.seconds == pytest.approx(first.seconds + second.seconds + 0.28, abs=0.01)


def test_text_without_words_is_no_sound(voices: dict[str, SlotVoice]) -> None:
    assert len(voices["us-female-heart"].speak(" ... ", PLAIN).samples) == 0


def test_a_style_out_of_range_is_refused(voices: dict[str, SlotVoice]) -> None:
    with pytest.raises(ValueError, match="tempo"):
        voices["us-female-heart"].speak(LINE, SpeechStyle(tempo=0.1))
