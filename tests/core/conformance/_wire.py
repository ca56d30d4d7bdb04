"""A platform in this process, and its twin: the reference platform at the far end of a wire of plain data."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import attrs

from offhook.audio import Samples
from offhook.runner._streams import streams_of
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    Clear,
    Ended,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    ToolEndpoint,
    ToolResult,
    ToolSchema,
)
from offhook.twins import Behind, Script, ScriptDesk, TwinFaults
from offhook.webhooks import WebhookCall, json_object
from offhook_adapters.reference.minds.desk import Desk
from offhook_adapters.reference.session import Delays, ReferenceSession
from offhook_adapters.reference.speech import Ears, Mouth, chosen_voice
from offhook_adapters.reference.turns import TurnSettings

PIECE = 4800  # 200 ms
CLOSING = ("end_call", "transfer_to_human")


@attrs.frozen
class Strange:
    """A message of the platform that nobody documented."""

    kind: str = "mood"


@attrs.frozen
class Cut:
    """The connection is gone."""


Wired = SessionEvent | Strange | Cut


@attrs.define(eq=False)
class FarDesk:
    """The desk of a script, which notes when the agent has said goodbye."""

    desk: Desk
    left: bool = False

    async def say(self, text: str) -> None:
        await self.desk.say(text)

    async def listen(self) -> Any:
        return await self.desk.listen()

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        result = await self.desk.call(tool, arguments)
        self.left = self.left or (tool in CLOSING and result.status < 300)
        return result


@attrs.frozen
class FarMind:
    """What the script does; the call goes on after it unless it left."""

    script: Script

    async def converse(self, desk: Desk) -> None:
        far = FarDesk(desk)
        seat: ScriptDesk = far
        await self.script(seat)
        if not far.left:
            await asyncio.Event().wait()


class FarCall:
    """One call at the far end."""

    def __init__(self, behind: Behind, tools: ToolEndpoint | None) -> None:
        engines = behind.call.engines
        assert engines is not None
        assert behind.script is not None
        self._faults: TwinFaults = behind.faults
        self._tools = tools
        self._sounds = 0
        self._cancelled = False
        self._mute = False
        self._posts: list[asyncio.Task[None]] = []
        self.session = ReferenceSession(
            ears=Ears(engines.ears, engines.careful_ears),
            mouth=Mouth(chosen_voice(engines, {})),
            vad=engines.vad,
            rng=streams_of(1, "far", "kit")("delays"),
            turns=TurnSettings(),
            delays=Delays(),
        )
        self.session.begin(FarMind(behind.script))

    async def told(self) -> AsyncIterator[Wired]:
        """What goes over the wire to the client, faults included."""
        late: list[Wired] = []
        async for event in self.session.events():
            for sent in self._sent(event):
                if self._mute:
                    await asyncio.Event().wait()
                if self._faults.burst and not isinstance(sent, Clear):
                    late.append(sent)
                else:
                    yield sent
            if late:
                await asyncio.sleep(self._faults.burst)
                for sent in late:
                    yield sent
                late = []

    def _sent(self, event: SessionEvent) -> Iterator[Wired]:
        if isinstance(event, AgentAudio):
            if self._faults.unknown_event:
                yield Strange()
            for start in range(0, len(event.samples), PIECE):
                self._sounds += 1
                yield from self._broken()
                yield AgentAudio(event.samples[start : start + PIECE], event.rate)
        elif isinstance(event, ToolCall) and self._faults.cancel_tool and not self._cancelled:
            self._cancelled = True
            yield attrs.evolve(event, provisional=True)
            yield ToolCancelled(event.id)
        elif isinstance(event, ToolCall) and self._tools is not None:
            self._posts.append(asyncio.create_task(self._post(event, self._tools)))
        else:
            yield event

    async def _post(self, call: ToolCall, tools: ToolEndpoint) -> None:
        """The platform calls the tool by itself."""
        import httpx

        body = {"id": call.id, "name": call.name, "arguments": call.arguments}
        headers = {"authorization": f"Bearer {tools.token}"}
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.post(tools.webhook_url, json=body, headers=headers, timeout=20)
        told = answer.json()
        await self.session.send_tool_result(ToolResult(call.id, call.name, told["status"], told["body"]))

    def _broken(self) -> Iterator[Wired]:
        faults, sounds = self._faults, self._sounds
        if faults.cut_after is not None and sounds > faults.cut_after:
            yield Cut()
        if faults.expire_after is not None and sounds > faults.expire_after:
            yield Ended("platform", "the session is at its longest")
        self._mute = faults.stall_after is not None and sounds > faults.stall_after


@attrs.define(eq=False)
class FarTwin:
    """What a running twin shows."""

    behind: Behind
    key: str
    environment: Mapping[str, str]
    received: list[Mapping[str, Any]] = attrs.field(factory=list)
    sent: list[Mapping[str, Any]] = attrs.field(factory=list)
    arrived: AgentConfig | None = None
    failures: list[Exception] = attrs.field(factory=list)

    def configure(self, message: str) -> None:
        """The agent as it came over the wire."""
        told = json.loads(message)
        self.received.append(told)
        tools = tuple(
            ToolSchema(each["name"], each["description"], each["parameters"]) for each in told["tools"]
        )
        self.arrived = AgentConfig("far", told["prompt"], told["greeting"], tools, "")

    def answer(self, tools: ToolEndpoint | None) -> FarCall:
        """Takes a call whose tools are there."""
        return FarCall(self.behind, tools)


Exchange = dict[str, FarTwin]
"""The twins that run, by address."""


@asynccontextmanager
async def far_twin(exchange: Exchange, behind: Behind) -> AsyncIterator[FarTwin]:
    """A twin at an address of its own, for as long as the block."""
    address = f"far-{len(exchange) + 1}-{behind.call.call_id}"
    key = f"kit-key-{behind.call.call_id}-abcabc"
    twin = FarTwin(behind, key, {"KIT_ADDRESS": address, "KIT_KEY": key})
    exchange[address] = twin
    try:
        yield twin
    finally:
        del exchange[address]


class FarDialect:
    """How the platform posts a tool call."""

    secret_header = ""

    def read(self, body: bytes, headers: Mapping[str, str]) -> Sequence[WebhookCall]:
        told = json_object(body)
        return (WebhookCall(told["id"], told["name"], told["arguments"]),)

    def write(self, results: Sequence[ToolResult]) -> bytes:
        (result,) = results
        return json.dumps({"status": result.status, "body": dict(result.body)}).encode()


def sounds(frame: Samples) -> bool:
    """Whether a frame is no silence."""
    return bool(abs(frame).max() > 100)
