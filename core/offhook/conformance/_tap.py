"""An adapter and a session that keep what passes through them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final, TypeVar

import attrs

from offhook.audio import Samples
from offhook.conformance._watch import Watch
from offhook.sessions import (
    Adapter,
    AgentConfig,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    PlatformRecord,
    Session,
    SessionEvent,
    ToolResult,
)

__all__ = ["TappedAdapter", "TappedSession", "Told"]

T = TypeVar("T")

_END_SECONDS: Final = 2.0


@attrs.frozen(eq=False)
class Told:
    """An event with the loop's time at which it came."""

    at: float
    event: SessionEvent


class TappedSession:
    """A session as the runner uses it.

    Args:
        session: the adapter's own.
        watch: looks into every event.
        held_up: seconds by which the answer of a tool is held up, by its name.
    """

    def __init__(self, session: Session, watch: Watch, held_up: Mapping[str, float]) -> None:
        self.session = session
        self._watch = watch
        self._held_up = held_up
        self._loop = asyncio.get_running_loop()
        self._stream: AsyncIterator[SessionEvent] | None = None
        self.told: list[Told] = []
        self.played_told: list[float] = []
        self.answered: list[ToolResult] = []
        self.hang_ups: list[float] = []
        self.frames = 0

    def of(self, kind: type[T]) -> list[T]:
        """The events of one kind, in order."""
        return [told.event for told in self.told if isinstance(told.event, kind)]

    def send_audio(self, frame: Samples) -> None:
        self.frames += 1
        self.session.send_audio(frame)

    async def events(self) -> AsyncIterator[SessionEvent]:
        self._stream = aiter(self.session.events())
        async for event in self._stream:
            self.told.append(Told(self._loop.time(), event))
            self._watch.look(f"the event {type(event).__name__}", event)
            yield event

    async def after_the_end(self) -> str | None:
        """What the stream does after Ended where it should just end; None where it does."""
        if self._stream is None:
            return "the stream was never read"
        try:
            event = await asyncio.wait_for(anext(self._stream), _END_SECONDS)
        except StopAsyncIteration:
            return None
        except TimeoutError:
            return f"the stream was still open {_END_SECONDS:.0f} s later"
        return f"{type(event).__name__} came after Ended"

    async def send_tool_result(self, result: ToolResult) -> None:
        await asyncio.sleep(self._held_up.get(result.name, 0.0))
        self.answered.append(result)
        await self.session.send_tool_result(result)

    def played(self, seconds: float) -> None:
        self.played_told.append(seconds)
        self.session.played(seconds)

    async def hang_up(self) -> None:
        began = self._loop.time()
        try:
            await self.session.hang_up()
        finally:
            self.hang_ups.append(self._loop.time() - began)

    async def fetch_record(self) -> PlatformRecord:
        record = await self.session.fetch_record()
        self._watch.look("the platform's record", record)
        return record

    async def fetch_cost(self) -> Cost:
        return await self.session.fetch_cost()


class TappedAdapter:
    """An adapter whose sessions are tapped; each is handed to ``opened``."""

    def __init__(
        self,
        adapter: Adapter,
        watch: Watch,
        opened: Callable[[TappedSession], None],
        held_up: Mapping[str, float],
    ) -> None:
        self._adapter = adapter
        self._watch = watch
        self._opened = opened
        self._held_up = held_up

    @property
    def name(self) -> str:
        return self._adapter.name

    @property
    def capabilities(self) -> Capabilities:
        return self._adapter.capabilities

    async def deploy(self, agent: AgentConfig) -> Deployment:
        deployment = await self._adapter.deploy(agent)
        self._watch.look("the repr of the deployment", deployment)
        return deployment

    async def connect(self, deployment: Deployment, call: CallSetup) -> TappedSession:
        session = await self._adapter.connect(deployment, call)
        self._watch.look("the repr of the session", session)
        tapped = TappedSession(session, self._watch, self._held_up)
        self._opened(tapped)
        return tapped

    async def teardown(self, deployment: Deployment) -> None:
        await self._adapter.teardown(deployment)
