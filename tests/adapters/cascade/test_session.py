"""Who has the floor on a cascade, and what the chat model is told of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.sessions import (
    AgentAudio,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    SessionError,
    ToolCall,
    ToolResult,
    UserTranscript,
)
from offhook.testing import run_virtual
from offhook_adapters.cascade._speaker import Speaker
from offhook_adapters.cascade.history import History
from offhook_adapters.cascade.parts import Metered, PartFailed, Sound, Wanted, Words
from offhook_adapters.wires.stream import CallStream
from tests.adapters._calls import AGENT

from ._parts import LETTERS_A_SECOND, Held, held

SILENT = attrs.evolve(AGENT, greeting="")
USED = Metered({"llm_input_tokens": 10.0})


def said(call: Held) -> list[str]:
    return [event.text for event in call.of(AgentTranscript)]


def roles(messages: Any) -> list[str]:
    return [message["role"] for message in messages]


def test_it_greets_and_the_model_knows_what_it_said() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Hello?")
        await asyncio.sleep(5)

    call = held([[Words("Yes, "), 0.1, Words("hello."), USED]], talk)
    assert said(call) == [AGENT.greeting, "Yes, hello."]
    (asked,) = call.chat.asked
    assert asked == (
        {"role": "system", "content": AGENT.prompt},
        {"role": "assistant", "content": AGENT.greeting},
        {"role": "user", "content": "Hello?"},
    )
    assert [event.text for event in call.of(UserTranscript)] == ["Hello?"]
    assert call.cost == Cost(1.0, "usage")


def test_an_agent_without_a_greeting_waits_to_be_spoken_to() -> None:
    async def talk(call: Held) -> None:
        await asyncio.sleep(20)
        assert call.told[1:] == []  # Ready only
        await call.turn("Anybody?")
        await asyncio.sleep(2)

    call = held([[Words("Yes.")]], talk, agent=SILENT)
    assert roles(call.chat.asked[0]) == ["system", "user"]
    assert said(call) == ["Yes."]


def test_a_sentence_is_spoken_before_the_next_is_there() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Tell me.")
        await asyncio.sleep(20)

    first = "This is a sentence of some length. "
    call = held([[Words(first), Words("And"), 4.0, Words(" the rest.")]], talk, agent=SILENT)
    assert said(call) == [first.strip(), "And the rest."]
    early, late = sorted(set(call.at(AgentAudio)))
    assert late - early == pytest.approx(4.0, abs=0.2)


def test_a_sentence_is_passed_on_in_small_pieces_before_the_voice_is_asked_for_more() -> None:
    told: list[str | float] = []

    class Voice:
        async def speak(self, texts: AsyncIterator[str]) -> AsyncGenerator[Sound, None]:
            async for text in texts:
                told.append(text)
                yield Sound(np.zeros(17_600, dtype=np.int16), 16_000)

    async def nothing() -> None:
        return None

    async def work() -> None:
        stream, history = CallStream((), nothing, patience=15), History("Prompt.")
        speaker = Speaker(Voice(), stream, history, lambda: None)
        stream.spawn(speaker.run())
        utterance = speaker.begin(history.agent())
        for sentence in ("One.", "Two."):
            utterance.add(sentence)
        utterance.finish()
        asyncio.get_running_loop().call_later(5, stream.end, Ended("caller"))
        async for event in stream.events():
            match event:
                case AgentAudio(samples, rate):
                    told.append(len(samples) / rate)
                case _:
                    pass

    run_virtual(work())
    assert told == ["One.", 0.5, 0.5, 0.1, "Two.", 0.5, 0.5, 0.1]


def test_what_is_said_while_the_model_thinks_is_one_question() -> None:
    async def talk(call: Held) -> None:
        await call.turn("I would like")
        await asyncio.sleep(0.5)
        await call.turn("a new saddle.", 0.5)
        await asyncio.sleep(5)

    call = held([[1.0, Words("Too early.")], [Words("A saddle, gladly.")]], talk, agent=SILENT)
    assert said(call) == ["A saddle, gladly."]
    assert call.chat.asked[1][-1] == {"role": "user", "content": "I would like a new saddle."}
    assert call.cost == Cost()  # nobody said what the answer that was given up on has used


def test_an_answer_waits_for_a_caller_who_talks_but_not_for_ever() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Question.")
        listener = await call.ears.listener
        listener.caller_began()  # and never stops: noise on the line
        await asyncio.sleep(12)

    call = held([[0.5, Words("Answer.")]], talk, agent=SILENT)
    spoke, *_ = call.at(AgentAudio)
    assert 6.0 < spoke - call.at(UserTranscript)[0] < 8.0


def test_a_noise_while_the_model_thinks_changes_nothing() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Question.")
        await call.turn("", 0.3)
        await asyncio.sleep(5)

    call = held([[0.2, Words("Answer.")]], talk, agent=SILENT)
    assert said(call) == ["Answer."]
    assert len(call.chat.asked) == 1


def test_the_model_is_told_only_what_was_heard() -> None:
    long = "One two three four five six seven eight nine ten"
    half = len(long) / LETTERS_A_SECOND / 2

    async def talk(call: Held) -> None:
        await call.turn("Count.")
        await asyncio.sleep(half)
        listener = await call.ears.listener
        listener.caller_began()
        listener.caller_insists()
        listener.caller_stopped()
        listener.caller_said("Stop!")
        await asyncio.sleep(3)

    call = held([[Words(long)], [Words("Sorry.")]], talk, agent=SILENT, heard=half - 0.2)
    assert len(call.of(Clear)) == 1
    assert call.chat.asked[1][2] == {"role": "assistant", "content": "One two three four"}
    assert call.chat.asked[1][3] == {"role": "user", "content": "Stop!"}
    assert said(call) == [long, "Sorry."]


def test_nothing_is_cleared_when_nothing_is_played() -> None:
    async def talk(call: Held) -> None:
        await asyncio.sleep(30)  # the greeting is long over
        (await call.ears.listener).caller_insists()
        await asyncio.sleep(1)

    assert held([], talk).of(Clear) == []


def test_tools_run_at_once_and_their_results_are_told_in_the_order_of_the_calls() -> None:
    late: list[ToolCall] = []

    def answering(call: ToolCall) -> Mapping[str, Any] | None:
        late.append(call)
        return None

    async def talk(call: Held) -> None:
        await call.turn("Both, please.")
        await asyncio.sleep(1)
        for tool in reversed(late):
            await call.session.send_tool_result(ToolResult(tool.id, tool.name, 200, {"of": tool.name}))
        await asyncio.sleep(3)

    calls = [Wanted("a", "first", '{"x": 1}'), Wanted("b", "second", "{}")]
    call = held([[Words("A moment."), *calls], [Words("Done.")]], talk, agent=SILENT, answering=answering)
    assert [(tool.id, tool.name, tool.arguments) for tool in late] == [
        ("a", "first", {"x": 1}),
        ("b", "second", {}),
    ]
    *_, asking, one, two = call.chat.asked[1]
    assert asking["content"] == "A moment."
    assert [each["id"] for each in asking["tool_calls"]] == ["a", "b"]
    assert [(each["tool_call_id"], json.loads(each["content"])) for each in (one, two)] == [
        ("a", {"of": "first"}),
        ("b", {"of": "second"}),
    ]


def test_what_is_said_while_a_tool_runs_is_told_after_its_result() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Look it up.")
        await asyncio.sleep(0.1)
        await call.turn("Are you there?", 0.3)
        (tool,) = call.of(ToolCall)
        await call.session.send_tool_result(ToolResult(tool.id, tool.name, 200, {}))
        await asyncio.sleep(3)

    answers: list[Any] = [[Wanted("a", "look_up", "{}")], [Words("I am.")]]
    call = held(answers, talk, agent=SILENT, answering=lambda tool: None)
    assert roles(call.chat.asked[1]) == ["system", "user", "assistant", "tool", "user"]
    assert said(call) == ["I am."]


def test_a_call_told_twice_is_run_once_and_answered_twice() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Go.")
        await asyncio.sleep(3)

    twice = Wanted("same", "look_up", "{}")
    call = held([[twice, twice], [Words("Fine.")]], talk, agent=SILENT)
    assert len(call.of(ToolCall)) == 1
    results = [message["content"] for message in call.chat.asked[1] if message["role"] == "tool"]
    assert ["repeated" in content for content in results] == [False, True]


def test_calls_that_the_server_gives_no_id_are_told_apart() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Look it up.")
        await asyncio.sleep(5)

    nameless = Wanted("", "look", "{}")
    call = held([[nameless, nameless], [nameless], [Words("Ok.")]], talk)
    ids = [event.id for event in call.of(ToolCall)]
    assert ids == ["call00001", "call00002", "call00003"]
    told = [message for message in call.chat.asked[-1] if message["role"] == "tool"]
    assert [message["tool_call_id"] for message in told] == ids
    assert all(json.loads(message["content"]) == {"done": "look"} for message in told)
    wanted = [each["id"] for message in call.chat.asked[-1] for each in message.get("tool_calls", ())]
    assert wanted == ids


def test_the_agents_last_words_are_played_out_before_it_leaves() -> None:
    async def talk(call: Held) -> None:
        await call.turn("That is all.")
        await asyncio.sleep(60)

    goodbye = "Goodbye and thank you for calling."
    call = held([[Words(goodbye), Wanted("a", "end_call", "{}")]], talk, agent=SILENT)
    assert call.ended == Ended("agent", "end_call")
    (sound, *_), (left,) = call.at(AgentAudio), call.at(Ended)
    assert left - sound == pytest.approx(len(goodbye) / LETTERS_A_SECOND + 0.2, abs=0.1)


def test_an_agent_that_leaves_without_a_word_is_asked_for_one() -> None:
    async def talk(call: Held) -> None:
        await call.turn("That is all.")
        await asyncio.sleep(60)

    call = held([[Wanted("a", "end_call", "{}")], [Words("Goodbye.")]], talk, agent=SILENT)
    assert call.chat.tools == [True, False]
    assert said(call) == ["Goodbye."]
    assert call.ended == Ended("agent", "end_call")


def test_a_refused_closing_tool_keeps_the_agent_on_the_line() -> None:
    async def talk(call: Held) -> None:
        await call.turn("That is all.")
        await asyncio.sleep(0.5)
        (tool,) = call.of(ToolCall)
        await call.session.send_tool_result(ToolResult(tool.id, tool.name, 422, {"error": {}}))
        await asyncio.sleep(3)

    answers: list[Any] = [[Wanted("a", "end_call", "{}")], [Words("I can't yet.")]]
    call = held(answers, talk, agent=SILENT, answering=lambda tool: None)
    assert said(call) == ["I can't yet."]
    assert call.ended.by == "caller"


def test_a_part_that_fails_ends_the_call_with_its_reason() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Hello.")
        await asyncio.sleep(60)

    call = held([[PartFailed("model_failed", "HOST answered HTTP 500: try again later")]], talk)
    assert call.ended == Ended("platform", "HOST answered HTTP 500: try again later")
    (error,) = call.of(SessionError)
    assert (error.code, error.fatal) == ("model_failed", True)


def test_a_model_that_never_stops_calling_tools_is_noted() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Go.")
        await asyncio.sleep(30)

    rounds: list[Any] = [[Wanted(f"call-{number}", "again", "{}")] for number in range(20)]
    call = held(rounds, talk, agent=SILENT)
    assert [error.code for error in call.of(SessionError)] == ["too_many_tools"]
    assert len(call.of(ToolCall)) == 12


def test_a_platform_that_owes_an_answer_is_noted() -> None:
    async def talk(call: Held) -> None:
        await call.turn("Hello.")
        await asyncio.sleep(40)

    call = held([[30.0, Words("At last.")]], talk, agent=SILENT)
    assert [error.code for error in call.of(SessionError)] == ["stalled"]
    assert said(call) == ["At last."]
