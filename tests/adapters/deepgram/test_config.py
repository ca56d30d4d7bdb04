"""What the platform is handed, and what a call costs."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest

from offhook.host import PluginHost
from offhook.sessions import AgentConfig, Cost, Priced, ToolSchema
from offhook.toolserver import agent_config
from offhook_adapters.deepgram._twin_checks import wire_types
from offhook_adapters.deepgram.adapter import DeepgramAdapter
from offhook_adapters.deepgram.config import DEEPGRAM, settings_from, settings_message
from offhook_adapters.deepgram.prices import catalogue
from offhook_adapters.wires.vendor import VendorUnusable
from tests.adapters._calls import AGENT

AGENTS = [agent_config(pack) for pack in PluginHost.discover().packs().values()] + [AGENT]
PLAIN = settings_from({}, {})


def message(agent: AgentConfig = AGENT, **options: str) -> dict[str, Any]:
    return settings_message(agent, settings_from(options, {}))


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_prompt_greeting_and_tools_are_handed_over_as_they_are(agent: AgentConfig) -> None:
    told = json.loads(json.dumps(message(agent)))["agent"]
    assert told["think"]["prompt"] == agent.prompt
    assert told["greeting"] == agent.greeting
    handed = [
        ToolSchema(each["name"], each["description"], each["parameters"])
        for each in told["think"]["functions"]
    ]
    given = [attrs.evolve(tool, parameters=json.loads(json.dumps(tool.parameters))) for tool in agent.tools]
    assert handed == given


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_the_sdks_own_types_take_the_settings(agent: AgentConfig) -> None:
    wire_types().check_client(message(agent))


def test_no_function_is_called_on_a_guess() -> None:
    assert {each["defer_until_eot"] for each in message()["agent"]["think"]["functions"]} == {True}


def test_an_agent_without_greeting_or_tools_has_no_such_fields() -> None:
    told = message(attrs.evolve(AGENT, greeting=" ", tools=()))["agent"]
    assert "greeting" not in told
    assert "functions" not in told["think"]


def test_options_choose_the_models() -> None:
    told = message(think="google/gemini-3.5-flash", listen="flux-general-en", voice="aura-2-zeus-en")["agent"]
    assert told["think"]["provider"] == {"type": "google", "model": "gemini-3.5-flash"}
    assert told["listen"]["provider"] == {"type": "deepgram", "version": "v2", "model": "flux-general-en"}
    assert told["speak"]["provider"] == {"type": "deepgram", "model": "aura-2-zeus-en"}
    assert message()["agent"]["listen"]["provider"]["version"] == "v1"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"modle": "x"}, "there is no option 'modle': choose from base_url, listen, think, voice"),
        ({"think": "gpt-4o"}, "think is provider/model, such as open_ai/gpt-5.4-mini, not 'gpt-4o'"),
        ({"base_url": "ws://x"}, "base_url is 'ws://x': set it to a URL like https://agent.deepgram.com"),
    ],
)
def test_what_can_not_be_is_told(options: dict[str, str], told: str) -> None:
    with pytest.raises(VendorUnusable) as refused:
        settings_from(options, {})
    assert str(refused.value) == told


def test_check_names_what_is_missing() -> None:
    assert DEEPGRAM.check({}) == "DEEPGRAM_API_KEY is not set: set it to your Deepgram key"
    assert DEEPGRAM.check({"DEEPGRAM_API_KEY": "abc"}) is None


def test_a_minute_costs_what_the_tier_of_the_language_model_does() -> None:
    published = catalogue()
    assert published.cost("open_ai/gpt-5.4-mini", 90.0) == Cost(0.12, "duration")
    assert published.cost("open_ai/gpt-5.2-chat-latest", 90.0) == Cost()  # a tier without a price
    assert published.cost("open_ai/gpt-99", 90.0) == Cost()
    adapter = DeepgramAdapter(environment={})
    assert isinstance(adapter, Priced)
    assert adapter.estimate(60.0) == Cost(0.08, "duration")


def test_the_defaults_are_in_the_catalogue() -> None:
    published = catalogue()
    assert published.default_think in published.thinkers
    assert published.default_listen in published.listeners
    assert published.default_voice in published.voices
    assert [layer.model for layer in DeepgramAdapter(environment={}).capabilities.layers] == [
        published.default_listen,
        published.default_think,
        published.default_voice,
    ]
