"""An agent without a greeting keeps quiet until it is spoken to, however long that takes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import attrs
import httpx
import numpy as np
import pytest

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Samples
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    CallSetup,
    Ready,
    Session,
    SessionEvent,
    ToolCall,
    UserTranscript,
)
from offhook.speech import SpeechStyle
from offhook.testing import FakeVoice, noise, run_virtual
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import agent_config
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.desk import Mind
from offhook_adapters.reference.minds.follower import make_follower
from offhook_adapters.reference.minds.openai_mind import Endpoint, OpenAIMind
from offhook_adapters.reference.text import ReferenceTextSession

from ._calls import setup

PACK = bicycle_pack()
PRICE = PACK.task("B-E1")
QUESTION = "How much is a standard tune-up?"
ANSWER = "A standard tune-up is $85.00."


class Model:
    """Answers everything alike, and keeps what it was asked."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(json.loads(request.content))
        return httpx.Response(200, json={"choices": [{"message": {"role": "assistant", "content": ANSWER}}]})

    def mind(self, agent: AgentConfig, call: CallSetup) -> Mind:
        at = Endpoint("http://model/v1", "some-model", "key-1", httpx.MockTransport(self.answer))
        return OpenAIMind(agent, at)


def _agent(greeting: str = "") -> AgentConfig:
    return attrs.evolve(agent_config(PACK), greeting=greeting, tools=())


async def _keep(session: Session | ReferenceTextSession, told: list[SessionEvent]) -> None:
    async for event in session.events():
        told += [event]


async def _text(adapter: ReferenceAdapter, greeting: str) -> tuple[list[SessionEvent], list[SessionEvent]]:
    """What a text agent tells in ten minutes of silence, and within a minute of a question."""
    session = await adapter.connect_text(await adapter.deploy(_agent(greeting)), setup(PACK, PRICE))
    told: list[SessionEvent] = []

    pumping = asyncio.create_task(_keep(session, told))
    await asyncio.sleep(600)
    before = list(told)
    session.send_text(QUESTION)
    await asyncio.sleep(30)
    await session.hang_up()
    await pumping
    return before, told[len(before) :]


def _said(events: list[SessionEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, AgentTranscript)]


@pytest.mark.parametrize("greeting", ["", " \n"])
def test_a_model_waits_and_is_told_of_no_silence(greeting: str) -> None:
    model = Model()
    before, after = run_virtual(_text(ReferenceAdapter("reference-openai", model.mind), greeting))
    assert _said(before) == []
    assert _said(after) == [ANSWER]
    (request,) = model.requests
    assert request["messages"] == [
        {"role": "system", "content": PACK.agent.prompt},
        {"role": "user", "content": QUESTION},
    ]
    assert "tools" not in request


def test_a_model_with_a_greeting_speaks_first() -> None:
    before, _ = run_virtual(_text(ReferenceAdapter("reference-openai", Model().mind), "Hello."))
    assert _said(before)[0] == "Hello."


def test_the_follower_waits_and_then_answers() -> None:
    before, after = run_virtual(_text(ReferenceAdapter("reference", make_follower), ""))
    assert before == [Ready()]
    assert [event.name for event in after if isinstance(event, ToolCall)] == ["get_service_price"]


def test_a_noise_is_not_taken_for_words() -> None:

    async def work() -> tuple[list[SessionEvent], list[SessionEvent]]:
        adapter = ReferenceAdapter("reference", make_follower)
        session = await adapter.connect(await adapter.deploy(_agent()), setup(PACK, PRICE))
        told: list[SessionEvent] = []

        async def send(samples: Samples) -> None:
            for start in range(0, len(samples) // FRAME_SAMPLES * FRAME_SAMPLES, FRAME_SAMPLES):
                session.send_audio(samples[start : start + FRAME_SAMPLES])
                await asyncio.sleep(0.02)

        pumping = asyncio.create_task(_keep(session, told))
        silence = np.zeros(3 * LINE_RATE, dtype=np.int16)
        await send(silence)
        await send(noise(2.0).samples)
        await send(silence)
        before = list(told)
        await send(FakeVoice().speak(QUESTION, SpeechStyle()).samples)
        await send(silence)
        await session.hang_up()
        await pumping
        return before, told[len(before) :]

    before, after = run_virtual(work())
    assert _said(before) == []
    assert [event for event in before if isinstance(event, AgentAudio)] == []
    (heard,) = [event for event in after if isinstance(event, UserTranscript)]
    assert heard.text == QUESTION
