"""Options, the session they make, and the catalogue."""

from __future__ import annotations

import datetime
import json
from urllib.parse import quote

import pytest

from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter
from offhook_adapters.openai_realtime.config import (
    OPENAI,
    greeting_instruction,
    quoted_greeting,
    session_config,
    settings_from,
)
from offhook_adapters.openai_realtime.plugin import offhook_adapters
from offhook_adapters.openai_realtime.prices import TokenPrices, catalogue, cost_of
from offhook_adapters.openai_realtime.twin_checks import wire_types
from offhook_adapters.wires.trouble import one_line
from offhook_adapters.wires.vendor import VendorError, VendorUnusable

from ._calls import AGENT

ODD_KEY = r'sk-"o\d/d+(k.e)*y$[0]%?'
PRICES = TokenPrices(text_in=4, text_cached=0.4, text_out=24, audio_in=32, audio_cached=0.4, audio_out=64)


def test_without_options_the_catalogue_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    settings = settings_from({})
    assert (settings.model, settings.voice) == ("gpt-realtime-2.1", "marin")
    assert settings.base_url is None
    monkeypatch.setenv("OPENAI_BASE_URL", "http://here/v1")
    assert settings_from({}).base_url == "http://here/v1"
    assert settings_from({"base_url": "http://there/v1"}).base_url == "http://there/v1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"modle": "x"}, "there is no option 'modle': choose from base_url, idle_timeout_ms, model"),
        ({"silence_ms": "soon"}, "silence_ms must be a number, not 'soon'"),
        ({"noise_reduction": "yes"}, "noise_reduction is near_field or far_field, not 'yes'"),
    ],
)
def test_an_option_that_cannot_be_is_one_line(options: dict[str, str], message: str) -> None:
    with pytest.raises(VendorError, match=message):
        settings_from(options)


def test_options_reach_the_session_and_the_vendors_types_take_it() -> None:
    settings = settings_from(
        {
            "silence_ms": "700",
            "threshold": "0.6",
            "idle_timeout_ms": "8000",
            "noise_reduction": "near_field",
            "transcriber": "gpt-live-transcribe",
            "voice": "cedar",
        }
    )
    config = session_config(AGENT, settings)
    heard = config["audio"]["input"]
    assert heard["turn_detection"] == {
        "type": "server_vad",
        "create_response": True,
        "interrupt_response": True,
        "silence_duration_ms": 700,
        "threshold": 0.6,
        "idle_timeout_ms": 8000,
    }
    assert heard["transcription"] == {"model": "gpt-live-transcribe", "language": "en"}
    assert heard["noise_reduction"] == {"type": "near_field"}
    assert config["audio"]["output"] == {"format": {"type": "audio/pcm", "rate": 24000}, "voice": "cedar"}
    wire_types().check_server({"type": "session.updated", "event_id": "e", "session": config})


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://user:opensesame@here/v1", "base_url holds a user or password"),
        ("here/v1", "base_url is 'here/v1': set it to a URL like"),
        ("http:///v1", "set it to a URL like"),
        ("ws://here/v1", "set it to a URL like"),  # the SDK would make wss of it
        ("http://[::1/v1", "set it to a URL like"),
        ("http://here:port/v1", "set it to a URL like"),
    ],
)
def test_an_address_that_cannot_be_is_one_line(url: str, message: str) -> None:
    with pytest.raises(VendorUnusable, match=message) as refused:
        settings_from({"base_url": url})
    assert "opensesame" not in str(refused.value)
    for fine in ("http://[::1]:80/v1", "https://here", "http://127.0.0.1:8123/v1"):
        assert settings_from({"base_url": fine}).base_url == fine


def test_the_greeting_can_be_read_back_from_the_instruction() -> None:
    assert (
        quoted_greeting(greeting_instruction('Hello, "Fernhill" here:\nhi')) == 'Hello, "Fernhill" here:\nhi'
    )
    assert quoted_greeting("Be brief.") is None


