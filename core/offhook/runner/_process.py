"""A worker in a process of its own, which never outlives the process that started it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any

__all__ = ["WorkerDied", "WorkerProcess", "serve_jobs"]


class WorkerDied(Exception):
    """The process ended instead of answering; the message says how."""


class WorkerProcess:
    """Does jobs one after the other. One that died is replaced for the next job.

    Args:
        main: what the new process runs, ``main(pipe, *arguments)``; it hands the pipe to ``serve_jobs``.
    """

    def __init__(self, main: Callable[..., None], *arguments: object) -> None:
        self._main = main
        self._arguments = arguments
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, job: object) -> Any:
        """What the worker answers; an exception that it answers is raised.

        Raises:
            WorkerDied: it ended before it answered.
        """
        pipe = self._pipe if self._pipe is not None else self._start()
        try:
            pipe.send(job)
            answer = pipe.recv()
        except (EOFError, OSError) as error:
            raise WorkerDied(_exit_text(self._reap())) from error
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        """Lets the worker end and waits for it."""
        self._reap()

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=self._main, args=(theirs, *self._arguments), daemon=True)
        with _signals_held_back():
            process.start()
        theirs.close()
        self._process, self._pipe = process, ours
        return ours

    def _reap(self) -> int | None:
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if pipe is not None:
            pipe.close()
        if process is None:
            return None
        process.join()
        return process.exitcode


def serve_jobs(pipe: Connection, work: Callable[[Any], object]) -> None:
    """In the worker: answers jobs until the pipe closes. ``work`` returns its answer, or an exception that
    the parent is to raise.

    What a terminal or a service manager sends to the whole group is the parent's business; when the parent
    is gone, however it went, the worker ends at once.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        pipe.send(work(job))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """A new process inherits the mask, so that an interrupt can't strike before it has said what it does
    with one.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _exit_text(code: int | None) -> str:
    if code is None:
        return "no exit code"
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
