"""The line: what is on the tapes, where, and who is told when."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, LINE_RATE, Clip, Samples
from offhook.clock import run_real, run_virtual
from offhook.line import CleanParameters, CleanProfile, FrameTransform, Line, LineSetting, LineTapes, SentSpan
from offhook.testing import ClearAt, HangUpAt, PlayAt, ScriptedAgent, concat, noise, tone

Talk = Callable[[Line], Awaitable[object]]


def ramp(count: int, start: int = 1) -> Clip:
    """Samples that are all different and never silent."""
    return Clip((np.arange(start, start + count) % 30_000 + 1).astype(np.int16))


def placed(clip: Clip, at: int, total: int) -> Samples:
    """A tape of ``total`` samples with the clip at sample ``at``."""
    tape = np.zeros(total, dtype=np.int16)
    part = clip.samples[: total - at]
    tape[at : at + len(part)] = part
    return tape


async def call(line: Line, seconds: float, *talks: Talk) -> LineTapes:
    """A call of the given length during which the talks go on."""
    async with asyncio.TaskGroup() as group:
        group.create_task(line.run())
        tasks = [group.create_task(talk(line)) for talk in talks]  # type: ignore[arg-type]
        await line.caller.sleep_until(seconds)
        line.caller.hang_up()
        await line.ended()
        for task in tasks:
            task.cancel()
    return line.result()


def virtual_call(line: Line, seconds: float, *talks: Talk) -> LineTapes:
    return run_virtual(call(line, seconds, *talks))


def serving(agent: ScriptedAgent) -> Talk:
    return lambda line: agent.serve(line.platform)


# --- the caller's side ----------------------------------------------------------------------------


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
    assert spans == [tapes.sent[0], SentSpan(pytest.approx(0.05), pytest.approx(0.05), complete=False)]


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
    assert span == SentSpan(pytest.approx(0.1), pytest.approx(0.1), complete=False)


# --- profiles ---------------------------------------------------------------------------------------


class _Adding:
    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def push(self, frame: Samples) -> Samples:
        return (frame + self._rng.integers(1, 50, len(frame))).astype(np.int16)


@attrs.frozen
class HissProfile:
    name: str = "hiss"
    background: str = "hiss"
    impairment: str = ""
    parameters: CleanParameters = attrs.field(factory=CleanParameters)

    def open(self, rng: np.random.Generator, setting: LineSetting) -> FrameTransform:
        return _Adding(rng)


def test_a_profile_sits_between_the_caller_and_the_platform() -> None:
    clip = ramp(960)
    agent = ScriptedAgent()
    line = Line(profile=HissProfile(), rng=np.random.default_rng(7))
    tapes = virtual_call(line, 0.1, lambda line: line.caller.say(clip), serving(agent))
    hiss = np.random.default_rng(7).integers(1, 50, 2400)
    clean = placed(clip, 0, 2400)
    assert tapes.caller_clean.tobytes() == clean.tobytes()
    assert tapes.stereo[:, 0].tobytes() == (clean + hiss).astype(np.int16).tobytes()
    assert agent.heard.samples.tobytes() == tapes.stereo[:, 0].tobytes()


def test_a_profile_needs_a_generator() -> None:
    with pytest.raises(ValueError, match="'hiss' needs rng"):
        Line(profile=HissProfile())


class _Shortening:
    def push(self, frame: Samples) -> Samples:
        return frame[:-1]


@attrs.frozen
class BrokenProfile:
    name: str = "broken"
    background: str = ""
    impairment: str = "frames cut short"
    parameters: CleanParameters = attrs.field(factory=CleanParameters)

    def open(self, rng: np.random.Generator, setting: LineSetting) -> FrameTransform:
        return _Shortening()


@pytest.mark.parametrize("push_at", [None, 0.05])
def test_a_broken_profile_ends_the_call_with_its_name(push_at: float | None) -> None:
    async def main() -> Line:
        line = Line(profile=BrokenProfile(), rng=np.random.default_rng(0))
        run = asyncio.create_task(line.run())
        if push_at is not None:
            # Settles a frame, but must not raise into the platform's hands.
            await asyncio.sleep(0.01)
            line.platform.playout.push(ramp(480).samples)
        with pytest.raises(ValueError, match="profile 'broken' must return int16 frames"):
            await run
        return line

    line = run_virtual(main())
    assert line.over
    assert line.result().ended_by == "line"


def test_the_clean_profile_changes_nothing() -> None:
    frame = ramp(480).samples
    assert CleanProfile().open(np.random.default_rng(0), LineSetting()).push(frame) is frame


# --- ears -------------------------------------------------------------------------------------------


def test_both_sinks_get_every_frame_at_its_end() -> None:
    heard: list[tuple[str, float, float, int]] = []
    line = Line()
    line.platform.on_frame(lambda frame, began: heard.append(("platform", began, line.now, int(frame[0]))))
    line.caller.on_frame(lambda frame, began: heard.append(("caller", began, line.now, int(frame[0]))))
    agent = ScriptedAgent([PlayAt(0.02, ramp(480, 100))])
    virtual_call(line, 0.06, lambda line: line.caller.say(ramp(480, 7)), serving(agent))
    assert [entry[0] for entry in heard] == ["platform", "caller"] * 3
    assert [round(entry[1], 9) for entry in heard[::2]] == [0.0, 0.02, 0.04]
    assert [round(entry[2], 9) for entry in heard[::2]] == [0.02, 0.04, 0.06]
    assert [entry[3] for entry in heard] == [8, 0, 0, 101, 0, 0]


def test_frames_are_read_only_and_may_be_kept() -> None:
    kept: list[Samples] = []
    line = Line()
    line.caller.on_frame(lambda frame, _: kept.append(frame))
    line.platform.on_frame(lambda frame, _: kept.append(frame))
    chunk = ramp(700).samples.copy()

    async def talk(line: Line) -> None:
        line.platform.playout.push(chunk)
        chunk[:] = 0
        await line.caller.say(ramp(900))

    tapes = virtual_call(line, 0.1, talk)
    assert all(not frame.flags.writeable and frame.shape == (480,) for frame in kept)
    assert np.concatenate(kept[0::2]).tobytes() == tapes.stereo[:, 0].tobytes()
    assert np.concatenate(kept[1::2]).tobytes() == tapes.stereo[:, 1].tobytes()
    assert tapes.stereo[699, 1] == 701


def test_a_removed_sink_hears_no_more() -> None:
    kept: list[float] = []
    line = Line()
    remove = line.caller.on_frame(lambda _, began: kept.append(began))

    async def talk(line: Line) -> None:
        await line.caller.sleep_until(0.05)
        remove()

    virtual_call(line, 0.2, talk)
    assert kept == [0.0, 0.02]


def test_a_reaction_in_no_time_is_played_at_once() -> None:
    """The platform hears the caller's last frame and answers; no frame is lost to the line itself."""
    line = Line()
    speaking = [False]

    def listen(frame: Samples, began: float) -> None:
        if speaking[0] and not frame.any():
            line.platform.playout.push(ramp(960).samples)
        speaking[0] = bool(frame.any())

    line.platform.on_frame(listen)
    tapes = virtual_call(line, 1.0, lambda line: line.caller.say(ramp(4800)))
    # The silent frame 0.20 to 0.22 is heard at 0.22.
    assert [(span.start, span.end) for span in tapes.played] == [(0.22, 0.26)]


