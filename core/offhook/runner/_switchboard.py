"""Where platforms that call tools by themselves reach them: one socket a process, one path a call.

A call's path and token are drawn afresh. A path nobody was given is answered with 404, a wrong token with
401, a body that is none of the platform's with 400, and a call that is over with 410.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from offhook.runner._route import Answered, ToolRoute
from offhook.sessions import ToolEndpoint, ToolMode
from offhook.storage import one_line
from offhook.toolserver import ToolServer, serve_app
from offhook.webhooks import BadWebhook, WebhookDialect

__all__ = ["Switchboard"]

# A platform may post the whole conversation so far beside its tool calls.
_LARGEST_BODY: Final = 4 * 1024 * 1024
_HOST: Final = "127.0.0.1"


class Switchboard:
    """Listens between ``open`` and ``close``, both on one ordinary loop, which its calls share.

    Args:
        mode: ``webhook`` or ``mcp``.
        dialect: how the platform posts its calls; only a webhook needs one.
        port: of 127.0.0.1; 0 takes any free one.
        public_url: under which the platform reaches that port; empty where it is on this machine.
    """

    def __init__(
        self, mode: ToolMode, dialect: WebhookDialect | None, *, port: int = 0, public_url: str = ""
    ) -> None:
        self._mode = mode
        self._dialect = dialect
        self._port = port
        self._public_url = public_url.rstrip("/")
        self._base = ""
        self._routes: dict[str, ToolRoute] = {}
        self._closing = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Raises ServeError where the port can't be had."""
        ready = asyncio.Event()
        self._running = asyncio.create_task(self._run(ready))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait({self._running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._running.done():
            self._running.result()

    async def close(self) -> None:
        """Stops listening. Idempotent."""
        self._closing.set()
        if self._running is not None:
            await self._running

    def route(self, server: ToolServer, call_id: str, token: str, *, now: Callable[[], float]) -> ToolRoute:
        """A new call's route. ``token`` is what the tool server knows the call by."""
        made = ToolRoute(server, call_id, token, now=now)
        self._routes[made.path] = made
        return made

    def endpoint(self, route: ToolRoute) -> ToolEndpoint:
        """What the platform is told. The address of the way that it does not use is empty."""
        base = self._public_url or self._base
        webhook = f"{base}/hooks/{route.path}" if self._mode is ToolMode.WEBHOOK else ""
        # Clients that are told no transport take an address for streamable HTTP only where it ends like this.
        mcp = f"{base}/calls/{route.path}/mcp" if self._mode is ToolMode.MCP else ""
        return ToolEndpoint(webhook, mcp, route.token)

    def scrub(self, text: str) -> str:
        """The text without the path and token of any call."""
        for route in tuple(self._routes.values()):  # called from any thread, while calls are let in
            text = route.scrub(text)
        return text

    async def _run(self, ready: asyncio.Event) -> None:
        async with contextlib.AsyncExitStack() as stack:
            app = await stack.enter_async_context(self._app())
            self._base = await stack.enter_async_context(serve_app(app, _HOST, self._port))
            ready.set()
            await self._closing.wait()

    @contextlib.asynccontextmanager
    async def _app(self) -> AsyncIterator[Starlette]:
        if self._mode is ToolMode.MCP:
            from offhook.runner._mcp import McpDoor  # the only part that needs the extra

            door = McpDoor(self._admitted)
            async with door.open():
                yield _application(Route("/calls/{path}/mcp", door))
        else:
            yield _application(Route("/hooks/{path}", self._posted, methods=["POST"]))

    def _admitted(self, request: Request) -> ToolRoute | Response:
        """The route that a request may use, or why it may use none."""
        route = self._routes.get(request.path_params["path"])
        if route is None:
            return _refusal(404, "unknown_address", "no call has this address")
        header = self._dialect.secret_header if self._dialect is not None else ""
        secret = request.headers.get(header, "") if header else ""
        if not route.admits(request.headers.get("authorization", ""), secret):
            route.note(self._mode.value, 401)
            return _refusal(401, "unauthorized", "the call's token is missing or wrong")
        if route.over:
            return _call_over()
        return route

    async def _posted(self, request: Request) -> Response:
        route = self._admitted(request)
        if isinstance(route, Response):
            return route
        assert self._dialect is not None
        try:
            body = await _read(request)
        except ClientDisconnect:
            return Response(status_code=400)  # half a request asks for nothing
        if body is None:
            return _turned_down(route, 413, "too_large", f"the body is larger than {_LARGEST_BODY} bytes")
        if route.over:  # it ended while the body came in
            return _call_over()
        try:
            calls = tuple(self._dialect.read(body, dict(request.headers)))
        except BadWebhook as error:
            return _turned_down(route, 400, "bad_body", one_line(str(error)))
        except Exception as error:
            return _turned_down(route, 400, "bad_body", f"the body could not be read: {one_line(error)}")
        answered: Sequence[Answered] = ()
        try:
            answered = await route.answer_all(calls)
            told = self._dialect.write([one.result for one in answered])
        except Exception as error:
            line = f"the answer could not be given: {one_line(error)}"
            return _turned_down(route, 500, "internal_error", line, answered)
        route.note("webhook", 200, answered)
        return Response(told, media_type="application/json")


async def _read(request: Request) -> bytes | None:
    """The body; None where it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_BODY:
            return None
    return bytes(body)


def _turned_down(
    route: ToolRoute, status: int, code: str, message: str, answered: Sequence[Answered] = ()
) -> Response:
    """A request of the call's own platform that came to nothing: the record says so, too."""
    route.note("webhook", status, answered, message)
    route.fault(f"webhook: {message}")
    return _refusal(status, code, message)


def _call_over() -> Response:
    return _refusal(410, "call_over", "the call is over")


def _refusal(status: int, code: str, message: str) -> Response:
    return JSONResponse({"error": {"code": code, "message": message}}, status)


def _application(route: Route) -> Starlette:
    app = Starlette(routes=[route])
    app.router.redirect_slashes = False
    return app
