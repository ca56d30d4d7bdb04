"""The user's own LiveKit agent, unchanged, in a process of its own.

Started with ``python -m livekit.agents console``, the process connects to the run and exchanges sound and
events with it. It finds in its environment what belongs to the call: ``OFFHOOK_PROMPT``,
``OFFHOOK_GREETING``, ``OFFHOOK_MCP_URL`` and ``OFFHOOK_TOOL_TOKEN`` (a bearer token for it).
"""

from __future__ import annotations

import asyncio
import errno
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import attrs

from offhook.platforms import PlatformUnusable
from offhook.records import ModelLayer
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Deployment, Greeting, ToolMode
from offhook_adapters._frameworks.child import AgentChild, Starts
from offhook_adapters.livekit.adapter import import_livekit, missing_livekit

if TYPE_CHECKING:
    from offhook_adapters.livekit.console import ConsoleSession

__all__ = ["LiveKitProcessAdapter"]

# Shorter than a run waits for any platform, so that what is wrong is told.
_START_SECONDS: Final = 45.0
_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "agent": "The file of your agent (required).",
        "python": "The interpreter to start it with (this one).",
    }
)


@attrs.frozen
class LiveKitProcessAdapter:
    """One process for each call, in real time. ``patience`` is how many seconds it may take to connect."""

    name: str = "livekit-process"
    patience: float = _START_SECONDS
    _starts: Starts = attrs.field(factory=Starts, init=False, repr=False, eq=False)

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            tool_mode=ToolMode.MCP,
            call_id_source="none",
            greeting=Greeting.PROMPTED,
            record=True,
            concurrency=2,
            layers=(ModelLayer("speech", "the agent's own models", "user"),),
        )

    @property
    def needed_options(self) -> tuple[str, ...]:
        """Without which no call can be taken."""
        return ("agent",)

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return _OPTIONS

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Starts nothing."""
        return missing_livekit()

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: a process is told its prompt when it starts.

        Raises:
            PlatformUnusable: LiveKit is not installed.
        """
        import_livekit()
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> ConsoleSession:
        """Starts the agent and waits until it connects.

        Raises:
            PlatformUnusable: LiveKit or the file is missing, or not even the first process connects.
            RuntimeError: this one ends or stays away.
        """
        import_livekit()
        from offhook_adapters.livekit.console import ConsoleSession

        file = _file(call.options)
        came: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = (
            asyncio.get_running_loop().create_future()
        )

        def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if came.done():
                writer.close()
            else:
                came.set_result((reader, writer))

        server = await asyncio.start_server(take, "127.0.0.1", 0)
        try:
            address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
            python = call.options.get("python", "") or sys.executable
            command = (python, "-m", "livekit.agents", "console", file.name, "--connect-addr", address)
            try:
                child = await AgentChild.start(command, file.parent, _environment(deployment.config, call))
            except (OSError, ValueError) as error:
                raise PlatformUnusable(_not_started(python, error)) from None
            try:
                with self._starts.waited_for():
                    reader, writer = await self._connected(came, child, file)
            except BaseException:
                await child.stop()
                raise
        finally:
            server.close()
        return ConsoleSession(reader, writer, child)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""

    async def _connected(
        self,
        came: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]],
        child: AgentChild,
        file: Path,
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        ended = asyncio.create_task(child.wait())
        try:
            either: set[asyncio.Future[Any]] = {came, ended}
            await asyncio.wait(either, timeout=self.patience, return_when=asyncio.FIRST_COMPLETED)
            if came.done():
                return came.result()
            if ended.done():
                why, told = f"ended with code {ended.result()}", child.last_words
            else:
                why, told = f"did not connect within {self.patience:g} s", await child.trouble()
            raise PlatformUnusable(f"{file.name} {why}: {told}" if told else f"{file.name} {why}")
        finally:
            ended.cancel()


def _file(options: Mapping[str, str]) -> Path:
    unknown = sorted(set(options) - set(_OPTIONS))
    if unknown:
        raise PlatformUnusable(f"there is no option {unknown[0]!r}: choose from {', '.join(_OPTIONS)}")
    given = options.get("agent", "")
    if not given:
        raise PlatformUnusable("which agent? Name its file with --option agent=path/to/agent.py")
    file = Path(given).expanduser().resolve()
    if not file.is_file():
        raise PlatformUnusable(f"there is no file {given}: set the option agent to your agent's file")
    return file


def _not_started(python: str, error: OSError | ValueError) -> str:
    """Why there is no process. What the agent is told goes into its environment, which has its limits."""
    if isinstance(error, OSError) and error.errno != errno.E2BIG:
        return f"{python} can't be started ({error.strerror}): set python to your interpreter"
    why = error.strerror if isinstance(error, OSError) else str(error).partition(":")[0]
    return f"prompt and greeting do not fit into a process's environment ({why}): shorten or change them"


def _environment(agent: AgentConfig, call: CallSetup) -> dict[str, str]:
    told = {"OFFHOOK_PROMPT": agent.prompt, "OFFHOOK_GREETING": agent.greeting}
    if call.tools is not None:
        told |= {"OFFHOOK_MCP_URL": call.tools.mcp_url, "OFFHOOK_TOOL_TOKEN": call.tools.token}
    return told
