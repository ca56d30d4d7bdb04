"""What goes wrong is told in one line that says what to do."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
from aiohttp import WSMsgType, web

from offhook.clock import run_real
from offhook.sessions import Ended, SessionError
from offhook_adapters.deepgram.adapter import DeepgramAdapter
from offhook_adapters.twins.server import serving
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from tests.adapters._calls import AGENT, Listening, dialled, twinned

KEY = "dg-key-0123456789"


@asynccontextmanager
async def odd_server(
    *messages: Any, code: int = 1000, reason: str = "", stays: bool = False
) -> AsyncIterator[DeepgramAdapter]:
    """The adapter before a server that sends some messages and then closes, whatever it is told, or ``stays``
    until the client does.
    """

    async def answer(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        for message in messages:
            await socket.send_str(message if isinstance(message, str) else json.dumps(message))
        if stays:
            async for _ in socket:
                pass
        await socket.close(code=code, message=reason.encode())
        return socket

    async with serving([web.get("/v1/agent/converse", answer)]) as port:
        environment = {"DEEPGRAM_API_KEY": KEY, "DEEPGRAM_BASE_URL": f"http://127.0.0.1:{port}"}
        yield DeepgramAdapter(environment=environment)


async def refusal(adapter: DeepgramAdapter, **options: str) -> VendorError:
    with pytest.raises(VendorError) as refused:
        await dialled(adapter, AGENT, **options)
    return refused.value


async def told(*messages: Any, **closing: Any) -> tuple[list[str], Ended]:
    """The errors and the end of a call in which the server says some odd things."""
    opening = [{"type": "Welcome", "request_id": "r"}, {"type": "SettingsApplied"}]
    async with odd_server(*opening, *messages, **closing) as adapter:
        async with Listening(await dialled(adapter)) as call:
            await call.until(lambda call: call.of(Ended))
        errors = [f"{error.code}: {error.message}" for error in call.of(SessionError)]
        return errors, call.of(Ended)[0]


def error(code: str, description: str) -> dict[str, str]:
    return {"type": "Error", "code": code, "description": description}


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"think": "open_ai/gpt-99"}, "there is no think model 'open_ai/gpt-99' (INVALID_SETTINGS)"),
        ({"voice": "me"}, "there is no speak model 'me' (INVALID_SETTINGS)"),
        ({"listen": "ears"}, "there is no listen model 'ears' (INVALID_SETTINGS)"),
    ],
)
def test_a_model_there_is_not(options: dict[str, str], line: str) -> None:
    async def dial() -> VendorError:
        async with twinned(DeepgramAdapter()) as (adapter, _):
            return await refusal(adapter, **options)

    refused = run_real(dial())
    assert isinstance(refused, VendorUnusable)
    expected = f"the platform refused the session: {line}: check the options think, listen and voice"
    assert str(refused) == expected


def test_a_prompt_that_the_platform_would_cut_is_refused() -> None:
    async def dial() -> tuple[str, VendorError]:
        async with twinned(DeepgramAdapter()) as (adapter, twin):
            agent = attrs.evolve(AGENT, prompt="x" * 25_001)
            with pytest.raises(VendorUnusable) as refused:
                await dialled(adapter, agent)
            assert twin.arrived is not None
            return twin.arrived.prompt, refused.value

    prompt, refused = run_real(dial())
    assert prompt == "x" * 25_000
    assert "cuts off prompts as long as this one (25001 characters): use a shorter prompt" in str(refused)


@pytest.mark.parametrize(
    ("code", "unusable"), [("INVALID_SETTINGS", True), ("FAILED_TO_THINK", False), ("", False)]
)
def test_an_error_in_place_of_the_settings(code: str, unusable: bool) -> None:
    async def dial() -> VendorError:
        async with odd_server(error(code, f"no {KEY}\nhere")) as adapter:
            return await refusal(adapter)

    refused = run_real(dial())
    assert isinstance(refused, VendorUnusable) is unusable
    assert str(refused).startswith(f"the platform refused the session: no [key] here ({code}): ")


@pytest.mark.parametrize(
    ("code", "reason", "line", "unusable"),
    [
        (1011, "busy", "did not open the session: the connection was closed with code 1011: busy", False),
        (3000, "", "refused the key (close code 3000): check DEEPGRAM_API_KEY", True),
    ],
)
def test_a_connection_closed_before_the_settings(code: int, reason: str, line: str, unusable: bool) -> None:
    async def dial() -> VendorError:
        async with odd_server({"type": "Welcome", "request_id": "r"}, code=code, reason=reason) as adapter:
            return await refusal(adapter)

    refused = run_real(dial())
    assert line in str(refused)
    assert isinstance(refused, VendorUnusable) is unusable


def test_tls_that_is_none() -> None:
    async def dial() -> VendorError:
        async with odd_server() as adapter:
            plain = adapter.environment["DEEPGRAM_BASE_URL"]
            return await refusal(adapter, base_url=plain.replace("http", "https"))

    refused = run_real(dial())
    assert "can't be reached (SSLError): check the network and base_url" in str(refused)
    assert not isinstance(refused, VendorUnusable)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (error("CLIENT_MESSAGE_TIMEOUT", "too late"), "CLIENT_MESSAGE_TIMEOUT: too late"),
        (
            {"type": "Warning", "code": "PROMPT_TOO_LONG", "description": "cut"},
            f"PROMPT_TOO_LONG: the platform cuts off prompts as long as this one ({len(AGENT.prompt)} "
            "characters): use a shorter prompt, or another platform",
        ),
        ({"type": "FunctionCallRequest", "functions": "none"}, "bad_message: the platform sent what this"),
        ({"type": "ConversationText"}, "bad_message: the platform sent what this adapter can't read"),
        (
            {"type": "FunctionCallRequest", "functions": [{"name": "x", "client_side": True}]},
            "bad_message: the platform sent what this adapter can't read (TypeError: id of ",
        ),
    ],
)
def test_what_ends_a_call(message: dict[str, Any], expected: str) -> None:
    errors, ended = run_real(told(message, stays=True))
    (line,) = errors
    assert line.startswith(expected)
    assert ended.by == "platform"


def test_what_is_only_noted() -> None:
    function = {"id": "a", "name": "get_service_price", "arguments": "{}", "client_side": False}
    messages: Sequence[Any] = (
        "no JSON",
        {"type": "Warning", "code": "SLOW_THINK_REQUEST", "description": f"slow {KEY}"},
        {"type": "FunctionCallRequest", "functions": [function]},
        {"type": "History", "role": "user", "content": "hello"},
        {"type": "MoodUpdated"},
        {"type": "MoodUpdated"},
    )
    errors, ended = run_real(told(*messages))
    assert errors == [
        "bad_message: the platform sent something that is not JSON",
        "SLOW_THINK_REQUEST: slow [key]",
        "server_side_call: the platform called get_service_price by itself",
        "unknown_event: the platform sent 'MoodUpdated', which this adapter does not know",
    ]
    assert (ended.by, ended.reason) == ("platform", "the connection was closed with code 1000")


def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for _ in socket:
            pass
        return socket

    async def dial() -> VendorError:
        async with serving([web.get("/v1/agent/converse", answer)]) as port:
            environment = {"DEEPGRAM_API_KEY": KEY, "DEEPGRAM_BASE_URL": f"http://127.0.0.1:{port}"}
            return await asyncio.wait_for(refusal(DeepgramAdapter(environment=environment)), 10)

    monkeypatch.setattr("offhook_adapters.deepgram.adapter._OPEN_SECONDS", 0.3)
    assert "did not open the session within 0 s: try again later" in str(run_real(dial()))


def test_a_silent_line_is_kept_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("offhook_adapters.deepgram.session._KEEP_ALIVE_SECONDS", 0.05)
    kept_alive = asyncio.Event()

    async def answer(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps({"type": "SettingsApplied"}))
        async for message in socket:
            if message.type is WSMsgType.TEXT and json.loads(message.data) == {"type": "KeepAlive"}:
                kept_alive.set()
        return socket

    async def hold() -> None:
        async with serving([web.get("/v1/agent/converse", answer)]) as port:
            environment = {"DEEPGRAM_API_KEY": KEY, "DEEPGRAM_BASE_URL": f"http://127.0.0.1:{port}"}
            session = await dialled(DeepgramAdapter(environment=environment))
            with contextlib.suppress(TimeoutError):  # no sound is sent all the while
                await asyncio.wait_for(kept_alive.wait(), 5)
            await session.hang_up()

    run_real(hold())
    assert kept_alive.is_set()


@pytest.mark.parametrize("header", [{}, {"dg-error": "no such project"}])
def test_a_long_refusal_is_told_at_once_and_cut(header: dict[str, str]) -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        return web.Response(status=400, text="wrong\n" * 33_000, headers=header)

    async def dial() -> VendorError:
        async with serving([web.get("/v1/agent/converse", answer)]) as port:
            environment = {"DEEPGRAM_API_KEY": KEY, "DEEPGRAM_BASE_URL": f"http://127.0.0.1:{port}"}
            return await asyncio.wait_for(refusal(DeepgramAdapter(environment=environment)), 10)

    refused = run_real(dial())
    assert isinstance(refused, VendorUnusable)
    words = "no such project)" if header else "wrong wrong "
    assert f"answered HTTP 400 ({words}" in str(refused)
    assert str(refused).endswith("): check base_url")
    assert "\n" not in str(refused)
    assert len(str(refused)) < 400
