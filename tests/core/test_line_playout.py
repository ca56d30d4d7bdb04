"""Playout: agent audio in any chunks at any pace, out by the clock; Clear, marks, underruns, resampling."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, LINE_RATE, Clip, Samples
from offhook.clock import run_virtual
from offhook.line import Cleared, Line, LineTapes, PlayedSpan, Playout, Underrun
from offhook.testing import ClearAt, PlayAt, ScriptedAgent, noise, tone

# Tenths of a millisecond, with the beginnings of frames among them.
MOMENTS = st.integers(0, 22_000).map(lambda tenths: tenths / 10_000)

Script = Callable[[Line, Playout], Awaitable[object]]


def ramp(count: int, start: int = 1) -> Samples:
    """Samples that are all different and never silent."""
    return (np.arange(start, start + count) % 30_000 + 1).astype(np.int16)


def carry(script: Script, seconds: float = 1.0, jitter_buffer: float = 0.0) -> LineTapes:
    """The tapes of a call during which the script plays the platform."""

    async def main() -> LineTapes:
        line = Line(jitter_buffer=jitter_buffer)
        async with asyncio.TaskGroup() as group:
            group.create_task(line.run())
            task = group.create_task(script(line, line.platform.playout))  # type: ignore[arg-type]
            await line.caller.sleep_until(seconds)
            assert task.done(), "the script should have ended before the call"
            line.caller.hang_up()
        return line.result()

    return run_virtual(main())


def right(tapes: LineTapes) -> Samples:
    return np.ascontiguousarray(tapes.stereo[:, 1])


def frame_at(seconds: float) -> int:
    """The sample at which the first frame begins that audio given to the line at ``seconds`` gets into."""
    return math.ceil(round(seconds / FRAME_SECONDS, 6)) * FRAME_SAMPLES


# --- placement --------------------------------------------------------------------------------------


@given(
    start=MOMENTS,
    sizes=st.lists(st.integers(1, 3000), min_size=1, max_size=25),
    hurry=st.lists(st.sampled_from([0.0, 0.2, 0.5, 1.0]), min_size=25, max_size=25),
)
@settings(max_examples=120, deadline=None)
def test_chunks_in_time_lie_on_the_tape_as_one(start: float, sizes: list[int], hurry: list[float]) -> None:
    """However it is cut, and whenever its chunks come, as long as they come before they are due."""
    total = max(sum(sizes), FRAME_SAMPLES)
    audio = ramp(total)

    async def script(line: Line, playout: Playout) -> None:
        await line.platform.sleep_until(start)
        # A first frame at once, so that playing begins there.
        playout.push(audio[:FRAME_SAMPLES])
        sent, now = FRAME_SAMPLES, start
        for size, early in zip(sizes, hurry, strict=False):
            due = frame_at(start) / LINE_RATE + (sent // FRAME_SAMPLES) * FRAME_SECONDS
            now = max(now, now + (due - now) * early)
            await line.platform.sleep_until(now)
            playout.push(audio[sent : sent + size])
            sent = min(sent + size, total)
        playout.push(audio[sent:])
        playout.end()

    tapes = carry(script, 7.0)
    expected = np.zeros(len(tapes.stereo), dtype=np.int16)
    begin = frame_at(start)
    expected[begin : begin + total] = audio
    assert right(tapes).tobytes() == expected.tobytes()
    assert tapes.played == (PlayedSpan(begin / LINE_RATE, (begin + total) / LINE_RATE),)
    assert tapes.underruns == ()


@given(
    times=st.lists(MOMENTS, min_size=1, max_size=12),
    sizes=st.lists(st.integers(1, 6000), min_size=12, max_size=12),
)
@settings(max_examples=120, deadline=None)
def test_late_chunks_lie_where_the_clock_puts_them(times: list[float], sizes: list[int]) -> None:
    """Against a model of a phone: each frame takes what was there when it began."""
    pushes = sorted(zip(times, sizes, strict=False))
    audio = ramp(sum(size for _, size in pushes))

    async def script(line: Line, playout: Playout) -> None:
        sent = 0
        for at, size in pushes:
            await line.platform.sleep_until(at)
            playout.push(audio[sent : sent + size])
            sent += size

    tapes = carry(script, 8.0)
    expected = np.zeros(len(tapes.stereo), dtype=np.int16)
    arrivals = [(frame_at(at), size) for at, size in pushes]
    taken, playing = 0, False
    for begin in range(0, len(expected), FRAME_SAMPLES):
        there = sum(size for frame, size in arrivals if frame <= begin) - taken
        count = min(there, FRAME_SAMPLES)
        # The first frame of a stretch is filled from its end.
        place = begin if playing else begin + FRAME_SAMPLES - count
        expected[place : place + count] = audio[taken : taken + count]
        taken += count
        playing = place + count == begin + FRAME_SAMPLES and count > 0
    assert taken == len(audio)
    assert right(tapes).tobytes() == expected.tobytes()
    covered = np.zeros(len(expected), dtype=bool)
    for span in tapes.played:
        covered[round(span.start * LINE_RATE) : round(span.end * LINE_RATE)] = True
    assert np.array_equal(covered, expected != 0)


def test_a_burst_is_played_at_the_lines_pace() -> None:
    async def script(line: Line, playout: Playout) -> None:
        playout.push(ramp(LINE_RATE * 2))
        assert playout.playing
        assert playout.unplayed == 2.0
        await line.platform.sleep_until(1.0)
        assert playout.played == pytest.approx(1.0)
        await line.platform.sleep_until(1.01)
        assert playout.played == pytest.approx(1.02)
        assert playout.unplayed == pytest.approx(0.98)
        assert await playout.drained()
        assert line.now == pytest.approx(2.0)
        assert not playout.playing

    assert carry(script, 2.5).played == (PlayedSpan(0.0, 2.0),)


def test_audio_pushed_before_the_call_begins_with_it() -> None:
    async def main() -> LineTapes:
        line = Line()
        line.platform.playout.push(ramp(960))
        run = asyncio.create_task(line.run())
        await line.platform.sleep_until(0.1)
        line.platform.hang_up()
        await run
        line.platform.playout.push(ramp(960))
        return line.result()

    assert run_virtual(main()).played == (PlayedSpan(0.0, 0.04),)


# --- underruns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pause", "ends", "gaps"), [(0.3, False, 1), (0.3, True, 0), (0.8, False, 0)])
def test_only_a_gap_inside_an_utterance_is_an_underrun(pause: float, ends: bool, gaps: int) -> None:
    async def script(line: Line, playout: Playout) -> None:
        playout.push(ramp(4900))
        if ends:
            playout.end()
        await line.platform.sleep_until(0.2 + pause)
        playout.push(ramp(4800))
        playout.end()

    tapes = carry(script, 2.0)
    first, second = tapes.played
    assert first == PlayedSpan(0.0, 4900 / LINE_RATE)
    assert second.start == pytest.approx(0.2 + pause)
    assert tapes.underruns == ((Underrun(first.end, second.start),) if gaps else ())
    assert not right(tapes)[4900 : round(second.start * LINE_RATE)].any()


def test_an_end_that_comes_after_the_audio_ran_out_is_no_underrun() -> None:
    async def script(line: Line, playout: Playout) -> None:
        playout.push(ramp(4800))
        await line.platform.sleep_until(0.3)
        playout.end()
        playout.push(ramp(4800))

    assert carry(script).underruns == ()


def test_a_paced_platform_is_played_without_a_gap_at_any_rate() -> None:
    """20 ms every 20 ms: the resampling filter's lag costs its first milliseconds, and nothing after."""
    for rate in (8000, 16_000, 24_000, 44_100, 48_000):
        clip = tone(500, 0.5, rate=rate)
        agent = ScriptedAgent([PlayAt(0.1, clip, chunk=0.02, pace=1.0)])
        tapes = carry(lambda line, playout: _until(agent, line, 1.0), 1.2)  # noqa: B023
        (span,) = tapes.played
        assert 0.1 <= span.start <= 0.1035
        assert span.end - span.start == pytest.approx(0.5, abs=1 / LINE_RATE)
        begin, end = round(span.start * LINE_RATE), round(span.end * LINE_RATE)
        ideal = clip.at_rate(LINE_RATE).samples.astype(int)
        error = right(tapes)[begin:end].astype(int)[100:-100] - ideal[: end - begin][100:-100]
        assert np.abs(error).max() <= 40, rate
        assert tapes.underruns == ()


