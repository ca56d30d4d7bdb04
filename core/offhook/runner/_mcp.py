"""The tools of a call over MCP (streamable HTTP), served by the official package.

Stateless: every request brings its call's token, so a client may connect as often as it likes, and nothing
is left of it when the call is over. There is nothing to tell a client unasked, so none may stay connected to
listen.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

import attrs
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from offhook.runner._route import ToolRoute
from offhook.toolserver import tool_schemas
from offhook.toolserver._sockets import quieted

__all__ = ["McpDoor"]

_ROUTE: Final = "offhook.route"


@attrs.frozen
class _Called:
    """A ``tools/call``; the id is that of the MCP request."""

    id: str
    name: str
    arguments: dict[str, Any]


class McpDoor:
    """An ASGI application. ``admitted`` says which call a request is of, or why of none."""

    def __init__(self, admitted: Callable[[Request], ToolRoute | Response]) -> None:
        self._admitted = admitted
        quieted("mcp")
        server: Server[Any] = Server("offhook", on_list_tools=_list_tools, on_call_tool=_call_tool)
        self._manager = StreamableHTTPSessionManager(server, stateless=True, json_response=True)

    def open(self) -> AbstractAsyncContextManager[None]:
        """Requests are answered inside the block."""
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._admitted(Request(scope, receive))
        if isinstance(route, ToolRoute) and scope["method"] == "GET":
            route = Response(status_code=405, headers={"allow": "POST"})
        if isinstance(route, Response):
            await route(scope, receive, send)
        else:
            await self._manager.handle_request({**scope, _ROUTE: route}, receive, send)


def _route_of(context: ServerRequestContext[Any]) -> ToolRoute:
    request: Any = context.request
    route: ToolRoute = request.scope[_ROUTE]
    return route


async def _list_tools(
    context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[
            types.Tool(name=tool.name, description=tool.description, input_schema=dict(tool.parameters))
            for tool in tool_schemas(_route_of(context).server.pack)
        ]
    )


async def _call_tool(
    context: ServerRequestContext[Any], params: types.CallToolRequestParams
) -> types.CallToolResult:
    route = _route_of(context)
    called = _Called(str(context.request_id), params.name, params.arguments or {})
    # a client that connects anew counts its requests from the start again, and none sends one twice
    answered = await route.answer(called, retried=False)
    route.note("mcp", 200, [answered])
    result = answered.result
    text = json.dumps(dict(result.body), ensure_ascii=False)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=result.status >= 400
    )