def test_a_missing_key_is_one_line() -> None:
    assert OPENAI.api_key({"OPENAI_API_KEY": " k "}) == "k"
    with pytest.raises(VendorError, match=r"^OPENAI_API_KEY is not set: set it to your OpenAI key$"):
        OPENAI.api_key({"OPENAI_API_KEY": "  "})


@pytest.mark.parametrize("key", ["sk-one two", "sk-\u043a\u043b\u044e\u0447-0123456789", "sk-line\nbreak"])
def test_a_key_that_no_header_could_carry_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(VendorUnusable, match="holds a blank or another character") as refused:
        OPENAI.api_key({"OPENAI_API_KEY": key})
    assert key not in str(refused.value)


def test_keys_are_taken_out_of_messages() -> None:
    assert one_line("bad\n key abc123  here", "abc123") == "bad key [key] here"
    assert one_line("Incorrect key: sk-proj-ab*****yz.", "other") == "Incorrect key: [key]."
    assert one_line("Incorrect key: ab*****yz. Go on.", "other") == "Incorrect key: [key]. Go on."


@pytest.mark.parametrize("form", [ODD_KEY, json.dumps(ODD_KEY), quote(ODD_KEY), quote(ODD_KEY, safe="")])
def test_a_key_of_odd_characters_is_taken_out_in_every_form(form: str) -> None:
    told = one_line(f"no such key: {form}; ask {form}", ODD_KEY)
    assert told.replace('"', "") == "no such key: [key]; ask [key]"


def test_cost_counts_cached_tokens_once_and_at_their_price() -> None:
    usage = {
        "input_text_tokens": 1_000_000,
        "cached_text_tokens": 400_000,
        "input_audio_tokens": 500_000,
        "cached_audio_tokens": 100_000,
        "output_text_tokens": 10_000,
        "output_audio_tokens": 20_000,
        "transcribed_seconds": 600,
    }
    cost = cost_of(usage, PRICES, 0.0045)
    text = 0.6 * 4 + 0.4 * 0.4 + 0.01 * 24
    audio = 0.4 * 32 + 0.1 * 0.4 + 0.02 * 64
    assert cost.usd == pytest.approx(text + audio + 0.045)
    assert cost.basis == "usage"


def test_a_cost_that_would_leave_something_out_is_unknown() -> None:
    assert cost_of({"input_text_tokens": 5}, None, 0.0045).basis == "unknown"
    assert cost_of({"transcribed_seconds": 5}, PRICES, None).usd is None
    assert cost_of({"transcriber_tokens": 5}, PRICES, 0.0045).usd is None
    assert cost_of({"input_text_tokens": 5}, PRICES, None).usd == 0.00002


def test_the_catalogue_says_when_and_where_it_was_read() -> None:
    published = catalogue()
    assert datetime.date.fromisoformat(published.read_on) >= datetime.date(2026, 11, 30)
    assert published.source.startswith("https://developers.openai.com/")
    assert published.default_model in published.models
    assert published.default_voice in published.voices
    assert published.default_transcriber in published.transcribers


def test_only_the_twin_is_a_harness_reference() -> None:
    found = {adapter.name: adapter.capabilities for adapter in offhook_adapters()}
    assert set(found) == {"openai-realtime", "openai-twin"}
    assert not found["openai-realtime"].harness_reference
    assert found["openai-twin"].harness_reference
    assert not any(capabilities.virtual_time for capabilities in found.values())


def test_a_call_is_reckoned_beforehand_and_a_longer_one_dearer() -> None:
    adapter = OpenAIRealtimeAdapter(environment={})
    short, long = adapter.estimate(60.0), adapter.estimate(180.0)
    assert (short.basis, long.basis) == ("usage", "usage")
    assert short.usd is not None
    assert long.usd is not None
    assert 0.05 < short.usd < long.usd < 0.5