@given(delay=st.integers(1, 60), start=st.integers(0, 40))
@settings(max_examples=40, deadline=None)
def test_a_declared_delay_is_what_the_tape_shows(delay: int, start: int) -> None:
    """Delays in multiples of a frame are met to the sample, whatever floating point makes of the sums."""

    async def answer(line: Line) -> None:
        await line.caller.sleep_until(start * 0.02)
        await line.caller.say(ramp(480))
        await asyncio.sleep(delay * 0.02)
        line.platform.playout.push(ramp(480).samples)

    tapes = virtual_call(Line(), 3.0, answer)
    latency = tapes.played[0].start - tapes.sent[0].end
    assert latency == pytest.approx(delay * 0.02, abs=1e-9)


@pytest.mark.parametrize("end", ["caller", "platform"])
def test_a_sink_that_raises_ends_the_call_and_run_tells(end: str) -> None:
    def broken(frame: Samples, began: float) -> None:
        raise LookupError("ears fell off")

    async def main() -> Line:
        line = Line()
        (line.caller if end == "caller" else line.platform).on_frame(broken)
        with pytest.raises(LookupError, match="ears fell off"):
            await line.run()
        return line

    line = run_virtual(main())
    assert line.over
    assert line.result().ended_by == "line"


# --- ending -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "seconds"), [(0.0, 0.02), (0.02, 0.02), (0.021, 0.04), (0.1, 0.1), (0.119, 0.12)]
)
def test_the_call_ends_with_the_frame_under_way(at: float, seconds: float) -> None:
    async def main() -> tuple[str, LineTapes]:
        line = Line()
        agent = ScriptedAgent([HangUpAt(at)])
        async with asyncio.TaskGroup() as group:
            group.create_task(line.run())
            group.create_task(agent.serve(line.platform))
            ended = group.create_task(line.caller.ended())
        line.caller.hang_up()
        return ended.result(), line.result()

    by, tapes = run_virtual(main())
    assert by == tapes.ended_by == "platform"
    assert tapes.seconds == pytest.approx(seconds)
    assert len(tapes.stereo) == len(tapes.caller_clean) == round(seconds * LINE_RATE)


