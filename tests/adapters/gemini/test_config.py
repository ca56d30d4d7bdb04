"""What the SDK is handed, what options make, and what usage costs."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest
from google.genai import types

from offhook.sessions import Cost, ToolSchema
from offhook_adapters.gemini._usage import turn_usage
from offhook_adapters.gemini.adapter import GeminiLiveAdapter
from offhook_adapters.gemini.config import (
    greeting_instruction,
    quoted_greeting,
    session_config,
    settings_from,
    vendor_in,
)
from offhook_adapters.gemini.prices import catalogue, cost_of
from offhook_adapters.wires.vendor import VendorUnusable
from tests.adapters._calls import AGENT

NOTHING: dict[str, str] = {}


def test_prompt_and_tools_are_what_the_sdk_is_handed() -> None:
    odd = ToolSchema("odd", "A tool.", {"type": "object", "properties": {"a": {"enum": [None, "é"]}}})
    agent = attrs.evolve(AGENT, prompt="Say “hi”.\n\t{x}", tools=(*AGENT.tools, odd))
    config = types.LiveConnectConfig(**session_config(agent, settings_from({}, NOTHING)))
    content: Any = config.system_instruction
    assert [part.text for part in content.parts] == [agent.prompt]
    (tool,) = config.tools or []
    assert isinstance(tool, types.Tool)
    given = [
        (each.name, each.description, each.parameters_json_schema)
        for each in tool.function_declarations or []
    ]
    assert json.dumps(given) == json.dumps([(t.name, t.description, dict(t.parameters)) for t in agent.tools])
    assert {each.behavior for each in tool.function_declarations or []} == {types.Behavior.BLOCKING}


def test_gemini_31_blocks_by_itself_and_is_not_asked_to() -> None:
    old = settings_from({"model": "gemini-3.1-flash-live-preview", "thinking_level": "low"}, NOTHING)
    config = session_config(AGENT, old)
    assert "behavior" not in config["tools"][0]["function_declarations"][0]
    assert config["thinking_config"] == {"thinking_level": "LOW"}
    assert catalogue().models[old.model].shut_down == "2026-11-17"


def test_an_agent_without_tools_declares_none() -> None:
    assert "tools" not in session_config(attrs.evolve(AGENT, tools=()), settings_from({}, NOTHING))


def test_turn_detection_is_left_to_the_vendor_unless_told() -> None:
    def detection(**options: str) -> Any:
        config = session_config(AGENT, settings_from(options, NOTHING))
        return config["realtime_input_config"]["automatic_activity_detection"]

    assert detection() == {}
    assert detection(silence_ms="400", end_sensitivity="low") == {
        "silence_duration_ms": 400,
        "end_of_speech_sensitivity": "END_SENSITIVITY_LOW",
    }


@pytest.mark.parametrize(
    ("options", "environment", "message"),
    [
        ({"modle": "x"}, {}, "there is no option 'modle'"),
        ({"silence_ms": "long"}, {}, "silence_ms must be a number"),
        ({"start_sensitivity": "some"}, {}, "start_sensitivity is one of"),
        ({"thinking_level": "low"}, {}, "gemini-3.8-live takes no thinking_level: leave it out"),
        ({"base_url": "http://127.0.0.1:1"}, {}, "begins with https://"),
        ({}, {"GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:1"}, "begins with https://"),
    ],
)
def test_bad_options_are_refused(options: dict[str, str], environment: dict[str, str], message: str) -> None:
    with pytest.raises(VendorUnusable, match=message):
        settings_from(options, environment)


def test_either_key_will_do() -> None:
    assert vendor_in({}).key == "GEMINI_API_KEY"
    assert vendor_in({"GOOGLE_API_KEY": "b"}).key == "GOOGLE_API_KEY"
    assert vendor_in({"GEMINI_API_KEY": "a", "GOOGLE_API_KEY": "b"}).key == "GEMINI_API_KEY"
    assert GeminiLiveAdapter(environment={"GOOGLE_API_KEY": "b"}).check() is None
    told = GeminiLiveAdapter(environment={}).check()
    assert told == "GEMINI_API_KEY is not set: set it to your Gemini key"


def test_a_greeting_is_found_again_in_its_instruction() -> None:
    assert quoted_greeting(greeting_instruction("Hello,\nthere.")) == "Hello,\nthere."
    assert quoted_greeting("Hello.") is None


def test_usage_is_told_by_kind_and_what_has_none_is_kept_apart() -> None:
    usage = types.UsageMetadata.model_validate(
        {
            "promptTokenCount": 130,
            "responseTokenCount": 50,
            "thoughtsTokenCount": 7,
            "promptTokensDetails": [
                {"modality": "TEXT", "tokenCount": 100},
                {"modality": "AUDIO", "tokenCount": 20},
            ],
            "responseTokensDetails": [{"modality": "AUDIO", "tokenCount": 50}],
        }
    )
    assert turn_usage(usage) == {
        "input_text_tokens": 100.0,
        "input_audio_tokens": 20.0,
        "output_audio_tokens": 50.0,
        "thinking_tokens": 7.0,
        "unattributed_tokens": 10.0,
    }


def test_cost_is_usage_times_price_or_unknown() -> None:
    prices = catalogue().models["gemini-3.8-live"].prices
    usage = {"input_text_tokens": 2e6, "input_audio_tokens": 1e6, "output_audio_tokens": 1e6}
    assert cost_of(usage, prices) == Cost(16.5, "usage")
    assert cost_of({**usage, "unattributed_tokens": 1.0}, prices) == Cost()
    assert cost_of(usage, catalogue().models["gemini-3.1-flash-live-preview"].prices) == Cost()
    assert cost_of({}, prices) == Cost()
