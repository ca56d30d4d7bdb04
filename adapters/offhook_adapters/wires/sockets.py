"""What every vendor's WebSocket has in common: how large a message may be, and how a dead one is cut off."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["LARGEST", "cut"]

LARGEST: Final = 16 * 1024 * 1024
"""Bytes of the largest message that is read; a second of sound is under 100,000."""


def cut(socket: Any) -> None:
    """Breaks a connection of the ``websockets`` package off, with all that waits to be read or written. A
    goodbye that the other end takes no notice of would wait for ever.
    """
    socket.transport.abort()
