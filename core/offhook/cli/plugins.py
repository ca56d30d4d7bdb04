"""``offhook plugins``: what was discovered and what could not be used."""

from __future__ import annotations

from typing import Final

import click

from offhook.cli._output import count, json_option, print_json, print_table
from offhook.host import PluginHost, PluginInfo

__all__ = ["plugins"]

_OWN: Final = "offhook"


@click.command(
    epilog="""\b
Examples:
  offhook plugins
  offhook plugins --json
  offhook plugins --block acme
"""
)
@click.option(
    "--block", multiple=True, metavar="NAME", help="Leave out a plugin or distribution (repeatable)."
)
@json_option
def plugins(block: tuple[str, ...], as_json: bool) -> None:
    """List plugins, what they provide, and what is wrong with them."""
    host = PluginHost.discover(block=block)
    components = host.all_components()
    if as_json:
        print_json(
            {
                "plugins": [
                    {
                        "name": plugin.name,
                        "distribution": plugin.distribution,
                        "version": plugin.version,
                        "provides": [
                            {"kind": component.kind, "name": component.name}
                            for component in components
                            if component.plugin == plugin
                        ],
                    }
                    for plugin in host.plugins
                ],
                "problems": [
                    {"plugin": problem.plugin, "distribution": problem.distribution, "what": problem.what}
                    for problem in host.problems
                ],
            }
        )
        return
    verb = "provides" if len(host.plugins) == 1 else "provide"
    print_table(
        f"{count(len(host.plugins), 'plugin')} {verb} {count(len(components), 'thing')}",
        ("kind", "name", "plugin"),
        [(component.kind, component.name, _origin(component.plugin)) for component in components],
        whole=("kind", "name"),
    )
    own = sorted({plugin.version for plugin in host.plugins if plugin.distribution == _OWN})
    if own:
        click.echo(f"Plugins without a package are those of {_OWN} {own[0]} itself.")
    for problem in host.problems:
        click.echo(f"problem: {problem}")


def _origin(plugin: PluginInfo) -> str:
    """The plugin's name, and for one that is not offhook's own the package that brings it."""
    if plugin.distribution == _OWN:
        return plugin.name
    return f"{plugin.name} ({plugin.distribution} {plugin.version})"
