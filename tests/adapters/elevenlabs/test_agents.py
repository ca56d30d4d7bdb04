"""Agents at the vendor: made once, found again, and taken down with their tools."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import attrs
import httpx
import pytest

from offhook.clock import run_real
from offhook.sessions import Ready, ToolSchema
from offhook.twins import FAULTS, RunningTwin, TwinFaults
from offhook_adapters.elevenlabs.adapter import ElevenLabsAdapter
from offhook_adapters.elevenlabs.config import agent_name
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from tests.adapters._calls import AGENT, call_setup, twinned

Act = Callable[[ElevenLabsAdapter, RunningTwin], Awaitable[None]]


def on_a_twin(act: Act, faults: TwinFaults | None = None) -> None:
    async def run() -> None:
        async with twinned(ElevenLabsAdapter(), faults=faults) as (adapter, twin):
            await act(adapter, twin)

    run_real(asyncio.wait_for(run(), 30))


def asked(twin: RunningTwin, method: str, path: str) -> list[Mapping[str, Any]]:
    """The requests of one kind."""
    return [each for each in twin.received if each.get("method") == method and each["path"].startswith(path)]


def test_two_deployments_are_one_and_a_teardown_leaves_nothing() -> None:
    async def act(adapter: ElevenLabsAdapter, twin: RunningTwin) -> None:
        first, second = await adapter.deploy(AGENT), await adapter.deploy(AGENT)
        assert first == second
        other = await adapter.deploy(attrs.evolve(AGENT, prompt="Another prompt."))
        assert other.reference != first.reference
        assert other.config_sha256 != first.config_sha256
        created = asked(twin, "POST", "/v1/convai/agents/create")
        assert [each["body"]["name"] for each in created] == [agent_name(AGENT), agent_name(other.config)]
        assert len(asked(twin, "POST", "/v1/convai/tools")) == 2 * len(AGENT.tools)
        await adapter.teardown(first)
        await adapter.teardown(first)
        assert len(asked(twin, "DELETE", "/v1/convai/agents/")) == 1
        assert len(asked(twin, "DELETE", "/v1/convai/tools/")) == len(AGENT.tools)
        # the other is still there
        assert (await adapter.deploy(other.config)).reference == other.reference

    on_a_twin(act)


def test_of_agents_made_at_once_one_stays() -> None:
    async def act(adapter: ElevenLabsAdapter, twin: RunningTwin) -> None:
        made = await asyncio.gather(*(adapter.deploy(AGENT) for _ in range(3)))
        assert len({each.reference for each in made}) == 1
        await adapter.teardown(made[0])
        deleted = asked(twin, "DELETE", "/v1/convai/agents/")
        assert len(deleted) == len(asked(twin, "POST", "/v1/convai/agents/create"))
        assert len(asked(twin, "DELETE", "/v1/convai/tools/")) == len(asked(twin, "POST", "/v1/convai/tools"))

    on_a_twin(act)


def test_an_agent_that_another_took_down_is_set_up_once_more() -> None:
    async def act(adapter: ElevenLabsAdapter, twin: RunningTwin) -> None:
        deployment = await adapter.deploy(AGENT)
        await adapter.teardown(deployment)
        session = await adapter.connect(deployment, call_setup())
        assert [event async for event in _first(session)] == [Ready()]
        await session.hang_up()
        assert len(asked(twin, "POST", "/v1/convai/agents/create")) == 2
        await adapter.teardown(deployment)
        assert len(asked(twin, "DELETE", "/v1/convai/agents/")) == 2

    on_a_twin(act)


async def _first(session: Any) -> Any:
    async for event in session.events():
        yield event
        return


def test_tools_of_an_agent_that_was_refused_are_taken_down() -> None:
    bad = ToolSchema("bad", "A tool that takes a list.", {"type": "array"})

    async def act(adapter: ElevenLabsAdapter, twin: RunningTwin) -> None:
        with pytest.raises(VendorUnusable, match=r"HTTP 422 .*parameters must describe an object"):
            await adapter.deploy(attrs.evolve(AGENT, tools=(*AGENT.tools, bad)))
        assert len(asked(twin, "DELETE", "/v1/convai/tools/")) == len(AGENT.tools)
        assert asked(twin, "POST", "/v1/convai/agents") == []

    on_a_twin(act)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "told"),
    [
        ("POST", "tools", {"tool_config": {"type": "webhook"}}, 422, "client tools only"),
        (
            "POST",
            "tools",
            {
                "tool_config": {
                    "type": "client",
                    "name": "a",
                    "description": "b",
                    "mood": 1,
                    "parameters": {"type": "object"},
                }
            },
            422,
            "extra fields not permitted",
        ),
        ("POST", "agents/create", {"mood": 1}, 422, "extra fields not permitted"),
        (
            "POST",
            "agents/create",
            {"conversation_config": {"agent": {"prompt": {"tools": []}}}},
            422,
            "use tool_ids",
        ),
        (
            "POST",
            "agents/create",
            {"conversation_config": {"agent": {"prompt": {"tool_ids": ["t"]}}}},
            422,
            "there is no tool 't'",
        ),
        (
            "POST",
            "agents/create",
            {"conversation_config": {"agent": {"prompt": {"llm": "gpt-0"}}}},
            422,
            "there is no model",
        ),
        ("GET", "agents/nobody", None, 404, "there is no nobody"),
        ("GET", "conversations/nothing", None, 404, "there is no nothing"),
    ],
)
def test_what_the_twin_does_not_take(method: str, path: str, body: Any, status: int, told: str) -> None:
    async def act(adapter: ElevenLabsAdapter, twin: RunningTwin) -> None:
        url = f"{adapter.environment['ELEVENLABS_BASE_URL']}/v1/convai/{path}"
        async with httpx.AsyncClient(headers={"xi-api-key": twin.key}) as client:
            answer = await client.request(method, url, json=body)
            assert answer.status_code == status
            assert told in answer.text
            unknown = await client.request(method, url, json=body, headers={"xi-api-key": "another"})
            assert unknown.status_code == 401
            assert unknown.json()["detail"]["status"] == "invalid_api_key"

    on_a_twin(act)


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        ("refuse", VendorError, "HTTP 503"),
        ("rate-limit", VendorError, "HTTP 429"),
        ("quota", VendorUnusable, "check the plan and billing"),
    ],
)
def test_refusals_say_what_to_do(fault: str, kind: type[Exception], message: str) -> None:
    async def act(adapter: ElevenLabsAdapter, twin: RunningTwin) -> None:
        with pytest.raises(VendorError, match=message) as refused:
            await adapter.connect(await adapter.deploy(AGENT), call_setup())
        assert type(refused.value) is kind

    on_a_twin(act, FAULTS[fault])


@pytest.mark.parametrize("options", [{"model": "gpt-0"}, {"voice": "nobody"}])
def test_a_wrong_model_or_voice_is_refused_in_one_line(options: dict[str, str]) -> None:
    async def act(adapter: ElevenLabsAdapter, twin: RunningTwin) -> None:
        deployment = await adapter.deploy(AGENT)
        with pytest.raises(VendorUnusable, match="check the options model and voice"):
            await adapter.connect(deployment, call_setup(**options))

    on_a_twin(act)
