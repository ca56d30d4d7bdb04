"""Equal calls give equal tapes, many share a loop, and in real time nothing drifts."""

from __future__ import annotations

import asyncio
import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, LINE_RATE
from offhook.clock import run_real, run_virtual
from offhook.line import Line, LineTapes
from offhook.testing import ClearAt, PlayAt, ScriptedAgent, noise, tone
from tests.core._line import HissProfile, call, placed, ramp, serving, virtual_call


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
