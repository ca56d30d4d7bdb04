"""What Mistral is handed, and what a call on it costs."""

from __future__ import annotations

import numpy as np
import pytest

from offhook.platforms import PlatformUnusable
from offhook.sessions import (
    AgentTranscript,
    Checked,
    Cost,
    Ready,
    ToolCall,
    ToolResult,
    UserTranscript,
    WithOptions,
)
from offhook.testing import run_real
from offhook.twins import ScriptDesk
from offhook_adapters.mistral.adapter import MistralAdapter
from offhook_adapters.mistral.config import OPTIONS, settings_from
from offhook_adapters.mistral.prices import catalogue, cost_of
from offhook_adapters.mistral.voice import floats_to_samples
from tests.adapters._calls import AGENT, dialled, twinned
from tests.adapters.cascade._talk import Talking


async def _quotes(desk: ScriptDesk) -> None:
    await desk.say(AGENT.greeting)
    await desk.listen()
    await desk.call("get_service_price", {"service": "wheel"})
    await desk.say("Twenty dollars.")
    await desk.listen()


def test_what_the_sdk_was_handed_is_the_agent() -> None:
    async def work() -> None:
        async with twinned(MistralAdapter(), _quotes) as (adapter, twin):
            session = await dialled(adapter, silence_ms="400")
            async with Talking(session) as call:
                await call.hears_out(1)
                await call.say("How much is a wheel?")
                await call.until(lambda told: told.of(ToolCall))
                (tool,) = call.of(ToolCall)
                await session.send_tool_result(ToolResult(tool.id, tool.name, 200, {"dollars": 20}))
                await call.until(lambda told: len(told.of(AgentTranscript)) == 2)
            assert isinstance(call.events[0], Ready)
            assert [event.text for event in call.of(UserTranscript)] == ["How much is a wheel?"]
            first, second = (each for each in twin.received if each["type"] == "chat.completions")
            assert first["messages"][0] == {"role": "system", "content": AGENT.prompt}
            assert first["messages"][1]["role"] == "assistant"
            assert first["messages"][1]["content"] == AGENT.greeting
            assert [tool["function"] for tool in first["tools"]] == [
                {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
                for tool in AGENT.tools
            ]
            assert second["messages"][-1]["tool_call_id"] == tool.id
            updates = [each["session"] for each in twin.received if each["type"] == "session.update"]
            heard = next(update for update in updates if "audio_format" in update)
            assert heard["audio_format"] == {"encoding": "pcm_s16le", "sample_rate": 24000}
            assert heard["turn_detection"]["min_silence_ms"] == 400
            assert heard["language"] == "en"
            assert {"voice": "gb_jane_neutral", "response_format": "pcm"} in updates
            cost = await session.fetch_cost()
            assert cost.basis == "usage"
            assert cost.usd is not None
            assert 0 < cost.usd < 0.1

    run_real(work())


def test_a_cost_needs_a_price_for_each_part() -> None:
    published = catalogue()
    chat, hearing, speech = published.chat["mistral-medium-3.5"], 0.008, 13.0
    usage = {
        "llm_input_tokens": 1_000_000.0,
        "llm_output_tokens": 100_000.0,
        "heard_seconds": 120.0,
        "spoken_characters": 1000.0,
    }
    assert cost_of(usage, chat, hearing, speech) == Cost(1.50 + 0.75 + 0.016 + 0.013, "usage")
    for given in ((None, hearing, speech), (chat, None, speech), (chat, hearing, None)):
        assert cost_of(usage, *given) == Cost()
    assert published.default_chat in published.chat
    assert published.default_hearing in published.hearing
    assert published.default_speech in published.speech


def test_speech_is_32_bit_floats() -> None:
    raw = np.array([0.0, 0.5, -1.0, 2.0, np.nan], dtype="<f4").tobytes()
    samples, rest = floats_to_samples(raw + b"\x01\x02")
    assert samples.tolist() == [0, 16384, -32768, 32767, 0]
    assert rest == b"\x01\x02"


def test_every_option_that_is_declared_is_taken() -> None:
    values = {"silence_ms": "300", "end_timeout_ms": "900", "base_url": "http://x"}
    for name in OPTIONS:
        given = values.get(name, "some-name")
        assert str(getattr(settings_from({name: given}, {}), name)) == given


@pytest.mark.parametrize(
    ("options", "environment", "message"),
    [
        ({"tone": "warm"}, {}, "there is no option 'tone': choose from base_url, "),
        ({"silence_ms": "soon"}, {}, "silence_ms must be a number, not 'soon'"),
        ({}, {"MISTRAL_BASE_URL": "http://x/v1"}, "leave /v1 out of http://x/v1"),
        ({}, {"MISTRAL_BASE_URL": "nowhere"}, "MISTRAL_BASE_URL is 'nowhere': set it to a URL"),
    ],
)
def test_what_can_not_be_is_one_line(
    options: dict[str, str], environment: dict[str, str], message: str
) -> None:
    with pytest.raises(PlatformUnusable, match=message):
        settings_from(options, environment)


def test_it_says_what_it_lacks_and_takes() -> None:
    adapter = MistralAdapter(environment={})
    assert isinstance(adapter, Checked)
    assert isinstance(adapter, WithOptions)
    assert adapter.check() == "MISTRAL_API_KEY is not set: set it to your Mistral key"
    assert adapter.with_environment({"MISTRAL_API_KEY": "k" * 20}).check() is None
    assert all(told.endswith(".") for told in adapter.options.values())
