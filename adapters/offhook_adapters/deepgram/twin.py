"""A local server that speaks Deepgram's Voice Agent wire, with the reference platform listening and talking
behind it.

Each message of a client is held against the SDK's own types, and so is each of the twin's, so the twin can't
just confirm how the adapter reads the vendor.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from offhook.twins import TwinFaults
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.served import ServedTwin, TwinLog, new_key

__all__ = ["running_twin"]


@asynccontextmanager
async def running_twin(agent: TwinAgent, faults: TwinFaults) -> AsyncIterator[ServedTwin]:
    """Listens on a free port of 127.0.0.1 inside the block. It takes any number of connections.

    Raises:
        ModuleNotFoundError: the Deepgram SDK is missing.
    """
    from offhook_adapters.deepgram._twin_server import serve_twin

    log, key = TwinLog(), new_key()
    async with serve_twin(agent, key, faults, log) as port:
        environment = {"DEEPGRAM_API_KEY": key, "DEEPGRAM_BASE_URL": f"http://127.0.0.1:{port}"}
        yield ServedTwin(key, environment, log, agent.failures)
