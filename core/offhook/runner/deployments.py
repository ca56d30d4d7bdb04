"""The agents a process has deployed, so that each is deployed once and taken down at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from offhook.sessions import Adapter, AgentConfig, Deployment

__all__ = ["Deployments"]


class Deployments:
    """Deployments of one process, by adapter and agent configuration. ``settle`` is called after each: what
    is loaded by then stays.
    """

    def __init__(self, settle: Callable[[], None] | None = None) -> None:
        self._settle = settle
        self._made: dict[tuple[str, str], tuple[Adapter, Deployment]] = {}
        self._making = asyncio.Lock()  # calls that begin together wait for one deployment

    async def deployed(self, adapter: Adapter, agent: AgentConfig) -> Deployment:
        """The agent's deployment, made the first time it is asked for. Raises what the adapter raises."""
        key = (adapter.name, agent.sha256)
        async with self._making:
            if key not in self._made:
                self._made[key] = (adapter, await adapter.deploy(agent))
                if self._settle is not None:
                    self._settle()
        return self._made[key][1]

    async def close(self) -> tuple[str, ...]:
        """Takes all of them down; what could not be, one line each."""
        failures = []
        while self._made:
            _, (adapter, deployment) = self._made.popitem()
            try:
                await adapter.teardown(deployment)
            except (Exception, SystemExit) as error:  # a plugin may even call sys.exit()
                failures.append(
                    f"{adapter.name}: teardown of {deployment.reference}: {type(error).__name__}: {error}"
                )
        return tuple(failures)
