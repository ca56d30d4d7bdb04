"""Whole calls on xAI's wire: what differs from OpenAI's, which the family's own tests cover."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from offhook.clock import run_real
from offhook.sessions import (
    AgentTranscript,
    Cost,
    Ended,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolResult,
    TranscriptKind,
    Usage,
    UserTranscript,
)
from offhook.twins import TwinFaults
from offhook_adapters.openai_realtime.adapter import dial
from offhook_adapters.openai_realtime.dialect import SENT_SECONDS
from offhook_adapters.openai_realtime.twin import Twin
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.xai._twin_dialect import XaiTwinDialect
from offhook_adapters.xai.adapter import XaiAdapter
from offhook_adapters.xai.config import settings_from
from tests.adapters.openai_realtime._calls import AGENT, PACK, Held, Live, hold

KEY = "xai-test-0123456789abcdef"
QUESTION = "How much is a standard tune-up, please?"


def xai_twin(agent: TwinAgent, faults: TwinFaults | None) -> Twin:
    return Twin(agent, key=KEY, faults=faults, dialect=XaiTwinDialect())


@pytest.fixture(scope="module")
def price(tmp_path_factory: pytest.TempPathFactory) -> Held:
    async def talk(live: Live) -> None:
        await live.hears("help")
        await live.say(QUESTION)
        await live.hears("$85.00")
        await live.say("No, that's all.")
        await asyncio.sleep(20)

    folder = tmp_path_factory.mktemp("xai")
    return run_real(hold(talk, folder, adapter=XaiAdapter(), place=xai_twin, idle_timeout_ms="9000"))


def test_the_greeting_is_spoken_as_it_is_and_no_response_is_asked_for_it(price: Held) -> None:
    first = next(
        event
        for event in price.received
        if event["type"] != "input_audio_buffer.append" and event["type"] != "session.update"
    )
    assert first["item"]["type"] == "force_message"
    assert first["item"]["content"] == [{"type": "output_text", "text": PACK.agent.greeting}]
    said = [event.text for event in price.of(AgentTranscript) if event.kind is TranscriptKind.FINAL]
    assert said[0] == PACK.agent.greeting
    assert "A standard tune-up is $85.00." in said


def test_what_the_caller_says_grows_and_is_then_final(price: Held) -> None:
    told = [(event.text, event.kind) for event in price.of(UserTranscript)]
    first = [kind for _, kind in told[:3]]
    assert first == [TranscriptKind.CUMULATIVE, TranscriptKind.CUMULATIVE, TranscriptKind.FINAL]
    assert QUESTION.startswith(told[0][0])
    assert told[1][0] == told[2][0] == QUESTION


def test_a_response_is_asked_for_once_after_the_tool_though_nothing_is_acknowledged(price: Held) -> None:
    added = [event["item"]["type"] for event in price.told("conversation.item.added")]
    assert "function_call_output" not in added
    assert len(price.asked("response.create")) == 1
    assert [name for name, _, _ in price.tools] == ["get_service_price", "end_call"]
    assert price.ended == Ended("agent", "end_call")
    assert price.errors == []
    assert price.told("error") == []


def test_the_cost_is_that_of_the_sound_that_was_sent(price: Held) -> None:
    appended = price.asked("input_audio_buffer.append")
    seconds = sum(len(event["audio"]) * 3 // 4 // 2 / 24_000 for event in appended)
    assert price.cost.basis == "duration"
    assert price.cost.usd == pytest.approx(seconds / 60 * 0.08 + 0.004, abs=0.0005)
    metered = [event.quantities for event in price.of(Usage)]
    assert metered[0] == {"text_items": 1.0}
    assert 0 < sum(quantities.get(SENT_SECONDS, 0.0) for quantities in metered) <= seconds


def test_every_event_of_the_twin_is_of_the_vendors_shape_and_the_key_is_nowhere(price: Held) -> None:
    types = XaiTwinDialect().types()
    for event in price.sent:
        types.check_server(event)
    kinds = {event["type"] for event in price.sent}
    assert {"ping", "conversation.created", "session.created"} <= kinds
    assert not kinds & {"rate_limits.updated", "conversation.item.done"}
    assert KEY not in repr((price.events, price.record, price.cost))


# --- what a server with a script does -----------------------------------------------------------------------

Script = Callable[["Vendor"], Awaitable[None]]


class Vendor:
    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self.headers = socket.request.headers if socket.request else {}

    async def tell(self, kind: str, **fields: Any) -> None:
        await self._socket.send(json.dumps({"type": kind, "event_id": "e", **fields}))

    async def takes(self, kind: str) -> dict[str, Any]:
        while True:
            event: dict[str, Any] = json.loads(await asyncio.wait_for(self._socket.recv(), 5))
            if event["type"] == kind:
                return event

    async def responds(self, name: str, *calls: str) -> None:
        await self.tell(
            "response.created",
            response={"id": name, "object": "realtime.response", "status": "in_progress", "output": []},
        )
        for call in calls:
            place = {"response_id": name, "item_id": call, "output_index": 0}
            await self.tell(
                "response.function_call_arguments.done",
                **place,
                call_id=call,
                name="get_service_price",
                arguments="{}",
            )
        await self.done(name)

    async def done(self, name: str) -> None:
        await self.tell(
            "response.done",
            response={"id": name, "object": "realtime.response", "status": "completed", "output": []},
        )


def call(script: Script, opening: str = "session.created") -> tuple[list[SessionEvent], Cost]:
    """All events of a call with a server that follows a script and then closes."""

    async def work() -> tuple[list[SessionEvent], Cost]:
        failures: list[BaseException] = []

        async def answer(socket: ServerConnection) -> None:
            vendor = Vendor(socket)
            try:
                more = (
                    {"conversation": {"id": "c", "object": "realtime.conversation"}}
                    if "conv" in opening
                    else {"session": {}}
                )
                await vendor.tell(opening, **more)
                await vendor.takes("session.update")
                await vendor.tell("ping", timestamp=1)
                await vendor.tell("session.updated", session={})
                await vendor.takes("conversation.item.create")
                await script(vendor)
            except BaseException as error:
                failures.append(error)
                raise

        async with serve(answer, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            settings = settings_from({"base_url": f"http://127.0.0.1:{port}/v1"}, {})
            session = await dial(AGENT, settings, key=KEY, patience=5)
            told: list[SessionEvent] = []
            async with asyncio.timeout(10):
                async for event in session.events():
                    told.append(event)
                    if isinstance(event, ToolCall):
                        await session.send_tool_result(ToolResult(event.id, event.name, 200, {}))
            await session.hang_up()
            assert not failures, failures
            return told, await session.fetch_cost()

    return run_real(work())


@pytest.mark.parametrize("opening", ["session.created", "conversation.created"])
def test_either_first_event_opens_and_a_ping_is_no_news(opening: str) -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.tell("ping", timestamp=2)
        place = {"response_id": "r", "item_id": "i"}
        await vendor.tell("response.output_audio_transcript.delta", **place, delta="Good ")
        await vendor.tell("response.output_audio_transcript.delta", **place, delta="day.")
        await vendor.tell("response.output_audio_transcript.done", **place)

    events, _ = call(script, opening)
    assert [event for event in events if isinstance(event, SessionError)] == []
    finals = [
        event.text
        for event in events
        if isinstance(event, AgentTranscript) and event.kind is TranscriptKind.FINAL
    ]
    assert finals == ["Good day."]


def test_a_response_that_began_before_the_result_got_there_is_followed_by_another() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.responds("r1", "c1")
        await vendor.takes("conversation.item.create")
        asked = await vendor.takes("response.create")
        await vendor.tell(
            "response.created",
            response={"id": "r2", "object": "realtime.response", "status": "in_progress", "output": []},
        )
        busy = {
            "type": "invalid_request_error",
            "code": "",
            "message": "Conversation already has an active response",
            "event_id": asked["event_id"],
        }
        await vendor.tell("error", error=busy)
        await vendor.done("r2")
        await vendor.takes("response.create")
        await vendor.responds("r3")

    events, cost = call(script)
    assert [event for event in events if isinstance(event, SessionError)] == []
    assert cost.basis == "duration"


def test_another_vendors_account_names_do_not_go_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-private")
    seen: dict[str, str] = {}

    async def script(vendor: Vendor) -> None:
        seen.update({name.lower(): value for name, value in dict(vendor.headers).items()})

    call(script)
    assert seen["authorization"] == f"Bearer {KEY}"
    assert "private" not in repr(seen)


def test_a_wrong_key_and_an_empty_account_are_one_line(tmp_path: Path) -> None:
    from offhook_adapters.wires.vendor import VendorError
    from tests.adapters.openai_realtime._calls import setup

    async def refused(key: str, faults: TwinFaults | None) -> str:
        async with Twin(TwinAgent(setup()), key=KEY, faults=faults, dialect=XaiTwinDialect()) as twin:
            settings = settings_from({"base_url": twin.base_url}, {})
            with pytest.raises(VendorError) as told:
                await dial(AGENT, settings, key=key, patience=5)
            return str(told.value).replace(twin.base_url.split("/")[2], "HOST")

    assert run_real(refused("xai-wrong-key-0123", None)) == "HOST refused the key: check XAI_API_KEY"
    empty = run_real(refused(KEY, TwinFaults(no_quota=True)))
    assert empty == "HOST has no credit left: check the plan and billing of the account"
