"""Tool calls in a run: made, answered, taken back, and whatever a platform gets wrong about them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from offhook.sessions import Ended, SessionEvent, ToolCall, ToolCancelled, ToolResult
from tests.core._platforms import ODD, Platform, Talking, host_of, odd_run
from tests.core._runs import placed


def test_tool_calls_reach_the_server_and_the_answers_come_back(tmp_path: Path) -> None:
    calls = (
        ToolCall("a", "get_service_price", {"service": "tune_up"}),
        ToolCall("b", "get_service_price", {"service": "tune_up"}, provisional=True),
        ToolCall("c", "melt_bicycle", {}),
        ToolCall("d", "get_service_price", {"service": "nothing"}),
    )
    session = Talking(*calls)
    run = placed(tmp_path, host_of(Platform(lambda: session)), "odd")
    log = run.folder.tools(run.record.call_id)
    assert [(entry.source_id, entry.tool, entry.status) for entry in log] == [
        ("a", "get_service_price", 200),
        ("b", "get_service_price", 200),
        ("c", "melt_bicycle", 404),
        ("d", "get_service_price", 422),
    ]
    assert sorted((result.id, result.status) for result in session.results) == [
        ("a", 200),
        ("b", 200),
        ("c", 404),
        ("d", 422),
    ]
    assert run.record.session_errors == ()


def test_a_call_taken_back_before_it_arrived_is_not_made(tmp_path: Path) -> None:
    taken_back = ToolCall("early", "get_service_price", {"service": "tune_up"}, provisional=True)
    session = Talking(taken_back, ToolCancelled("early"), ToolCancelled("never-made"))
    run = placed(tmp_path, host_of(Platform(lambda: session)), "odd")
    assert run.folder.tools(run.record.call_id) == ()
    assert session.results == []


class Refusing(Talking):
    async def send_tool_result(self, result: ToolResult) -> None:
        raise BrokenPipeError("not\nlistening")


def test_a_platform_that_takes_no_answer_is_noted(tmp_path: Path) -> None:
    session = Refusing(ToolCall("a", "get_service_price", {"service": "tune_up"}))
    run = placed(tmp_path, host_of(Platform(lambda: session)), "odd")
    assert run.record.ending == "completed"
    assert run.record.session_errors == ("tool call a: BrokenPipeError: not listening",)
    assert len(run.folder.tools(run.record.call_id)) == 1


@pytest.mark.parametrize(
    "arguments", [None, ["a"], {"service": float("nan")}, {"service": {1, 2}}, '{"service": "tune'], ids=repr
)
def test_arguments_that_are_no_json_object_are_logged_and_refused(arguments: Any, tmp_path: Path) -> None:
    session = Talking(ToolCall("a", "get_service_price", arguments))
    ran = odd_run(tmp_path, lambda: session)
    (entry,) = ran.folder.tools(ran.record.call_id)
    assert (entry.status, entry.raw) == (400, str(arguments))
    assert [(result.id, result.status) for result in session.results] == [("a", 400)]
    assert ran.errors == ()


def test_ids_that_are_no_text_or_come_twice_lose_no_call(tmp_path: Path) -> None:
    tune_up = {"service": "tune_up"}
    session = Talking(
        ToolCall(ODD, "get_service_price", tune_up),
        ToolCall("a", "get_service_price", tune_up),
        ToolCall("a", "get_service_price", {}),
        ToolCall("b", "get_service_price", tune_up, provisional=True),
        ToolCall("b", "get_service_price", tune_up, provisional=True),
        ToolCancelled("b"),
    )
    ran = odd_run(tmp_path, lambda: session)
    log = ran.folder.tools(ran.record.call_id)
    assert [(entry.source_id, entry.status) for entry in log] == [("None", 200), ("a", 200), ("a", 422)]
    assert sorted((str(result.id), result.status) for result in session.results) == [
        ("None", 200),
        ("a", 200),
        ("a", 422),
    ]
    assert {result.id for result in session.results} == {None, "a"}


@pytest.mark.parametrize(("delay", "status", "logged"), [(0.5, 200, 1), (3.0, 410, 0)])
def test_a_tool_called_long_after_the_hang_up_is_turned_away(
    delay: float, status: int, logged: int, tmp_path: Path
) -> None:
    class Late(Talking):
        async def events(self) -> AsyncIterator[SessionEvent]:
            for event in self.told:
                yield event
            await self.over.wait()
            await asyncio.sleep(delay)
            yield ToolCall("late", "get_service_price", {"service": "tune_up"})
            await asyncio.sleep(0.5)
            yield Ended("caller")

    session = Late(ends=False)
    ran = odd_run(tmp_path, lambda: session)
    assert [(result.id, result.status) for result in session.results] == [("late", status)]
    assert len(ran.folder.tools(ran.record.call_id)) == logged
    assert len([error for error in ran.errors if "after the caller had hung up" in error]) == 1 - logged
