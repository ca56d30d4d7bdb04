"""Filled-in audit forms: read, kept beside the run, and counted against the automatic attribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from offhook.defects._audit import AuditSample
from offhook.scoring import ATTRIBUTION_REVIEWER
from offhook.storage import StorageError, disk_error, from_json, is_safe_name, read_text, to_json, write_text

if TYPE_CHECKING:
    from offhook.grading import Grade
    from offhook.storage import RunFolder

__all__ = ["AuditTally", "Review", "keep_review", "read_reviews", "tally_audit"]

REVIEW_VERSION: Final = 1
_OWN_CAUSES: Final = (1, 2, 3)


@attrs.frozen
class Answer:
    """What a reviewer says of one call. ``cause`` 1 to 7 files a failure, 0 says that it was none of those
    or is still open; ``verdict`` is ``right``, ``wrong`` or empty (open), of the call's automatic grade."""

    call_id: str
    cause: int = 0
    verdict: str = ""
    note: str = ""


@attrs.frozen
class Review:
    """A filled-in form."""

    version: int
    run_id: str
    sample: str
    reviewer: str
    answers: tuple[Answer, ...]


@attrs.frozen
class AuditTally:
    """What an audit found. ``agree`` of ``compared`` failures have the automatic attribution's cause;
    ``differ`` lists the others as (call id, automatic, reviewer's). ``own`` are failures that the reviewer
    puts on the benchmark, ``false_passes`` of ``spot_checked`` passing calls should have failed,
    ``false_fails`` should have passed. ``open`` calls still want an answer."""

    reviewer: str
    agree: int
    compared: int
    differ: tuple[tuple[str, int, int], ...]
    own: tuple[str, ...]
    false_passes: tuple[str, ...]
    false_fails: tuple[str, ...]
    spot_checked: int
    open: tuple[str, ...]


def keep_review(folder: RunFolder, path: Path, sample: AuditSample) -> Review:
    """Reads a filled-in form and keeps it as ``reviews/<reviewer>.json`` of the run, or
    ``reviews/<reviewer>.<sample>.json`` where that file holds the reviewer's form for another sample.

    Raises:
        StorageError: the file is not a form of this sample, names a call outside it or one twice, or can't
            be kept.
    """
    review = from_json(read_text(path), Review, source=str(path), version=REVIEW_VERSION)
    if (review.run_id, review.sample) != (sample.run_id, sample.digest):
        raise StorageError(
            f"{path} is a form for sample {review.sample} of run {review.run_id}; this is sample "
            f"{sample.digest} of run {sample.run_id}: use the --seed, --share and --spot that the form was "
            "drawn with (after new grades, draw a new form)"
        )
    if not is_safe_name(review.reviewer):
        raise StorageError(
            f"{path}: $.reviewer is {review.reviewer!r}; use letters, digits, '.', '_' and '-' (no spaces)"
        )
    known = {item.call_id for item in sample.items}
    said: set[str] = set()
    for place, answer in enumerate(review.answers):
        if answer.call_id not in known:
            raise StorageError(
                f"{path}: $.answers[{place}] is for {answer.call_id!r}, not a call of the sample"
            )
        if not 0 <= answer.cause <= 7 or answer.verdict not in ("", "right", "wrong"):
            raise StorageError(
                f"{path}: $.answers[{place}] has cause {answer.cause} and verdict {answer.verdict!r}, "
                "expected 0 to 7 and right, wrong or nothing"
            )
        if answer.call_id in said:
            raise StorageError(f"{path}: $.answers[{place}] answers for {answer.call_id} a second time")
        said.add(answer.call_id)
    kept = _place(folder, review)
    if not kept.resolve().is_relative_to(folder.path.resolve()):
        raise StorageError(f"{kept} leads out of the run's folder; nothing is written there")
    try:
        kept.parent.mkdir(exist_ok=True)
        write_text(kept, to_json(review) + "\n")
    except OSError as error:
        raise disk_error(kept, error) from error
    return review


def _place(folder: RunFolder, review: Review) -> Path:
    """A reviewer's first sample is under their name alone. A form for another one stands beside it, and a
    form for the same sample takes the place of the earlier one."""
    first = folder.path / "reviews" / f"{review.reviewer}.json"
    if not first.is_file():
        return first
    held = from_json(read_text(first), Review, source=str(first), version=REVIEW_VERSION)
    if (held.reviewer, held.sample) == (review.reviewer, review.sample):
        return first
    return first.with_name(f"{review.reviewer}.{review.sample}.json")


def read_reviews(folder: RunFolder) -> tuple[Review, ...]:
    """All forms kept with a run, by reviewer.

    Raises:
        StorageError: one of them is malformed.
    """
    place = folder.path / "reviews"
    paths = sorted(place.glob("*.json")) if place.is_dir() else []
    return tuple(
        from_json(read_text(path), Review, source=str(path), version=REVIEW_VERSION) for path in paths
    )


def tally_audit(sample: AuditSample, review: Review, grades: Sequence[Grade]) -> AuditTally:
    """Counts a form. Calls without a duty need no answer."""
    answers = {answer.call_id: answer for answer in review.answers}
    automatic = _causes(grades)
    differ: list[tuple[str, int, int]] = []
    own, false_passes, false_fails, still_open = [], [], [], []
    compared = spot_checked = 0
    for item in sample.items:
        answer = answers.get(item.call_id, Answer(item.call_id))
        if item.duty == "spot check":
            spot_checked += answer.verdict != ""
            if answer.verdict == "wrong":
                false_passes.append(item.call_id)
            elif not answer.verdict:
                still_open.append(item.call_id)
        elif item.duty == "attribute":
            if answer.verdict == "wrong":
                false_fails.append(item.call_id)
            elif not answer.cause:
                still_open.append(item.call_id)
            else:
                compared += item.call_id in automatic
                if automatic.get(item.call_id, answer.cause) != answer.cause:
                    differ.append((item.call_id, automatic[item.call_id], answer.cause))
                if answer.cause in _OWN_CAUSES:
                    own.append(item.call_id)
    return AuditTally(
        reviewer=review.reviewer,
        agree=compared - len(differ),
        compared=compared,
        differ=tuple(differ),
        own=tuple(own),
        false_passes=tuple(false_passes),
        false_fails=tuple(false_fails),
        spot_checked=spot_checked,
        open=tuple(still_open),
    )


def _causes(grades: Sequence[Grade]) -> Mapping[str, int]:
    return {
        grade.call_id: int(grade.numbers["cause"])
        for grade in grades
        if grade.grader == ATTRIBUTION_REVIEWER and grade.numbers.get("cause")
    }
