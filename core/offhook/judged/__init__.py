"""Judging a stored call: what a judge is shown, how its quotes are checked, what its rulings come to, and
whether a judge can be relied on.

`offhook.judging` has the data and what a judge is; this is what the harness does around one."""

from __future__ import annotations

from offhook.judged._case import case_of, mission_of, transcript_of
from offhook.judged._drift import (
    CONSISTENCY_BAR,
    FALSE_PASS_BAR,
    FEWEST_GOLDEN_CALLS,
    KAPPA_BAR,
    SWAP_BAR,
    DriftReport,
    DriftRow,
    check_drift,
    verdicts_of,
)
from offhook.judged._fold import check_rulings, grade_judged, judge_call, rulings_of
from offhook.judged._golden_page import golden_page, run_stamp
from offhook.judged._labels import (
    GOLDEN_VERSION,
    GoldenLabel,
    ReadLabels,
    SettledLabels,
    read_labels,
    settle,
    taken,
    write_labels,
)
from offhook.judged._panel import Panel
from offhook.judged._quotes import FEWEST_WORDS, FoundQuote, contains_words, find_quote

__all__ = [
    "CONSISTENCY_BAR",
    "FALSE_PASS_BAR",
    "FEWEST_GOLDEN_CALLS",
    "FEWEST_WORDS",
    "GOLDEN_VERSION",
    "KAPPA_BAR",
    "SWAP_BAR",
    "DriftReport",
    "DriftRow",
    "FoundQuote",
    "GoldenLabel",
    "Panel",
    "ReadLabels",
    "SettledLabels",
    "case_of",
    "check_drift",
    "check_rulings",
    "contains_words",
    "find_quote",
    "golden_page",
    "grade_judged",
    "judge_call",
    "mission_of",
    "read_labels",
    "rulings_of",
    "run_stamp",
    "settle",
    "taken",
    "transcript_of",
    "verdicts_of",
    "write_labels",
]
