"""``offhook view`` in a browser: from the list to a comparison and a report."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page

from offhook.host import PluginHost
from tests.browser._look import faint, flaws, open_everything
from tests.browser._world import make_run
from tests.browser.conftest import OpenPage

WINDOWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


@pytest.fixture(scope="module")
def served(shelf: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a server over a copy of the runs, and the copy."""
    root = tmp_path_factory.mktemp("served") / "runs"
    shutil.copytree(shelf, root)
    command = [str(Path(sys.executable).with_name("offhook")), "view", str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().split()[-1], root
        finally:
            server.send_signal(signal.SIGINT)
    assert server.returncode == 0


def _names(page: Page) -> list[str]:
    return page.locator("#rows tbody a").all_inner_texts()


def test_the_list_shows_every_run_and_what_is_wrong_with_one(
    open_page: OpenPage, served: tuple[str, Path]
) -> None:
    page = open_page(served[0])
    assert sorted(_names(page)) == ["nightly/claims", "odd", "plain"]
    row = page.locator("#rows tr", has_text="nightly/claims").inner_text()
    assert "saboteur-claims-done" in row
    assert "2 of 3 (67\u00a0%)" in row
    assert "95 % interval 21\u00a0% to 94\u00a0%" in row
    assert "1 damaged" in page.locator("#rows tr", has_text="odd").inner_text()
    assert "not JSON" in page.locator("#broken tr", has_text="broken").inner_text()


def test_a_drill_run_is_listed_and_opens(open_page: OpenPage, served: tuple[str, Path]) -> None:
    page = open_page(served[0])
    assert "33.3" in page.locator("#drills tr", has_text="drilled").inner_text()
    page.get_by_role("link", name="drilled").click()
    page.locator("#drill-2 > summary").click()
    page.locator("#drill-2 audio").wait_for()
    page.get_by_role("link", name="all runs").click()
    page.locator("h1", has_text="Runs").wait_for()


def test_points_of_different_maxima_are_not_subtracted(
    open_page: OpenPage, served: tuple[str, Path], host: PluginHost, tmp_path: Path
) -> None:
    address, root = served
    make = ThreadPoolExecutor(1)  # the browser's own event loop is on this thread
    make.submit(make_run, host, tmp_path / "text", tasks=("T4-E1",), line="text").result()
    shutil.copytree(tmp_path / "text", root / "text")
    try:
        for width, scheme in WINDOWS:
            page = open_page(address + "compare?a=plain&b=text", width=width, scheme=scheme)
            assert flaws(page) == []
            assert faint(page) == []
        assert (
            "Different maxima: A is scored out of 100, B out of 80." in page.locator("#warnings").inner_text()
        )
        rows = page.locator("#score tbody tr").all()
        cells = {
            row.locator("td").first.inner_text(): row.locator("td").all_inner_texts()[1:] for row in rows
        }
        assert cells["platform score"][2] == "different scale"
        assert "1 call planned" in page.locator(".side").last.inner_text()
    finally:
        shutil.rmtree(root / "text")


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_nothing_overlaps_or_fades(
    open_page: OpenPage, served: tuple[str, Path], width: int, scheme: str
) -> None:
    for place in ("", "compare?a=plain&b=nightly/claims", "compare?a=plain&b=odd"):
        page = open_page(served[0] + place, width=width, scheme=scheme)
        assert flaws(page) == []
        assert faint(page) == []


def test_a_head_sorts_and_turns_round(open_page: OpenPage, served: tuple[str, Path]) -> None:
    page = open_page(served[0])
    page.get_by_role("button", name="graded").click()
    assert page.locator('th[aria-sort="descending"]').inner_text() == "graded ▾"
    first = page.locator("#rows tbody tr").first
    assert first.locator('td[data-label="graded"]').inner_text() == "3"
    page.get_by_role("button", name="run", exact=True).click()
    assert _names(page) == ["nightly/claims", "odd", "plain"]
    page.keyboard.press("Enter")  # the head still has the focus
    assert _names(page) == ["plain", "odd", "nightly/claims"]


def test_a_narrow_window_sorts_by_a_list(open_page: OpenPage, served: tuple[str, Path]) -> None:
    page = open_page(served[0], width=390)
    page.get_by_label("Sort by").select_option("run")
    assert _names(page) == ["nightly/claims", "odd", "plain"]
    page.get_by_role("button", name="Turn round").click()
    assert _names(page) == ["plain", "odd", "nightly/claims"]


def test_from_the_list_to_a_comparison_and_to_a_call(open_page: OpenPage, served: tuple[str, Path]) -> None:
    page = open_page(served[0])
    compare = page.get_by_role("button", name="Compare two")
    assert compare.is_disabled()
    page.get_by_label("Compare plain").check()
    page.get_by_label("Compare nightly/claims").check()
    assert page.get_by_label("Compare odd").is_disabled()
    compare.click()
    page.locator("h1", has_text="Two runs side by side").wait_for()
    first = page.locator("#tasks tbody tr").first.locator("td").all_inner_texts()
    assert first[:2] == ["passed → failed", "customer-support/T4-H1"]
    assert first[4:] == ["1 of 1 passed", "0 of 1 passed"]
    assert page.locator("#difference").inner_text().startswith("Pass share, B − A: −33 points")
    page.locator("#swap").click()
    page.locator("#difference", has_text="+33 points").wait_for()
    page.locator("#tasks tbody tr", has_text="T4-H1").locator("a").first.click()
    page.locator("details.call[open]", has_text="T4-H1").wait_for()
    assert page.locator("details.call[open] > summary > b").inner_text() == "failed"
    page.get_by_role("link", name="all runs").click()
    page.locator("h1", has_text="Runs").wait_for()


def test_sound_is_fetched_in_parts(open_page: OpenPage, served: tuple[str, Path]) -> None:
    page = open_page(served[0])
    answers: list[tuple[int, str]] = []
    page.on("response", lambda got: answers.append((got.status, got.url)) if "/sound?" in got.url else None)
    page.get_by_role("link", name="plain").click()
    page.locator("details.call > summary", has_text="T4-H1").click()
    call = page.locator("details.call", has=page.locator("summary", has_text="T4-H1"))
    turn = call.locator("button.turn.caller").last
    turn.click()
    start = call.locator(".turn.caller .at").last.inner_text()
    minutes, seconds = start.split(":")
    page.wait_for_function(
        "([audio, past]) => audio.currentTime > past",
        arg=[call.locator("audio").element_handle(), 60 * int(minutes) + float(seconds) + 0.1],
    )
    assert answers
    assert {status for status, _ in answers} == {206}


def test_a_run_that_grows_shows_on_reload(open_page: OpenPage, served: tuple[str, Path]) -> None:
    address, root = served
    page = open_page(address)
    assert "later" not in _names(page)
    late = root / "later"
    shutil.copytree(root / "plain", late)
    (held,) = [path for path in (late / "calls").iterdir() if "T4-H1" in (path / "record.json").read_text()]
    aside = root.parent / "aside"
    held.rename(aside)
    page.reload()
    cell = page.locator("#rows tr", has_text="later").locator('td[data-label="graded"]')
    assert cell.inner_text() == "2"
    aside.rename(held)
    page.reload()
    assert cell.inner_text() == "3"


def test_the_served_report_of_odd_calls_is_sound(open_page: OpenPage, served: tuple[str, Path]) -> None:
    page = open_page(served[0] + "run?name=odd", width=390, scheme="dark")
    open_everything(page)
    assert flaws(page) == []
