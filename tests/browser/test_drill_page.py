"""``drills.html``, driven as a reader would drive it. The run holds a drill of 100, a measured 0, one that
was not measured and one in error.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser._look import faint, flaws, open_everything
from tests.browser._world import LONG
from tests.browser.conftest import OpenPage

WINDOWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
GREEN, RED, SOFT = "rgb(43, 122, 63)", "rgb(179, 38, 30)", "rgb(93, 99, 110)"


def _row(page: Page, drill: str) -> Locator:
    return page.locator("#overview tbody tr", has=page.locator("code", has_text=drill))


def _drill(page: Page, drill: str) -> Locator:
    """A drill, opened and drawn."""
    box = page.locator("details.call", has=page.locator("summary code", has_text=drill))
    box.locator("> summary").click()
    box.locator(".body").wait_for()
    return box


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_nothing_overlaps_or_fades(open_page: OpenPage, drilled: str, width: int, scheme: str) -> None:
    page = open_page(drilled, width=width, scheme=scheme)
    assert flaws(page) == []
    open_everything(page)
    page.locator(".lanes svg").nth(1).wait_for()
    assert flaws(page) == []
    assert faint(page) == []


def test_colours_tell_a_failure_from_what_was_not_measured(open_page: OpenPage, drilled: str) -> None:
    page = open_page(drilled)
    seen = {}
    for drill in ("first", "talkative", "camera", "broken"):
        cells = _row(page, drill).locator("td")
        colour = cells.nth(2).locator("span").evaluate("(mark) => getComputedStyle(mark).color")
        seen[drill] = (cells.nth(2).inner_text(), colour, cells.nth(3).inner_text())
    assert seen == {
        "first": ("100.0", GREEN, "measured"),
        "talkative": ("0.0", RED, "measured"),
        "camera": ("0.0", SOFT, "unmeasured"),
        "broken": ("–", SOFT, "error"),
    }


@pytest.mark.parametrize("width", [1280, 390])
def test_all_of_a_long_drill_fits_the_width_and_follows_it(
    open_page: OpenPage, drilled: str, width: int
) -> None:
    page = open_page(drilled, width=width)
    box = _drill(page, "talkative")
    for now in (width, 700):
        page.set_viewport_size({"width": now, "height": 900})
        page.wait_for_function(
            "(lanes) => lanes.firstChild && lanes.firstChild.viewBox.baseVal.width === lanes.clientWidth",
            arg=box.locator(".lanes").element_handle(),
        )
        place, bars = box.locator(".lanes").bounding_box(), box.locator(".lanes rect").all()
        assert place
        edges = [bar.bounding_box() for bar in bars]
        assert len(edges) == 41, "20 orders, 20 answers, one dismissal"
        assert max(edge["x"] + edge["width"] for edge in edges if edge) <= place["x"] + place["width"]
        height = box.locator(".lanes text").first.evaluate("(text) => text.getBoundingClientRect().height")
        assert height >= 12, "letters keep their size"


def test_evidence_is_folded_away_and_in_words(open_page: OpenPage, drilled: str) -> None:
    page = open_page(drilled)
    box = _drill(page, "talkative")
    shown = box.locator("tbody pre").first
    assert not shown.is_visible()
    box.get_by_text("show", exact=True).first.click()
    assert shown.inner_text().splitlines() == [
        f"heard: {LONG}",
        "heard from: 15.31\u00a0s",
        "latency: 0.50\u00a0s",
        "read: unit: none; value: 2",
        "set aside: none",
    ]
    assert "latency mean: 0.12\u00a0s; right: 1" in box.inner_text()
    assert "{" not in box.locator(".stack").last.inner_text(), "no JSON among what arrived"


def test_the_head_says_when_and_how_many(open_page: OpenPage, drilled: str) -> None:
    page = open_page(drilled)
    assert re.search(r"seed 1, \d{4}\u2011\d\d\u2011\d\d \d\d:\d\d\.", page.locator("#head").inner_text())
    figures = page.locator("#figures").inner_text()
    assert "1 run each: 1 error, 2 measured, 1 unmeasured" in figures
    assert page.get_by_role("link", name="all runs").count() == 0, "this page stands alone"


def test_the_sound_shows_its_length_plays_and_moves_the_hand(open_page: OpenPage, drilled: str) -> None:
    page = open_page(drilled)
    box = _drill(page, "talkative")
    audio = box.locator("audio")
    page.wait_for_function("(audio) => audio.readyState >= 1", arg=audio.element_handle())
    assert audio.evaluate("(audio) => audio.duration") > 60
    before = float(box.locator(".lanes .now").get_attribute("x1") or 0)
    place = audio.bounding_box()
    assert place
    audio.click(position={"x": 32, "y": place["height"] / 2})  # the button at the left of the controls
    page.wait_for_function("(audio) => !audio.paused && audio.currentTime > 0.1", arg=audio.element_handle())
    box.locator(".lanes rect.ours").nth(10).click()
    page.wait_for_function("(audio) => audio.currentTime > 30", arg=audio.element_handle())
    page.wait_for_function(
        "([hand, past]) => Number(hand.getAttribute('x1')) > past + 200",
        arg=[box.locator(".lanes .now").element_handle(), before],
    )
    other = _drill(page, "first")
    other.locator(".lanes rect").first.click()
    page.wait_for_function("(audio) => audio.paused", arg=audio.element_handle())
