"""``line_x``: how many seconds of calls the line and the clock alone get through in a second, on one core."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import numpy as np

from benchmarks._row import BenchRow, print_rows
from offhook.audio import LINE_RATE, Clip, Samples
from offhook.clock import run_virtual, sleep_until
from offhook.line import Line

_CALLS: Final = 20
_CALL_SECONDS: Final = 120.0
_TURN_SECONDS: Final = 2.0
_ROUNDS: Final = 3


def _deaf(frame: Samples, began: float) -> None:
    """A sink that does nothing."""


async def _caller(line: Line, clip: Clip) -> None:
    while not line.hung_up:
        await line.caller.say(clip)
        await sleep_until(asyncio.get_running_loop().time() + 3 * _TURN_SECONDS)


async def _agent(line: Line, clip: Clip) -> None:
    """Speaks after each turn of the caller, in chunks of 100 ms and at once, as most platforms do."""
    turn = 0
    chunk = LINE_RATE // 10
    while not line.hung_up:
        await sleep_until((4 * turn + 2) * _TURN_SECONDS)
        for start in range(0, len(clip.samples), chunk):
            line.platform.playout.push(clip.samples[start : start + chunk])
        line.platform.playout.end()
        turn += 1


async def _call(clip: Clip, phase: float) -> float:
    line = Line(phase=phase)
    line.platform.on_frame(_deaf)
    line.caller.on_frame(_deaf)
    async with asyncio.TaskGroup() as group:
        group.create_task(line.run())
        talk = [group.create_task(_caller(line, clip)), group.create_task(_agent(line, clip))]
        await asyncio.sleep(_CALL_SECONDS)
        line.caller.hang_up()
        await line.ended()
        for task in talk:
            task.cancel()
    return line.result().seconds


async def _calls() -> float:
    noise = np.random.default_rng(1).normal(0, 3000, round(_TURN_SECONDS * LINE_RATE)).astype(np.int16)
    clip = Clip(noise)
    return sum(await asyncio.gather(*(_call(clip, index * 0.001) for index in range(_CALLS))))


def run() -> list[BenchRow]:
    """Times the calls, tapes included; the best of three rounds, so that a busy machine tells less."""
    rounds = []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        seconds = run_virtual(_calls())
        rounds.append(seconds / (time.perf_counter() - started))
    how = (
        f"{_CALLS} calls of {_CALL_SECONDS:.0f} s at once in one virtual-time loop, caller and agent each "
        "speaking a quarter of the time, sinks doing nothing, tapes included, one core, "
        f"best of {_ROUNDS} rounds"
    )
    return [BenchRow("line_x", round(max(rounds), 1), "x", ">= 300", how)]


if __name__ == "__main__":
    print_rows(run())
