"""An agent of the user's in a process of its own, which does not outlive the run."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Self

__all__ = ["AgentChild"]

_GUARD: Final = str(Path(__file__).with_name("guard.py"))
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
    async def start(cls, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Self:
        """Starts a command in ``folder``, with ``environment`` besides the process's own.

        Raises:
            OSError: there is no such program, or it can't be run.
            ValueError: what the environment is to hold can be in none.
        """
        program, *arguments = command
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            "-S",
            _GUARD,
            _found(program),
            *arguments,
            cwd=folder,
            env={**os.environ, **environment},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            # Some end their whole process group when they are told twice to stop.
            start_new_session=True,
        )
        return cls(process)

    @property
    def returncode(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.returncode

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


def _found(program: str) -> str:
    """The program's whole path, for the process starts in the agent's folder."""
    path = shutil.which(program)
    if path is None:
        number = errno.EACCES if Path(program).exists() else errno.ENOENT
        raise OSError(number, os.strerror(number), program)
    return os.path.abspath(path)