async def _until(agent: ScriptedAgent, line: Line, seconds: float) -> None:
    serving = asyncio.create_task(agent.serve(line.platform))
    await line.platform.sleep_until(seconds)
    serving.cancel()


def test_a_jitter_buffer_bridges_late_chunks() -> None:
    """Chunks of 20 ms that come up to 30 ms late: gaps without the buffer, none with it."""
    late = [0.0, 0.03, 0.0, 0.025, 0.03, 0.0, 0.01, 0.03, 0.0, 0.0]
    audio = ramp(4800)

    async def script(line: Line, playout: Playout) -> None:
        now = 0.0
        for index, delay in enumerate(late):
            now = max(now, 0.1 + index * 0.02 + delay)
            await line.platform.sleep_until(now)
            playout.push(audio[index * 480 : index * 480 + 480])
        playout.end()

    plain, buffered = carry(script), carry(script, jitter_buffer=0.04)
    assert len(plain.underruns) > 0
    assert buffered.underruns == ()
    (span,) = buffered.played
    assert span.start == pytest.approx(0.14)
    begin = round(span.start * LINE_RATE)
    assert right(buffered)[begin : begin + 4800].tobytes() == audio.tobytes()


def test_a_jitter_buffer_holds_back_no_longer_than_its_length() -> None:
    async def script(line: Line, playout: Playout) -> None:
        playout.push(ramp(480))
        await line.platform.sleep_until(0.5)
        playout.push(ramp(480))
        playout.end()

    first, second = carry(script, jitter_buffer=0.06).played
    assert first.start == pytest.approx(0.06)
    # A complete utterance has nothing to wait for.
    assert second.start == pytest.approx(0.5)


