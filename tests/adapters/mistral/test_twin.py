"""Mistral's twin refuses what the vendor would, and what it says can be told apart."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from offhook.platforms import PlatformUnusable
from offhook.testing import run_real
from offhook.twins import RunningTwin
from offhook_adapters.mistral.adapter import MistralAdapter
from tests.adapters._calls import AGENT, dialled, twinned

EARS = "/v1/audio/transcriptions/realtime?model=voxtral-mini-transcribe-realtime-3"
VOICE = "/v1/audio/speech/realtime?model=voxtral-mini-tts-3"


async def _told(twin: RunningTwin, path: str, *messages: dict[str, Any] | str) -> dict[str, Any]:
    """The twin's answer to the last of some messages."""
    address = twin.environment["MISTRAL_BASE_URL"].replace("http", "ws") + path
    async with connect(address, additional_headers={"Authorization": f"Bearer {twin.key}"}) as socket:
        answer = json.loads(await socket.recv())
        for message in messages:
            await socket.send(message if isinstance(message, str) else json.dumps(message))
            answer = json.loads(await socket.recv())
        return dict(answer)


@pytest.mark.parametrize(
    ("path", "message", "told"),
    [
        (EARS, "{", "not JSON"),
        (EARS, {"type": "input_audio.shout"}, "there is no event 'input_audio.shout'"),
        (EARS, {"type": "input_audio.flush", "now": True}, "now: extra inputs are not permitted"),
        (EARS, {"type": "input_audio.append", "audio": "***"}, "not base64"),
        (EARS, {"type": "input_audio.append"}, "audio: Field required"),
        (EARS, {"type": "session.update", "session": {"tempo": 1}}, "session.tempo: extra inputs"),
        (VOICE, {"type": "input_text.append", "text": 4}, "text: Input should be a valid string"),
        (VOICE, {"type": "session.update", "session": {"response_format": "mp3"}}, "this twin speaks pcm"),
    ],
)
def test_a_message_the_vendor_would_not_take_is_refused(path: str, message: Any, told: str) -> None:
    async def work() -> None:
        async with twinned(MistralAdapter()) as (_, twin):
            answer = await _told(twin, path, message)
            assert answer["type"] == "error"
            assert told in answer["error"]["message"]

    run_real(work())


def test_settings_are_fixed_once_there_was_sound() -> None:
    async def work() -> None:
        async with twinned(MistralAdapter()) as (_, twin):
            update = {"type": "session.update", "session": {"language": "en"}}
            assert (await _told(twin, EARS, update))["type"] == "session.updated"
            address = twin.environment["MISTRAL_BASE_URL"].replace("http", "ws") + EARS
            async with connect(address, additional_headers={"Authorization": f"Bearer {twin.key}"}) as socket:
                await socket.recv()
                await socket.send(json.dumps({"type": "input_audio.append", "audio": "AAAA" * 160}))
                await socket.send(json.dumps(update))
                answer = json.loads(await socket.recv())
                assert "cannot be changed after audio has started" in answer["error"]["message"]

    run_real(work())


def test_nobody_comes_in_without_the_key() -> None:
    async def work() -> None:
        async with twinned(MistralAdapter()) as (_, twin):
            base = twin.environment["MISTRAL_BASE_URL"]
            for path in (EARS, VOICE):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(base.replace("http", "ws") + path)
                assert refused.value.response.status_code == 401
            async with httpx.AsyncClient() as client:
                assert (await client.post(f"{base}/v1/chat/completions", json={})).status_code == 401
                right = {"Authorization": f"Bearer {twin.key}"}
                body = {"model": "mistral-medium-3.5", "messages": [], "mood": "fine"}
                answer = await client.post(f"{base}/v1/chat/completions", json=body, headers=right)
                assert answer.status_code == 422
                assert "mood" in answer.json()["message"]

    run_real(work())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"model": "mistral-tiny-9"}, "there is no model 'mistral-tiny-9' at "),
        ({"hearing_model": "whisper-9"}, "Invalid model: whisper-9"),
        ({"hearing_model": "voxtral-mini-transcribe-realtime-2602"}, "has no turn detection"),
        ({"speech_model": "parrot-1"}, "Invalid model: parrot-1"),
        ({"voice": "nobody"}, "(Voice nobody not found): check the options"),
    ],
)
def test_a_model_there_is_not_stops_the_run(options: dict[str, str], told: str) -> None:
    async def work() -> None:
        async with twinned(MistralAdapter()) as (adapter, _):
            with pytest.raises(PlatformUnusable) as refused:
                await dialled(adapter, AGENT, **options)
            assert told in str(refused.value)
            assert "check" in str(refused.value) or "choose" in str(refused.value)

    run_real(work())
