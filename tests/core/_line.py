"""Calls over a line, and a profile that hisses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import attrs
import numpy as np

from offhook.audio import Clip, Samples
from offhook.clock import run_virtual
from offhook.line import CleanParameters, FrameTransform, Line, LineSetting, LineTapes
from offhook.testing import ScriptedAgent

__all__ = ["HissProfile", "Talk", "call", "placed", "ramp", "serving", "virtual_call"]

Talk = Callable[[Line], Coroutine[Any, Any, object]]


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
        tasks = [group.create_task(talk(line)) for talk in talks]
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


class _Adding:
    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def push(self, frame: Samples) -> Samples:
        return (frame + self._rng.integers(1, 50, len(frame))).astype(np.int16)


@attrs.frozen
class HissProfile:
    """Adds 1 to 49 to every sample."""

    name: str = "hiss"
    background: str = "hiss"
    impairment: str = ""
    parameters: CleanParameters = attrs.field(factory=CleanParameters)

    def open(self, rng: np.random.Generator, setting: LineSetting) -> FrameTransform:
        return _Adding(rng)
