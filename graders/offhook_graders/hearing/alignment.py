"""What the caller said against what the platform's transcript says it heard: the measurer
``hearing-alignment``.

Where a platform cuts its lines means nothing, so its lines are joined and cut anew: first where an alignment
of the words has the ends of the caller's turns, then by meaning. A turn whose words all came through stands
for itself. What lies between such turns is paired by the similarity of sentence embeddings, in order, one or
two turns to one or two pieces; what finds no partner between two pairs forms a group of its own. Only then
are the words of each group aligned.

Without an embedder the first cut stands; it never has more word errors.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

import attrs
import cattrs

from offhook.grading import CallEvidence, GradingEngines, NotMeasured
from offhook.speech import SentenceEmbedder
from offhook.spoken import normalise_words
from offhook_graders.hearing.sentence_pairs import Pair, Piece, pair_by_meaning
from offhook_graders.hearing.word_alignment import Alignment, AlignmentChunk, align_words, places_in

__all__ = [
    "HEARING_ALIGNMENT",
    "CallAlignment",
    "Group",
    "HearingAlignment",
    "Phrase",
    "align_call",
    "align_evidence",
    "phrases_of",
]

HEARING_ALIGNMENT: Final = "hearing-alignment"

_LATE_S: Final = 1.0  # a final may come this much after the line has ended


@attrs.frozen
class Phrase:
    """Words of the reference that became other words: a maximal run of differing words with words on both
    sides. Nothing around it belongs to it, because shared words make any two phrases look alike.

    ``cosine`` compares the two phrases, each embedded on its own; None without an embedder."""

    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    substitutions: int
    deletions: int
    insertions: int
    cosine: float | None = None

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions


@attrs.frozen
class Group:
    """Some caller turns and what was heard of them. Either side may be empty: a turn nobody heard, words that
    nobody said.

    ``turns`` and ``lines`` are indices into the record's ``caller_turns`` and ``user_transcripts``, ``text``
    is the transcript as it was written, ``similarity`` the cosine of the two sides' embeddings where the
    pairing asked for it."""

    turns: tuple[int, ...]
    lines: tuple[int, ...]
    reference: tuple[tuple[str, ...], ...]
    text: str
    alignment: Alignment
    phrases: tuple[Phrase, ...]
    similarity: float | None = None


@attrs.frozen
class CallAlignment:
    """All groups of a call, in order. ``embedder`` is empty where there was none."""

    groups: tuple[Group, ...]
    embedder: str = ""

    @property
    def reference_words(self) -> int:
        return sum(group.alignment.reference_words for group in self.groups)

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        return tuple(phrase for group in self.groups for phrase in group.phrases)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON data; `from_json` reads it back equal."""
        data: dict[str, Any] = cattrs.unstructure(self)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CallAlignment:
        """Raises ValueError: not what `as_json` returned."""
        try:
            return cattrs.structure(data, cls)
        except Exception as error:
            faults = "; ".join(cattrs.transform_error(error, path="$")[:3])
            raise ValueError(f"not an alignment: {faults}") from error


@attrs.frozen
class HearingAlignment:
    """Stores a `CallAlignment` beside each call."""

    name: str = HEARING_ALIGNMENT
    version: str = "1"

    def measure(self, call: CallEvidence, engines: GradingEngines) -> Mapping[str, Any]:
        """Raises:
        NotMeasured: as `align_evidence`.
        SpeechUnavailable: there is no embedder.
        """
        return align_evidence(call, engines.embedder()).as_json()


