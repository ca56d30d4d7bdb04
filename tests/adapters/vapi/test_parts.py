"""The parts that need no SDK: the webhook's dialect, templates, and what the platform is handed."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest

from offhook.host import PluginHost
from offhook.sessions import AgentConfig, ToolEndpoint, ToolResult
from offhook.toolserver import agent_config
from offhook.webhooks import BadWebhook, WebhookCall, WithWebhook
from offhook_adapters.vapi.adapter import VapiAdapter
from offhook_adapters.vapi.config import VAPI, assistant_body, call_body, fingerprint, settings_from
from offhook_adapters.vapi.dialect import VapiDialect
from offhook_adapters.vapi.liquid import as_it_is, filled_in
from offhook_adapters.wires.vendor import VendorUnusable
from tests.adapters._calls import AGENT

AGENTS = [agent_config(pack) for pack in PluginHost.discover().packs().values()] + [AGENT]
USUAL = settings_from({}, {})
TOOLS = ToolEndpoint("https://tools.example.com/hooks/abc", "", "token-1")


def read(message: Any) -> list[WebhookCall]:
    return list(VapiDialect().read(json.dumps({"message": message}).encode(), {}))


def posted(*arguments: Any) -> list[WebhookCall]:
    calls = [
        {"id": f"call_{number}", "type": "function", "function": {"name": "find", "arguments": given}}
        for number, given in enumerate(arguments)
    ]
    return read({"type": "tool-calls", "toolCallList": calls})


def test_tool_calls_are_read_in_their_order() -> None:
    assert posted('{"name": "Ann"}', {"name": "Bea"}, "", None) == [
        WebhookCall("call_0", "find", {"name": "Ann"}),
        WebhookCall("call_1", "find", {"name": "Bea"}),
        WebhookCall("call_2", "find", {}),
        WebhookCall("call_3", "find", {}),
    ]


def test_arguments_that_are_no_object_go_on_as_text() -> None:
    assert [call.arguments for call in posted("Ann, please", "[1]", [1], "[" * 200_000)] == [
        "Ann, please",
        "[1]",
        "[1]",
        "[" * 200_000,
    ]


def test_other_messages_hold_no_calls() -> None:
    assert read({"type": "end-of-call-report", "endedReason": "customer-ended-call"}) == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"{", "the body is not JSON"),
        (b"[]", "the body is list, expected a JSON object"),
        (b"{}", "the body has no message"),
        (b'{"message": {"type": "tool-calls"}}', "tool-calls without a toolCallList"),
        (
            b'{"message": {"type": "tool-calls", "toolCallList": ["x"]}}',
            "a tool call without a function",
        ),
        (
            b'{"message": {"type": "tool-calls", "toolCallList": [{"id": "a", "function": {}}]}}',
            "a tool call without a function",
        ),
    ],
)
def test_what_is_no_body_of_the_vendor(body: bytes, told: str) -> None:
    with pytest.raises(BadWebhook) as bad:
        VapiDialect().read(body, {})
    assert str(bad.value) == told


def test_results_are_one_line_of_text_each() -> None:
    body = {"note": "one\ntwo", "price": "$85.00", "who": "Zoë"}
    answer = json.loads(
        VapiDialect().write(
            [ToolResult("a", "find", 201, body), ToolResult("b", "find", 404, {"error": {"code": "none"}})]
        )
    )
    good, bad = answer["results"]
    assert (good["toolCallId"], good["name"], json.loads(good["result"])) == ("a", "find", body)
    assert "\n" not in good["result"]
    assert (bad["toolCallId"], json.loads(bad["error"])) == ("b", {"error": {"code": "none"}})
    assert "result" not in bad


def test_the_adapter_brings_the_dialect() -> None:
    adapter = VapiAdapter(environment={})
    assert isinstance(adapter, WithWebhook)
    assert adapter.webhook.secret_header == "x-vapi-secret"
    assert adapter.capabilities.public_url


@pytest.mark.parametrize(
    "text", ["", "Hello.", "{{name}} % {x}", "a {% if x %}\n{{ y | z }}{% endif %}", "{{"]
)
def test_an_agents_words_are_no_template(text: str) -> None:
    assert filled_in(as_it_is(text, "the prompt")) == text


def test_a_template_without_values_loses_its_names() -> None:
    assert filled_in("Hi {{ name }}, {% if x %}yes{% endif %}.") == "Hi , yes."
    with pytest.raises(VendorUnusable, match=r"the prompt holds \{% endraw %\}, which this platform can't"):
        as_it_is("a {% endraw %}", "the prompt")


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_prompt_greeting_and_tools_are_handed_over_as_they_are(agent: AgentConfig) -> None:
    body = json.loads(json.dumps(assistant_body(agent, USUAL)))
    assert filled_in(body["model"]["messages"][0]["content"]) == agent.prompt
    assert filled_in(body["firstMessage"]) == agent.greeting
    handed = [
        (tool["function"]["name"], tool["function"]["description"], tool["function"]["parameters"])
        for tool in body["model"]["tools"]
    ]
    given = [(tool.name, tool.description, dict(tool.parameters)) for tool in agent.tools]
    assert json.dumps(handed) == json.dumps(given)


def test_an_agent_without_a_greeting_waits() -> None:
    modes = [
        assistant_body(attrs.evolve(AGENT, greeting=greeting), USUAL)["firstMessageMode"]
        for greeting in (" ", "Hi.")
    ]
    assert modes == ["assistant-waits-for-user", "assistant-speaks-first"]


def test_a_call_says_where_its_tools_are() -> None:
    body = call_body(AGENT, USUAL, USUAL, TOOLS)
    assert body["assistant_overrides"] == {
        "server": {"url": TOOLS.webhook_url, "headers": {"Authorization": "Bearer token-1"}}
    }
    assert body["transport"]["audioFormat"] == {
        "format": "pcm_s16le",
        "container": "raw",
        "sampleRate": 16_000,
    }


def test_a_call_overrides_only_what_differs() -> None:
    chosen = settings_from({"voice": "11labs/sarah", "model": "openai/gpt-5.4-mini"}, {})
    overrides = call_body(AGENT, chosen, USUAL, TOOLS)["assistant_overrides"]
    assert overrides["voice"] == {"provider": "11labs", "voiceId": "sarah"}
    assert "transcriber" not in overrides
    whole = assistant_body(AGENT, chosen)["model"]
    assert overrides["model"] == whole
    assert whole["model"] == "gpt-5.4-mini"


def test_equal_agents_have_equal_fingerprints() -> None:
    plain = fingerprint(assistant_body(AGENT, USUAL))
    assert fingerprint(assistant_body(attrs.evolve(AGENT, sha256="other"), USUAL)) == plain
    assert fingerprint(assistant_body(attrs.evolve(AGENT, prompt="Be brief."), USUAL)) != plain


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"vioce": "x"}, "there is no option 'vioce': choose from base_url, model, transcriber, voice"),
        ({"voice": "Elliot"}, "voice is provider/name, such as vapi/Elliot, not 'Elliot'"),
        ({"model": "openai/"}, "model is provider/name, such as openai/gpt-4.1, not 'openai/'"),
    ],
)
def test_what_can_not_be_is_told(options: dict[str, str], told: str) -> None:
    with pytest.raises(VendorUnusable) as refused:
        settings_from(options, {})
    assert str(refused.value) == told


def test_check_names_what_is_missing() -> None:
    assert VAPI.check({}) == "VAPI_API_KEY is not set: set it to your Vapi key"
    assert VAPI.check({"VAPI_API_KEY": "abc"}) is None
