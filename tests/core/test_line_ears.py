"""Ears: who hears which frame, and when."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.audio import Samples
from offhook.clock import run_virtual
from offhook.line import Line
from offhook.testing import PlayAt, ScriptedAgent
from tests.core._line import ramp, serving, virtual_call


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
