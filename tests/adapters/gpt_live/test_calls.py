"""Whole calls on GPT-Live's wire, with its twin and with a server that follows a script."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np
import pytest
from websockets.asyncio.server import ServerConnection, serve

from offhook.clock import run_real
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Ready,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    ToolResult,
    TranscriptKind,
    UserTranscript,
)
from offhook.twins import TwinFaults
from offhook_adapters.gpt_live._twin_session import started_session
from offhook_adapters.gpt_live._twin_types import live_types
from offhook_adapters.gpt_live.adapter import GptLiveAdapter, dial
from offhook_adapters.gpt_live.config import greeting_request, session_config, settings_from
from offhook_adapters.gpt_live.twin import serve_twin
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from tests.adapters.openai_realtime._calls import AGENT, KEY, PACK, Held, Live, hold, setup

QUESTION = "How much is a standard tune-up, please?"


def live_twin(agent: TwinAgent, faults: TwinFaults | None) -> Any:
    return serve_twin(agent, key=KEY, faults=faults)


@pytest.fixture(scope="module")
def price(tmp_path_factory: pytest.TempPathFactory) -> Held:
    async def talk(live: Live) -> None:
        await live.hears("help")
        await live.say(QUESTION)
        await live.hears("$85.00")
        await live.say("No, that's all.")
        await asyncio.sleep(20)

    folder = tmp_path_factory.mktemp("live")
    return run_real(hold(talk, folder, adapter=GptLiveAdapter(), place=live_twin))


def test_a_question_is_heard_delegated_looked_up_and_answered(price: Held) -> None:
    assert [name for name, _, _ in price.tools] == ["get_service_price", "end_call"]
    assert isinstance(price.events[0], Ready)
    assert price.ended == Ended("agent", "end_call")
    assert price.errors == []
    assert price.told("error") == []
    said = [event.text for event in price.of(AgentTranscript) if event.kind is TranscriptKind.FINAL]
    assert said[0] == PACK.agent.greeting
    assert "A standard tune-up is $85.00." in " ".join(said)
    heard = [event.text for event in price.of(UserTranscript) if event.kind is TranscriptKind.FINAL]
    assert heard == [QUESTION, "No, that's all."]
    assert [source for _, _, source in price.tools] == [entry["id"] for entry in price.record.tool_log]


def test_what_was_started_is_the_agents_configuration(price: Held) -> None:
    first = price.received[0]
    assert first["session"] == session_config(AGENT, settings_from({}, {}))
    asked = price.asked("session.commentary.append")
    assert [(each["content"], each["delegation_id"]) for each in asked] == [
        (greeting_request(PACK.agent.greeting), None)
    ]
    assert len(price.asked("response.create")) == 2
    assert len(price.told("session.delegation.created")) == 2


def test_the_stream_is_silence_too_and_only_what_is_said_is_played(price: Held) -> None:
    pieces = [base64.b64decode(event["delta"]) for event in price.told("session.output_audio.delta")]
    voiced = [any(piece) for piece in pieces]
    assert False in voiced[: voiced.index(True)] or voiced[0]
    emitted = sum(len(event.samples) for event in price.of(AgentAudio)) / 24_000
    assert sum(voiced) * 0.2 - 0.01 <= emitted < len(pieces) * 0.2
    assert price.tapes.clears == ()


def test_seconds_and_the_backends_tokens_are_the_cost(price: Held) -> None:
    seconds = price.record.raw["seconds"]
    assert not seconds["differs"]
    assert abs(seconds["reported"] - seconds["measured"]) < 3
    assert price.cost.basis == "usage"
    assert price.cost.usd is not None
    assert seconds["reported"] / 60 * 0.05 < price.cost.usd < seconds["reported"] / 60 * 0.05 + 0.01
    assert price.told("session.closed")[0]["reason"] == "close_requested"


def test_every_event_of_the_twin_is_one_of_the_vendors_and_the_key_is_nowhere(price: Held) -> None:
    types = live_types()
    for event in price.sent:
        types.check_server(event)
    assert KEY not in repr((price.events, price.record, price.cost))


# --- refusals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "faults", "options", "prompt", "unusable", "told"),
    [
        ("sk-wrong", None, {}, "", True, "HOST refused the key (HTTP 401): check OPENAI_API_KEY"),
        (KEY, None, {"model": "gpt-live-9"}, "", True, "there is no Live model 'gpt-live-9'"),
        (KEY, None, {}, "x" * 70_000, True, "instructions are limited to 16384 tokens"),
        (KEY, TwinFaults(no_quota=True), {}, "", True, "check the plan and billing of the account"),
        (KEY, TwinFaults(rate_limit=True), {}, "", False, "try again later"),
        (KEY, TwinFaults(refuse=503), {}, "", False, "answered HTTP 503"),
    ],
)
def test_a_refusal_is_one_line(
    key: str, faults: TwinFaults | None, options: dict[str, str], prompt: str, unusable: bool, told: str
) -> None:
    async def work() -> VendorError:
        async with serve_twin(TwinAgent(setup()), key=KEY, faults=faults) as twin:
            url = twin.environment["OPENAI_BASE_URL"]
            agent = AgentConfig("a", prompt, "Hi.", (), "")
            with pytest.raises(VendorError) as refused:
                await dial(agent, settings_from({"base_url": url, **options}), key=key, patience=5)
            return type(refused.value)(str(refused.value).replace(url.split("/")[2], "HOST"))

    error = run_real(work())
    assert isinstance(error, VendorUnusable) is unusable
    assert told in str(error)
    assert "\n" not in str(error)


# --- a server with a script ---------------------------------------------------------------------------------

Script = Callable[["Vendor"], Awaitable[None]]


class Vendor:
    """One connection; each event is held against the SDK's types."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self._types = live_types()
        self.asked: list[dict[str, Any]] = []

    async def tell(self, kind: str, **fields: Any) -> None:
        event = {"type": kind, "event_id": "e", **fields}
        self._types.check_server(event)
        await self.raw(event)

    async def raw(self, event: dict[str, Any]) -> None:
        await self._socket.send(json.dumps(event))

    async def takes(self, kind: str) -> dict[str, Any]:
        while True:
            event: dict[str, Any] = json.loads(await asyncio.wait_for(self._socket.recv(), 5))
            self._types.check_client(event)
            self.asked.append(event)
            if event["type"] == kind:
                return event

    async def sound(self, level: int, seconds: float) -> None:
        pcm = np.full(round(seconds * 24_000), level, dtype="<i2").tobytes()
        await self.raw({"type": "session.output_audio.delta", "delta": base64.b64encode(pcm).decode()})

    async def words(self, who: str, text: str, start_ms: int, end_ms: int) -> None:
        await self.tell(f"session.{who}_transcript.delta", delta=text, start_ms=start_ms, end_ms=end_ms)

    async def nested(self, kind: str, delegation: str | None = "d1", **fields: Any) -> None:
        event = {"type": kind, "sequence_number": 1, **fields}
        await self.tell("response.event", delegation_id=delegation, event=event)

    async def calls(self, call_id: str, tool: str = "get_service_price", arguments: str = "{}") -> None:
        item = {"type": "function_call", "id": call_id, "call_id": call_id, "name": tool}
        item |= {"arguments": arguments, "status": "completed"}
        await self.nested("response.output_item.done", output_index=0, item=item)

    async def responds(self, status: str, **fields: Any) -> None:
        kind = "response.created" if status == "in_progress" else f"response.{status}"
        described = {"id": "r1", "object": "response", "created_at": 0, "model": "gpt-5.6-luna"}
        described |= {"status": status, "output": [], "tools": [], "tool_choice": "auto"}
        await self.nested(kind, response={**described, "parallel_tool_calls": True, **fields})


