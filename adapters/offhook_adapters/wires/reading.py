"""Reading a WebSocket of the ``websockets`` package, which vendors' SDKs are built on, until it is closed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from offhook.sessions import Ended
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.trouble import closed_text, is_oversized, one_line

__all__ = ["read_until_closed", "send_unless_closed", "write_until_closed"]


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
        code = "bad_message" if is_oversized(closed) else "connection_lost"
        stream.break_off(code, closed_text(closed, *secrets))
    except Exception as error:  # a message of another shape than documented must not leave the line open
        text = one_line(f"{type(error).__name__}: {error}", *secrets)
        stream.break_off("bad_message", f"the platform sent what this adapter can't read ({text})")


async def send_unless_closed(sent: Awaitable[None]) -> None:
    """Waits for a message to be sent while a session is set up. A platform may have said why it won't have it
    and closed before: whoever reads next is told the one or the other.
    """
    from websockets.exceptions import ConnectionClosed

    with contextlib.suppress(ConnectionClosed):
        await sent


async def write_until_closed(
    write: Callable[[], Awaitable[None]], stream: CallStream | None = None, *secrets: str
) -> None:
    """Runs an outbox. The reader gets the same closing and knows why. What can't be sent for another reason
    ends the ``stream``: nobody would hear of it, and the call would go on dumb.

    Raises:
        Exception: what can't be sent, where there is no stream.
    """
    from websockets.exceptions import ConnectionClosed

    try:
        await write()
    except ConnectionClosed:
        return
    except Exception as error:
        if stream is None:
            raise
        text = one_line(f"{type(error).__name__}: {error}", *secrets)
        stream.break_off("not_sent", f"the adapter could not send a message ({text})")
