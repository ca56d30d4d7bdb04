"""What the benchmark of adapters takes for the time an adapter keeps a message."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import numpy as np
import pytest

from benchmarks._handing import Handing, noted
from offhook.clock import run_real
from offhook.sessions import AgentAudio
from offhook_adapters.cascade.incoming import Incoming
from offhook_adapters.wires.reading import read_until_closed
from offhook_adapters.wires.stream import CallStream

KEPT = 0.03


class Sdk:
    """Hands messages out, either way."""

    def __init__(self, count: int) -> None:
        self.left = list(range(1, count + 1))
        self.over = asyncio.Event()

    async def recv(self) -> int:
        if not self.left:
            self.over.set()
            await asyncio.Event().wait()
        return self.left.pop(0)

    async def events(self) -> AsyncIterator[int]:
        for message in self.left:
            yield message
        self.over.set()


def sound(samples: int) -> AgentAudio:
    return AgentAudio(np.zeros(samples, dtype=np.int16), 24_000)


async def hear(stream: CallStream, handing: Handing) -> None:
    async for event in stream.events():
        if isinstance(event, AgentAudio):
            handing.heard(event)


async def nothing() -> None:
    pass


def new_stream() -> CallStream:
    return CallStream((), nothing, patience=60)


def test_each_piece_counts_from_its_own_message() -> None:
    async def hold() -> Handing:
        with noted(f"{__name__}:Sdk.recv") as handing:
            sdk, stream = Sdk(3), new_stream()

            def take(message: int) -> None:
                if message == 2:
                    time.sleep(KEPT)  # an adapter that computes
                stream.emit(sound(message))

            stream.spawn(read_until_closed(sdk.recv, take, stream))
            hearing = asyncio.create_task(hear(stream, handing))
            await sdk.over.wait()
            await stream.hang_up()
            await hearing
            return handing

    handing = run_real(hold())
    kept = [piece.wall for piece in handing.kept]
    assert len(kept) == 3
    assert kept[1] >= KEPT
    assert kept[1] == max(kept)
    assert handing.unasked == 0


def test_a_listener_that_comes_late_counts() -> None:
    async def hold() -> Handing:
        with noted(f"{__name__}:Sdk.recv") as handing:
            sdk, stream = Sdk(2), new_stream()
            stream.spawn(read_until_closed(sdk.recv, lambda message: stream.emit(sound(message)), stream))
            await sdk.over.wait()
            await asyncio.sleep(KEPT)
            hearing = asyncio.create_task(hear(stream, handing))
            await stream.hang_up()
            await hearing
            return handing

    assert min(piece.wall for piece in run_real(hold()).kept) >= KEPT


def test_sound_that_no_message_brought_is_left_out() -> None:
    async def hold() -> Handing:
        with noted(f"{__name__}:Sdk.recv") as handing:
            sdk, stream = Sdk(1), new_stream()
            await sdk.recv()
            asyncio.get_running_loop().call_soon(stream.emit, sound(1))
            await asyncio.create_task(later(stream))
            hearing = asyncio.create_task(hear(stream, handing))
            await stream.hang_up()
            await hearing
            return handing

    async def later(stream: CallStream) -> None:
        stream.emit(sound(2))

    handing = run_real(hold())
    assert (handing.kept, handing.unasked) == ([], 2)


def test_the_wait_between_two_tasks_of_an_adapter_counts() -> None:
    async def hold() -> Handing:
        passed_on = "offhook_adapters.cascade.incoming:Incoming.next"
        with noted(f"{__name__}:Sdk.events", passed_on) as handing:
            sdk, stream = Sdk(2), new_stream()
            incoming = Incoming(sdk.events())
            await sdk.over.wait()
            await asyncio.sleep(KEPT)
            while (message := await incoming.next()) is not None:
                stream.emit(sound(message))
            stream.emit(sound(3))  # the end of the messages brought nothing
            hearing = asyncio.create_task(hear(stream, handing))
            await stream.hang_up()
            await hearing
            return handing

    handing = run_real(hold())
    assert len(handing.kept) == 2
    assert min(piece.wall for piece in handing.kept) >= KEPT
    assert handing.unasked == 1


@pytest.mark.parametrize("method", ["recv", "events"])
def test_the_sdk_is_left_as_it_was(method: str) -> None:
    before = getattr(Sdk, method), CallStream.emit
    with noted(f"{__name__}:Sdk.{method}"):
        assert getattr(Sdk, method) is not before[0]
    assert (getattr(Sdk, method), CallStream.emit) == before
