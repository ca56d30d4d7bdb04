"""The conversation's wire: what the twin does not take, and what the vendor's own client makes of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np
import pytest
from elevenlabs.client import ElevenLabs
from elevenlabs.conversational_ai.conversation import AsyncAudioInterface, AsyncConversation, ClientTools
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from offhook.audio import LINE_RATE, Resampler
from offhook.clock import run_real
from offhook.speech import SpeechStyle
from offhook.testing import FakeVoice
from offhook.twins import RunningTwin, ScriptDesk
from offhook_adapters.elevenlabs.adapter import ElevenLabsAdapter
from tests.adapters._calls import AGENT, twinned

LONG = "Hello, this is the repair desk, and I can tell you every price there is."
BEGIN = {"type": "conversation_initiation_client_data"}


async def signed(adapter: ElevenLabsAdapter, twin: RunningTwin) -> str:
    deployment = await adapter.deploy(AGENT)
    client = ElevenLabs(api_key=twin.key, base_url=adapter.environment["ELEVENLABS_BASE_URL"])
    told = await asyncio.to_thread(
        client.conversational_ai.conversations.get_signed_url, agent_id=deployment.reference
    )
    return str(told.signed_url)


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        (["{"], "not JSON"),
        ([{"hello": 1}], "neither a typed message nor a chunk of audio"),
        ([{"type": "hello"}], "there is no message 'hello'"),
        ([{**BEGIN, "mood": 1}], "extra fields not permitted"),
        ([BEGIN, BEGIN], "the conversation has begun"),
        ([BEGIN, {"user_audio_chunk": "AAA"}], "not base64"),
        ([BEGIN, {"type": "pong", "event_id": "1"}], "pong has event_id"),
        ([BEGIN, {"type": "user_message", "text": "Hi"}], "takes no user_message"),
        (
            [BEGIN, {"type": "client_tool_result", "tool_call_id": "x", "result": "", "is_error": False}],
            "no call 'x'",
        ),
    ],
)
def test_a_bad_message_ends_the_conversation(messages: list[Any], reason: str) -> None:
    async def talk() -> None:
        async with (
            twinned(ElevenLabsAdapter()) as (adapter, twin),
            connect(await signed(adapter, twin)) as socket,
        ):
            for message in messages:
                await socket.send(message if isinstance(message, str) else json.dumps(message))
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await socket.recv()
            assert socket.close_code == 1008
            assert reason in str(socket.close_reason)

    run_real(asyncio.wait_for(talk(), 20))


def test_a_signed_url_opens_one_conversation() -> None:
    async def talk() -> None:
        async with twinned(ElevenLabsAdapter()) as (adapter, twin):
            url = await signed(adapter, twin)
            async with connect(url):
                pass
            for wrong in (url, url.partition("&")[0]):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(wrong)
                assert refused.value.response.status_code == 403

    run_real(asyncio.wait_for(talk(), 20))


class Line(AsyncAudioInterface):
    """Takes what the agent says, and says what it is told to."""

    def __init__(self) -> None:
        self.heard = bytearray()
        self.interrupted = 0
        self.send: Callable[[bytes], Awaitable[None]] | None = None
        self.started = asyncio.Event()

    async def start(self, input_callback: Callable[[bytes], Awaitable[None]]) -> None:
        self.send = input_callback
        self.started.set()

    async def stop(self) -> None:
        self.send = None

    async def output(self, audio: bytes) -> None:
        self.heard += audio

    async def interrupt(self) -> None:
        self.interrupted += 1


def test_the_vendors_own_client_holds_a_conversation_with_the_twin() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.say(LONG)
        heard = await desk.listen()
        answer = await desk.call("get_service_price", {"service": "wheel"})
        await desk.say(f"{heard.text if heard else ''} {answer.body['price']}.")
        await desk.listen()

    async def talk() -> None:
        said: list[str] = []
        heard: list[str] = []
        greeted, answered = asyncio.Event(), asyncio.Event()
        tools, line = ClientTools(loop=asyncio.get_running_loop()), Line()
        tools.register("get_service_price", lambda told: json.dumps({"price": told["service"]}))
        async with twinned(ElevenLabsAdapter(), script) as (adapter, twin):
            deployment = await adapter.deploy(AGENT)

            async def keep_said(text: str) -> None:
                said.append(text)
                (answered if len(said) == 2 else greeted).set()

            async def keep_heard(text: str) -> None:
                heard.append(text)

            client = ElevenLabs(api_key=twin.key, base_url=adapter.environment["ELEVENLABS_BASE_URL"])
            conversation = AsyncConversation(
                client,
                deployment.reference,
                requires_auth=True,
                audio_interface=line,
                client_tools=tools,
                callback_agent_response=keep_said,
                callback_user_transcript=keep_heard,
            )
            await conversation.start_session()  # type: ignore[no-untyped-call]
            await asyncio.wait_for(line.started.wait(), 10)
            await asyncio.wait_for(greeted.wait(), 10)
            words = FakeVoice().speak("Wheel price.", SpeechStyle()).samples
            silence = np.zeros(LINE_RATE, dtype=np.int16)
            sound = Resampler(LINE_RATE, 16_000).push(np.concatenate((words, silence)))
            for start in range(0, len(sound), 320):
                assert line.send is not None
                await line.send(sound[start : start + 320].astype("<i2").tobytes())
                await asyncio.sleep(0.02)
            await asyncio.wait_for(answered.wait(), 10)
            await conversation.end_session()  # type: ignore[no-untyped-call]
            kinds = [event["type"] for event in twin.sent]
        assert said[0] == LONG
        assert said[1] == "Wheel price. wheel."
        assert heard == ["Wheel price."]
        assert len(line.heard) > 24_000  # half a second
        assert {"client_tool_call", "interruption"} <= set(kinds)
        assert line.interrupted

    run_real(asyncio.wait_for(talk(), 40))
