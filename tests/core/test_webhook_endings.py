"""Requests that a platform makes while a call ends, and what it calls that has no end."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import attrs
import httpx
import pytest

from offhook.clock import run_virtual
from offhook.runner._forward import ToolForwarder
from offhook.runner._route import ToolRoute
from offhook.runner._switchboard import Switchboard
from offhook.sessions import ToolCall, ToolMode, ToolResult
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ToolServer
from offhook.webhooks import WebhookCall
from tests.core._routed import AcmeDialect, body_of
from tests.core._stand import BriefSession

T = TypeVar("T")

PRICE = "get_service_price"
TUNE_UP = {"service": "tune-up"}


def routed(
    folder: Path, story: Callable[[ToolServer, ToolRoute], Coroutine[Any, Any, T]]
) -> tuple[T, list[str]]:
    """What a story makes of one call's route, and the ids in the call's log."""
    with ToolServer(bicycle_pack(), folder, clock=lambda: 0.0) as server:
        server.open_call("call", "secret")
        route = ToolRoute(server, "call", "secret", now=lambda: 7.0)
        told = run_virtual(story(server, route))
        return told, [entry.source_id for entry in server.freeze("call").log]


def test_a_platform_that_never_stops_asking_does_not_break_the_end_of_a_call(tmp_path: Path) -> None:
    async def story(server: ToolServer, route: ToolRoute) -> tuple[tuple[str, ...], list[ToolResult]]:
        answers: list[ToolResult] = []
        finished = asyncio.Event()

        async def asking(name: str) -> None:
            for number in range(1_000):
                if finished.is_set():
                    return
                answers.append((await route.answer(WebhookCall(f"{name}{number}", PRICE, TUNE_UP))).result)

        askers = [asyncio.create_task(asking(name)) for name in "abc"]
        await asyncio.sleep(0)
        route.hung_up()
        lines = await route.finish()
        finished.set()
        await asyncio.gather(*askers)
        return lines, answers

    (lines, answers), logged = routed(tmp_path, story)
    assert logged == ["a0", "b0", "c0"]
    assert {answer.status for answer in answers if answer.id not in logged} == {410}
    assert {answer.status for answer in answers if answer.id in logged} == {200}
    assert all(line.endswith(f"{PRICE} came after the caller had hung up; it was not made") for line in lines)


def test_a_body_that_came_in_time_is_run_to_its_end(tmp_path: Path) -> None:
    async def story(server: ToolServer, route: ToolRoute) -> tuple[list[int], tuple[str, ...]]:
        batch = [WebhookCall(name, PRICE, TUNE_UP) for name in ("a", "b", "c")]
        other = [WebhookCall(name, PRICE, TUNE_UP) for name in ("x", "y")]
        both = [asyncio.create_task(route.answer_all(each)) for each in (batch, other)]
        await asyncio.sleep(0)
        lines = await route.finish()
        answered = [one for each in both for one in await each]
        return [one.result.status for one in answered], lines

    (statuses, lines), logged = routed(tmp_path, story)
    assert (statuses, lines) == ([200] * 5, ())
    assert logged == ["a", "b", "c", "x", "y"]


def test_a_name_without_end_is_refused_like_any_other_unknown_tool(tmp_path: Path) -> None:
    name = "\N{SNOWMAN}" * 100_000

    async def story(server: ToolServer, route: ToolRoute) -> tuple[ToolResult, str, tuple[str, ...]]:
        answered = await route.answer(WebhookCall("1", name, {}))
        route.note("webhook", 200, [answered])
        route.hung_up()
        route.close()
        await route.answer(WebhookCall("2" * 100_000, name, {}))
        return answered.result, route.requests, await route.finish()

    (result, requests, lines), logged = routed(tmp_path, story)
    assert (result.status, result.name, logged) == (404, name, ["1"])
    assert json.loads(requests)["calls"][0]["name"] == "\N{SNOWMAN}" * 200 + "..."
    assert [len(line) < 1_000 for line in lines] == [True]


def test_a_name_without_end_is_answered_over_a_session_too(tmp_path: Path) -> None:
    @attrs.define
    class Answered(BriefSession):
        got: list[ToolResult] = attrs.field(factory=list)

        async def send_tool_result(self, result: ToolResult) -> None:
            self.got.append(result)

    async def story(server: ToolServer, route: ToolRoute) -> tuple[list[ToolResult], tuple[str, ...]]:
        session = Answered()
        tools = ToolForwarder(server, "call", "secret", session)
        tools.start(ToolCall("1", "x" * 100_000, {}))
        return session.got, await tools.finish()

    (got, failures), _ = routed(tmp_path, story)
    assert ([result.status for result in got], failures) == ([404], ())


# --- over a socket --------------------------------------------------------------------------------


def served(
    folder: Path, mode: ToolMode, story: Callable[[Switchboard, ToolRoute, httpx.URL], Awaitable[T]]
) -> T:
    async def run() -> T:
        with ToolServer(bicycle_pack(), folder, clock=lambda: 0.0) as server:
            server.open_call("call", "secret")
            board = Switchboard(mode, AcmeDialect() if mode is ToolMode.WEBHOOK else None)
            await board.open()
            route = board.route(server, "call", "secret", now=lambda: 7.0)
            tools = board.endpoint(route)
            try:
                return await story(board, route, httpx.URL(tools.webhook_url or tools.mcp_url))
            finally:
                await board.close()

    return asyncio.run(run())


def test_a_body_that_comes_in_until_the_call_is_over_is_too_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    admitted = asyncio.Event()

    class Watched(ToolRoute):
        def admits(self, authorization: str, secret: str = "") -> bool:
            admitted.set()
            return super().admits(authorization, secret)

    monkeypatch.setattr("offhook.runner._switchboard.ToolRoute", Watched)

    async def story(board: Switchboard, route: ToolRoute, url: httpx.URL) -> tuple[int, tuple[str, ...]]:
        begun, over = asyncio.Event(), asyncio.Event()

        async def slowly() -> AsyncIterator[bytes]:
            body = json.dumps(body_of(("a", PRICE, TUNE_UP))).encode()
            yield body[:5]
            begun.set()
            await over.wait()
            yield body[5:]

        headers = {"authorization": f"Bearer {route.token}"}
        async with httpx.AsyncClient(trust_env=False) as client:
            posting = asyncio.create_task(client.post(url, content=slowly(), headers=headers))
            await begun.wait()
            await admitted.wait()
            lines = await route.finish()
            over.set()
            return (await posting).status_code, lines

    assert served(tmp_path, ToolMode.WEBHOOK, story) == (410, ())


def test_a_client_that_stays_connected_holds_nothing_up(tmp_path: Path) -> None:
    async def story(board: Switchboard, route: ToolRoute, url: httpx.URL) -> int:
        headers = {"authorization": f"Bearer {route.token}", "accept": "text/event-stream"}
        async with httpx.AsyncClient(trust_env=False) as client:
            return (await client.get(url, headers=headers)).status_code

    assert served(tmp_path, ToolMode.MCP, story) == 405


@pytest.mark.parametrize("mode", [ToolMode.WEBHOOK, ToolMode.MCP])
def test_what_is_no_http_is_not_printed(
    mode: ToolMode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # as in a program that has set up no logging
    monkeypatch.setattr(logging.getLogger(), "handlers", [])

    async def story(board: Switchboard, route: ToolRoute, url: httpx.URL) -> bytes:
        reader, writer = await asyncio.open_connection(url.host, url.port)
        writer.write(b"\x16\x03\x01 is no HTTP\r\n\r\n")
        answer = await reader.readline()
        writer.close()
        return answer

    assert b"400" in served(tmp_path, mode, story)
    assert capfd.readouterr().err == ""
