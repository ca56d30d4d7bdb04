"""What Gradium and the chat model are handed, and how each is refused."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError

from offhook.platforms import PlatformUnusable
from offhook.sessions import AgentTranscript, Checked, Cost, UserTranscript, WithOptions
from offhook.testing import run_real
from offhook_adapters.gradium.adapter import GradiumAdapter
from offhook_adapters.gradium.config import OPTIONS, chat_server, credits_used, settings_from
from tests.adapters._calls import AGENT, dialled, twinned
from tests.adapters.cascade._talk import Talking

ASR, TTS = "/speech/asr", "/speech/tts"
SETUP = {"type": "setup", "model_name": "default", "input_format": "pcm_24000"}


def test_what_both_were_handed_is_the_agent() -> None:
    async def script(desk: Any) -> None:
        await desk.say(AGENT.greeting)
        heard = await desk.listen()
        await desk.say(f"You said: {heard.text}")
        await desk.listen()

    async def work() -> None:
        async with twinned(GradiumAdapter(), script) as (adapter, twin):
            session = await dialled(adapter, delay_in_frames="10")
            async with Talking(session) as call:
                await call.hears_out(1)
                await call.say("Good morning.")
                await call.until(lambda told: len(told.of(AgentTranscript)) == 2)
            assert [event.text for event in call.of(UserTranscript)] == ["Good morning."]
            setups = [each for each in twin.received if each["type"] == "setup"]
            heard = next(setup for setup in setups if "input_format" in setup)
            assert json.loads(heard["json_config"]) == {"language": "en", "delay_in_frames": 10}
            (asked,) = (each for each in twin.received if each["type"] == "chat.completions")
            assert asked["messages"][0] == {"role": "system", "content": AGENT.prompt}
            assert [tool["function"]["parameters"] for tool in asked["tools"]] == [
                dict(tool.parameters) for tool in AGENT.tools
            ]
            assert await session.fetch_cost() == Cost()
            assert (await session.fetch_record()).raw["credits"] > 0

    run_real(work())


def test_credits() -> None:
    assert credits_used({"heard_seconds": 10.0, "spoken_characters": 7.0}) == 37.0


@pytest.mark.parametrize(
    ("environment", "url", "key"),
    [
        ({"OPENAI_API_KEY": "sk-123"}, "https://api.openai.com/v1", "sk-123"),
        ({"OPENAI_API_KEY": "sk-123", "OPENAI_BASE_URL": "http://o/v1"}, "http://o/v1", "sk-123"),
        (
            {"OPENAI_API_KEY": "sk-123", "GRADIUM_LLM_API_KEY": "gd-456"},
            "https://api.openai.com/v1",
            "gd-456",
        ),
        (
            {
                "GRADIUM_LLM_API_KEY": "gd-456",
                "GRADIUM_LLM_BASE_URL": "http://m/v1",
                "OPENAI_BASE_URL": "http://o",
            },
            "http://m/v1",
            "gd-456",
        ),
    ],
)
def test_the_chat_model_is_found(environment: dict[str, str], url: str, key: str) -> None:
    server = chat_server(environment)
    assert (server.base_url, server.key) == (url, key)
    assert key not in repr(server)


def test_no_key_goes_to_anothers_address() -> None:
    with pytest.raises(PlatformUnusable, match="GRADIUM_LLM_API_KEY is not set"):
        chat_server({"OPENAI_API_KEY": "sk-123", "GRADIUM_LLM_BASE_URL": "http://m/v1"})
    with pytest.raises(PlatformUnusable, match="neither GRADIUM_LLM_API_KEY nor OPENAI_API_KEY is set"):
        chat_server({})


def test_every_option_that_is_declared_is_taken() -> None:
    values = {"delay_in_frames": "8", "base_url": "http://x/api/"}
    for name in OPTIONS:
        given = values.get(name, "some-name")
        assert str(getattr(settings_from({name: given}, {}), name)) == given
    with pytest.raises(PlatformUnusable, match="can't hold 'http' twice"):
        settings_from({"base_url": "http://http.example/api"}, {})


def test_it_says_what_it_lacks_and_takes() -> None:
    adapter = GradiumAdapter(environment={"GRADIUM_API_KEY": "k" * 20})
    assert isinstance(adapter, Checked)
    assert isinstance(adapter, WithOptions)
    assert str(adapter.check()).startswith("neither GRADIUM_LLM_API_KEY nor OPENAI_API_KEY is set")
    assert GradiumAdapter(environment={}).check() == "GRADIUM_API_KEY is not set: set it to your Gradium key"


@pytest.mark.parametrize(
    ("path", "messages", "told"),
    [
        (ASR, [{"type": "audio", "audio": ""}], "send a setup first"),
        (ASR, [{**SETUP, "mood": 1}], "setup has no 'mood'"),
        (ASR, [{**SETUP, "input_format": "mp3"}], "not 'mp3'"),
        (ASR, [{**SETUP, "model_name": "other"}], "there is no model 'other'"),
        (ASR, [SETUP, SETUP], "there was a setup already"),
        (ASR, [SETUP, {"type": "audio", "audio": "***"}], "audio is not base64"),
        (ASR, [SETUP, {"type": "shout"}], "there is no message 'shout'"),
        (
            TTS,
            [{"type": "setup", "voice_id": "nobody", "output_format": "pcm"}],
            "there is no voice 'nobody'",
        ),
    ],
)
def test_a_message_the_vendor_would_not_take_is_refused(
    path: str, messages: list[dict[str, Any]], told: str
) -> None:
    async def work() -> None:
        async with twinned(GradiumAdapter()) as (_, twin):
            address = twin.environment["GRADIUM_BASE_URL"].replace("http", "ws", 1) + path
            async with connect(address, additional_headers={"x-api-key": twin.key}) as socket:
                for message in messages:
                    await socket.send(json.dumps(message))
                answers: list[dict[str, Any]] = []
                with contextlib.suppress(ConnectionClosedError):
                    while True:
                        answers.append(json.loads(await socket.recv()))
            assert answers[-1]["type"] == "error"
            assert answers[-1]["code"] == 1008
            assert told in answers[-1]["message"]

    run_real(work())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"voice": "nobody"}, "there is no voice 'nobody'"),
        ({"hearing_model": "other"}, "there is no model 'other'"),
    ],
)
def test_what_a_session_can_not_have_stops_the_run(options: dict[str, str], told: str) -> None:
    async def work() -> None:
        async with twinned(GradiumAdapter()) as (adapter, _):
            with pytest.raises(PlatformUnusable) as refused:
                await dialled(adapter, AGENT, **options)
            assert told in str(refused.value)
            assert "check GRADIUM_API_KEY and the options" in str(refused.value)

    run_real(work())
