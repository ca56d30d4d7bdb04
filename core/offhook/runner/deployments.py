"""The agents a process has deployed, so that each is deployed once and taken down at the end."""

from __future__ import annotations

import asyncio
import gc

from offhook.clock import is_virtual
from offhook.sessions import Adapter, AgentConfig, Deployment

__all__ = ["Deployments"]


class Deployments:
    """Deployments of one process, by adapter and agent configuration."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str], tuple[Adapter, Deployment]] = {}
        self._making = asyncio.Lock()  # calls that begin together wait for one deployment
        self._settled = False

    async def deployed(self, adapter: Adapter, agent: AgentConfig) -> Deployment:
        """The agent's deployment, made the first time it is asked for. Raises what the adapter raises."""
        key = (adapter.name, agent.sha256)
        async with self._making:
            if key not in self._made:
                self._made[key] = (adapter, await adapter.deploy(agent))
                if not is_virtual():
                    self._settle()
        return self._made[key][1]

    async def close(self) -> tuple[str, ...]:
        """Takes all of them down; what could not be, one line each."""
        if self._settled:
            gc.unfreeze()
            self._settled = False
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

    def _settle(self) -> None:
        """What is loaded by now stays until the end. Going over it again in the middle of a call would hold
        frames up: a vendor's SDK or a framework is some hundred thousand objects.
        """
        if gc.get_freeze_count() and not self._settled:
            return  # whoever embeds the run has seen to it, and their objects are theirs to thaw
        gc.collect()
        gc.freeze()
        self._settled = True
