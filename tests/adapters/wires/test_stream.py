"""Tool calls as platforms make them, right or wrong."""

from __future__ import annotations

from typing import Any

import pytest

from offhook.clock import run_real
from offhook.sessions import Ended, SessionError, SessionEvent, ToolCall
from offhook_adapters.wires.stream import CallStream


def told(*calls: tuple[Any, Any, Any]) -> tuple[list[bool], list[SessionEvent], list[Any]]:
    """What each call was taken for, the events, and the tool log."""

    async def work() -> tuple[list[bool], list[SessionEvent], list[Any]]:
        async def close() -> None:
            return None

        stream = CallStream((), close, patience=1)
        taken = [stream.called(*call) for call in calls]
        stream.end(Ended("caller"))
        events = [event async for event in stream.events()]
        await stream.hang_up()
        return taken, events[:-1], list(stream.record.tool_log)

    return run_real(work())


@pytest.mark.parametrize(
    ("arguments", "given", "logged"),
    [
        ('{"a": 1.0}', {"a": 1.0}, '{"a": 1.0}'),
        ("", {}, ""),
        ({"a": "ä"}, {"a": "ä"}, '{"a": "ä"}'),
    ],
)
def test_arguments_as_text_or_as_an_object(arguments: Any, given: Any, logged: str) -> None:
    taken, events, log = told(("1", "look", arguments))
    assert taken == [True]
    assert events == [ToolCall("1", "look", given)]
    assert log == [{"id": "1", "name": "look", "arguments": logged}]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [([1, 2], "[1, 2]"), ("[1, 2]", "[1, 2]"), (None, "null"), ("{", "{"), ("[" * 100_000, "[" * 100_000)],
)
def test_what_is_no_object_is_logged_and_goes_on_to_be_refused(arguments: Any, text: str) -> None:
    _, events, log = told(("1", "look", arguments))
    note, call = events
    assert isinstance(note, SessionError)
    assert note.code == "bad_arguments"
    assert call == ToolCall("1", "look", text)
    assert log[0]["arguments"] == text


def test_a_call_is_told_once_an_id() -> None:
    taken, events, log = told(("1", "look", "{}"), ("1", "look", "{}"), ("2", "look", "{}"))
    assert taken == [True, False, True]
    assert [event.id for event in events if isinstance(event, ToolCall)] == ["1", "2"]
    assert len(log) == 2


@pytest.mark.parametrize("call", [("", "look"), (None, "look"), (7, "look"), ("1", None), ("1", "")])
def test_a_call_that_can_not_be_answered_is_noted(call: tuple[Any, Any]) -> None:
    taken, events, log = told((*call, "{}"))
    assert (taken, log) == ([False], [])
    (note,) = events
    assert isinstance(note, SessionError)
    assert note.code == "bad_call"
    assert not note.fatal
