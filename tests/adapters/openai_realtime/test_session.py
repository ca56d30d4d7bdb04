"""What only a real vendor does: failures, refusals and stragglers, sent by a server with a script."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from offhook.clock import run_real
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolResult,
    TranscriptKind,
    Usage,
)
from offhook_adapters.openai_realtime.adapter import dial
from offhook_adapters.openai_realtime.config import settings_from
from offhook_adapters.openai_realtime.prices import catalogue
from offhook_adapters.openai_realtime.twin_checks import wire_types

from ._calls import AGENT, KEY

Serve = Callable[["Vendor"], Awaitable[None]]
SOUND = base64.b64encode(b"\x01\x00" * 4800).decode()
PLACE = {"item_id": "i1", "output_index": 0, "content_index": 0}


class Vendor:
    """One connection; ``tell`` holds each event against the SDK's types, ``raw`` sends anything."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self._types = wire_types()
        self.asked: list[dict[str, Any]] = []

    async def tell(self, kind: str, **fields: Any) -> None:
        event = {"type": kind, "event_id": "e", **fields}
        self._types.check_server(event)
        await self.raw(json.dumps(event))

    async def raw(self, text: str) -> None:
        await self._socket.send(text)

    async def created(self, name: str) -> None:
        await self.tell("response.created", response={"id": name, "status": "in_progress"})

    async def done(self, name: str, status: str = "completed", **more: Any) -> None:
        await self.tell("response.done", response={"id": name, "status": status, **more})

    async def sound(self, name: str, delta: str = SOUND) -> None:
        await self.tell("response.output_audio.delta", response_id=name, delta=delta, **PLACE)

    async def call(self, name: str, call_id: str, arguments: str = "{}", tool: str = "end_call") -> None:
        place = {"response_id": name, "item_id": call_id, "output_index": 0}
        await self.tell(
            "response.function_call_arguments.done", **place, call_id=call_id, name=tool, arguments=arguments
        )
        item = {
            "id": call_id,
            "type": "function_call",
            "call_id": call_id,
            "name": tool,
            "arguments": arguments,
        }
        await self.tell("response.output_item.done", response_id=name, output_index=0, item=item)

    async def takes(self, kind: str) -> dict[str, Any]:
        """The client's next message of a type."""
        while True:
            event: dict[str, Any] = json.loads(await asyncio.wait_for(self._socket.recv(), 5))
            self.asked.append(event)
            self._types.check_client(event)
            if event["type"] == kind:
                return event

    async def close(self, code: int = 1000, reason: str = "") -> None:
        await self._socket.close(code, reason)


def call(script: Serve, answer: Callable[[ToolCall], ToolResult] | None = None) -> list[SessionEvent]:
    """All events of a call with a vendor that follows a script and then closes."""
    return costed(script, answer)[0]


