"""``offhook new``: a plugin of one's own, that works and is tested."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from offhook.host import PluginHost
from offhook.scaffold import KINDS, BadName, Plugin, plan, write

__all__ = ["new"]


@click.command(
    epilog="""\b
Examples:
  offhook new adapter my-platform
  offhook new vendor tessera
  offhook new pack library --out plugins
  offhook new drill simon-says
  offhook new grader talk-share
"""
)
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.argument("name")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    show_default="the current folder",
    help="Where the plugin's folder is made.",
)
def new(kind: str, name: str, out: Path) -> None:
    """Make a new plugin that works and is tested.

    NAME is what it is called on the command line: lower-case letters and digits, with single hyphens or
    underscores between. The folder offhook-NAME holds a pyproject.toml, a module to change as you like, and
    tests that pass. An adapter is an agent in this process; a vendor is the adapter of a platform across a
    network, with a local twin of it, and passes offhook conformance.

    A folder that is there already is left as it is. A name that an installed plugin of that kind has is
    refused: of two with one name, one can't be used.
    """
    try:
        plugin = plan(kind, name)
    except BadName as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    host = PluginHost.discover()
    _refuse_taken(plugin, host)
    for owner in sorted({other.distribution for other in host.plugins if other.name == plugin.name}):
        click.echo(f"warning: {owner} has a plugin called {plugin.name!r} too", err=True)
    folder = write(plugin, out)
    changed = [name for name in ("twin.py", "plugin.py") if f"{plugin.package}/{name}" in plugin.files]
    are = "the one to change is" if len(changed) == 1 else "those to change are"
    named = " and then ".join(f"{plugin.package}/{name}" for name in changed)
    click.echo(f"Made {folder} with {len(plugin.files)} files; {are} {named}.")
    click.echo("Next:")
    for command in (*_activation(), f"cd {folder}", *plugin.commands):
        click.echo(f"  {command}")


def _refuse_taken(plugin: Plugin, host: PluginHost) -> None:
    """Raises UsageError where a plugin that is installed has a thing of the same kind and name."""
    for component in host.all_components():
        if (component.kind, component.name) == (plugin.kind.component, plugin.name):
            owner = component.plugin.distribution
            raise click.UsageError(
                f"{plugin.kind.name} {plugin.name!r} is already provided by {owner}, and of two with one name"
                " only the first is ever used; choose another name",
                click.get_current_context(),
            )


def _activation() -> tuple[str, ...]:
    """What puts this environment's pip and pytest first; nothing where it is active, or is no environment of
    its own. The path stays as it is said, for a symbolic link may well lead out of the environment.
    """
    script = Path(sys.prefix) / "bin" / "activate"
    active = os.environ.get("VIRTUAL_ENV", "")
    if sys.prefix == sys.base_prefix or not script.is_file():
        return ()
    if active and Path(active).resolve() == Path(sys.prefix).resolve():
        return ()
    return (f". {shlex.quote(str(script))}",)
