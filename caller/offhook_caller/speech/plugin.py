"""The embedded speech stack as a plugin. Its hooks build light objects: models load when they are first used.

Objects of one hook call share their engines, so a process keeps what the hooks returned instead of calling
them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.speech import Listener, SentenceEmbedder, Voice, VoiceActivityDetector

__all__ = ["offhook_embedders", "offhook_listeners", "offhook_vads", "offhook_voices"]


@hookimpl
def offhook_voices() -> Sequence[Voice]:
    """Eight named voices, four female and four male, that keep what they said in the cache."""
    from offhook.caches import cache_root
    from offhook_caller.speech.cache import CachedVoice
    from offhook_caller.speech.results import ResultStore
    from offhook_caller.speech.slots import embedded_voices

    results = ResultStore.from_environment()
    return tuple(CachedVoice(voice, results, voice.recipe) for voice in embedded_voices(cache_root()))


@hookimpl
def offhook_listeners() -> Sequence[Listener]:
    """``whisper-tiny`` and ``whisper-base``, which keep what they heard in the cache."""
    from offhook.caches import cache_root
    from offhook_caller.speech.cache import CachedListener
    from offhook_caller.speech.results import ResultStore
    from offhook_caller.speech.whisper import embedded_listeners

    results = ResultStore.from_environment()
    return tuple(CachedListener(listener, results) for listener in embedded_listeners(cache_root()))


@hookimpl
def offhook_vads() -> Sequence[VoiceActivityDetector]:
    """Silero voice activity."""
    from offhook.caches import cache_root
    from offhook_caller.speech.silero import embedded_vads

    return embedded_vads(cache_root())


@hookimpl
def offhook_embedders() -> Sequence[SentenceEmbedder]:
    """MiniLM sentence vectors."""
    from offhook.caches import cache_root
    from offhook_caller.speech.minilm import embedded_embedders

    return embedded_embedders(cache_root())
