"""The cards as one self-contained HTML page, drawn like a run's report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from offhook.report._html import asset, html_page
from offhook.scorecard._card import Scorecard
from offhook.scorecard._compare import RunComparison
from offhook.scorecard._plain import plain

__all__ = ["compare_page", "scorecard_page"]


def scorecard_page(card: Scorecard, *, damaged: Iterable[str] = ()) -> str:
    """One run's cards. ``damaged`` are lines on calls that could not be read in full."""
    data = {"card": plain(card), "lines": list(card.lanes.lines), "damaged": list(damaged)}
    return html_page(
        title=f"{card.platform.run_id} · offhook scorecard",
        kind="scorecard",
        data=data,
        script=_script("card.js"),
        style=asset("card.css", "offhook.scorecard"),
    )


def compare_page(comparison: RunComparison, *, damaged: Mapping[str, Iterable[str]] | None = None) -> str:
    """Several runs beside each other."""
    data: dict[str, Any] = {
        "comparison": plain(comparison),
        "lines": {name: list(comparison.lanes(name).lines) for name in comparison.runs},
        "damaged": {name: list(lines) for name, lines in (damaged or {}).items()},
    }
    return html_page(
        title=f"{' and '.join(comparison.runs)} · offhook comparison",
        kind="comparison",
        data=data,
        script=_script("against.js"),
        style=asset("card.css", "offhook.scorecard"),
    )


def _script(name: str) -> str:
    return f"{asset('shared.js', 'offhook.scorecard')}\n{asset(name, 'offhook.scorecard')}"
