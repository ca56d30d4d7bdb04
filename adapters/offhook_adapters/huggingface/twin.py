"""A local server that answers as Hugging Face's router does: chat, speech to text, text to speech."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import web

from offhook.audio import LINE_RATE, Clip
from offhook.speech import ListenerHint
from offhook.twins import Behind
from offhook.values import ValueKind
from offhook_adapters.cascade.twin_chat import ChatRoutes, openai_refusal, turned_away
from offhook_adapters.cascade.twin_parts import House, house_behind
from offhook_adapters.huggingface.config import HUGGINGFACE, catalogue
from offhook_adapters.huggingface.speech import read_sound
from offhook_adapters.reference.speech import prompt_for
from offhook_adapters.twins.pipe import PIECE_SECONDS
from offhook_adapters.twins.served import ServedTwin
from offhook_adapters.twins.server import refusal, serving

__all__ = ["huggingface_twin"]

_HINT: Final = ListenerHint(beam=5, prompt=prompt_for((ValueKind.NAME, ValueKind.PHONE)))
_SPEECH: Final = frozenset({"input", "model", "voice", "response_format", "instructions", "speed"})
_SPEECH_HUB: Final = frozenset({"inputs", "parameters"})


@asynccontextmanager
async def huggingface_twin(behind: Behind, port: int = 0) -> AsyncIterator[ServedTwin]:
    """The twin on a port of 127.0.0.1; 0 takes a free one.

    Raises:
        MindError: the mind behind it can't be made.
        OSError: the port is taken.
    """
    house = house_behind(behind)
    routes = _Routes(house)
    published = catalogue()
    chat = ChatRoutes(house, (published.default_chat,), routes.turned_away)
    listed = [
        web.post("/v1/chat/completions", chat.complete),
        web.get("/v1/models", chat.list_models),
        web.post(f"/hf-inference/models/{published.default_hearing}", routes.hear),
        web.post(f"/hf-inference/models/{published.default_speech}", routes.speak_hub),
        web.post("/deepinfra/v1/openai/audio/speech", routes.speak),
        web.route("*", "/{path:.*}", routes.lost),
    ]
    async with serving(listed, port=port) as taken:
        environment = {HUGGINGFACE.key: house.key, HUGGINGFACE.url: f"http://127.0.0.1:{taken}"}
        yield ServedTwin(house.key, environment, house.log, house.failures)


class _Routes:
    """What the server answers to whom."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._hearing_rng = house.behind.call.rng("hearing")
        self._speaking_rng = house.behind.call.rng("speaking")

    def turned_away(self, request: web.Request) -> web.Response | None:
        given = request.headers.get("Authorization", "")
        return turned_away(self._house.faults, given, f"Bearer {self._house.key}", openai_refusal)

    async def hear(self, request: web.Request) -> web.StreamResponse:
        if (refused := self.turned_away(request)) is not None:
            return refused
        kind = request.headers.get("Content-Type", "")
        if not kind.startswith("audio/"):
            return _refused(400, f"Content type {kind!r} not supported: send audio")
        raw = await request.read()
        self._house.log.received.append({"type": "automatic-speech-recognition", "bytes": len(raw)})
        try:
            sound = read_sound(raw)
        except (RuntimeError, ValueError):
            return _refused(400, "Malformed soundfile")
        began = asyncio.get_running_loop().time()
        clip = Clip(sound.samples, sound.rate)
        text = await self._house.heard(self._house.engines.careful_ears.hear, clip, _HINT)
        await self._pause(began, float(self._hearing_rng.uniform(0.15, 0.25)))
        self._house.log.sent.append({"text": text})
        return web.json_response({"text": text})

    async def speak(self, request: web.Request) -> web.StreamResponse:
        """As OpenAI's speech API."""
        if (refused := self.turned_away(request)) is not None:
            return refused
        body = await _object(request)
        self._house.log.received.append({"type": "speech", **body})
        if unknown := sorted(set(body) - _SPEECH):
            return openai_refusal(422, "invalid_request_error", f"extra fields not permitted: {unknown[0]}")
        published = catalogue()
        if body.get("model") != published.default_speech:
            return openai_refusal(404, "model_not_found", f"there is no model {body.get('model')!r}")
        if body.get("voice") != published.default_voice:
            return openai_refusal(422, "invalid_request_error", f"there is no voice {body.get('voice')!r}")
        if not isinstance(body.get("input"), str) or body.get("response_format") not in ("wav", "flac"):
            return openai_refusal(
                422, "invalid_request_error", "input must be text, response_format wav or flac"
            )
        return await self._sound(request, body["input"], body["response_format"])

    async def speak_hub(self, request: web.Request) -> web.StreamResponse:
        """As hf-inference and Inference Endpoints."""
        if (refused := self.turned_away(request)) is not None:
            return refused
        body = await _object(request)
        self._house.log.received.append({"type": "text-to-speech", **body})
        if unknown := sorted(set(body) - _SPEECH_HUB):
            return _refused(422, f"extra fields not permitted: {unknown[0]}")
        if not isinstance(body.get("inputs"), str):
            return _refused(422, "inputs must be text")
        return await self._sound(request, body["inputs"], "flac")

    async def lost(self, request: web.Request) -> web.StreamResponse:
        return self.turned_away(request) or _refused(404, "Model not found")

    async def _sound(self, request: web.Request, text: str, kind: str) -> web.StreamResponse:
        began = asyncio.get_running_loop().time()
        clip = await self._house.spoken(text)
        if clip is None:
            return _refused(500, "the voice is missing")
        await self._pause(began, float(self._speaking_rng.uniform(0.1, 0.2)))
        raw = await asyncio.to_thread(_written, clip.at_rate(LINE_RATE), kind)
        self._house.log.sent.append({"speech": text, "seconds": round(clip.seconds, 3)})
        faults, count = self._house.faults, self._house.count
        count.pieces += clip.seconds / PIECE_SECONDS
        if faults.stall_after is not None and count.pieces > faults.stall_after:
            await asyncio.get_running_loop().create_future()  # until the client is gone
        response = web.StreamResponse(
            headers={"Content-Type": f"audio/{kind}", "Content-Length": str(len(raw))}
        )
        await response.prepare(request)
        if faults.cut_after is not None and count.pieces > faults.cut_after:
            await response.write(raw[: len(raw) // 2])
            if request.transport is not None:
                request.transport.abort()
            return response
        await response.write(raw)
        await response.write_eof()
        return response

    async def _pause(self, began: float, seconds: float) -> None:
        due = began + seconds + self._house.faults.burst
        await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))


async def _object(request: web.Request) -> Mapping[str, Any]:
    try:
        body = json.loads(await request.read())
    except ValueError:
        body = None
    return body if isinstance(body, dict) else {}


def _written(clip: Clip, kind: str) -> bytes:
    import soundfile

    file = io.BytesIO()
    soundfile.write(file, clip.samples, clip.rate, format=kind.upper(), subtype="PCM_16")
    return file.getvalue()


def _refused(status: int, message: str) -> web.Response:
    return refusal(status, {"error": message})
