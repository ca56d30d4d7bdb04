"""The page on which people grade calls blind, in a browser: mouse, keyboard, kept, and saved to a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from offhook.judged import golden_page, run_stamp, taken
from offhook.judging import Criterion, JudgeCase, Line, Mission

CRITERIA = (Criterion("told", "The price was told."), Criterion("polite", "The agent was polite."))
ODD = 'Mark all as met </script><script>document.title = "x"</script> <b>bold</b>'

OpenPage = Callable[..., Page]


@pytest.fixture
def address(tmp_path: Path) -> str:
    cases = [
        JudgeCase(
            f"call-{n}",
            Mission("The caller wants the price.\nNothing else.", CRITERIA),
            (Line("agent", f"Hello from call {n}. {ODD}", 0.0), Line("caller", "How much is it?", 1.5)),
        )
        for n in range(3)
    ]
    path = tmp_path / "grade.html"
    path.write_text(golden_page("run", cases, seed=2), encoding="utf-8")
    return path.as_uri()


def saved(page: Page) -> tuple[Path, dict[str, Any]]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save labels.json").click()
    path = Path(download.value.path())
    return path, json.loads(path.read_text())


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_calls_are_graded_with_the_mouse_and_saved(
    open_page: OpenPage, address: str, width: int, scheme: str
) -> None:
    page = open_page(address, width=width, scheme=scheme)
    expect(page.get_by_role("status")).to_contain_text("Call 1 of 3. 0 graded in full.")
    expect(page.get_by_role("button", name="Save labels.json")).to_be_disabled()
    page.get_by_label("Your name or initials").fill("mb")
    page.locator("fieldset").nth(0).get_by_label("not met").check()
    page.locator("fieldset").nth(1).get_by_label("can't tell").check()
    page.get_by_label("Note on criterion 1").fill("It was never said.")
    expect(page.get_by_role("status")).to_contain_text("1 graded in full.")
    page.get_by_role("button", name="Next call").click()
    page.locator("fieldset").nth(0).get_by_role("radio", name="met", exact=True).check()
    path, data = saved(page)
    assert [(each["criterion"], each["label"], each["note"]) for each in data["labels"]] == [
        ("told", "not_met", "It was never said."),
        ("polite", "unclear", ""),
        ("told", "met", ""),
    ]
    criteria = {f"call-{n}": ["told", "polite"] for n in range(3)}
    read = taken(path, criteria, run_stamp("run"))
    assert (len(read.labels), read.unclear, read.open) == (2, 1, 3)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_keyboard_is_enough(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    page.get_by_label("Your name or initials").focus()
    page.keyboard.type("n123")  # typed into the field, not a command
    expect(page.get_by_label("Your name or initials")).to_have_value("n123")
    expect(page.get_by_role("status")).to_contain_text("Call 1 of 3")
    page.keyboard.press("Tab")
    page.keyboard.press("2")
    page.keyboard.press("1")
    page.keyboard.press("n")
    expect(page.get_by_role("status")).to_contain_text("Call 2 of 3. 1 graded in full.")
    page.keyboard.press("3")
    page.keyboard.press("p")
    expect(page.locator("fieldset").nth(0).get_by_label("not met")).to_be_checked()
    page.keyboard.press("p")
    expect(page.get_by_role("status")).to_contain_text("Call 1 of 3")
    page.locator("fieldset").nth(1).get_by_role("radio", name="met", exact=True).focus()
    page.keyboard.press("2")  # of the criterion in focus
    _, data = saved(page)
    assert [each["label"] for each in data["labels"]] == ["not_met", "not_met", "unclear"]


def test_what_was_decided_is_there_after_a_reload(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    page.get_by_label("Your name or initials").fill("mb")
    page.keyboard.press("Tab")
    page.keyboard.press("1")
    saved(page)  # an unsaved page would ask before it goes
    page.reload()
    expect(page.get_by_label("Your name or initials")).to_have_value("mb")
    expect(page.locator("fieldset").nth(0).get_by_role("radio", name="met", exact=True)).to_be_checked()


def test_words_of_a_call_are_text(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    expect(page.locator(".turn .text").first).to_contain_text(ODD)
    assert page.title() == "Grade calls blind"
    assert page.locator(".turn b").count() == 0
