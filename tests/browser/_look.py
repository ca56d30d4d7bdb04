"""What a careful eye would object to on a page, found by measuring."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

__all__ = ["faint", "flaws", "open_everything"]

_LOOK: Final = Path(__file__).with_name("look.js").read_text(encoding="utf-8")


def open_everything(page: Page) -> None:
    """Opens all that can be folded out, and waits until it is drawn."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    # The bodies of calls are drawn on opening and bring details of their own.
    page.wait_for_function(
        "[...document.querySelectorAll('details.call')].every((each) => each.querySelector('.body'))"
    )
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    for button in page.get_by_role("button", name="Platform's own transcripts").all():
        button.click()


def flaws(page: Page) -> list[str]:
    """Everything that overlaps, sticks out or has to be scrolled sideways."""
    found: list[str] = page.evaluate(f"{_LOOK}.flaws()")
    return found


def faint(page: Page, *, least: float = 4.5) -> list[str]:
    """Text whose contrast with what is behind it is less than ``least``."""
    result: dict[str, Any] = page.evaluate(f"(least) => {_LOOK}.faint(least)", least)
    assert result["looked"] > 20, "hardly any text was looked at"
    found: list[str] = result["found"]
    return found