# --- clear --------------------------------------------------------------------------------------------


@given(
    length=st.integers(1, 48_000),
    clear_at=MOMENTS,
    rate=st.sampled_from([8000, 24_000, 48_000]),
)
@settings(max_examples=100, deadline=None)
def test_clear_drops_exactly_the_unplayed(length: int, clear_at: float, rate: int) -> None:
    audio = Clip(ramp(length), rate)
    cleared: list[Cleared] = []

    async def script(line: Line, playout: Playout) -> None:
        playout.push(audio.samples, rate)
        playout.end()
        await line.platform.sleep_until(clear_at)
        cleared.append(playout.clear())
        assert not playout.unplayed

    async def without(line: Line, playout: Playout) -> None:
        playout.push(audio.samples, rate)
        playout.end()

    seconds = 7.0
    tapes, whole = carry(script, seconds), carry(without, seconds)
    cut = frame_at(clear_at)
    assert right(tapes)[:cut].tobytes() == right(whole)[:cut].tobytes()
    assert not right(tapes)[cut:].any()
    total = math.ceil(length * LINE_RATE / rate)
    played = min(total, cut)
    assert cleared[0].dropped == pytest.approx((total - played) / LINE_RATE)
    assert cleared[0].utterance_played == pytest.approx(played / LINE_RATE)
    assert cleared[0].at == pytest.approx(clear_at)
    assert tapes.clears == tuple(cleared)
    assert sum(span.end - span.start for span in tapes.played) == pytest.approx(played / LINE_RATE)


def test_clear_also_drops_what_is_in_the_resampler() -> None:
    async def script(line: Line, playout: Playout) -> None:
        playout.push(noise(0.0105, rate=8000).samples, 8000)
        cleared = playout.clear()
        assert cleared.dropped == pytest.approx(0.0105)
        playout.push(ramp(480))

    tapes = carry(script)
    assert right(tapes)[:480].tobytes() == ramp(480).tobytes()
    assert not right(tapes)[480:].any()


