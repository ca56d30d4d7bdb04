"""What the twin does not take, seen through a plain WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import ssl
from collections.abc import Mapping
from typing import Any

import attrs
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from offhook.clock import run_real
from offhook.twins import FAULTS, TwinFaults
from offhook_adapters.gemini._twin_checks import Refused, check_server
from offhook_adapters.gemini.adapter import GeminiLiveAdapter
from offhook_adapters.wires.vendor import VendorUnusable
from tests.adapters._calls import AGENT, dialled, twinned

PATH = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
SETUP = {"model": "models/gemini-3.8-live", "generationConfig": {"responseModalities": ["AUDIO"]}}
AUDIO = {"realtime_input": {"audio": {"data": "AAAA", "mime_type": "audio/pcm;rate=16000"}}}


def answers(
    *messages: Mapping[str, Any] | str, key: str = "", path: str = PATH, faults: TwinFaults | None = None
) -> list[Any]:
    """What comes back: messages, and at the end the close code and reason."""

    async def talk() -> list[Any]:
        async with twinned(GeminiLiveAdapter(), faults=faults) as (adapter, twin):
            trust = ssl.create_default_context(cafile=adapter.environment["SSL_CERT_FILE"])
            url = adapter.environment["GOOGLE_GEMINI_BASE_URL"].replace("https", "wss") + path
            headers = {"x-goog-api-key": key or twin.key}
            told: list[Any] = []
            async with connect(url, ssl=trust, additional_headers=headers) as socket:
                for message in messages:
                    await socket.send(message if isinstance(message, str) else json.dumps(message))
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        told.append(json.loads(await socket.recv()))
                return [*told, socket.close_code, socket.close_reason]

    return run_real(asyncio.wait_for(talk(), 15))


@pytest.mark.parametrize(
    ("messages", "code", "reason"),
    [
        (["{"], 1007, "Invalid JSON"),
        ([{"hello": {}}], 1007, 'Unknown name "hello"'),
        ([AUDIO], 1007, "invalid argument"),
        ([{"setup": {**SETUP, "mood": "fine"}}], 1007, 'Unknown name "mood"'),
        ([{"setup": {**SETUP, "realtimeInputConfig": {"mood": 1}}}], 1007, 'Unknown name "mood"'),
        ([{"setup": {**SETUP, "model": "models/gemini-9"}}], 1008, "models/gemini-9 is not found"),
        ([{"setup": {"model": "models/gemini-3.8-live"}}], 1007, "response modalities"),
        (
            [{"setup": {**SETUP, "tools": [{"functionDeclarations": [{"name": 5}]}]}}],
            1007,
            "Invalid value at 'tools",
        ),
    ],
)
def test_a_bad_beginning_ends_the_connection(messages: list[Any], code: int, reason: str) -> None:
    *_, got, told = answers(*messages)
    assert got == code
    assert reason in told


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"setup": SETUP}, "invalid argument"),
        ({"realtime_input": {"audio": {"data": "AAA", "mime_type": "audio/pcm;rate=16000"}}}, "Base64"),
        ({"realtime_input": {"audio": {"data": "AAAA", "mime_type": "audio/wav"}}}, "audio/pcm;rate=16000"),
        ({"realtime_input": {"sound": {}}}, 'Unknown name "realtime_input.sound"'),
        ({"tool_response": {"functionResponses": [{"id": "x", "name": "n", "response": {}}]}}, "'x'"),
    ],
)
def test_a_bad_message_ends_the_connection(message: Any, reason: str) -> None:
    first, code, told = answers({"setup": SETUP}, message)
    assert first == {"setupComplete": {}}
    assert code == 1007
    assert reason in told


def test_only_the_right_key_is_let_in() -> None:
    assert answers({"setup": SETUP}, key="AIza-another")[0] == 1007
    with pytest.raises(InvalidStatus) as refused:
        answers(path="/elsewhere")
    assert refused.value.response.status_code == 404


def test_limits_are_told_as_the_vendor_does() -> None:
    assert "plan and billing" in answers({"setup": SETUP}, faults=FAULTS["quota"])[-1]
    assert "exhausted" in answers({"setup": SETUP}, faults=FAULTS["rate-limit"])[-1]


def test_gemini_31_takes_no_tool_behaviour() -> None:
    tool = {"name": "a", "description": "b", "behavior": "BLOCKING"}
    setup = {
        **SETUP,
        "model": "models/gemini-3.1-flash-live-preview",
        "tools": [{"functionDeclarations": [tool]}],
    }
    assert "behavior" in answers({"setup": setup})[-1]


def test_a_message_the_vendor_could_not_have_sent_is_the_twins_fault() -> None:
    with pytest.raises(Refused, match="mood"):
        check_server({"serverContent": {"mood": "fine"}})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "gemini-9"}, "check the option model"),
        ({"voice": "Nobody"}, "'Nobody' is not available"),
    ],
)
def test_a_wrong_model_or_voice_is_refused_in_one_line(options: dict[str, str], message: str) -> None:
    async def dial() -> None:
        async with twinned(GeminiLiveAdapter()) as (adapter, _):
            await dialled(adapter, AGENT, **options)

    with pytest.raises(VendorUnusable, match=message):
        run_real(dial())


def test_a_prompt_that_is_too_long_is_refused_in_one_line() -> None:
    async def dial() -> None:
        async with twinned(GeminiLiveAdapter()) as (adapter, _):
            await dialled(adapter, attrs.evolve(AGENT, prompt="Be kind. " * 70_000))

    with pytest.raises(VendorUnusable, match=r"token count exceeds .* how long the prompt is"):
        run_real(dial())


def test_a_certificate_nobody_vouches_for_is_refused() -> None:
    async def dial() -> None:
        async with twinned(GeminiLiveAdapter()) as (adapter, _):
            bare = {name: each for name, each in adapter.environment.items() if name != "SSL_CERT_FILE"}
            with pytest.raises(VendorUnusable, match="not trusted here: set SSL_CERT_FILE"):
                await dialled(adapter.with_environment(bare))
            with pytest.raises(VendorUnusable, match="SSL_CERT_FILE is '/nowhere'"):
                await dialled(adapter.with_environment({**bare, "SSL_CERT_FILE": "/nowhere"}))

    run_real(dial())


def test_the_key_is_not_in_the_log_of_the_handshake(caplog: pytest.LogCaptureFixture) -> None:
    async def dial() -> str:
        async with twinned(GeminiLiveAdapter()) as (adapter, twin):
            session = await dialled(adapter)
            await session.hang_up()
            return twin.key

    with caplog.at_level(logging.DEBUG, "websockets.client"):
        key = run_real(dial())
    logged = [record.getMessage() for record in caplog.records if record.name == "websockets.client"]
    assert any("x-goog-api-key: [key]" in line for line in logged)
    assert not any(key in line for line in logged)
