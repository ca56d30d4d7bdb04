"""The twin turns away what the vendor would, and says only what the vendor could."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from offhook.clock import run_real
from offhook_adapters.deepgram._twin_checks import WireError, wire_types
from offhook_adapters.deepgram.adapter import DeepgramAdapter
from offhook_adapters.deepgram.config import settings_from, settings_message
from tests.adapters._calls import AGENT, twinned

PLAIN = settings_message(AGENT, settings_from({}, {}))


def changed(*path: str, value: Any) -> dict[str, Any]:
    """The plain settings with one field set."""
    told: dict[str, Any] = json.loads(json.dumps(PLAIN))
    place = told
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return told


async def answers(*messages: Any) -> list[str]:
    """What the twin says to some messages, as ``type`` or ``type code``, until it closes or is silent."""
    heard: list[str] = []
    async with twinned(DeepgramAdapter()) as (_, twin):
        url = twin.environment["DEEPGRAM_BASE_URL"].replace("http", "ws") + "/v1/agent/converse"
        async with connect(url, additional_headers={"Authorization": f"Token {twin.key}"}) as socket:
            for message in messages:
                await socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
            while not heard or not heard[-1].startswith(("Error", "ConversationText", "Warning")):
                raw = await asyncio.wait_for(socket.recv(), 5)
                if isinstance(raw, str):
                    told = json.loads(raw)
                    heard.append(" ".join(filter(None, (told["type"], told.get("code", "")))))
    return heard


@pytest.mark.parametrize(
    ("header", "path", "status", "told"),
    [
        ("", "/v1/agent/converse", 401, "Invalid credentials."),
        ("Token wrong", "/v1/agent/converse", 401, "Invalid credentials."),
        ("Bearer {key}", "/v1/agent/converse", 401, "Invalid credentials."),
        ("Token {key}", "/v1/elsewhere", 404, "There is nothing at /v1/elsewhere."),
    ],
)
def test_the_handshake(header: str, path: str, status: int, told: str) -> None:
    async def dial() -> None:
        async with twinned(DeepgramAdapter()) as (_, twin):
            url = twin.environment["DEEPGRAM_BASE_URL"].replace("http", "ws") + path
            with pytest.raises(InvalidStatus) as refused:
                await connect(url, additional_headers={"Authorization": header.format(key=twin.key)})
        assert refused.value.response.status_code == status
        assert refused.value.response.headers["dg-error"] == told

    run_real(dial())


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ((PLAIN,), ["Welcome", "SettingsApplied", "ConversationText"]),
        (("no JSON",), ["Welcome", "Error UNPARSABLE_CLIENT_MESSAGE"]),
        (({"type": "Sing"},), ["Welcome", "Error UNPARSABLE_CLIENT_MESSAGE"]),
        ((b"\0\0",), ["Welcome", "Error NON_SETTINGS_MESSAGE_BEFORE_SETTINGS"]),
        (
            ({"type": "FunctionCallResponse", "id": "x", "name": "y", "content": ""},),
            ["Welcome", "Error NON_SETTINGS_MESSAGE_BEFORE_SETTINGS"],
        ),
        ((changed("wobble", value=1),), ["Welcome", "Error INVALID_SETTINGS"]),
        ((changed("agent", "think", "wobble", value=1),), ["Welcome", "Error INVALID_SETTINGS"]),
        ((changed("agent", "think", "prompt", value=7),), ["Welcome", "Error INVALID_SETTINGS"]),
        (
            (changed("agent", "think", "provider", "model", value="gpt-99"),),
            ["Welcome", "Error INVALID_SETTINGS"],
        ),
        (
            (changed("agent", "speak", "provider", "model", value="me"),),
            ["Welcome", "Error INVALID_SETTINGS"],
        ),
        ((changed("audio", "input", "sample_rate", value=8000),), ["Welcome", "Error INVALID_SETTINGS"]),
    ],
)
def test_messages(messages: tuple[Any, ...], told: list[str]) -> None:
    assert run_real(answers(*messages)) == told


def test_settings_are_given_once() -> None:
    heard = run_real(answers({"type": "KeepAlive"}, PLAIN, PLAIN))
    assert heard[:3] == ["Welcome", "SettingsApplied", "Error SETTINGS_ALREADY_APPLIED"]


def test_an_answer_to_no_call_is_told() -> None:
    answer = {"type": "FunctionCallResponse", "id": "nobody", "name": "x", "content": "{}"}
    assert "Warning TWIN_UNKNOWN_CALL" in run_real(answers(PLAIN, answer))


@pytest.mark.parametrize(
    "message",
    [
        {"type": "AgentAudioDone", "wobble": 1},
        {"type": "FunctionCallRequest", "functions": [{"id": "a", "name": "b", "arguments": {}}]},
        {"type": "ConversationText", "role": "user"},
    ],
)
def test_the_twin_says_nothing_the_vendor_could_not(message: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        wire_types().check_server(message)