def test_a_hang_up_inside_a_sink_ends_the_call_there() -> None:
    line = Line()
    line.caller.on_frame(lambda _, began: line.caller.hang_up() if began >= 0.0799 else None)
    run_virtual(line.run())
    assert line.result().seconds == pytest.approx(0.1)
    assert line.now == pytest.approx(0.1)


def test_a_hang_up_before_the_call_leaves_one_frame() -> None:
    line = Line()
    line.caller.hang_up()
    run_virtual(line.run())
    assert line.result().stereo.shape == (480, 2)


def test_a_cancelled_run_ends_the_call() -> None:
    async def main() -> LineTapes:
        line = Line()
        run = asyncio.create_task(line.run())
        say = asyncio.create_task(line.caller.say(ramp(48_000)))
        line.platform.playout.push(ramp(48_000).samples)
        drained = asyncio.create_task(line.platform.playout.drained())
        await asyncio.sleep(0.5)
        run.cancel()
        assert (await say).complete is False
        assert await drained is False
        return line.result()

    tapes = run_virtual(main())
    assert tapes.ended_by == "line"
    assert tapes.seconds == pytest.approx(0.5)


def test_a_line_carries_one_call() -> None:
    async def main() -> None:
        line = Line()
        line.caller.hang_up()
        await line.run()
        await line.run()

    with pytest.raises(RuntimeError, match="make a new Line"):
        run_virtual(main())


def test_no_result_before_the_end() -> None:
    with pytest.raises(RuntimeError, match="the call isn't over"):
        Line().result()


@pytest.mark.parametrize("options", [{"phase": -0.01}, {"jitter_buffer": -1.0}])
def test_negative_durations_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="can't be negative"):
        Line(**options)


# --- repeatability and real time ------------------------------------------------------------------


