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
from offhook.runner._forward import GRACE_SECONDS, Asked, forwarded, shown, turned_away
from offhook.sessions import ToolCall, ToolResult
from offhook.storage import one_line
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
        self._latest: asyncio.Task[ToolResult] | None = None
        self._known: dict[str, asyncio.Task[ToolResult]] = {}
        self._lines: list[str] = []
        self._requests: list[Mapping[str, Any]] = []

    def admits(self, authorization: str, secret: str = "") -> bool:
        """Whether a request brings this call's token: as a bearer token, or as it is in ``secret``."""
        scheme, _, bearer = authorization.partition(" ")
        fits = _same(secret.strip(), self.token)
        return (_same(bearer.strip(), self.token) and scheme.lower() == "bearer") or fits

    async def answer(self, asked: Asked, *, retried: bool = True) -> Answered:
        """Has one tool call run, after those that came before it. With ``retried`` the platform may send a
        call again when an answer takes too long: the same id with the same content is the same call.

        Raises:
            RuntimeError: the call ended before the tool did.
        """
        (answered,) = await self.answer_all([asked], retried=retried)
        return answered

    async def answer_all(self, batch: Sequence[Asked], *, retried: bool = True) -> tuple[Answered, ...]:
        """As ``answer``, of all the calls of a request. They arrive together: whether the caller has hung up
        is the same for all, and no other request comes between them.
        """
        begun = [self._begin(asked, retried=retried) for asked in batch]
        return tuple([Answered(await _outcome(task), repeated) for task, repeated in begun])

    def _begin(self, asked: Asked, *, retried: bool) -> tuple[asyncio.Task[ToolResult], bool]:
        """The task that runs a call, and whether it had been asked for before."""
        key = _key(asked) if retried and str(asked.id) else ""
        if key and (known := self._known.get(key)) is not None:
            return known, True
        work = self._turn_away(asked) if self._is_late else self._forward(asked, self._latest)
        task = asyncio.get_running_loop().create_task(work, context=self._context)
        self._latest = task
        self._made.append((str(asked.id), task))
        if key:
            self._known[key] = task
        return task, False

    def scrub(self, text: str) -> str:
        """The text without what lets one in, which a platform may repeat in its record or an error."""
        return text.replace(self.path, "...").replace(self.token, "...")

    def note(self, kind: str, status: int, answered: Sequence[Answered] = (), why: str = "") -> None:
        """Keeps one request for the call's folder."""
        if len(self._requests) >= _MOST_REQUESTS:
            return
        calls = [
            {"id": shown(one.result.id), "name": shown(one.result.name)}
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
        """Closes the route and waits for the requests under way; what failed, one line each."""
        self.close()
        stuck = await stop_tasks(*await still_running([task for _, task in self._made], FAREWELL_SECONDS))
        lines = list(self._lines)
        for asked, task in self._made:
            if task.cancelled() or task in stuck:
                note_line(lines, one_line(f"tool call {shown(asked)}: it did not end"))
            elif task.done() and (error := task.exception()) is not None:
                note_line(lines, one_line(f"tool call {shown(asked)}: {one_line(error)}"))
        return tuple(lines)

    def close(self) -> None:
        """From now on a request finds the call over. Idempotent."""
        self.over = True

    @property
    def _is_late(self) -> bool:
        return self.over or asyncio.get_running_loop().time() > self._closes

    async def _forward(self, asked: Asked, before: asyncio.Task[ToolResult] | None) -> ToolResult:
        if before is not None:
            await asyncio.wait({before})
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


async def _outcome(task: asyncio.Task[ToolResult]) -> ToolResult:
    try:
        # the tool runs to its end even where the platform hangs up on its own request
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if not task.cancelled():
            raise
        raise RuntimeError("the call ended before the tool did") from None


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
