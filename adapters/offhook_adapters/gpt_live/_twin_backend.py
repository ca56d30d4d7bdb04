"""The backend behind the twin: responses of the Responses API, wrapped in the session's events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from offhook_adapters.openai_realtime.twin_dialect import Tell
from offhook_adapters.twins.desk import WireCall

__all__ = ["TwinBackend"]

_LETTERS_PER_TOKEN: Final = 4


class TwinBackend:
    """At most one response at a time. ``read`` and ``given`` count what is metered."""

    def __init__(self, tell: Tell, model: str, created_at: int) -> None:
        self._tell = tell
        self._model = model
        self._created_at = created_at
        self._delegations = 0
        self._responses = 0
        self._sequence = 0
        self._items = 0
        self._open = False
        self._context = self._cached = self._given = 0

    @property
    def open(self) -> bool:
        """Whether a response is under way."""
        return self._open

    def read(self, text: str) -> None:
        """Text that the backend has before it."""
        self._context += -(-len(text) // _LETTERS_PER_TOKEN)

    def delegate(self, offset_ms: int) -> None:
        """The talking model hands work over, unless it has."""
        if self._open:
            return
        self._delegations += 1
        delegation = {"type": "delegation", "id": self._delegation, "target": "responses"}
        delegation["response_id"] = f"resp_{self._responses + 1:04d}"
        self._tell("session.delegation.created", delegation=delegation, offset_ms=offset_ms)
        self.begin()

    def begin(self) -> None:
        """A response begins."""
        self._open = True
        self._responses += 1
        self._given = 0
        self._event("response.created", response=self._described("in_progress"))

    def call(self, calls: Sequence[WireCall]) -> None:
        """The response under way wants tools run, and ends with that."""
        for index, call in enumerate(calls):
            self._items += 1
            item = {"type": "function_call", "id": f"fc_{self._items:04d}", "call_id": call.id}
            item |= {"name": call.name, "arguments": "", "status": "in_progress"}
            text = call.arguments_text
            self._event("response.output_item.added", output_index=index, item=item)
            place = {"item_id": item["id"], "output_index": index}
            self._event("response.function_call_arguments.delta", **place, delta=text)
            self._event("response.function_call_arguments.done", **place, arguments=text)
            item = {**item, "arguments": text, "status": "completed"}
            self._event("response.output_item.done", output_index=index, item=item)
            self._given += -(-len(call.name + text) // _LETTERS_PER_TOKEN)
        self.end()

    def end(self) -> None:
        """The response under way ends, if there is one."""
        if not self._open:
            return
        self._open = False
        described = self._described("completed") | {"usage": self._bill()}
        self._event("response.completed", response=described)

    @property
    def _delegation(self) -> str:
        return f"dlg_{self._delegations:04d}"

    def _bill(self) -> dict[str, Any]:
        taken, cached = self._context, self._cached
        self._cached, self._context = taken, taken + self._given
        return {
            "input_tokens": taken,
            "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": 0},
            "output_tokens": self._given,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": taken + self._given,
        }

    def _described(self, status: str) -> dict[str, Any]:
        """A snapshot as the session sends it: without instructions, tools and output."""
        return {
            "id": f"resp_{self._responses:04d}",
            "object": "response",
            "created_at": self._created_at,
            "model": self._model,
            "status": status,
            "instructions": None,
            "output": [],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }

    def _event(self, kind: str, **fields: Any) -> None:
        self._sequence += 1
        event = {"type": kind, "sequence_number": self._sequence, **fields}
        self._tell("response.event", delegation_id=self._delegation, event=event)
