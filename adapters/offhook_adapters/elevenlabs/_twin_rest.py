"""The twin's REST API: the routes an adapter needs, with the vendor's answers."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web

from offhook.twins import TwinFaults
from offhook_adapters.elevenlabs._twin_checks import Bad, check_agent, check_tool
from offhook_adapters.elevenlabs._twin_house import House
from offhook_adapters.elevenlabs.models import catalogue
from offhook_adapters.twins.served import TwinLog
from offhook_adapters.twins.server import refusal

__all__ = ["rest_routes", "told_no"]

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def rest_routes(house: House, key: str, faults: TwinFaults, log: TwinLog) -> list[web.RouteDef]:
    """Every route under ``/v1/convai`` but the conversation's own."""

    def guarded(answer: Handler) -> Handler:
        async def guard(request: web.Request) -> web.StreamResponse:
            if faults.refuse is not None:
                return told_no(faults.refuse, "unavailable", "the twin was told to refuse")
            if not hmac.compare_digest(request.headers.get("xi-api-key", "").encode(), key.encode()):
                return told_no(401, "invalid_api_key", "Invalid API key")
            log.received.append(
                {"method": request.method, "path": request.path, "body": await _body(request)}
            )
            try:
                return await answer(request)
            except Bad as bad:
                wrong = {"loc": list(bad.place), "msg": bad.message, "type": "value_error"}
                return refusal(422, {"detail": [wrong]})
            except KeyError as error:
                return told_no(404, "not_found", f"there is no {error.args[0]}")

        return guard

    async def create_tool(request: web.Request) -> web.StreamResponse:
        return web.json_response(house.tool(house.add_tool(check_tool(await _body(request)))))

    async def show_tool(request: web.Request) -> web.StreamResponse:
        return web.json_response(house.tool(request.match_info["id"]))

    async def delete_tool(request: web.Request) -> web.StreamResponse:
        del house.tools[request.match_info["id"]]
        return web.json_response(None)

    async def create_agent(request: web.Request) -> web.StreamResponse:
        body = await _body(request)
        check_agent(body, house.tools, catalogue())
        agent = house.add_agent(body)
        log.arrived = agent.config(house.tools)
        return web.json_response({"agent_id": agent.agent_id})

    async def show_agent(request: web.Request) -> web.StreamResponse:
        return web.json_response(house.agents[request.match_info["id"]].told())

    async def delete_agent(request: web.Request) -> web.StreamResponse:
        del house.agents[request.match_info["id"]]
        return web.json_response(None)

    async def list_agents(request: web.Request) -> web.StreamResponse:
        sought = request.query.get("search", "").lower()
        found = [each.summary() for each in house.agents.values()]
        found = [each for each in found if sought in str(each["name"]).lower()]
        return web.json_response({"agents": found, "next_cursor": None, "has_more": False})

    async def sign(request: web.Request) -> web.StreamResponse:
        if faults.rate_limit:
            return told_no(429, "too_many_concurrent_requests", "too many conversations at once")
        agent = house.agents[request.query.get("agent_id", "")]
        secret = secrets.token_urlsafe(24)
        house.sign(agent.agent_id, secret)
        host = request.headers["Host"]
        query = f"agent_id={agent.agent_id}&conversation_signature={secret}"
        return web.json_response({"signed_url": f"ws://{host}/v1/convai/conversation?{query}"})

    async def show_conversation(request: web.Request) -> web.StreamResponse:
        return web.json_response(house.conversations[request.match_info["id"]].told())

    convai = "/v1/convai"
    return [
        web.post(f"{convai}/tools", guarded(create_tool)),
        web.get(f"{convai}/tools/{{id}}", guarded(show_tool)),
        web.delete(f"{convai}/tools/{{id}}", guarded(delete_tool)),
        web.post(f"{convai}/agents/create", guarded(create_agent)),
        web.get(f"{convai}/agents", guarded(list_agents)),
        web.get(f"{convai}/agents/{{id}}", guarded(show_agent)),
        web.delete(f"{convai}/agents/{{id}}", guarded(delete_agent)),
        web.get(f"{convai}/conversation/get-signed-url", guarded(sign)),
        web.get(f"{convai}/conversations/{{id}}", guarded(show_conversation)),
    ]


async def _body(request: web.Request) -> Any:
    """Raises Bad for what is no JSON."""
    if not request.body_exists:
        return None
    try:
        return await request.json()
    except ValueError:
        raise Bad("the body is not JSON", ("body",)) from None


def told_no(status: int, code: str, message: str) -> web.Response:
    """A refusal as the vendor words it."""
    detail: Mapping[str, str] = {"status": code, "message": message}
    return refusal(status, {"detail": detail})
