"""Which choice a caller means."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from offhook.packs import Choice, Parameter
from offhook.speech import EngineInfo, SentenceEmbedder
from offhook.values import ValueKind
from offhook_adapters.reference.minds._follower_choice import mentions, pick

FEES = Parameter(
    "fee",
    ValueKind.TEXT,
    "which fee",
    choices=(
        Choice("plus", "price of the plus membership", ("plus",)),
        Choice("total", "price of the total membership", ("total",)),
        Choice("return", "sending something back", ("return",)),
        Choice("open_box_return", "sending back an opened box", ("open box return",)),
    ),
)


class WordOverlap:
    """An embedder whose dimensions are words: cosine is the share of words in common."""

    name = "word-overlap"
    info = EngineInfo("word-overlap", "counting", "1", "Apache-2.0", "")

    def embed(self, sentences: tuple[str, ...]) -> NDArray[np.float32]:
        vectors = np.zeros((len(sentences), 4096), np.float32)
        for row, sentence in enumerate(sentences):
            for word in sentence.lower().replace("?", " ").replace(".", " ").split():
                vectors[row, int.from_bytes(word.encode(), "big") % 4093] += 1
        return np.asarray(
            vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32
        )


EMBEDDER: SentenceEmbedder = WordOverlap()


def test_two_named_choices_are_taken_in_the_order_they_were_said() -> None:
    found = mentions(FEES, ("How much are Total and Plus a year?",), EMBEDDER)
    assert pick(found, frozenset(), certain=True) == "total"
    assert pick(found, frozenset({"total"}), certain=True) == "plus"
    assert pick(found, frozenset({"total", "plus"}), certain=True) is None


def test_the_longer_name_hides_the_shorter_within_it() -> None:
    named = [mention.value for mention in mentions(FEES, ("About an open box return.",), None)]
    assert named == ["open_box_return"]


def test_names_are_whole_words() -> None:
    assert mentions(FEES, ("The totals are surplus.",), None) == ()


def test_a_meaning_decides_where_nothing_is_named() -> None:
    found = mentions(FEES, ("I am sending something back.",), EMBEDDER)
    assert pick(found, frozenset(), certain=True) == "return"


def test_a_vague_wish_is_only_taken_as_a_last_resort() -> None:
    found = mentions(FEES, ("The price of the membership.",), EMBEDDER)
    assert pick(found, frozenset(), certain=True) is None
    assert pick(found, frozenset(), certain=False) is not None


@pytest.mark.parametrize("text", ["Hello there.", "", "Hmm."])
def test_nothing_is_made_up_from_nothing(text: str) -> None:
    found = mentions(FEES, (text,), EMBEDDER)
    assert pick(found, frozenset(), certain=False) is None
