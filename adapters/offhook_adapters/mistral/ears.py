"""Mistral's realtime transcription as a cascade's ears: the vendor itself finds the caller's turns."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from offhook.audio import LINE_RATE, Samples
from offhook_adapters.cascade.incoming import Incoming
from offhook_adapters.cascade.meter import SoundMeter
from offhook_adapters.cascade.parts import PartFailed, TurnListener
from offhook_adapters.cascade.standby import opened
from offhook_adapters.mistral._trouble import broke_off, is_unknown, not_configured, not_connected
from offhook_adapters.mistral.config import MistralSettings
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.quiet import unlogged
from offhook_adapters.wires.reading import write_until_closed
from offhook_adapters.wires.stream import CallStream
from offhook_adapters.wires.trouble import one_line
from offhook_adapters.wires.vendor import VendorError, VendorUnusable

if TYPE_CHECKING:
    from mistralai.client import Mistral
    from mistralai.extra.realtime import RealtimeConnection

__all__ = ["OPEN_SECONDS", "MistralEars", "configured", "open_ears"]

OPEN_SECONDS = 15.0
_PART = "speech-to-text"
_IDLE = frozenset(
    {
        "session.created",
        "session.updated",
        "transcription.done",
        "transcription.language",
        "transcription.segment",
        "turn.eager_end",
        "turn.resume",
    }
)


async def open_ears(
    client: Mistral, settings: MistralSettings, stream: CallStream, where: str, key: str
) -> MistralEars:
    """Connects and configures.

    Raises:
        VendorError: the platform did not take it; VendorUnusable where it never will.
    """
    from mistralai.client.models import AudioFormat, TurnDetectionConfig

    async def connect() -> RealtimeConnection:
        with unlogged(key):
            return await client.audio.realtime.connect(
                settings.hearing_model,
                audio_format=AudioFormat(encoding="pcm_s16le", sample_rate=LINE_RATE),
                language=settings.language,
                turn_detection=TurnDetectionConfig(**settings.turn_detection),
                timeout_ms=round(OPEN_SECONDS * 1000),
            )

    try:
        connection = await opened(connect, _close)
    except Exception as error:
        raise not_connected(error, where, key, check="base_url and hearing_model") from None
    incoming: Incoming[Any] = Incoming(connection.events())
    try:
        session = (await configured(incoming, _PART, where, key)).session
        if session.turn_detection is None or not hasattr(session.turn_detection, "end_threshold"):
            raise VendorUnusable(
                f"{settings.hearing_model} does not find turns: choose another hearing_model"
            )
    except BaseException:
        await incoming.stop()
        await connection.close()
        raise
    return MistralEars(connection, incoming, stream, key)


async def configured(incoming: Incoming[Any], part: str, where: str, key: str) -> Any:
    """Waits until the platform says what it is configured with.

    Raises:
        VendorError: it did not take it, or closed the connection.
    """
    try:
        async with asyncio.timeout(OPEN_SECONDS):
            while (event := await incoming.next()) is not None:
                if is_unknown(event, part, key):
                    continue
                if event.type == "session.updated":
                    return event
                if event.type == "error":
                    raise not_configured(event.error, where, key)
    except TimeoutError:
        raise VendorError(
            f"{where} did not open {part} within {OPEN_SECONDS:.0f} s: try again later"
        ) from None
    except VendorError:
        raise
    except PartFailed as error:
        raise VendorError(f"{error}: see whether there is a newer offhook") from None
    except Exception as error:
        raise not_connected(error, where, key, check="the options") from None
    raise VendorError(f"{where} closed {part} before it was open: try again later")


class MistralEars:
    """A live transcription."""

    def __init__(
        self, connection: RealtimeConnection, incoming: Incoming[Any], stream: CallStream, key: str
    ) -> None:
        self._connection = connection
        self._incoming = incoming
        self._stream = stream
        self._key = key
        self._meter = SoundMeter(stream)
        self._outbox: Outbox[bytes] = Outbox(connection.send_audio, bytes)
        self._words = ""

    def hear(self, frame: Samples) -> bool:
        taken = self._outbox.frame(frame)
        if taken:
            self._meter.frame()
        return taken

    async def run(self, listener: TurnListener) -> None:
        sending = asyncio.ensure_future(write_until_closed(self._outbox.run))
        try:
            while (event := await self._next()) is not None:
                self._take(event, listener)
            raise PartFailed("connection_lost", f"the platform closed {_PART} during the call")
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def close(self) -> None:
        """Hangs up."""
        self._meter.settle()
        await self._incoming.stop()
        await self._connection.close()

    async def _next(self) -> Any:
        try:
            return await self._incoming.next()
        except Exception as error:
            raise broke_off(error, _PART, self._key) from None

    def _take(self, event: Any, listener: TurnListener) -> None:
        if is_unknown(event, _PART, self._key):
            self._stream.unknown(str(event.type))
            return
        match event.type:
            case "turn.start":
                listener.caller_began()
                listener.caller_insists()
            case "transcription.text.delta":
                self._words += event.text
            case "turn.end":
                # Text and turns come from the same steps of one model, and a turn ends after more silence
                # than the text lags behind (500 ms to 480 ms by default), so the words are all there. Should
                # one come later all the same, it is the next turn's.
                words, self._words = self._words, ""
                listener.caller_stopped()
                listener.caller_said(words)
            case "error":
                self._stream.note(
                    "transcription_error",
                    f"{event.error.code}: {one_line(str(event.error.message), self._key)}",
                )
            case kind if kind not in _IDLE:
                self._stream.unknown(str(kind))


async def _close(connection: RealtimeConnection) -> None:
    await connection.close()
