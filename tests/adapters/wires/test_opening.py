"""Why a session does not come about, in one line that is the same for every vendor."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from offhook.clock import run_virtual
from offhook_adapters.openai_realtime.config import OPENAI
from offhook_adapters.wires.opening import opening
from offhook_adapters.wires.vendor import VendorError, VendorUnusable

KEY = "a-key-of-no-known-shape"


class Hung:
    def __init__(self) -> None:
        self.up = 0

    async def hang_up(self) -> None:
        self.up += 1


def opened(work: Callable[[], Awaitable[None]]) -> tuple[int, BaseException | None]:
    """How often the session was hung up, and what was raised."""

    async def run() -> tuple[int, BaseException | None]:
        session = Hung()
        try:
            async with opening(session, OPENAI, "host", KEY, seconds=20.0):
                await work()
        except BaseException as error:
            return session.up, error
        return session.up, None

    return run_virtual(run())


def raising(error: BaseException) -> Callable[[], Awaitable[None]]:
    async def work() -> None:
        raise error

    return work


def test_a_session_that_opens_is_left_alone() -> None:
    assert opened(lambda: asyncio.sleep(1)) == (0, None)


@pytest.mark.parametrize(
    ("work", "line"),
    [
        (lambda: asyncio.sleep(60), "host did not open the session within 20 s: try again later"),
        (
            raising(ConnectionClosedError(Close(1011, f"no {KEY}"), None)),
            "host did not open the session: the connection was closed with code 1011: no [key]",
        ),
        (
            raising(AttributeError(f"no {KEY}\nhere")),
            "host began with what this adapter can't read (AttributeError: no [key] here): "
            "check the server's address, and whether there is a newer offhook",
        ),
        (
            raising(RecursionError("too deep")),
            "host began with what this adapter can't read (RecursionError: too deep): "
            "check the server's address, and whether there is a newer offhook",
        ),
    ],
)
def test_what_went_wrong_is_one_line(work: Callable[[], Awaitable[None]], line: str) -> None:
    hung, error = opened(work)
    assert hung == 1
    assert isinstance(error, VendorError)
    assert not isinstance(error, VendorUnusable)
    assert str(error) == line


@pytest.mark.parametrize("error", [VendorUnusable("no such model"), asyncio.CancelledError()])
def test_what_is_no_fault_of_the_wire_goes_on_as_it_is(error: BaseException) -> None:
    assert opened(raising(error)) == (1, error)
