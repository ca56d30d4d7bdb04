"""The two WebSockets of Gradium's twin: speech-to-text and text-to-speech."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, Final

import attrs
from gradium.speech import STTSetup, TTSSetup  # type: ignore[import-untyped]

from offhook.audio import LINE_RATE, Clip, Samples
from offhook_adapters.cascade.twin_parts import House, Speaking, TwinHearing
from offhook_adapters.gradium.config import catalogue
from offhook_adapters.twins.pipe import PIECE_SECONDS, Pipe

__all__ = ["EarsWire", "VoiceWire", "strange"]

# The messages of a client and their fields besides ``type``, as the SDK (gradium 0.6.4) writes them.
_EARS: Final[Mapping[str, frozenset[str]]] = {
    "setup": frozenset(STTSetup.__annotations__),
    "audio": frozenset({"audio"}),
    "flush": frozenset({"flush_id"}),
    "end_of_stream": frozenset(),
}
_VOICE: Final[Mapping[str, frozenset[str]]] = {
    "setup": frozenset(TTSSetup.__annotations__) | {"close_ws_on_eos"},
    "text": frozenset({"text", "client_req_id"}),
    "end_of_stream": frozenset({"client_req_id"}),
}
_FORMATS: Final = {"pcm_8000": 8000, "pcm_16000": 16000, "pcm_24000": 24000}
_REFUSED: Final = 1008
_STEP_FRAMES: Final = 4
_HORIZONS: Final = (0.5, 1.0, 3.0, 2.0)


def strange(count: int) -> Mapping[str, Any]:
    """An event nobody documented."""
    return {"type": "mood", "mood": "fine", "number": count}


@attrs.frozen
class _Refused(Exception):
    message: str


class _Wire:
    """What both have in common: a setup first, then ready."""

    fields: Mapping[str, frozenset[str]] = {}

    def __init__(self, pipe: Pipe, house: House, refused: str) -> None:
        self._pipe = pipe
        self._house = house
        self._refused = refused
        self._set_up = False

    def begin(self) -> None:
        if self._refused:
            self._refuse(self._refused)

    def take(self, message: str | bytes) -> None:
        if self._refused:
            return
        try:
            event = self._read(message)
            if event["type"] == "audio":
                self._house.log.received.append({"type": "audio", "letters": len(event["audio"])})
            else:
                self._house.log.received.append(event)
            if event["type"] == "setup":
                if self._set_up:
                    raise _Refused("there was a setup already")
                self._set_up = True
                self._open(event)
            elif not self._set_up:
                raise _Refused("send a setup first")
            else:
                self._take(event)
        except _Refused as error:
            self._refuse(error.message)

    def _read(self, message: str | bytes) -> dict[str, Any]:
        try:
            event = json.loads(message)
        except ValueError:
            raise _Refused("the message is not JSON") from None
        kind = str(event.get("type")) if isinstance(event, dict) else ""
        if kind not in self.fields:
            raise _Refused(f"there is no message {kind!r}")
        if unknown := sorted(set(event) - self.fields[kind] - {"type"}):
            raise _Refused(f"{kind} has no {unknown[0]!r}")
        return dict(event)

    def _ready(self, **fields: Any) -> None:
        self._pipe.put({"type": "ready", "request_id": f"request-{len(self._house.log.sent):06d}", **fields})

    def _refuse(self, message: str) -> None:
        self._pipe.put({"type": "error", "message": message, "code": _REFUSED})
        self._pipe.close(_REFUSED, message)

    def _open(self, setup: Mapping[str, Any]) -> None:
        raise NotImplementedError

    def _take(self, event: Mapping[str, Any]) -> None:
        raise NotImplementedError


class EarsWire(_Wire):
    """One session of speech-to-text, which ends after so many seconds of sound."""

    fields = _EARS

    def __init__(self, pipe: Pipe, house: House, refused: str, longest: float) -> None:
        super().__init__(pipe, house, refused)
        self._longest = longest
        self._hearing: TwinHearing | None = None
        self._frames = 0
        self._over = False

    async def close(self) -> None:
        if self._hearing is not None:
            await self._hearing.close()

    def turn_began(self, at: float) -> None:
        self._pipe.odd()

    def turn_ended(self, at: float, text: str) -> None:
        for word in text.split():
            self._pipe.put({"type": "text", "text": word, "start_s": round(at, 2)})

    def _open(self, setup: Mapping[str, Any]) -> None:
        _known_model(setup)
        rate = _FORMATS.get(setup.get("input_format", "wav"))
        if rate is None:
            raise _Refused(f"this twin hears {', '.join(_FORMATS)}, not {setup.get('input_format')!r}")
        _detail(setup)
        self._hearing = TwinHearing(self._house, self, rate=rate, told=self._frame)
        self._ready(model_name="default", sample_rate=rate, frame_size=rate // 25 * 2, delay_in_frames=12)

    def _take(self, event: Mapping[str, Any]) -> None:
        assert self._hearing is not None
        match event["type"]:
            case "audio":
                self._hear(self._hearing, event["audio"])
            case "flush":
                flush_id = event.get("flush_id", 0)
                self._hearing.flush()
                self._hearing.then(lambda: self._pipe.put({"type": "flushed", "flush_id": flush_id}))
            case "end_of_stream":
                self._hearing.then(self._end)

    def _hear(self, hearing: TwinHearing, audio: Any) -> None:
        if self._over:
            return
        hearing.hear(_pcm(audio))
        if hearing.seconds > self._longest:
            self._over = True
            self._refuse("the session has reached its longest")

    def _frame(self, probability: float) -> None:
        self._frames += 1
        if self._frames % _STEP_FRAMES or self._hearing is None:
            return
        silent = 0.04 if self._hearing.speaking else 0.97
        vad = [{"horizon_s": horizon, "inactivity_prob": silent} for horizon in sorted(_HORIZONS)]
        at = round(self._frames * 0.02, 2)
        step = {"type": "step", "vad": vad, "step_idx": self._frames // _STEP_FRAMES, "total_duration_s": at}
        self._pipe.put({**step, "step_duration_s": 0.08})

    def _end(self) -> None:
        self._pipe.put({"type": "end_of_stream"})
        self._pipe.close(1000, "")


class VoiceWire(_Wire):
    """One session of text-to-speech."""

    fields = _VOICE

    def __init__(self, pipe: Pipe, house: House, refused: str) -> None:
        super().__init__(pipe, house, refused)
        self._speaking = Speaking(house)
        self._rate = LINE_RATE
        self._talking: asyncio.Task[None] | None = None
        self._said = 0.0

    async def close(self) -> None:
        if self._talking is not None:
            self._talking.cancel()
            await asyncio.gather(self._talking, return_exceptions=True)

    def _open(self, setup: Mapping[str, Any]) -> None:
        _known_model(setup)
        if setup.get("voice_id") != catalogue().default_voice:
            raise _Refused(f"there is no voice {setup.get('voice_id')!r}")
        formats = {"pcm": 48_000, **_FORMATS}
        if setup.get("output_format") not in formats:
            raise _Refused(f"this twin speaks {', '.join(formats)}, not {setup.get('output_format')!r}")
        self._rate = formats[setup["output_format"]]
        _detail(setup)
        self._talking = asyncio.ensure_future(self._speak())
        self._ready(model_name="default", sample_rate=self._rate, frame_size=self._rate // 25 * 2)

    def _take(self, event: Mapping[str, Any]) -> None:
        if event["type"] == "text":
            self._speaking.add(event["text"])
        else:
            self._speaking.finish()

    async def _speak(self) -> None:
        async for text, samples in self._speaking.clips():
            sound = Clip(samples).at_rate(self._rate).samples
            began, piece = self._said, round(PIECE_SECONDS * self._rate)
            for start in range(0, len(sound), piece):
                self._sound(sound[start : start + piece])
            stamp = {"start_s": round(began, 3), "stop_s": round(self._said, 3)}
            self._pipe.put({"type": "text", "text": text.strip(), **stamp})
        self._pipe.put({"type": "end_of_stream"})
        self._pipe.close(1000, "")

    def _sound(self, samples: Samples) -> None:
        seconds = len(samples) / self._rate
        stamp = {"start_s": round(self._said, 3), "stop_s": round(self._said + seconds, 3)}
        self._said += seconds
        audio = base64.b64encode(samples.astype("<i2").tobytes()).decode("ascii")
        self._pipe.put({"type": "audio", "audio": audio, **stamp}, seconds)


def _known_model(setup: Mapping[str, Any]) -> None:
    if setup.get("model_name", "default") != "default":
        raise _Refused(f"there is no model {setup['model_name']!r}")


def _detail(setup: Mapping[str, Any]) -> None:
    detail = setup.get("json_config")
    try:
        known = detail is None or isinstance(json.loads(detail), dict)
    except (TypeError, ValueError):
        known = False
    if not known:
        raise _Refused("json_config is no JSON object as text")


def _pcm(audio: Any) -> bytes:
    try:
        pcm = base64.b64decode(audio, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise _Refused("audio is not base64") from None
    if len(pcm) % 2:
        raise _Refused("audio ends within a 16-bit sample")
    return pcm
