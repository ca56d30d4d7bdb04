"""What is set up at the vendor, what options make, and what the record says it cost."""

from __future__ import annotations

import json

import attrs
import pytest

from offhook.sessions import Cost, PlatformRecord, ToolSchema
from offhook_adapters.elevenlabs._record import _cost, _record
from offhook_adapters.elevenlabs.adapter import ElevenLabsAdapter
from offhook_adapters.elevenlabs.config import agent_body, agent_name, initiation, settings_from, tool_body
from offhook_adapters.elevenlabs.models import catalogue
from offhook_adapters.wires.vendor import VendorUnusable
from tests.adapters._calls import AGENT


def test_prompt_greeting_and_tools_are_set_up_as_they_are() -> None:
    agent = attrs.evolve(AGENT, prompt="Say “hi”.\n\t{x}", greeting="Hé, “desk”.")
    talk = agent_body(agent)["conversation_config"]["agent"]
    assert (talk["prompt"]["prompt"], talk["first_message"]) == (agent.prompt, agent.greeting)
    for tool in agent.tools:
        config = tool_body(tool)["tool_config"]
        assert (config["type"], config["name"], config["description"]) == (
            "client",
            tool.name,
            tool.description,
        )
        assert json.dumps(config["parameters"]) == json.dumps(dict(tool.parameters))


def test_a_name_holds_a_hash_of_all_that_is_set_up() -> None:
    other = ToolSchema("more", "More.", {"type": "object", "properties": {}})
    names = {
        agent_name(AGENT),
        agent_name(attrs.evolve(AGENT, prompt="x")),
        agent_name(attrs.evolve(AGENT, greeting="x")),
        agent_name(attrs.evolve(AGENT, tools=(*AGENT.tools, other))),
    }
    assert len(names) == 4
    assert agent_name(AGENT) == agent_name(attrs.evolve(AGENT))
    assert agent_name(AGENT).startswith(f"offhook {AGENT.name} ")


def test_what_the_vendor_takes_for_variables_is_refused() -> None:
    with pytest.raises(VendorUnusable, match="leave double braces out"):
        agent_body(attrs.evolve(AGENT, greeting="Hello {{name}}."))


def test_model_and_voice_are_told_with_the_call() -> None:
    assert initiation(settings_from({}))["conversation_config_override"] == {}
    chosen = settings_from({"model": "gpt-5.5", "voice": "Sarah"})
    assert initiation(chosen)["conversation_config_override"] == {
        "agent": {"prompt": {"llm": "gpt-5.5"}},
        "tts": {"voice_id": catalogue().voices["Sarah"]},
    }
    assert settings_from({"voice": "anId"}).voice == "anId"
    with pytest.raises(VendorUnusable, match="there is no option 'base_url'"):
        settings_from({"base_url": "http://127.0.0.1:1"})


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, "ELEVENLABS_API_KEY is not set: set it to your ElevenLabs key"),
        ({"ELEVENLABS_API_KEY": "k", "ELEVENLABS_BASE_URL": "nowhere"}, "ELEVENLABS_BASE_URL is 'nowhere'"),
    ],
)
def test_what_is_missing_is_said_without_dialling(environment: dict[str, str], told: str) -> None:
    assert told in str(ElevenLabsAdapter(environment=environment).check())


@pytest.mark.parametrize(
    ("metadata", "cost"),
    [
        ({"cost_fiat": 0.12, "charging": {"llm_price": 9.0, "platform_price": 9.0}}, Cost(0.12, "reported")),
        ({"charging": {"llm_price": 0.02, "platform_price": 0.0}}, Cost(0.02, "reported")),
        ({"charging": {"llm_price": 0.02}}, Cost()),
        ({"cost": 300}, Cost()),
    ],
)
def test_cost_is_what_the_vendor_reports_in_dollars(metadata: dict[str, object], cost: Cost) -> None:
    assert _cost(metadata) == cost


def test_the_record_keeps_the_vendors_own_account() -> None:
    call = {"request_id": "c1", "tool_name": "look", "params_as_json": '{"a": 1}'}
    answer = {"request_id": "c1", "tool_name": "look", "result_value": "{}", "is_error": True}
    held = {
        "status": "done",
        "metadata": {"call_duration_secs": 7, "cost_fiat": 0.1, "phone_call": {"from": "555"}},
        "transcript": [
            {"role": "agent", "message": "Hello."},
            {"role": "user", "message": "Look."},
            {"role": "agent", "message": None, "tool_calls": [call], "tool_results": [answer]},
        ],
    }
    record = _record(held, PlatformRecord(("what came",), (), {"conversation": "conv_1"}))
    assert record.transcript == ("agent: Hello.", "caller: Look.")
    assert record.tool_log == (
        {"id": "c1", "name": "look", "arguments": '{"a": 1}', "result": "{}", "is_error": True},
    )
    assert record.raw["conversation"] == "conv_1"
    assert record.raw["call_duration_secs"] == 7
    assert "phone_call" not in record.raw
