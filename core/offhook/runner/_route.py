"""One call's own way to its tools, for a platform that calls them by itself: who is let in, what was asked
over it, and what was answered.
"""

from __future__ import annotations

import asyncio
import contextvars
import hashlib
import hmac
import json
import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.runner._desk import FAREWELL_SECONDS, ToolDesk, note_line, still_running, stop_tasks
from offhook.runner._forward import GRACE_SECONDS, Asked, forwarded, turned_away
from offhook.sessions import ToolCall, ToolResult
from offhook.storage import clean_text, one_line
from offhook.toolserver import ToolServer

__all__ = ["REQUESTS_FILE", "Answered", "RoutedTools", "ToolRoute"]

REQUESTS_FILE: Final = "requests.jsonl"
"""What reached a call's own address, one line a request."""

# No call needs more; a platform gone wild must not fill the disk.
_MOST_REQUESTS: Final = 2_000


@attrs.frozen
class Answered:
    """One tool call that came over a route. A ``repeated`` one had been answered before: the platform sent it
    again, and it reached the tool server once.
    """

    result: ToolResult
    repeated: bool = False


class ToolRoute:
    """Open from before the platform is told of a call until ``close``. ``path`` and ``token`` are drawn
    afresh and never written anywhere; ``now`` gives line seconds.
    """

    def __init__(self, server: ToolServer, call_id: str, token: str, *, now: Callable[[], float]) -> None:
        self.server = server
        self.path = secrets.token_urlsafe(18)
        self.token = secrets.token_urlsafe(24)
        self.over = False
        self._call_id = call_id
        self._server_token = token
        self._now = now
        self._closes = math.inf
        # Requests come in on the server's tasks; what is logged meanwhile belongs to this call.
        self._context = contextvars.copy_context()
        self._made: list[tuple[str, asyncio.Task[ToolResult]]] = []
        self._known: dict[str, asyncio.Task[ToolResult]] = {}
        self._lines: list[str] = []
        self._requests: list[Mapping[str, Any]] = []

    def admits(self, authorization: str, secret: str = "") -> bool:
        """Whether a request brings this call's token: as a bearer token, or as it is in ``secret``."""
        scheme, _, bearer = authorization.partition(" ")
        fits = _same(secret.strip(), self.token)
        return (_same(bearer.strip(), self.token) and scheme.lower() == "bearer") or fits

    async def answer(self, asked: Asked, *, retried: bool = True) -> Answered:
        """Has one tool call run. With ``retried`` the platform may send a call again when an answer takes too
        long: the same id with the same content is the same call.
        """
        key = _key(asked) if retried and str(asked.id) else ""
        task = self._known.get(key) if key else None
        repeated = task is not None
        if task is None:
            work = self._turn_away(asked) if self._is_late else self._forward(asked)
            task = asyncio.get_running_loop().create_task(work, context=self._context)
            self._made.append((str(asked.id), task))
            if key:
                self._known[key] = task
        # the tool runs to its end even where the platform hangs up on its own request
        return Answered(await asyncio.shield(task), repeated)

    def scrub(self, text: str) -> str:
        """The text without what lets one in, which a platform may repeat in its record or an error."""
        return text.replace(self.path, "...").replace(self.token, "...")

    def note(self, kind: str, status: int, answered: Sequence[Answered] = (), why: str = "") -> None:
        """Keeps one request for the call's folder."""
        if len(self._requests) >= _MOST_REQUESTS:
            return
        calls = [
            {"id": clean_text(str(one.result.id)), "name": clean_text(one.result.name)}
            | {"status": one.result.status, "repeated": one.repeated}
            for one in answered
        ]
        told = {"at": round(self._now(), 3), "kind": kind, "status": status, "calls": calls}
        self._requests.append(told | ({"why": one_line(why)} if why else {}))

    def fault(self, line: str) -> None:
        """Something on our side of the route broke."""
        note_line(self._lines, one_line(line))

    @property
    def requests(self) -> str:
        """The requests as lines of JSON; empty where there were none."""
        return "".join(json.dumps(told, sort_keys=True) + "\n" for told in self._requests)

    def hung_up(self) -> None:
        """The caller has hung up: what arrives from now on is only taken for a short grace."""
        self._closes = asyncio.get_running_loop().time() + GRACE_SECONDS

    async def finish(self) -> tuple[str, ...]:
        """Waits for the requests under way and closes the route; what failed, one line each."""
        await stop_tasks(*await still_running([task for _, task in self._made], FAREWELL_SECONDS))
        self.close()
        lines = list(self._lines)
        for asked, task in self._made:
            if task.cancelled():
                lines.append(one_line(f"tool call {asked}: it did not end"))
            elif (error := task.exception()) is not None:
                lines.append(one_line(f"tool call {asked}: {one_line(error)}"))
        return tuple(lines)

    def close(self) -> None:
        """From now on a request finds the call over. Idempotent."""
        self.over = True

    @property
    def _is_late(self) -> bool:
        return self.over or asyncio.get_running_loop().time() > self._closes

    async def _forward(self, asked: Asked) -> ToolResult:
        return await forwarded(self.server, self._call_id, self._server_token, asked)

    async def _turn_away(self, asked: Asked) -> ToolResult:
        line, result = turned_away(asked)
        note_line(self._lines, line)
        return result


@attrs.frozen(eq=False)
class RoutedTools:
    """A call's tools where the platform has a route to them beside its session."""

    session: ToolDesk
    route: ToolRoute

    def start(self, call: ToolCall) -> None:
        self.session.start(call)

    def cancel(self, call_id: str) -> None:
        self.session.cancel(call_id)

    def hung_up(self) -> None:
        self.session.hung_up()
        self.route.hung_up()

    async def finish(self) -> tuple[str, ...]:
        return (*await self.session.finish(), *await self.route.finish())


def _same(given: str, token: str) -> bool:
    """In the same time whatever is given."""
    digests = (hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in (given, token))
    return hmac.compare_digest(*digests)


def _key(asked: Asked) -> str:
    """Some platforms count their ids afresh for each turn, so the content belongs to it."""
    content = (str(asked.id), str(asked.name), asked.arguments)
    try:
        return json.dumps(content, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return repr(content)
