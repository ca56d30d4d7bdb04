"""The audit form, filled in as a reviewer would; what it saves is read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from offhook.defects import AuditSample, audit_page, draw_audit, keep_review, tally_audit
from offhook.host import PluginHost
from offhook.report._sound import embedded_sound
from offhook.runner import read_run, summary_of
from offhook.storage import RunFolder
from tests.browser._look import faint, flaws, open_everything
from tests.browser.conftest import OpenPage

WINDOWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


@pytest.fixture
def audited(shelf: Path, host: PluginHost) -> tuple[RunFolder, AuditSample, str]:
    folder = RunFolder(shelf / "nightly" / "claims")
    summary = summary_of(folder, host)
    sample = draw_audit(folder.manifest(), summary.calls, {}, seed=3, share=1.0, spot_share=1.0)

    def sound(run: RunFolder, call_id: str) -> str:
        return embedded_sound(run.call_folder(call_id) / "recording.flac", run.path / "derived")

    page = folder.path / "audit.html"
    page.write_text(audit_page(folder, host, sample, source=sound), encoding="utf-8")
    return folder, sample, page.as_uri()


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_nothing_overlaps_or_fades(
    open_page: OpenPage, audited: tuple[RunFolder, AuditSample, str], width: int, scheme: str
) -> None:
    page = open_page(audited[2], width=width, scheme=scheme)
    assert flaws(page) == []
    open_everything(page)
    assert flaws(page) == []
    assert faint(page) == []


def _answer(page: Page, call_id: str, label: str, value: str) -> None:
    box = page.locator(f"#call-{call_id}")
    if not box.evaluate("node => node.open"):
        box.locator("> summary").click()
    box.get_by_label(label).select_option(value)


def test_a_form_is_filled_saved_and_read(
    open_page: OpenPage, audited: tuple[RunFolder, AuditSample, str], host: PluginHost, tmp_path: Path
) -> None:
    folder, sample, address = audited
    page = open_page(address)
    assert page.locator("#save").is_disabled()
    page.locator("#who").fill("Mira S")
    assert "may hold letters" in page.locator("#left").inner_text()
    page.locator("#who").fill("mira")
    for item in sample.items:
        if item.state == "failed":
            _answer(page, item.call_id, "Cause, the first that applies", "2")
        else:
            _answer(page, item.call_id, "Graded pass: is that right?", "right")
    assert page.locator("#left").inner_text() == "all answered"
    with page.expect_download() as saved:
        page.locator("#save").click()
    path = tmp_path / "form.json"
    saved.value.save_as(path)
    tally = tally_audit(sample, keep_review(folder, path, sample), read_run(folder, host).grades)
    assert tally.open == ()
    failed = [item.call_id for item in sample.items if item.state == "failed"]
    assert failed
    assert sorted(tally.own) == sorted(failed)


def test_a_reload_forgets_nothing(open_page: OpenPage, audited: tuple[RunFolder, AuditSample, str]) -> None:
    _, sample, address = audited
    page = open_page(address)
    page.locator("#who").fill("noor")
    failed = next(item for item in sample.items if item.state == "failed")
    _answer(page, failed.call_id, "Cause, the first that applies", "5")
    page.reload()
    assert page.locator("#who").input_value() == "noor"
    assert "✓ answered" in page.locator(f"#call-{failed.call_id} > summary").inner_text()
