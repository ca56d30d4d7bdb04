"""Remembering voices and listeners: the same bytes, and never a stale or mixed-up answer."""

from __future__ import annotations

from pathlib import Path

import attrs
import numpy as np
import pytest

from offhook.audio import Clip
from offhook.speech import EngineInfo, Heard, Listener, ListenerHint, SpeechStyle, Voice, Word
from offhook_caller.speech.cache import CachedListener, CachedVoice, engine_room
from offhook_caller.speech.results import ResultStore
from offhook_caller.speech.slots import SlotVoice
from offhook_caller.speech.whisper import WhisperListener

PLAIN = SpeechStyle()


@attrs.define
class CountingVoice:
    """Speaks tones whose pitch depends on the text, and counts."""

    name: str = "counting"
    weights: str = "w1"
    spoken: int = 0
    description: str = "tones"

    @property
    def info(self) -> EngineInfo:
        return EngineInfo(self.name, "tones", "1", "none", self.weights)

    def speak(self, text: str, style: SpeechStyle) -> Clip:
        self.spoken += 1
        time = np.arange(2400) / 24_000
        return Clip((8000 * np.sin(2000 * len(text) * style.tempo * time)).astype(np.int16))


@attrs.define
class CountingListener:
    name: str = "counting"
    heard: int = 0

    @property
    def info(self) -> EngineInfo:
        return EngineInfo(self.name, "count", "1", "none", "w1")

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        self.heard += 1
        words = (Word("naïve", 0.1, 1 / 3),) if hint.word_times else ()
        return Heard(f"naïve {len(clip.samples)}", words, 1 / 7)


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    return ResultStore(tmp_path / "results", 1 << 24)


def test_a_line_is_said_once(store: ResultStore) -> None:
    inner = CountingVoice()
    voice = CachedVoice(inner, store, "plain")
    assert isinstance(voice, Voice)
    first, second = voice.speak("Hello.", PLAIN), voice.speak("Hello.", PLAIN)
    assert inner.spoken == 1
    assert first.sha256 == second.sha256
    assert second.samples.dtype == np.int16
    assert CachedVoice(inner, store, "plain").speak("Hello.", PLAIN).sha256 == first.sha256
    assert inner.spoken == 1


@pytest.mark.parametrize(
    ("inner", "recipe", "text", "style"),
    [
        (CountingVoice(), "plain", "Hello!", PLAIN),
        (CountingVoice(), "plain", "Hello.", SpeechStyle(tempo=0.9)),
        (CountingVoice(), "plain", "Hello.", SpeechStyle(pitch=1.0)),
        (CountingVoice(), "other", "Hello.", PLAIN),
        (CountingVoice(name="another"), "plain", "Hello.", PLAIN),
        (CountingVoice(weights="w2"), "plain", "Hello.", PLAIN),
    ],
    ids=["text", "tempo", "pitch", "recipe", "name", "weights"],
)
def test_whatever_differs_is_said_anew(
    store: ResultStore, inner: CountingVoice, recipe: str, text: str, style: SpeechStyle
) -> None:
    CachedVoice(CountingVoice(), store, "plain").speak("Hello.", PLAIN)
    inner = attrs.evolve(inner)
    CachedVoice(inner, store, recipe).speak(text, style)
    assert inner.spoken == 1


def test_a_clip_is_heard_once_in_each_way(store: ResultStore) -> None:
    inner = CountingListener()
    ears = CachedListener(inner, store)
    assert isinstance(ears, Listener)
    clip = Clip(np.arange(100, dtype=np.int16))
    ways = [ListenerHint(), ListenerHint(beam=5), ListenerHint(prompt="x"), ListenerHint(word_times=True)]
    first = [ears.hear(clip, way) for way in ways]
    assert inner.heard == 4
    assert [ears.hear(clip, way) for way in ways] == first
    assert inner.heard == 4
    ears.hear(Clip(clip.samples, 8000), ways[0])
    assert inner.heard == 5
    assert first == [inner.hear(clip, way) for way in ways]


def test_a_torn_entry_is_said_anew(store: ResultStore) -> None:
    inner = CountingVoice()
    first = CachedVoice(inner, store, "plain").speak("Hello.", PLAIN)
    (path,) = store.folder.glob("??/*")
    path.write_bytes(path.read_bytes()[:-2])
    assert CachedVoice(inner, store, "plain").speak("Hello.", PLAIN).sha256 == first.sha256
    assert inner.spoken == 2


def test_the_engine_room_is_one_and_the_same() -> None:
    assert engine_room() == engine_room()
    assert len(engine_room()) == 64


@pytest.mark.speech
@pytest.mark.parametrize("name", ["us-female-heart-high", "us-male-joe"])
def test_real_speech_comes_back_as_it_was_made(
    store: ResultStore, voices: dict[str, SlotVoice], listeners: dict[str, WhisperListener], name: str
) -> None:
    voice, ears = voices[name], listeners["whisper-tiny"]
    fresh = voice.speak("Where is my parcel?", PLAIN)
    heard = ears.hear(fresh, ListenerHint(word_times=True))
    for _ in ("stored", "read back"):
        clip = CachedVoice(voice, store, voice.recipe).speak("Where is my parcel?", PLAIN)
        assert clip.samples.tobytes() == fresh.samples.tobytes()
        assert clip.rate == fresh.rate
        assert CachedListener(ears, store).hear(clip, ListenerHint(word_times=True)) == heard
