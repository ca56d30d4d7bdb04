"""The served pages."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from offhook.caches import cache_root
from offhook.host import PluginHost
from offhook.line import AudioFileError
from offhook.report._html import asset, html_page
from offhook.report._sound import sound_file
from offhook.storage import StorageError, one_line
from offhook.viewer._serve import is_loopback
from offhook.viewer._shelf import NoSuchRun, Shelf

__all__ = ["viewer_app"]

_HEADERS: Final = {
    "Cache-Control": "no-store",  # runs grow while they are served
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def viewer_app(root: Path, host: PluginHost, *, local_only: bool = True) -> Starlette:
    """The list of the runs under ``root`` at ``/``, a report at ``/run?name=``, the page of a drill run at
    ``/drills?name=``, the sound of a call at ``/sound?run=&call=`` and two runs side by side at
    ``/compare?a=&b=``. Nothing can be changed through it.

    Args:
        local_only: refuse requests under any host name but this machine's own, so that a web page elsewhere
            can't read runs by pointing its name here.
    """
    pages = _Pages(Shelf(root, host))
    routes = [
        Route("/", pages.overview),
        Route("/run", pages.report),
        Route("/drills", pages.drills),
        Route("/sound", pages.sound),
        Route("/compare", pages.compare),
    ]
    guards = [Middleware(_LocalNames)]
    app = Starlette(
        routes=routes,
        middleware=guards if local_only else [],
        exception_handlers={
            404: pages.not_there,
            NoSuchRun: pages.not_there,
            StorageError: pages.broken,
            AudioFileError: pages.broken,
        },
    )
    app.router.redirect_slashes = False
    return app


class _LocalNames:
    """Answers under loopback addresses and ``localhost`` alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not is_loopback(_host_name(Headers(scope=scope).get("host", ""))):
            refusal = PlainTextResponse("Invalid host header", status_code=400)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _host_name(header: str) -> str:
    """The host of a Host header without its port; an IPv6 address has brackets there."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0] if header.count(":") == 1 else header


class _Pages:
    """The endpoints. They are plain functions, so each request is served on a thread of its own."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def overview(self, request: Request) -> Response:
        data = {"root": str(self._shelf.root), "runs": self._shelf.rows()}
        return _page("runs", "runs", data, "list.js")

    def report(self, request: Request) -> Response:
        return HTMLResponse(self._shelf.report(request.query_params.get("name", "")), headers=_HEADERS)

    def compare(self, request: Request) -> Response:
        asked = request.query_params
        data = self._shelf.compared(asked.get("a", ""), asked.get("b", ""))
        return _page("two runs", "comparison", {**data, "home": "./"}, "compare.js")

    def drills(self, request: Request) -> Response:
        return HTMLResponse(self._shelf.drill_page(request.query_params.get("name", "")), headers=_HEADERS)

    def sound(self, request: Request) -> Response:
        asked = request.query_params
        recording = self._shelf.recording(asked.get("run", ""), asked.get("call", ""))
        # Answers a Range header, which seeking in the page needs.
        return FileResponse(_playable(recording), media_type="audio/ogg", headers=_HEADERS)

    def not_there(self, request: Request, error: Exception) -> Response:
        why = one_line(str(error)) if isinstance(error, NoSuchRun) else "no such page"
        return _page("not found", "runs", {"message": why, "home": "./"}, "message.js", status=404)

    def broken(self, request: Request, error: Exception) -> Response:
        data = {"message": one_line(str(error)), "home": "./"}
        return _page("cannot be read", "runs", data, "message.js", status=422)


def _page(title: str, kind: str, data: object, script: str, *, status: int = 200) -> Response:
    text = html_page(
        title=f"{title} · offhook",
        kind=kind,
        data=data,
        script=asset(script, "offhook.viewer"),
        style=asset("viewer.css", "offhook.viewer"),
    )
    return HTMLResponse(text, status_code=status, headers=_HEADERS)


def _playable(recording: Path) -> Path:
    try:
        return sound_file(recording, recording.parents[2] / "derived")
    except OSError:  # the run lies on a disk that can't be written
        return sound_file(recording, cache_root() / "sounds")
