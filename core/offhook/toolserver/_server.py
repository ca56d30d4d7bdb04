"""The tool server: one HTTP application, one database per call, every request logged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import quote, unquote

import attrs
import httpx
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from offhook.clock import compute
from offhook.packs import Pack
from offhook.sessions import ToolResult
from offhook.toolserver._images import SeedImages
from offhook.toolserver._json import refusal_body
from offhook.toolserver._opencall import LARGEST_BODY, LOG_NAME, STATE_NAME, FrozenCall, OpenCall

__all__ = ["ToolServer", "TurnedAway"]

CALL_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
SOURCE_ID: Final = "x-offhook-source-id"


@attrs.frozen
class TurnedAway:
    """A request that belongs to no open call and touched none: ``code`` is ``unknown_call``, ``unauthorized``
    or ``call_frozen``; ``at`` is in seconds of the server's clock."""

    call_id: str
    tool: str
    status: int
    code: str
    at: float


class ToolServer:
    """Serves one pack's tools to any number of calls.

    ``app`` is the ASGI application: ``POST /calls/{call_id}/tools/{tool}`` with ``Authorization: Bearer
    <token>``, the arguments as a JSON object in the body, and optionally the platform's own id of the tool
    call, percent-encoded, in ``X-Offhook-Source-Id``. A call's database and request log lie in ``folder/<call
    id>/`` unless ``open_call`` names another folder.

    ``clock`` gives line seconds for the log. Requests of one call run one after the other; on a virtual-time
    loop tools run in place, so that equal calls take equal courses, and on an ordinary loop in threads, so
    that a slow tool holds up only its own call. ``images`` is where seed images are kept (default:
    ``folder/.images``).

    Raises:
        SeedError: the pack's schema or seed does not make a database.
        OSError: the folder can't be written.
    """

    def __init__(
        self, pack: Pack, folder: Path, *, clock: Callable[[], float], images: SeedImages | None = None
    ) -> None:
        self.pack = pack
        self.folder = folder
        self._clock = clock
        self._image = (images or SeedImages(folder / ".images")).image(pack)
        self._calls: dict[str, OpenCall] = {}
        self._turned_away: list[TurnedAway] = []
        self.app = Starlette(
            routes=[Route("/calls/{call_id}/tools/{tool:path}", self._endpoint, methods=["POST"])],
            exception_handlers={HTTPException: _http_error},
        )
        # A model may make up any name; a redirect would keep it out of the call's log.
        self.app.router.redirect_slashes = False
        self._client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=self.app), base_url="http://tools", trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def turned_away(self) -> tuple[TurnedAway, ...]:
        """Requests without an open call behind them, in the order they came. They appear in no call's log."""
        return tuple(self._turned_away)

    def open_call(
        self,
        call_id: str,
        token: str,
        *,
        folder: Path | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Lets a call in. Its first request makes its database. ``folder`` and ``clock`` replace the server's
        for this call.

        Raises:
            ValueError: an id that is not 1 to 64 letters, digits, ``-`` or ``_``, or that has been used; an
                empty token; a folder that already holds a call.
            OSError: the folder can't be made.
        """
        if not CALL_ID.fullmatch(call_id):
            raise ValueError(f"call id {call_id!r}: use 1 to 64 letters, digits, '-' or '_'")
        if call_id in self._calls:
            raise ValueError(f"call {call_id} has been opened before")
        if not token:
            raise ValueError(f"call {call_id} needs a token")
        place = folder or self.folder / call_id
        place.mkdir(parents=True, exist_ok=True)
        for name in (STATE_NAME, LOG_NAME):
            if (place / name).exists():
                raise ValueError(f"{place} already holds a call's {name}; give each call its own folder")
        (place / LOG_NAME).touch()
        self._calls[call_id] = OpenCall(call_id, token, place, clock or self._clock)

    async def call(
        self, call_id: str, token: str, tool: str, arguments: Mapping[str, Any] | str, source_id: str = ""
    ) -> ToolResult:
        """One request through the application, in process. Arguments that a platform sent as text go in
        unparsed, as a ``str``.

        A refusal is a result too (``status`` 4xx or 5xx, ``body["error"]``), also of arguments that JSON
        can't hold, such as NaN: they are logged as text and answered with 400.
        """
        body = arguments if isinstance(arguments, str) else _text_of(arguments)
        headers = {"authorization": f"Bearer {token}", SOURCE_ID: quote(source_id)}
        name = quote(tool.encode("utf-8", "replace"), safe="").replace(
            ".", "%2E"
        )  # dot segments mean another path
        path = f"/calls/{quote(call_id, safe='')}/tools/{name}"
        response = await self._client.post(path, content=body.encode("utf-8", "replace"), headers=headers)
        return ToolResult(source_id, tool, response.status_code, response.json())

    def freeze(self, call_id: str) -> FrozenCall:
        """Ends a call: closes its database, hashes it and makes it read-only. A call without requests leaves
        the seed. Freezing again gives the same answer; requests after it get 410.

        Raises:
            KeyError: no such call.
            OSError: the database or the request log could not be written in full.
        """
        if call_id not in self._calls:
            raise KeyError(f"no call {call_id!r} has been opened")
        return self._calls[call_id].freeze(self._image)

    def close(self) -> None:
        """Lets go of every call's database. Calls that were not frozen stay as they are."""
        for call in self._calls.values():
            call.close()

    async def _endpoint(self, request: Request) -> Response:
        call_id, tool = request.path_params["call_id"], request.path_params["tool"]
        call = self._calls.get(call_id)
        if call is None:
            return self._turn_away(call_id, tool, 404, "unknown_call", "there is no such call")
        if not call.admits(request.headers.get("authorization", "")):
            return self._turn_away(call_id, tool, 401, "unauthorized", "the call's token is missing or wrong")
        try:
            raw = await _read(request)
        except ClientDisconnect:
            return Response(
                status_code=400
            )  # half a request asks for nothing, and nobody is there to be told
        source_id, at = unquote(request.headers.get(SOURCE_ID, "")), call.clock()
        async with call.turn:
            entry = await compute(call.handle, self.pack, self._image, tool, raw, at, source_id)
        if entry is None:
            return self._turn_away(call_id, tool, 410, "call_frozen", "the call is over")
        return _respond(entry.status, entry.response)

    def _turn_away(self, call_id: str, tool: str, status: int, code: str, message: str) -> Response:
        self._turned_away.append(TurnedAway(call_id, tool, status, code, self._clock()))
        return _respond(status, refusal_body(code, message))


def _text_of(arguments: Mapping[str, Any]) -> str:
    """Arguments as a platform would send them. What JSON can't hold comes out as text that is no JSON."""
    try:
        return json.dumps(dict(arguments))  # a NaN is written as NaN, which the server's reader refuses
    except (TypeError, ValueError, RecursionError) as error:
        return f"{type(error).__name__}: {error}"


async def _read(request: Request) -> bytes:
    """The body, or as much of it as shows that it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            break
    return bytes(body)


async def _http_error(request: Request, error: Exception) -> Response:
    """Wrong paths and methods, in the shape of every other refusal."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    codes = {404: "not_found", 405: "method_not_allowed"}
    expected = "expected POST /calls/{call_id}/tools/{tool}"
    return _respond(status, refusal_body(codes.get(status, "http_error"), expected))


def _respond(status: int, body: Mapping[str, Any]) -> Response:
    return Response(json.dumps(body, allow_nan=False), status, media_type="application/json")
