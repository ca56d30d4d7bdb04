"""A bot that says what no bot should: the call ends and says why."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import numpy as np
import pytest
from pipecat.frames.frames import OutputAudioRawFrame
from pipecat.serializers.protobuf import ProtobufFrameSerializer
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from offhook.audio import FRAME_SAMPLES
from offhook.clock import run_real
from offhook.sessions import Ended, SessionError, SessionEvent
from offhook_adapters.pipecat.process_session import BotSession


def spoken(frame: OutputAudioRawFrame) -> bytes:
    """A frame as it goes over the wire."""
    data = asyncio.run(ProtobufFrameSerializer().serialize(frame))
    assert isinstance(data, bytes)
    return data


def held(message: str | bytes | None, act: Callable[[BotSession], None]) -> list[SessionEvent]:
    """The events of a call with a bot that says one thing and then reads nothing."""

    async def bot(socket: ServerConnection) -> None:
        if message is not None:
            await socket.send(message)
        await socket.wait_closed()

    async def work() -> list[SessionEvent]:
        async def stop() -> None:
            return None

        async def trouble() -> str:
            return ""

        async with serve(bot, "127.0.0.1", 0, close_timeout=0.1) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            socket = await connect(f"ws://127.0.0.1:{port}", close_timeout=0.1)
            session = BotSession(socket, stop, trouble)
            await session.begin()
            act(session)
            events = [event async for event in session.events()]
            await session.hang_up()
            await session.hang_up()
            return events

    return run_real(asyncio.wait_for(work(), 30))


@pytest.mark.parametrize("message", ["text", b"\xff\xff\xff", "half a sample"])
def test_a_message_of_another_shape_ends_the_call(message: str | bytes) -> None:
    if message == "half a sample":
        message = spoken(OutputAudioRawFrame(b"\x00\x01\x02", 16_000, 1))
    events = held(message, lambda session: None)
    error, ended = events[-2:]
    assert isinstance(error, SessionError)
    assert error.code == "bad_message"
    assert error.fatal
    assert "\n" not in error.message
    assert error.message.startswith("the bot sent what this adapter can't read (")
    assert ended == Ended("platform", error.message)


def test_a_bot_that_takes_no_sound_is_given_ten_seconds() -> None:
    def flood(session: BotSession) -> None:
        for _ in range(502):  # all before anything of it can be sent
            session.send_audio(np.zeros(FRAME_SAMPLES, dtype=np.int16))

    error, ended = held(None, flood)[-2:]
    assert isinstance(error, SessionError)
    assert error.code == "not_listening"
    assert ended == Ended("platform", "the bot has taken no audio for 10 s")
