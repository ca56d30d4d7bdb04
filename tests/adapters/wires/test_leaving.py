"""When an agent that has called the closing tool is done talking, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from offhook.clock import run_virtual
from offhook.sessions import Ended
from offhook_adapters.wires.leaving import LastWords
from offhook_adapters.wires.stream import CallStream

Step = tuple[float, Callable[[LastWords], None]]


def begin(words: LastWords) -> None:
    words.begin("end_call")


def ended_at(*steps: Step, within: float = 60.0) -> float | None:
    """After how many seconds the stream ends; None where it does not."""

    async def close() -> None:
        """Nothing to let go of."""

    async def play() -> float | None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        stream = CallStream((), close, patience=15.0)
        words = LastWords(stream)

        async def read() -> float:
            async for event in stream.events():
                assert event == Ended("agent", "end_call")
            return loop.time() - began

        reading = asyncio.ensure_future(read())
        for at, step in steps:
            await asyncio.sleep(began + at - loop.time())
            step(words)
        done, _ = await asyncio.wait({reading}, timeout=within)
        reading.cancel()
        return round(reading.result(), 3) if done else None

    return run_virtual(play())


@pytest.mark.parametrize(
    ("steps", "at"),
    [
        # nothing more is said
        (((1.0, begin),), 5.0),
        # words from before the tool end only now
        (((0.0, LastWords.stir), (1.0, begin), (1.2, LastWords.rest)), 5.0),
        # the goodbye comes after it
        (((0.0, begin), (1.0, LastWords.stir), (3.0, LastWords.stir), (4.0, LastWords.rest)), 4.5),
        # in two parts
        (
            (
                (0.0, begin),
                (1.0, LastWords.stir),
                (2.0, LastWords.rest),
                (2.2, LastWords.stir),
                (5.0, LastWords.rest),
            ),
            5.5,
        ),
        # its end is never told
        (((0.0, begin), (1.0, LastWords.stir)), 11.0),
        # the caller breaks in on it
        (((0.0, begin), (1.0, LastWords.stir), (2.0, LastWords.interrupted)), 6.0),
        # no closing tool
        (((0.0, LastWords.stir), (1.0, LastWords.rest), (2.0, LastWords.interrupted)), None),
    ],
)
def test_the_end(steps: tuple[Step, ...], at: float | None) -> None:
    assert ended_at(*steps) == at
