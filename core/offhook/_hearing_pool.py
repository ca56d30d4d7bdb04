"""Hearing over many calls: counts are added up, rates never averaged. Public through `offhook.scoring`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from offhook._score import ScoreWeights, hearing_composite

if TYPE_CHECKING:
    from offhook.grading import Grade, Measurement
    from offhook.records import CallRecord

FLOOR_MEASURER: Final = "synthesis-floor"

_FLOOR_COUNTS: Final = ("reference_words", "substitutions", "deletions", "insertions")
_WORDS: Final = ("substitutions", "deletions", "insertions", "reference_words")
_WHERE_MEASURED: Final = (
    "semantic_errors",
    "plain_semantic_errors",
    "not_judged",
    "facts_needed",
    "facts_heard",
)


@attrs.frozen
class HearingCounts:
    """Added up over calls. ``not_judged`` counts phrases that only a judge could have forgiven; the last two
    count facts that the tasks' calls need, the caller said, and the transcripts have."""

    substitutions: int
    deletions: int
    insertions: int
    reference_words: int
    semantic_errors: int
    plain_semantic_errors: int
    not_judged: int
    facts_needed: int
    facts_heard: int

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions


@attrs.frozen
class PooledHearing:
    """Rates in 0..1 over ``calls`` measured calls; error rates are capped at 1.

    ``swer`` never forgives a number or a negation, ``plain_swer`` follows the published rule to the letter.
    Both are None unless they were measured on every one of the calls: ``semantic_calls`` says on how many.
    ``ffa`` is None where no needed fact was said."""

    wer: float
    swer: float | None
    plain_swer: float | None
    ffa: float | None
    counts: HearingCounts
    calls: int
    semantic_calls: int

    def composite(self, weights: ScoreWeights | None = None) -> float | None:
        """C, over the rates that were measured; see `offhook.scoring.hearing_composite`."""
        return hearing_composite(self.wer, self.swer, self.ffa, weights=weights)

    @property
    def missing(self) -> tuple[str, ...]:
        """Which of SWER and FFA the composite had to do without, each with the reason."""
        found = []
        if self.swer is None:
            found.append(f"SWER (measured on {self.semantic_calls} of {self.calls} calls)")
        if self.ffa is None:
            found.append("FFA (no needed fact was said)")
        return tuple(found)


def pool_hearing(grades: Iterable[Grade]) -> PooledHearing | None:
    """Pools the counts of measured ``hearing`` grades. None where no call was measured, or no word was said.

    Raises:
        KeyError: a measured grade without its word counts.
    """
    measured = [grade.numbers for grade in grades if grade.outcome == "measured"]
    counts = HearingCounts(
        *(int(sum(numbers[name] for numbers in measured)) for name in _WORDS),
        *(int(sum(numbers.get(name, 0) for numbers in measured)) for name in _WHERE_MEASURED),
    )
    words = counts.reference_words
    if words == 0:
        return None
    semantic = sum("semantic_errors" in numbers for numbers in measured)
    whole = semantic == len(measured)
    return PooledHearing(
        wer=_rate(counts.errors, words),
        swer=_rate(counts.semantic_errors, words) if whole else None,
        plain_swer=_rate(counts.plain_semantic_errors, words) if whole else None,
        ffa=counts.facts_heard / counts.facts_needed if counts.facts_needed else None,
        counts=counts,
        calls=len(measured),
        semantic_calls=semantic,
    )


def _rate(errors: int, words: int) -> float:
    return min(1.0, errors / words)


def composite_note(pooled: Mapping[str, PooledHearing | None]) -> str:
    """What the composites of some conditions had to do without, in one line; empty where it is nothing."""
    parts = [
        f"C_{name} is without {' and '.join(one.missing)}"
        for name, one in pooled.items()
        if one is not None and one.missing
    ]
    return "; ".join(parts)


@attrs.frozen
class VoiceFloor:
    """The synthesis floor of one voice: the word error rate of an independent recogniser on the caller's own
    tape. Every platform that hears this voice is charged about as much that no platform could avoid.

    ``engine`` and ``version`` name the recogniser. ``wer`` is None where no word was said."""

    voice: str
    engine: str
    version: str
    calls: int
    reference_words: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def wer(self) -> float | None:
        errors = self.substitutions + self.deletions + self.insertions
        return _rate(errors, self.reference_words) if self.reference_words else None


def synthesis_floor(
    records: Iterable[CallRecord], measurements: Iterable[Measurement]
) -> tuple[VoiceFloor, ...]:
    """Pools the ``synthesis-floor`` measurements of completed calls by voice and recogniser, in order of
    their names. Measurements that failed, are damaged or are of other measurers are left out."""
    voices = {record.call_id: record.voice for record in records if record.ending == "completed"}
    pools: dict[tuple[str, str, str], list[Measurement]] = {}
    for found in measurements:
        if found.measurer == FLOOR_MEASURER and found.call_id in voices and _is_floor(found.values):
            key = (voices[found.call_id], str(found.values["engine"]), str(found.values["version"]))
            pools.setdefault(key, []).append(found)
    return tuple(_pooled_floor(*key, [found.values for found in pools[key]]) for key in sorted(pools))


def _is_floor(values: Mapping[str, Any]) -> bool:
    counts = [values.get(name) for name in _FLOOR_COUNTS]
    return all(isinstance(count, int) and count >= 0 for count in counts) and {"engine", "version"} <= set(
        values
    )


def _pooled_floor(voice: str, engine: str, version: str, counts: Sequence[Mapping[str, Any]]) -> VoiceFloor:
    words, *errors = (sum(int(each[name]) for each in counts) for name in _FLOOR_COUNTS)
    return VoiceFloor(voice, engine, version, len(counts), words, *errors)
