"""``offhook plugins``: what was discovered and what could not be used."""

from __future__ import annotations

import click

from offhook.cli._output import count, json_option, print_json, print_table
from offhook.host import PluginHost

__all__ = ["plugins"]


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
    print_table(
        count(len(host.plugins), "plugin"),
        ("kind", "name", "plugin", "distribution", "version"),
        [(c.kind, c.name, c.plugin.name, c.plugin.distribution, c.plugin.version) for c in components],
        whole=("kind", "name"),
    )
    for problem in host.problems:
        click.echo(f"problem: {problem}")
