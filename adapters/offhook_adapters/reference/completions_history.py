"""A chat completion request read as what has happened on the call so far."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from offhook.sessions import ToolSchema

__all__ = ["BadRequest", "History", "ToolDone", "UserTurn", "as_json", "read_history", "read_tools"]

# What frameworks write where a result is not there yet, and where it never came.
_RUNNING: Final = "IN_PROGRESS"
_DROPPED: Final = "CANCELLED"


class BadRequest(ValueError):
    """A request no Chat Completions server would take; ``param`` is the member at fault."""

    def __init__(self, message: str, param: str) -> None:
        super().__init__(message)
        self.param = param


@attrs.frozen
class UserTurn:
    """What the caller said between two things the agent did. Empty text is sound without words. ``meanwhile``
    is True where nothing was said to the caller since the last result, so that this can't be an answer.
    """

    text: str
    meanwhile: bool = False


@attrs.frozen
class ToolDone:
    """A tool call the agent made, at the place of its result. ``arguments`` is its JSON text in one form;
    ``output`` is None while the tool still runs.
    """

    call_id: str
    name: str
    arguments: str
    output: str | None


@attrs.frozen
class History:
    """``prompt`` is the first system message, ``opening`` the first assistant message before any turn of the
    caller (empty if there is none), ``items`` what the caller said and which tools were called, in order.
    """

    prompt: str
    opening: str
    items: tuple[UserTurn | ToolDone, ...]

    @property
    def begun(self) -> bool:
        """Whether anybody has said or done anything yet."""
        return bool(self.opening or self.items)

    @property
    def digest(self) -> bytes:
        """SHA-256 of all of it; equal histories, equal digest. Call ids, which a framework may change, are
        left out.
        """
        told = [
            ["user", item.text, item.meanwhile]
            if isinstance(item, UserTurn)
            else ["tool", item.name, item.arguments, item.output]
            for item in self.items
        ]
        return hashlib.sha256(as_json([self.prompt, self.opening, told]).encode()).digest()


def as_json(value: object) -> str:
    """JSON in one form: equal values, equal text. What JSON can't hold is written as its text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def read_history(messages: object) -> History:
    """Reads a request's ``messages``.

    Messages of the caller that follow one another are one turn. A call whose result was dropped was never
    made, and a result of no call is nobody's; neither is an error, for frameworks cut their histories.

    Raises:
        BadRequest: it is not a list of messages.
    """
    if not isinstance(messages, list) or not messages:
        raise BadRequest("messages must be a list with at least one message", "messages")
    reading = _Reading(_outputs(messages))
    for number, message in enumerate(messages):
        where = f"messages[{number}]"
        if not isinstance(message, Mapping):
            raise BadRequest("a message must be an object", where)
        content = _text(message.get("content"), where)
        match message.get("role"):
            case "system" | "developer":
                reading.prompt = content if reading.prompt is None else reading.prompt
            case "user":
                reading.turn.append(content.strip())
            case "assistant":
                reading.answered(content, _calls(message.get("tool_calls"), where))
            case "tool":
                reading.resulted(str(message.get("tool_call_id", "")))
            case other:
                raise BadRequest(f"there is no role {other!r}", f"{where}.role")
    return reading.history()


@attrs.define
class _Reading:
    """A history in the making. ``outputs`` are the results by call id."""

    outputs: Mapping[str, str]
    prompt: str | None = None
    turn: list[str] = attrs.field(factory=list)
    _opening: str = ""
    _items: list[UserTurn | ToolDone] = attrs.field(factory=list)
    _made: dict[str, tuple[str, str]] = attrs.field(factory=dict)
    _spoke: bool = True

    def history(self) -> History:
        self._finish_turn()
        return History(self.prompt or "", self._opening, tuple(self._items))

    def answered(self, content: str, calls: Mapping[str, tuple[str, str]]) -> None:
        self._finish_turn()
        if not self._items and not self._opening:
            self._opening = content
        self._spoke = self._spoke or bool(content)
        self._made |= calls

    def resulted(self, call_id: str) -> None:
        self._finish_turn()
        made, output = self._made.pop(call_id, None), self.outputs[call_id]
        if made is not None and output != _DROPPED:
            self._items.append(ToolDone(call_id, *made, None if output == _RUNNING else output))
            self._spoke = False

    def _finish_turn(self) -> None:
        if self.turn:
            self._items.append(UserTurn(" ".join(text for text in self.turn if text), not self._spoke))
            self.turn.clear()


def read_tools(tools: object) -> tuple[ToolSchema, ...]:
    """Reads a request's ``tools``, each as it came.

    Raises:
        BadRequest: one that is not a function with a name.
    """
    if tools is None:
        return ()
    if not isinstance(tools, list):
        raise BadRequest("tools must be a list", "tools")
    found = []
    for number, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            raise BadRequest("a tool must be a function with a name", f"tools[{number}]")
        found.append(
            ToolSchema(function["name"], function.get("description") or "", function.get("parameters") or {})
        )
    return tuple(found)


def _outputs(messages: Sequence[object]) -> dict[str, str]:
    """The result of each call by its id; the last one counts where a framework tells more than one."""
    return {
        str(message.get("tool_call_id", "")): _text(message.get("content"), f"messages[{number}]")
        for number, message in enumerate(messages)
        if isinstance(message, Mapping) and message.get("role") == "tool"
    }


def _calls(calls: object, where: str) -> dict[str, tuple[str, str]]:
    """Name and arguments of each call by its id."""
    if calls is None:
        return {}
    if not isinstance(calls, list):
        raise BadRequest("tool_calls must be a list", f"{where}.tool_calls")
    made = {}
    for call in calls:
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(call, Mapping) or not isinstance(function, Mapping):
            raise BadRequest("a tool call must hold a function", f"{where}.tool_calls")
        made[str(call.get("id", ""))] = (
            str(function.get("name", "")),
            _one_form(function.get("arguments")),
        )
    return made


def _one_form(arguments: object) -> str:
    if not isinstance(arguments, str):
        return as_json(arguments)
    try:
        return as_json(json.loads(arguments or "{}"))
    except (ValueError, RecursionError):
        return as_json(arguments)


def _text(content: object, where: str) -> str:
    """What a message says: text, or the text among its parts."""
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
            return " ".join(part for part in parts if isinstance(part, str))
        case _:
            raise BadRequest("content must be text or a list of parts", f"{where}.content")
