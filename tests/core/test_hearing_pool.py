"""Hearing over many calls: pooled counts, the composite of what was measured, and the floor of the voices."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from offhook.grading import Grade, GradeKind, Measurement, Outcome
from offhook.records import CallKey, CallRecord, RunManifest, empty_record
from offhook.scoring import PooledHearing, ScoreWeights, pool_hearing, summarise_run, synthesis_floor

SEMANTIC: dict[str, Any] = {"semantic_errors": 0, "plain_semantic_errors": 0, "not_judged": 0}


def grade(call_id: str = "a", outcome: Outcome = Outcome.MEASURED, **numbers: float) -> Grade:
    given = {"substitutions": 0, "deletions": 0, "insertions": 0, "reference_words": 0, **numbers}
    return Grade("hearing", "1", GradeKind.MEASURE, call_id, outcome, "", numbers=given)


def pooled(*grades: Grade) -> PooledHearing:
    found = pool_hearing(grades)
    assert found is not None
    return found


def test_counts_are_added_up_and_rates_are_not_averaged() -> None:
    found = pooled(
        grade(substitutions=3, deletions=1, insertions=1, reference_words=10, facts_needed=1),
        grade(reference_words=90, facts_needed=3, facts_heard=3),
        grade(outcome=Outcome.NOT_MEASURED, deletions=9, reference_words=9, facts_needed=4),
    )

    assert (found.wer, found.ffa, found.calls) == (0.05, 0.75, 2)  # means of rates: 0.25 and 0.5
    assert found.counts.errors == 5


def test_error_rates_are_capped_at_1() -> None:
    found = pooled(
        grade(
            substitutions=10,
            insertions=20,
            reference_words=10,
            semantic_errors=25,
            plain_semantic_errors=12,
            not_judged=2,
        )
    )

    assert (found.wer, found.swer, found.plain_swer) == (1, 1, 1)
    assert (found.counts.errors, found.counts.semantic_errors, found.counts.not_judged) == (30, 25, 2)
    assert found.composite() == 0


@pytest.mark.parametrize("grades", [[], [grade(insertions=3)], [grade(outcome=Outcome.NOT_MEASURED)]])
def test_without_a_reference_word_nothing_is_measured(grades: list[Grade]) -> None:
    assert pool_hearing(grades) is None


def test_the_composite_is_the_mean_of_what_was_measured() -> None:
    words: dict[str, Any] = {"substitutions": 20, "reference_words": 100}
    everything = pooled(
        grade(
            **words, semantic_errors=10, plain_semantic_errors=5, not_judged=0, facts_needed=4, facts_heard=3
        )
    )

    assert everything.composite() == pytest.approx((0.8 + 0.9 + 0.75) / 3)
    assert everything.composite(ScoreWeights(ffa_weight=0)) == pytest.approx(0.85)
    assert everything.missing == ()
    assert pooled(grade(**words)).composite() == pytest.approx(0.8)


def test_semantic_errors_of_some_calls_are_not_those_of_all() -> None:
    found = pooled(grade(reference_words=10, **SEMANTIC), grade(substitutions=5, reference_words=10))

    assert (found.swer, found.plain_swer, found.semantic_calls, found.calls) == (None, None, 1, 2)
    assert found.missing == ("SWER (measured on 1 of 2 calls)", "FFA (no needed fact was said)")


def record(call_id: str, audio: str, *, ending: str = "completed", voice: str = "v") -> CallRecord:
    key = CallKey("bicycle-repair", "B-E1", "twin", 1, audio=audio)
    return empty_record(call_id, key, seed=1, ending=ending, voice=voice)


def test_the_score_says_what_hearing_had_to_do_without() -> None:
    manifest = RunManifest(
        version=1,
        run_id="r",
        seed=1,
        platform="twin",
        caller="scripted",
        line="audio",
        runs=1,
        audio=("clean", "noise", "degraded"),
        tasks=("bicycle-repair/B-E1",),
        planned=3,
        harness_reference=False,
        components=(),
    )
    whole: dict[str, Any] = {**SEMANTIC, "facts_needed": 2, "facts_heard": 2}
    grades = [
        grade("a", reference_words=10, **whole),
        grade("b", reference_words=10, deletions=2),
        grade("c", reference_words=10, deletions=4, **whole),
    ]
    records = [record("a", "clean"), record("b", "noise"), record("c", "degraded")]
    grades += [Grade("t", "1", GradeKind.VERDICT, each, Outcome.FAIL, "no") for each in "abc"]

    summary = summarise_run(manifest, records, grades)

    degraded = summary.hearing["degraded"]
    assert degraded is not None
    assert degraded.wer == pytest.approx(0.3)
    assert degraded.calls == 2
    assert summary.score.part("hearing").points == pytest.approx(10 * (1 + (0.7 + 1) / 2) / 2)
    assert summary.score.part("hearing").note == "C_degraded is without SWER (measured on 1 of 2 calls)"


# --- the floor ---


def floor(call_id: str, words: int, errors: int, **values: object) -> Measurement:
    counts = {"reference_words": words, "substitutions": errors, "deletions": 0, "insertions": 0}
    named = {"engine": "whisper-base", "version": "faster-whisper 1", **counts, **values}
    return Measurement("synthesis-floor", "1", call_id, named)


def test_the_floor_is_pooled_by_voice_and_recogniser() -> None:
    records = [
        record("a", "clean", voice="joe"),
        record("b", "noise", voice="joe"),
        record("c", "clean", voice="amy"),
        record("d", "clean", voice="amy", ending="void"),
        record("e", "clean", voice="amy"),
    ]
    found = synthesis_floor(
        records,
        [
            floor("a", 90, 0),
            floor("b", 10, 5),
            floor("c", 50, 1, engine="other"),
            floor("d", 50, 50),
            attrs.evolve(floor("e", 50, 9), error="no recogniser", values={}),
            attrs.evolve(floor("a", 50, 50), measurer="caller-recognition"),
            floor("elsewhere", 50, 50),
            attrs.evolve(floor("a", 50, 50), values={"engine": "other"}),
            attrs.evolve(floor("b", 50, 50), values={**floor("b", 50, 50).values, "insertions": -1}),
        ],
    )

    assert [(one.voice, one.engine, one.calls, one.wer) for one in found] == [
        ("amy", "other", 1, 0.02),
        ("joe", "whisper-base", 2, 0.05),
    ]
    assert synthesis_floor(records, []) == ()
    assert synthesis_floor(records, [floor("a", 0, 0)])[0].wer is None
