"""Grading many stored calls: in this process, or shared out among several."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from offhook.host import PluginHost
from offhook.runner._process import WorkerDied, WorkerProcess, serve_jobs
from offhook.runner.grade import GradedCall, GradeDesk
from offhook.storage import RunFolder, StorageError, one_line

__all__ = ["default_grade_workers", "grade_calls"]

_MOST_WORKERS: Final = 8  # each loads engines of its own
_CALLS_A_WORKER: Final = 20  # a process takes about a second to start


def default_grade_workers(calls: int) -> int:
    """How many processes grade so many calls where nobody says."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cpus, _MOST_WORKERS, calls // _CALLS_A_WORKER))


def grade_calls(
    folder: RunFolder,
    host: PluginHost,
    call_ids: Sequence[str],
    *,
    workers: int = 1,
    only: Sequence[str] = (),
    block: Sequence[str] = (),
    into: RunFolder | None = None,
    stop: threading.Event | None = None,
    on_done: Callable[[GradedCall], None] = lambda _: None,
) -> tuple[GradedCall, ...]:
    """Grades the calls and returns what was wrong with each, sorted by id; the grades are in the folder. A
    call whose worker process dies is told as broken. Setting ``stop`` lets the calls in hand finish.

    Args:
        workers: processes; with 1 it stays in this one. Others see installed plugins only, without those in
            ``block``.
        only, into: as of ``GradeDesk``.
        on_done: called as each call is graded, from one thread at a time.

    Raises:
        UnknownName: ``only`` names a grader that nobody provides.
        StorageError: the run's manifest is malformed, or the grades can't be written.
    """
    stop = stop or threading.Event()
    desk = GradeDesk(host, folder, only=only, into=into)  # also for its complaints, before any process starts
    desk.warn()
    queue: SimpleQueue[str] = SimpleQueue()
    for call_id in call_ids:
        queue.put(call_id)
    done: list[GradedCall] = []
    turn = threading.Lock()

    def drive(grade: Callable[[str], GradedCall]) -> None:
        while not stop.is_set():
            try:
                graded = grade(queue.get_nowait())
            except Empty:
                return
            with turn:
                done.append(GradedCall(graded.call_id, (), graded.problem))
                on_done(graded)

    workers = min(workers, len(call_ids))
    if workers <= 1:
        drive(desk.grade)
    else:
        processes = [
            WorkerProcess(_main, folder.path, tuple(only), tuple(block), None if into is None else into.path)
            for _ in range(workers)
        ]
        try:
            _drive_all([functools.partial(_graded_by, process) for process in processes], drive, stop)
        finally:
            for process in processes:
                process.close()
    return tuple(sorted(done, key=lambda graded: graded.call_id))


def _drive_all(
    places: Sequence[Callable[[str], GradedCall]],
    drive: Callable[[Callable[[str], GradedCall]], None],
    stop: threading.Event,
) -> None:
    failures: list[BaseException] = []

    def driven(place: Callable[[str], GradedCall]) -> None:
        try:
            drive(place)
        except BaseException as error:  # raised again below
            failures.append(error)
            stop.set()

    threads = [threading.Thread(target=driven, args=(place,), daemon=True) for place in places]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:  # an interrupt on the main thread: the others would begin further calls
        stop.set()
        for thread in threads:
            thread.join()
        raise
    if failures:
        raise failures[0]


def _graded_by(process: WorkerProcess, call_id: str) -> GradedCall:
    try:
        graded: GradedCall = process.ask(call_id)
    except WorkerDied as death:
        return GradedCall(call_id, (), f"the process that graded it died ({death})")
    return graded


def _trim() -> Callable[[int], object]:
    """Gives back what the heap has free. A call's sound comes and goes as arrays of many megabytes, and glibc
    would keep their room in each process."""
    try:
        trim: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return lambda _: None  # another C library
    return trim


def _main(
    pipe: Connection, run: Path, only: tuple[str, ...], block: tuple[str, ...], into: Path | None
) -> None:
    desk: GradeDesk | None = None
    trim = _trim()
    os.dup2(2, 1)  # what a plugin prints is no part of what the command prints
    sys.stdout = sys.stderr

    def work(call_id: str) -> GradedCall | Exception:
        nonlocal desk
        try:
            desk = desk or GradeDesk(
                PluginHost.discover(block=block),
                RunFolder.open(run),
                only=only,
                into=None if into is None else RunFolder(into),
            )
            graded = desk.grade(call_id)
            trim(0)
        except Exception as error:
            return _sendable(error)
        return GradedCall(call_id, (), graded.problem)

    serve_jobs(pipe, work)


def _sendable(error: Exception) -> Exception:
    """What the parent is to raise: a plugin's own exception may not survive the way."""
    return StorageError(str(error)) if isinstance(error, StorageError) else RuntimeError(one_line(error))
