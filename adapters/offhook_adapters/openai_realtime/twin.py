"""A local server that speaks OpenAI Realtime's wire, or that of another platform of its family, with the
reference platform listening and talking behind it.

Each message of a client is held against the SDK's own types, and so is each of the twin's, so the twin can't
just confirm how the adapter reads the vendor. As a program:

    python -m offhook_adapters.openai_realtime.twin --task customer-support/T4-E1 --port 8123
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from offhook.sessions import AgentConfig
from offhook.twins import TwinFaults
from offhook_adapters.openai_realtime.twin_dialect import TwinDialect
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.served import TwinLog, new_key

__all__ = ["Twin"]


class Twin:
    """The server, as an asynchronous context manager. It takes any number of connections.

    Args:
        agent: who answers.
        key: the only key that is let in; a new one where none is given.
        faults: what goes wrong.
        port: where it listens on 127.0.0.1; 0 takes a free port.
        dialect: whose wire it speaks; OpenAI's own where none is given.

    Raises:
        ModuleNotFoundError: the OpenAI SDK is missing.
    """

    def __init__(
        self,
        agent: TwinAgent,
        *,
        key: str = "",
        faults: TwinFaults | None = None,
        port: int = 0,
        dialect: TwinDialect | None = None,
    ) -> None:
        from offhook_adapters.openai_realtime._twin_session import OpenAITwinDialect

        self._agent = agent
        self.key = key or new_key()
        self._faults = faults or TwinFaults()
        self._port = port
        self._dialect: TwinDialect = dialect or OpenAITwinDialect()
        self._log = TwinLog()
        self._ends = AsyncExitStack()

    @property
    def base_url(self) -> str:
        """What a client is given as its base URL."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def environment(self) -> Mapping[str, str]:
        return {self._dialect.key_name: self.key, self._dialect.url_name: self.base_url}

    @property
    def received(self) -> list[Mapping[str, Any]]:
        return self._log.received

    @property
    def sent(self) -> list[Mapping[str, Any]]:
        return self._log.sent

    @property
    def arrived(self) -> AgentConfig | None:
        return self._log.arrived

    @property
    def failures(self) -> list[Exception]:
        return list(self._agent.failures)

    async def __aenter__(self) -> Self:
        """Starts to listen.

        Raises:
            OSError: the port is taken.
        """
        from offhook_adapters.openai_realtime._twin_server import serve_twin

        served = serve_twin(self._agent, self._dialect, self.key, self._faults, self._port, self._log)
        self._port = await self._ends.enter_async_context(served)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._ends.aclose()


if __name__ == "__main__":
    from offhook_adapters.openai_realtime._twin_main import run

    run()
