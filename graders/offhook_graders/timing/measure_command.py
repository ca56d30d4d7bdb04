"""``offhook measure``: waits and conversation of a recording that has nothing beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click

__all__ = ["measure"]

_NOT_ALL_MEASURED: Final = 1
_REFUSED: Final = 2


class _Refused(click.ClickException):
    exit_code = _REFUSED


@click.command(
    epilog="""\b
Examples:
  offhook measure call.wav
  offhook measure call.mp3 --swap
  offhook measure call.flac --html call.html
  offhook measure call.ogg --json
"""
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--swap", is_flag=True, help="The agent is on the left channel, the caller on the right.")
@click.option("--html", type=click.Path(path_type=Path), metavar="OUT", help="Write a page with a plot, too.")
@click.option("--force", is_flag=True, help="Write over a page that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout instead of tables and a plot.")
@click.pass_context
def measure(ctx: click.Context, file: Path, swap: bool, html: Path | None, force: bool, as_json: bool) -> int:
    """Measure a stereo recording: how long the caller waits, and how the two talk.

    FILE is any audio file of two channels, caller left and agent right, at 8 kHz or more: wav, flac, ogg or
    mp3. Turns are found in the sound itself; no transcript is needed. Exit codes: 0 all was measured, 1
    something was not (it says what and why), 2 the file can't be measured at all.
    """
    from offhook.storage import clean_text, write_text
    from offhook_graders.timing.measure import measure_recording
    from offhook_graders.timing.recording import RecordingError, read_stereo

    if html is not None and html.is_dir():
        raise click.UsageError(f"{html} is a folder; name a file in it", ctx)
    if html is not None and html.exists() and not force:
        raise click.UsageError(f"{html} is there already; add --force to write over it", ctx)
    try:
        found = measure_recording(read_stereo(file, swap=swap))
    except RecordingError as error:
        raise _Refused(_printable(str(error))) from error
    name = _printable(file.name)
    if as_json:
        told = {"file": clean_text(str(file)), **found.as_json()}
        click.echo(json.dumps(told, ensure_ascii=False, sort_keys=True, allow_nan=False))
    else:
        from rich.console import Console

        from offhook_graders.timing.measure_view import print_measurement

        print_measurement(name, found, Console(markup=False))
    if html is not None:
        from offhook_graders.timing.measure_page import measurement_page

        try:
            write_text(html, measurement_page(name, found))
        except OSError as error:
            raise _Refused(f"{html}: can't be written: {error.strerror or error}") from error
        click.echo(f"page: {html}", err=True)
    return _NOT_ALL_MEASURED if found.not_measured else 0


def _printable(name: str) -> str:
    """A file's name may hold anything: bytes that are no UTF-8, line breaks, codes that steer a terminal, and
    characters that the output has none for. Each of them becomes a question mark or U+FFFD.
    """
    import sys
    import unicodedata

    from offhook.storage import clean_text

    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    text = clean_text(name).encode(encoding, "replace").decode(encoding)
    return "".join("\ufffd" if unicodedata.category(char) == "Cc" else char for char in text)
