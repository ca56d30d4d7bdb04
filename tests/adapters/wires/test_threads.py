"""What a thread made for somebody who gave up is undone, whenever they did."""

from __future__ import annotations

import asyncio
import threading

import pytest

from offhook.clock import run_real
from offhook_adapters.wires.threads import made


def test_what_is_waited_for_is_kept() -> None:
    undone: list[str] = []
    assert run_real(made(lambda: "agent", undone.append)) == "agent"
    assert undone == []


def test_what_was_made_after_they_gave_up_is_undone() -> None:
    undone: list[str] = []
    go_on = threading.Event()
    begun = threading.Event()

    def make() -> str:
        begun.set()
        go_on.wait(10)
        return "agent"

    async def work() -> None:
        making = asyncio.ensure_future(made(make, undone.append))
        await asyncio.to_thread(begun.wait, 10)
        making.cancel()
        with pytest.raises(asyncio.CancelledError):
            await making
        assert undone == []
        go_on.set()

    run_real(work())  # its end waits for the threads
    assert undone == ["agent"]


def test_what_was_on_its_way_is_undone() -> None:
    undone: list[str] = []
    done = threading.Event()

    def make() -> str:
        done.set()
        return "agent"

    async def work() -> None:
        making = asyncio.ensure_future(made(make, undone.append))
        await asyncio.sleep(0)
        done.wait(10)  # the loop stands still, so nobody has heard of it
        threading.Event().wait(0.05)
        making.cancel()
        with pytest.raises(asyncio.CancelledError):
            await making

    run_real(work())
    assert undone == ["agent"]


def test_why_it_failed_is_told_and_nothing_is_undone() -> None:
    undone: list[str] = []

    def make() -> str:
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        run_real(made(make, undone.append))
    assert undone == []
