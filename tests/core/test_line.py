"""The caller's side of the line: what is on the tapes, where, and who is told when."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from offhook.audio import LINE_RATE, Clip
from offhook.clock import run_virtual
from offhook.line import Line, SentSpan
from offhook.testing import concat, tone
from tests.core._line import placed, ramp, virtual_call


def test_a_clip_is_sent_whole_from_the_next_frame_on() -> None:
    clip = ramp(1000)
    spans: list[tuple[SentSpan, float]] = []

    async def talk(line: Line) -> None:
        await line.caller.sleep_until(0.105)
        spans.append((await line.caller.say(clip), line.now))

    tapes = virtual_call(Line(), 0.5, talk)
    assert tapes.stereo[:, 0].tobytes() == placed(clip, 6 * 480, 12_000).tobytes()
    assert tapes.caller_clean.tobytes() == tapes.stereo[:, 0].tobytes()
    assert tapes.sent == (SentSpan(0.12, 0.12 + 1000 / LINE_RATE),)
    # Three frames carry it, and it returns when the third has been handed over.
    assert spans[0][0] == tapes.sent[0]
    assert spans[0][1] == pytest.approx(0.18, abs=1e-9)


def test_clips_queue_and_back_to_back_turns_leave_no_gap() -> None:
    first, second, third = ramp(960, 1), ramp(960, 2000), ramp(500, 4000)

    async def talk(line: Line) -> None:
        queued = asyncio.gather(line.caller.say(first), line.caller.say(second))
        await queued
        await line.caller.say(third)

    tapes = virtual_call(Line(), 0.3, talk)
    assert tapes.stereo[:, 0].tobytes() == placed(concat(first, second, third), 0, 7200).tobytes()
    assert [span.start for span in tapes.sent] == [0.0, 0.04, 0.08]


def test_a_clip_of_another_rate_is_resampled() -> None:
    clip = tone(440, 0.1, rate=16_000)
    tapes = virtual_call(Line(), 0.2, lambda line: line.caller.say(clip))
    assert tapes.stereo[:, 0].tobytes() == placed(clip.at_rate(LINE_RATE), 0, 4800).tobytes()


def test_an_empty_clip_takes_no_time() -> None:
    async def talk(line: Line) -> None:
        assert await line.caller.say(Clip(np.zeros(0, dtype=np.int16))) == SentSpan(0.0, 0.0)
        assert not line.caller.saying

    assert virtual_call(Line(), 0.1, talk).sent == ()


def test_stop_saying_sends_the_frame_under_way_and_drops_the_rest() -> None:
    clip, other = ramp(4800), ramp(4800, 9000)
    spans: list[SentSpan] = []

    async def say(line: Line) -> None:
        spans.extend(await asyncio.gather(line.caller.say(clip), line.caller.say(other)))

    async def stop(line: Line) -> None:
        await line.caller.sleep_until(0.05)
        assert line.caller.saying
        line.caller.stop_saying()
        await line.caller.sleep_until(0.061)
        assert not line.caller.saying

    tapes = virtual_call(Line(), 0.3, say, stop)
    assert tapes.stereo[:, 0].tobytes() == placed(Clip(clip.samples[:1440]), 0, 7200).tobytes()
    assert tapes.sent == (SentSpan(0.0, 0.06, complete=False),)
    stopped: Any = pytest.approx(0.05)
    assert spans == [tapes.sent[0], SentSpan(stopped, stopped, complete=False)]


def test_a_cancelled_say_falls_silent_and_leaves_the_queue_alone() -> None:
    first, second = ramp(4800), ramp(480, 9000)

    async def talk(line: Line) -> None:
        task = asyncio.create_task(line.caller.say(first))
        after = asyncio.create_task(line.caller.say(second))
        await line.caller.sleep_until(0.03)
        task.cancel()
        assert await after == SentSpan(0.04, 0.06)

    tapes = virtual_call(Line(), 0.2, talk)
    expected = np.concatenate((first.samples[:960], second.samples))
    assert tapes.stereo[:, 0].tobytes() == placed(Clip(expected), 0, 4800).tobytes()
    assert tapes.sent == (SentSpan(0.0, 0.04, complete=False), SentSpan(0.04, 0.06))


def test_a_hang_up_cuts_what_is_being_said() -> None:
    spans: list[SentSpan] = []

    async def talk(line: Line) -> None:
        spans.append(await line.caller.say(ramp(24_000)))
        spans.append(await line.caller.say(ramp(24_000)))

    tapes = virtual_call(Line(), 0.05, talk, lambda line: asyncio.sleep(1e6))
    assert tapes.seconds == pytest.approx(0.06)
    assert tapes.stereo.shape == (1440, 2)
    assert tapes.sent == (SentSpan(0.0, 0.06, complete=False),)


def test_say_after_a_hang_up_returns_at_once() -> None:
    async def main() -> SentSpan:
        line = Line()
        run = asyncio.create_task(line.run())
        await line.caller.sleep_until(0.1)
        line.platform.hang_up()
        span = await line.caller.say(ramp(480))
        await run
        return span

    span = run_virtual(main())
    now: Any = pytest.approx(0.1)
    assert span == SentSpan(now, now, complete=False)
