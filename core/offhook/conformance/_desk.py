"""The agent's side of a check: what is done behind the platform's wire, and what was noticed there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import attrs

from offhook.sessions import ToolResult
from offhook.storage import one_line
from offhook.twins import ScriptDesk

__all__ = ["GREETING", "AgentRun", "Part", "Plot", "Seat"]

GREETING: Final = "Desk here, hello."


@attrs.define(eq=False)
class AgentRun:
    """What one run of the script noticed. ``said`` has the time of the loop at which each thing was said."""

    heard: list[str] = attrs.field(factory=list)
    said: list[tuple[float, str]] = attrs.field(factory=list)
    results: list[ToolResult] = attrs.field(factory=list)
    failures: list[str] = attrs.field(factory=list)
    over: bool = False

    @property
    def steps(self) -> int:
        return len(self.heard) + len(self.said) + len(self.results)


@attrs.frozen(eq=False)
class Seat:
    """The desk, with notes taken."""

    desk: ScriptDesk
    run: AgentRun

    async def say(self, text: str) -> None:
        self.run.said.append((asyncio.get_running_loop().time(), text))
        await self.desk.say(text)

    async def listen(self) -> str:
        """What the caller said; empty where nothing came for long enough."""
        heard = await self.desk.listen()
        text = "" if heard is None else heard.text
        if heard is not None:
            self.run.heard.append(text)
        return text

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        result = await self.desk.call(tool, arguments)
        self.run.results.append(result)
        return result


Plot = Callable[[Seat], Awaitable[None]]


class Part:
    """A script that greets and then follows its plot. A platform may run it several times: for each call, and
    where it keeps no state, from the beginning for each answer; so ``run`` is the one that got furthest.
    """

    def __init__(self, plot: Plot, *, greets: bool) -> None:
        self._plot = plot
        self._greets = greets
        self.runs: list[AgentRun] = []

    @property
    def run(self) -> AgentRun:
        """Nothing noticed where it never ran."""
        return max(reversed(self.runs), key=lambda run: run.steps, default=AgentRun())

    @property
    def begun(self) -> bool:
        return bool(self.runs)

    @property
    def all_over(self) -> bool:
        return all(run.over for run in self.runs)

    async def __call__(self, desk: ScriptDesk) -> None:
        seat = Seat(desk, AgentRun())
        self.runs.append(seat.run)
        try:
            if self._greets:
                await seat.say(GREETING)
            await self._plot(seat)
        except Exception as error:  # told by the check that finds something missing
            seat.run.failures.append(one_line(error))
        finally:
            seat.run.over = True
