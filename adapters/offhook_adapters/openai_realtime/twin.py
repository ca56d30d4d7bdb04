"""A local server that speaks OpenAI Realtime's wire, with the reference platform listening and talking behind
it.

Each message of a client is held against the SDK's own types, and so is each of the twin's, so the twin can't
just confirm how the adapter reads the vendor. As a program:

    python -m offhook_adapters.openai_realtime.twin --task customer-support/T4-E1 --port 8123
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import attrs

from offhook.sessions import CallSetup, Engines
from offhook.speech import SpeechUnavailable
from offhook_adapters.reference.minds.desk import MindFactory
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.reference.session import Delays

if TYPE_CHECKING:
    from websockets.asyncio.server import Server

__all__ = ["FAULTS", "Twin", "TwinAgent", "TwinFaults"]


@attrs.frozen
class TwinFaults:
    """What goes wrong on demand.

    ``refuse`` answers the connection with that HTTP status. ``cut_after`` breaks it off, and ``stall_after``
    goes silent with the connection open, after so many pieces of the agent's sound (200 ms each). ``burst``
    holds what is sent back for so many seconds and sends it at once. ``unknown_event`` sends an event nobody
    documented with each response.
    """

    refuse: int | None = None
    cut_after: int | None = None
    stall_after: int | None = None
    burst: float = 0.0
    unknown_event: bool = False


FAULTS: Final[Mapping[str, TwinFaults]] = MappingProxyType(
    {
        "none": TwinFaults(),
        "refuse": TwinFaults(refuse=503),
        "cut": TwinFaults(cut_after=20),
        "stall": TwinFaults(stall_after=20),
        "burst": TwinFaults(burst=0.6),
        "unknown": TwinFaults(unknown_event=True),
    }
)


@attrs.frozen(eq=False)
class TwinAgent:
    """Who answers behind the wire. ``call`` brings what never crosses it: the engines, the random streams,
    and the plan of the policy follower. ``voice`` names one of the engines' voices; empty takes the usual
    one. ``failures`` gathers what a client can't be told.
    """

    call: CallSetup
    make_mind: MindFactory = make_follower
    delays: Delays = attrs.field(factory=Delays)
    voice: str = ""
    failures: list[SpeechUnavailable] = attrs.field(factory=list)

    @property
    def engines(self) -> Engines:
        """Raises ValueError for a call that brings none."""
        if self.call.engines is None:
            raise ValueError("the twin listens and talks itself: give its call speech engines")
        return self.call.engines


class Twin:
    """The server, as an asynchronous context manager. It takes any number of connections.

    Args:
        agent: who answers.
        key: the only key that is let in.
        faults: what goes wrong.
        port: where it listens on 127.0.0.1; 0 takes a free port.
    """

    def __init__(
        self, agent: TwinAgent, *, key: str, faults: TwinFaults | None = None, port: int = 0
    ) -> None:
        self._agent = agent
        self._key = key
        self._faults = faults or TwinFaults()
        self._port = port
        self._server: Server | None = None
        self.received: list[Mapping[str, Any]] = []
        self.sent: list[Mapping[str, Any]] = []

    @property
    def base_url(self) -> str:
        """What a client is given as its base URL."""
        return f"http://127.0.0.1:{self._port}/v1"

    async def __aenter__(self) -> Self:
        """Starts to listen.

        Raises:
            ModuleNotFoundError: the OpenAI SDK is missing.
            OSError: the port is taken.
        """
        from offhook_adapters.openai_realtime._twin_server import serve_twin

        self._server = await serve_twin(
            self._agent, self._key, self._faults, self._port, received=self.received, sent=self.sent
        )
        self._port = next(iter(self._server.sockets)).getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


if __name__ == "__main__":
    from offhook_adapters.openai_realtime._twin_main import run

    run()
