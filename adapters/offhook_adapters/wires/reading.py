"""Reading a WebSocket of the ``websockets`` package, which vendors' SDKs are built on, until it is closed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from offhook.sessions import Ended
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.trouble import closed_text, one_line

__all__ = ["read_until_closed", "write_until_closed"]


async def read_until_closed(
    receive: Callable[[], Awaitable[Any]], take: Callable[[Any], None], stream: CallStream, *secrets: str
) -> None:
    """Takes every message and ends the stream when the connection is closed or a message can't be read.

    ``receive`` may raise ValueError for a message that is no JSON, which is noted and passed over.
    """
    from websockets.exceptions import ConnectionClosed, ConnectionClosedOK

    try:
        while True:
            try:
                message = await receive()
            except ValueError:
                stream.note("bad_message", "the platform sent something that is not JSON")
                continue
            take(message)
            # A burst is read without ever waiting: whoever takes the events must get a turn in between.
            await asyncio.sleep(0)
    except ConnectionClosedOK as closed:
        stream.end(Ended("platform", closed_text(closed, *secrets)))
    except ConnectionClosed as closed:
        stream.break_off("connection_lost", closed_text(closed, *secrets))
    except Exception as error:  # a message of another shape than documented must not leave the line open
        text = one_line(f"{type(error).__name__}: {error}", *secrets)
        stream.break_off("bad_message", f"the platform sent what this adapter can't read ({text})")


async def write_until_closed(write: Callable[[], Awaitable[None]]) -> None:
    """Runs an outbox. The reader gets the same closing and knows why."""
    from websockets.exceptions import ConnectionClosed

    with contextlib.suppress(ConnectionClosed):
        await write()
