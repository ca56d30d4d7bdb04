"""Whose time a framework's modules read."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from types import ModuleType

import pytest

from offhook.testing import run_real, run_virtual
from offhook_adapters._frameworks.clock import LoopTime, follow_loop_time
from offhook_adapters.pipecat.framework import load_framework

HOUR = 3600.0


@pytest.fixture
def framework() -> Iterator[ModuleType]:
    module = ModuleType("pretended.clocks")
    sys.modules[module.__name__] = module
    exec(
        "import time\n"
        "from dataclasses import dataclass, field\n"
        "from time import monotonic as now\n"
        "@dataclass\n"
        "class Frame:\n"
        "    at: float = field(default_factory=time.time)\n",
        vars(module),
    )
    yield module
    del sys.modules[module.__name__]


async def _an_hour(module: ModuleType) -> tuple[float, float, float, float, int]:
    began = module.time.time(), module.now(), module.Frame().at, module.time.perf_counter()
    nanoseconds = module.time.monotonic_ns()
    await asyncio.sleep(HOUR)
    return (
        module.time.time() - began[0],
        module.now() - began[1],
        module.Frame().at - began[2],
        module.time.perf_counter() - began[3],
        module.time.monotonic_ns() - nanoseconds,
    )


def test_every_way_to_read_a_clock_follows_virtual_time(framework: ModuleType) -> None:
    follow_loop_time("pretended")
    wall, monotonic, frame, counter, nanoseconds = run_virtual(_an_hour(framework))
    assert (wall, monotonic, frame) == (HOUR, HOUR, HOUR)
    assert counter == pytest.approx(HOUR, abs=1e-5)
    assert nanoseconds == 3600 * 10**9


def test_two_readings_of_the_counter_differ_and_repeat(framework: ModuleType) -> None:
    follow_loop_time("pretended")

    async def readings() -> list[float]:
        return [framework.time.perf_counter() for _ in range(3)]

    first, again = run_virtual(readings()), run_virtual(readings())
    assert first == again
    assert first[0] < first[1] < first[2]


def test_outside_virtual_time_it_is_the_real_time(framework: ModuleType) -> None:
    follow_loop_time("pretended")

    async def beside() -> list[float]:
        ours = [framework.time.time(), framework.now(), framework.Frame().at, framework.time.perf_counter()]
        real = [time.time(), time.monotonic(), time.time(), time.perf_counter()]
        return [abs(one - other) for one, other in zip(ours, real, strict=True)]

    async def in_a_thread() -> float:
        told: float = await asyncio.get_running_loop().run_in_executor(None, framework.time.time)
        return abs(told - time.time())

    assert max(run_real(beside())) < 5
    assert run_virtual(in_a_thread()) < 5
    assert framework.time.strftime("%Y") == time.strftime("%Y")


def test_nobody_else_is_touched(framework: ModuleType) -> None:
    clocks = time.time, time.monotonic, time.perf_counter
    other = ModuleType("pretended_too")
    exec("import time", vars(other))
    sys.modules[other.__name__] = other
    try:
        follow_loop_time("pretended")
    finally:
        del sys.modules[other.__name__]
    assert (time.time, time.monotonic, time.perf_counter) == clocks
    assert sys.modules["time"] is time
    assert other.time is time


def test_repeating_it_keeps_one_stand_in_and_takes_in_new_modules(framework: ModuleType) -> None:
    follow_loop_time("pretended")
    first = framework.time
    late = ModuleType("pretended.late")
    exec("import time", vars(late))
    sys.modules[late.__name__] = late
    try:
        follow_loop_time("pretended")
    finally:
        del sys.modules[late.__name__]
    assert isinstance(first, LoopTime)
    assert framework.time is first
    assert late.time is first


def test_no_module_of_pipecat_is_left_with_the_real_time() -> None:
    load_framework()
    from pipecat.frames.frames import VADUserStoppedSpeakingFrame

    real = {id(value) for value in (time, time.time, time.monotonic, time.perf_counter)}
    left = [
        f"{name}.{attribute}"
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == "pipecat"
        for attribute, value in list(vars(module).items())
        if id(value) in real
    ]
    assert left == []

    async def apart() -> float:
        first = VADUserStoppedSpeakingFrame(stop_secs=0.2).timestamp
        await asyncio.sleep(HOUR)
        return VADUserStoppedSpeakingFrame(stop_secs=0.2).timestamp - first

    assert run_virtual(apart()) == HOUR
