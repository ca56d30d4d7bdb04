"""The ``hearing`` grader: how much of what the caller said is in the platform's own transcript.

The reference is the text given to the caller's voice, the hypothesis the platform's final transcripts of the
caller, both through `offhook.spoken.normalise_words`. Counted are

- **word errors**: substitutions, deletions and insertions (`offhook_graders.hearing.alignment`);
- **semantic errors**: the same without the substituted phrases that keep the meaning
  (`offhook_graders.hearing.meaning`), by our rule and by the plain published one;
- **facts**: of those that the task's calls need and the caller says, how many the transcript has
  (`offhook_graders.hearing.facts`).

The counts are for pooling: rates are summed over calls in `offhook.scoring.pool_hearing`, never averaged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import attrs

from offhook.grading import CallEvidence, Grade, GradeKind, NotMeasured, measured_grade, not_measured_grade
from offhook.scoring import HEARING_GRADER
from offhook_graders.hearing.alignment import HEARING_ALIGNMENT, CallAlignment, align_evidence
from offhook_graders.hearing.facts import FactHeard, facts_heard, facts_needed
from offhook_graders.hearing.meaning import Meaning, MeaningJudge, PhraseVerdict, judge_phrase

__all__ = ["HearingGrader"]

_NEEDS_SPEECH = "needs the speech extra"


@attrs.frozen
class HearingGrader:
    """Measures, never decides. ``meaning_judge`` decides phrases that the cosine leaves open; without one
    they count as errors and as ``not_judged``."""

    meaning_judge: MeaningJudge | None = None
    name: str = HEARING_GRADER
    version: str = "1"
    kind: GradeKind = GradeKind.MEASURE

    def grade(self, call: CallEvidence) -> Grade:
        """The counts of one call; not measured without audio, without a transcript to read, or where the
        caller said nothing.

        Without a sentence embedder the words of the whole call are aligned, and no semantic errors are
        counted.

        Raises:
            ValueError: the stored alignment is damaged; the message says what to do.
        """
        try:
            alignment, why_not = _alignment(call)
        except NotMeasured as error:
            return not_measured_grade(self, call, str(error))
        verdicts = (
            None if why_not else tuple(judge_phrase(one, self.meaning_judge) for one in alignment.phrases)
        )
        facts = facts_heard(
            facts_needed(call.pack, call.task),
            call.record.caller_turns,
            alignment,
            today=call.pack.now.date(),
        )
        numbers = _numbers(alignment, verdicts, facts)
        return measured_grade(
            self,
            call,
            _summary(numbers, facts, why_not),
            numbers,
            _evidence(alignment, verdicts, facts, why_not),
        )


def _alignment(call: CallEvidence) -> tuple[CallAlignment, str]:
    """The stored alignment; or one of the words alone, with why there is no better one."""
    measured = call.measured(HEARING_ALIGNMENT)
    if not measured.error:
        try:
            return _whole(CallAlignment.from_json(measured.values), len(call.record.caller_turns)), ""
        except ValueError as error:
            raise ValueError(
                f"the stored alignment is damaged ({error}); delete measurements/{measured.measurer}/"
                f"{measured.version}/{measured.call_id}.json in the run's folder and grade again"
            ) from error
    return align_evidence(call), f"{_NEEDS_SPEECH} ({measured.error})"


def _whole(alignment: CallAlignment, turns: int) -> CallAlignment:
    """The alignment, if it can be of a call of so many caller turns."""
    if not alignment.reference_words:
        raise ValueError("it has no word that was said")
    if any(turn not in range(turns) for group in alignment.groups for turn in group.turns):
        raise ValueError(f"it has turns that the record has not ({turns} caller turns)")
    if any(phrase.cosine is None for phrase in alignment.phrases):
        raise ValueError("it has a phrase that was not compared")
    return alignment


def _numbers(
    alignment: CallAlignment, verdicts: Sequence[PhraseVerdict] | None, facts: Sequence[FactHeard]
) -> dict[str, float]:
    words = [group.alignment for group in alignment.groups]
    errors = sum(some.errors for some in words)
    total = alignment.reference_words
    numbers = {
        "substitutions": float(sum(some.substitutions for some in words)),
        "deletions": float(sum(some.deletions for some in words)),
        "insertions": float(sum(some.insertions for some in words)),
        "reference_words": float(total),
        "wer": _rate(errors, total),
        "facts_needed": float(len(facts)),
        "facts_heard": float(sum(fact.heard for fact in facts)),
    }
    if verdicts is not None:
        ours = errors - sum(one.phrase.errors for one in verdicts if one.meaning.forgiven)
        plain = errors - sum(one.phrase.errors for one in verdicts if one.plain.forgiven)
        numbers |= {
            "semantic_errors": float(ours),
            "plain_semantic_errors": float(plain),
            "not_judged": float(sum(one.meaning is Meaning.NOT_JUDGED for one in verdicts)),
            "swer": _rate(ours, total),
        }
    return numbers


def _rate(errors: int, words: int) -> float:
    return round(min(1.0, errors / words), 6)


def _summary(numbers: Mapping[str, float], facts: Sequence[FactHeard], why_not: str) -> str:
    kinds = ", ".join(
        f"{numbers[name]:.0f} {name[0].upper()}" for name in ("substitutions", "deletions", "insertions")
    )
    parts = [f"WER {100 * numbers['wer']:.1f} % ({kinds} over {numbers['reference_words']:.0f} words)"]
    if why_not:
        parts.append(f"SWER not measured: {why_not}")
    else:
        open_ = f" ({numbers['not_judged']:.0f} not judged)" if numbers["not_judged"] else ""
        parts.append(f"SWER {100 * numbers['swer']:.1f} %{open_}")
    if facts:
        parts.append(f"{numbers['facts_heard']:.0f} of {len(facts)} facts heard")
    return ", ".join(parts)


def _evidence(
    alignment: CallAlignment,
    verdicts: Sequence[PhraseVerdict] | None,
    facts: Sequence[FactHeard],
    why_not: str,
) -> dict[str, Any]:
    return {
        "aligned_by": alignment.embedder or "words alone",
        "semantic_not_measured": why_not,
        "reference": [list(words) for group in alignment.groups for words in group.reference],
        "groups": [
            {
                "turns": list(group.turns),
                "lines": list(group.lines),
                "hypothesis": group.text,
                "similarity": group.similarity,
            }
            for group in alignment.groups
        ],
        "alignment": list(_pieces(alignment)),
        "phrases": [
            {
                "reference": " ".join(one.phrase.reference),
                "hypothesis": " ".join(one.phrase.hypothesis),
                "errors": one.phrase.errors,
                "cosine": one.phrase.cosine,
                "meaning": one.meaning.value,
                "published_rule": one.plain.value,
            }
            for one in verdicts or ()
        ],
        "facts": [attrs.asdict(fact) | {"turns": list(fact.turns)} for fact in facts],
    }


def _pieces(alignment: CallAlignment) -> Iterator[dict[str, Any]]:
    """The chunks of all groups, each with the caller turn that its first word belongs to; words that were
    added, with the turn they follow."""
    last = 0
    for group in alignment.groups:
        ends = list(accumulate(len(words) for words in group.reference))
        for chunk in group.alignment.chunks:
            found = [turn for turn, end in zip(group.turns, ends, strict=True) if chunk.at < end]
            last = found[0] if found else group.turns[-1] if group.turns else last
            yield {
                "kind": chunk.kind,
                "turn": last,
                "reference": " ".join(chunk.reference),
                "hypothesis": " ".join(chunk.hypothesis),
            }