def align_evidence(call: CallEvidence, embedder: SentenceEmbedder | None = None) -> CallAlignment:
    """`align_call` of what a call left behind.

    Raises:
        NotMeasured: nothing was said aloud, nothing was sent, there is no transcript, or it can't be of this
            call.
        SpeechUnavailable: the embedder can't be loaded.
    """
    record = call.record
    if record.key.line == "text":
        raise NotMeasured("on a text line nothing is heard")
    if not record.user_transcript_available:
        raise NotMeasured("the platform gives no transcript of the caller")
    for line in record.user_transcripts:
        if not math.isfinite(line.at) or line.at > record.seconds + _LATE_S:
            raise NotMeasured(
                f"a line of the transcript came at {line.at:.1f} s, but the call ended at "
                f"{record.seconds:.1f} s: it is not of this call"
            )
    if call.recording is not None and _is_silent(call.recording):
        raise NotMeasured("the caller's channel of the recording is silent: the platform was sent nothing")
    found = align_call(
        [turn.spoken for turn in record.caller_turns],
        [line.text for line in record.user_transcripts],
        embedder,
    )
    if not found.reference_words:
        raise NotMeasured("the caller said no word")
    return found


def _is_silent(recording: Path) -> bool:
    """Whether the left channel holds nothing but zeros. Reads no further than to the first sound."""
    import soundfile

    try:
        with soundfile.SoundFile(recording) as file:
            for block in file.blocks(blocksize=file.samplerate, dtype="int16", always_2d=True):
                if block[:, 0].any():
                    return False
    except (OSError, soundfile.SoundFileError) as error:
        raise NotMeasured(f"{recording.name} can't be read: it is missing or damaged") from error
    return True


def align_call(
    turns: Sequence[str], lines: Sequence[str], embedder: SentenceEmbedder | None = None
) -> CallAlignment:
    """Aligns what was given to the caller's voice with a platform's lines, both as plain text.

    Re-cutting the lines changes nothing but ``Group.lines``.

    Raises:
        SpeechUnavailable: the embedder can't be loaded.
    """
    turns, lines = [_sound(text) for text in turns], [_sound(text) for text in lines]
    heard = " ".join(lines)
    hypothesis = normalise_words(heard)
    reference = _reference(turns, hypothesis)
    pieces = _recut(reference, hypothesis)
    if embedder is None:
        pairs = tuple(_by_words(pieces, len(turns)))
    else:
        embedder.embed(("hello",))  # so that a missing engine shows on every call, not on some
        pairs = pair_by_meaning(reference, pieces, embedder)
    tokens = _tokens(lines, hypothesis)
    groups = []
    starts = [pair.pieces[0].start if pair.pieces else None for pair in pairs]
    for index, pair in enumerate(pairs):
        words = tuple(word for turn in pair.turns for word in reference[turn])
        said = tuple(word for piece in pair.pieces for word in piece.words)
        following = next((start for start in starts[index + 1 :] if start is not None), len(hypothesis))
        leads = all(start is None for start in starts[:index])
        text, held = _source(tokens, starts[index], following, leads)
        alignment = align_words(words, said)
        groups.append(
            Group(
                pair.turns,
                held,
                tuple(reference[turn] for turn in pair.turns),
                text,
                alignment,
                _compared(phrases_of(alignment.chunks), embedder),
                None if pair.similarity is None else round(pair.similarity, 4),
            )
        )
    return CallAlignment(tuple(groups), "" if embedder is None else embedder.name)


def _sound(text: str) -> str:
    """Half a surrogate pair is no character; nothing that is written down may hold one."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _reference(turns: Sequence[str], hypothesis: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The words of each turn. A number may run on from one turn to the next ("nineteen seventy", "five five
    five"): read in one go, with or without the full stop between, it can have other digits than read turn by
    turn. A transcript may have any of them; the caller is taken at the reading that is closest to it."""
    apart = tuple(normalise_words(turn) for turn in turns)
    words = tuple(word for some in apart for word in some)
    readings = dict.fromkeys(
        (words, normalise_words(" ".join(turns)), normalise_words(" ".join(map(_unstopped, turns))))
    )
    if len(readings) == 1:
        return apart
    best = min(readings, key=lambda reading: align_words(reading, hypothesis).errors)
    if best == words:
        return apart
    places = places_in(words, best)
    cuts = [0, *(places[end][1] for end in accumulate(len(some) for some in apart))]
    cuts[-1] = len(best)
    return tuple(best[start:end] for start, end in pairwise(cuts))


def _unstopped(turn: str) -> str:
    return turn.rstrip(" .,;:!?…")


