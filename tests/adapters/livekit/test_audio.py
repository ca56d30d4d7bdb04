"""What LiveKit's speech becomes on the line: paused, taken back, played on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE, Samples
from offhook.clock import run_virtual

pytest.importorskip("livekit.agents")

from livekit import rtc

from offhook_adapters.livekit._audio import LineOutput


@attrs.define(eq=False)
class Played:
    """What a line makes of it: ``pushed`` is handed over, ``None`` marks a clear."""

    output: LineOutput
    pushed: list[Samples | None]
    finished: list[Any]
    began: list[float]

    @property
    def sound(self) -> Samples:
        return np.concatenate([part for part in self.pushed if part is not None])


def frame(first: int, seconds: float) -> rtc.AudioFrame:
    """Samples that count up from ``first``, so that each can be told from the others."""
    samples = np.arange(first, first + round(seconds * LINE_RATE)).astype(np.int16)
    return rtc.AudioFrame(samples.tobytes(), LINE_RATE, 1, len(samples))


def play(act: Callable[[Played], Awaitable[None]]) -> Played:
    async def run() -> Played:
        pushed: list[Samples | None] = []
        output = LineOutput(pushed.append, lambda: pushed.append(None))
        played = Played(output, pushed, [], [])
        output.on("playback_finished", played.finished.append)
        output.on("playback_started", lambda event: played.began.append(event.created_at))
        await act(played)
        return played

    return run_virtual(run())


def test_a_segment_is_over_when_it_has_been_heard() -> None:
    async def act(played: Played) -> None:
        loop = asyncio.get_running_loop()
        await played.output.capture_frame(frame(0, 0.4))
        await played.output.capture_frame(frame(9600, 0.1))
        played.output.flush()
        await played.output.wait_for_playout()
        assert loop.time() == pytest.approx(0.5)

    played = play(act)
    assert [(event.playback_position, event.interrupted) for event in played.finished] == [(0.5, False)]
    assert played.sound.tolist() == list(range(12000))
    assert len(played.began) == 1


def test_what_a_pause_takes_back_is_played_after_it() -> None:
    async def act(played: Played) -> None:
        await played.output.capture_frame(frame(0, 1.0))
        played.output.flush()
        await asyncio.sleep(0.25)
        played.output.pause()
        played.output.pause()
        assert played.pushed[-1] is None
        await asyncio.sleep(2)
        assert not played.finished
        played.output.resume()
        played.output.resume()
        await played.output.wait_for_playout()
        assert asyncio.get_running_loop().time() == pytest.approx(3.0)

    played = play(act)
    whole, cleared, rest = played.pushed
    assert whole is not None
    assert rest is not None
    assert cleared is None
    assert rest.tolist() == whole[6000:].tolist()
    assert [(event.playback_position, event.interrupted) for event in played.finished] == [(1.0, False)]


def test_an_interruption_tells_how_much_was_heard() -> None:
    async def act(played: Played) -> None:
        await played.output.capture_frame(frame(0, 1.0))
        played.output.flush()
        await asyncio.sleep(0.25)
        played.output.pause()
        await asyncio.sleep(0.5)
        played.output.clear_buffer()
        await played.output.wait_for_playout()
        played.output.resume()

    played = play(act)
    assert [(event.playback_position, event.interrupted) for event in played.finished] == [(0.25, True)]
    assert [part is None for part in played.pushed] == [False, True]


def test_the_rest_of_an_interrupted_segment_is_dropped_and_the_next_one_played() -> None:
    async def act(played: Played) -> None:
        await played.output.capture_frame(frame(0, 0.5))
        await asyncio.sleep(0.1)
        played.output.clear_buffer()
        await played.output.capture_frame(frame(20000, 0.5))
        played.output.flush()
        await played.output.capture_frame(frame(100, 0.2))
        played.output.flush()
        await played.output.wait_for_playout()

    played = play(act)
    assert [event.interrupted for event in played.finished] == [True, False]
    assert 20000 not in played.sound
    assert played.sound.tolist()[-4800:] == list(range(100, 4900))


def test_sound_that_comes_late_is_heard_late() -> None:
    async def act(played: Played) -> None:
        await played.output.capture_frame(frame(0, 0.2))
        await asyncio.sleep(1)
        await played.output.capture_frame(frame(4800, 0.2))
        played.output.flush()
        await played.output.wait_for_playout()
        assert asyncio.get_running_loop().time() == pytest.approx(1.2)

    assert play(act).finished[0].playback_position == pytest.approx(0.4)
