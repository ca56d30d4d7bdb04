"""A voice activity detector and a sentence embedder that need no weights."""

from __future__ import annotations

import hashlib
import re
from collections import deque

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import Samples, rms_dbfs
from offhook.speech import EngineInfo, VoiceActivity

__all__ = ["EnergyVad", "HashEmbedder"]


def fake_info(name: str) -> EngineInfo:
    """The provenance of an engine without weights."""
    return EngineInfo(
        name=name, engine="offhook.testing", version="1", licence="Apache-2.0", weights_sha256=""
    )


class _Energy:
    """Level above the quietest frame of the last three seconds.

    That floor is taken to lie between -60 and -40 dBFS, so that neither digital silence makes a murmur of
    noise look loud, nor a long word of even level fades from view.
    """

    def __init__(self, margin: float) -> None:
        self._margin = margin
        self._levels: deque[float] = deque(maxlen=150)

    def push(self, frame: Samples) -> float:
        level = rms_dbfs(frame)
        self._levels.append(level)
        floor = min(-40.0, max(-60.0, min(self._levels)))
        return min(1.0, max(0.0, (level - floor) / self._margin - 0.5))


@attrs.frozen
class EnergyVad:
    """Voice activity by loudness: the probability is 0.5 at ``margin`` dB above the noise floor."""

    margin: float = 12.0
    name: str = "energy"

    @property
    def info(self) -> EngineInfo:
        return fake_info(self.name)

    def open(self) -> VoiceActivity:
        return _Energy(self.margin)


@attrs.frozen
class HashEmbedder:
    """Sentences by the words in them, hashed: the more words and word parts in common, the closer."""

    dimensions: int = 512
    name: str = "hash"

    @property
    def info(self) -> EngineInfo:
        return fake_info(self.name)

    def embed(self, sentences: tuple[str, ...]) -> NDArray[np.float32]:
        """Unit vectors, shape ``(len(sentences), dimensions)``; without words, the first axis."""
        vectors = np.zeros((len(sentences), self.dimensions), dtype=np.float32)
        for vector, sentence in zip(vectors, sentences, strict=True):
            for feature, weight in _features(sentence):
                digest = hashlib.blake2b(feature.encode(), digest_size=8).digest()
                number = int.from_bytes(digest, "big")
                vector[number % self.dimensions] += weight if number >> 63 else -weight
            length = float(np.linalg.norm(vector))
            if length == 0:
                vector[0] = 1.0
            else:
                vector /= length
        return vectors


def _features(sentence: str) -> list[tuple[str, float]]:
    words = re.findall(r"[^\W_]+", sentence.casefold())
    parts = [f"#{word}#"[at : at + 3] for word in words for at in range(len(word))]
    return [(word, 1.0) for word in words] + [(f"part {part}", 0.3) for part in parts]