def answered(asked: ToolCall) -> ToolResult:
    return ToolResult(asked.id, asked.name, 200, {"for": asked.id})


def call(
    script: Script, seconds: float | None = None, **changes: Any
) -> tuple[list[SessionEvent], PlatformRecord, Cost]:
    """A call with a server that follows a script, after which the caller hangs up. ``seconds`` is the usage
    that the server closes with.
    """

    async def work() -> tuple[list[SessionEvent], PlatformRecord, Cost]:
        failures: list[BaseException] = []
        over = asyncio.Event()

        async def serve_one(socket: ServerConnection) -> None:
            vendor = Vendor(socket)
            try:
                asked = await vendor.takes("session.start")
                session = {**started_session(asked["session"], 0), **changes}
                await vendor.tell("session.started", session=session)
                await script(vendor)
                over.set()
                if seconds is not None:
                    await vendor.takes("session.close")
                    closing = {"reason": "close_requested", "usage": {"seconds": seconds}}
                    await vendor.tell("session.closed", session=session, **closing)
            except BaseException as error:
                failures.append(error)
                over.set()
                raise

        async with serve(serve_one, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            settings = settings_from({"base_url": f"http://127.0.0.1:{port}/v1"})
            session = await dial(AGENT, settings, key=KEY, patience=5)
            told: list[SessionEvent] = []

            async def listen() -> None:
                async for event in session.events():
                    told.append(event)
                    if isinstance(event, ToolCall):
                        await session.send_tool_result(answered(event))

            listening = asyncio.create_task(listen())
            async with asyncio.timeout(15):
                await over.wait()
                await asyncio.sleep(0.2)
                await session.hang_up()
                await listening
            assert not failures, failures
            return told, await session.fetch_record(), await session.fetch_cost()

    return run_real(work())


def errors(events: list[SessionEvent]) -> list[str]:
    return [event.code for event in events if isinstance(event, SessionError)]


def test_a_batch_is_answered_whole_and_asked_to_go_on_once() -> None:
    kinds: list[str] = []

    async def script(vendor: Vendor) -> None:
        await vendor.responds("in_progress")
        await vendor.calls("c1")
        await vendor.calls("c2", arguments='{"service": ')
        await vendor.takes("response.item.create")
        await vendor.takes("response.item.create")
        await vendor.calls("c1")
        await vendor.responds("completed", usage=_usage(1000, 10))
        await vendor.takes("response.create")
        await vendor.responds("in_progress")
        await vendor.responds("completed", usage=_usage(1100, 20))
        kinds.extend(each["type"] for each in vendor.asked if each["type"].startswith("response."))

    events, _, cost = call(script)
    assert [(event.id, event.arguments) for event in events if isinstance(event, ToolCall)] == [
        ("c1", {}),
        ("c2", '{"service": '),
    ]
    assert kinds == ["response.item.create", "response.item.create", "response.create"]
    assert errors(events) == ["bad_arguments"]
    assert cost.usd == pytest.approx((2100 * 0.2 + 30 * 1.2) / 1e6, abs=1e-3)


def _usage(taken: int, given: int) -> dict[str, Any]:
    return {
        "input_tokens": taken,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": given,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": taken + given,
    }


def test_a_backend_that_fails_takes_its_calls_back_and_the_cost_is_unknown() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.responds("in_progress")
        await vendor.calls("c1")
        await vendor.takes("response.item.create")
        await vendor.calls("c2")
        failure = {"code": "server_error", "message": f"no\nmore {KEY}"}
        await vendor.responds("failed", error=failure)

    events, _, cost = call(script)
    told = [event.message for event in events if isinstance(event, SessionError)]
    assert told == ["the backend broke off: no more [key]"]
    assert cost == Cost(None, "unknown")
    assert not any(isinstance(event, ToolCancelled) and event.id == "c1" for event in events)


def test_seconds_that_cannot_be_are_noted_and_not_reckoned_with() -> None:
    async def script(vendor: Vendor) -> None:
        for _ in range(300):  # a minute of the agent's stream
            await vendor.sound(0, 0.2)
        await vendor.tell("session.usage.updated", usage={"seconds": 7})

    events, record, cost = call(script, seconds=7.0)
    assert errors(events) == ["usage_differs"]
    assert record.raw["seconds"] == {"reported": 7.0, "measured": 60.0, "differs": True}
    assert cost == Cost(0.05, "duration")


def test_the_last_usage_comes_with_the_close() -> None:
    async def script(vendor: Vendor) -> None:
        for _ in range(100):
            await vendor.sound(0, 0.2)

    events, record, cost = call(script, seconds=21.0)
    assert errors(events) == []
    assert record.raw["seconds"]["reported"] == 21.0
    assert cost == Cost(round(21 / 60 * 0.05, 6), "usage")
    assert events[-1] == Ended("caller")


def test_what_waits_when_the_agent_gives_way_is_dropped() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.sound(2000, 3.0)  # three seconds at once
        await vendor.words("output", "We look at", 0, 3000)
        await vendor.words("input", "Stop.", 2400, 2800)
        await vendor.sound(0, 0.2)
        await vendor.sound(2000, 0.2)

    events, _, _ = call(script)
    kinds = [type(event) for event in events if isinstance(event, (AgentAudio, Clear))]
    assert kinds == [AgentAudio, Clear, AgentAudio]


def test_a_closed_session_is_the_platforms_end_and_open_words_are_kept() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.words("output", "Good day", 0, 300)
        session = started_session(session_config(AGENT, settings_from({})), 0)
        await vendor.tell("session.closed", session=session, usage={"seconds": 1}, reason="expired")

    events, record, _ = call(script)
    assert events[-1] == Ended("platform", "the platform closed the session: expired")
    assert record.transcript == ("agent: Good day",)


def test_another_prompt_than_was_given_is_noted() -> None:
    async def script(vendor: Vendor) -> None:
        await asyncio.sleep(0)

    assert errors(call(script, instructions="Be rude.")[0]) == ["config_differs"]
    assert errors(call(script)[0]) == []


def test_sound_that_is_no_base64_and_an_error_are_noted() -> None:
    async def script(vendor: Vendor) -> None:
        await vendor.raw({"type": "session.output_audio.delta", "delta": "?"})
        await vendor.raw({"type": "session.mood.updated", "mood": "fine"})
        wrong = {"type": "invalid_request_error", "code": "string_above_max_length", "message": "too long"}
        await vendor.tell("error", error=wrong)

    assert errors(call(script)[0]) == ["bad_audio", "unknown_event", "string_above_max_length"]
