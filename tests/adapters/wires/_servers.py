"""Sessions of every wire-based vendor on a server that opens them and then does what a test wants."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from types import MappingProxyType
from typing import Any

from aiohttp import web
from websockets.asyncio.client import connect

from offhook.sessions import Session
from offhook_adapters.deepgram.adapter import DeepgramAdapter
from offhook_adapters.elevenlabs._rest import Rest
from offhook_adapters.elevenlabs.adapter import dial
from offhook_adapters.elevenlabs.config import ElevenLabsSettings
from offhook_adapters.gemini.adapter import GeminiLiveAdapter
from offhook_adapters.gpt_live.adapter import GptLiveAdapter
from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter
from offhook_adapters.twins.server import serving
from offhook_adapters.twins.tls import loopback_tls
from offhook_adapters.vapi.rest import OpenedCall, VapiRest
from offhook_adapters.vapi.session import VapiSession
from offhook_adapters.wires.sockets import LARGEST
from offhook_adapters.xai.adapter import XaiAdapter
from tests.adapters._calls import dialled

KEY = "a-key-of-no-known-shape"
VENDORS = ("deepgram", "elevenlabs", "gemini-live", "gpt-live", "openai-realtime", "vapi", "xai")
Act = Callable[[web.Request, web.WebSocketResponse], Awaitable[None]]

_FORMATS = {"agent_output_audio_format": "pcm_24000", "user_input_audio_format": "pcm_16000"}
_REALTIME = (
    {"type": "session.created", "session": {"id": "s"}},
    {"type": "session.updated", "session": {"id": "s", "instructions": "x", "tools": []}},
)
_OPENINGS: Mapping[str, tuple[Mapping[str, Any], ...]] = MappingProxyType(
    {
        "deepgram": ({"type": "Welcome", "request_id": "r"}, {"type": "SettingsApplied"}),
        "elevenlabs": (
            {
                "type": "conversation_initiation_metadata",
                "conversation_initiation_metadata_event": {"conversation_id": "c", **_FORMATS},
            },
        ),
        "gemini-live": ({"setupComplete": {}},),
        "gpt-live": ({"type": "session.started", "session": {"id": "s", "instructions": "x"}},),
        "openai-realtime": _REALTIME,
        "vapi": (),
        "xai": _REALTIME,
    }
)


@asynccontextmanager
async def opened(vendor: str, act: Act) -> AsyncIterator[Session]:
    """A session of that vendor's adapter, with a server that ``act``s once it is open."""

    async def answer(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        for message in _OPENINGS[vendor]:
            await socket.send_str(json.dumps(message))
        await act(request, socket)
        return socket

    async with AsyncExitStack() as ends:
        tls = ends.enter_context(loopback_tls()) if vendor == "gemini-live" else None
        context = None if tls is None else tls.context
        routes = [web.get("/{path:.*}", answer)]
        port = await ends.enter_async_context(serving(routes, tls=context))
        place = f"127.0.0.1:{port}"
        if vendor == "vapi":
            yield await _vapi(place)
        elif vendor == "elevenlabs":
            rest = Rest(f"http://{place}", KEY)
            yield await dial(f"ws://{place}/x", rest, ElevenLabsSettings(), greets=True, patience=15.0)
        elif tls is not None:
            environment = {
                "GEMINI_API_KEY": KEY,
                "GOOGLE_GEMINI_BASE_URL": f"https://{place}",
                "SSL_CERT_FILE": str(tls.ca_file),
            }
            yield await dialled(GeminiLiveAdapter(environment=environment))
        else:
            yield await dialled(_PLAIN[vendor](f"http://{place}"))


async def _vapi(place: str) -> VapiSession:
    socket = await connect(f"ws://{place}/x", max_size=LARGEST)
    call = OpenedCall("c", "")
    rest = VapiRest(KEY, f"http://{place}")
    return VapiSession(socket, call, rest, secrets=(KEY,), greets=True, patience=15.0)


def _plain(kind: type[Any], name: str, path: str, url: str) -> Any:
    return kind(environment={f"{name}_API_KEY": KEY, f"{name}_BASE_URL": url + path})


_PLAIN: Mapping[str, Callable[[str], Any]] = MappingProxyType(
    {
        "deepgram": partial(_plain, DeepgramAdapter, "DEEPGRAM", ""),
        "gpt-live": partial(_plain, GptLiveAdapter, "OPENAI", "/v1"),
        "openai-realtime": partial(_plain, OpenAIRealtimeAdapter, "OPENAI", "/v1"),
        "xai": partial(_plain, XaiAdapter, "XAI", "/v1"),
    }
)
