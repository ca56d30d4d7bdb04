"""Puts data, styles and script into one file that needs nothing else."""

from __future__ import annotations

import html
import json
from importlib import resources
from pathlib import Path

from offhook.host import PluginHost
from offhook.report._data import report_data
from offhook.storage import RunFolder, StorageError, write_text

__all__ = ["write_report"]


def write_report(folder: RunFolder, host: PluginHost, *, out: Path | None = None, audio: bool = True) -> Path:
    """Writes the page (default: ``report.html`` in the run folder) and returns its path.

    Args:
        audio: put the recordings into the page, as Opus; without them a call shows its waveform only.

    Raises:
        StorageError: the run's manifest is malformed, or the page can't be written.
    """
    page = out or folder.path / "report.html"
    shown = report_data(folder, host, audio=audio)
    data = json.dumps(shown, ensure_ascii=False, sort_keys=True)
    # A "<" in somebody's words could end the script element that holds the data.
    text = _asset("page.html")
    for slot, content in (
        ("/*TITLE*/", html.escape(f"{shown['run']['id']} · offhook report")),
        ("/*STYLE*/", _asset("page.css")),
        ("/*SCRIPT*/", _asset("page.js")),
        ("/*DATA*/", data.replace("<", "\\u003c")),
    ):
        text = text.replace(slot, content, 1)
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_text(page, text)
    except OSError as error:
        raise StorageError(f"cannot write {page}: {error.strerror or error}") from error
    return page


def _asset(name: str) -> str:
    return resources.files("offhook.report").joinpath(name).read_text(encoding="utf-8")
