"""Whole calls in real time, all at once on one loop so that the suite waits for the longest only."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import attrs
import pytest

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, LINE_RATE, Clip
from offhook.clock import run_real
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Clear,
    Ended,
    Ready,
    SessionError,
    ToolCall,
    TranscriptKind,
    Usage,
    UserSpeech,
    UserTranscript,
)
from offhook.speech import ListenerHint
from offhook.testing import FakeListener
from offhook.twins import TwinFaults
from offhook_adapters.openai_realtime.prices import catalogue, cost_of
from offhook_adapters.openai_realtime.twin_checks import wire_types
from offhook_adapters.reference.minds.desk import Desk

from ._calls import AGENT, KEY, PACK, Held, Live, hold

QUESTION = "How much is a standard tune-up?"
LONG = "Fernhill Cycle Works, this is the repair desk, and here is what we do for bicycles of all kinds."


# --- callers and minds ------------------------------------------------------------------------------------


async def asks_the_price(live: Live) -> None:
    await live.hears("how can i help")
    await live.say(QUESTION)
    await live.hears("anything else")
    await live.say("No, that's all.")
    await asyncio.Event().wait()


async def asks_and_leaves(live: Live) -> None:
    await live.hears("how can i help")
    await live.say(QUESTION)
    await live.hears("$85.00")


async def asks_and_waits(live: Live) -> None:
    await live.hears("how can i help")
    await live.say(QUESTION)
    await asyncio.sleep(5)


async def breaks_in(live: Live) -> None:
    await asyncio.sleep(1.5)
    await live.say("Stop, how much is a tune-up?")
    await live.hears("eighty-five")


async def is_silent_and_then_asks(live: Live) -> None:
    await asyncio.sleep(3)
    await live.say(QUESTION)
    await live.hears("$85.00")


async def only_listens(live: Live) -> None:
    await asyncio.sleep(30)


async def talks_at_length(desk: Desk) -> None:
    await desk.say(LONG)
    await asyncio.sleep(6)  # the response is still under way when the caller breaks in
    await desk.listen()
    await desk.say("It is eighty-five.")
    await desk.listen()


async def uses_two_tools_at_once(desk: Desk) -> None:
    await desk.say("One moment.")
    answers = await asyncio.gather(
        desk.call("get_service_price", {"service": "tune_up"}),
        desk.call("get_service_price", {"service": "brakes"}),
    )
    await desk.say(" and ".join(answer.body["price"] for answer in answers))
    refused = await desk.call("get_service_price", {"service": "paint"})
    assert refused.status == 400
    await desk.call("end_call", {})


async def leaves_without_a_word(desk: Desk) -> None:
    await desk.say("Hello.")
    await desk.listen()
    await desk.call("end_call", {})
    await desk.say("Goodbye.")


async def answers_and_waits(desk: Desk) -> None:
    heard = await desk.listen()
    assert heard is not None
    await desk.say(f"{heard.text} That is $85.00.")
    await desk.listen()


async def says_bye(live: Live) -> None:
    await live.hears("hello")
    await live.say("Bye.")
    await asyncio.Event().wait()


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Held]:
    def place(name: str) -> Path:
        return tmp_path_factory.mktemp(name)

    async def every() -> dict[str, Held]:
        held = {
            "price": hold(asks_the_price, place("price")),
            "break-in": hold(breaks_in, place("break-in"), script=talks_at_length),
            "batch": hold(only_listens, place("batch"), script=uses_two_tools_at_once),
            "wordless": hold(says_bye, place("wordless"), script=leaves_without_a_word),
            "no-greeting": hold(
                is_silent_and_then_asks,
                place("no-greeting"),
                script=answers_and_waits,
                config=attrs.evolve(AGENT, greeting="", tools=()),
                idle_timeout_ms="1000",
            ),
            "cut": hold(asks_the_price, place("cut"), faults=TwinFaults(cut_after=18)),
            "stall": hold(asks_and_waits, place("stall"), faults=TwinFaults(stall_after=14), patience=1.0),
            "burst": hold(asks_and_leaves, place("burst"), faults=TwinFaults(burst=0.6)),
            "unknown": hold(asks_and_leaves, place("unknown"), faults=TwinFaults(unknown_event=True)),
        }
        return dict(zip(held, await asyncio.gather(*held.values()), strict=True))

    return run_real(every())


# --- an ordinary call -------------------------------------------------------------------------------------


def test_prompt_tools_and_greeting_arrive_byte_for_byte(calls: dict[str, Held]) -> None:
    (update,) = calls["price"].asked("session.update")
    assert update["session"]["instructions"] == PACK.agent.prompt
    given = [(tool["name"], tool["description"], tool["parameters"]) for tool in update["session"]["tools"]]
    assert given == [(tool.name, tool.description, dict(tool.parameters)) for tool in AGENT.tools]
    assert json.dumps(given) == json.dumps([(t.name, t.description, dict(t.parameters)) for t in AGENT.tools])
    (updated,) = calls["price"].told("session.updated")
    assert updated["session"]["instructions"] == PACK.agent.prompt
    assert "config_differs" not in calls["price"].errors
    said = [event.text for event in calls["price"].of(AgentTranscript) if event.kind is TranscriptKind.FINAL]
    assert said[0] == PACK.agent.greeting


def test_a_question_is_heard_looked_up_and_answered(calls: dict[str, Held]) -> None:
    call = calls["price"]
    assert [name for name, _, _ in call.tools] == ["get_service_price", "end_call"]
    assert [event.text for event in call.of(UserTranscript)] == [QUESTION, "No, that's all."]
    assert "A standard tune-up is $85.00." in [event.text for event in call.of(AgentTranscript)]
    assert call.ended == Ended("agent", "end_call")
    assert call.errors == []
    assert isinstance(call.events[0], Ready)
    assert isinstance(call.events[-1], Ended)
    assert [source for _, _, source in call.tools] == [entry["id"] for entry in call.record.tool_log]


def test_the_order_of_events_is_the_order_of_the_wire(calls: dict[str, Held]) -> None:
    kinds = {
        "input_audio_buffer.speech_started": UserSpeech,
        "input_audio_buffer.speech_stopped": UserSpeech,
        "conversation.item.input_audio_transcription.completed": UserTranscript,
        "response.output_audio.delta": AgentAudio,
        "response.output_audio_transcript.done": AgentTranscript,
        "response.function_call_arguments.done": ToolCall,
    }
    call = calls["price"]
    on_the_wire = [kinds[event["type"]] for event in call.sent if event["type"] in kinds]
    kept = [
        type(event)
        for event in call.events
        if type(event) in kinds.values() and getattr(event, "kind", None) is not TranscriptKind.DELTA
    ]
    assert kept == on_the_wire


def test_sound_comes_faster_than_real_time_and_goes_in_small_pieces(calls: dict[str, Held]) -> None:
    call = calls["unknown"]  # the caller hangs up, so sound was sent to its end
    appended = call.asked("input_audio_buffer.append")
    sizes = {len(event["audio"]) for event in appended}
    assert sizes <= {1280, 2560}  # base64 of 20 and 40 ms
    carried = sum(len(event["audio"]) // 1280 for event in appended) * 0.02
    assert abs(carried - call.tapes.seconds) < 0.5
    assert sum(len(event.samples) for event in call.of(AgentAudio)) / 24_000 > 5


def test_every_event_of_the_twin_is_one_of_the_vendors(calls: dict[str, Held]) -> None:
    types = wire_types()
    for name in ("price", "break-in", "batch"):
        for event in calls[name].sent:
            types.check_server(event)
    assert {"response.done", "rate_limits.updated"} <= {event["type"] for event in calls["price"].sent}


def test_no_client_message_was_refused(calls: dict[str, Held]) -> None:
    assert {name: call.told("error") for name, call in calls.items() if call.told("error")} == {}


def test_usage_adds_up_and_is_priced(calls: dict[str, Held]) -> None:
    call, published = calls["price"], catalogue()
    total: dict[str, float] = {}
    for usage in call.of(Usage):
        for name, amount in usage.quantities.items():
            total[name] = total.get(name, 0.0) + amount
    billed = [event["response"]["usage"]["output_token_details"] for event in call.told("response.done")]
    assert total["output_audio_tokens"] == sum(details["audio_tokens"] for details in billed) > 100
    prices = published.models["gpt-realtime-2.1"]
    assert call.cost == cost_of(total, prices, published.transcribers["gpt-transcribe"])
    assert call.cost.basis == "usage"
    assert call.cost.usd is not None
    assert call.cost.usd > 0.01


# --- interruption and tools -------------------------------------------------------------------------------


def test_breaking_in_flushes_the_line_and_cuts_the_item_where_it_was_heard(calls: dict[str, Held]) -> None:
    call = calls["break-in"]
    (clear,) = call.tapes.clears
    assert clear.dropped > 1
    (truncate,) = call.asked("conversation.item.truncate")
    assert truncate["audio_end_ms"] == int(clear.utterance_played * 1000)
    assert 0 < truncate["audio_end_ms"] < (clear.utterance_played + clear.dropped) * 1000 - 1000
    (truncated,) = call.told("conversation.item.truncated")
    assert truncated["item_id"] == truncate["item_id"]
    kinds = [type(event) for event in call.events]
    assert kinds.index(Clear) == kinds.index(UserSpeech) + 1
    assert "It is eighty-five." in [event.text for event in call.of(AgentTranscript)]


def test_after_the_flush_nothing_more_of_the_cancelled_response_is_played(calls: dict[str, Held]) -> None:
    call = calls["break-in"]
    (clear,) = call.tapes.clears
    told = {event["response"]["id"]: event["response"]["status"] for event in call.told("response.done")}
    first, *others = dict.fromkeys(event["response_id"] for event in call.told("response.output_audio.delta"))
    assert told[first] == "cancelled"
    assert len(others) == 1
    after = math.ceil(clear.at / FRAME_SECONDS) * FRAME_SAMPLES  # the frame on its way is let out
    heard = call.tapes.stereo[after:, 1]
    begins = round(min(span.start for span in call.tapes.played if span.start >= clear.at) * LINE_RATE)
    assert not heard[: begins - after].any()
    words = FakeListener().hear(Clip(call.tapes.stereo[begins:, 1]), ListenerHint()).text
    assert words == "It is eighty-five."
    ends = max(span.end for span in call.tapes.played if span.start < clear.at)
    assert abs(clear.utterance_played - (ends - call.tapes.played[0].start)) <= FRAME_SECONDS


def test_an_agent_without_a_greeting_is_asked_for_none_and_waits(calls: dict[str, Held]) -> None:
    call = calls["no-greeting"]
    (update,) = call.asked("session.update")
    assert update["session"]["tools"] == []
    assert call.asked("response.create") == []
    kinds = [event["type"] for event in call.sent]
    began = kinds.index("input_audio_buffer.speech_started")
    assert kinds[:began] == ["session.created", "session.updated"]
    assert kinds.index("response.created") > began
    assert min(span.start for span in call.tapes.played) > min(span.end for span in call.tapes.sent) > 3
    said = [event.text for event in call.of(AgentTranscript) if event.kind is TranscriptKind.FINAL]
    assert said == [f"{QUESTION} That is $85.00."]
    assert call.errors == []


def test_a_batch_of_calls_is_answered_whole_before_the_agent_goes_on(calls: dict[str, Held]) -> None:
    call = calls["batch"]
    assert [(name, arguments) for name, arguments, _ in call.tools] == [
        ("get_service_price", {"service": "tune_up"}),
        ("get_service_price", {"service": "brakes"}),
        ("get_service_price", {"service": "paint"}),
        ("end_call", {}),
    ]
    assert len({source for _, _, source in call.tools}) == 4
    steps = [
        event["type"]
        for event in call.received
        if event["type"] in ("conversation.item.create", "response.create")
    ]
    create, respond = "conversation.item.create", "response.create"
    assert steps[:6] == [respond, create, create, respond, create, respond]
    assert "$85.00 and $64.00" in [event.text for event in call.of(AgentTranscript)]


def test_an_agent_that_ends_the_call_without_a_word_is_asked_for_one(calls: dict[str, Held]) -> None:
    call = calls["wordless"]
    assert call.asked("response.create")[-1]["response"] == {"tool_choice": "none"}
    assert [event.text for event in call.of(AgentTranscript)][-1] == "Goodbye."
    assert call.ended == Ended("agent", "end_call")


# --- faults -----------------------------------------------------------------------------------------------


def test_a_broken_connection_is_an_error_and_the_platforms_end(calls: dict[str, Held]) -> None:
    call = calls["cut"]
    (error,) = call.of(SessionError)
    assert error == SessionError(
        "connection_lost", "the connection broke without a closing handshake", fatal=True
    )
    assert call.ended == Ended("platform", error.message)
    assert call.events.index(error) == len(call.events) - 2


def test_a_stall_is_noted_and_the_caller_can_leave(calls: dict[str, Held]) -> None:
    call = calls["stall"]
    assert call.of(SessionError) == [
        SessionError("stalled", "the platform owes an answer and has sent nothing for 1 s")
    ]
    assert call.ended == Ended("caller")


def test_bursts_change_nothing_but_the_time(calls: dict[str, Held]) -> None:
    call = calls["burst"]
    assert call.errors == []
    assert "A standard tune-up is $85.00." in [event.text for event in call.of(AgentTranscript)]
    assert call.tapes.underruns == ()


def test_an_event_nobody_documented_is_noted_once_and_passed_over(calls: dict[str, Held]) -> None:
    call = calls["unknown"]
    assert len(call.told("response.created")) > 1
    assert call.of(SessionError) == [
        SessionError(
            "unknown_event", "the platform sent 'response.mood.updated', which this adapter does not know"
        )
    ]
    assert call.ended == Ended("caller")


def test_the_key_is_nowhere_in_what_a_session_tells(calls: dict[str, Held]) -> None:
    for call in calls.values():
        assert KEY not in repr((call.events, call.record, call.cost))
