"""Assistants and calls over REST, through the vendor's SDK, and what is refused there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
from aiohttp import ClientSession, web
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from offhook.clock import run_real
from offhook.host import PluginHost
from offhook.toolserver import agent_config
from offhook_adapters.twins.server import serving
from offhook_adapters.vapi.adapter import VapiAdapter
from offhook_adapters.vapi.config import assistant_body, settings_from
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from tests.adapters._calls import AGENT, NOWHERE, call_setup, dialled, twinned

pytestmark = pytest.mark.slow  # the SDK alone takes half a minute to load on a busy machine

KEY = "vapi-key-0123456789"
BODY = {**assistant_body(AGENT, settings_from({}, {})), "name": "x"}
SOUND = {"format": "pcm_s16le", "container": "raw", "sampleRate": 16_000}
THEN = "2026-01-01T00:00:00.000Z"
TRANSPORT = {"provider": "vapi.websocket", "audioFormat": SOUND}


def requests(twin: Any) -> list[str]:
    return [told["request"] for told in twin.received if "request" in told]


@asynccontextmanager
async def answering(status: int, body: Any, posts: list[str] | None = None) -> AsyncIterator[VapiAdapter]:
    """The adapter before a server that answers everything alike."""

    async def answer(request: web.Request) -> web.StreamResponse:
        if posts is not None:
            posts.append(f"{request.method} {request.path}")
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(status=status, text=text, content_type="application/json")

    async with serving([web.route("*", "/{path:.*}", answer)]) as port:
        environment = {"VAPI_API_KEY": KEY, "VAPI_BASE_URL": f"http://127.0.0.1:{port}"}
        yield VapiAdapter(environment=environment)


# --- assistants -------------------------------------------------------------------------------------------


def test_an_agent_is_deployed_once_found_again_and_taken_down() -> None:
    async def deploy() -> tuple[list[str], list[str], list[str]]:
        async with twinned(VapiAdapter()) as (adapter, twin):
            first = await adapter.deploy(AGENT)
            again = await adapter.deploy(AGENT)
            other = await adapter.deploy(attrs.evolve(AGENT, prompt="Be brief."))
            before = requests(twin)
            for deployment in (first, again, other, other):
                await adapter.teardown(deployment)
            return [first.reference, again.reference, other.reference], before, requests(twin)[len(before) :]

    ids, before, after = run_real(deploy())
    assert ids[0] == ids[1] != ids[2]
    assert before.count("POST /assistant") == 2
    assert [line for line in after if line.startswith("DELETE")] == [
        f"DELETE /assistant/{ids[0]}",
        f"DELETE /assistant/{ids[2]}",
    ]


def test_two_that_deploy_at_once_end_up_with_one() -> None:
    async def deploy() -> tuple[set[str], int]:
        async with twinned(VapiAdapter()) as (adapter, twin):
            both = await asyncio.gather(adapter.deploy(AGENT), adapter.deploy(AGENT))
            left = await adapter.deploy(AGENT)
            created = requests(twin).count("POST /assistant")
            deleted = sum(line.startswith("DELETE") for line in requests(twin))
            return {each.reference for each in (*both, left)}, created - deleted

    ids, kept = run_real(deploy())
    assert len(ids) == kept == 1


def test_an_assistant_that_somebody_took_down_is_made_again() -> None:
    async def hold() -> int:
        async with twinned(VapiAdapter()) as (adapter, twin):
            deployment = await adapter.deploy(AGENT)
            await adapter.teardown(deployment)
            session = await adapter.connect(deployment, call_setup())
            await session.hang_up()
            return requests(twin).count("POST /assistant")

    assert run_real(hold()) == 2


def test_a_deployment_that_fails_after_the_assistant_was_made_takes_it_down() -> None:
    kept: list[str] = []
    lists = iter([web.json_response([]), web.json_response({"message": "not now"}, status=503)])

    async def listed(request: web.Request) -> web.StreamResponse:
        return next(lists)

    async def create(request: web.Request) -> web.StreamResponse:
        kept.append("made")
        return web.json_response(
            {"id": "made", "orgId": "o", "createdAt": THEN, "updatedAt": THEN}, status=201
        )

    async def delete(request: web.Request) -> web.StreamResponse:
        kept.remove(request.match_info["id"])
        return web.json_response({"id": "made", "orgId": "o", "createdAt": THEN, "updatedAt": THEN})

    async def deploy() -> None:
        routes = [
            web.get("/assistant", listed),
            web.post("/assistant", create),
            web.delete("/assistant/{id}", delete),
        ]
        async with serving(routes) as port:
            environment = {"VAPI_API_KEY": KEY, "VAPI_BASE_URL": f"http://127.0.0.1:{port}"}
            with pytest.raises(VendorError, match=r"answered HTTP 503 \(not now\): try again later"):
                await VapiAdapter(environment=environment).deploy(AGENT)

    run_real(deploy())
    assert kept == []
    assert next(lists, None) is None


@pytest.mark.parametrize(
    "pack",
    [
        "customer-support",
        "healthcare",
        "legal",
    ],
)
def test_every_packs_agent_arrives_through_the_sdk(pack: str) -> None:
    agent = agent_config(PluginHost.discover().packs()[pack])

    async def deploy() -> Mapping[str, Any]:
        async with twinned(VapiAdapter()) as (adapter, twin):
            await adapter.deploy(agent)
            (body,) = [told["body"] for told in twin.received if told.get("request") == "POST /assistant"]
            return dict(body)

    body = run_real(deploy())
    wanted = json.loads(json.dumps(assistant_body(agent, settings_from({}, {}))))
    assert {name: body[name] for name in wanted} == wanted
    assert set(body) - set(wanted) == {"name", "metadata"}
    assert len(body["name"]) <= 40


# --- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "body", "line", "unusable"),
    [
        (401, {"message": "Invalid Key."}, "refused the key (HTTP 401): check VAPI_API_KEY", True),
        (403, {"message": "No."}, "answered HTTP 403 (No.): check what VAPI_API_KEY may use", True),
        (
            400,
            {"message": ["model.model must be one of a, b", "voice should exist"]},
            "answered HTTP 400 (model.model must be one of a, b; voice should exist): check base_url, model",
            True,
        ),
        (
            400,
            {"message": f"Wallet Balance is -0.1 for {KEY}. Purchase more credits."},
            "answered: Wallet Balance is -0.1 for [key]. Purchase more credits.: check the plan and billing",
            True,
        ),
        (429, {"message": "Rate limit exceeded."}, "(Rate limit exceeded.): try again later", False),
        (500, {"message": "Oh."}, "answered HTTP 500 (Oh.): try again later", False),
        (200, "<html>", "answered HTTP 200 (<html>): check base_url", True),
        (200, {"assistants": 7}, "answered what this adapter can't read (", False),
    ],
)
def test_what_the_server_refuses(status: int, body: Any, line: str, unusable: bool) -> None:
    posts: list[str] = []

    async def deploy() -> VendorError:
        async with answering(status, body, posts) as adapter:
            with pytest.raises(VendorError) as refused:
                await adapter.deploy(AGENT)
            return refused.value

    refused = run_real(deploy())
    assert line in str(refused)
    assert "\n" not in str(refused)
    assert isinstance(refused, VendorUnusable) is unusable
    assert posts == ["GET /assistant"]  # nothing is asked twice


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (
            {"id": "c", "subscriptionLimits": {"concurrencyBlocked": True}},
            "has no free line: try again later",
        ),
        (
            {"id": "c", "transport": {"provider": "vapi.websocket"}},
            "gave no address to call: try again later",
        ),
    ],
)
def test_a_call_that_is_not_opened(answer: dict[str, Any], line: str) -> None:
    async def hold() -> VendorError:
        async with twinned(VapiAdapter()) as (adapter, _):
            deployment = await adapter.deploy(AGENT)
        async with answering(201, answer) as busy:
            with pytest.raises(VendorError) as refused:
                await busy.connect(deployment, call_setup())
            return refused.value

    refused = run_real(hold())
    assert line in str(refused)
    assert not isinstance(refused, VendorUnusable)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"voice": "vapi/Nobody"}, "voice.voiceId must be one of the following values: Elliot"),
        ({"model": "openai/gpt-99"}, "model.model must be one of the following values: gpt-4.1"),
        ({"model": "nobody/gpt"}, "assistantOverrides"),
    ],
)
def test_an_option_the_platform_does_not_know(options: dict[str, str], line: str) -> None:
    async def hold() -> VendorError:
        async with twinned(VapiAdapter()) as (adapter, _):
            with pytest.raises(VendorUnusable) as refused:
                await dialled(adapter, AGENT, **options)
            return refused.value

    told = str(run_real(hold()))
    assert line in told or "Input should be" in told
    assert "check base_url, model, voice and transcriber" in told


def test_a_call_without_tools_to_reach_is_refused_before_it_is_dialled() -> None:
    async def hold() -> list[str]:
        async with twinned(VapiAdapter()) as (adapter, twin):
            deployment = await adapter.deploy(AGENT)
            for tools in (None, attrs.evolve(NOWHERE, webhook_url="")):
                with pytest.raises(
                    VendorUnusable, match="posts tool calls to a webhook: give the call a tool"
                ):
                    await adapter.connect(deployment, attrs.evolve(call_setup(), tools=tools))
            return requests(twin)

    assert "POST /call" not in run_real(hold())


# --- the twin's own checks --------------------------------------------------------------------------------


async def ask(method: str, path: str, body: Any, *, key: str | None = None) -> tuple[int, Any]:
    async with twinned(VapiAdapter()) as (_, twin), ClientSession() as client:
        url = twin.environment["VAPI_BASE_URL"] + path
        headers = {"Authorization": f"Bearer {twin.key if key is None else key}"}
        async with client.request(method, url, json=body, headers=headers) as answer:
            return answer.status, (await answer.json())["message"]


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/assistant", {**BODY, "wobble": 1}, "property wobble should not exist"),
        (
            "/assistant",
            {**BODY, "voice": {**BODY["voice"], "wobble": 1}},
            "property voice.wobble should not exist",
        ),
        ("/assistant", {**BODY, "firstMessage": 7}, "firstMessage: Input should be a valid string"),
        ("/call", {"assistantId": "x", "transport": TRANSPORT, "wobble": 1}, "property wobble should not"),
        ("/call", {"assistantId": "x", "transport": TRANSPORT}, "Couldn't get assistant. assistantId x does"),
        ("/call", {"transport": TRANSPORT}, "assistantId must be a string"),
        (
            "/call",
            {"assistantId": "x", "transport": TRANSPORT, "assistantOverrides": {"server": {"uri": "x"}}},
            "property server.uri should not exist",
        ),
    ],
)
def test_the_twin_refuses_what_the_vendor_would(path: str, body: Any, told: str) -> None:
    status, message = run_real(ask("POST", path, body))
    assert status == 400
    assert message[0].startswith(told)


def test_the_twin_lets_one_key_in() -> None:
    assert run_real(ask("GET", "/assistant", None, key="wrong"))[0] == 401
    assert run_real(ask("GET", "/elsewhere", None))[0] == 404


def test_a_call_is_picked_up_once() -> None:
    async def twice() -> int:
        async with twinned(VapiAdapter()) as (_, twin):
            url, headers = twin.environment["VAPI_BASE_URL"], {"Authorization": f"Bearer {twin.key}"}
            async with ClientSession(url, headers=headers) as client:
                async with client.post("/assistant", json=BODY) as answer:
                    assistant = (await answer.json())["id"]
                body = {"assistantId": assistant, "transport": TRANSPORT}
                async with client.post("/call", json=body) as answer:
                    address = (await answer.json())["transport"]["websocketCallUrl"]
            async with connect(address):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(address)
                return refused.value.response.status_code

    assert run_real(twice()) == 404
