"""The conversation as a chat model is told it: what the caller was heard to say, what the agent said as far
as the caller heard it, and what the tools answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from offhook_adapters.cascade.parts import Wanted

__all__ = ["History", "Message", "heard_part"]

Message = dict[str, Any]


class History:
    """The messages of one call, those of Chat Completions."""

    def __init__(self, prompt: str) -> None:
        self._messages: list[Message] = [{"role": "system", "content": prompt}]

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        """A copy that does not change any more."""
        return tuple(dict(message) for message in self._messages)

    def caller(self, text: str) -> None:
        """The caller said something. What follows on the caller's own words is one message with them."""
        last = self._messages[-1]
        if last["role"] == "user":
            last["content"] = f"{last['content']} {text}"
        else:
            self._messages.append({"role": "user", "content": text})

    def agent(self) -> Message:
        """The agent begins to say something; ``said`` and ``wants`` fill the message."""
        message: Message = {"role": "assistant", "content": ""}
        self._messages.append(message)
        return message

    def said(self, message: Message, text: str) -> None:
        """What the agent has said in a message, or how much of it was heard. Of nothing, nothing is left."""
        message["content"] = text
        if not text and "tool_calls" not in message:
            self._messages = [each for each in self._messages if each is not message]

    def wants(self, message: Message, calls: Sequence[Wanted]) -> None:
        """The tools the agent called with a message."""
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]

    def result(self, call: Wanted, output: str) -> None:
        """What a tool answered."""
        self._messages.append({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": output})


def heard_part(text: str, share: float) -> str:
    """The words of a text that fit into a share of its sound, 0 to 1; a word that was cut off is left out.

    No platform of this family says when each of its words sounds, so each takes as long as it is written.
    """
    if share >= 1:
        return text
    kept = text[: int(len(text) * max(0.0, share))]
    whole = kept.rpartition(" ")[0] if text[len(kept) : len(kept) + 1].strip() else kept
    return whole.rstrip()
