"""Nothing is left at the vendor, or asked again, where a later step fails or is given up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
from aiohttp import ClientSession, web

from offhook.clock import run_real
from offhook.sessions import Deployment
from offhook_adapters.twins.server import serving
from offhook_adapters.vapi.adapter import VapiAdapter
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from tests.adapters._calls import AGENT, call_setup, twinned

pytestmark = pytest.mark.slow  # the SDK alone takes half a minute to load on a busy machine

KEY = "vapi-key-0123456789"
THEN = "2026-01-01T00:00:00.000Z"
MADE = {"orgId": "o", "createdAt": THEN, "updatedAt": THEN}
DEPLOYED = Deployment("vapi", "a1", AGENT, "tag")


@attrs.define(eq=False)
class House:
    """An account that makes what it is asked for once ``go_on`` is set, and says so with ``reached``. Its
    socket takes nobody: it refuses, or waits where ``silent``.
    """

    controlled: bool = True
    silent: bool = False
    asked: list[str] = attrs.field(factory=list)
    reached: asyncio.Event = attrs.field(factory=asyncio.Event)
    go_on: asyncio.Event = attrs.field(factory=asyncio.Event)
    ringing: asyncio.Event = attrs.field(factory=asyncio.Event)
    ended: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def create(self, request: web.Request) -> web.StreamResponse:
        self.reached.set()
        await self.go_on.wait()
        if request.path == "/assistant":
            return web.json_response({"id": "a1", **MADE}, status=201)
        url = f"ws://{request.host}/c1/transport"
        made: dict[str, Any] = {"id": "c1", **MADE}
        made["transport"] = {"provider": "vapi.websocket", "websocketCallUrl": url}
        if self.controlled:
            made["monitor"] = {"controlUrl": f"http://{request.host}/c1/control"}
        return web.json_response(made, status=201)

    async def end(self, request: web.Request) -> web.StreamResponse:
        body = await request.text()
        self.asked.append(f"{request.method} {request.path} {body}".strip())
        self.ended.set()
        return web.json_response({"id": "x", **MADE})

    async def pick_up(self, request: web.Request) -> web.StreamResponse:
        self.ringing.set()
        if self.silent:
            await asyncio.sleep(60)
        return web.json_response({"message": "no such call"}, status=404)

    async def none(self, request: web.Request) -> web.StreamResponse:
        return web.json_response([])

    @asynccontextmanager
    async def open(self) -> AsyncIterator[VapiAdapter]:
        routes = [
            web.get("/assistant", self.none),
            web.post("/assistant", self.create),
            web.post("/call", self.create),
            web.delete("/{kind}/{id}", self.end),
            web.post("/c1/control", self.end),
            web.get("/c1/transport", self.pick_up),
        ]
        async with serving(routes) as port:
            address = f"http://127.0.0.1:{port}"
            yield VapiAdapter(environment={"VAPI_API_KEY": KEY, "VAPI_BASE_URL": address})


@pytest.mark.parametrize(
    ("controlled", "order"), [(True, 'POST /c1/control {"type":"end-call"}'), (False, "DELETE /call/c1 {}")]
)
def test_a_call_that_can_not_be_picked_up_is_ended(controlled: bool, order: str) -> None:
    house = House(controlled)

    async def dial() -> VendorError:
        house.go_on.set()
        async with house.open() as adapter:
            with pytest.raises(VendorError) as refused:
                await adapter.connect(DEPLOYED, call_setup())
            return refused.value

    refused = run_real(dial())
    assert "answered HTTP 404" in str(refused)
    assert house.asked == [order]


def test_a_call_that_is_given_up_while_it_rings_is_ended() -> None:
    house = House(silent=True)

    async def dial() -> None:
        house.go_on.set()
        async with house.open() as adapter:
            dialling = asyncio.ensure_future(adapter.connect(DEPLOYED, call_setup()))
            await asyncio.wait_for(house.ringing.wait(), 60)
            dialling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await dialling
            await asyncio.wait_for(house.ended.wait(), 30)

    run_real(dial())
    assert house.asked == ['POST /c1/control {"type":"end-call"}']


@pytest.mark.parametrize(
    ("step", "order"),
    [("connect", 'POST /c1/control {"type":"end-call"}'), ("deploy", "DELETE /assistant/a1")],
)
def test_what_is_made_after_it_was_given_up_is_taken_down(step: str, order: str) -> None:
    house = House()

    async def give_up() -> None:
        async with house.open() as adapter:
            work = adapter.deploy(AGENT) if step == "deploy" else adapter.connect(DEPLOYED, call_setup())
            working = asyncio.ensure_future(work)
            await asyncio.wait_for(house.reached.wait(), 60)
            working.cancel()
            with pytest.raises(asyncio.CancelledError):
                await working
            assert house.asked == []
            house.go_on.set()
            await asyncio.wait_for(house.ended.wait(), 30)

    run_real(give_up())
    assert house.asked == [order]


@pytest.mark.parametrize("body", ['{"message": "Cannot GET /v2/assistant"}', "<html>", ""])
@pytest.mark.parametrize("step", ["deploy", "connect"])
def test_a_wrong_address_is_told_once(step: str, body: str) -> None:
    asked: list[str] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        asked.append(f"{request.method} {request.path}")
        return web.Response(status=404, text=body, content_type="application/json")

    async def work() -> VendorError:
        async with serving([web.route("*", "/{path:.*}", answer)]) as port:
            environment = {"VAPI_API_KEY": KEY, "VAPI_BASE_URL": f"http://127.0.0.1:{port}/v2"}
            adapter = VapiAdapter(environment=environment)
            asking = adapter.deploy(AGENT) if step == "deploy" else adapter.connect(DEPLOYED, call_setup())
            with pytest.raises(VendorError) as refused:
                await asking
            return refused.value

    refused = run_real(work())
    assert isinstance(refused, VendorUnusable)
    assert " has no such API (HTTP 404" in str(refused)
    assert str(refused).endswith("): check base_url or VAPI_BASE_URL")
    assert "\n" not in str(refused)
    assert asked == ["GET /v2/assistant" if step == "deploy" else "POST /v2/call"]


def test_the_twin_ends_a_call_by_order() -> None:
    async def order() -> tuple[list[int], str, list[int]]:
        async with twinned(VapiAdapter()) as (adapter, twin):
            deployment = await adapter.deploy(AGENT)
            url, headers = twin.environment["VAPI_BASE_URL"], {"Authorization": f"Bearer {twin.key}"}
            sound = {"format": "pcm_s16le", "container": "raw", "sampleRate": 16_000}
            transport = {"provider": "vapi.websocket", "audioFormat": sound}
            body = {"assistantId": deployment.reference, "transport": transport}
            async with ClientSession(url, headers=headers) as client:
                async with client.post("/call", json=body) as answer:
                    call = await answer.json()
                ordered: list[int] = []
                for said in ({"type": "say"}, {"type": "end-call"}, {"type": "end-call"}):
                    async with client.post(call["monitor"]["controlUrl"], json=said) as answer:
                        ordered.append(answer.status)
                async with client.get(f"/call/{call['id']}") as answer:
                    reason = (await answer.json())["endedReason"]
                removed: list[int] = []
                for _ in range(2):
                    async with client.delete(f"/call/{call['id']}") as answer:
                        removed.append(answer.status)
                return ordered, reason, removed

    assert run_real(order()) == ([400, 200, 404], "manually-canceled", [200, 404])
