"""Latency is pooled over the calls this machine kept up with, and not measured where those are the fewer."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from offhook.grading import Grade, GradeKind, Outcome
from offhook.records import LATE_LIMIT_MS, CallKey, CallRecord, LateTicks, RunManifest, empty_record
from offhook.records import lateness_fault as fault_of
from offhook.scoring import KeptUp, RunSummary, summarise_run
from offhook.storage import from_json, to_json


def record(run: int, p99_ms: float, *, ending: str = "completed") -> CallRecord:
    blank = empty_record(f"call-{run}", CallKey("shop", "T1", "p", run), seed=1, ending=ending)
    return attrs.evolve(blank, late=LateTicks(0.5, p99_ms, 2 * p99_ms))


def summary(*lateness_ms: float, voids: int = 0, odd: object = None) -> RunSummary:
    """Of calls whose waits are 1 s, 2 s, 3 s ... in turn, with these 99th percentiles of lateness; ``odd`` is
    put in place of the first call's waits."""
    records = [record(run, p99) for run, p99 in enumerate(lateness_ms, start=1)]
    grades = []
    for number, call in enumerate(records, start=1):
        waits: Any = {"published": [float(number)], "ours": [number + 0.5]}
        if odd is not None and number == 1:
            waits = odd
        measured: dict[str, Any] = {"numbers": {"published_turns": 1.0}, "evidence": {"latencies_s": waits}}
        grades += [
            Grade("latency", "1", GradeKind.MEASURE, call.call_id, Outcome.MEASURED, "", **measured),
            Grade("state", "1", GradeKind.VERDICT, call.call_id, Outcome.PASS, ""),
        ]
    records += [record(100 + number, 500.0, ending="void") for number in range(voids)]
    manifest = RunManifest(
        version=1,
        run_id="r",
        seed=1,
        platform="p",
        caller="c",
        line="audio",
        runs=len(records),
        audio=("clean",),
        tasks=("shop/T1",),
        planned=len(records),
        harness_reference=False,
        components=(),
    )
    return summarise_run(manifest, records, grades)


def test_late_calls_are_left_out_of_the_pool_whatever_their_grades_say() -> None:
    some = summary(1.0, 21.0, 3.0, 90.0)
    assert some.kept_up == KeptUp(4, 2, 90.0)
    assert some.latency is not None
    assert some.latency_ours is not None
    assert (some.latency.turns, some.latency.median_s) == (2, 2.0)
    assert (some.latency_ours.turns, some.latency_ours.median_s) == (2, 2.5)
    assert some.score.part("latency").points is not None
    assert (some.graded, some.passed) == (4, 4)  # only the waits are in doubt


@pytest.mark.parametrize("odd", [7, [], {"published": 7}, {"published": ["x"]}, {"published": [True, None]}])
def test_waits_that_are_none_are_not_pooled(odd: object) -> None:
    some = summary(1.0, 1.0, 1.0, odd=odd)
    assert some.latency is not None
    assert (some.latency.turns, some.latency.median_s) == (2, 2.5)


def test_latency_is_not_reported_from_a_minority_of_survivors() -> None:
    most = summary(1.0, 21.0, 22.0)
    assert (most.kept_up.late, most.kept_up.reliable, most.kept_up.told) == (2, False, "2 of 3 calls")
    assert (most.latency, most.latency_ours) == (None, None)
    part = most.score.part("latency")
    assert (part.points, part.note) == (
        None,
        "not measured: this machine could not keep up with 2 of 3 calls",
    )
    assert most.score.out_of == 80


def test_calls_that_were_not_held_count_for_nothing() -> None:
    assert summary(1.0, voids=3).kept_up == KeptUp(1, 0, 1.0)
    nothing = summary()
    assert (nothing.kept_up, nothing.kept_up.reliable) == (KeptUp(0, 0, 0.0), True)
    assert nothing.score.part("latency").note == "not measured: no turn with a reply"


@pytest.mark.parametrize(
    ("p99_ms", "fault"),
    [
        (0.0, ""),
        (LATE_LIMIT_MS, ""),
        (20.1, "the harness could not keep up: frames were p99 20.1 ms late"),
        (117.6, "the harness could not keep up: frames were p99 117.6 ms late"),
    ],
)
def test_one_frame_is_the_limit(p99_ms: float, fault: str) -> None:
    call = record(1, p99_ms)
    assert fault_of(call) == fault
    assert fault_of(from_json(to_json(call), CallRecord, source="there and back")) == fault
