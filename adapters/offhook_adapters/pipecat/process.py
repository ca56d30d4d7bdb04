"""A bot of the user's own, unmodified, as a platform: Pipecat's runner starts it, and the call goes over its
WebSocket.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.clock import compute
from offhook.platforms import PlatformUnusable
from offhook.sessions import (
    AgentConfig,
    CallSetup,
    Capabilities,
    Deployment,
    Greeting,
    ToolMode,
)
from offhook_adapters._frameworks.child import AgentChild, Starts
from offhook_adapters.pipecat.framework import load_framework, missing_framework
from offhook_adapters.pipecat.process_session import BotSession

__all__ = ["BotProcess", "PipecatProcessAdapter"]

_OPTIONS: Final[Mapping[str, str]] = MappingProxyType({"bot": "The file of your bot (required)."})
_NO_RUNNER: Final = "Pipecat's runner is missing: run pip install 'offhook[pipecat]'"
_START_SECONDS: Final = 45.0
_RETRY_SECONDS: Final = 0.1
_CLOSE_SECONDS: Final = 2.0
# Minutes of speech in one message, which nobody sends.
_LARGEST: Final = 1 << 24


@attrs.frozen
class PipecatProcessAdapter:
    """Each call gets a process of its own. What the bot is to be and where its tools are comes as the body
    of its ``runner_args``: ``call_id``, ``agent`` (``prompt``, ``greeting``, ``tools``) and ``tools``
    (``mcp_url`` and ``token``). A bot that has all that itself may ignore it.
    """

    name: str = "pipecat-process"
    _starts: Starts = attrs.field(factory=Starts, init=False, repr=False, eq=False)

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            tool_mode=ToolMode.MCP,
            call_id_source="none",
            greeting=Greeting.VERBATIM,
            barge_in_signal=True,
            record=True,
            concurrency=2,
        )

    @property
    def needed_options(self) -> tuple[str, ...]:
        """Without which no call can be taken."""
        return ("bot",)

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return _OPTIONS

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Starts nothing."""
        if (missing := missing_framework()) is not None:
            return missing
        return None if find_spec("fastapi") and find_spec("websockets") else _NO_RUNNER

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up: every call has its own process.

        Raises:
            PlatformUnusable: Pipecat or its runner is not installed.
        """
        if (missing := self.check()) is not None:
            raise PlatformUnusable(missing)
        await compute(load_framework)
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> BotSession:
        """Starts the bot and connects to it.

        Raises:
            PlatformUnusable: no bot was named, there is no such file, or not even the first bot starts.
            RuntimeError: this one does not start.
        """
        unknown = sorted(set(call.options) - set(_OPTIONS))
        if unknown:
            raise PlatformUnusable(f"there is no option {unknown[0]!r}: choose from {', '.join(_OPTIONS)}")
        named = call.options.get("bot", "")
        if not named:
            raise PlatformUnusable("say which bot to start: --option bot=path/to/bot.py")
        process = await BotProcess.start(_file(named), _body(deployment.config, call))
        try:
            with self._starts.waited_for():
                socket_ = await process.dial()
        except BaseException:
            await process.stop()
            raise
        session = BotSession(socket_, process.stop, process.trouble)
        await session.begin()
        return session

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


def _file(named: str) -> Path:
    bot = Path(named)
    if not bot.is_file():
        raise PlatformUnusable(f"there is no file {named}: give --option bot= the bot's path")
    return bot.resolve()


def _body(agent: AgentConfig, call: CallSetup) -> dict[str, Any]:
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
        for tool in agent.tools
    ]
    body: dict[str, Any] = {
        "call_id": call.call_id,
        "agent": {"prompt": agent.prompt, "greeting": agent.greeting, "tools": tools},
    }
    if call.tools is not None:
        body["tools"] = {"mcp_url": call.tools.mcp_url, "token": call.tools.token}
    return body


class BotProcess:
    """A running bot, and the folder that holds its body."""

    def __init__(
        self, child: AgentChild, port: int, folder: tempfile.TemporaryDirectory[str], secret: str
    ) -> None:
        self._child = child
        self._port = port
        self._folder = folder
        self._secret = secret

    @classmethod
    async def start(cls, bot: Path, body: Mapping[str, Any]) -> BotProcess:
        """Starts the bot in its own folder, with Pipecat's runner on a free port of 127.0.0.1."""
        folder = tempfile.TemporaryDirectory(prefix="offhook-bot-")
        told = Path(folder.name) / "body.json"
        told.touch(mode=0o600)  # it holds the tools' token
        told.write_text(json.dumps(body), encoding="utf-8")
        port = _free_port()
        command = [sys.executable, str(bot), "-t", "websocket", "--host", "127.0.0.1"]
        command += ["--port", str(port), "--runner-body", str(told)]
        try:
            child = await AgentChild.start(command, bot.parent, {"PYTHONUNBUFFERED": "1"})
        except BaseException:
            folder.cleanup()
            raise
        return cls(child, port, folder, str(body.get("tools", {}).get("token", "")))

    async def dial(self) -> Any:
        """Its WebSocket, as soon as it listens.

        Raises:
            PlatformUnusable: it ended, or does not listen; the message has a line that it wrote.
        """
        from websockets.asyncio.client import connect

        loop = asyncio.get_running_loop()
        deadline = loop.time() + _START_SECONDS
        while self._child.returncode is None and loop.time() < deadline:
            try:
                return await connect(
                    f"ws://127.0.0.1:{self._port}/ws-client",
                    max_size=_LARGEST,
                    proxy=None,
                    open_timeout=10,
                    close_timeout=_CLOSE_SECONDS,
                )
            except OSError:  # not yet
                await asyncio.sleep(_RETRY_SECONDS)
        if self._child.returncode is None:
            said = await self.trouble()
            raise PlatformUnusable(f"the bot did not listen within {_START_SECONDS:.0f} s{_after(said)}")
        code = await self._child.wait()
        said = self._scrubbed(self._child.last_words)
        raise PlatformUnusable(f"the bot ended with exit code {code}{_after(said)}")

    async def trouble(self) -> str:
        """What went wrong with it while it runs on, in a line of its own; empty where it wrote nothing."""
        return self._scrubbed(await self._child.trouble())

    async def stop(self) -> None:
        """Ends the process and all it started, and removes what it left. Idempotent."""
        await self._child.stop()
        self._folder.cleanup()

    def _scrubbed(self, said: str) -> str:
        return said.replace(self._secret, "...") if self._secret else said


def _after(said: str) -> str:
    return f": {said}" if said else ""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
