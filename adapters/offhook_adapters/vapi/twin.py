"""A local server that speaks Vapi's REST interface and WebSocket transport and posts its webhooks, with the
reference platform listening and talking behind it.

What a client sends is held against the SDK's own types, and so is what the twin sends, so the twin can't just
confirm how the adapter reads the vendor.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from offhook.twins import TwinFaults
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.served import ServedTwin, TwinLog, new_key

__all__ = ["running_twin"]


@asynccontextmanager
async def running_twin(agent: TwinAgent, faults: TwinFaults) -> AsyncIterator[ServedTwin]:
    """Listens on a free port of 127.0.0.1 inside the block. It takes any number of calls.

    Raises:
        ModuleNotFoundError: the Vapi SDK is missing.
    """

    def load() -> None:  # seconds, the first time
        import offhook_adapters.vapi._twin_server  # noqa: F401
        from offhook_adapters.vapi._twin_checks import build_checks
        from offhook_adapters.vapi.rest import import_sdk

        build_checks()
        import_sdk()  # the adapter is in this process, too, and its first call should not wait

    await asyncio.to_thread(load)
    from offhook_adapters.vapi._twin_server import serve_twin

    log, key = TwinLog(), new_key()
    async with serve_twin(agent, key, faults, log) as port:
        environment = {"VAPI_API_KEY": key, "VAPI_BASE_URL": f"http://127.0.0.1:{port}"}
        yield ServedTwin(key, environment, log, agent.failures)