def test_audio_after_a_clear_begins_on_the_next_frame() -> None:
    async def script(line: Line, playout: Playout) -> None:
        playout.push(ramp(24_000))
        await line.platform.sleep_until(0.25)
        playout.clear()
        playout.push(ramp(480, 20_000))

    tapes = carry(script)
    expected = np.concatenate((ramp(6240), ramp(480, 20_000)))
    assert right(tapes)[: len(expected)].tobytes() == expected.tobytes()
    assert tapes.played == (PlayedSpan(0.0, 0.26), PlayedSpan(0.26, 0.28))
    assert tapes.underruns == ()


def test_a_script_stops_sending_after_its_clear() -> None:
    agent = ScriptedAgent([PlayAt(0.0, Clip(ramp(24_000)), chunk=0.1, pace=1.0), ClearAt(0.35)])
    tapes = carry(lambda line, playout: _until(agent, line, 1.5), 2.0)
    assert tapes.played[-1].end <= 0.4
    assert len(tapes.clears) == 1


# --- marks --------------------------------------------------------------------------------------------


def test_marks_tell_how_much_of_each_item_was_played() -> None:
    async def script(line: Line, playout: Playout) -> None:
        first = playout.mark()
        playout.push(ramp(12_000))
        second = playout.mark()
        playout.push(noise(1.0, rate=16_000).samples, 16_000)
        assert await playout.reached(second) is True
        assert line.now == pytest.approx(0.5)
        await line.platform.sleep_until(0.69)
        end = playout.mark()
        waiting = asyncio.create_task(playout.reached(end))
        await asyncio.sleep(0)
        cleared = playout.clear()
        assert await waiting is False
        assert await playout.reached(second) is True
        assert playout.played_since(first) == pytest.approx(0.7)
        assert playout.played_since(second) == pytest.approx(0.2)
        assert cleared.utterance_played == pytest.approx(0.7)
        # What comes later doesn't change what was played of items before the clear.
        third = playout.mark()
        playout.push(ramp(2400))
        assert await playout.drained()
        assert line.now == pytest.approx(0.8)
        assert playout.played_since(second) == pytest.approx(0.2)
        assert playout.played_since(third) == pytest.approx(0.1)
        assert playout.played == pytest.approx(0.8)

    carry(script)


def test_an_utterance_is_counted_from_its_first_chunk() -> None:
    async def script(line: Line, playout: Playout) -> None:
        for at in (0.0, 0.3):
            await line.platform.sleep_until(at)
            playout.push(ramp(4800))
            playout.end()
        # Still playing the second; the third follows without a gap.
        playout.push(ramp(24_000))
        await line.platform.sleep_until(0.6)
        assert playout.clear().utterance_played == pytest.approx(0.1)

    carry(script)


def test_drained_waits_for_the_last_frame_to_be_heard() -> None:
    async def script(line: Line, playout: Playout) -> None:
        playout.push(ramp(100))
        await line.platform.sleep_until(0.005)
        assert playout.unplayed == 0
        assert playout.playing
        assert await playout.drained()
        assert line.now == pytest.approx(0.02)
        assert not playout.playing
        assert await playout.drained()
        assert line.now == pytest.approx(0.02)

    carry(script)


def test_drained_counts_the_resamplers_tail() -> None:
    async def script(line: Line, playout: Playout) -> None:
        playout.push(noise(0.1, rate=8000).samples, 8000)
        assert await playout.drained()
        assert playout.played == pytest.approx(0.1)

    carry(script)


# --- bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("samples", "rate"),
    [
        (np.zeros(480, dtype=np.float32), LINE_RATE),
        (np.zeros((480, 1), dtype=np.int16), LINE_RATE),
        (np.zeros(480, dtype=np.int16), 0),
    ],
)
def test_push_refuses_what_is_not_16_bit_mono(samples: Samples, rate: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        Line().platform.playout.push(samples, rate)
