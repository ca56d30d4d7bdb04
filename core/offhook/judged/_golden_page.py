"""A page on which people grade the calls of a run without knowing who answered them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence

import attrs

from offhook.judged._labels import GOLDEN_VERSION
from offhook.judging import JudgeCase

__all__ = ["golden_page", "run_stamp"]


def run_stamp(run_id: str) -> str:
    """What stands for a run on the page: its id usually holds the platform's name."""
    return hashlib.sha256(run_id.encode("utf-8", "replace")).hexdigest()[:16]


def golden_page(run_id: str, cases: Iterable[JudgeCase], *, seed: int = 1, calls: int | None = None) -> str:
    """The page as text: the mission, transcript and criteria of each call, in an order drawn from ``seed``,
    and of ``calls`` calls where there are more. It shows neither platform nor verdicts, and saves what was
    decided as a download.

    Raises:
        ValueError: there is no call to grade.
    """
    from offhook.report._html import asset, html_page  # the report brings the runner along

    drawn = _drawn([case for case in cases if case.transcript], seed)
    chosen = drawn if calls is None else drawn[:calls]
    if not chosen:
        raise ValueError("there is no call to grade: none of them has a word in it")
    data = {
        "version": GOLDEN_VERSION,
        "run": run_stamp(run_id),
        "calls": [
            {
                "id": case.call_id,
                "mission": case.mission.mission,
                "criteria": [attrs.asdict(criterion) for criterion in case.mission.criteria],
                "transcript": [attrs.asdict(line) for line in case.transcript],
            }
            for case in chosen
        ],
    }
    return html_page(
        title="Grade calls blind",
        kind="blind grading",
        data=data,
        script=asset("golden.js", "offhook.judged"),
        style=asset("golden.css", "offhook.judged"),
    )


def _drawn(cases: Sequence[JudgeCase], seed: int) -> list[JudgeCase]:
    ordered = sorted(cases, key=lambda case: case.call_id)
    random.Random(f"golden:{seed}").shuffle(ordered)
    return ordered
