"""Placing and grading planned calls, in this process or in worker processes of their own.

A worker is handed plain data (what to run, which calls) and builds its own plugin host and engines, so
nothing is shared but the run folder, where every call appears whole or not at all.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue

import attrs

from offhook.clock import run_real, run_virtual
from offhook.host import PluginHost
from offhook.line import AudioFileError
from offhook.records import RECORD_VERSION, CallKey, CallRecord, LateTicks
from offhook.runner.call import CallFailed, CallRefused, place_call
from offhook.runner.grade import GradeDesk, verdict_of
from offhook.runner.kit import CallKit, make_kit
from offhook.runner.options import RunOptions
from offhook.runner.plan import PlannedCall
from offhook.speech import SpeechUnavailable
from offhook.storage import RunFolder, StorageError

__all__ = ["Done", "LocalWorker", "work_all"]


@attrs.frozen
class Done:
    """How one planned call came out. ``passed`` is None unless it was graded; ``lost`` calls left nothing
    and run again on resume.
    """

    planned: PlannedCall
    ending: str
    passed: bool | None
    cause: str = ""
    lost: bool = False


class LocalWorker:
    """Places calls one after the other in this process."""

    def __init__(self, options: RunOptions, folder: RunFolder, *, host: PluginHost | None = None) -> None:
        self._folder = folder
        self.host = host or PluginHost.discover(block=options.block)
        self.kit: CallKit = make_kit(
            self.host,
            platform=options.platform,
            caller=options.caller,
            choice=options.engines,
            images=options.images,
            seed=options.seed,
            options=options.platform_options,
        )
        self._desk = GradeDesk(self.host, folder, options.images)

    def place(self, planned: PlannedCall) -> Done:
        """One call: placed, written, graded. A call that fails is written as an ``error`` record with its
        cause.

        Raises:
            StorageError: the run folder can't be written.
        """
        self.host.notify("offhook_call_started", key=planned.key)
        started = time.time()
        scratch = self._folder.scratch(planned.call_id)
        virtual = self.kit.adapter.capabilities.virtual_time and self.kit.caller.virtual_time
        run = run_virtual if virtual else run_real
        try:
            record = run(place_call(planned, self.kit, scratch))
        except (StorageError, SpeechUnavailable, AudioFileError, OSError):
            # every further call would meet the same: the run stops, and --resume goes on once it is mended
            self._folder.discard(scratch)
            raise
        except CallRefused as error:
            scratch = self._folder.scratch(planned.call_id)
            record = _unheld(planned, self.kit, "void", f"refused: {error}")
        except Exception as error:
            cause = (
                str(error) if isinstance(error, CallFailed) else f"harness: {type(error).__name__}: {error}"
            )
            self._folder.note_failure(planned.call_id, traceback.format_exc())
            scratch = self._folder.scratch(planned.call_id)
            record = _unheld(planned, self.kit, "error", cause)
        stamps = {"started": _utc(started), "took_s": f"{time.time() - started:.3f}"}
        folder = self._folder.commit_call(scratch, attrs.evolve(record, wall=stamps))
        self.host.notify("offhook_call_finished", record=record, folder=folder)
        passed = verdict_of(self._desk.grade(planned.call_id)) if record.ending == "completed" else None
        return Done(planned, record.ending, passed, record.cause)


def work_all(
    calls: Sequence[PlannedCall],
    options: RunOptions,
    folder: RunFolder,
    *,
    stop: threading.Event,
    on_started: Callable[[PlannedCall], None],
    on_done: Callable[[Done], None],
    host: PluginHost | None = None,
) -> None:
    """Works through the calls with ``options.workers`` processes (1: in this process). Blocks; call it off
    the main thread.

    Setting ``stop`` lets the calls in flight finish and starts no other. Callbacks come from worker
    threads, one at a time.

    Raises: StorageError, UnknownName, SpeechUnavailable: from this process's worker; other workers' errors
    come as RuntimeError.
    """
    queue: SimpleQueue[PlannedCall] = SimpleQueue()
    for planned in calls:
        queue.put(planned)
    turn = threading.Lock()

    def told(callback: Callable[..., None], value: object) -> None:
        with turn:
            callback(value)

    if options.workers == 1:
        worker = LocalWorker(options, folder, host=host)
        _drive(queue, worker.place, stop, on_started, on_done, told)
        return
    failures: list[BaseException] = []

    def drive_process() -> None:
        process = _WorkerProcess(options, folder.path)
        try:
            _drive(queue, process.place, stop, on_started, on_done, told)
        except BaseException as error:  # told to the caller of work_all, whatever it is
            failures.append(error)
            stop.set()
        finally:
            process.close()

    threads = [
        threading.Thread(target=drive_process, daemon=True) for _ in range(min(options.workers, len(calls)))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _drive(
    queue: SimpleQueue[PlannedCall],
    place: Callable[[PlannedCall], Done],
    stop: threading.Event,
    on_started: Callable[[PlannedCall], None],
    on_done: Callable[[Done], None],
    told: Callable[[Callable[..., None], object], None],
) -> None:
    while not stop.is_set():
        try:
            planned = queue.get_nowait()
        except Empty:
            return
        told(on_started, planned)
        told(on_done, place(planned))


class _WorkerProcess:
    """A worker in a process of its own; one that dies is replaced, and its call reported lost."""

    def __init__(self, options: RunOptions, run: Path) -> None:
        self._options = options
        self._run = run
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def place(self, planned: PlannedCall) -> Done:
        pipe = self._pipe if self._pipe is not None else self._start()
        try:
            pipe.send(planned)
            answer = pipe.recv()
        except (EOFError, OSError):
            code = self._reap()
            return Done(planned, "error", None, f"its worker process died ({_exit_text(code)})", lost=True)
        if isinstance(answer, Exception):
            raise answer
        done: Done = answer
        return done

    def close(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
        self._reap()

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_worker_main, args=(theirs, self._options, self._run), daemon=True)
        process.start()
        theirs.close()
        self._process, self._pipe = process, ours
        return ours

    def _reap(self) -> int | None:
        process, self._process, self._pipe = self._process, None, None
        if process is None:
            return None
        process.join()
        return process.exitcode


def _worker_main(pipe: Connection, options: RunOptions, run: Path) -> None:
    """Answers planned calls until the pipe closes. Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker: LocalWorker | None = None
    while True:
        try:
            planned = pipe.recv()
        except EOFError:
            return
        try:
            worker = worker or LocalWorker(options, RunFolder.open(run))
            answer: object = worker.place(planned)
        except Exception as error:
            known = (StorageError, SpeechUnavailable, AudioFileError)
            answer = type(error)(str(error)) if isinstance(error, known) else RuntimeError(str(error))
        pipe.send(answer)


def _exit_text(code: int | None) -> str:
    if code is None:
        return "no exit code"
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def _utc(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _unheld(planned: PlannedCall, kit: CallKit, ending: str, cause: str) -> CallRecord:
    """The record of a call that could not be held: nothing was measured, and it says why."""
    key: CallKey = planned.key
    return CallRecord(
        version=RECORD_VERSION,
        call_id=planned.call_id,
        key=key,
        run_seed=kit.seed,
        voice=planned.voice,
        ending=ending,
        cause=" ".join(cause.split()),
        ended_by="",
        seconds=0.0,
        caller_turns=(),
        caller_heard=(),
        caller_events=(),
        hung_up_because="",
        off_script=(),
        user_transcripts=(),
        agent_transcripts=(),
        played=(),
        clears=(),
        session_errors=(),
        usage={},
        cost_usd=None,
        cost_basis="unknown",
        underruns=0,
        late=LateTicks(0.0, 0.0, 0.0),
        user_transcript_available=False,
        components=kit.components(key, planned.voice),
        files=(),
    )
