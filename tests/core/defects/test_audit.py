"""The drawn sample, the form that comes back, and what is counted of it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from offhook.cli.audit import audit
from offhook.defects import AuditSample, draw_audit, keep_review, read_reviews, tally_audit
from offhook.grading import Grade, GradeKind, Outcome
from offhook.records import CallKey, empty_record
from offhook.scoring import CallResult
from offhook.storage import RunFolder, StorageError
from offhook.testing_pack import bicycle_pack
from tests.core._stored import stored_run
from tests.core.defects._made import manifest_of

TASKS = {task.key: task for task in bicycle_pack().tasks}


def _results(states: dict[str, list[str]]) -> list[CallResult]:
    return [
        CallResult(
            empty_record(f"{task}-{run}", CallKey("p", task, "acme", run), seed=1, ending="completed"), state
        )
        for task, found in states.items()
        for run, state in enumerate(found, start=1)
    ]


MANY = {"A": ["failed"] * 6 + ["passed"] * 14, "B": ["passed"] * 10, "C": ["failed", "void", "error"]}


def _draw(results: list[CallResult], **options: Any) -> AuditSample:
    return draw_audit(manifest_of("acme"), results, {}, **{"seed": 7, **options})


def test_a_quarter_of_each_stratum_is_drawn_rounded_up() -> None:
    sample = _draw(_results(MANY))
    assert sample.strata == {"p · A": (5, 20), "p · B": (3, 10), "p · C": (1, 1)}
    assert len(sample.items) == 9


def test_strata_are_industry_and_category() -> None:
    result = CallResult(
        empty_record("c", CallKey("bicycle-repair", "B-E1", "acme", 1), seed=1, ending="completed"), "passed"
    )
    sample = draw_audit(manifest_of("acme"), [result], TASKS, seed=1)
    assert list(sample.strata) == [f"bicycle-repair · {TASKS['bicycle-repair', 'B-E1'].category}"]


def test_every_failed_call_drawn_is_attributed_and_a_fifth_of_the_passing_ones_checked() -> None:
    sample = _draw(_results(MANY), share=1.0)
    duties = {name: [item.duty for item in sample.items if item.stratum == name] for name in sample.strata}
    assert duties["p · A"].count("attribute") == 6
    assert duties["p · A"].count("spot check") == 3
    assert duties["p · B"].count("spot check") == 2
    assert all((item.duty == "attribute") == (item.state == "failed") for item in sample.items)


@given(seed=st.integers(0, 2**32), shuffle=st.integers(0, 2**16))
def test_the_order_of_the_calls_changes_nothing(seed: int, shuffle: int) -> None:
    results = _results(MANY)
    mixed = random.Random(shuffle).sample(results, len(results))
    assert _draw(results, seed=seed) == _draw(mixed, seed=seed)


def test_seeds_draw_different_samples_and_every_call_has_its_chance() -> None:
    drawn = [frozenset(item.call_id for item in _draw(_results(MANY), seed=seed).items) for seed in range(80)]
    assert len(set(drawn)) > 70
    assert frozenset.union(*drawn) == {item.call_id for item in _draw(_results(MANY), share=1.0).items}


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_outside_its_range_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match=r"share must lie in 0\.\.1"):
        _draw([], share=share)


# --- the form comes back ---


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return stored_run(tmp_path / "acme", calls=1)


SAMPLE = _draw(_results(MANY), share=1.0, spot_share=1.0)


def _form(path: Path, *answers: dict[str, Any], **changes: Any) -> Path:
    form = {
        "version": 1,
        "run_id": SAMPLE.run_id,
        "sample": SAMPLE.digest,
        "reviewer": "mira",
        "answers": [{"cause": 0, "verdict": "", "note": "", **answer} for answer in answers],
    }
    path.write_text(json.dumps({**form, **changes}))
    return path


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"sample": "0" * 16}, "is a form for sample 0000000000000000"),
        ({"run_id": "other"}, "of run other"),
        ({"reviewer": "Mira S"}, r"\$.reviewer is 'Mira S'; use letters"),
        ({"reviewer": "../x"}, r"\$.reviewer is '../x'"),
        ({"answers": [{"call_id": "nobody"}]}, r"answers\[0\] is for 'nobody', not a call of the sample"),
        ({"answers": [{"call_id": "A-1", "cause": 8}]}, "cause 8"),
        ({"answers": [{"call_id": "A-1", "verdict": "maybe"}]}, "verdict 'maybe'"),
        ({"version": 2}, r"\$.version is 2, expected 1"),
    ],
)
def test_a_form_that_does_not_fit_is_refused(
    folder: RunFolder, tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    with pytest.raises(StorageError, match=told):
        keep_review(folder, _form(tmp_path / "form.json", **changes), SAMPLE)
    assert read_reviews(folder) == ()


def test_a_form_is_kept_under_its_reviewer(folder: RunFolder, tmp_path: Path) -> None:
    path = _form(tmp_path / "form.json", {"call_id": "A-1", "cause": 5})
    review = keep_review(folder, path, SAMPLE)
    assert read_reviews(folder) == (review,)
    assert (folder.path / "reviews" / "mira.json").is_file()


def _attribution(call_id: str, cause: int) -> Grade:
    numbers = {"cause": float(cause)}
    return Grade(
        "attribution", "1", GradeKind.FINDING, call_id, Outcome.MEASURED, "", numbers, {"cause": cause}
    )


def test_a_form_is_counted_against_the_attribution(folder: RunFolder, tmp_path: Path) -> None:
    path = _form(
        tmp_path / "form.json",
        {"call_id": "A-1", "cause": 5},
        {"call_id": "A-2", "cause": 1},
        {"call_id": "A-3", "cause": 6},  # no attribution to compare with
        {"call_id": "A-4", "verdict": "wrong"},
        {"call_id": "A-7", "verdict": "right"},
        {"call_id": "A-8", "verdict": "wrong"},
    )
    review = keep_review(folder, path, SAMPLE)
    tally = tally_audit(SAMPLE, review, [_attribution("A-1", 5), _attribution("A-2", 6)])
    assert (tally.agree, tally.compared, tally.differ) == (1, 2, (("A-2", 6, 1),))
    assert (tally.own, tally.false_fails, tally.false_passes) == (("A-2",), ("A-4",), ("A-8",))
    assert tally.spot_checked == 2
    due = {item.call_id for item in SAMPLE.items if item.duty}
    assert set(tally.open) == due - {"A-1", "A-2", "A-3", "A-4", "A-7", "A-8"}


def test_another_draw_is_another_sample() -> None:
    other = attrs.evolve(SAMPLE, seed=8)
    assert other.digest != SAMPLE.digest


@pytest.mark.parametrize(("share", "drawn"), [(0.28, 7), (0.29, 8), (0.0, 0), (1.0, 25)])
def test_a_share_is_rounded_up_as_it_is_written(share: float, drawn: int) -> None:
    assert 0.28 * 25 > 7  # what floats make of it
    assert _draw(_results({"A": ["passed"] * 25}), share=share).strata == {"p · A": (drawn, 25)}


def test_two_answers_for_one_call_are_refused(folder: RunFolder, tmp_path: Path) -> None:
    twice = [{"call_id": "A-1", "verdict": verdict} for verdict in ("right", "wrong")]
    with pytest.raises(StorageError, match=r"answers\[1\] answers for A-1 a second time"):
        keep_review(folder, _form(tmp_path / "form.json", *twice), SAMPLE)
    assert read_reviews(folder) == ()


def test_a_reviewers_second_sample_keeps_the_first(folder: RunFolder, tmp_path: Path) -> None:
    first = keep_review(folder, _form(tmp_path / "a.json", {"call_id": "A-1", "verdict": "wrong"}), SAMPLE)
    sample = attrs.evolve(SAMPLE, seed=8)
    path = _form(tmp_path / "b.json", sample=sample.digest)
    second = keep_review(folder, path, sample)
    assert set(read_reviews(folder)) == {first, second}
    again = keep_review(folder, _form(tmp_path / "a.json", {"call_id": "A-1", "verdict": "right"}), SAMPLE)
    keep_review(folder, path, sample)
    assert set(read_reviews(folder)) == {again, second}


def test_no_review_is_written_outside_the_run(folder: RunFolder, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder.path / "reviews").symlink_to(elsewhere)
    with pytest.raises(StorageError, match="leads out of the run's folder"):
        keep_review(folder, _form(tmp_path / "form.json"), SAMPLE)
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--share", "nan"], "share must lie in 0..1, got nan"),
        (["--spot", "nan"], "spot_share must lie in 0..1, got nan"),
        (["--out", "{run}/run.json"], "is a part of the run"),
        (["--read", "x.json", "--out", "y.html"], "leave out --out"),
    ],
)
def test_wrong_use_of_the_command_is_one_line(folder: RunFolder, words: list[str], told: str) -> None:
    run = str(folder.path)
    before = (folder.path / "run.json").read_bytes()
    found = CliRunner().invoke(audit, [run, *(word.format(run=run) for word in words)])
    assert found.exit_code == 2
    assert told in found.output
    assert (folder.path / "run.json").read_bytes() == before
