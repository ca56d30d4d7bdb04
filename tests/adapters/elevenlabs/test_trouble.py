"""What is left behind, and told, where the vendor's REST API fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
from aiohttp import web

from offhook.clock import run_real
from offhook.sessions import Deployment
from offhook.twins import TwinFaults
from offhook_adapters.elevenlabs._twin_house import House
from offhook_adapters.elevenlabs._twin_rest import rest_routes, told_no
from offhook_adapters.elevenlabs.adapter import ElevenLabsAdapter
from offhook_adapters.twins.served import TwinLog, new_key
from offhook_adapters.twins.server import serving
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from tests.adapters._calls import AGENT, call_setup


@attrs.frozen(eq=False)
class Gate:
    """Where the making of an agent waits for ``go_on``; ``gone`` is set once all is taken down."""

    reached: asyncio.Event = attrs.field(factory=asyncio.Event)
    go_on: asyncio.Event = attrs.field(factory=asyncio.Event)
    gone: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def asked(self, request: web.Request) -> None:
        if request.path.endswith("/agents/create"):
            self.reached.set()
            await self.go_on.wait()

    def answered(self, request: web.Request, house: House) -> None:
        if request.method == "DELETE" and not (house.agents or house.tools):
            self.gone.set()


@asynccontextmanager
async def failing(
    method: str, path: str, nth: int, *, gate: Gate | None = None
) -> AsyncIterator[tuple[ElevenLabsAdapter, House]]:
    """The adapter before an account where the ``nth`` such request fails and all others are answered; an
    agent is made when the ``gate`` lets it be.
    """
    house, log, count = House(), TwinLog(), iter(range(1, 100))
    key = new_key()

    def odd(answer: Any) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            asked = (request.method, request.path) == (method, path)
            if asked and next(count) == nth:
                return told_no(503, "unavailable", "not now")
            if gate is not None:
                await gate.asked(request)
            told: web.StreamResponse = await answer(request)
            if gate is not None:
                gate.answered(request, house)
            return told

        return handle

    routes = [
        web.route(each.method, each.path, odd(each.handler))
        for each in rest_routes(house, key, TwinFaults(), log)
    ]
    async with serving(routes) as port:
        environment = {"ELEVENLABS_API_KEY": key, "ELEVENLABS_BASE_URL": f"http://127.0.0.1:{port}"}
        yield ElevenLabsAdapter(environment=environment), house


@pytest.mark.parametrize(
    ("method", "path", "nth"),
    [
        ("POST", "/v1/convai/tools", 3),
        ("POST", "/v1/convai/agents/create", 1),
        ("GET", "/v1/convai/agents", 2),  # it is there, and is looked for to see whether there are others
    ],
)
def test_a_deployment_that_fails_leaves_nothing_behind(method: str, path: str, nth: int) -> None:
    async def deploy() -> None:
        async with failing(method, path, nth) as (adapter, house):
            with pytest.raises(VendorError, match=r"answered HTTP 503 \(not now\): try again later"):
                await adapter.deploy(AGENT)
            assert (house.tools, house.agents) == ({}, {})
            assert (await adapter.deploy(AGENT)).reference in house.agents

    run_real(deploy())


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (web.Response(text="<html>\nSign in</html>", content_type="text/html"), "<html> Sign in</html>"),
        (web.Response(text="[" * 100_000, content_type="application/json"), "RecursionError"),
        (web.Response(text="null", content_type="application/json"), "AttributeError"),
    ],
)
def test_an_answer_of_another_kind_is_one_line(answer: web.Response, told: str) -> None:
    async def deploy() -> str:
        async def handle(request: web.Request) -> web.Response:
            return answer

        async with serving([web.get("/v1/convai/agents", handle)]) as port:
            environment = {"ELEVENLABS_API_KEY": "k", "ELEVENLABS_BASE_URL": f"http://127.0.0.1:{port}"}
            with pytest.raises(VendorError) as refused:
                await ElevenLabsAdapter(environment=environment).deploy(AGENT)
            return str(refused.value)

    line = run_real(deploy())
    assert f"answered what this adapter can't read ({told}" in line
    assert line.endswith("): check ELEVENLABS_BASE_URL")


def test_a_server_that_never_answers_is_given_its_seconds_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("offhook_adapters.elevenlabs._rest._SECONDS", 0.2)

    async def deploy() -> str:
        async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        server = await asyncio.start_server(never, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            environment = {"ELEVENLABS_API_KEY": "k", "ELEVENLABS_BASE_URL": f"http://127.0.0.1:{port}"}
            with pytest.raises(VendorError) as refused:
                await ElevenLabsAdapter(environment=environment).deploy(AGENT)
            return str(refused.value)

    # the SDK's own limit is four minutes
    assert "(ReadTimeout): check the network and ELEVENLABS_BASE_URL" in run_real(
        asyncio.wait_for(deploy(), 60)
    )


@pytest.mark.parametrize("body", ['{"detail": "Not Found"}', "<html>404</html>", ""])
def test_a_wrong_address_is_told_once(body: str) -> None:
    asked: list[str] = []

    async def handle(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(status=404, text=body, content_type="application/json")

    async def deploy() -> VendorError:
        async with serving([web.route("*", "/{path:.*}", handle)]) as port:
            environment = {"ELEVENLABS_API_KEY": "k", "ELEVENLABS_BASE_URL": f"http://127.0.0.1:{port}/v2"}
            adapter = ElevenLabsAdapter(environment=environment)
            deployment = Deployment("elevenlabs", "agent", AGENT, "")
            with pytest.raises(VendorError) as refused:
                await adapter.connect(deployment, call_setup())
            return refused.value

    refused = run_real(deploy())
    assert isinstance(refused, VendorUnusable)
    assert " has no such API (HTTP 404" in str(refused)
    assert str(refused).endswith("): check ELEVENLABS_BASE_URL")
    assert len(asked) == 1


def test_a_deployment_that_is_given_up_leaves_nothing_behind() -> None:
    async def deploy() -> House:
        gate = Gate()
        async with failing("GET", "/v1/convai/nothing", 1, gate=gate) as (adapter, house):
            deploying = asyncio.ensure_future(adapter.deploy(AGENT))
            await asyncio.wait_for(gate.reached.wait(), 60)
            deploying.cancel()
            with pytest.raises(asyncio.CancelledError):
                await deploying
            gate.go_on.set()
            await asyncio.wait_for(gate.gone.wait(), 30)
            return house

    house = run_real(deploy())
    assert (house.tools, house.agents) == ({}, {})
