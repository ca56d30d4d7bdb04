"""Pipecat in real time, on an endpoint across a socket."""

from __future__ import annotations

import asyncio

import attrs
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from offhook.platforms import PlatformUnusable
from offhook.sessions import ToolCall
from offhook.testing import run_real
from offhook.twins import ScriptDesk
from offhook_adapters.pipecat.adapter import PipecatAdapter, PipecatOpenAIAdapter
from offhook_adapters.reference.completions import MindCompletions

from ._calls import AGENT, Live, hold, served, setup

KEY = "sk-test-0123456789abcdef"
WAITING = attrs.evolve(AGENT, greeting="")


def _adapter(base_url: str, key: str = KEY) -> PipecatOpenAIAdapter:
    adapter = PipecatOpenAIAdapter(line_vad=True)
    return adapter.with_environment({"OPENAI_API_KEY": key, "OPENAI_BASE_URL": base_url})


async def _asks(live: Live) -> None:
    await live.say("What is a wheel?")
    await live.hears("forty")


def test_any_endpoint_thinks_for_it_across_a_socket() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        await desk.call("get_service_price", {"service": "wheel"})
        await desk.say("Forty.")
        await desk.listen()

    async def run() -> None:
        completions = MindCompletions(setup(), script=script, thinking=(0.0, 0.0))
        async with served(completions.app) as base_url:
            call = attrs.evolve(setup(model="some-model"), plan=None)
            held = await hold(_adapter(f"{base_url}/v1"), _asks, call=call, agent=WAITING)
        (asked,) = held.of(ToolCall)
        assert (asked.name, asked.arguments) == ("get_service_price", {"service": "wheel"})
        assert held.said == ["Forty."]
        assert held.cost.usd is None
        assert {body["model"] for body in completions.requests} == {"some-model"}
        given = [tool["function"]["parameters"] for tool in completions.requests[0]["tools"]]
        assert given == [dict(tool.parameters) for tool in WAITING.tools]

    run_real(run())


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, {"message": "Incorrect API key provided", "code": "invalid_api_key"}),
        (404, {"message": "The model `m` does not exist", "code": "model_not_found"}),
    ],
)
def test_an_endpoint_that_never_answers_ends_the_call_with_its_reason(
    status: int, error: dict[str, str]
) -> None:
    async def refuse(request: Request) -> Response:
        return JSONResponse({"error": error}, status)

    app = Starlette(routes=[Route("/v1/chat/completions", refuse, methods=["POST"])])

    async def run() -> None:
        async with served(app) as base_url:
            held = await hold(_adapter(f"{base_url}/v1"), _asks, agent=WAITING)
        assert held.ended.by == "platform"
        assert error["message"] in held.ended.reason
        assert KEY not in repr(held.events)
        assert held.errors[-1].fatal

    run_real(run())


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, "OPENAI_API_KEY is not set"),
        ({"OPENAI_API_KEY": "sk a"}, "no key has"),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://a:b@host/v1"}, "user or password"),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "localhost"}, "OPENAI_BASE_URL is 'localhost': set it"),
    ],
)
def test_what_the_environment_lacks_is_said_before_the_first_call(
    environment: dict[str, str], told: str
) -> None:
    adapter = PipecatOpenAIAdapter().with_environment(environment)
    said = adapter.check()
    assert said is not None
    assert told in said
    assert KEY not in said
    with pytest.raises(PlatformUnusable, match=told):
        run_real(adapter.deploy(AGENT))
    assert PipecatOpenAIAdapter().with_environment({"OPENAI_API_KEY": KEY}).check() is None


def test_the_follower_runs_on_the_ordinary_clock_too() -> None:
    async def talk(live: Live) -> None:
        await live.hears(AGENT.greeting)

    adapter = PipecatAdapter(virtual_time=False, line_vad=True)
    held = run_real(asyncio.wait_for(hold(adapter, talk), 20))
    assert held.said == [AGENT.greeting]
    assert not adapter.capabilities.virtual_time
