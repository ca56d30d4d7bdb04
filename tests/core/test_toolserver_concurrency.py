"""Requests at once: in turn within a call, side by side between calls, on an ordinary loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.clock import run_real
from offhook.packs import Tool, ToolContext
from offhook.sessions import ToolResult
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ToolServer, open_state

TOKEN = "s3cret-token"


def server_with(folder: Path, run: Callable[[ToolContext, Mapping[str, Any]], Any]) -> ToolServer:
    """Two open calls, and a tool ``extra`` that does as told."""
    pack = bicycle_pack()
    tool = Tool("extra", "For tests.", (), run)
    agent = attrs.evolve(pack.agent, tools=(*pack.agent.tools, tool.name))
    server = ToolServer(attrs.evolve(pack, tools=(*pack.tools, tool), agent=agent), folder, clock=lambda: 1.5)
    for name in ("one", "two"):
        server.open_call(name, TOKEN)
    return server


def test_requests_at_once_on_one_call_run_in_turn(tmp_path: Path) -> None:
    inside, most = [0], [0]
    guard = threading.Lock()

    def count(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        with guard:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        found = context.db.execute("SELECT count(*) AS n FROM notes").fetchone()["n"]
        context.db.execute(
            "INSERT INTO notes VALUES (?, 'B-101', 'x', ?)", (context.new_id("NT"), str(found))
        )
        with guard:
            inside[0] -= 1
        return {"found": found}

    async def at_once(server: ToolServer) -> list[ToolResult]:
        return await asyncio.gather(*(server.call("one", TOKEN, "extra", {}) for _ in range(25)))

    with server_with(tmp_path, count) as server:
        results = run_real(at_once(server))
        frozen = server.freeze("one")
    assert [result.body["found"] for result in results] == list(range(25))
    assert [entry.index for entry in frozen.log] == list(range(25))
    assert most == [1]


def test_a_slow_tool_holds_up_only_its_own_call(tmp_path: Path) -> None:
    meet = threading.Barrier(2, timeout=30)

    def wait(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        meet.wait()  # returns only while both calls' tools are running
        return {"met": True}

    async def at_once(server: ToolServer) -> list[ToolResult]:
        return await asyncio.gather(*(server.call(name, TOKEN, "extra", {}) for name in ("one", "two")))

    with server_with(tmp_path, wait) as server:
        assert [result.status for result in run_real(at_once(server))] == [200, 200]


def test_requests_that_queue_on_one_call_take_no_threads_from_others(tmp_path: Path) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        started.set()
        assert go_on.wait(60)
        return {}

    async def crowd(server: ToolServer) -> list[int]:
        waiting = [asyncio.create_task(server.call("one", TOKEN, "extra", {})) for _ in range(50)]
        try:
            async with asyncio.timeout(20):
                assert await asyncio.to_thread(started.wait, 20)
                assert (await server.call("two", TOKEN, "end_call", {})).status == 200
        finally:
            go_on.set()
        return [result.status for result in await asyncio.gather(*waiting)]

    with server_with(tmp_path, slow) as server:
        assert run_real(crowd(server)) == [200] * 50


def test_a_freeze_waits_for_the_tool_of_a_request_that_was_given_up(tmp_path: Path) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        started.set()
        assert go_on.wait(30)
        context.db.execute("UPDATE bikes SET status = 'booked'")
        return {}

    async def give_up(server: ToolServer) -> None:
        request = asyncio.create_task(server.call("one", TOKEN, "extra", {}))
        assert await asyncio.to_thread(started.wait, 30)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        go_on.set()
        frozen = await asyncio.to_thread(server.freeze, "one")
        with closing(open_state(frozen.state)) as db:
            assert [row["status"] for row in db.execute("SELECT DISTINCT status FROM bikes")] == ["booked"]
        assert len(frozen.log) == 1

    with server_with(tmp_path, slow) as server:
        run_real(give_up(server))
