"""Sentence vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from offhook.speech import SentenceEmbedder
from offhook_caller.speech.minilm import DIMENSIONS, MiniLmEmbedder

pytestmark = pytest.mark.speech

WISH = "I want my money back."
SAME_WISH = "Please give me a refund."
OTHER = "It rained all day in the mountains."


@pytest.fixture(scope="module")
def embedder(speech_cache: Path) -> MiniLmEmbedder:
    return MiniLmEmbedder(speech_cache)


def test_meaning_is_near_and_other_matters_far(embedder: MiniLmEmbedder) -> None:
    assert isinstance(embedder, SentenceEmbedder)
    wish, same, other = embedder.embed((WISH, SAME_WISH, OTHER))
    assert float(wish @ same) > 0.5
    assert float(wish @ other) < 0.2


def test_unit_vectors(embedder: MiniLmEmbedder) -> None:
    vectors = embedder.embed((WISH, "", "x " * 600))
    assert vectors.shape == (3, DIMENSIONS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert embedder.embed(()).shape == (0, DIMENSIONS)


def test_a_vector_does_not_depend_on_its_neighbours(speech_cache: Path) -> None:
    alone = MiniLmEmbedder(speech_cache).embed((WISH,))
    among = MiniLmEmbedder(speech_cache).embed((OTHER * 5, WISH, SAME_WISH))
    assert alone[0].tobytes() == among[1].tobytes()


def test_the_memory_is_bounded_and_changes_nothing(speech_cache: Path) -> None:
    forgetful = MiniLmEmbedder(speech_cache, remembered=2)
    first = forgetful.embed((WISH, SAME_WISH, OTHER))
    assert len(forgetful._known) == 2
    assert forgetful.embed((WISH, SAME_WISH, OTHER)).tobytes() == first.tobytes()


def test_a_caller_cannot_spoil_the_memory(embedder: MiniLmEmbedder) -> None:
    before = embedder.embed((WISH,)).copy()
    embedder.embed((WISH,))[:] = 0
    assert embedder.embed((WISH,)).tobytes() == before.tobytes()
