"""From a platform's tool call to the tool server, whichever way it came."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping
from typing import Any, Final, Protocol

import attrs

from offhook.runner._desk import FAREWELL_SECONDS, note_line, still_running, stop_tasks
from offhook.sessions import Session, ToolCall, ToolResult
from offhook.storage import clean_text, one_line
from offhook.toolserver import ToolServer

__all__ = ["GRACE_SECONDS", "Asked", "ToolForwarder", "forwarded", "shown", "turned_away"]

# What a platform asked for while the caller hung up may still be on its way; anything later was thought of
# after the call.
GRACE_SECONDS: Final = 2.0
# A model that has lost its way may make up a name without end; no tool has a longer one.
_LONGEST_NAME: Final = 1_000
_SHOWN: Final = 200


class ToolForwarder:
    """Carries client-side tool calls to the tool server and the answers back, each in a task of its own."""

    def __init__(self, server: ToolServer, call_id: str, token: str, session: Session) -> None:
        self._server = server
        self._call_id = call_id
        self._token = token
        self._session = session
        self._tasks: list[tuple[str, asyncio.Task[None]]] = []
        self._closes = math.inf
        self._turned_away: list[str] = []

    def start(self, call: ToolCall) -> None:
        late = asyncio.get_running_loop().time() > self._closes
        work = self._turn_away(call) if late else self._forward(call)
        self._tasks.append((str(call.id), asyncio.create_task(work)))

    def hung_up(self) -> None:
        """The caller has hung up: what arrives from now on is only taken for a short grace."""
        self._closes = asyncio.get_running_loop().time() + GRACE_SECONDS

    def cancel(self, call_id: str) -> None:
        """A call the platform took back. One that has reached the server stands: the log keeps what
        arrived.
        """
        for known, task in self._tasks:
            if known == str(call_id):
                task.cancel()

    async def finish(self) -> tuple[str, ...]:
        """Waits for the requests under way, so that the freeze sees them; what failed, one line each. A
        platform that will not take an answer is not waited for any longer than for a farewell.
        """
        waiting = await still_running([task for _, task in self._tasks], FAREWELL_SECONDS)
        stuck = await stop_tasks(*waiting)
        failures = list(self._turned_away)
        for call_id, task in self._tasks:
            if task in stuck:
                note_line(failures, one_line(f"tool call {shown(call_id)}: the platform did not stop"))
            elif not task.cancelled() and (error := task.exception()) is not None:
                note_line(failures, one_line(f"tool call {shown(call_id)}: {one_line(error)}"))
        return tuple(failures)

    async def _forward(self, call: ToolCall) -> None:
        result = await forwarded(self._server, self._call_id, self._token, call)
        await self._answer(result)

    async def _turn_away(self, call: ToolCall) -> None:
        line, result = turned_away(call)
        note_line(self._turned_away, line)
        await self._answer(result)

    async def _answer(self, result: ToolResult) -> None:
        try:
            await self._session.send_tool_result(result)
        except SystemExit as error:
            raise RuntimeError(f"it called sys.exit({error.code!r})") from error


class Asked(Protocol):
    """A tool call, however it came."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def arguments(self) -> Mapping[str, Any] | str: ...


async def forwarded(server: ToolServer, call_id: str, token: str, asked: Asked) -> ToolResult:
    """What the tool server answers."""
    source_id = clean_text(str(asked.id))
    arguments = _sendable(asked.arguments)
    name = str(asked.name)[:_LONGEST_NAME]
    result = await server.call(call_id, token, name, arguments, source_id=source_id)
    # the platform knows its call by the id and the name it gave, whatever they are
    return attrs.evolve(result, id=asked.id, name=asked.name)


def turned_away(asked: Asked) -> tuple[str, ToolResult]:
    """The record's line about a tool call that came when the call was over, and its answer."""
    name = shown(asked.name)
    line = one_line(f"tool call {shown(asked.id)}: {name} came after the caller had hung up; it was not made")
    error = {"code": "call_over", "message": "the caller has hung up"}
    return line, ToolResult(asked.id, asked.name, 410, {"error": error})


def shown(name: object) -> str:
    """An id or a name as a platform gave it, as far as a line has room for it."""
    text = clean_text(str(name))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _sendable(arguments: object) -> Mapping[str, Any] | str:
    """Arguments as the server takes them. What is no JSON object goes as text, to be logged and refused."""
    if not isinstance(arguments, Mapping):
        return str(arguments)
    try:
        json.dumps(dict(arguments), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return str(arguments)
    return arguments
