"""The hibari synthesiser: one American English female voice, bundled in its wheel."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import Protocol, cast

import attrs
import numpy as np

from offhook.speech import EngineInfo, SpeechUnavailable
from offhook_caller.speech.variation import Waveform
from offhook_caller.speech.weights import HIBARI, HIBARI_MODEL, distribution_version, located_folder

__all__ = ["HibariEngine"]


class _Model(Protocol):
    def __call__(self, text: str, speed: float, seed: int) -> Waveform: ...


@attrs.define(eq=False)
class HibariEngine:
    """Says one sentence at a time. The model loads with the first one; engines may be shared by threads."""

    cache: Path
    rate: int = attrs.field(default=24_000, init=False)
    _model: _Model | None = attrs.field(default=None, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    @property
    def info(self) -> EngineInfo:
        return EngineInfo(
            name="hibari-heart",
            engine="hibari-tts",
            version=distribution_version("hibari-tts"),
            licence="Apache-2.0",
            weights_sha256=HIBARI_MODEL.sha256,
        )

    def say(self, sentence: str, tempo: float) -> Waveform:
        """One sentence at ``rate``, spoken ``tempo`` times as fast as the voice's own pace.

        Raises:
            SpeechUnavailable: package or weights are missing or damaged.
        """
        # The model adds noise to its spectrum; a seed from the text makes equal sentences equal sound.
        seed = int.from_bytes(hashlib.sha256(sentence.encode()).digest()[:8], "big")
        with self._lock:
            if self._model is None:
                self._model = self._load()
            return np.asarray(self._model(sentence, tempo, seed), dtype=np.float32)

    def _load(self) -> _Model:
        located_folder(HIBARI, self.cache)
        try:
            from hibari import Hibari
        except ImportError as error:
            raise SpeechUnavailable(
                f"hibari-tts can't be imported ({error}): run pip install 'offhook[speech]'"
            ) from error
        return cast(_Model, Hibari(voice="heart", threads=1))
