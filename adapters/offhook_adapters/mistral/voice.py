"""Mistral's realtime speech as a cascade's voice: a connection an utterance, the next one held ready."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TYPE_CHECKING, Any, Final

import attrs
import numpy as np

from offhook.audio import Samples
from offhook_adapters.cascade.incoming import Incoming
from offhook_adapters.cascade.meter import SPOKEN_CHARACTERS
from offhook_adapters.cascade.parts import PartFailed, Sound
from offhook_adapters.cascade.standby import Standby
from offhook_adapters.mistral._trouble import broke_off, is_unknown, not_connected
from offhook_adapters.mistral.config import MistralSettings
from offhook_adapters.mistral.ears import OPEN_SECONDS, configured
from offhook_adapters.wires.quiet import unlogged
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.trouble import one_line
from offhook_adapters.wires.vendor import VendorError

if TYPE_CHECKING:
    from mistralai.client import Mistral
    from mistralai.extra.realtime import RealtimeSpeechConnection

__all__ = ["SPEECH_RATE", "MistralVoice", "floats_to_samples"]

# "pcm is raw 32-bit float little-endian mono": RealtimeSpeechSessionUpdatePayload of mistralai 3.7.0. The
# wire does not tell the rate; Mistral's speech is 24 kHz (Pipecat 1.14.0's service for it, read 2026-11-30).
SPEECH_RATE: Final = 24_000
_PART: Final = "text-to-speech"
# How long a spare connection is trusted; nothing says after what time an idle one is closed.
_SPARE_SECONDS: Final = 60.0


@attrs.frozen(eq=False)
class _Line:
    connection: RealtimeSpeechConnection
    incoming: Incoming[Any]


class MistralVoice:
    """Speaks one utterance at a time."""

    def __init__(
        self, client: Mistral, settings: MistralSettings, stream: CallStream, where: str, key: str
    ) -> None:
        self._client = client
        self._settings = settings
        self._stream = stream
        self._where = where
        self._key = key
        self._lines: Standby[_Line] = Standby(
            self._open, _close, usable=lambda line: not line.connection.is_closed, lasts=_SPARE_SECONDS
        )

    async def ready(self) -> None:
        """Waits until it can speak.

        Raises:
            VendorError: the platform did not take the connection; VendorUnusable where it never will.
        """
        await self._lines.ready()

    async def close(self) -> None:
        """Lets go of its connections."""
        await self._lines.close()

    async def speak(self, texts: AsyncIterator[str]) -> AsyncGenerator[Sound, None]:
        """See ``CascadeVoice``."""
        try:
            line = await self._lines.take()
        except VendorError as error:
            raise PartFailed("voice_unreachable", str(error)) from None
        feeding = asyncio.ensure_future(self._feed(line, texts))
        rest = b""
        try:
            while (event := await self._next(line)) is not None:
                if is_unknown(event, _PART, self._key):
                    self._stream.unknown(str(event.type))
                    continue
                match event.type:
                    case "speech.audio.delta":
                        samples, rest = floats_to_samples(rest + _decoded(event.audio_data))
                        yield Sound(samples, SPEECH_RATE)
                    case "speech.audio.done":
                        return
                    case "error":
                        text = one_line(str(event.error.message), self._key)
                        raise PartFailed("voice_failed", f"{_PART} failed ({event.error.code}: {text})")
                    case _:
                        pass  # session.created, session.updated
            raise PartFailed("connection_lost", f"the platform closed {_PART} in the middle of an utterance")
        finally:
            feeding.cancel()
            await asyncio.gather(feeding, return_exceptions=True)
            self._lines.give_up(line)
            # Not before: opening one takes the loop milliseconds, which the sound would wait for.
            self._lines.prepare()

    async def _feed(self, line: _Line, texts: AsyncIterator[str]) -> None:
        async for text in texts:
            self._stream.metered({SPOKEN_CHARACTERS: float(len(text))})
            await line.connection.send_text(text)
        await line.connection.end()

    async def _next(self, line: _Line) -> Any:
        try:
            return await line.incoming.next()
        except Exception as error:
            raise broke_off(error, _PART, self._key) from None

    async def _open(self) -> _Line:
        try:
            with unlogged(self._key):
                connection = await self._client.audio.realtime_speech.connect(
                    self._settings.speech_model,
                    voice_id=self._settings.voice,
                    response_format="pcm",
                    timeout_ms=round(OPEN_SECONDS * 1000),
                )
        except Exception as error:
            raise not_connected(
                error, self._where, self._key, check="base_url, speech_model and voice"
            ) from None
        line = _Line(connection, Incoming(connection.events()))
        try:
            await configured(line.incoming, _PART, self._where, self._key)
        except BaseException:
            await _close(line)
            raise
        return line


def floats_to_samples(raw: bytes) -> tuple[Samples, bytes]:
    """32-bit little-endian floats in -1..1 as 16-bit samples, and the bytes that do not fill one yet."""
    whole = len(raw) // 4 * 4
    floats = np.frombuffer(raw[:whole], dtype="<f4")
    scaled = np.clip(np.rint(np.nan_to_num(floats) * 32768), -32768, 32767)
    return scaled.astype(np.int16), raw[whole:]


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise PartFailed("bad_audio", f"{_PART} sent audio that is not base64") from None


async def _close(line: _Line) -> None:
    await line.incoming.stop()
    await line.connection.close()
