"""Which speech engines a run uses, by name, out of what the plugins provide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

import attrs
import numpy as np

from offhook.audio import FRAME_SECONDS, LINE_RATE, Clip, silence
from offhook.host import PluginHost
from offhook.records import ComponentInfo
from offhook.runner.plan import UnknownName
from offhook.sessions import Engines
from offhook.speech import ListenerHint, SpeechStyle

__all__ = [
    "EngineChoice",
    "choose_engines",
    "default_slots",
    "engine_provenance",
    "try_engines",
    "warm_engines",
]

T = TypeVar("T")


@attrs.frozen
class EngineChoice:
    """Names of the engines; the defaults are the embedded ones."""

    ears: str = "whisper-tiny"
    careful_ears: str = "whisper-base"
    vad: str = "silero"
    embedder: str = "minilm"


def choose_engines(host: PluginHost, choice: EngineChoice) -> Engines:
    """Raises UnknownName if no plugin provides an engine of that name."""
    listeners = host.listeners()
    return Engines(
        voices=host.voices(),
        ears=_pick("listener", choice.ears, listeners),
        careful_ears=_pick("listener", choice.careful_ears, listeners),
        vad=_pick("vad", choice.vad, host.vads()),
        embedder=_pick("embedder", choice.embedder, host.embedders()),
    )


def try_engines(engines: Engines, voices: Iterable[str], *, line: str) -> None:
    """Uses each engine once, so that a missing package or damaged weights stop a run before its first call.

    Raises:
        SpeechUnavailable: says which and what to do.
    """
    engines.embedder.embed(("Hello.",))
    if line == "text":
        return
    engines.vad.open().push(silence(FRAME_SECONDS).samples)
    for name in sorted(set(voices)):
        said = engines.voices[name].speak("Hello.", SpeechStyle())
        for ears in (engines.ears, engines.careful_ears):
            ears.hear(said, ListenerHint())


def warm_engines(engines: Engines, voices: Iterable[str], *, line: str) -> None:
    """Has each engine do what it has never done before, so that its weights are in memory when real-time
    calls begin. Where results are kept, ``try_engines`` may be answered from the store; the engine would then
    load in the middle of a call and stall every line of this process. Nothing of this reaches a record.

    Raises:
        SpeechUnavailable: says which is missing and what to do.
    """
    rng = np.random.default_rng()
    engines.embedder.embed((f"Hello {rng.integers(10**9)}.",))
    if line == "text":
        return
    engines.vad.open().push(silence(FRAME_SECONDS).samples)
    for name in sorted(set(voices)):
        engines.voices[name].speak("Hello.", SpeechStyle(tempo=float(rng.uniform(1.0, 1.001))))
    for ears in (engines.ears, engines.careful_ears):
        hiss = rng.integers(-200, 200, LINE_RATE // 2, dtype=np.int16)
        ears.hear(Clip(hiss, LINE_RATE), ListenerHint())


def default_slots(host: PluginHost) -> tuple[str, ...]:
    """The slots that callers rotate over: offhook's own, so that installing another voice changes no task's
    voice.

    Without them, every voice there is.
    """
    voices = host.components("voice")
    own = tuple(sorted(name for name, voice in voices.items() if voice.plugin.distribution == "offhook"))
    return own or tuple(sorted(voices))


def engine_provenance(host: PluginHost, choice: EngineChoice, voice: str) -> tuple[ComponentInfo, ...]:
    """Where the engines of one call come from, with the hashes of their weights."""
    named = (
        ("listener", choice.ears),
        ("listener", choice.careful_ears),
        ("vad", choice.vad),
        ("embedder", choice.embedder),
        ("voice", voice),
    )
    return tuple(
        host.provenance(kind, name, sha256=host.components(kind)[name].value.info.weights_sha256)
        for kind, name in named
    )


def _pick(kind: str, name: str, known: Mapping[str, T]) -> T:
    if name not in known:
        raise UnknownName(kind, name, known)
    return known[name]
