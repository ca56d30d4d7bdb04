"""What the router is handed, and how each part is refused."""

from __future__ import annotations

from typing import Any

import attrs
import httpx
import numpy as np
import pytest

from offhook.audio import Clip
from offhook.platforms import PlatformUnusable
from offhook.sessions import AgentTranscript, Checked, Cost, SessionError, UserTranscript, WithOptions
from offhook.testing import run_real
from offhook_adapters.huggingface.adapter import HuggingFaceAdapter
from offhook_adapters.huggingface.config import OPTIONS, settings_from
from offhook_adapters.huggingface.speech import as_wave, read_sound, sounds_of
from offhook_adapters.wires.vendor import VendorError
from tests.adapters._calls import AGENT, call_setup, dialled, twinned
from tests.adapters.cascade._talk import Talking

SPEECH = "/deepinfra/v1/openai/audio/speech"
HUB_SPEECH = "/hf-inference/models/hexgrad/Kokoro-82M"
HEARING = "/hf-inference/models/openai/whisper-large-v3"


@pytest.mark.parametrize("provider", ["deepinfra", pytest.param("hf-inference", marks=pytest.mark.slow)])
def test_what_the_router_was_handed_is_the_agent(provider: str) -> None:
    async def script(desk: Any) -> None:
        await desk.say(AGENT.greeting)
        heard = await desk.listen()
        await desk.say(f"You said: {heard.text}")
        await desk.listen()

    async def work() -> None:
        async with twinned(HuggingFaceAdapter(), script) as (adapter, twin):
            session = await dialled(adapter, speech_provider=provider)
            async with Talking(session) as call:
                await call.hears_out(1)
                await call.say("Good morning.")
                await call.until(lambda told: len(told.of(AgentTranscript)) == 2)
            assert [event.text for event in call.of(UserTranscript)] == ["Good morning."]
            assert call.of(SessionError) == []
            (asked,) = (each for each in twin.received if each["type"] == "chat.completions")
            assert asked["model"] == "openai/gpt-oss-120b"
            assert asked["messages"][:2] == [
                {"role": "system", "content": AGENT.prompt},
                {"role": "assistant", "content": AGENT.greeting},
            ]
            assert [tool["function"] for tool in asked["tools"]] == [
                {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
                for tool in AGENT.tools
            ]
            spoken = [each.get("input") or each.get("inputs") for each in twin.received]
            assert spoken.count(AGENT.greeting) == 1  # made before the call, and not again
            assert await session.fetch_cost() == Cost()

    run_real(work())


def test_a_wave_is_read_as_it_was_written() -> None:
    tone = (8000 * np.sin(np.arange(2400) / 10)).astype(np.int16)
    sound = read_sound(as_wave(Clip(tone, 16_000)))
    assert sound.rate == 16_000
    assert np.abs(sound.samples.astype(int) - tone).max() <= 1
    with pytest.raises((RuntimeError, ValueError)):
        read_sound(b"<html>no sound</html>")


@pytest.mark.parametrize("samples", [0, 8000, 20_000])
def test_a_sound_file_is_read_in_small_steps(samples: int) -> None:
    tone = (8000 * np.sin(np.arange(samples) / 10)).astype(np.int16)
    steps = list(sounds_of(as_wave(Clip(tone, 16_000))))
    assert all(len(step.samples) <= 8000 and step.rate == 16_000 for step in steps)
    assert np.array_equal(np.concatenate([step.samples for step in steps]), tone)


def test_every_option_that_is_declared_is_taken() -> None:
    values = {"speech_provider": "hf-inference", "base_url": "http://x"}
    for name in OPTIONS:
        given = values.get(name, "some-name")
        assert str(getattr(settings_from({name: given}, {}), name)) == given


def test_a_model_has_its_own_address() -> None:
    own = settings_from({}, {"HF_BASE_URL": "http://x/"})
    assert own.chat_url == "http://x/v1"
    assert own.hearing_url == "http://x/hf-inference/models/openai/whisper-large-v3"
    assert own.speech_url == "http://x/deepinfra/v1/openai"
    endpoint = settings_from({"hearing_model": "http://ears/", "speech_model": "http://mouth/"}, {})
    assert (endpoint.hearing_url, endpoint.speech_url) == ("http://ears/", "http://mouth/")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"model": "openai/gpt-9:groq"}, "there is no model 'openai/gpt-9' at "),
        ({"hearing_model": "nobody/deaf"}, '({"error": "Model not found"}): check hearing_model'),
        ({"speech_model": "nobody/mute"}, "there is no model 'nobody/mute'): check speech_model and voice"),
        ({"voice": "nobody"}, "there is no voice 'nobody'): check speech_model and voice"),
        ({"speech_provider": "parrot"}, "speech_provider is one of deepinfra, hf-inference, not 'parrot'"),
    ],
)
def test_what_there_is_not_stops_the_run(options: dict[str, str], told: str) -> None:
    async def work() -> None:
        async with twinned(HuggingFaceAdapter()) as (adapter, _):
            with pytest.raises(PlatformUnusable) as refused:
                await dialled(adapter, AGENT, **options)
            assert told in str(refused.value)

    run_real(work())


