"""A worker in a process of its own, which never outlives the process that started it."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any

import attrs

__all__ = ["WorkerDied", "WorkerProcess", "serve_jobs"]


class WorkerDied(Exception):
    """The process ended instead of answering; the message says how."""


@attrs.frozen(eq=False)
class _Link:
    """A live process: the pipe to it, and who waits for which of its answers."""

    process: multiprocessing.process.BaseProcess
    pipe: Connection
    waiting: dict[int, Future[Any]] = attrs.field(factory=dict)


class WorkerProcess:
    """Does jobs, for several threads at once if they ask. One that died is replaced for the next job.

    Args:
        main: what the new process runs, ``main(pipe, *arguments)``; it hands the pipe to ``serve_jobs``.
    """

    def __init__(self, main: Callable[..., None], *arguments: object) -> None:
        self._main = main
        self._arguments = arguments
        self._tickets = itertools.count()
        self._turn = threading.Lock()
        self._link: _Link | None = None
        self._readers: list[threading.Thread] = []

    def ask(self, job: object) -> Any:
        """What the worker answers; an exception that it answers is raised.

        Raises:
            WorkerDied: it ended before it answered.
        """
        answer: Future[Any] = Future()
        with self._turn:
            link = self._link or self._start()
            ticket = next(self._tickets)
            link.waiting[ticket] = answer
            with suppress(OSError):  # it is dead; the reader is about to tell
                link.pipe.send((ticket, job))
        return answer.result()

    def close(self) -> None:
        """Lets the worker end and waits for it."""
        with self._turn:
            if self._link is not None:
                with suppress(OSError):
                    self._link.pipe.send(None)
        for reader in self._readers:
            reader.join()

    def _start(self) -> _Link:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=self._main, args=(theirs, *self._arguments), daemon=True)
        with _signals_held_back():
            process.start()
        theirs.close()
        self._link = link = _Link(process, ours)
        reader = threading.Thread(target=self._read, args=(link,), daemon=True)
        self._readers.append(reader)
        reader.start()
        return link

    def _read(self, link: _Link) -> None:
        """Hands out answers until the process ends, then tells those who still wait."""
        with suppress(Exception):  # the pipe has ended, or brought what can't be read
            while True:
                ticket, answer = link.pipe.recv()
                future = link.waiting.pop(ticket)
                if isinstance(answer, Exception):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)
        with self._turn:
            self._link = None
        link.pipe.close()
        link.process.join()
        for future in link.waiting.values():
            future.set_exception(WorkerDied(_exit_text(link.process.exitcode)))


def serve_jobs(pipe: Connection, work: Callable[[Any], object], *, at_once: int = 1) -> None:
    """In the worker: answers jobs, up to ``at_once`` at the same time, until it is told to end or the pipe
    closes. ``work`` returns its answer, or an exception that the parent is to raise.

    What a terminal or a service manager sends to the whole group is the parent's business; when the parent
    is gone, however it went, the worker ends at once.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    answering = threading.Lock()

    def answer(ticket: int, job: object) -> None:
        try:
            done = work(job)
            with answering:
                pipe.send((ticket, done))
        except BaseException:  # whoever asked would wait for ever
            traceback.print_exc()
            os._exit(1)

    with ThreadPoolExecutor(at_once) as pool:
        while (asked := _next_job(pipe)) is not None:
            pool.submit(answer, *asked)


def _next_job(pipe: Connection) -> tuple[int, object] | None:
    try:
        job: tuple[int, object] | None = pipe.recv()
    except EOFError:
        return None
    return job


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
