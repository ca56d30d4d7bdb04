"""The two WebSockets of Mistral's twin: transcription, and speech."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook_adapters.cascade.twin_parts import House, Speaking, TwinHearing
from offhook_adapters.mistral._twin_checks import (
    CLIENT_EARS,
    CLIENT_VOICE,
    SERVER_EARS,
    SERVER_VOICE,
    WireError,
    checked,
    decoded,
    read,
)
from offhook_adapters.mistral.prices import catalogue
from offhook_adapters.reference.turns import TurnSettings
from offhook_adapters.twins.pipe import PIECE_SECONDS, Pipe

__all__ = ["EarsWire", "VoiceWire", "strange"]

_RATES: Final = (8000, 16000, 22050, 24000, 44100, 48000)
_WORDS_A_DELTA: Final = 3
_NO_VOICE: Final = 1008


def strange(count: int) -> Mapping[str, Any]:
    """An event nobody documented."""
    return {"type": "transcription.mood", "mood": "fine", "number": count}


class EarsWire:
    """One transcription."""

    def __init__(self, pipe: Pipe, house: House, model: str) -> None:
        self._pipe = pipe
        self._house = house
        self._session: dict[str, Any] = {
            "request_id": f"request-{len(house.log.sent):06d}",
            "model": model,
            "audio_format": {"encoding": "pcm_s16le", "sample_rate": 16000},
        }
        self._hearing: TwinHearing | None = None

    def begin(self) -> None:
        self._tell("session.created", session=self._session)

    def take(self, message: str | bytes) -> None:
        try:
            event = read(message)
            checked(CLIENT_EARS, event)
            self._take(event)
        except WireError as error:
            self._tell("error", error={"message": error.message, "code": error.code})

    async def close(self) -> None:
        if self._hearing is not None:
            await self._hearing.close()

    def _take(self, event: Mapping[str, Any]) -> None:
        match event["type"]:
            case "input_audio.append":
                pcm = decoded(event["audio"])
                self._house.log.received.append({"type": event["type"], "bytes": len(pcm)})
                self._listening().hear(pcm)
            case "session.update":
                self._house.log.received.append(event)
                self._update(event["session"])
            case "input_audio.end":
                self._house.log.received.append(event)
                seconds = round(self._hearing.seconds) if self._hearing is not None else 0
                self._tell(
                    "transcription.done",
                    model=self._session["model"],
                    text="",
                    usage={"prompt_audio_seconds": seconds},
                    language=None,
                )
                self._pipe.close(1000, "")
            case _:
                self._house.log.received.append(event)

    def _update(self, update: Mapping[str, Any]) -> None:
        if self._hearing is not None:
            raise WireError(400, "session fields cannot be changed after audio has started")
        form = update.get("audio_format") or self._session["audio_format"]
        if form["encoding"] != "pcm_s16le" or form["sample_rate"] not in _RATES:
            raise WireError(400, f"this twin hears pcm_s16le at {', '.join(map(str, _RATES))} Hz")
        detection = update.get("turn_detection")
        if detection is not None and "realtime-3" not in self._session["model"]:
            raise WireError(400, f"{self._session['model']} has no turn detection")
        self._session |= {name: value for name, value in update.items() if value is not None}
        if detection is not None:
            usual = {"start_threshold": 0.5, "eager_end_threshold": 0.5, "end_threshold": 0.33}
            self._session["turn_detection"] = {**usual, "min_silence_ms": 500, **detection}
        self._tell("session.updated", session=self._session)

    def _listening(self) -> TwinHearing:
        if self._hearing is None:
            detection = self._session.get("turn_detection") or {}
            quiet = detection.get("min_silence_ms", 500) / 1000 + 0.1
            rate = self._session["audio_format"]["sample_rate"]
            self._hearing = TwinHearing(self._house, self, rate=rate, turns=TurnSettings(hangover=quiet))
        return self._hearing

    def turn_began(self, at: float) -> None:
        if "turn_detection" in self._session:
            self._tell("turn.start", time_s=round(at, 2))
            self._pipe.odd()

    def turn_ended(self, at: float, text: str) -> None:
        words = text.split(" ") if text else []
        for first in range(0, len(words), _WORDS_A_DELTA):
            piece = " ".join(words[first : first + _WORDS_A_DELTA])
            self._tell("transcription.text.delta", text=piece if first == 0 else f" {piece}")
        if "turn_detection" in self._session:
            self._tell("turn.end", time_s=round(at, 2), end_reason="threshold")

    def _tell(self, kind: str, **fields: Any) -> None:
        event = {"type": kind, **fields}
        checked(SERVER_EARS, event)
        self._pipe.put(event)


class VoiceWire:
    """Speech for one utterance."""

    def __init__(self, pipe: Pipe, house: House, model: str) -> None:
        self._pipe = pipe
        self._house = house
        self._letters = 0
        self._session: dict[str, Any] = {
            "request_id": f"request-{len(house.log.sent):06d}",
            "model": model,
            "is_ref_audio": False,
            "streaming_mode": "responsive",
            "response_format": "wav",
            "expressiveness": 1.0,
        }
        self._speaking = Speaking(house)
        self._talking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._tell("session.created", session=self._session)

    def take(self, message: str | bytes) -> None:
        try:
            event = read(message)
            self._house.log.received.append(event)
            checked(CLIENT_VOICE, event)
            self._take(event)
        except WireError as error:
            self._tell("error", error={"message": error.message, "code": error.code})

    async def close(self) -> None:
        if self._talking is not None:
            self._talking.cancel()
            await asyncio.gather(self._talking, return_exceptions=True)

    def _take(self, event: Mapping[str, Any]) -> None:
        match event["type"]:
            case "session.update":
                self._update(event["session"])
            case "input_text.append":
                self._letters += len(event["text"])
                self._talk().add(event["text"])
            case "input_text.flush":
                self._talk().add(event.get("text") or "")
                self._speaking.flush()
            case "input_text.end":
                self._talk().finish()

    def _update(self, update: Mapping[str, Any]) -> None:
        if self._talking is not None:
            raise WireError(400, "session fields cannot be changed after text has started")
        if update.get("response_format", "pcm") != "pcm":
            raise WireError(400, "this twin speaks pcm")
        if update.get("voice") not in (None, catalogue().default_voice):
            self._pipe.close(_NO_VOICE, f"Voice {update['voice']} not found")
            return
        self._session |= {name: value for name, value in update.items() if value is not None}
        self._tell("session.updated", session=self._session)

    def _talk(self) -> Speaking:
        if self._talking is None:
            self._talking = asyncio.ensure_future(self._speak())
        return self._speaking

    async def _speak(self) -> None:
        async for _, samples in self._speaking.clips():
            piece = round(PIECE_SECONDS * LINE_RATE)
            for start in range(0, len(samples), piece):
                self._sound(samples[start : start + piece])
        usage = {"prompt_tokens": self._letters, "completion_tokens": 0, "total_tokens": self._letters}
        self._tell("speech.audio.done", usage=usage)
        self._pipe.close(1000, "")

    def _sound(self, samples: Samples) -> None:
        floats = (samples.astype(np.float32) / 32768).astype("<f4").tobytes()
        event = {"type": "speech.audio.delta", "audio_data": base64.b64encode(floats).decode("ascii")}
        checked(SERVER_VOICE, event)
        self._pipe.put(event, len(samples) / LINE_RATE)

    def _tell(self, kind: str, **fields: Any) -> None:
        event = {"type": kind, **fields}
        checked(SERVER_VOICE, event)
        self._pipe.put(event)
