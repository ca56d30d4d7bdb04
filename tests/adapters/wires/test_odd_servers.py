"""Servers that are no vendor's: every adapter says so in one line, soon, and without its key."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from aiohttp import web

from offhook.clock import run_real
from offhook_adapters.deepgram.adapter import DeepgramAdapter
from offhook_adapters.gpt_live.adapter import GptLiveAdapter
from offhook_adapters.gradium.adapter import GradiumAdapter
from offhook_adapters.huggingface.adapter import HuggingFaceAdapter
from offhook_adapters.mistral._trouble import not_connected
from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter
from offhook_adapters.twins.server import serving
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from offhook_adapters.xai.adapter import XaiAdapter
from tests.adapters._calls import dialled

KEY = "a-key-of-no-known-shape"
DEEP = '{"type": "x", "y": ' + "[" * 100_000 + "]" * 100_000 + "}"
SESSION = '{"type": "session.created"}', '{"type": "session.updated", "session": 5}'
VENDORS: Mapping[type[Any], tuple[str, str]] = {
    DeepgramAdapter: ("DEEPGRAM", ""),
    GptLiveAdapter: ("OPENAI", "/v1"),
    HuggingFaceAdapter: ("HF", ""),
    OpenAIRealtimeAdapter: ("OPENAI", "/v1"),
    XaiAdapter: ("XAI", "/v1"),
}


def refused(vendor: type[Any], messages: Sequence[str | bytes], answer: str = '{"data": []}') -> VendorError:
    """What the adapter says to a server that takes every WebSocket, sends these messages, and gives every
    request the same answer.
    """

    async def serve(request: web.Request) -> web.StreamResponse:
        if "Upgrade" not in request.headers:
            return web.Response(text=answer, content_type="application/json")
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        for message in messages:
            await (socket.send_bytes(message) if isinstance(message, bytes) else socket.send_str(message))
        async for _ in socket:
            pass
        return socket

    async def dial() -> VendorError:
        async with serving([web.route("*", "/{path:.*}", serve)]) as port:
            with pytest.raises(VendorError) as told:
                await dialled(vendor(environment=_environment(vendor, f"http://127.0.0.1:{port}")))
            return told.value

    error = run_real(asyncio.wait_for(dial(), 60))
    assert "\n" not in str(error)
    assert KEY not in str(error)
    return error


def _environment(vendor: type[Any], url: str) -> dict[str, str]:
    if vendor is GradiumAdapter:
        chat = {"GRADIUM_LLM_API_KEY": KEY, "GRADIUM_LLM_BASE_URL": f"{url}/v1"}
        return {"GRADIUM_API_KEY": KEY, "GRADIUM_BASE_URL": f"{url}/api", **chat}
    name, path = VENDORS[vendor]
    key = "HF_TOKEN" if name == "HF" else f"{name}_API_KEY"
    return {key: KEY, f"{name}_BASE_URL": url + path}


@pytest.mark.parametrize("vendor", [DeepgramAdapter, GptLiveAdapter, OpenAIRealtimeAdapter, XaiAdapter])
@pytest.mark.parametrize("message", [f"nonsense {KEY}", DEEP])
def test_what_is_no_message_of_the_vendors(vendor: type[Any], message: str) -> None:
    line = str(refused(vendor, [message]))
    assert " began with what this adapter can't read (" in line
    assert line.endswith("): check the server's address, and whether there is a newer offhook")


@pytest.mark.parametrize(
    ("vendor", "messages"),
    [
        (OpenAIRealtimeAdapter, SESSION),
        (GptLiveAdapter, ['{"type": "session.started", "session": null}']),
        (GptLiveAdapter, ["[]"]),
        (OpenAIRealtimeAdapter, [b"\x00\xff\x80"]),
    ],
)
def test_an_event_of_another_shape(vendor: type[Any], messages: Sequence[str | bytes]) -> None:
    assert " began with what this adapter can't read (" in str(refused(vendor, messages))


@pytest.mark.parametrize("vendor", [OpenAIRealtimeAdapter, XaiAdapter, GptLiveAdapter])
def test_an_error_without_words(vendor: type[Any]) -> None:
    error = refused(vendor, ['{"type": "error"}'])
    assert str(error) == "the platform refused the session: no reason was given: try again later"


@pytest.mark.parametrize("payload", [{"type": "error"}, None])
def test_an_error_of_mistrals_without_words(payload: object) -> None:
    error = OSError("no session")
    if payload is not None:
        error.payload = payload  # type: ignore[attr-defined]
    told = not_connected(error, "host", KEY, check="the options")
    words = "did not open the session (None: None): try again later"
    expected = "can't be reached (OSError): check the network and base_url" if payload is None else words
    assert str(told) == f"host {expected}"
    assert not isinstance(told, VendorUnusable)


@pytest.mark.parametrize("message", [f"nonsense {KEY}", DEEP])
def test_gradiums_lines(message: str) -> None:
    error = refused(GradiumAdapter, [message])
    assert "sent what this adapter can't read: try again later" in str(error)


def test_a_list_of_models_that_is_none() -> None:
    error = refused(HuggingFaceAdapter, [], "[" * 100_000)
    assert isinstance(error, VendorUnusable)
    assert "did not answer with a list of models (RecursionError): check base_url" in str(error)
