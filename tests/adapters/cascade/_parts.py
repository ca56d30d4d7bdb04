"""A cascade whose parts do what a test says, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook.sessions import AgentConfig, Clear, Cost, Ended, SessionEvent, ToolCall, ToolResult
from offhook.testing import run_virtual
from offhook_adapters.cascade.parts import ChatPiece, PartFailed, Sound, TurnListener
from offhook_adapters.cascade.session import CascadeSession
from offhook_adapters.wires.stream import CallStream
from tests.adapters._calls import AGENT

LETTERS_A_SECOND = 10
Piece = ChatPiece | float | PartFailed


class Ears:
    """Hears nothing by itself; the test says what the caller does."""

    def __init__(self) -> None:
        self.listener: asyncio.Future[TurnListener] = asyncio.get_running_loop().create_future()

    def hear(self, frame: Samples) -> bool:
        return True

    async def run(self, listener: TurnListener) -> None:
        self.listener.set_result(listener)
        await asyncio.get_running_loop().create_future()


@attrs.define(eq=False)
class Chat:
    """Gives its answers in order; a number among the pieces is a pause in seconds."""

    answers: list[Sequence[Piece]]
    asked: list[Sequence[Mapping[str, Any]]] = attrs.field(factory=list)
    tools: list[bool] = attrs.field(factory=list)

    async def answer(
        self, messages: Sequence[Mapping[str, Any]], *, with_tools: bool
    ) -> AsyncGenerator[ChatPiece, None]:
        self.asked.append(messages)
        self.tools.append(with_tools)
        for piece in self.answers.pop(0):
            if isinstance(piece, float):
                await asyncio.sleep(piece)
            elif isinstance(piece, PartFailed):
                raise piece
            else:
                yield piece


class Voice:
    """Ten letters a second, all of a sentence at once."""

    async def speak(self, texts: AsyncIterator[str]) -> AsyncGenerator[Sound, None]:
        async for text in texts:
            await asyncio.sleep(0.1)
            yield Sound(np.full(len(text) * LINE_RATE // LETTERS_A_SECOND, 900, dtype=np.int16), LINE_RATE)


@attrs.define(eq=False)
class Held:
    """A call under way, and what it has told. ``heard`` is what the line says was played at each Clear."""

    session: CascadeSession
    ears: Ears
    chat: Chat
    heard: float = 0.0
    told: list[tuple[float, SessionEvent]] = attrs.field(factory=list)
    answering: Callable[[ToolCall], Mapping[str, Any] | None] = lambda call: {"done": call.name}
    cost: Cost | None = None

    async def turn(self, text: str, seconds: float = 1.0) -> None:
        """The caller says something, or makes a noise where the text is empty."""
        listener = await self.ears.listener
        listener.caller_began()
        await asyncio.sleep(seconds)
        listener.caller_stopped()
        await asyncio.sleep(0.2)
        listener.caller_said(text)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for _, event in self.told if isinstance(event, kind)]

    def at(self, kind: type[Any]) -> list[float]:
        return [at for at, event in self.told if isinstance(event, kind)]

    @property
    def ended(self) -> Ended:
        (ended,) = self.of(Ended)
        assert isinstance(ended, Ended)
        return ended

    async def read(self) -> None:
        loop = asyncio.get_running_loop()
        async for event in self.session.events():
            self.told.append((loop.time(), event))
            match event:
                case ToolCall() as call:
                    body = self.answering(call)
                    if body is not None:
                        await self.session.send_tool_result(ToolResult(call.id, call.name, 200, body))
                case Clear():
                    self.session.played(self.heard)
                case _:
                    pass


def held(
    answers: list[Sequence[Piece]],
    talk: Callable[[Held], Awaitable[None]],
    *,
    agent: AgentConfig = AGENT,
    heard: float = 0.0,
    answering: Callable[[ToolCall], Mapping[str, Any] | None] = lambda call: {"done": call.name},
) -> Held:
    """Holds a call in virtual time; the caller hangs up when ``talk`` returns."""

    async def nothing() -> None:
        return None

    async def work() -> Held:
        stream = CallStream((), nothing, patience=15)
        ears, chat = Ears(), Chat(list(answers))
        session = CascadeSession(
            agent, stream, ears=ears, chat=chat, voice=Voice(), priced=lambda usage: Cost(1.0, "usage")
        )
        call = Held(session, ears, chat, heard=heard, answering=answering)
        session.begin()
        reading = asyncio.ensure_future(call.read())
        talking = asyncio.ensure_future(talk(call))
        await asyncio.wait({talking, reading}, return_when=asyncio.FIRST_COMPLETED)
        call.cost = await session.fetch_cost()
        await session.hang_up()
        await reading
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)
        if not talking.cancelled() and (error := talking.exception()) is not None:
            raise error
        return call

    return run_virtual(work())
