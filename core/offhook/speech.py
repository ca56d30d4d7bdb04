"""What a speech engine is to the rest of offhook: four small protocols and the value types they exchange.

Engines come from plugins (hooks ``offhook_voices``, ``offhook_listeners``, ``offhook_vads``,
``offhook_embedders``). All calls are synchronous and pure: equal input, equal output, byte for byte, on one
CPU type and one set of wheels.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import Clip, Samples

__all__ = [
    "EngineInfo",
    "Heard",
    "Listener",
    "ListenerHint",
    "SentenceEmbedder",
    "SpeechStyle",
    "SpeechUnavailable",
    "Voice",
    "VoiceActivity",
    "VoiceActivityDetector",
    "VoiceSlot",
    "Word",
]


class SpeechUnavailable(Exception):
    """An engine's package or weights are missing or damaged; the message says what to install or delete."""


@attrs.frozen
class EngineInfo:
    """What a record keeps of an engine, so a result can be traced to the exact weights."""

    name: str
    engine: str
    version: str
    licence: str
    weights_sha256: str


@attrs.frozen
class SpeechStyle:
    """How a line is said. ``tempo`` 1.0 is the slot's own pace, 0.8 is slower; ``pitch`` is in semitones."""

    tempo: float = 1.0
    pitch: float = 0.0


@runtime_checkable
class Voice(Protocol):
    """Text to speech for one named slot."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """What the slot is, e.g. ``"US female, hibari heart, pitch -2"``."""
        ...

    @property
    def info(self) -> EngineInfo: ...

    def speak(self, text: str, style: SpeechStyle) -> Clip:
        """The spoken text at the line's rate, without leading or trailing silence beyond 50 ms.

        Raises:
            SpeechUnavailable: the engine or its weights are missing or damaged.
        """
        ...


@runtime_checkable
class VoiceSlot(Protocol):
    """What a voice may say besides: the accent and the gender that it stands for in the rotation of callers'
    voices, such as ``"mature"`` and ``"female"``. Its ``description`` says how near it comes.
    """

    @property
    def accent(self) -> str: ...

    @property
    def gender(self) -> str: ...


@attrs.frozen
class Word:
    text: str
    start: float
    end: float


@attrs.frozen
class Heard:
    """What a recogniser made of a clip. ``seconds`` is the audio's length, ``words`` may be empty where not
    asked for.
    """

    text: str
    words: tuple[Word, ...] = ()
    confidence: float = 0.0


@attrs.frozen
class ListenerHint:
    """How to listen. ``beam`` 1 is fast, 5 careful; ``prompt`` holds dummy values only, never one of the
    call's.
    """

    beam: int = 1
    prompt: str = ""
    word_times: bool = False


@runtime_checkable
class Listener(Protocol):
    """Speech to text."""

    @property
    def name(self) -> str: ...

    @property
    def info(self) -> EngineInfo: ...

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        """Transcribes one utterance of any rate.

        Raises:
            SpeechUnavailable: the engine or its weights are missing or damaged.
        """
        ...


class VoiceActivity(Protocol):
    """Streaming voice activity on one channel."""

    def push(self, frame: Samples) -> float:
        """Takes one 20 ms frame at the line's rate and returns the current speech probability in 0..1."""
        ...


@runtime_checkable
class VoiceActivityDetector(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def info(self) -> EngineInfo: ...

    def open(self) -> VoiceActivity:
        """A fresh detector with its own state."""
        ...


@runtime_checkable
class SentenceEmbedder(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def info(self) -> EngineInfo: ...

    def embed(self, sentences: tuple[str, ...]) -> NDArray[np.float32]:
        """Unit vectors, shape ``(len(sentences), d)``; cosine is the dot product."""
        ...
