"""Voices and listeners that remember: what they said and heard comes back byte for byte from a store."""

from __future__ import annotations

import hashlib
import json
import platform
import struct
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np

from offhook.audio import Clip
from offhook.speech import EngineInfo, Heard, Listener, ListenerHint, SpeechStyle, Voice, VoiceSlot, Word
from offhook_caller.speech.results import ResultStore
from offhook_caller.speech.weights import distribution_version

__all__ = ["CachedListener", "CachedVoice", "engine_room"]

_LIBRARIES: Final = ("ctranslate2", "numpy", "onnxruntime", "python-stretch", "soxr", "tokenizers")
_RATE_FORMAT: Final = "<I"


def engine_room() -> str:
    """A hash of all that shapes a result besides engine, weights and parameters.

    That is this package's own source, the versions of the libraries that do the arithmetic, and the machine
    type: after any change the store's old entries are simply no longer found.
    """
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    for library in _LIBRARIES:
        digest.update(f"{library} {distribution_version(library)}\n".encode())
    digest.update(f"{platform.machine()} {platform.system()}".encode())
    return digest.hexdigest()


def _key(room: str, kind: str, info: EngineInfo, parameters: dict[str, Any]) -> str:
    described = json.dumps([room, kind, attrs.asdict(info), parameters], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(described.encode()).hexdigest()


@attrs.define(eq=False)
class CachedVoice:
    """A :class:`offhook.speech.Voice` that says nothing twice. ``recipe`` names the voice's own settings."""

    voice: Voice
    results: ResultStore
    recipe: str
    _room: str = attrs.field(default="", init=False)

    @property
    def name(self) -> str:
        return self.voice.name

    @property
    def description(self) -> str:
        return self.voice.description

    @property
    def accent(self) -> str:
        return self.voice.accent if isinstance(self.voice, VoiceSlot) else ""

    @property
    def gender(self) -> str:
        return self.voice.gender if isinstance(self.voice, VoiceSlot) else ""

    @property
    def info(self) -> EngineInfo:
        return self.voice.info

    def speak(self, text: str, style: SpeechStyle) -> Clip:
        """See :class:`offhook.speech.Voice`."""
        self._room = self._room or engine_room()
        parameters = {"recipe": self.recipe, "text": text, "tempo": style.tempo, "pitch": style.pitch}
        key = _key(self._room, "voice", self.info, parameters)
        stored = self.results.get(key)
        if stored is not None:
            return _unpacked_clip(stored)
        clip = self.voice.speak(text, style)
        self.results.put(key, _packed_clip(clip))
        return clip


@attrs.define(eq=False)
class CachedListener:
    """A :class:`offhook.speech.Listener` that hears nothing twice in the same way."""

    listener: Listener
    results: ResultStore
    _room: str = attrs.field(default="", init=False)

    @property
    def name(self) -> str:
        return self.listener.name

    @property
    def info(self) -> EngineInfo:
        return self.listener.info

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        """See :class:`offhook.speech.Listener`."""
        self._room = self._room or engine_room()
        key = _key(self._room, "listener", self.info, {"clip": clip.sha256, **attrs.asdict(hint)})
        stored = self.results.get(key)
        if stored is not None:
            return _unpacked_heard(stored)
        heard = self.listener.hear(clip, hint)
        self.results.put(key, _packed_heard(heard))
        return heard


def _packed_clip(clip: Clip) -> bytes:
    return struct.pack(_RATE_FORMAT, clip.rate) + clip.samples.astype("<i2").tobytes()


def _unpacked_clip(stored: bytes) -> Clip:
    size = struct.calcsize(_RATE_FORMAT)
    (rate,) = struct.unpack(_RATE_FORMAT, stored[:size])
    return Clip(np.frombuffer(stored[size:], "<i2").astype(np.int16), rate)


def _packed_heard(heard: Heard) -> bytes:
    words = [[word.text, word.start, word.end] for word in heard.words]
    return json.dumps({"text": heard.text, "words": words, "confidence": heard.confidence}).encode()


def _unpacked_heard(stored: bytes) -> Heard:
    fields = json.loads(stored)
    words = tuple(Word(text, start, end) for text, start, end in fields["words"])
    return Heard(fields["text"], words, fields["confidence"])
