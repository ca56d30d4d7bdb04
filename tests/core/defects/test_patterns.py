"""Failures that look alike, within a run and over platforms."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from offhook.defects import LiveTracker, cross_check, repeating, signature_of
from offhook.grading import Outcome
from offhook.records import CallKey, empty_record
from offhook.runner import StoredRun
from offhook.scoring import NO_AGENT
from tests.core.defects._made import MISSED, grade, made_run, manifest_of

OTHER = {"expected_calls": [{"tool": "pay", "matched": False, "differences": []}]}
STATE = {
    "expected_changes": [
        {"table": "bookings", "column": "day", "ok": False},
        {"table": "bookings", "column": "fee", "ok": True},
    ],
    "unexpected_changes": [{"table": "notes", "kind": "new"}],
}


def test_a_signature_names_what_was_missed_and_no_value() -> None:
    assert signature_of([grade("c", Outcome.FAIL, MISSED)]) == ("book: wrong date", "pay: not called")


def test_the_database_speaks_where_no_request_was_missed() -> None:
    grades = [grade("c", Outcome.PASS, MISSED), grade("c", Outcome.FAIL, STATE, name="state")]
    assert signature_of(grades) == ("bookings.day: not as expected", "notes: unexpected new")


def test_a_forbidden_request_is_a_way_of_failing() -> None:
    evidence = {"forbidden_requests": [{"tool": "send_sms"}, {"tool": "send_sms"}]}
    assert signature_of([grade("c", Outcome.FAIL, evidence)]) == ("send_sms: forbidden",)


@pytest.mark.parametrize("evidence", [{}, {"expected_calls": 7}, {"expected_calls": [7, None]}])
def test_another_authors_evidence_is_named_by_its_grader(evidence: dict[str, Any]) -> None:
    assert signature_of([grade("c", Outcome.FAIL, evidence, name="house-rule")]) == ("house-rule: failed",)


def test_what_passed_has_no_signature() -> None:
    assert signature_of([grade("c", Outcome.PASS, MISSED)]) == ()


def test_patterns_are_counted_over_runs_and_platforms() -> None:
    one = made_run("acme", {"A": [MISSED, MISSED, OTHER], "B": [None, OTHER]})
    two = made_run("beta", {"A": [MISSED, None]})
    (first,) = repeating([one, two])
    assert (first.task, first.signature) == ("A", ("book: wrong date", "pay: not called"))
    assert [call.call_id for call in first.calls] == ["acme-A-1", "acme-A-2", "beta-A-1"]
    assert first.platforms == ("acme", "beta")
    assert "p/A fails 3 times on acme, beta the same way (book: wrong date; pay: not called)" in first.told
    assert len(repeating([one, two], least=1)) == 3
    assert repeating([one, two], least=4) == ()
    with pytest.raises(ValueError, match="least must be at least 1, got 0"):
        repeating([one], least=0)


def test_a_pattern_is_raised_at_the_second_call_and_each_doubling() -> None:
    tracker = LiveTracker("r")
    raised = []
    for run in range(1, 10):
        record = empty_record(f"c{run}", CallKey("p", "A", "acme", run), seed=1, ending="completed")
        pattern = tracker.see(record, [grade(record.call_id, Outcome.FAIL, MISSED)])
        if pattern:
            raised.append((run, len(pattern.calls)))
    assert raised == [(2, 2), (4, 4), (8, 8)]


def test_other_ways_and_other_tasks_are_counted_apart() -> None:
    tracker = LiveTracker("r")
    for task, evidence in (("A", MISSED), ("A", OTHER), ("B", MISSED)):
        record = empty_record("c", CallKey("p", task, "acme", 1), seed=1, ending="completed")
        assert tracker.see(record, [grade("c", Outcome.FAIL, evidence)]) is None
        assert tracker.see(record, [grade("c", Outcome.PASS, {})]) is None


def test_tasks_over_platforms() -> None:
    acme = made_run(
        "acme",
        {
            "suspect": [MISSED, MISSED],
            "passable": [MISSED, OTHER],
            "fails": [MISSED],
            "mixed": [None, MISSED],
            "passes": [None],
        },
    )
    beta = made_run(
        "beta",
        {
            "suspect": [OTHER, MISSED],
            "passable": [None, OTHER],
            "fails": [OTHER],
            "mixed": [None],
            "passes": [None],
        },
    )
    found = cross_check([acme, beta])
    assert {task.task: task.reading for task in found.tasks} == {
        name: name for name in ("suspect", "passable", "fails", "mixed", "passes")
    }
    (suspect,) = [task for task in found.tasks if task.task == "suspect"]
    assert suspect.shared == ("book: wrong date", "pay: not called")
    assert suspect.passes == {"acme": (0, 2), "beta": (0, 2)}
    review = {(hard.task, hard.signature): [call.call_id for call in hard.calls] for hard in found.hard}
    assert review == {
        ("fails", ("0 of 1 on acme",)): ["acme-fails-1"],
        ("fails", ("0 of 1 on beta",)): ["beta-fails-1"],
        ("passable", ("0 of 2 on acme",)): ["acme-passable-1", "acme-passable-2"],
        ("suspect", ("0 of 2 on acme",)): ["acme-suspect-1", "acme-suspect-2"],
        ("suspect", ("0 of 2 on beta",)): ["beta-suspect-1", "beta-suspect-2"],
    }


def test_one_platform_alone_makes_no_suspect() -> None:
    (task,) = cross_check([made_run("acme", {"A": [MISSED, MISSED]})]).tasks
    assert (task.reading, task.shared) == ("fails", ())


def test_two_runs_of_one_platform_are_taken_together() -> None:
    runs = [made_run("acme", {"A": [MISSED]}, run_id="one"), made_run("acme", {"A": [None]}, run_id="two")]
    (task,) = cross_check(runs).tasks
    assert (task.reading, task.passes) == ("mixed", {"acme": (1, 2)})


def test_silence_in_the_last_attempt_that_a_run_allows_is_a_failure() -> None:
    key = CallKey("p", "A", "acme", 1, line="text")
    silent = empty_record("acme-A-1", key, seed=1, ending="void", cause=NO_AGENT)
    once = attrs.evolve(manifest_of("acme", planned=1), attempts=1)
    run = StoredRun(once, (silent,), (), ())
    (pattern,) = repeating([run], least=1)
    assert (pattern.task, pattern.signature) == ("A", ("no agent speech",))
    assert cross_check([run]).tasks[0].passes == {"acme": (0, 1)}
    more = StoredRun(attrs.evolve(once, attempts=3), (silent,), (), ())
    assert (repeating([more], least=1), cross_check([more]).tasks) == ((), ())
