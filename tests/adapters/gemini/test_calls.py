"""Whole calls in real time, side by side so that the suite waits for the longest only."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import attrs
import pytest

from offhook.clock import run_real
from offhook.sessions import AgentAudio, Clear, Ended, Ready, ToolCancelled, Usage, UserTranscript
from offhook.twins import FAULTS, ScriptDesk
from offhook_adapters.gemini._twin_checks import check_server
from offhook_adapters.gemini.adapter import GeminiLiveAdapter
from offhook_adapters.gemini.prices import catalogue, cost_of
from tests.adapters._calls import AGENT, PACK
from tests.adapters._held import Held, Live, hold

GREETING = "Hello, desk here."
QUESTION = "How much is a tune-up?"
LONG = "Fernhill Cycle Works, this is the repair desk, and here is what we do for bicycles of all kinds."


async def asks_the_price(live: Live) -> None:
    await live.hears("hello")
    await live.say(QUESTION)
    await live.hears("$85.00")
    await live.say("Bye.")
    await asyncio.Event().wait()


async def breaks_in(live: Live) -> None:
    await asyncio.sleep(1.5)
    await live.say("Stop, how much is a tune-up?")
    await live.hears("eighty-five")


async def only_listens(live: Live) -> None:
    await asyncio.sleep(30)


async def tells_the_price(desk: ScriptDesk) -> None:
    await desk.say(GREETING)
    await desk.listen()
    answer = await desk.call("get_service_price", {"service": "tune_up"})
    await desk.say(f"It is {answer.body['price']}.")
    await desk.listen()
    await desk.call("end_call", {})
    await desk.say("Goodbye.")


async def talks_at_length(desk: ScriptDesk) -> None:
    await desk.say(LONG)
    await desk.listen()
    await desk.say("It is eighty-five.")
    await desk.listen()


async def uses_two_tools_at_once(desk: ScriptDesk) -> None:
    await desk.say("One moment.")
    answers = await asyncio.gather(
        desk.call("get_service_price", {"service": "tune_up"}),
        desk.call("get_service_price", {"service": "brakes"}),
    )
    await desk.say(" and ".join(str(answer.body.get("price", "nothing")) for answer in answers))
    await desk.call("end_call", {})


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Held]:
    adapter = GeminiLiveAdapter()

    def place(name: str) -> Path:
        return tmp_path_factory.mktemp(name)

    async def every() -> dict[str, Held]:
        held = {
            "price": hold(
                adapter,
                asks_the_price,
                place("price"),
                script=tells_the_price,
                config=attrs.evolve(AGENT, greeting=GREETING),
                voice="Puck",
            ),
            "break-in": hold(adapter, breaks_in, place("break-in"), script=talks_at_length),
            "batch": hold(adapter, only_listens, place("batch"), script=uses_two_tools_at_once),
            "cancel": hold(
                adapter,
                only_listens,
                place("cancel"),
                script=uses_two_tools_at_once,
                faults=FAULTS["cancel"],
            ),
        }
        return dict(zip(held, await asyncio.gather(*held.values()), strict=True))

    return run_real(every())


def test_prompt_tools_and_greeting_arrive_byte_for_byte(calls: dict[str, Held]) -> None:
    arrived = calls["price"].arrived
    assert arrived is not None
    assert (arrived.prompt, arrived.greeting) == (PACK.agent.prompt, GREETING)
    given = [(tool.name, tool.description, dict(tool.parameters)) for tool in AGENT.tools]
    came = [(tool.name, tool.description, dict(tool.parameters)) for tool in arrived.tools]
    assert json.dumps(came) == json.dumps(given)
    (setup,) = [message["setup"] for message in calls["price"].received if "setup" in message]
    voice = setup["generationConfig"]["speechConfig"]["voice_config"]["prebuilt_voice_config"]["voice_name"]
    assert voice == "Puck"


def test_a_question_is_heard_looked_up_and_answered(calls: dict[str, Held]) -> None:
    call = calls["price"]
    assert isinstance(call.events[0], Ready)
    assert [name for name, _, _ in call.tools] == ["get_service_price", "end_call"]
    finals = [event.text for event in call.of(UserTranscript) if event.kind == "final"]
    assert finals == [QUESTION, "Bye."]
    assert call.said == [GREETING, "It is $85.00.", "Goodbye."]
    assert call.ended == Ended("agent", "end_call")
    assert call.errors == []
    assert [source for _, _, source in call.tools] == [entry["id"] for entry in call.record.tool_log]


def test_sound_goes_at_16_khz_and_comes_at_24(calls: dict[str, Held]) -> None:
    call = calls["price"]
    sounds = [message["realtime_input"]["audio"] for message in call.received if _has_audio(message)]
    assert {sound["mime_type"] for sound in sounds} == {"audio/pcm;rate=16000"}
    assert {event.rate for event in call.of(AgentAudio)} == {24_000}
    heard = sum(len(event.samples) for event in call.of(AgentAudio)) / 24_000
    assert heard == pytest.approx(sum(span.end - span.start for span in call.tapes.played), abs=0.1)


def _has_audio(message: object) -> bool:
    return isinstance(message, dict) and "audio" in message.get("realtime_input", {})


def test_every_message_of_the_twin_is_one_of_the_vendors(calls: dict[str, Held]) -> None:
    for call in calls.values():
        for message in call.sent:
            check_server(message)
    assert {name for message in calls["price"].sent for name in message} == {
        "setupComplete",
        "serverContent",
        "toolCall",
        "usageMetadata",
    }


def test_usage_adds_up_and_is_priced(calls: dict[str, Held]) -> None:
    call = calls["price"]
    total: dict[str, float] = {}
    for usage in call.of(Usage):
        for name, amount in usage.quantities.items():
            total[name] = total.get(name, 0.0) + amount
    bills = [message["usageMetadata"] for message in call.sent if "usageMetadata" in message]
    assert total["output_audio_tokens"] == sum(bill["responseTokenCount"] for bill in bills) > 50
    assert call.cost == cost_of(total, catalogue().models["gemini-3.8-live"].prices)
    assert call.cost.usd is not None
    assert call.cost.usd > 0.001


def test_breaking_in_flushes_the_line(calls: dict[str, Held]) -> None:
    call = calls["break-in"]
    (clear,) = call.tapes.clears
    assert clear.dropped > 1
    assert len(call.of(Clear)) == 1
    assert call.said == [LONG, "It is eighty-five."]


def test_a_batch_is_answered_in_one_message(calls: dict[str, Held]) -> None:
    call = calls["batch"]
    assert [arguments for _, arguments, _ in call.tools] == [
        {"service": "tune_up"},
        {"service": "brakes"},
        {},
    ]
    answers = [message["tool_response"] for message in call.received if "tool_response" in message]
    assert [len(answer["functionResponses"]) for answer in answers] == [2, 1]
    assert "$85.00 and $64.00" in call.said


def test_a_call_that_was_taken_back_is_not_answered(calls: dict[str, Held]) -> None:
    call = calls["cancel"]
    (cancelled,) = call.of(ToolCancelled)
    assert cancelled.id == call.tools[0][2]
    answered = [
        each["id"]
        for message in call.received
        if "tool_response" in message
        for each in message["tool_response"]["functionResponses"]
    ]
    assert answered == [call.tools[1][2], call.tools[2][2]]
    assert "nothing and $64.00" in call.said


def test_the_key_is_nowhere_in_what_a_session_tells(calls: dict[str, Held]) -> None:
    for call in calls.values():
        assert call.key not in repr((call.events, call.record, call.cost))
