"""The model's turns on the twin's wire, and what they are metered at."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import attrs
import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook_adapters.twins.desk import WireCall
from offhook_adapters.twins.pipe import PIECE_SECONDS

__all__ = ["Meter", "Turns", "fragments"]

Tell = Callable[[dict[str, Any], float], None]

_PIECE: Final = round(PIECE_SECONDS * LINE_RATE)
_TYPE: Final = f"audio/pcm;rate={LINE_RATE}"
# Audio tokens a second (ai.google.dev/gemini-api/docs/live-api, read 2026-11-30). Of text only the order of
# magnitude matters.
_AUDIO_PER_SECOND: Final = 25
_LETTERS_PER_TOKEN: Final = 4
_WORDS_TOGETHER: Final = 3


@attrs.define
class _Tokens:
    text: int = 0
    audio: int = 0


class Meter:
    """Counts tokens as the vendor does: each turn pays for all that was said before it."""

    def __init__(self) -> None:
        self._context = _Tokens()
        self._given = _Tokens()

    def read(self, text: str) -> None:
        """Text that became part of the conversation."""
        self._context.text += -(-len(text) // _LETTERS_PER_TOKEN)

    def heard(self, seconds: float) -> None:
        """Sound of the caller."""
        self._context.audio += round(seconds * _AUDIO_PER_SECOND)

    def said(self, seconds: float) -> None:
        """Sound of the agent."""
        self._given.audio += round(seconds * _AUDIO_PER_SECOND)

    def bill(self) -> dict[str, Any]:
        """The usage of a turn that ends now."""
        taken, given = self._context, self._given
        self._context = _Tokens(taken.text + given.text, taken.audio + given.audio)
        self._given = _Tokens()
        inputs, outputs = taken.text + taken.audio, given.text + given.audio
        return {
            "promptTokenCount": inputs,
            "responseTokenCount": outputs,
            "totalTokenCount": inputs + outputs,
            "promptTokensDetails": _details(taken),
            "responseTokensDetails": _details(given),
        }


def _details(tokens: _Tokens) -> list[dict[str, Any]]:
    counts = {"TEXT": tokens.text, "AUDIO": tokens.audio}
    return [{"modality": kind, "tokenCount": count} for kind, count in counts.items() if count]


class Turns:
    """At most one turn at a time. It is over when its sound would have been played, as the vendor has it, or
    when the caller talks over it.
    """

    def __init__(self, tell: Tell, begun: Callable[[], None], meter: Meter, *, transcribed: bool) -> None:
        self._tell = tell
        self._begun = begun
        self._meter = meter
        self._transcribed = transcribed
        self._loop = asyncio.get_running_loop()
        self._playing_until = 0.0
        self._ending: asyncio.TimerHandle | None = None
        self._spoke = False
        self.open = False

    def say(self, text: str, samples: Samples) -> None:
        """An utterance, all of it at once."""
        self._begin()
        if self._transcribed:
            for piece in fragments(f" {text}" if self._spoke else text):
                self._content(outputTranscription={"text": piece})
        self._spoke = True
        for sound in _pieces(samples):
            blob = {"mimeType": _TYPE, "data": base64.b64encode(sound).decode("ascii")}
            self._content(seconds=PIECE_SECONDS, modelTurn={"parts": [{"inlineData": blob}]})
        seconds = len(samples) / LINE_RATE
        self._playing_until = max(self._playing_until, self._loop.time()) + seconds
        self._meter.said(seconds)

    def call(self, calls: Sequence[WireCall]) -> None:
        """Tool calls, after which the turn waits for their answers."""
        self._begin()
        told = [{"id": call.id, "name": call.name, "args": call.arguments} for call in calls]
        self._tell({"toolCall": {"functionCalls": told}}, 0.0)

    def generated(self) -> None:
        """The model has no more to say in this turn."""
        if self.open and self._ending is None:
            self._content(generationComplete=True)
            self._ending = self._loop.call_at(self._playing_until, self._end)

    def interrupt(self) -> None:
        """The caller talks over the turn."""
        if self.open:
            self._content(interrupted=True)
            self._playing_until = self._loop.time()
            self._end()

    def close(self) -> None:
        """The client is gone."""
        self._stop()

    def _begin(self) -> None:
        if self._ending is not None:
            self._end()
        if not self.open:
            self.open, self._spoke = True, False
            self._begun()

    def _end(self) -> None:
        self._stop()
        self.open = False
        content = {"turnComplete": True, "interactionStatus": "IDLE"}
        self._tell({"serverContent": content, "usageMetadata": self._meter.bill()}, 0.0)

    def _stop(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None

    def _content(self, seconds: float = 0.0, **content: Any) -> None:
        self._tell({"serverContent": content}, seconds)


def fragments(text: str) -> Iterator[str]:
    """A transcript as it comes: a few words at a time, blanks included."""
    words = re.findall(r"\s*\S+", text)
    for start in range(0, len(words), _WORDS_TOGETHER):
        yield "".join(words[start : start + _WORDS_TOGETHER])


def _pieces(samples: Samples) -> Iterator[bytes]:
    sound = np.ascontiguousarray(samples, dtype="<i2")
    for start in range(0, len(sound), _PIECE):
        yield sound[start : start + _PIECE].tobytes()
