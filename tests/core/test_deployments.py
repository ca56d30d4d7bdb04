from __future__ import annotations

import gc
from typing import Any, cast

from offhook.clock import run_real, run_virtual
from offhook.runner.deployments import Deployments
from offhook.sessions import Adapter, AgentConfig, Deployment


class _Platform:
    name = "p"

    def __init__(self, *, stuck: bool = False) -> None:
        self.made: list[str] = []
        self.down: list[str] = []
        self._stuck = stuck

    async def deploy(self, agent: AgentConfig) -> Deployment:
        self.made.append(agent.sha256)
        return Deployment(self.name, f"agent-{agent.sha256}", agent, agent.sha256)

    async def teardown(self, deployment: Deployment) -> None:
        if self._stuck:
            raise ConnectionError("gone")
        self.down.append(deployment.reference)


def _agent(sha256: str) -> AgentConfig:
    return AgentConfig("a", "prompt", "hello", (), sha256)


def _use(platform: _Platform) -> tuple[str, ...]:
    async def use() -> tuple[str, ...]:
        deployments = Deployments()
        adapter = cast(Adapter, cast(Any, platform))
        for sha256 in ("1", "2", "1"):
            assert (await deployments.deployed(adapter, _agent(sha256))).reference == f"agent-{sha256}"
        assert platform.down == []
        failures = await deployments.close()
        assert await deployments.close() == ()
        return failures

    return run_virtual(use())


def test_each_agent_is_deployed_once_and_taken_down_once() -> None:
    platform = _Platform()
    assert _use(platform) == ()
    assert platform.made == ["1", "2"]
    assert sorted(platform.down) == ["agent-1", "agent-2"]


def test_what_cannot_be_taken_down_is_named() -> None:
    failures = _use(_Platform(stuck=True))
    assert len(failures) == 2
    assert "p: teardown of agent-1: ConnectionError: gone" in failures


async def _frozen() -> tuple[int, int]:
    """How many objects are kept from collection during a run, and after it."""
    deployments = Deployments()
    await deployments.deployed(cast(Adapter, cast(Any, _Platform())), _agent("1"))
    during = gc.get_freeze_count()
    await deployments.close()
    return during, gc.get_freeze_count()


def test_in_real_time_what_is_loaded_is_not_gone_over_again_until_the_end() -> None:
    assert gc.get_freeze_count() == 0
    during, after = run_real(_frozen())

    assert during > 1000
    assert after == 0
    assert run_virtual(_frozen()) == (0, 0)
