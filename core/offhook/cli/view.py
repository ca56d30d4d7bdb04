"""``offhook view``: the runs in a folder, in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.cli._errors import ExitCode
from offhook.cli._output import count

__all__ = ["NoSocket", "view"]


class NoSocket(click.ClickException):
    """The pages can't be served where they were asked to be."""

    exit_code = ExitCode.ENVIRONMENT


@click.command(
    epilog="""\b
Examples:
  offhook view
  offhook view runs --open
  offhook view /data/nightly --port 8300
"""
)
@click.argument("folder", type=click.Path(path_type=Path), default=Path("runs"), metavar="[DIR]")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on.  [default: a free one]"
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on. Any but this machine's own lets others on the network see the runs.",
)
@click.option("--open/--no-open", "in_browser", default=False, show_default=True, help="Open a browser.")
def view(folder: Path, port: int, host: str, in_browser: bool) -> int:
    """Serve the reports of many runs, and compare two.

    Lists every run in DIR (default: runs) and up to two folders below it. Each run's report can be opened
    there, and two runs be laid side by side. Runs that go on meanwhile show up when the page is loaded again.
    Ctrl-C ends it.
    """
    from offhook.viewer import CannotListen, find_runs, is_loopback, serve_viewer, viewer_app

    if not folder.is_dir():
        raise _nothing(f"there is no folder {folder}")
    found = find_runs(folder)
    if not found:
        raise _nothing(f"no run in {folder} (no run.json or drills.json in it or two folders down)")

    def tell(address: str) -> None:
        click.echo(f"Serving {count(len(found), 'run')} of {folder} at {address}")
        click.echo("Ctrl-C ends it.", err=True)
        if not is_loopback(host):
            click.echo(f"warning: whoever reaches {host} can see these runs", err=True)
        if in_browser:
            click.launch(address)

    from offhook.host import PluginHost

    app = viewer_app(folder, PluginHost.discover(), local_only=is_loopback(host))
    try:
        serve_viewer(app, host=host, port=port, on_listening=tell)
    except CannotListen as error:
        raise NoSocket(str(error)) from error
    return ExitCode.DONE


def _nothing(why: str) -> click.UsageError:
    return click.UsageError(
        f"{why}; make a run with `offhook demo`, or name another DIR", click.get_current_context()
    )
