"""What the twin says, in the vendor's events: responses, their items, and what they are metered at."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs
import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook_adapters.openai_realtime.twin_dialect import Tell

__all__ = ["Conversation", "Meter", "Responses"]

# The vendor's published rates: a token for 100 ms of the caller's sound, one for 50 ms of the agent's.
_HEARD_PER_SECOND: Final = 10
_SPOKEN_PER_SECOND: Final = 20
_LETTERS_PER_TOKEN: Final = 4
_DELTA_SAMPLES: Final = LINE_RATE // 5


@attrs.define
class _Tokens:
    text: int = 0
    audio: int = 0


class Meter:
    """Counts tokens as the vendor does: each response pays for the whole conversation before it, of which the
    part that the response before had read is cached.
    """

    def __init__(self) -> None:
        self._context = _Tokens()
        self._cached = _Tokens()
        self._given = _Tokens()

    def read(self, text: str) -> None:
        """Text that became part of the conversation."""
        self._context.text += _tokens(text)

    def heard(self, seconds: float) -> None:
        """Sound of the caller."""
        self._context.audio += round(seconds * _HEARD_PER_SECOND)

    def said(self, text: str, seconds: float) -> None:
        """Sound of the agent, with its transcript."""
        self._given.text += _tokens(text)
        self._given.audio += round(seconds * _SPOKEN_PER_SECOND)

    def bill(self) -> dict[str, Any]:
        """The usage of a response that ends now."""
        taken, cached, given = self._context, self._cached, self._given
        self._cached = _Tokens(taken.text, taken.audio)
        self._context = _Tokens(taken.text + given.text, taken.audio + given.audio)
        self._given = _Tokens()
        inputs, outputs = taken.text + taken.audio, given.text + given.audio
        return {
            "total_tokens": inputs + outputs,
            "input_tokens": inputs,
            "output_tokens": outputs,
            "input_token_details": {
                "text_tokens": taken.text,
                "audio_tokens": taken.audio,
                "cached_tokens": cached.text + cached.audio,
                "cached_tokens_details": {"text_tokens": cached.text, "audio_tokens": cached.audio},
            },
            "output_token_details": {"text_tokens": given.text, "audio_tokens": given.audio},
        }


def _tokens(text: str) -> int:
    return -(-len(text) // _LETTERS_PER_TOKEN)


class Conversation:
    """Items in their order. ``spoken`` holds the milliseconds of each agent item's sound."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._last: str | None = None
        self._count = 0
        self.spoken: dict[str, int] = {}

    def next_id(self) -> str:
        self._count += 1
        return f"item_{self._count:04d}"

    def added(self, item: Mapping[str, Any]) -> None:
        """A new item."""
        self._tell("conversation.item.added", previous_item_id=self._last, item=dict(item))

    def done(self, item: Mapping[str, Any]) -> None:
        """The item is whole."""
        self._tell("conversation.item.done", previous_item_id=self._last, item=dict(item))
        self._last = item["id"]


class Responses:
    """At most one response at a time, as in the default conversation."""

    def __init__(self, tell: Tell, conversation: Conversation, meter: Meter) -> None:
        self._tell = tell
        self._conversation = conversation
        self._meter = meter
        self._count = 0
        self._id = ""
        self._output: list[dict[str, Any]] = []

    @property
    def open(self) -> bool:
        return bool(self._id)

    def begin(self) -> None:
        """Opens a response, unless one is open."""
        if self._id:
            return
        self._count += 1
        self._id, self._output = f"resp_{self._count:04d}", []
        self._tell("response.created", response=self._described("in_progress"))

    def end(self, status: str = "completed", reason: str | None = None) -> None:
        """Closes the open response, if there is one."""
        if not self._id:
            return
        described = self._described(status)
        described["usage"] = self._meter.bill()
        if reason is not None:
            described["status_details"] = {"type": status, "reason": reason}
        self._tell("response.done", response=described)
        self._id, self._output = "", []

    def say(self, text: str, samples: Samples) -> None:
        """An item of speech, all of it at once."""
        self.begin()
        item_id = self._conversation.next_id()
        item = {"id": item_id, "type": "message", "role": "assistant", "content": []}
        self._item_added({**item, "status": "in_progress"})
        place = self._place(item_id) | {"content_index": 0}
        self._tell("response.content_part.added", **place, part={"type": "audio", "transcript": ""})
        self._tell("response.output_audio_transcript.delta", **place, delta=text)
        for sound in _deltas(samples):
            self._tell("response.output_audio.delta", **place, delta=sound)
        self._tell("response.output_audio.done", **place)
        self._tell("response.output_audio_transcript.done", **place, transcript=text)
        self._tell("response.content_part.done", **place, part={"type": "audio", "transcript": text})
        content = [{"type": "output_audio", "transcript": text}]
        self._item_done({**item, "status": "completed", "content": content})
        seconds = len(samples) / LINE_RATE
        self._conversation.spoken[item_id] = int(seconds * 1000)
        self._meter.said(text, seconds)

    def call(self, call_id: str, name: str, text: str) -> None:
        """A tool call; ``text`` holds its arguments."""
        self.begin()
        item_id = self._conversation.next_id()
        item = {"id": item_id, "type": "function_call", "name": name, "call_id": call_id, "arguments": ""}
        self._item_added({**item, "status": "in_progress"})
        place = self._place(item_id) | {"call_id": call_id}
        self._tell("response.function_call_arguments.delta", **place, delta=text)
        self._tell("response.function_call_arguments.done", **place, name=name, arguments=text)
        self._item_done({**item, "status": "completed", "arguments": text})
        self._meter.said(name + text, 0.0)

    def _place(self, item_id: str) -> dict[str, Any]:
        return {"response_id": self._id, "item_id": item_id, "output_index": len(self._output)}

    def _item_added(self, item: dict[str, Any]) -> None:
        place = {"response_id": self._id, "output_index": len(self._output)}
        self._tell("response.output_item.added", **place, item=item)
        self._conversation.added(item)

    def _item_done(self, item: dict[str, Any]) -> None:
        place = {"response_id": self._id, "output_index": len(self._output)}
        self._tell("response.output_item.done", **place, item=item)
        self._conversation.done(item)
        self._output.append(item)

    def _described(self, status: str) -> dict[str, Any]:
        return {
            "id": self._id,
            "object": "realtime.response",
            "status": status,
            "conversation_id": "conv_0001",
            "output_modalities": ["audio"],
            "output": list(self._output),
        }


def _deltas(samples: Samples) -> Iterator[str]:
    sound = np.ascontiguousarray(samples, dtype="<i2")
    for start in range(0, len(sound), _DELTA_SAMPLES):
        yield base64.b64encode(sound[start : start + _DELTA_SAMPLES].tobytes()).decode("ascii")
