"""Gradium's text-to-speech as a cascade's voice: a session an utterance, the next one held ready."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, Final

import numpy as np

from offhook.audio import LINE_RATE
from offhook_adapters.cascade.meter import SPOKEN_CHARACTERS
from offhook_adapters.cascade.parts import PartFailed, Sound
from offhook_adapters.cascade.standby import Standby
from offhook_adapters.gradium.line import Line
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.vendor import VendorError

__all__ = ["GradiumVoice"]

_IDLE: Final = frozenset({"ready", "text"})
# A spare session is given up well before it would end by itself.
_SPARE_SHARE: Final = 0.2


class GradiumVoice:
    """Speaks one utterance at a time. ``longest`` is how many seconds a session lasts at most."""

    def __init__(self, again: Callable[[], Awaitable[Line]], longest: float, stream: CallStream) -> None:
        self._stream = stream
        self._lines: Standby[Line] = Standby(
            again, Line.close, usable=lambda line: not line.closed, lasts=_SPARE_SHARE * longest
        )

    async def ready(self) -> None:
        """Waits until it can speak.

        Raises:
            VendorError: the platform did not take the session; VendorUnusable where it never will.
        """
        await self._lines.ready()

    async def close(self) -> None:
        """Lets go of its sessions."""
        await self._lines.close()

    async def speak(self, texts: AsyncIterator[str]) -> AsyncGenerator[Sound, None]:
        """See ``CascadeVoice``."""
        try:
            line = await self._lines.take()
        except VendorError as error:
            raise PartFailed("voice_unreachable", str(error)) from None
        self._lines.prepare()
        rate = line.ready.get("sample_rate")
        rate = rate if isinstance(rate, int) and rate > 0 else LINE_RATE
        feeding = asyncio.ensure_future(self._feed(line, texts))
        rest = b""
        try:
            while (message := await line.next()) is not None:
                match message["type"]:
                    case "audio":
                        raw = rest + _decoded(message.get("audio"))
                        whole = len(raw) // 2 * 2
                        rest = raw[whole:]
                        yield Sound(np.frombuffer(raw[:whole], dtype="<i2").astype(np.int16), rate)
                    case "end_of_stream":
                        return
                    case kind if kind not in _IDLE:
                        self._stream.unknown(str(kind))
            raise PartFailed("connection_lost", "the platform closed text-to-speech in mid-utterance")
        finally:
            feeding.cancel()
            await asyncio.gather(feeding, return_exceptions=True)
            self._lines.give_up(line)

    async def _feed(self, line: Line, texts: AsyncIterator[str]) -> None:
        async for text in texts:
            self._stream.metered({SPOKEN_CHARACTERS: float(len(text))})
            await line.send({"type": "text", "text": text})
        await line.send({"type": "end_of_stream"})


def _decoded(audio: Any) -> bytes:
    try:
        return base64.b64decode(audio, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise PartFailed("bad_audio", "text-to-speech sent audio that is not base64") from None
