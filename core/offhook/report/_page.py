"""A run as a page: with its sound inside as one file, or with the sound elsewhere for a server."""

from __future__ import annotations

from pathlib import Path

from offhook.host import PluginHost
from offhook.report._data import SoundSource, report_data
from offhook.report._html import asset, html_page
from offhook.report._sound import embedded_sound
from offhook.storage import RunFolder, StorageError, write_text

__all__ = ["report_page", "write_report"]


def write_report(folder: RunFolder, host: PluginHost, *, out: Path | None = None, audio: bool = True) -> Path:
    """Writes the page (default: ``report.html`` in the run folder) and returns its path.

    Args:
        audio: put the recordings into the page, as Opus; without them a call shows its waveform only.

    Raises:
        StorageError: the run's manifest is malformed, or the page can't be written.
    """
    page = out or folder.path / "report.html"
    text = report_page(folder, host, source=_embedded if audio else _silent)
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