def test_it_needs_a_detector_of_speech() -> None:
    async def work() -> None:
        async with twinned(HuggingFaceAdapter()) as (adapter, _):
            deployment = await adapter.deploy(AGENT)
            with pytest.raises(PlatformUnusable, match="give the call some"):
                await adapter.connect(deployment, attrs.evolve(call_setup(), engines=None))

    run_real(work())


def test_a_server_that_is_no_router_is_told_in_one_line() -> None:
    async def work() -> None:
        adapter = HuggingFaceAdapter(
            environment={"HF_TOKEN": "hf_" + "x" * 20, "HF_BASE_URL": "http://127.0.0.1:9"}
        )
        with pytest.raises(VendorError, match="check the network and base_url") as refused:
            await dialled(adapter)
        assert "\n" not in str(refused.value)

    run_real(work())


def test_the_twin_takes_what_the_vendors_take_and_nothing_else() -> None:
    async def work() -> None:
        async with twinned(HuggingFaceAdapter()) as (_, twin), httpx.AsyncClient() as client:
            base = twin.environment["HF_BASE_URL"]
            right = {"Authorization": f"Bearer {twin.key}"}
            voice = {
                "model": "hexgrad/Kokoro-82M",
                "voice": "af_heart",
                "input": "Hi.",
                "response_format": "wav",
            }

            async def status(path: str, **request: Any) -> int:
                return (await client.post(base + path, **{"headers": right, **request})).status_code

            assert await status(SPEECH, json=voice) == 200
            assert await status(SPEECH, json={**voice, "mood": "fine"}) == 422
            assert await status(SPEECH, json=voice, headers={}) == 401
            assert await status(HUB_SPEECH, json={"inputs": "Hi.", "parameters": {}}) == 200
            assert await status(HUB_SPEECH, json={"text": "Hi."}) == 422
            assert await status(HEARING, content=b"RIFF") == 400
            wave = {**right, "Content-Type": "audio/wav"}
            assert await status(HEARING, content=b"RIFF", headers=wave) == 400
            sound = as_wave(Clip(np.zeros(1600, dtype=np.int16), 16_000))
            assert await status(HEARING, content=sound, headers=wave) == 200
            body = {"model": "openai/gpt-oss-120b", "messages": [], "mood": "fine"}
            assert await status("/v1/chat/completions", json=body) == 400

    run_real(work())


def test_it_says_what_it_lacks_and_takes() -> None:
    adapter = HuggingFaceAdapter(environment={})
    assert isinstance(adapter, Checked)
    assert isinstance(adapter, WithOptions)
    assert adapter.check() == "HF_TOKEN is not set: set it to your Hugging Face key"
    assert {"expire", "unknown", "cancel"}.isdisjoint(adapter.can)
