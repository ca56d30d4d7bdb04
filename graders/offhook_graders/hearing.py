"""The ``wer`` grader: how many of the caller's words the platform's own transcript has wrong.

The reference is the text given to the caller's voice, the hypothesis the platform's final transcripts of the
caller, both through `offhook.spoken.normalise_words`. The whole call is aligned at once, so where a platform
cuts turns is no error. The counts are for pooling: rates are summed over calls in `offhook.scoring.pool_wer`,
never averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import attrs

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.spoken import normalise_words

__all__ = ["Alignment", "AlignmentChunk", "WerGrader", "align_words"]


@attrs.frozen
class AlignmentChunk:
    """A stretch of the alignment. ``kind`` is ``equal``, ``substitute``, ``delete`` or ``insert``; ``at`` is
    the index of its first reference word (of the word it comes before, for an insertion)."""

    kind: str
    at: int
    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]


@attrs.frozen
class Alignment:
    """Word errors of one call, with the alignment they were counted on."""

    substitutions: int
    deletions: int
    insertions: int
    reference_words: int
    chunks: tuple[AlignmentChunk, ...]

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions

    @property
    def wer(self) -> float | None:
        """Errors over reference words, capped at 1; None for an empty reference."""
        return min(1.0, self.errors / self.reference_words) if self.reference_words else None


def align_words(reference: Sequence[str], hypothesis: Sequence[str]) -> Alignment:
    """Minimum edit alignment of two sequences of normalised words. Either may be empty."""
    import jiwer

    if not reference:  # jiwer refuses an empty reference
        extra = (AlignmentChunk("insert", 0, (), tuple(hypothesis)),) if hypothesis else ()
        return Alignment(0, 0, len(hypothesis), 0, extra)
    words: Any = jiwer.process_words(" ".join(reference), " ".join(hypothesis))
    chunks = tuple(
        AlignmentChunk(
            str(chunk.type),
            int(chunk.ref_start_idx),
            tuple(reference[chunk.ref_start_idx : chunk.ref_end_idx]),
            tuple(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]),
        )
        for chunk in words.alignments[0]
    )
    return Alignment(
        int(words.substitutions), int(words.deletions), int(words.insertions), len(reference), chunks
    )


@attrs.frozen
class WerGrader:
    """Measures, never decides."""

    name: str = "wer"
    version: str = "1"
    kind: GradeKind = GradeKind.MEASURE

    def grade(self, call: CallEvidence) -> Grade:
        """S, D, I and N of one call; not measured without audio, without a transcript to read, or where the
        caller said nothing."""
        record = call.record
        if record.key.line == "text":
            return self._grade(call, Outcome.NOT_MEASURED, "not measured: on a text line nothing is heard")
        if not record.user_transcript_available:
            return self._grade(
                call, Outcome.NOT_MEASURED, "not measured: the platform gives no transcript of the caller"
            )
        turns = [tuple(normalise_words(turn.spoken)) for turn in record.caller_turns]
        lines = [tuple(normalise_words(line.text)) for line in record.user_transcripts]
        alignment = align_words(
            [word for turn in turns for word in turn], [word for line in lines for word in line]
        )
        evidence = {
            "reference": [list(turn) for turn in turns],
            "hypothesis": [list(line) for line in lines],
            "alignment": [_chunk_json(chunk, turns) for chunk in alignment.chunks],
        }
        if alignment.wer is None:
            return self._grade(
                call, Outcome.NOT_MEASURED, "not measured: the caller said no word", evidence=evidence
            )
        numbers = {
            "substitutions": float(alignment.substitutions),
            "deletions": float(alignment.deletions),
            "insertions": float(alignment.insertions),
            "reference_words": float(alignment.reference_words),
            "wer": round(alignment.wer, 6),
        }
        return self._grade(call, Outcome.MEASURED, _summary(alignment, alignment.wer), numbers, evidence)

    def _grade(
        self,
        call: CallEvidence,
        outcome: Outcome,
        summary: str,
        numbers: Mapping[str, float] | None = None,
        evidence: Mapping[str, Any] | None = None,
    ) -> Grade:
        return Grade(
            grader=self.name,
            version=self.version,
            kind=self.kind,
            call_id=call.record.call_id,
            outcome=outcome,
            summary=summary,
            numbers=numbers or {},
            evidence=evidence or {},
        )


def _chunk_json(chunk: AlignmentChunk, turns: Sequence[Sequence[str]]) -> dict[str, Any]:
    """A chunk with the caller turn its first word belongs to (the last turn, for words added at the very
    end)."""
    ends = list(accumulate(len(turn) for turn in turns))
    turn = next((index for index, end in enumerate(ends) if chunk.at < end), max(0, len(turns) - 1))
    return {
        "kind": chunk.kind,
        "turn": turn,
        "reference": " ".join(chunk.reference),
        "hypothesis": " ".join(chunk.hypothesis),
    }


def _summary(alignment: Alignment, wer: float) -> str:
    kinds = f"{alignment.substitutions} S, {alignment.deletions} D, {alignment.insertions} I"
    return f"WER {100 * wer:.1f} % ({kinds} over {alignment.reference_words} words)"
