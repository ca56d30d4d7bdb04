"""Sessions that do not stop are left behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from offhook.sessions import SessionEvent, ToolCall, ToolResult
from tests.core._platforms import Talking, odd_run


class Swallowing(Talking):
    async def events(self) -> AsyncIterator[SessionEvent]:
        for event in self.told:
            yield event
        while True:
            try:
                await asyncio.sleep(5)
            except asyncio.CancelledError:
                continue


class SwallowingAll(Talking):
    async def events(self) -> AsyncIterator[SessionEvent]:
        for event in self.told:
            yield event
        for _ in range(50):
            try:
                await asyncio.sleep(5)
            except BaseException:
                continue


@pytest.mark.parametrize("session", [Swallowing, SwallowingAll])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_session_that_swallows_cancellation_is_left_behind(session: type[Talking], tmp_path: Path) -> None:
    ran = odd_run(tmp_path, lambda: session(ends=False))
    assert ran.record.ending == "completed"
    assert "platform did not stop" in ran.errors


async def _for_ever() -> None:
    while True:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            continue


class Endless(Talking):
    async def hang_up(self) -> None:
        await super().hang_up()
        await _for_ever()

    async def fetch_cost(self) -> Any:
        await _for_ever()

    async def send_tool_result(self, result: ToolResult) -> None:
        await _for_ever()


def test_nothing_else_a_session_does_is_waited_for_without_limit(tmp_path: Path) -> None:
    ran = odd_run(tmp_path, lambda: Endless(ToolCall("a", "get_service_price", {"service": "tune_up"})))
    assert ran.record.ending == "completed"
    assert "tool call a: the platform did not stop" in ran.errors
    assert [error for error in ran.errors if error.startswith("cost: TimeoutError")]
    assert [error for error in ran.errors if error.startswith("platform broke: TimeoutError")]


@pytest.mark.parametrize("error", [asyncio.CancelledError(), SystemExit(3)])
def test_a_stream_that_cancels_itself_or_exits_has_broken(error: BaseException, tmp_path: Path) -> None:
    class Quitting(Talking):
        async def events(self) -> AsyncIterator[SessionEvent]:
            for event in self.told:
                yield event
            raise error

    ran = odd_run(tmp_path, lambda: Quitting(ends=False))
    assert (ran.record.ending, ran.record.ended_by) == ("completed", "platform")
    assert [note for note in ran.errors if note.startswith(f"platform broke: {type(error).__name__}")]
