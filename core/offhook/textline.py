"""A line that carries text instead of audio, for people who write packs: same minds, same tool server, same
graders, no sound.

The caller's words reach the platform as text and its transcripts reach the caller as text. A turn of the
agent ends once it has been quiet for ``settle`` seconds of the loop's clock.
"""

from __future__ import annotations

import asyncio
from typing import Protocol, runtime_checkable

from offhook.callers import AgentHeard, CallerBrief, CallerReport
from offhook.sessions import CallSetup, Deployment, Session

__all__ = ["TextAdapter", "TextCaller", "TextCallerEnd", "TextLine", "TextSession"]


@runtime_checkable
class TextSession(Session, Protocol):
    """A session that also takes the caller's words as text. Its AgentTranscript events are what the caller
    reads.
    """

    def send_text(self, text: str) -> None:
        """One whole caller turn."""
        ...


@runtime_checkable
class TextAdapter(Protocol):
    """An adapter that can hold a text conversation besides audio."""

    async def connect_text(self, deployment: Deployment, call: CallSetup) -> TextSession: ...


@runtime_checkable
class TextCaller(Protocol):
    """A caller that can hold a text conversation besides audio."""

    async def converse_text(self, brief: CallerBrief, line: TextCallerEnd) -> CallerReport: ...


class TextCallerEnd:
    """The caller's end of a text line."""

    def __init__(self, line: TextLine) -> None:
        self._line = line

    @property
    def now(self) -> float:
        """Seconds since the line opened."""
        return self._line.now

    @property
    def ended(self) -> bool:
        return self._line.ended

    async def hear(self, patience: float) -> AgentHeard | None:
        """The agent's next whole turn; None when the call has ended or nothing was said for ``patience``
        seconds.
        """
        return await self._line._next_agent_turn(patience)

    async def say(self, text: str) -> tuple[float, float]:
        """Says one turn and returns its start and end; a word takes the time it would take to speak."""
        return await self._line._say(text)

    def hang_up(self) -> None:
        self._line.end("caller")


class TextLine:
    """One text call."""

    def __init__(self, *, settle: float = 0.8, seconds_per_word: float = 0.35) -> None:
        self._loop = asyncio.get_running_loop()
        self._start = self._loop.time()
        self._settle = settle
        self._seconds_per_word = seconds_per_word
        self._pending: list[tuple[str, float]] = []
        self._changed = asyncio.Event()
        self._session: TextSession | None = None
        self.ended_by = ""
        self.caller = TextCallerEnd(self)

    @property
    def now(self) -> float:
        return self._loop.time() - self._start

    @property
    def ended(self) -> bool:
        return self.ended_by != ""

    def attach(self, session: TextSession) -> None:
        """Connects the platform's side."""
        self._session = session

    def agent_said(self, text: str) -> None:
        """Called by the runner for each final AgentTranscript."""
        self._pending.append((text, self.now))
        self._changed.set()

    def end(self, by: str) -> None:
        """Ends the call; the first to do so is remembered."""
        if not self.ended_by:
            self.ended_by = by
        self._changed.set()

    async def _next_agent_turn(self, patience: float) -> AgentHeard | None:
        while not self._pending:
            if self.ended or not await self._wait(patience):
                return None
        size = 0
        while size != len(self._pending) and not self.ended:
            size = len(self._pending)
            await self._wait(self._settle)
        said, self._pending = self._pending, []
        return AgentHeard(" ".join(text for text, _ in said), said[0][1], said[-1][1])

    async def _wait(self, seconds: float) -> bool:
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def _say(self, text: str) -> tuple[float, float]:
        start = self.now
        await asyncio.sleep(self._seconds_per_word * len(text.split()))
        if self._session is not None and not self.ended:
            self._session.send_text(text)
        return start, self.now
