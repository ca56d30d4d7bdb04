"""What a session makes of the platform's messages, of odd ones, and of its record."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import attrs
import numpy as np
import pytest
from aiohttp import web
from websockets.asyncio.client import connect

from offhook.clock import run_real
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Ready,
    SessionError,
    UserSpeech,
    UserTranscript,
)
from offhook_adapters.twins.server import serving
from offhook_adapters.vapi import session as session_module
from offhook_adapters.vapi.adapter import VapiAdapter
from offhook_adapters.vapi.rest import OpenedCall, VapiRest
from offhook_adapters.vapi.session import VapiSession
from offhook_adapters.wires import leaving
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from tests.adapters._calls import AGENT, NOWHERE, Listening, dialled

KEY = "vapi-key-0123456789"
THEN = "2026-01-01T00:00:00.000Z"
MADE = {"orgId": "o", "createdAt": THEN, "updatedAt": THEN}
SOUND = np.arange(-1600, 1600, dtype="<i2").tobytes()


@attrs.frozen
class Held:
    """What came of a call in which the server says some things and closes."""

    events: list[Any]
    heard: list[str]

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def errors(self) -> list[str]:
        return [f"{error.code}: {error.message}" for error in self.of(SessionError)]


@asynccontextmanager
async def server(
    messages: tuple[Any, ...], record: Mapping[str, Any], heard: list[str], *, stays: bool
) -> AsyncIterator[VapiAdapter]:
    """The adapter before a server of our own; ``heard`` gathers what it is told in text."""

    async def assistants(request: web.Request) -> web.StreamResponse:
        return web.json_response([])

    async def assistant(request: web.Request) -> web.StreamResponse:
        return web.json_response({"id": "a1", **MADE}, status=201)

    async def call(request: web.Request) -> web.StreamResponse:
        url = f"ws://{request.host}/c1/transport"
        made = {"id": "c1", **MADE, "transport": {"provider": "vapi.websocket", "websocketCallUrl": url}}
        return web.json_response(made, status=201)

    async def kept(request: web.Request) -> web.StreamResponse:
        return web.json_response({"id": "c1", **MADE, **record})

    async def talk(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        for message in messages:
            if isinstance(message, float):
                await asyncio.sleep(message)
            elif isinstance(message, bytes):
                await socket.send_bytes(message)
            else:
                await socket.send_str(message if isinstance(message, str) else json.dumps(message))
        if stays:
            heard.extend([told.data async for told in socket if isinstance(told.data, str)])
        await socket.close()
        return socket

    routes = [
        web.get("/assistant", assistants),
        web.post("/assistant", assistant),
        web.post("/call", call),
        web.get("/call/c1", kept),
        web.get("/c1/transport", talk),
    ]
    async with serving(routes) as port:
        yield VapiAdapter(environment={"VAPI_API_KEY": KEY, "VAPI_BASE_URL": f"http://127.0.0.1:{port}"})


ENDED = {
    "status": "ended",
    "endedReason": "customer-ended-call",
    "costBreakdown": {"total": 0.25, "llm": 0.1},
}


def held(*messages: Any, stays: bool = False) -> Held:
    """A call that is not opened over REST, for which the SDK would take seconds to load."""

    async def hold() -> Held:
        heard: list[str] = []
        async with server(messages, {}, heard, stays=stays) as adapter:
            address = adapter.environment["VAPI_BASE_URL"]
            opened = OpenedCall("c1", address.replace("http", "ws") + "/c1/transport")
            session = VapiSession(
                await connect(opened.url),
                opened,
                VapiRest(KEY, address),
                secrets=(KEY,),
                greets=True,
                patience=15.0,
            )
            async with Listening(session) as call:
                await call.until(lambda call: call.of(Ended), 15)
            return Held(call.events, heard)

    return run_real(hold())


def recorded(record: Mapping[str, Any], *messages: Any) -> tuple[PlatformRecord, Cost]:
    """What is fetched of a call once it is over."""

    async def hold() -> tuple[PlatformRecord, Cost]:
        async with server(messages, record, [], stays=False) as adapter:
            session = await dialled(adapter)
            await session.hang_up()
            cost = await session.fetch_cost()
            return await session.fetch_record(), cost

    return run_real(hold())


def said(role: str, text: str, kind: str = "final") -> dict[str, Any]:
    return {"type": "transcript", "role": role, "transcriptType": kind, "transcript": text}


def speech(role: str, status: str) -> dict[str, Any]:
    return {"type": "speech-update", "role": role, "status": status}


def test_messages_become_events_wrapped_or_not() -> None:
    call = held(
        speech("assistant", "started"),
        said("assistant", "Hello."),
        SOUND + b"\x01",
        b"\x00",
        speech("user", "started"),
        {"message": {"type": "user-interrupted"}},
        speech("user", "stopped"),
        said("user", "How mu", "partial"),
        said("user", "How much?"),
        {"type": "conversation-update"},
    )
    assert isinstance(call.events[0], Ready)
    assert call.of(AgentTranscript) == [AgentTranscript("Hello.")]
    assert call.of(UserTranscript) == [UserTranscript("How much?")]
    assert call.of(UserSpeech) == [UserSpeech(True), UserSpeech(False)]
    assert len(call.of(Clear)) == 1
    sounds = call.of(AgentAudio)
    assert {sound.rate for sound in sounds} == {16_000}
    whole = np.concatenate([sound.samples for sound in sounds])
    assert whole.tolist() == [*np.frombuffer(SOUND, dtype="<i2").tolist(), 1]
    assert call.errors == []
    assert call.of(Ended)[0].by == "platform"


@pytest.mark.parametrize(
    ("reason", "by"), [("exceeded-max-duration", "platform"), ("assistant-ended-call", "agent")]
)
def test_the_platform_says_why_it_ended(reason: str, by: str) -> None:
    call = held({"type": "status-update", "status": "ended", "endedReason": reason}, stays=True)
    assert call.of(Ended) == [Ended(by, reason)]
    assert call.heard == ['{"type": "hangup"}']


def test_the_agents_last_words_are_waited_for() -> None:
    call = held(
        speech("assistant", "started"),
        {"type": "tool-calls", "toolCallList": [{"id": "t1", "function": {"name": "end_call"}}]},
        {"type": "tool-calls-result", "toolCallResult": {"toolCallId": "t1", "result": "{}"}},
        speech("assistant", "stopped"),
        speech("assistant", "started"),
        said("assistant", "Goodbye."),
        SOUND,
        speech("assistant", "stopped"),
        SOUND,  # some platforms send silence for ever
        stays=True,
    )
    assert call.of(Ended) == [Ended("agent", "end_call")]
    assert call.of(AgentTranscript) == [AgentTranscript("Goodbye.")]
    assert call.heard == ['{"type": "hangup"}']


@pytest.mark.parametrize("result", [{"name": "end_call", "error": "{}"}, {"name": "find", "result": "{}"}])
def test_a_refused_or_another_tool_ends_nothing(
    result: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaving, "_SILENT_SECONDS", 0.02)
    monkeypatch.setattr(leaving, "_BETWEEN_SECONDS", 0.02)
    call = held(
        {"type": "tool-calls-result", "toolCallResult": {"toolCallId": "t1", **result}},
        said("assistant", "Sorry."),
        speech("assistant", "stopped"),
        0.5,  # of waiting, in which a session that took it for the end would have left
    )
    assert call.of(Ended)[0].by == "platform"


def test_what_is_only_noted() -> None:
    call = held("{", {"type": "hang"}, {"type": "mood-update"}, {"type": "mood-update"})
    assert call.errors == [
        "bad_message: the platform sent something that is not JSON",
        "hang: the platform says that its answer is late",
        "unknown_event: the platform sent 'mood-update', which this adapter does not know",
    ]


@pytest.mark.parametrize(
    "message",
    [
        {"type": "transcript"},
        [1],
        7,
        {"type": "tool-calls", "toolCallList": 7},
        {"message": "x"},
        {"type": "tool-calls-result"},
    ],
)
def test_a_message_of_another_shape_ends_the_call(message: Any) -> None:
    call = held(message, stays=True)
    (error,) = call.errors
    assert error.startswith("bad_message: the platform sent what this adapter can't read (")
    assert call.of(Ended)[0].by == "platform"


@pytest.mark.slow
def test_the_record_is_the_platforms_own() -> None:
    tool = {"id": "t1", "type": "function", "function": {"name": "find", "arguments": '{"name": "Ann"}'}}
    times = {"time": 1, "secondsFromStart": 1}
    messages = [
        {"role": "system", "message": "prompt", **times},
        {"role": "bot", "message": "Hello.", "endTime": 2, **times},
        {"role": "user", "message": "Hi.", "endTime": 2, **times},
        {"role": "tool_calls", "message": "", "toolCalls": [tool], **times},
        {"role": "tool_call_result", "toolCallId": "t1", "name": "find", "result": "{}", **times},
    ]
    overrides = {"server": {"url": NOWHERE.webhook_url, "headers": {"Authorization": NOWHERE.token}}}
    record, cost = recorded({**ENDED, "artifact": {"messages": messages}, "assistantOverrides": overrides})
    assert record.transcript == ("agent: Hello.", "caller: Hi.")
    assert record.tool_log == ({"id": "t1", "name": "find", "arguments": '{"name": "Ann"}'},)
    assert record.raw == {
        "call": "c1",
        "ended_reason": "customer-ended-call",
        "costs": {"llm": 0.1, "total": 0.25},
    }
    assert NOWHERE.token not in repr(record)
    assert cost == Cost(0.25, "reported")


@pytest.mark.slow
def test_a_record_that_is_not_complete_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "_RECORD_SECONDS", 0.6)
    record, cost = recorded({"status": "in-progress"})
    assert cost == Cost()
    assert record.raw == {"call": "c1", "ended_reason": ""}


@pytest.mark.slow
def test_an_address_where_nobody_is() -> None:
    async def dial() -> VendorError:
        async with server((), ENDED, [], stays=False) as adapter:
            deployment = await adapter.deploy(AGENT)
        with pytest.raises(VendorError) as refused:
            await adapter.deploy(deployment.config)
        return refused.value

    refused = run_real(dial())
    assert "can't be reached (ConnectError): check the network and base_url" in str(refused)
    assert not isinstance(refused, VendorUnusable)
