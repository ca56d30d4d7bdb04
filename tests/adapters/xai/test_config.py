"""What xAI is told and what it costs: options, the session they make, prices, the words of its refusals."""

from __future__ import annotations

import datetime
from typing import Any

import attrs
import pytest
from openai.types.realtime import RealtimeError

from offhook.sessions import Checked, Cost, Greeting, Priced, WithOptions
from offhook_adapters.openai_realtime.dialect import SENT_SECONDS, Cause
from offhook_adapters.openai_realtime.refusals import refused_connect
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from offhook_adapters.xai._twin_dialect import XaiTwinDialect
from offhook_adapters.xai.adapter import XaiAdapter
from offhook_adapters.xai.config import OPTIONS, settings_from
from offhook_adapters.xai.plugin import offhook_adapters
from offhook_adapters.xai.prices import TEXT_ITEMS, catalogue, cost_of
from tests.adapters.openai_realtime._calls import AGENT

TYPES = XaiTwinDialect().types()


def test_without_options_the_catalogue_and_the_vendors_server_are_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://another.example/v1")
    settings = settings_from({}, {})
    assert (settings.model, settings.voice, settings.transcriber) == (
        "grok-voice-latest",
        "eve",
        "grok-transcribe",
    )
    assert settings.base_url == "https://api.x.ai/v1"
    assert settings_from({}, {"XAI_BASE_URL": "http://here/v1"}).base_url == "http://here/v1"


def test_prompt_and_tools_are_as_they_are_and_voice_and_turns_lie_at_the_top() -> None:
    given = {
        "voice": "rex",
        "threshold": "0.6",
        "silence_ms": "700",
        "idle_timeout_ms": "8000",
        "reasoning": "high",
    }
    config = settings_from(given, {}).configuration(AGENT)
    assert config["instructions"] == AGENT.prompt
    assert [(tool["name"], tool["description"], tool["parameters"]) for tool in config["tools"]] == [
        (tool.name, tool.description, dict(tool.parameters)) for tool in AGENT.tools
    ]
    assert config["voice"] == "rex"
    assert config["turn_detection"] == {
        "type": "server_vad",
        "threshold": 0.6,
        "silence_duration_ms": 700,
        "idle_timeout_ms": 8000,
    }
    assert config["reasoning"] == {"effort": "high"}
    assert "type" not in config
    TYPES.check_client({"type": "session.update", "session": config})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"modle": "x"},
            "there is no option 'modle': choose from base_url, idle_timeout_ms, model, reasoning",
        ),
        ({"reasoning": "some"}, "reasoning is one of high, none, not 'some'"),
        ({"threshold": "much"}, "threshold must be a number, not 'much'"),
    ],
)
def test_an_option_that_cannot_be_is_one_line(options: dict[str, str], message: str) -> None:
    with pytest.raises(VendorUnusable, match=message):
        settings_from(options, {})


def test_both_declare_what_they_take_lack_and_cost() -> None:
    vendor, twin = offhook_adapters()
    assert (vendor.name, twin.name) == ("xai", "xai-twin")
    assert isinstance(vendor, WithOptions)
    assert isinstance(vendor, Priced)
    assert vendor.options == OPTIONS
    assert vendor.capabilities.greeting is Greeting.VERBATIM
    assert not vendor.capabilities.harness_reference
    assert twin.capabilities.harness_reference
    bare = attrs.evolve(XaiAdapter(), environment={})
    assert isinstance(bare, Checked)
    assert bare.check() == "XAI_API_KEY is not set: set it to your xAI key"
    assert vendor.estimate(180.0) == Cost(round(3 * 0.08 + 0.004, 6), "duration")


def test_the_catalogue_says_when_and_where_it_was_read() -> None:
    published = catalogue()
    assert datetime.date.fromisoformat(published.read_on) >= datetime.date(2026, 11, 30)
    assert published.source.startswith("https://docs.x.ai/")
    assert published.default_model in published.models
    assert published.default_voice in published.voices


def test_sound_that_was_sent_and_text_items_are_billed() -> None:
    price = catalogue().models["grok-voice-latest"]
    assert cost_of({SENT_SECONDS: 90.0, TEXT_ITEMS: 1.0}, price) == Cost(1.5 * 0.08 + 0.004, "duration")
    assert cost_of({SENT_SECONDS: 90.0}, None) == Cost(None, "unknown")


class _Refused(Exception):
    def __init__(self, status: int, body: bytes) -> None:
        self.response: Any = type("Response", (), {"status_code": status, "body": body})()


@pytest.mark.parametrize(
    ("status", "words", "unusable", "told"),
    [
        (400, "Incorrect API key provided: xa***ey.", True, "HOST refused the key: check XAI_API_KEY"),
        (429, "used up its credits or come to its spending limit", True, "check the plan and billing"),
        (403, "Your credits are gone; raise your spending limit", True, "check the plan and billing"),
        (429, "too many requests", False, "try again later"),
        (404, "no such model", True, "check base_url and model"),
    ],
)
def test_a_refusal_is_told_apart_by_its_words(status: int, words: str, unusable: bool, told: str) -> None:
    body = f'{{"code": "some code", "error": "{words}"}}'.encode()
    error = refused_connect(_Refused(status, body), settings_from({}, {}), "HOST", "xai-secret-key")
    assert isinstance(error, VendorUnusable) is unusable
    assert isinstance(error, VendorError)
    assert told in str(error)


def test_a_busy_platform_and_a_cause_are_known_by_words() -> None:
    settings = settings_from({}, {})
    busy = RealtimeError(message="Conversation already has an active response", type="x")
    assert settings.is_busy(busy)
    assert not settings.is_busy(RealtimeError(message="no", type="x"))
    assert settings.cause("incorrect api key provided") is Cause.KEY
    assert settings.cause("fine") is None


@pytest.mark.parametrize(
    "message",
    [
        {"type": "session.update", "session": {"type": "realtime"}},
        {"type": "session.update", "session": {"audio": {"output": {"voice": "eve"}}}},
        {"type": "session.update", "session": {"turn_detection": {"type": "semantic_vad"}}},
        {"type": "conversation.item.retrieve", "item_id": "x"},
        {"type": "response.create", "response": {"tool_choice": "none"}},
        {
            "type": "conversation.item.create",
            "item": {
                "type": "force_message",
                "role": "assistant",
                "content": [{"type": "audio", "text": "Hi."}],
            },
        },
    ],
)
def test_the_twin_takes_nothing_of_openais_that_the_vendor_does_not(message: dict[str, Any]) -> None:
    from offhook_adapters.openai_realtime.twin_checks import WireError

    with pytest.raises(WireError):
        TYPES.check_client(message)
