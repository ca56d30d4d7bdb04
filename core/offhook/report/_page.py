"""A run as a page: with its sound inside as one file, or with the sound elsewhere for a server."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from offhook.host import PluginHost
from offhook.report._data import SoundSource, report_data
from offhook.report._html import asset, html_page
from offhook.report._sound import embedded_sound
from offhook.storage import RunFolder, StorageError, write_text

__all__ = ["holds_sound", "report_page", "write_report"]

# A minute and a half of a call is about a megabyte: a browser opens no page of many hundreds.
_CALLS_WITH_SOUND: Final = 120


def holds_sound(folder: RunFolder) -> bool:
    """Whether a run is small enough for a page with all its recordings inside."""
    return len(folder.call_ids()) <= _CALLS_WITH_SOUND


def write_report(
    folder: RunFolder, host: PluginHost, *, out: Path | None = None, audio: bool | None = None
) -> Path:
    """Writes the page (default: ``report.html`` in the run folder) and returns its path.

    Args:
        audio: put the recordings into the page, as Opus; without them a call shows its waveform only. None
            is where `holds_sound` says so.

    Raises:
        StorageError: the run's manifest is malformed, or the page can't be written.
    """
    page = out or folder.path / "report.html"
    inside = holds_sound(folder) if audio is None else audio
    text = report_page(folder, host, source=_embedded if inside else _silent)
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_text(page, text)
    except OSError as error:
        raise StorageError(f"cannot write {page}: {error.strerror or error}") from error
    return page


def report_page(folder: RunFolder, host: PluginHost, *, source: SoundSource, home: str = "") -> str:
    """The page as text.

    Args:
        source: where the page finds the sound of a call.
        home: the address of the list that the run is shown in; empty for a page that stands alone.

    Raises:
        StorageError: the run's manifest is malformed.
    """
    data = report_data(folder, host, source=source)
    title = f"{data['run']['id']} · offhook report"
    return html_page(
        title=title,
        kind="call report",
        data={**data, "home": home},
        script=asset("call.js") + asset("page.js"),
    )


def _embedded(folder: RunFolder, call_id: str) -> str:
    return embedded_sound(folder.call_folder(call_id) / "recording.flac", folder.path / "derived")


def _silent(folder: RunFolder, call_id: str) -> str:
    return ""
