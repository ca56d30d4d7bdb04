"""Fake speech as a plugin."""

from __future__ import annotations

from collections.abc import Sequence

from offhook.hooks import hookimpl
from offhook.speech import Listener, SentenceEmbedder, Voice, VoiceActivityDetector
from offhook.testing._engines import EnergyVad, HashEmbedder
from offhook.testing._modem import FakeListener, FakeVoice

__all__ = ["FakeSpeech"]


class FakeSpeech:
    """A plugin whose engines need no weights and are never wrong, under the names of the embedded ones: calls
    over sound that tests and benchmarks can afford. Register it on a host, or add hooks in a subclass.
    """

    @hookimpl
    def offhook_voices(self) -> Sequence[Voice]:
        return [FakeVoice("us-female-heart")]

    @hookimpl
    def offhook_listeners(self) -> Sequence[Listener]:
        return [FakeListener("whisper-tiny"), FakeListener("whisper-base")]

    @hookimpl
    def offhook_vads(self) -> Sequence[VoiceActivityDetector]:
        return [EnergyVad(name="silero")]

    @hookimpl
    def offhook_embedders(self) -> Sequence[SentenceEmbedder]:
        return [HashEmbedder(name="minilm")]
