"""Pairs a caller's turns with pieces of a transcript by what they mean, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.speech import SentenceEmbedder

__all__ = ["Pair", "Piece", "pair_by_meaning"]

_RELATED: Final = 0.25  # below this cosine, two sentences have nothing to do with each other
_JOINING: Final = 0.05  # how much better the cosine must be for each turn or piece that is joined on
_FEW_WORDS: Final = 3  # a stray word or two mean nothing on their own
_SHAPES: Final = ((1, 1), (1, 2), (2, 1))  # turns and pieces of a pair, the likeliest first


@attrs.frozen
class Piece:
    """Consecutive words of the transcript from index ``start``. ``home`` is the turn that an alignment of the
    words alone gives them to; None for words between two turns."""

    start: int
    words: tuple[str, ...]
    home: int | None


@attrs.frozen
class Pair:
    """Turns (indices) and the pieces that are theirs; one of the two may be empty. ``similarity`` is the
    cosine that decided, None where none was needed."""

    turns: tuple[int, ...]
    pieces: tuple[Piece, ...]
    similarity: float | None = None


def pair_by_meaning(
    reference: Sequence[Sequence[str]], pieces: Sequence[Piece], embedder: SentenceEmbedder
) -> tuple[Pair, ...]:
    """Pairs every turn that has words, and every piece, in order.

    A turn whose own piece has its very words is settled. The rest between two such is paired so that the sum
    of cosines, weighted with the words of the shorter side, is greatest.

    Raises:
        SpeechUnavailable: the embedder can't be loaded.
    """
    pairs: list[Pair] = []
    turns: list[int] = []
    between: list[Piece] = []
    left = _with_strays(reference, pieces)
    for turn, words in enumerate(reference):
        if not words:
            continue
        own = next((piece for piece in left if piece.home == turn), None)
        if own is None or own.words != tuple(words):
            turns.append(turn)
            continue
        before = left.index(own)
        between += left[:before]
        left = left[before + 1 :]
        pairs += _run(reference, turns, between, embedder)
        pairs.append(Pair((turn,), (own,)))
        turns, between = [], []
    pairs += _run(reference, turns, [*between, *left], embedder)
    return tuple(pairs)


def _with_strays(reference: Sequence[Sequence[str]], pieces: Sequence[Piece]) -> list[Piece]:
    """A few stray words go with the piece before or after them that isn't word for word its turn anyway."""
    joined: list[Piece] = []
    waiting: Piece | None = None
    for index, piece in enumerate(pieces):
        if waiting is not None:
            piece, waiting = _joined((waiting, piece), piece.home), None
        if piece.home is not None or len(piece.words) >= _FEW_WORDS:
            joined.append(piece)
        elif joined and _is_open(reference, joined[-1]):
            joined[-1] = _joined((joined[-1], piece), joined[-1].home)
        elif index + 1 < len(pieces) and _is_open(reference, pieces[index + 1]):
            waiting = piece
        else:
            joined.append(piece)
    return joined


def _is_open(reference: Sequence[Sequence[str]], piece: Piece) -> bool:
    return piece.home is not None and piece.words != tuple(reference[piece.home])


def _joined(pieces: Sequence[Piece], home: int | None) -> Piece:
    return Piece(pieces[0].start, tuple(word for piece in pieces for word in piece.words), home)


def _run(
    reference: Sequence[Sequence[str]],
    turns: Sequence[int],
    pieces: Sequence[Piece],
    embedder: SentenceEmbedder,
) -> Iterator[Pair]:
    """What lies between two settled turns."""
    if not pieces:
        yield from (Pair((turn,), ()) for turn in turns)
    elif len(turns) < 2:
        yield Pair(tuple(turns), tuple(pieces))
    else:
        yield from _by_meaning(reference, turns, pieces, embedder)


def _by_meaning(
    reference: Sequence[Sequence[str]],
    turns: Sequence[int],
    pieces: Sequence[Piece],
    embedder: SentenceEmbedder,
) -> Iterator[Pair]:
    said, heard = [reference[turn] for turn in turns], [piece.words for piece in pieces]
    one, two = (_vectors(said, size, embedder) for size in (1, 2))
    cosines = {
        (1, 1): one @ _vectors(heard, 1, embedder).T,
        (1, 2): one @ _vectors(heard, 2, embedder).T,
        (2, 1): two @ _vectors(heard, 1, embedder).T,
    }
    steps = _best_steps(said, heard, cosines)
    at_turn = at_piece = 0
    for turn, piece, shape in (*steps, (len(turns), len(pieces), None)):
        # What no pair took, of both sides: a word that became another one is still one error, not two.
        if turn > at_turn or piece > at_piece:
            yield Pair(tuple(turns[at_turn:turn]), tuple(pieces[at_piece:piece]))
        if shape is not None:
            at_turn, at_piece = turn + shape[0], piece + shape[1]
            cosine = float(cosines[shape][turn, piece])
            yield Pair(tuple(turns[turn:at_turn]), tuple(pieces[piece:at_piece]), cosine)


def _vectors(
    sentences: Sequence[Sequence[str]], size: int, embedder: SentenceEmbedder
) -> NDArray[np.float32]:
    """One row for each ``size`` consecutive sentences taken as one."""
    joined = [
        " ".join(word for words in sentences[first : first + size] for word in words)
        for first in range(len(sentences) - size + 1)
    ]
    return embedder.embed(tuple(joined))


def _best_steps(
    said: Sequence[Sequence[str]],
    heard: Sequence[Sequence[str]],
    cosines: dict[tuple[int, int], NDArray[np.float32]],
) -> tuple[tuple[int, int, tuple[int, int]], ...]:
    """The pairs of the best way through, each as first turn, first piece and shape."""
    turns, pieces = len(said), len(heard)
    best = np.zeros((turns + 1, pieces + 1))
    choice: dict[tuple[int, int], tuple[int, int]] = {}
    for turn in reversed(range(turns + 1)):
        for piece in reversed(range(pieces + 1)):
            options = [
                (_gain(said, heard, cosines, turn, piece, shape), shape)
                for shape in _SHAPES
                if turn + shape[0] <= turns and piece + shape[1] <= pieces
            ]
            ways = [(gain + best[turn + shape[0], piece + shape[1]], shape) for gain, shape in options]
            ways += [(best[turn + 1, piece], (1, 0))] if turn < turns else []
            ways += [(best[turn, piece + 1], (0, 1))] if piece < pieces else []
            if ways:
                best[turn, piece], choice[turn, piece] = max(ways, key=lambda way: way[0])
    steps, turn, piece = [], 0, 0
    while (turn, piece) in choice:
        shape = choice[turn, piece]
        if shape in cosines:
            steps.append((turn, piece, shape))
        turn, piece = turn + shape[0], piece + shape[1]
    return tuple(steps)


def _gain(
    said: Sequence[Sequence[str]],
    heard: Sequence[Sequence[str]],
    cosines: dict[tuple[int, int], NDArray[np.float32]],
    turn: int,
    piece: int,
    shape: tuple[int, int],
) -> float:
    # The shorter side: nothing is won by joining on a turn that nobody heard, or words that nobody said.
    words = min(sum(map(len, said[turn : turn + shape[0]])), sum(map(len, heard[piece : piece + shape[1]])))
    return words * (float(cosines[shape][turn, piece]) - _RELATED - _JOINING * (sum(shape) - 2))