def _recut(reference: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> tuple[Piece, ...]:
    """The transcript's words as pieces, cut where an alignment of the whole call has the ends of turns: one
    piece a turn that was heard, and one between two turns where there are words too many."""
    places = places_in([word for words in reference for word in words], hypothesis)
    ends = [0, *accumulate(len(words) for words in reference)]
    pieces = []
    for turn, end in enumerate(ends):
        low, high = places[end]
        if turn == 0 or high > low:
            pieces.append(Piece(low, tuple(hypothesis[low:high]), None))
        if turn < len(reference):
            stop = places[ends[turn + 1]][0]
            pieces.append(Piece(high, tuple(hypothesis[high:stop]), turn))
    return tuple(piece for piece in pieces if piece.words)


def _by_words(pieces: Sequence[Piece], turns: int) -> Iterator[Pair]:
    """Each turn with its own piece and the words too many before it; the last also with those after it."""
    left = list(pieces)
    if left and not turns:
        yield Pair((), tuple(left))
    for turn in range(turns):
        mine = []
        while left and (left[0].home is None or left[0].home == turn):
            mine.append(left.pop(0))
            if mine[-1].home == turn and turn < turns - 1:
                break
        yield Pair((turn,), tuple(mine))


# --- where the words come from ---


@attrs.frozen
class _Token:
    """A word as it was written. ``at`` is the index of the first normalised word that comes of it; of the one
    before, where none does."""

    text: str
    line: int
    at: int


def _tokens(lines: Sequence[str], hypothesis: Sequence[str]) -> tuple[_Token, ...]:
    written = [(text, line) for line, content in enumerate(lines) for text in content.split()]
    words = [normalise_words(text) for text, _ in written]
    places = places_in([word for some in words for word in some], hypothesis)
    tokens, start = [], 0
    for (text, line), some in zip(written, words, strict=True):
        low, high = places[start][1], places[start + len(some)][0]
        tokens.append(_Token(text, line, low if high > low else low - 1))
        start += len(some)
    return tuple(tokens)


def _source(
    tokens: Sequence[_Token], start: int | None, following: int, first: bool
) -> tuple[str, tuple[int, ...]]:
    """The written words from one place in the hypothesis up to another, and the lines they stand in."""
    if start is None:
        return "", ()
    held = [token for token in tokens if (first or token.at >= start) and token.at < following]
    return " ".join(token.text for token in held), tuple(sorted({token.line for token in held}))


# --- phrases ---


def phrases_of(chunks: Sequence[AlignmentChunk]) -> tuple[Phrase, ...]:
    """The substituted phrases of an alignment, not yet compared."""
    runs: list[list[AlignmentChunk]] = [[]]
    for chunk in chunks:
        if chunk.kind == "equal":
            runs.append([])
        else:
            runs[-1].append(chunk)
    found = []
    for run in runs:
        count = {kind: _length(chunk for chunk in run if chunk.kind == kind) for kind in ("delete", "insert")}
        substitutions = sum(len(chunk.reference) for chunk in run if chunk.kind == "substitute")
        reference = tuple(word for chunk in run for word in chunk.reference)
        hypothesis = tuple(word for chunk in run for word in chunk.hypothesis)
        if reference and hypothesis:
            found.append(Phrase(reference, hypothesis, substitutions, count["delete"], count["insert"]))
    return tuple(found)


def _length(chunks: Iterable[AlignmentChunk]) -> int:
    return sum(max(len(chunk.reference), len(chunk.hypothesis)) for chunk in chunks)


def _compared(phrases: tuple[Phrase, ...], embedder: SentenceEmbedder | None) -> tuple[Phrase, ...]:
    if embedder is None or not phrases:
        return phrases
    vectors = embedder.embed(
        tuple(" ".join(side) for phrase in phrases for side in (phrase.reference, phrase.hypothesis))
    )
    cosines = [float(vectors[2 * index] @ vectors[2 * index + 1]) for index in range(len(phrases))]
    return tuple(
        attrs.evolve(phrase, cosine=round(cosine, 4)) for phrase, cosine in zip(phrases, cosines, strict=True)
    )
