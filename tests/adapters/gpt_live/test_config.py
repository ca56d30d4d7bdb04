"""Options, the session they make, and what the twin takes."""

from __future__ import annotations

import datetime
from typing import Any

import attrs
import pytest

from offhook.sessions import Checked, Priced, WithOptions
from offhook_adapters.gpt_live._twin_session import agent_of, started_session
from offhook_adapters.gpt_live._twin_types import live_types
from offhook_adapters.gpt_live.adapter import GptLiveAdapter
from offhook_adapters.gpt_live.config import (
    OPTIONS,
    greeting_request,
    quoted_greeting,
    session_config,
    settings_from,
)
from offhook_adapters.gpt_live.plugin import offhook_adapters
from offhook_adapters.gpt_live.prices import catalogue
from offhook_adapters.openai_realtime.twin_checks import WireError
from offhook_adapters.wires.vendor import VendorUnusable
from tests.adapters.openai_realtime._calls import AGENT

TYPES = live_types()


def start(**changes: Any) -> dict[str, Any]:
    return {"type": "session.start", "session": {**session_config(AGENT, settings_from({}, {})), **changes}}


def test_both_models_get_the_prompt_and_the_backend_the_tools() -> None:
    settings = settings_from({"model": "gpt-live-1.1", "backend": "gpt-5.6-terra", "effort": "low"}, {})
    config = session_config(AGENT, settings)
    backend = config["delegation"]["responses"]
    assert config["model"] == "gpt-live-1.1"
    assert config["instructions"] == backend["instructions"] == AGENT.prompt
    assert (backend["model"], backend["reasoning"]) == ("gpt-5.6-terra", {"effort": "low"})
    assert [(tool["name"], tool["description"], tool["parameters"]) for tool in backend["tools"]] == [
        (tool.name, tool.description, dict(tool.parameters)) for tool in AGENT.tools
    ]
    TYPES.check_client({"type": "session.start", "session": config})
    arrived = agent_of(started_session(config, 0), "Hi.")
    assert (arrived.prompt, arrived.tools) == (AGENT.prompt, AGENT.tools)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"transcriber": "x"}, "there is no option 'transcriber': choose from backend, base_url, effort"),
        ({"effort": "some"}, "effort is one of none, minimal, low, medium, high, xhigh, not 'some'"),
    ],
)
def test_an_option_that_cannot_be_is_one_line(options: dict[str, str], message: str) -> None:
    with pytest.raises(VendorUnusable, match=message):
        settings_from(options, {})


def test_the_greeting_can_be_read_back_from_the_request() -> None:
    assert quoted_greeting(greeting_request('Hello,\n"you"')) == 'Hello,\n"you"'
    assert quoted_greeting("Be brief.") is None


def test_both_models_are_published_with_a_price() -> None:
    published = catalogue()
    assert set(published.models) == {"gpt-live-1", "gpt-live-1.1"}
    assert published.default_backend in published.backends
    assert published.default_voice in published.voices
    assert datetime.date.fromisoformat(published.read_on) >= datetime.date(2026, 11, 30)


def test_the_stack_is_two_models_and_its_price_is_reckoned_beforehand() -> None:
    vendor, twin = offhook_adapters()
    assert isinstance(vendor, WithOptions)
    assert isinstance(vendor, Priced)
    assert vendor.options == OPTIONS
    layers = [(layer.layer, layer.model) for layer in vendor.capabilities.layers]
    assert layers == [("speech", "gpt-live-1"), ("llm", "gpt-5.6-luna")]
    assert twin.capabilities.harness_reference
    told = vendor.estimate(180.0)
    assert told.basis == "duration"
    assert told.usd is not None
    assert 0.15 < told.usd < 0.2
    bare = attrs.evolve(GptLiveAdapter(), environment={})
    assert isinstance(bare, Checked)
    assert bare.check() == "OPENAI_API_KEY is not set: set it to your OpenAI key"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({**start(), "note": "x"}, "unknown_parameter"),
        (start(tempo=2), "unknown_parameter"),
        (start(audio={"format": {"type": "audio/pcm", "rate": 44100}}), "invalid_value"),
        ({"type": "input_audio_buffer.append", "audio": ""}, "invalid_value"),
        ({"type": "session.commentary.append", "content": "Hi."}, "missing_required_parameter"),
    ],
)
def test_a_message_the_vendor_would_refuse(message: dict[str, Any], code: str) -> None:
    with pytest.raises(WireError) as refused:
        TYPES.check_client(message)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("changes", "code", "param"),
    [
        ({"model": "gpt-realtime-2.1"}, "invalid_model", "session.model"),
        ({"instructions": "x" * 70_000}, "string_above_max_length", "session.instructions"),
        ({"audio": {"output": {"voice": "nobody"}}}, "invalid_value", "session.audio.output.voice"),
        (
            {"audio": {"format": {"type": "audio/pcm", "rate": 16000}}},
            "twin_unsupported",
            "session.audio.format",
        ),
        ({"delegation": {"type": "client"}}, "twin_unsupported", "session.delegation"),
    ],
)
def test_a_session_the_twin_does_not_start(changes: dict[str, Any], code: str, param: str) -> None:
    message = start(**changes)
    TYPES.check_client(message)
    with pytest.raises(WireError) as refused:
        started_session(message["session"], 0)
    assert (refused.value.code, refused.value.param) == (code, param)
