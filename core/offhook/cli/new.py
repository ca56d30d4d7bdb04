"""``offhook new``: a plugin of one's own, that works and is tested."""

from __future__ import annotations

from pathlib import Path

import click

from offhook.host import PluginHost
from offhook.scaffold import KINDS, BadName, Plugin, plan, write

__all__ = ["new"]


@click.command(
    epilog="""\b
Examples:
  offhook new adapter my-platform
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

    NAME is what it is called on the command line. The folder offhook-NAME holds a pyproject.toml, one module
    to change as you like, and tests that pass. A folder that is there already is left as it is.
    """
    try:
        plugin = plan(kind, name)
    except BadName as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    for line in _clashes(plugin):
        click.echo(f"warning: {line}", err=True)
    folder = write(plugin, out)
    click.echo(
        f"Made {folder} with {len(plugin.files)} files; the one to change is {plugin.package}/plugin.py."
    )
    click.echo("Next:")
    for command in (f"cd {folder}", *plugin.commands):
        click.echo(f"  {command}")


def _clashes(plugin: Plugin) -> list[str]:
    """What is installed under the same name; of two things of one kind and name, one can't be used."""
    host = PluginHost.discover()
    for component in host.all_components():
        if (component.kind, component.name) == (plugin.kind.component, plugin.name):
            owner = component.plugin.distribution
            return [
                f"{plugin.kind.name} {plugin.name!r} is already provided by {owner};"
                " with both installed, one of them can't be used"
            ]
    owners = sorted({other.distribution for other in host.plugins if other.name == plugin.name})
    return [f"{owner} has a plugin called {plugin.name!r} too" for owner in owners]
