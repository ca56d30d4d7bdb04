"""A judge against people, itself and another judge: each measurement on tables worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from offhook.grading import Grade
from offhook.judged import (
    GoldenLabel,
    SettledLabels,
    case_of,
    check_drift,
    golden_page,
    judge_call,
    read_labels,
    run_stamp,
    settle,
    taken,
    write_labels,
)
from offhook.judging import JudgeCase, Verdict
from offhook.records import CallKey, empty_record
from offhook.storage import StorageError
from offhook.testing_pack import bicycle_pack
from tests.core._judges import CASE, Scripted, claim, on

QUOTES = {"told": "you get $14.99 back", "done": "It is cancelled now"}


def grade(call_id: str, told: str, done: str, *claims: Verdict) -> Grade:
    rulings = [on(name, Verdict(verdict), QUOTES[name]) for name, verdict in (("told", told), ("done", done))]
    rulings += [claim(verdict, "Plus is $29.99 a year") for verdict in claims]
    case = JudgeCase(call_id, CASE.mission, CASE.transcript)
    return judge_call(Scripted(tuple(rulings)), case)


def labelled(labels: Mapping[str, tuple[str, str]]) -> SettledLabels:
    return settle(
        GoldenLabel(call_id, name, label, "r1")
        for call_id, pair in labels.items()
        for name, label in zip(("told", "done"), pair, strict=True)
    )


def row(report: Any, name: str) -> Any:
    return next(each for each in report.rows if each.name.startswith(name))


def many(cells: Sequence[tuple[int, str, str]]) -> tuple[SettledLabels, dict[str, list[Grade]]]:
    """Calls whose criterion "told" people and judge labelled so; "done" is met for everybody."""
    labels, grades = [], {}
    for cell, (count, human, judged) in enumerate(cells):
        for index in range(count):
            call_id = f"c{cell}-{index:03d}"
            labels.append(GoldenLabel(call_id, "told", human, "r1"))
            labels.append(GoldenLabel(call_id, "done", "met", "r1"))
            grades[call_id] = [grade(call_id, judged, "met")]
    return settle(labels), grades


def test_kappa_and_false_passes_of_a_known_table() -> None:
    # 20 met/met, 5 met/not, 10 not/met and 15 not/not is the textbook table of kappa 0.40.
    cells = [(20, "met", "met"), (5, "met", "not_met"), (10, "not_met", "met"), (15, "not_met", "not_met")]
    labels, grades = many(cells)
    only = SettledLabels({call: {"told": own["told"]} for call, own in labels.by_call.items()}, (), ("r1",))
    report = check_drift(only, grades)
    kappa = row(report, "Cohen")
    assert kappa.value == pytest.approx(0.40)
    assert (kappa.n, kappa.holds) == (50, False)
    passes = row(check_drift(labels, grades), "false passes")
    assert (passes.value, passes.n, passes.holds) == (pytest.approx(10 / 25), 25, False)
    assert passes.interval.low == pytest.approx(0.2340, abs=1e-3)
    assert (report.calls, report.thin) == (50, False)


def test_a_call_without_all_labels_counts_for_no_false_pass() -> None:
    _, grades = many([(1, "not_met", "met")])
    partly = SettledLabels({"c0-000": {"told": "not_met"}}, (), ("r1",))
    found = row(check_drift(partly, grades), "false passes")
    assert (found.value, found.holds, found.n) == (None, None, 0)
    assert found.told.startswith("not measured")


def test_unclear_never_agrees_and_never_passes() -> None:
    labels, grades = many([(3, "met", "unclear"), (3, "not_met", "unclear")])
    report = check_drift(labels, grades)
    assert row(report, "Cohen").told.endswith("6 of 12 agree)")
    assert row(report, "false passes").value == 0


def test_self_consistency_counts_criteria_that_never_change() -> None:
    repeats = {
        "a": [grade("a", "met", "met") for _ in range(5)],
        "b": [*(grade("b", "met", "met") for _ in range(4)), grade("b", "met", "not_met")],
    }
    found = row(check_drift(labelled({}), repeats), "self-consistency, same transcript x 5")
    assert (found.value, found.n, found.holds) == (0.75, 4, False)
    once = row(check_drift(labelled({}), {"a": repeats["a"][:1]}), "self-consistency")
    assert (once.value, once.holds) == (None, None)


def test_a_swap_moves_the_pass_rate_and_the_fact_accuracy() -> None:
    first = {f"c{n:02d}": [grade(f"c{n:02d}", "met", "met", Verdict.ACCURATE)] for n in range(10)}
    other = {name: grades[0] for name, grades in first.items()}
    same = check_drift(labelled({}), first, other)
    assert [each.holds for each in same.rows[-2:]] == [True, True]
    other["c03"] = grade("c03", "met", "not_met", Verdict.WRONG)
    moved = check_drift(labelled({}), first, other)
    task, facts = moved.rows[-2:]
    assert (task.value, task.n, task.holds) == (pytest.approx(-0.1), 10, False)
    assert (facts.value, facts.holds) == (pytest.approx(-0.1), False)
    assert task.interval.low < -0.1 < task.interval.high
    assert not moved.holds


def test_fewer_than_fifty_graded_calls_are_thin() -> None:
    cells = [(25, "met", "met"), (25, "not_met", "not_met")]
    labels, grades = many(cells)
    whole = check_drift(labels, {call: [each[0], each[0]] for call, each in grades.items()})
    assert (whole.thin, whole.calls, whole.holds) == (False, 50, True)
    grades.popitem()
    assert check_drift(labels, grades).thin


def test_raters_who_disagree_leave_no_label_and_a_correction_replaces() -> None:
    labels = [
        GoldenLabel("a", "told", "met", "r1"),
        GoldenLabel("a", "told", "not_met", "r2"),
        GoldenLabel("a", "done", "not_met", "r1"),
        GoldenLabel("a", "done", "met", "r1"),
    ]
    settled = settle(labels)
    assert settled.by_call == {"a": {"done": "met"}}
    assert settled.disputed == (("a", "told"),)
    assert settled.raters == ("r1", "r2")


def test_a_labels_file_is_read_back_and_a_wrong_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    note = "two\u2028lines\x85of one note"  # line breaks to a reader of text, not to one of JSON lines
    labels = (GoldenLabel("a", "told", "met", "r1", note), GoldenLabel("b", "told", "not_met", "r1"))
    write_labels(path, labels)
    assert read_labels(path) == labels
    path.write_text(path.read_text() + '{"call_id":"c","criterion":"told","label":"maybe","rater":"r1"}\n')
    with pytest.raises(StorageError, match=r"labels.jsonl:3: \$.label is 'maybe', expected met or not_met"):
        read_labels(path)


# --- the page and what it saves -------------------------------------------------------------------


def saved(tmp_path: Path, **changes: Any) -> Path:
    entry = {"call_id": "call-1", "criterion": "told", "label": "met", "note": "yes"}
    data = {"version": 1, "run": run_stamp("run"), "rater": " mb ", "labels": [entry], **changes}
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(data))
    return path


CRITERIA = {"call-1": ["told", "done"]}


def test_what_the_page_saved_becomes_labels(tmp_path: Path) -> None:
    read = taken(saved(tmp_path), CRITERIA, run_stamp("run"))
    assert read.labels == (GoldenLabel("call-1", "told", "met", "mb", "yes"),)
    assert (read.unclear, read.open) == (0, 1)
    unclear = {"call_id": "call-1", "criterion": "done", "label": "unclear"}
    read = taken(saved(tmp_path, labels=[unclear]), CRITERIA, run_stamp("run"))
    assert (read.labels, read.unclear, read.open) == ((), 1, 1)


ENTRY = {"call_id": "call-1", "criterion": "told", "label": "met"}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"version": 2}, "expected a file that the grading page saved"),
        ({"run": "another"}, "it grades the calls of another run"),
        ({"rater": "  "}, r"\$.rater is '  ', expected who graded"),
        ({"labels": {}}, r"\$.labels is no list"),
        ({"labels": [7]}, r"\$.labels\[0\] is no object"),
        ({"labels": [{**ENTRY, "call_id": "x"}]}, "the run has no such call"),
        ({"labels": [{**ENTRY, "criterion": "x"}]}, "the call has no criterion 'x'"),
        ({"labels": [{**ENTRY, "label": "fine"}]}, "expected met, not_met or unclear"),
        ({"labels": [{**ENTRY, "note": 7}]}, "note is 7, expected text"),
        ({"labels": [ENTRY, ENTRY]}, "grades the same criterion once more"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(StorageError, match=told):
        taken(saved(tmp_path, **changes), CRITERIA, run_stamp("run"))


def page_data(page: str) -> dict[str, Any]:
    text = page.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_page_shows_every_call_in_a_drawn_order_and_nothing_of_the_platform() -> None:
    cases = [JudgeCase(f"call-{n}", CASE.mission, CASE.transcript) for n in range(20)]
    page = golden_page("acme-voice-run", cases, seed=3)
    shown = page_data(page)["calls"]
    order = [call["id"] for call in shown]
    assert sorted(order) == sorted(case.call_id for case in cases)
    assert order != sorted(order)
    assert page == golden_page("acme-voice-run", reversed(cases), seed=3)
    assert order != [call["id"] for call in page_data(golden_page("acme-voice-run", cases, seed=4))["calls"]]
    assert "acme" not in page
    assert set(shown[0]) == {"id", "mission", "criteria", "transcript"}
    assert len(page_data(golden_page("run", cases, calls=5))["calls"]) == 5


def test_a_call_without_words_is_left_out() -> None:
    pack = bicycle_pack()
    silent = case_of(
        empty_record("call-2", CallKey(pack.name, "B-H1", "acme", 1), seed=1, ending="completed"),
        pack,
        pack.task("B-H1"),
    )
    assert [call["id"] for call in page_data(golden_page("run", [silent, CASE]))["calls"]] == ["call-1"]
    with pytest.raises(ValueError, match="no call to grade"):
        golden_page("run", [silent])
