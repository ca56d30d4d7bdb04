"""What a session makes of messages that the twin has no reason to send."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from typing import Any

import attrs
import pytest

from offhook.clock import run_real
from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Cost,
    Ended,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    ToolResult,
    TranscriptKind,
    UserSpeech,
    UserTranscript,
)
from offhook_adapters.gemini.adapter import GeminiLiveAdapter
from offhook_adapters.gemini.session import GeminiLiveSession
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from tests.adapters._calls import AGENT, call_setup

from ._server import KEY, Script, saying

OVER = (1000, "bye")


async def connected(
    environment: Mapping[str, str], patience: float = 15.0, **options: str
) -> GeminiLiveSession:
    adapter = GeminiLiveAdapter(environment=environment, patience=patience)
    call = attrs.evolve(call_setup(**options), plan=None, engines=None)
    return await adapter.connect(await adapter.deploy(AGENT), call)


def told(script: Script, patience: float = 15.0) -> tuple[list[SessionEvent], Cost]:
    """All events of a call in which the server follows its script and closes."""

    async def talk() -> tuple[list[SessionEvent], Cost]:
        async with saying(script) as environment:
            session = await connected(environment, patience)
            events = [event async for event in session.events()]
            await session.hang_up()
            return events, await session.fetch_cost()

    return run_real(asyncio.wait_for(talk(), 20))


def content(**parts: Any) -> dict[str, Any]:
    return {"serverContent": parts}


def sound(pcm: bytes, rate: int = 24_000) -> dict[str, Any]:
    blob = {"mimeType": f"audio/pcm;rate={rate}", "data": base64.b64encode(pcm).decode()}
    return content(modelTurn={"parts": [{"inlineData": blob}]})


def test_half_a_sample_waits_for_its_other_half() -> None:
    events, _ = told(Script([sound(b"\x01"), sound(b"\x02\x03\x04"), sound(b"\x05\x06", 16_000)], OVER))
    heard = [(event.samples.tolist(), event.rate) for event in events if isinstance(event, AgentAudio)]
    assert heard == [([0x0201, 0x0403], 24_000), ([0x0605], 16_000)]


def test_transcripts_are_deltas_and_then_whole() -> None:
    says = [
        content(inputTranscription={"text": "How"}),
        content(inputTranscription={"text": " much?"}),
        content(outputTranscription={"text": "Eighty"}),
        content(inputTranscription={"text": "Late."}),
        content(outputTranscription={"text": "-five."}),
        content(turnComplete=True),
        content(inputTranscription={"text": "Thanks.", "finished": True}),
    ]
    events, _ = told(Script(says, OVER))
    words = [
        (type(event).__name__[:4], event.text, event.kind)
        for event in events
        if isinstance(event, AgentTranscript | UserTranscript)
    ]
    delta, final = TranscriptKind.DELTA, TranscriptKind.FINAL
    assert words == [
        ("User", "How", delta),
        ("User", " much?", delta),
        ("User", "How much?", final),
        ("Agen", "Eighty", delta),
        ("User", "Late.", delta),
        ("User", "Late.", final),
        ("Agen", "-five.", delta),
        ("Agen", "Eighty-five.", final),
        ("User", "Thanks.", delta),
        ("User", "Thanks.", final),
    ]


def test_what_the_sdk_can_not_read_is_noted_once_and_passed_over() -> None:
    says: list[Any] = [
        {"moodUpdate": {}},
        {"moodUpdate": {}},
        "{}",
        content(outputTranscription={"text": "On."}),
    ]
    events, _ = told(Script(says, OVER))
    errors = [event for event in events if isinstance(event, SessionError)]
    assert [error.code for error in errors] == ["unknown_event"]
    assert any(isinstance(event, AgentTranscript) for event in events)
    assert events[-1] == Ended("platform", "the connection was closed with code 1000: bye")


@pytest.mark.parametrize(
    "message",
    [
        {"toolCall": {"functionCalls": [{"id": "1", "name": "x", "args": "no object"}]}},
        content(modelTurn={"parts": "none"}),
        "no JSON",
    ],
)
def test_a_message_of_another_shape_ends_the_call_and_says_so(message: Any) -> None:
    events, _ = told(Script([message]))
    assert isinstance(events[-2], SessionError)
    assert (events[-2].code, events[-2].fatal) == ("bad_message", True)
    assert isinstance(events[-1], Ended)
    assert events[-1].by == "platform"


def test_a_lost_connection_and_an_announced_end_are_told() -> None:
    says = [{"goAway": {"timeLeft": "9s"}}]
    events, _ = told(Script(says, (1011, f"internal, {KEY} included")))
    assert [(e.code, e.message) for e in events if isinstance(e, SessionError)] == [
        ("go_away", "the platform will close the connection in 9s"),
        ("connection_lost", "the connection was closed with code 1011: internal, [key] included"),
    ]


def test_speech_signals_are_told_where_there_are_any() -> None:
    says = [{"voiceActivity": {"type": kind}} for kind in ("ACTIVITY_START", "ACTIVITY_END")]
    events, _ = told(Script(says, OVER))
    assert [event.speaking for event in events if isinstance(event, UserSpeech)] == [True, False]


def test_a_turn_that_was_not_metered_leaves_the_cost_unknown() -> None:
    usage = {"promptTokenCount": 100, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 100}]}
    done = {**content(turnComplete=True), "usageMetadata": usage}
    begun = content(outputTranscription={"text": "Well"})
    assert told(Script([begun, done], OVER))[1] == Cost(7.5e-05, "usage")
    assert told(Script([begun, done, begun], OVER))[1] == Cost()


def test_a_platform_that_owes_an_answer_is_noted() -> None:
    async def talk() -> list[SessionEvent]:
        async with saying(Script([content(inputTranscription={"text": "Hello?"})])) as environment:
            session = await connected(environment, patience=0.3)
            stream = session.events()
            events = []
            async for event in stream:
                events.append(event)
                if isinstance(event, SessionError):
                    await session.hang_up()
            return events

    events = run_real(asyncio.wait_for(talk(), 20))
    assert [event.code for event in events if isinstance(event, SessionError)] == ["stalled"]
    assert events[-1] == Ended("caller")


def test_the_rest_of_a_batch_is_answered_once_the_others_were_taken_back() -> None:
    calls = [{"id": str(number), "name": "look", "args": {}} for number in (1, 2, 1)]
    script = Script([{"toolCall": {"functionCalls": calls}}, {"toolCallCancellation": {"ids": ["2", "9"]}}])

    async def talk() -> list[SessionEvent]:
        async with saying(script) as environment:
            session = await connected(environment)
            events: list[SessionEvent] = []
            async for event in session.events():
                events.append(event)
                if isinstance(event, ToolCancelled):
                    for call_id in ("2", "1"):
                        await session.send_tool_result(ToolResult(call_id, "look", 200, {"seen": call_id}))
                    await script.answered.wait()
                    await session.hang_up()
            return events

    events = run_real(asyncio.wait_for(talk(), 20))
    assert [event.id for event in events if isinstance(event, ToolCall)] == ["1", "2"]
    assert [event.id for event in events if isinstance(event, ToolCancelled)] == ["2"]
    answers = [message["tool_response"] for message in script.received if "tool_response" in message]
    assert answers == [{"functionResponses": [{"id": "1", "name": "look", "response": {"seen": "1"}}]}]


@pytest.mark.parametrize(
    ("close", "kind", "message"),
    [
        ((1007, "API key expired. Please renew the API key."), VendorUnusable, "check GEMINI_API_KEY"),
        ((1011, "You exceeded your current quota, please check billing"), VendorUnusable, "billing"),
        ((1011, "The service is currently unavailable."), VendorError, "try again later"),
        ((1008, "models/x is not found for API version v1"), VendorUnusable, "check the option model"),
        ((1008, "Your project has been denied access."), VendorUnusable, "may use"),
        ((1007, "Request contains an invalid argument."), VendorUnusable, "how long the prompt is"),
    ],
)
def test_refusals_say_what_to_do(close: tuple[int, str], kind: type[Exception], message: str) -> None:
    with pytest.raises(VendorError, match=message) as refused:
        told(Script([], close, first={}))
    assert type(refused.value) is kind
    assert KEY not in str(refused.value)


def test_another_beginning_than_the_documented_one_is_refused() -> None:
    with pytest.raises(VendorError, match="something else than setupComplete"):
        told(Script([], first={"hello": {}}))


@pytest.mark.parametrize("first", [{"setupComplete": 5}, {"setupComplete": {"sessionId": {"a": 1}}}])
def test_a_setup_of_another_shape_is_a_change_of_the_protocol(first: Mapping[str, Any]) -> None:
    with pytest.raises(VendorError) as refused:
        told(Script([], first=first))
    assert " began with what this adapter can't read (ValidationError: " in str(refused.value)
    assert str(refused.value).endswith("): check the server's address, and whether there is a newer offhook")
    assert "\n" not in str(refused.value)
    assert not isinstance(refused.value, VendorUnusable)
