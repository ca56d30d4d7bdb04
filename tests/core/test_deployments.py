from __future__ import annotations

import gc
from typing import Any, cast

from offhook.clock import run_virtual
from offhook.runner._loops import SharedLoop
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


async def _frozen(deployments: Deployments) -> tuple[int, int]:
    """How many objects are kept from collection before and after something is loaded by a deployment."""
    before = gc.get_freeze_count()
    loaded = [[number] for number in range(5000)]
    await deployments.deployed(cast(Adapter, cast(Any, _Platform())), _agent("1"))
    assert loaded
    return before, gc.get_freeze_count()


def test_on_a_shared_loop_what_a_deployment_loaded_is_not_gone_over_again_until_the_end() -> None:
    assert gc.get_freeze_count() == 0
    loop = SharedLoop(1)
    try:
        before, during = loop.run(lambda _: _frozen(Deployments(loop.settle)))
    finally:
        loop.close()

    assert before > 1000  # by the loop itself
    assert during >= before + 5000
    assert gc.get_freeze_count() == 0


def test_what_an_embedder_keeps_from_collection_stays_so() -> None:
    gc.freeze()
    try:
        kept = gc.get_freeze_count()
        loop = SharedLoop(1)
        try:
            before, during = loop.run(lambda _: _frozen(Deployments(loop.settle)))
        finally:
            loop.close()

        assert gc.get_freeze_count() >= kept * 0.99  # some die, as their owners do
        assert during <= before
    finally:
        gc.unfreeze()


def test_in_virtual_time_nothing_is_kept_from_collection() -> None:
    assert run_virtual(_frozen(Deployments())) == (0, 0)
