"""Gradium's turns, and sessions that take over from one another without losing a word."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest
from aiohttp import web
from gradium.client import GradiumClient  # type: ignore[import-untyped]

from offhook.audio import FRAME_SECONDS, Clip, frames_of
from offhook.clock import deadline_ticker
from offhook.speech import SpeechStyle
from offhook.testing import FakeVoice, concat, gap, run_real
from offhook.twins import Behind
from offhook_adapters.cascade.parts import PartFailed
from offhook_adapters.gradium.config import hearing_setup, settings_from
from offhook_adapters.gradium.ears import GradiumEars, Rotation
from offhook_adapters.gradium.line import Line, open_line
from offhook_adapters.gradium.turns import Turn, TurnSignal, inactivity
from offhook_adapters.gradium.twin import gradium_twin
from offhook_adapters.twins.server import serving
from offhook_adapters.wires.stream import CallStream
from tests.adapters._calls import call_setup, greets

SPEED = 5
LONGEST = 6.0


def test_a_turn_begins_insists_and_ends() -> None:
    signal = TurnSignal()
    assert [signal.push(p) for p in (0.1, 0.1)] == [None, None]  # nobody was silent before
    assert [signal.push(p) for p in (0.9, 0.2, 0.1, 0.1, 0.1, 0.6)] == [
        None,
        Turn.BEGAN,
        None,
        Turn.INSISTS,
        None,
        Turn.ENDED,
    ]
    assert signal.open
    assert [signal.push(p) for p in (0.1, 0.9)] == [None, None]  # until the words are there
    signal.flushed()
    assert not signal.open
    assert [signal.push(0.1) for _ in range(9)] == [None] * 8 + [Turn.BEGAN]


def test_the_longest_horizon_is_watched() -> None:
    vad = [{"inactivity_prob": value} for value in (0.1, 0.2, 0.7, 0.9)]
    assert inactivity({"type": "step", "vad": vad}) == 0.7
    with pytest.raises(LookupError):
        inactivity({"type": "step", "vad": []})


class _Listener:
    def __init__(self) -> None:
        self.words: list[str] = []
        self.edges: list[str] = []

    def caller_began(self) -> None:
        self.edges.append("began")

    def caller_insists(self) -> None:
        self.edges.append("insists")

    def caller_stopped(self) -> None:
        self.edges.append("stopped")

    def caller_said(self, text: str) -> None:
        self.words.append(text)


async def _heard(sound: Clip, turns: int, *, renewed: float = LONGEST) -> tuple[_Listener, GradiumEars, int]:
    """What is heard of a sound at some times its pace; the twin's sessions last ``LONGEST`` seconds, and are
    renewed for sessions of ``renewed``.
    """
    async with gradium_twin(Behind(call_setup(), greets), session_seconds=LONGEST) as twin:
        settings = settings_from({}, twin.environment)
        client = GradiumClient(base_url=settings.base_url, api_key=twin.key)

        async def nothing() -> None:
            return None

        async with aiohttp.ClientSession(headers=client.headers) as http:

            async def again() -> Line:
                return await open_line(
                    client,
                    http,
                    "speech/asr",
                    hearing_setup(settings),
                    part="speech-to-text",
                    where="HOST",
                    key=twin.key,
                )

            listener = _Listener()
            stream = CallStream((), nothing, patience=15)
            ears = GradiumEars(await again(), again, Rotation.within(renewed), stream)
            running = asyncio.ensure_future(ears.run(listener))
            try:
                for frame in frames_of(sound):
                    assert ears.hear(frame)
                    await asyncio.sleep(FRAME_SECONDS / SPEED)
                async with asyncio.timeout(10):
                    async for _ in deadline_ticker(0.01):
                        if len(listener.words) >= turns or running.done():
                            break
                if running.done():
                    running.result()
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
                await ears.close()
                await stream.hang_up()
        setups = [message for message in twin.received if message.get("type") == "setup"]
        assert all(message["input_format"] == "pcm_24000" for message in setups)
        return listener, ears, len(setups)


def test_no_word_is_lost_when_a_session_takes_over() -> None:
    said = [f"This is sentence {word}." for word in ("one", "two", "three", "four")]
    parts = [part for text in said for part in (gap(2.5), FakeVoice().speak(text, SpeechStyle()))]
    listener, ears, setups = run_real(_heard(concat(*parts, gap(2.5)), len(said)))
    assert listener.words == said
    assert listener.edges.count("began") == len(said)
    assert ears.rotations >= 2
    assert setups >= 3


def test_a_session_that_is_not_replaced_ends_the_call() -> None:
    with pytest.raises(PartFailed, match="the session has reached its longest"):
        run_real(_heard(gap(LONGEST + 3), 1, renewed=1000.0))


def test_a_long_turn_goes_on_in_the_next_session() -> None:
    voice = FakeVoice()
    turn = concat(*(voice.speak("and another wheel, please", SpeechStyle()) for _ in range(4)))
    sound = concat(gap(2.0), turn, gap(3.0))
    assert turn.seconds > LONGEST - 2.0  # it spans the moment of the change
    listener, ears, _ = run_real(_heard(sound, 1))
    assert ears.rotations >= 1
    assert listener.edges.count("began") == listener.edges.count("stopped") == 1
    assert "and another wheel, please" in listener.words[0]


@pytest.mark.parametrize(
    "text", ["nonsense", "[]", '{"type": 5}', '{"type": "step", "vad": ' + "[" * 100_000]
)
def test_a_message_that_can_not_be_read_ends_the_ears(text: str) -> None:
    """Without that the call would stay open with nobody listening."""

    async def listen() -> PartFailed:
        async def answer(request: web.Request) -> web.StreamResponse:
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            await socket.send_str(text)
            async for _ in socket:
                pass
            return socket

        async with serving([web.get("/", answer)]) as port, aiohttp.ClientSession() as http:
            line = Line(await http.ws_connect(f"http://127.0.0.1:{port}/"), "speech-to-text", "key")
            stream = CallStream((), line.close, patience=15)

            async def again() -> Line:
                raise AssertionError("no session was to be renewed")

            ears = GradiumEars(line, again, Rotation.within(300), stream)
            with pytest.raises(PartFailed) as failed:
                await asyncio.wait_for(ears.run(_Listener()), 20)
            await stream.hang_up()
            return failed.value

    failed = run_real(listen())
    assert failed.code == "bad_message"
    assert str(failed) == "speech-to-text sent what this adapter can't read"
