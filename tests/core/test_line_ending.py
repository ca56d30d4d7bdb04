"""How a call on the line ends, and what a line refuses."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from offhook.audio import LINE_RATE
from offhook.clock import run_virtual
from offhook.line import Line, LineTapes
from offhook.testing import HangUpAt, ScriptedAgent
from tests.core._line import ramp


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
def test_negative_durations_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="can't be negative"):
        Line(**options)
