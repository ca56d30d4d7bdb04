"""An agent of the user's in a process of its own, which does not outlive the run."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Self

from offhook.platforms import PlatformUnusable

__all__ = ["AgentChild", "Starts"]

_GUARD: Final = str(Path(__file__).with_name("guard.py"))
_STOP_SECONDS: Final = 2.0
_PIECE: Final = 4_096
# Of what it wrote, in bytes: enough to hold the end of a traceback and what is logged after it.
_KEPT: Final = 16_384
_LONGEST: Final = 300
_COLOUR: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# How a traceback ends: the exception's name, and most often what it says.
_RAISED: Final = re.compile(r"([A-Za-z_]\w*\.)*[A-Z]\w*(Error|Exception|Exit|Group)(: .+)?$")
_SECRET: Final = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
_SHORTEST_SECRET: Final = 8
_QUIET_SECONDS: Final = 0.1
_LOOK_SECONDS: Final = 0.02


class Starts:
    """Whether an agent's process has come up before. If not even the first does, none will; a later one that
    doesn't had bad luck, and its call alone is lost.
    """

    def __init__(self) -> None:
        self._seen = False

    @contextlib.contextmanager
    def waited_for(self) -> Iterator[None]:
        """Inside, somebody waits for a process.

        Raises:
            RuntimeError: PlatformUnusable was raised inside, and a process has come up before.
        """
        try:
            yield
        except PlatformUnusable as error:
            if self._seen:
                raise RuntimeError(str(error)) from None
            raise
        self._seen = True


class AgentChild:
    """The process. What is told of its output for errors is one line, without the values of variables that
    are named like a key, a token or a password.
    """

    def __init__(self, process: asyncio.subprocess.Process, environment: Mapping[str, str]) -> None:
        self._process = process
        self._said = b""
        self._secrets = sorted(
            (
                value
                for name, value in environment.items()
                if _SECRET.search(name) and len(value) >= _SHORTEST_SECRET
            ),
            key=len,
            reverse=True,
        )
        self._reading = asyncio.create_task(self._read())
        self._clearing = asyncio.create_task(self._clear())

    @classmethod
    async def start(cls, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Self:
        """Starts a command in ``folder``, with ``environment`` besides the process's own.

        Raises:
            OSError: there is no such program, or it can't be run.
            ValueError: what the environment is to hold can be in none.
        """
        program, *arguments = command
        told = {**os.environ, **environment}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            "-S",
            _GUARD,
            _found(program),
            *arguments,
            cwd=folder,
            env=told,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            # Some end their whole process group when they are told twice to stop.
            start_new_session=True,
        )
        return cls(process, told)

    @property
    def returncode(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.returncode

    @property
    def last_words(self) -> str:
        """The last line it wrote; empty where it wrote none."""
        return next(reversed(self._lines()), "")

    async def trouble(self) -> str:
        """What went wrong with it while it runs on: the last exception it told of, or else its last words.
        What it has just written is waited for.
        """
        await asyncio.wait({self._reading}, timeout=_QUIET_SECONDS)
        raised = (line for line in reversed(self._lines()) if _RAISED.match(line))
        return next(raised, self.last_words)

    async def wait(self) -> int:
        """The exit code, once all the process wrote has been read."""
        code = await self._exited()
        await asyncio.wait({self._reading}, timeout=_STOP_SECONDS)
        return code

    async def exit_code(self, seconds: float) -> int | None:
        """The exit code, if it ends within some seconds; else None."""
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(self.wait(), seconds)
        return self.returncode

    async def stop(self) -> None:
        """Ends it and all it started: first kindly, then for certain."""
        for kill, patience in ((signal.SIGTERM, _STOP_SECONDS), (signal.SIGKILL, _STOP_SECONDS)):
            if self._process.returncode is not None:
                break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, kill)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._exited(), patience)
        tasks = {self._clearing, self._reading}
        await asyncio.wait(tasks, timeout=_STOP_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._process.stdin is not None:
            self._process.stdin.close()
            with contextlib.suppress(OSError):
                await self._process.stdin.wait_closed()

    async def _clear(self) -> None:
        """Ends what the process started and left behind, right after its own end: later its group's number
        may be another's.
        """
        await self._exited()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    async def _exited(self) -> int:
        """As the process's own ``wait``, which waits for all that hold its pipes, too."""
        while (code := self._process.returncode) is None:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(_LOOK_SECONDS)
        return code

    def _lines(self) -> list[str]:
        """The end of what it wrote, without empty lines, colours and secrets."""
        text = _COLOUR.sub("", self._said.decode(errors="replace"))
        for secret in self._secrets:
            text = text.replace(secret, "...")
        return [line.strip()[:_LONGEST] for line in text.splitlines() if line.strip()]

    async def _read(self) -> None:
        assert self._process.stdout is not None
        # Whatever it writes is taken from it, lines without end too: else it would stand still.
        while said := await self._process.stdout.read(_PIECE):
            self._said = (self._said + said)[-_KEPT:]


def _found(program: str) -> str:
    """The program's whole path, for the process starts in the agent's folder."""
    path = shutil.which(program)
    if path is None:
        number = errno.EACCES if Path(program).exists() else errno.ENOENT
        raise OSError(number, os.strerror(number), program)
    return os.path.abspath(path)
