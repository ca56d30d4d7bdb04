"""What a session makes of events that the twin has no reason to send."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from offhook.clock import run_real
from offhook.sessions import (
    AgentAudio,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    SessionError,
    SessionEvent,
    UserTranscript,
)
from offhook_adapters.elevenlabs._record import Account, fetch_account
from offhook_adapters.elevenlabs._rest import Rest
from offhook_adapters.elevenlabs.adapter import dial
from offhook_adapters.elevenlabs.config import ElevenLabsSettings
from offhook_adapters.elevenlabs.session import ElevenLabsSession
from offhook_adapters.twins.server import serving
from offhook_adapters.wires.vendor import VendorError

KEY = "xi-made-up-0123456789abcdef"
SIGNATURE = "cvtkn-made-up-0123456789"
BYE = (1000, "Client ended the call")


def metadata(out: str = "pcm_24000", into: str = "pcm_16000") -> dict[str, Any]:
    told = {"conversation_id": "conv_1", "agent_output_audio_format": out, "user_input_audio_format": into}
    return {"type": "conversation_initiation_metadata", "conversation_initiation_metadata_event": told}


def audio(event_id: int, pcm: bytes) -> dict[str, Any]:
    chunk = {"audio_base_64": base64.b64encode(pcm).decode(), "event_id": event_id}
    return {"type": "audio", "audio_event": chunk}


@asynccontextmanager
async def dialled(
    says: Sequence[Any], close: tuple[int, str] | None = BYE, patience: float = 15.0, *, greets: bool = False
) -> AsyncIterator[ElevenLabsSession]:
    """A session with a server that says these things, and closes unless ``close`` is None."""

    async def answer(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.receive_json()
        for event in says:
            await socket.send_str(event if isinstance(event, str) else json.dumps(event))
        if close is not None:
            await socket.close(code=close[0], message=close[1].encode())
        async for _ in socket:
            pass
        return socket

    async with serving([web.get("/v1/convai/conversation", answer)]) as port:
        url = f"ws://127.0.0.1:{port}/v1/convai/conversation?agent_id=a&conversation_signature={SIGNATURE}"
        rest = Rest(f"http://127.0.0.1:{port}", KEY)
        session = await dial(url, rest, ElevenLabsSettings(), greets=greets, patience=patience)
        try:
            yield session
        finally:
            await session.hang_up()


async def _missing(request: web.Request) -> web.StreamResponse:
    return web.json_response({"detail": {"status": "x", "message": "not there yet"}}, status=404)


def told(*says: Any, close: tuple[int, str] = BYE) -> list[SessionEvent]:
    async def talk() -> list[SessionEvent]:
        async with dialled([metadata(), *says], close) as session:
            return [event async for event in session.events()]

    return run_real(asyncio.wait_for(talk(), 20))


def test_sound_of_an_interrupted_response_that_is_late_is_not_played() -> None:
    events = told(
        audio(1, b"\x01\x00"),
        {"type": "interruption", "interruption_event": {"event_id": 2}},
        audio(2, b"\x02\x00"),
        audio(3, b"\x03\x00"),
    )
    kept = [each for each in events if isinstance(each, AgentAudio | Clear)]
    assert [each.samples.tolist() if isinstance(each, AgentAudio) else "clear" for each in kept] == [
        [1],
        "clear",
        [3],
    ]


def test_half_a_sample_waits_for_its_other_half_and_bad_audio_is_left_out() -> None:
    bad = {"type": "audio", "audio_event": {"audio_base_64": "***", "event_id": 1}}
    events = told(audio(1, b"\x01"), bad, audio(1, b"\x02\x03\x04"))
    assert [each.samples.tolist() for each in events if isinstance(each, AgentAudio)] == [[0x0201, 0x0403]]
    assert [each.code for each in events if isinstance(each, SessionError)] == ["bad_audio"]


def test_what_is_not_known_or_went_wrong_is_noted() -> None:
    events = told(
        {"type": "mood"},
        {"type": "mood"},
        {"type": "vad_score", "vad_score_event": {"vad_score": 0.5}},
        {"type": "client_error", "error_event": {"code": 1011, "message": f"no voice for {KEY}"}},
        "[]",
        {"type": "user_transcript", "user_transcription_event": {"user_transcript": " Hi. "}},
    )
    noted = [(each.code, each.message) for each in events if isinstance(each, SessionError)]
    assert noted == [
        ("unknown_event", "the platform sent 'mood', which this adapter does not know"),
        ("client_error", "no voice for [key]"),
        ("bad_message", "the platform sent something that is not JSON"),
    ]
    assert [each.text for each in events if isinstance(each, UserTranscript)] == ["Hi."]
    assert events[-1] == Ended("platform", "the connection was closed with code 1000: Client ended the call")


def test_an_event_of_another_shape_ends_the_call_and_says_so() -> None:
    events = told({"type": "audio", "audio": "moved"})
    assert [(each.code, each.fatal) for each in events if isinstance(each, SessionError)] == [
        ("bad_message", True)
    ]


def test_a_greeting_that_does_not_come_is_noted() -> None:
    ping = {"type": "ping", "ping_event": {"event_id": 1, "ping_ms": 5}}

    async def talk() -> list[str]:
        async with dialled([metadata(), ping], None, patience=0.3, greets=True) as session:
            async for event in session.events():
                if isinstance(event, SessionError):
                    return [event.code]
        return []

    assert run_real(asyncio.wait_for(talk(), 20)) == ["stalled"]


@pytest.mark.parametrize(
    ("says", "close", "message"),
    [
        ([metadata(out="ulaw_8000")], None, "set its audio formats to PCM"),
        ([{"type": "conversation_initiation_metadata"}], None, "can't read"),
        ([{"type": "client_error", "error_event": {"message": "agent is gone"}}], None, "agent is gone"),
        ([], (1008, f"no entry with {SIGNATURE}"), r"closed with code 1008: no entry with \[key\]"),
        ([], (1002, "This request exceeds your quota limit."), "check the plan and billing"),
    ],
)
def test_a_conversation_that_does_not_begin_says_why(says: Any, close: Any, message: str) -> None:
    async def talk() -> None:
        async with dialled(says, close):
            pass

    with pytest.raises(VendorError, match=message):
        run_real(asyncio.wait_for(talk(), 20))


def test_a_record_that_is_not_finished_in_time_is_what_was_told() -> None:
    async def talk() -> Account:
        async with serving([web.get("/{path:.*}", _missing)]) as port:
            record = PlatformRecord(("caller: Hi.",), (), {"conversation": "conv_1"})
            rest = Rest(f"http://127.0.0.1:{port}", KEY)
            return await fetch_account(rest, "conv_1", record, patience=0.5)

    account = run_real(asyncio.wait_for(talk(), 20))
    assert account.record.transcript == ("caller: Hi.",)
    unfinished = "the platform had not finished with it after 0.5 s (status missing)"
    assert account.record.raw == {"conversation": "conv_1", "unfinished": unfinished}
    assert account.cost == Cost()
