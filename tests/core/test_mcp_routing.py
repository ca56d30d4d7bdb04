"""Platforms that call tools over MCP: the official client, over loopback, while the call is on."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import httpx2
import pytest
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from offhook.packs import Pack
from offhook.runner import RunOptions, ToolsUnreachable, new_run
from offhook.sessions import ToolEndpoint, ToolMode
from offhook.storage import to_json
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import tool_schemas
from tests.core._routed import Routed
from tests.core._runs import Placed, placed
from tests.core._stand import Terse, stand_host

PRICE = "get_service_price"
TUNE_UP = {"service": "tune-up"}
MODES = ("legacy", "auto")  # with the handshake of earlier revisions, and without


@asynccontextmanager
async def connected(
    tools: ToolEndpoint, mode: str = "auto", *, token: str | None = None
) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {token or tools.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=20) as http,
        Client(streamable_http_client(tools.mcp_url, http_client=http), mode=mode) as client,
    ):
        yield client


async def refusal(tools: ToolEndpoint, mode: str, *, token: str | None = None) -> str:
    """How the client is told that it may not; empty where it may."""
    try:
        async with connected(tools, mode, token=token) as client:
            await client.list_tools()
    except BaseExceptionGroup as group:
        told = group.subgroup(MCPError)
        assert told is not None
        return "refused"
    except MCPError:
        return "refused"
    return ""


def held(folder: Path, platform: Routed, **more: Any) -> Placed:
    host = stand_host(adapters=(platform,), callers=(Terse("brisk", seconds=0.7),))
    return placed(folder, host, platform.name, caller="brisk", **more)


@attrs.frozen
class Story:
    """Two calls, one after the other."""

    ran: Placed
    platform: Routed
    got: dict[str, Any]

    @property
    def ids(self) -> tuple[str, str]:
        """Of the first call, which has the longer log, and the second."""
        one, two = self.ran.folder.call_ids()
        longer = len(self.ran.folder.tools(one)) > len(self.ran.folder.tools(two))
        return (one, two) if longer else (two, one)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    got: dict[str, Any] = {}

    async def first(tools: ToolEndpoint) -> None:
        for mode in MODES:
            async with connected(tools, mode) as client:
                got[f"tools {mode}"] = (await client.list_tools()).tools
                got[f"price {mode}"] = await client.call_tool(PRICE, TUNE_UP)
                got[f"paint {mode}"] = await client.call_tool(PRICE, {"service": "paint"})
                got[f"unknown {mode}"] = await client.call_tool("sing", {"loud": True})
                got[f"nothing {mode}"] = await client.call_tool(PRICE)
            got[f"wrong token {mode}"] = await refusal(tools, mode, token="wrong")
            got[f"unknown address {mode}"] = await refusal(
                attrs.evolve(tools, mcp_url=tools.mcp_url.replace("/mcp", "x/mcp")), mode
            )
        async with httpx2.AsyncClient(trust_env=False) as http:
            bare = await http.post(tools.mcp_url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
            got["bare"] = (bare.status_code, bare.json()["error"]["code"])

    async def script(tools: ToolEndpoint) -> None:
        if len(platform.told) == 1:
            await first(tools)
            return
        for mode in MODES:
            got[f"over {mode}"] = await refusal(platform.told[0], mode)
        async with httpx2.AsyncClient(trust_env=False) as http:
            headers = {"authorization": f"Bearer {platform.told[0].token}"}
            over = await http.post(platform.told[0].mcp_url, json={}, headers=headers)
            got["over"] = (over.status_code, over.json()["error"]["code"])

    platform = Routed(script, ToolMode.MCP)
    ran = held(tmp_path_factory.mktemp("mcp"), platform, tasks=("bicycle-repair",), at_once=1)
    return Story(ran, platform, got)


@pytest.mark.parametrize("mode", MODES)
def test_the_tools_are_the_packs_with_our_words_and_schemas(story: Story, mode: str) -> None:
    listed = [(tool.name, tool.description, tool.input_schema) for tool in story.got[f"tools {mode}"]]
    pack: Pack = bicycle_pack()
    ours = [(tool.name, tool.description, dict(tool.parameters)) for tool in tool_schemas(pack)]
    assert len(ours) == 8
    assert to_json(listed) == to_json(ours)


@pytest.mark.parametrize("mode", MODES)
def test_a_call_is_answered_with_the_tools_json(story: Story, mode: str) -> None:
    result = story.got[f"price {mode}"]
    (content,) = result.content
    assert (result.is_error, content.type) == (False, "text")
    assert json.loads(content.text) == {"service": "standard tune-up", "price": "$85.00"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "code", "field"),
    [
        ("paint", "invalid_argument", "service"),
        ("nothing", "invalid_argument", "service"),
        ("unknown", "unknown_tool", None),
    ],
)
def test_a_refusal_is_an_error_with_its_body(
    story: Story, mode: str, name: str, code: str, field: str | None
) -> None:
    result = story.got[f"{name} {mode}"]
    assert result.is_error
    error = json.loads(result.content[0].text)["error"]
    assert (error["code"], error.get("field")) == (code, field)


def test_the_record_has_every_call_with_the_requests_id(story: Story) -> None:
    first, second = story.ids
    log = story.ran.folder.tools(first)
    assert [entry.tool for entry in log] == [PRICE, PRICE, "sing", PRICE] * 2
    assert [entry.status for entry in log] == [200, 422, 404, 422] * 2
    ids = [entry.source_id for entry in log]
    # each client counts its own requests; equal ids of another connection are no repeat
    assert ids[:4] == ids[4:]
    assert len(set(ids)) == 4
    assert all(one.isdecimal() for one in ids)
    assert story.ran.folder.tools(second) == ()
    lines = (story.ran.folder.call_folder(first) / "requests.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert [one["id"] for row in rows for one in row["calls"]] == ids
    assert {row["kind"] for row in rows} == {"mcp"}
    assert story.ran.folder.record(first).session_errors == ()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("what", ["wrong token", "unknown address", "over"])
def test_who_may_not_is_refused(story: Story, what: str, mode: str) -> None:
    assert story.got[f"{what} {mode}"] == "refused"


def test_the_refusals_have_their_status(story: Story) -> None:
    assert story.got["bare"] == (401, "unauthorized")
    assert story.got["over"] == (410, "call_over")


def test_the_platform_is_told_one_way(story: Story) -> None:
    assert [tools.webhook_url for tools in story.platform.told] == ["", ""]
    assert len({tools.mcp_url for tools in story.platform.told}) == 2
    assert all(tools.mcp_url.endswith("/mcp") for tools in story.platform.told)


def test_two_calls_at_once_have_two_databases(tmp_path: Path) -> None:
    both = asyncio.Barrier(2)
    prices: list[str] = []

    async def script(tools: ToolEndpoint) -> None:
        service = "brakes" if tools is platform.told[0] else "wheel"
        async with connected(tools) as client:
            await asyncio.wait_for(both.wait(), timeout=30)
            for _ in range(3):
                answer = await client.call_tool(PRICE, {"service": service})
                prices.append(json.loads(answer.content[0].text)["price"])  # type: ignore[union-attr]
                await client.call_tool("leave_note", {})

    platform = Routed(script, ToolMode.MCP)
    ran = held(tmp_path, platform, tasks=("bicycle-repair",), at_once=2)
    logs = [ran.folder.tools(call_id) for call_id in ran.folder.call_ids()]
    services = [{entry.arguments.get("service") for entry in log if entry.tool == PRICE} for log in logs]
    assert sorted(map(sorted, services)) == [["brakes"], ["wheel"]]  # type: ignore[type-var]
    assert [[entry.index for entry in log] for log in logs] == [list(range(6))] * 2
    assert len(prices) == 6


def test_without_the_package_the_run_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)  # what an import finds where it is not installed

    async def idle(tools: ToolEndpoint) -> None:
        """Calls no tool."""

    options = RunOptions(platform="routed", caller="terse", out=tmp_path / "run", images=tmp_path / "images")
    with pytest.raises(ToolsUnreachable, match=r"pip install 'offhook\[mcp\]'$"):
        new_run(options, stand_host(adapters=(Routed(idle, ToolMode.MCP),)))
    assert not (tmp_path / "run").exists()
    new_run(options, stand_host(adapters=(Routed(idle),)))  # a webhook does without


def test_the_runner_does_not_import_it() -> None:
    code = "import offhook.runner, sys; print('mcp' in sys.modules, 'pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