def costed(
    script: Serve, answer: Callable[[ToolCall], ToolResult] | None = None, **options: str
) -> tuple[list[SessionEvent], Cost]:
    """The same, with what the call cost."""

    async def work() -> tuple[list[SessionEvent], Cost]:
        failures: list[BaseException] = []

        async def hold(socket: ServerConnection) -> None:
            vendor = Vendor(socket)
            try:
                await vendor.tell("session.created", session={"type": "realtime"})
                update = await vendor.takes("session.update")
                await vendor.tell("session.updated", session=update["session"])
                await vendor.takes("response.create")
                await script(vendor)
                await vendor.close()
            except BaseException as error:
                failures.append(error)
                raise

        async with serve(hold, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            settings = settings_from({"base_url": f"http://127.0.0.1:{port}/v1", **options})
            session = await dial(AGENT, settings, key=KEY, patience=5)
            told: list[SessionEvent] = []
            async with asyncio.timeout(10):
                async for event in session.events():
                    told.append(event)
                    if isinstance(event, Clear):
                        session.played(0.1)
                    if isinstance(event, ToolCall) and answer is not None:
                        await session.send_tool_result(answer(event))
            await session.hang_up()
            assert not failures, failures
            return told, await session.fetch_cost()

    return run_real(work())


def fine(asked: ToolCall) -> ToolResult:
    return ToolResult(asked.id, asked.name, 200, {"ok": True})


def errors(events: list[SessionEvent]) -> list[tuple[str, str]]:
    return [(event.code, event.message) for event in events if isinstance(event, SessionError)]


def test_an_ordinary_close_is_the_platforms_end() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.close(1001, f"session expired for {KEY}")

    events = call(script)
    assert events[-1] == Ended(
        "platform", "the connection was closed with code 1001: session expired for [key]"
    )


def test_a_failed_and_a_cut_short_response_are_noted() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.created("r1")
        failure = {"code": "rate_limit_exceeded", "message": f"slow\ndown {KEY}", "type": "x"}
        await vendor.done("r1", "failed", status_details={"type": "failed", "error": failure})
        await vendor.created("r2")
        reason = {"type": "incomplete", "reason": "max_output_tokens"}
        await vendor.done("r2", "incomplete", status_details=reason)
        await vendor.tell("error", error={"type": "server_error", "message": "sorry"})

    assert errors(call(script)) == [
        ("rate_limit_exceeded", "slow down [key]"),
        ("response_incomplete", "the answer was cut short: max_output_tokens"),
        ("server_error", "sorry"),
    ]


def test_sound_on_its_way_when_the_caller_breaks_in_is_dropped() -> None:
    asked: list[dict[str, Any]] = []

    async def script(vendor: Vendor) -> None:
        await vendor.created("r1")
        await vendor.sound("r1")
        await vendor.tell("input_audio_buffer.speech_started", item_id="u1", audio_start_ms=0)
        asked.append(await vendor.takes("conversation.item.truncate"))
        await vendor.sound("r1")
        await vendor.done("r1", "cancelled")
        await vendor.created("r2")
        await vendor.sound("r2", base64.b64encode(b"\x02\x00" * 100).decode())

    events = call(script)
    lengths = [len(event.samples) for event in events if isinstance(event, AgentAudio)]
    assert lengths == [4800, 100]
    assert asked[0]["item_id"] == "i1"
    assert 0 < asked[0]["audio_end_ms"] <= 200


def test_a_response_cancelled_before_its_first_sound_is_not_heard_either() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.created("r1")
        await vendor.tell("input_audio_buffer.speech_started", item_id="u1", audio_start_ms=0)
        await vendor.sound("r1")
        await vendor.done("r1", "cancelled")
        await vendor.created("r2")
        await vendor.sound("r2", base64.b64encode(b"\x02\x00" * 100).decode())

    events = call(script)
    assert [len(event.samples) for event in events if isinstance(event, AgentAudio)] == [100]
    assert not any(isinstance(event, Clear) for event in events)


def _usage(audio: int) -> dict[str, Any]:
    return {
        "total_tokens": audio,
        "input_tokens": 0,
        "output_tokens": audio,
        "input_token_details": {"text_tokens": 0, "audio_tokens": 0, "cached_tokens": 0},
        "output_token_details": {"text_tokens": 0, "audio_tokens": audio},
    }


async def metered_twice(vendor: Vendor) -> None:
    for name, audio in (("r1", 1000), ("r2", 250)):
        await vendor.created(name)
        await vendor.done(name, usage=_usage(audio))


def test_the_cost_is_that_of_all_responses_together() -> None:
    events, cost = costed(metered_twice, model="gpt-realtime-2.1")
    metered = [event.quantities["output_audio_tokens"] for event in events if isinstance(event, Usage)]
    assert metered == [1000, 250]
    assert cost == Cost(
        round(1250 * catalogue().models["gpt-realtime-2.1"].audio_out / 1_000_000, 6), "usage"
    )


def test_what_a_model_without_a_known_price_costs_is_unknown() -> None:
    events, cost = costed(metered_twice, model="gpt-realtime-9")
    assert len([event for event in events if isinstance(event, Usage)]) == 2
    assert cost == Cost(None, "unknown")


@pytest.mark.parametrize("finished", [True, False])
def test_a_response_that_was_not_metered_leaves_the_cost_unknown(finished: bool) -> None:
    async def script(vendor: Vendor) -> None:
        await metered_twice(vendor)
        await vendor.created("r3")
        if finished:
            await vendor.done("r3")

    assert costed(script)[1] == Cost(None, "unknown")


def test_sound_may_be_cut_within_a_sample() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.created("r1")
        for part in (b"\x01\x02\x03", b"\x04\x05\x06"):
            await vendor.sound("r1", base64.b64encode(part).decode())
        await vendor.sound("r1", "?")

    events = call(script)
    samples = [value for event in events if isinstance(event, AgentAudio) for value in event.samples.tolist()]
    assert samples == [0x0201, 0x0403, 0x0605]
    assert errors(events) == [("bad_audio", "the platform sent audio that is not base64; it was left out")]


def test_a_call_is_told_once_and_broken_arguments_go_to_the_tool_server_as_they_are() -> None:
    answers: list[Any] = []
    broken: Any = '{"service": '

    async def script(vendor: Vendor) -> None:
        await vendor.created("r1")
        await vendor.call("r1", "c1", broken, "get_service_price")
        await vendor.call("r1", "c2", '{"service": "wheel"}', "get_service_price")
        await vendor.done("r1")
        answers.extend([(await vendor.takes("conversation.item.create"))["item"] for _ in range(2)])
        await vendor.takes("response.create")

    def answer(asked: ToolCall) -> ToolResult:
        return ToolResult(asked.id, asked.name, 200 if asked.id == "c2" else 400, {"for": asked.id})

    events = call(script, answer)
    assert [event for event in events if isinstance(event, ToolCall)] == [
        ToolCall("c1", "get_service_price", broken),
        ToolCall("c2", "get_service_price", {"service": "wheel"}),
    ]
    assert [(item["call_id"], json.loads(item["output"])) for item in answers] == [
        ("c1", {"for": "c1"}),
        ("c2", {"for": "c2"}),
    ]
    assert [code for code, _ in errors(events)] == ["bad_arguments"]


def test_a_response_refused_because_of_another_is_asked_for_again_after_it() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.created("r1")
        await vendor.call("r1", "c1", tool="get_service_price")
        await vendor.done("r1")
        await vendor.takes("conversation.item.create")
        asked = await vendor.takes("response.create")
        await vendor.created("r2")
        busy = {
            "type": "invalid_request_error",
            "code": "conversation_already_has_active_response",
            "message": "busy",
            "event_id": asked["event_id"],
        }
        await vendor.tell("error", error=busy)
        await vendor.done("r2")
        await vendor.takes("response.create")

    assert errors(call(script, fine)) == []


def test_an_end_after_words_of_farewell_asks_for_nothing_more() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.created("r1")
        await vendor.sound("r1")
        await vendor.call("r1", "c1")
        await vendor.done("r1")
        await asyncio.sleep(0.5)

    assert call(script, fine)[-1] == Ended("agent", "end_call")


def test_an_end_the_tool_server_refuses_is_no_end() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.created("r1")
        await vendor.sound("r1")
        await vendor.call("r1", "c1")
        await vendor.done("r1")
        await vendor.takes("response.create")

    def refuse(asked: ToolCall) -> ToolResult:
        return ToolResult(asked.id, asked.name, 409, {"error": {"code": "not_yet"}})

    assert call(script, refuse)[-1].by == "platform"  # type: ignore[union-attr]


def test_what_cannot_be_read_is_noted_and_ends_the_call_only_if_it_breaks_it() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.raw("<html>")
        await vendor.raw('{"type": "response.output_audio_transcript.done", "transcript": "Hello."}')
        await vendor.raw('{"type": "response.output_audio.delta", "response_id": "r", "delta": 5}')
        await asyncio.sleep(0.5)

    events = call(script)
    assert AgentTranscript("Hello.", TranscriptKind.FINAL) in events
    assert [code for code, _ in errors(events)] == ["bad_message", "bad_message"]
    assert isinstance(events[-1], Ended)
    assert events[-1].by == "platform"


def test_another_prompt_than_was_given_is_noted() -> None:
    async def work() -> list[SessionEvent]:
        async def hold(socket: ServerConnection) -> None:
            vendor = Vendor(socket)
            await vendor.tell("session.created", session={"type": "realtime"})
            update = await vendor.takes("session.update")
            changed = {**update["session"], "instructions": "Be someone else."}
            await vendor.tell("session.updated", session=changed)
            await vendor.close()

        async with serve(hold, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            settings = settings_from({"base_url": f"http://127.0.0.1:{port}/v1"})
            session = await dial(AGENT, settings, key=KEY, patience=5)
            return [event async for event in session.events()]

    assert [code for code, _ in errors(run_real(work()))] == ["config_differs"]
