"""The twin as a program, for clients that are not offhook."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import click

from offhook.host import PluginHost
from offhook.runner.engines import EngineChoice, choose_engines
from offhook.runner.kit import follower_plan
from offhook.runner.plan import UnknownName, pick_tasks
from offhook.sessions import CallSetup
from offhook.streams import stream
from offhook.twins import FAULTS, TwinFaults
from offhook_adapters.openai_realtime.twin import Twin
from offhook_adapters.twins.agent import TwinAgent

__all__ = ["run"]


@click.command()
@click.option("--task", required=True, help="Which task the agent behind the wire knows, as pack/ID.")
@click.option("--port", default=8123, show_default=True, help="Where to listen on 127.0.0.1.")
@click.option("--fault", type=click.Choice(sorted(FAULTS)), default="none", show_default=True)
@click.option("--seed", default=1, show_default=True, help="Draws the delays of the reference platform.")
def _main(task: str, port: int, fault: str, seed: int) -> None:
    """Serves OpenAI Realtime's wire with the reference platform behind it.

    OPENAI_API_KEY is the key that clients must give.
    """
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key:
        raise click.ClickException("OPENAI_API_KEY is not set: set it to the key that clients shall give")
    host = PluginHost.discover()
    packs = host.packs()
    try:
        found = pick_tasks(packs, [task])
        engines = choose_engines(host, EngineChoice())
    except UnknownName as error:
        raise click.ClickException(str(error)) from error
    if len(found) != 1:
        raise click.ClickException(f"{task} names {len(found)} tasks: name one of them, as pack/ID")
    pack = packs[found[0].pack]

    def rng(purpose: str) -> Any:
        return stream(seed, "twin", purpose)

    call = CallSetup("twin", pack.now, rng, engines, follower_plan(pack, found[0]))
    try:
        asyncio.run(_serve(TwinAgent(call), key, FAULTS[fault], port))
    except OSError as error:
        raise click.ClickException(f"port {port} can't be used ({error.strerror}): choose another") from error
    except KeyboardInterrupt:
        click.echo("stopped")


def run() -> None:
    """The command line."""
    _main()


async def _serve(agent: TwinAgent, key: str, faults: TwinFaults, port: int) -> None:
    async with Twin(agent, key=key, faults=faults, port=port) as twin:
        click.echo(f"listening: base_url={twin.base_url}")
        await asyncio.Event().wait()