def _busy_call(seed: int) -> LineTapes:
    rng = np.random.default_rng(seed)
    line = Line(profile=HissProfile(), rng=np.random.default_rng(seed))
    steps = [
        PlayAt(
            float(rng.uniform(0, 4)),
            tone(
                float(rng.uniform(200, 900)),
                float(rng.uniform(0.1, 1)),
                rate=int(rng.choice([8000, 16_000, 24_000])),
            ),
            chunk=float(rng.uniform(0.005, 0.2)),
            pace=float(rng.choice([1.0, 3.0, math.inf])),
        )
        for _ in range(6)
    ]
    agent = ScriptedAgent([*steps, ClearAt(float(rng.uniform(1, 4)))])

    async def talk(line: Line) -> None:
        for number in range(4):
            await line.caller.say(noise(float(rng.uniform(0.1, 0.6)), seed=number))
            await asyncio.sleep(float(rng.uniform(0.05, 0.5)))

    return virtual_call(line, 5.0, talk, serving(agent))


@given(st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_equal_inputs_give_equal_tapes_byte_for_byte(seed: int) -> None:
    first, second = _busy_call(seed), _busy_call(seed)
    assert first.stereo.tobytes() == second.stereo.tobytes()
    assert first.caller_clean.tobytes() == second.caller_clean.tobytes()
    fields = ("sent", "played", "clears", "underruns", "seconds", "ended_by")
    assert [getattr(first, name) for name in fields] == [getattr(second, name) for name in fields]
    assert first.lateness.shape == (250,)
    assert not first.lateness.any()


def test_many_lines_share_one_loop_and_keep_their_phase() -> None:
    async def one(index: int) -> tuple[LineTapes, float]:
        line = Line(phase=index * 0.001)
        began: list[float] = []
        loop = asyncio.get_running_loop()
        line.caller.on_frame(lambda *_: began.append(loop.time()))
        tapes = await call(line, 1.0, lambda line: line.caller.say(ramp(4800, index)))
        return tapes, began[0]

    async def main() -> list[tuple[LineTapes, float]]:
        return await asyncio.gather(*(one(index) for index in range(20)))

    for index, (tapes, first) in enumerate(run_virtual(main())):
        assert first == pytest.approx(0.02 + index * 0.001)
        assert tapes.stereo[:, 0].tobytes() == placed(ramp(4800, index), 0, 24_000).tobytes()


def test_in_real_time_a_stalled_loop_is_late_but_nothing_drifts() -> None:
    early, late, caller = ramp(2400), ramp(4800, 9000), ramp(12_000, 500)
    pushed: list[float] = []

    async def talk(line: Line) -> None:
        line.platform.playout.push(early.samples)
        line.platform.playout.end()
        say = asyncio.create_task(line.caller.say(caller))
        await line.caller.sleep_until(0.15)
        # The loop is stuck, and the audio that arrived meanwhile is handled before the overdue ticks.
        time.sleep(0.09)  # noqa: ASYNC251
        pushed.append(line.now)
        line.platform.playout.push(late.samples)
        pushed.append(line.now)
        await say

    line = Line()
    began: list[float] = []
    line.platform.on_frame(lambda _, at: began.append(at))
    tapes = run_real(call(line, 0.6, talk))
    frames = len(tapes.lateness)
    assert len(tapes.stereo) == frames * FRAME_SAMPLES
    assert began == [index * FRAME_SECONDS for index in range(frames)]
    # The caller is whole from where he began, the agent's second clip from the frame after its push.
    start = round(tapes.sent[0].start * LINE_RATE)
    assert start % FRAME_SAMPLES == 0
    assert start <= 480
    assert tapes.stereo[:, 0].tobytes() == placed(caller, start, len(tapes.stereo)).tobytes()
    first, second = (round(span.start * LINE_RATE) for span in tapes.played)
    assert first <= 480
    assert second in {math.ceil(at / FRAME_SECONDS - 1e-4) * FRAME_SAMPLES for at in pushed}
    assert tapes.stereo[second : second + 4800, 1].tobytes() == late.samples.tobytes()
    assert tapes.lateness.min() >= 0
    assert tapes.lateness.max() >= 0.06
