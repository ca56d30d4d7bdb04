"""An agent file of the user's in a process of its own, started the way LiveKit's console starts it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

__all__ = ["AgentChild"]

_GUARD: Final = str(Path(__file__).with_name("_guard.py"))
_STOP_SECONDS: Final = 2.0
# Of what it wrote, in bytes: enough to hold its last line, whatever came before.
_KEPT: Final = 4_096


class AgentChild:
    """The process. ``last_words`` is the last line it wrote, for errors."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._said = b""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, python: str, agent: Path, address: str, environment: Mapping[str, str]) -> Self:
        """Starts ``agent`` with the interpreter ``python``; it will connect to ``address``.

        Raises:
            OSError: there is no such interpreter, or it can't be run.
            ValueError: what the environment is to hold can be in none.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            "-S",
            _GUARD,
            _found(python or sys.executable),
            "-m",
            "livekit.agents",
            "console",
            agent.name,
            "--connect-addr",
            address,
            cwd=agent.parent,
            env={**os.environ, **environment},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            # LiveKit ends its whole process group when it is told twice to stop.
            start_new_session=True,
        )
        return cls(process)

    @property
    def last_words(self) -> str:
        lines = self._said.decode(errors="replace").splitlines()
        return next((line for line in reversed(lines) if line.strip()), "").strip()[:300]

    async def wait(self) -> int:
        """The exit code, once all the process wrote has been read."""
        code = await self._process.wait()
        await asyncio.wait({self._reading}, timeout=_STOP_SECONDS)
        return code

    async def stop(self) -> None:
        """Ends it and all it started: first kindly, then for certain."""
        for kill, patience in ((signal.SIGTERM, _STOP_SECONDS), (signal.SIGKILL, _STOP_SECONDS)):
            if self._process.returncode is not None:
                break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, kill)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), patience)
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        # Whatever it writes is taken from it, lines without end too: else it would stand still.
        while said := await self._process.stdout.read(_KEPT):
            self._said = (self._said + said)[-_KEPT:]


def _found(python: str) -> str:
    """The interpreter's whole path, for the process starts in the agent's folder."""
    path = shutil.which(python)
    if path is None:
        number = errno.EACCES if Path(python).exists() else errno.ENOENT
        raise OSError(number, os.strerror(number), python)
    return os.path.abspath(path)
