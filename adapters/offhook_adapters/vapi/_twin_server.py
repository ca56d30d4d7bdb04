"""The twin's front door: REST as the vendor speaks it, and one TwinCall for each connection."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from aiohttp import web

from offhook.twins import TwinFaults
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.pipe import Farewell, Pipe
from offhook_adapters.twins.served import TwinLog
from offhook_adapters.twins.server import Conversation, WireSocket, hold, refusal, serving
from offhook_adapters.vapi._twin_account import Account, KeptCall
from offhook_adapters.vapi._twin_call import TwinCall
from offhook_adapters.vapi._twin_checks import Refused, check_order

__all__ = ["serve_twin"]

_NOBODY: Final = "manually-canceled"
_TOO_LONG: Final = "exceeded-max-duration"
_NAMES: Final[Mapping[int, str]] = {
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    429: "Too Many Requests",
    503: "Service Unavailable",
}
Answer = Callable[[Any, web.Request], Awaitable[web.StreamResponse]]


def serve_twin(
    agent: TwinAgent, key: str, faults: TwinFaults, log: TwinLog
) -> AbstractAsyncContextManager[int]:
    """Listens on a free port of 127.0.0.1."""
    account = Account()

    def turned_away(request: web.Request) -> web.Response | None:
        if faults.refuse is not None:
            return _refusal(faults.refuse, "The twin was told to refuse.")
        given = request.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {key}".encode()):
            return _refusal(401, "Invalid Key. Hot tip, you may be using the public key.")
        if faults.rate_limit:
            return _refusal(429, "Rate limit exceeded.")
        if faults.no_quota:
            return _refusal(400, "Billing Limits Exceeded.")
        return None

    def rest(answer: Answer) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            if (refused := turned_away(request)) is not None:
                return refused
            body = await _body(request)
            log.received.append({"request": f"{request.method} {request.path}", "body": body})
            try:
                return await answer(body, request)
            except Refused as error:
                return _refusal(400, [str(error)])

        return handle

    async def list_assistants(body: Any, request: web.Request) -> web.StreamResponse:
        return web.json_response(list(account.assistants.values()))

    async def create_assistant(body: Any, request: web.Request) -> web.StreamResponse:
        return web.json_response(account.create_assistant(body), status=201)

    async def delete_assistant(body: Any, request: web.Request) -> web.StreamResponse:
        gone = account.assistants.pop(request.match_info["id"], None)
        return _refusal(404, "Assistant not found.") if gone is None else web.json_response(gone)

    async def create_call(body: Any, request: web.Request) -> web.StreamResponse:
        return web.json_response(_shown(account.open_call(body), request), status=201)

    async def get_call(body: Any, request: web.Request) -> web.StreamResponse:
        kept = account.calls.get(request.match_info["id"])
        if kept is None:
            return _refusal(404, "Call not found.")
        return web.json_response(_shown(kept, request))

    async def delete_call(body: Any, request: web.Request) -> web.StreamResponse:
        kept = account.calls.pop(request.match_info["id"], None)
        if kept is None:
            return _refusal(404, "Call not found.")
        kept.end(_NOBODY, 0.0)
        return web.json_response(_shown(kept, request))

    async def control(request: web.Request) -> web.StreamResponse:
        kept = account.calls.get(request.match_info["id"])
        if kept is None or kept.status == "ended":
            return _refusal(404, "Call not found.")
        body = await _body(request)
        log.received.append({"request": f"POST {request.path}", "body": body})
        try:
            check_order(body)
        except Refused as error:
            return _refusal(400, [str(error)])
        kept.end(_NOBODY, 0.0)
        return web.json_response({})

    async def pick_up(request: web.Request) -> web.StreamResponse:
        kept = account.calls.get(request.match_info["id"])
        if kept is None or kept.status != "queued":  # the address is all that lets one in, and only once
            return _refusal(404, "Call not found.")

        def converse(socket: WireSocket) -> tuple[Pipe, Conversation]:
            last = {"type": "status-update", "status": "ended", "endedReason": _TOO_LONG}
            pipe = Pipe(socket, faults, log.sent, strange=_strange, farewell=Farewell((last,)))
            return pipe, TwinCall(pipe, agent, kept, log)

        return await hold(request, converse)

    async def lost(body: Any, request: web.Request) -> web.StreamResponse:
        return _refusal(404, f"Cannot {request.method} {request.path}")

    return serving(
        [
            web.get("/assistant", rest(list_assistants)),
            web.post("/assistant", rest(create_assistant)),
            web.delete("/assistant/{id}", rest(delete_assistant)),
            web.post("/call", rest(create_call)),
            web.get("/call/{id}", rest(get_call)),
            web.delete("/call/{id}", rest(delete_call)),
            web.get("/{id}/transport", pick_up),
            web.post("/{id}/control", control),
            web.route("*", "/{path:.*}", rest(lost)),
        ]
    )


def _shown(kept: KeptCall, request: web.Request) -> dict[str, Any]:
    place = f"{request.host}/{kept.id}"
    return kept.shown(f"ws://{place}/transport", f"http://{place}/control")


async def _body(request: web.Request) -> Any:
    """The body as JSON; None where there is none, or it is none."""
    try:
        return await request.json()
    except ValueError:
        return None


def _strange(count: int) -> Mapping[str, Any]:
    return {"type": "mood-update", "mood": "fine", "count": count}


def _refusal(status: int, message: str | list[str]) -> web.Response:
    body = {"message": message, "error": _NAMES.get(status, "Error"), "statusCode": status}
    return refusal(status, body)
