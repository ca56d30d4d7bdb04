"""Whole conversations in real time, side by side so that the suite waits for the longest only."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import attrs
import pytest

from offhook.clock import run_real
from offhook.sessions import AgentAudio, Clear, Cost, Ended, Ready, SessionError, UserTranscript
from offhook.twins import FAULTS, ScriptDesk
from offhook_adapters.elevenlabs._twin_checks import known_events
from offhook_adapters.elevenlabs.adapter import ElevenLabsAdapter
from offhook_adapters.elevenlabs.config import CLIENT_EVENTS
from tests.adapters._calls import AGENT
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
    await live.say("Stop, how much?")
    await live.hears("eighty-five")


async def only_listens(live: Live) -> None:
    await asyncio.sleep(30)


async def tells_the_price(desk: ScriptDesk) -> None:
    await desk.say(GREETING)
    await desk.listen()
    prices = await asyncio.gather(
        desk.call("get_service_price", {"service": "tune_up"}),
        desk.call("get_service_price", {"service": "paint"}),
    )
    await desk.say(f"It is {prices[0].body['price']}.")
    await desk.listen()
    await desk.call("end_call", {})
    await desk.say("Goodbye.")


async def talks_at_length(desk: ScriptDesk) -> None:
    await desk.say(LONG)
    await desk.listen()
    await desk.say("It is eighty-five.")
    await desk.listen()


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Held]:
    adapter = ElevenLabsAdapter()
    config = attrs.evolve(AGENT, greeting=GREETING)

    def place(name: str) -> Path:
        return tmp_path_factory.mktemp(name)

    async def every() -> dict[str, Held]:
        held = {
            "price": hold(
                adapter, asks_the_price, place("price"), script=tells_the_price, config=config, voice="Sarah"
            ),
            "break-in": hold(adapter, breaks_in, place("break-in"), script=talks_at_length),
            "cut": hold(adapter, only_listens, place("cut"), script=talks_at_length, faults=FAULTS["cut"]),
        }
        return dict(zip(held, await asyncio.gather(*held.values()), strict=True))

    return run_real(every())


def test_prompt_tools_and_greeting_arrive_byte_for_byte(calls: dict[str, Held]) -> None:
    arrived = calls["price"].arrived
    assert arrived is not None
    assert (arrived.prompt, arrived.greeting) == (AGENT.prompt, GREETING)
    given = [(tool.name, tool.description, dict(tool.parameters)) for tool in AGENT.tools]
    came = [(tool.name, tool.description, dict(tool.parameters)) for tool in arrived.tools]
    assert json.dumps(came) == json.dumps(given)


def test_a_question_is_heard_looked_up_and_answered(calls: dict[str, Held]) -> None:
    call = calls["price"]
    assert isinstance(call.events[0], Ready)
    assert [event.text for event in call.of(UserTranscript)] == [QUESTION, "Bye."]
    assert call.said == [GREETING, "It is $85.00.", "Goodbye."]
    assert call.ended == Ended("agent", "end_call")
    assert call.errors == []
    results = [message for message in call.received if message.get("type") == "client_tool_result"]
    assert [(each["tool_call_id"], each["is_error"]) for each in results] == [
        (call.tools[0][2], False),
        (call.tools[1][2], True),
        (call.tools[2][2], False),
    ]


def test_every_ping_is_answered(calls: dict[str, Held]) -> None:
    call = calls["price"]
    pings = [event["ping_event"]["event_id"] for event in call.sent if event["type"] == "ping"]
    pongs = [message["event_id"] for message in call.received if message.get("type") == "pong"]
    assert pongs == pings != []


def test_the_twin_sends_what_the_agent_names_and_the_vendor_knows(calls: dict[str, Held]) -> None:
    sent = {event["type"] for call in calls.values() for event in call.sent}
    assert sent <= set(CLIENT_EVENTS) <= known_events()
    assert {"agent_response_complete", "client_tool_call", "interruption"} <= sent


def test_the_record_and_the_cost_are_the_vendors(calls: dict[str, Held]) -> None:
    call = calls["price"]
    assert call.record.raw["status"] == "done"
    assert call.record.transcript[:2] == (f"agent: {GREETING}", f"caller: {QUESTION}")
    log = [(entry["id"], entry["name"], json.loads(entry["arguments"])) for entry in call.record.tool_log]
    assert log == [(source, name, arguments) for name, arguments, source in call.tools]
    assert call.cost == Cost(call.record.raw["cost_fiat"], "reported")
    assert call.cost.usd is not None
    assert call.cost.usd > 0


def test_breaking_in_flushes_the_line_and_what_is_late_is_not_played(calls: dict[str, Held]) -> None:
    call = calls["break-in"]
    (clear,) = call.tapes.clears
    assert clear.dropped > 1
    assert len(call.of(Clear)) == 1
    (corrected,) = call.record.raw["corrections"]
    assert LONG.startswith(corrected.removesuffix("..."))
    assert len(corrected) < len(LONG)
    after = call.events[call.events.index(call.of(Clear)[0]) :]
    assert sum(len(each.samples) for each in after if isinstance(each, AgentAudio)) / 24_000 < 3


def test_a_broken_connection_is_an_error_and_still_has_a_record(calls: dict[str, Held]) -> None:
    call = calls["cut"]
    assert [(error.code, error.fatal) for error in call.of(SessionError)] == [("connection_lost", True)]
    assert call.ended.by == "platform"
    assert call.record.raw["status"] == "done"


def test_the_key_and_the_signature_are_nowhere_in_what_a_session_tells(calls: dict[str, Held]) -> None:
    for call in calls.values():
        told = repr((call.events, call.record, call.cost))
        assert call.key not in told
        assert "signature" not in told
