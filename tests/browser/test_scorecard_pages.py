"""The pages of ``offhook scorecard`` and ``offhook compare`` in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from offhook.host import PluginHost
from offhook.scorecard import compare_page, compare_runs, read_input, scorecard, scorecard_page
from offhook.storage import RunFolder
from tests.browser._look import faint, flaws
from tests.browser._world import LONG, MARKUP
from tests.browser.conftest import OpenPage
from tests.core.scorecard._built import build, call

WINDOWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


@pytest.fixture(scope="module")
def pages(shelf: Path, host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Addresses: the cards of a run with everything odd, and a run beside one that fails."""
    folder = tmp_path_factory.mktemp("cards")
    odd = read_input(RunFolder(shelf / "odd"), host)
    runs = {
        name: read_input(RunFolder(shelf / place), host).data
        for name, place in (("plain", "plain"), (f"{MARKUP} {LONG}", "nightly/claims"))
    }
    costs = {
        f"run-{number}": build(
            [call("S1", passed=number != 2, cost_usd=cost, cost_basis="bill"), call("S2", passed=number == 1)]
        )
        for number, cost in enumerate((0.02, 0.5, 0.7))
    }
    texts = {
        "costs": compare_page(compare_runs(costs)),
        "card": scorecard_page(scorecard(odd.data), damaged=[found.why for found in odd.damaged]),
        "comparison": compare_page(compare_runs(runs)),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in texts}


@pytest.mark.parametrize("name", ["card", "comparison", "costs"])
@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_a_page_is_whole_in_every_window(
    name: str, width: int, scheme: str, open_page: OpenPage, pages: dict[str, str]
) -> None:
    page = open_page(pages[name], width=width, scheme=scheme)

    assert flaws(page) == []
    assert faint(page) == []


def test_the_cards_show_their_figures(open_page: OpenPage, pages: dict[str, str]) -> None:
    page = open_page(pages["card"])

    assert "Damaged calls" in page.locator("#head").inner_text()
    assert page.locator("#lanes .lane").count() == 5
    assert "Wilson, clustered by task" in page.locator("#lanes .lane").first.inner_text()
    assert "objective met" in page.locator("#exam").inner_text()


def test_cost_and_completion_are_drawn(open_page: OpenPage, pages: dict[str, str]) -> None:
    page = open_page(pages["costs"])
    dots = page.locator("svg.chart circle")

    assert dots.count() == 3
    assert [dot.get_attribute("fill") for dot in dots.all()] == ["var(--good)", "var(--good)", "var(--soft)"]
    left, right = (float(dots.nth(at).get_attribute("cx") or 0) for at in (0, 2))
    assert (left, right) == (50, 540)
    assert open_page(pages["comparison"]).locator("svg.chart").count() == 0  # both cost nothing


def test_a_comparison_shows_what_changed(open_page: OpenPage, pages: dict[str, str]) -> None:
    page = open_page(pages["comparison"])

    assert "points (95% interval" in page.locator("#difference").inner_text()
    changed = page.locator("#crosswalk tbody tr").first.inner_text()
    assert "T4-H1" in changed
    assert "passes less often" in changed
    assert page.title() != "taken"
