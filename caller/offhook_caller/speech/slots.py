"""The named voices. Each is a synthesiser with a tempo and a pitch of its own, named by what it is."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

import attrs
import numpy as np
import soxr

from offhook.audio import LINE_RATE, Clip
from offhook.speech import EngineInfo, SpeechStyle
from offhook_caller.speech.hibari import HibariEngine
from offhook_caller.speech.piper import PiperEngine
from offhook_caller.speech.sentences import pieces_of
from offhook_caller.speech.variation import Waveform, as_samples, check_range, levelled, trimmed, varied

__all__ = ["SentenceEngine", "SlotVoice", "embedded_voices"]


class SentenceEngine(Protocol):
    """What a synthesiser must do: one sentence in, one waveform at ``rate`` out."""

    @property
    def rate(self) -> int: ...

    @property
    def info(self) -> EngineInfo: ...

    def say(self, sentence: str, tempo: float) -> Waveform: ...


@attrs.frozen(eq=False)
class SlotVoice:
    """A voice of its own made from an engine: ``tempo`` times as fast, ``pitch`` semitones higher. ``accent``
    and ``gender`` are what it stands for among the callers.
    """

    name: str
    description: str
    engine: SentenceEngine
    tempo: float = 1.0
    pitch: float = 0.0
    accent: str = ""
    gender: str = ""

    @property
    def info(self) -> EngineInfo:
        return attrs.evolve(self.engine.info, name=self.name)

    @property
    def recipe(self) -> str:
        """The settings that make this voice out of its engine, in one string."""
        return f"tempo {self.tempo!r}, pitch {self.pitch!r}"

    def speak(self, text: str, style: SpeechStyle) -> Clip:
        """See :class:`offhook.speech.Voice`. A text without a letter or digit gives an empty clip.

        Raises:
            ValueError: tempo and pitch of slot and style together are out of range.
            SpeechUnavailable: the engine or its weights are missing or damaged.
        """
        tempo, pitch = self.tempo * style.tempo, self.pitch + style.pitch
        check_range(tempo, pitch)
        rate = self.engine.rate
        parts: list[Waveform] = []
        for piece in pieces_of(text):
            spoken = self.engine.say(piece.text, tempo)
            parts.append(trimmed(varied(spoken, rate, 1.0, pitch), rate))
            parts.append(np.zeros(round(piece.pause / tempo * rate), np.float32))
        if not parts:
            return Clip(np.zeros(0, np.int16))
        wave = levelled(np.concatenate(parts), rate)
        if rate != LINE_RATE:
            wave = np.asarray(soxr.resample(wave, rate, LINE_RATE), np.float32)
        return Clip(as_samples(wave))


# The eight slots of the published rotation: American, mature and Southern, women and men, American twice.
# Both engines have one American speaker each; what makes the others is tempo and pitch, and no more.
_NEARNESS: Final = {
    "American": "the speaker's own accent",
    "mature": "an older caller as far as a lower pitch goes",
    "Southern": "a Southern caller as far as a lower, slower voice goes: its accent stays General American",
}

# Name, tempo, pitch in semitones, accent. Joe speaks a little slower than by nature throughout: recognisers
# lose fewer digits then (of 80 short answers the small one heard 51 at his own pace and 57 at 0.87 of it).
_HIBARI_SLOTS: Final = (
    ("us-female-heart", 1.0, 0.0, "American"),
    ("us-female-heart-high", 0.95, 2.0, "American"),
    ("us-female-heart-low", 0.95, -2.0, "mature"),
    ("us-female-heart-lower-slow", 0.86, -3.0, "Southern"),
)
_JOE_SLOTS: Final = (
    ("us-male-joe", 0.92, 0.0, "American"),
    ("us-male-joe-high", 0.92, 2.0, "American"),
    ("us-male-joe-low", 0.92, -2.0, "mature"),
    ("us-male-joe-lower-slow", 0.84, -3.0, "Southern"),
)


def embedded_voices(cache: Path) -> tuple[SlotVoice, ...]:
    """All eight slots. Nothing is loaded before the first ``speak``; slots of one engine share it."""
    heart, joe = HibariEngine(cache), PiperEngine(cache)
    return tuple(
        SlotVoice(name, _described(speaker, tempo, pitch, accent), engine, tempo, pitch, accent, gender)
        for speaker, gender, engine, slots in (
            ("US female, hibari heart", "female", heart, _HIBARI_SLOTS),
            ("US male, piper joe", "male", joe, _JOE_SLOTS),
        )
        for name, tempo, pitch, accent in slots
    )


def _described(speaker: str, tempo: float, pitch: float, accent: str) -> str:
    return f"{speaker}, tempo {tempo:g}, pitch {pitch:+g}; {_NEARNESS[accent]}"
