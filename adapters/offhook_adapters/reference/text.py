"""The same minds on a line that carries text: no engines, no delays, for people who write packs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from offhook.audio import Samples
from offhook.sessions import (
    AgentTranscript,
    Cost,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
    UserTranscript,
)
from offhook.values import ValueKind
from offhook_adapters.reference._wire import Wire
from offhook_adapters.reference.minds.desk import Attention, Mind, Utterance

__all__ = ["ReferenceTextSession"]

# A long turn takes its caller as long to "say" as a spoken one would.
_GIVE_UP_SECONDS: Final = 60.0


class ReferenceTextSession:
    """A live text call: ``send_text`` is one caller turn, each AgentTranscript one thing the agent says."""

    def __init__(self) -> None:
        self._wire = Wire()
        self._inbox: asyncio.Queue[str] = asyncio.Queue()
        self._turns: list[Utterance] = []
        self._overheard: list[Utterance] = []

    def begin(self, mind: Mind) -> None:
        """Answers the call."""
        self._wire.emit(Ready())
        self._wire.start(mind, self, _nothing_left)

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_text(self, text: str) -> None:
        """One whole caller turn."""
        if not self._wire.ended:
            self._inbox.put_nowait(text)

    def send_audio(self, frame: Samples) -> None:
        """A text line carries no sound; frames are dropped."""

    def events(self) -> AsyncIterator[SessionEvent]:
        return self._wire.events()

    async def send_tool_result(self, result: ToolResult) -> None:
        self._wire.resolve(result)

    def played(self, seconds: float) -> None:
        """Text is never cut off."""

    async def hang_up(self) -> None:
        await self._wire.close("caller")

    async def fetch_record(self) -> PlatformRecord:
        return self._wire.record

    async def fetch_cost(self) -> Cost:
        return Cost(0.0, "usage")

    # --- the mind's side ------------------------------------------------------------------------------------

    async def say(self, text: str) -> None:
        if not text.strip():
            return
        while not self._inbox.empty():
            self._overheard.append(self._file(self._inbox.get_nowait(), Attention.QUICK))
        self._wire.emit(AgentTranscript(text))

    async def listen(
        self, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance | None:
        try:
            text = await asyncio.wait_for(self._inbox.get(), _GIVE_UP_SECONDS)
        except TimeoutError:
            return None
        return self._file(text, attention)

    async def rehear(
        self, heard: Utterance, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> Utterance:
        return heard

    def overheard(self) -> tuple[Utterance, ...]:
        told, self._overheard = tuple(self._overheard), []
        return told

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        return await self._wire.call(tool, arguments)

    def _file(self, text: str, attention: Attention) -> Utterance:
        """Tells the runner what was read and keeps the turn."""
        self._wire.emit(UserTranscript(text))
        utterance = Utterance(len(self._turns), text, 1.0, attention)
        self._turns.append(utterance)
        return utterance


async def _nothing_left() -> None:
    """Text needs no time to be played out."""
