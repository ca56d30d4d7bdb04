"""A local server that speaks ElevenLabs' REST API and its conversations, with the reference platform behind
them.

What a client sends is held against the SDK's own types, and unknown fields are refused. The SDK has no types
for the events of a conversation; that its own client reads them is for the tests to show.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from offhook.twins import TwinFaults
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.served import ServedTwin, TwinLog, new_key

if TYPE_CHECKING:
    from aiohttp import web

    from offhook_adapters.elevenlabs._twin_house import House

__all__ = ["serve_twin"]

_NO_QUOTA: Final = "This request exceeds your quota limit."
_EXPIRED: Final = "Max conversation duration reached"


@asynccontextmanager
async def serve_twin(
    agent: TwinAgent, faults: TwinFaults | None = None, *, port: int = 0
) -> AsyncIterator[ServedTwin]:
    """Listens on 127.0.0.1 for any number of clients; ``port`` 0 takes a free one.

    Raises:
        ModuleNotFoundError: the SDK is missing.
        OSError: the port is taken.
    """
    from aiohttp import web

    from offhook_adapters.elevenlabs._twin_house import House
    from offhook_adapters.elevenlabs._twin_rest import rest_routes, told_no
    from offhook_adapters.twins.server import serving

    shown, key, log, house = faults or TwinFaults(), new_key(), TwinLog(), House()

    async def converse(request: web.Request) -> web.StreamResponse:
        return await _converse(request, agent, shown, house, log)

    async def lost(request: web.Request) -> web.StreamResponse:
        return told_no(404, "not_found", f"there is nothing at {request.path}")

    routes = [
        *rest_routes(house, key, shown, log),
        web.get("/v1/convai/conversation", converse),
        web.get("/{path:.*}", lost),
    ]
    async with serving(routes, port=port) as taken:
        environment: Mapping[str, str] = {
            "ELEVENLABS_API_KEY": key,
            "ELEVENLABS_BASE_URL": f"http://127.0.0.1:{taken}",
        }
        yield ServedTwin(key, environment, log, agent.failures)


async def _converse(
    request: web.Request, agent: TwinAgent, faults: TwinFaults, house: House, log: TwinLog
) -> web.StreamResponse:
    from offhook_adapters.elevenlabs._twin_call import TwinCall
    from offhook_adapters.elevenlabs._twin_rest import told_no
    from offhook_adapters.twins.pipe import Farewell, Pipe
    from offhook_adapters.twins.server import Conversation, WireSocket, hold

    agent_id, secret = request.query.get("agent_id", ""), request.query.get("conversation_signature", "")
    if not house.admitted(agent_id, secret) or agent_id not in house.agents:
        return told_no(403, "unauthorized", "this agent wants a signed URL")
    hosted = house.agents[agent_id]

    def begin(socket: WireSocket) -> tuple[Pipe, Conversation]:
        pipe = Pipe(socket, faults, log.sent, strange=_strange, farewell=Farewell((), 1000, _EXPIRED))
        refusal = _NO_QUOTA if faults.no_quota else ""
        return pipe, TwinCall(pipe, agent, house, hosted, log, refusal)

    return await hold(request, begin)


def _strange(count: int) -> Mapping[str, Any]:
    return {"type": "mood_update", "mood_update_event": {"mood": "fine", "count": count}}
