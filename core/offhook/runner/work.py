"""Placing and grading planned calls, in this process or in worker processes of their own.

A worker is handed plain data (what to run, which calls) and builds its own plugin host and engines, so
nothing is shared but the run folder, where every call appears whole or not at all.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Coroutine, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import attrs

from offhook.clock import run_real, run_virtual
from offhook.host import PluginHost
from offhook.line import AudioFileError
from offhook.records import CallRecord, empty_record
from offhook.runner._process import WorkerDied, WorkerProcess, serve_jobs
from offhook.runner._trouble import CallLog
from offhook.runner.call import CallFailed, CallRefused, place_call
from offhook.runner.grade import GradeDesk, verdict_of
from offhook.runner.kit import CallKit, make_kit
from offhook.runner.options import RunOptions
from offhook.runner.plan import PlannedCall, next_attempt
from offhook.speech import SpeechUnavailable
from offhook.storage import RunFolder, StorageError, clean_text, disk_error, to_json

__all__ = ["Done", "LocalWorker", "work_all"]

T = TypeVar("T")


@attrs.frozen
class Done:
    """How one planned call came out. ``passed`` is None unless it was graded; ``lost`` calls left nothing
    and run again on resume. ``again`` is the attempt that follows a void.
    """

    planned: PlannedCall
    ending: str
    passed: bool | None
    cause: str = ""
    lost: bool = False
    again: PlannedCall | None = None


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
        self._desk = GradeDesk(self.host, folder)

    def place(self, planned: PlannedCall) -> Done:
        """One call: placed, written, graded. A call that fails is written as an ``error`` record with its
        cause.

        Raises:
            StorageError: the run folder can't be written.
        """
        self.host.notify("offhook_call_started", key=planned.key)
        started = time.time()
        scratch = self._folder.scratch(planned.call_id)
        try:
            with CallLog() as log:
                record = self._held(planned, scratch)
                to_json(record).encode("utf-8")  # a record that no file can hold fails here, as the call
            if log.disk_error is not None:
                raise log.disk_error
        except OSError as error:
            self._folder.discard(scratch)
            raise disk_error(scratch, error) from error
        except (StorageError, SpeechUnavailable, AudioFileError):
            # every further call would meet the same: the run stops, and --resume goes on once it is mended
            self._folder.discard(scratch)
            raise
        except CallRefused as error:
            scratch = self._folder.scratch(planned.call_id)
            record = _unheld(planned, self.kit, "void", f"refused: {error}")
        except (Exception, SystemExit) as error:  # a plugin may even call sys.exit()
            cause = (
                str(error) if isinstance(error, CallFailed) else f"harness: {type(error).__name__}: {error}"
            )
            log.texts.append(traceback.format_exc())
            scratch = self._folder.scratch(planned.call_id)
            record = _unheld(planned, self.kit, "error", cause)
        if log.texts and record.ending != "completed":
            self._folder.note_failure(planned.call_id, "\n".join(log.texts))
        stamps = {"started": _utc(started), "took_s": f"{time.time() - started:.3f}"}
        folder = self._folder.commit_call(scratch, attrs.evolve(record, wall=stamps))
        self.host.notify("offhook_call_finished", record=record, folder=folder)
        passed = None
        if record.ending == "completed":
            passed = verdict_of(self._desk.grade(planned.call_id).grades)
        again = next_attempt(planned, self.kit.seed) if record.ending == "void" else None
        return Done(planned, record.ending, passed, record.cause, again=again)

    def close(self) -> None:
        """Takes down what was deployed; what could not be is kept under ``failures/``."""
        failures = self._run(self.kit.deployments.close())
        if failures:
            self._folder.note_failure("teardown", "\n".join(failures) + "\n")

    def _held(self, planned: PlannedCall, scratch: Path) -> CallRecord:
        return self._run(place_call(planned, self.kit, scratch))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        virtual = self.kit.adapter.capabilities.virtual_time and self.kit.caller.virtual_time
        return run_virtual(work) if virtual else run_real(work)


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
    threads, one at a time. A void is followed by its next attempt as long as it has one.

    Raises:
        StorageError, AudioFileError: the run folder can't be written.
        SpeechUnavailable: an engine or its weights are missing or damaged.
        RuntimeError: a worker process failed otherwise; its traceback is in the notes.
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
        try:
            _drive(queue, worker.place, stop, on_started, on_done, told)
        finally:
            worker.close()
        return
    failures: list[BaseException] = []

    def drive_process() -> None:
        process = WorkerProcess(_worker_main, options, folder.path)

        def place(planned: PlannedCall) -> Done:
            try:
                done: Done = process.ask(planned)
            except WorkerDied as death:
                return _after_death(planned, death, options, folder)
            return done

        try:
            _drive(queue, place, stop, on_started, on_done, told)
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
        done = place(planned)
        if done.again is not None:
            queue.put(done.again)
        told(on_done, done)


def _worker_main(pipe: Connection, options: RunOptions, run: Path) -> None:
    worker: LocalWorker | None = None

    def work(planned: PlannedCall) -> Done | Exception:
        nonlocal worker
        try:
            worker = worker or LocalWorker(options, RunFolder.open(run))
            return worker.place(planned)
        except (StorageError, SpeechUnavailable, AudioFileError) as error:
            return type(error)(str(error))
        except Exception as error:
            told = RuntimeError(f"{type(error).__name__}: {error}")
            told.add_note(traceback.format_exc())
            return told

    serve_jobs(pipe, work)
    if worker is not None:
        worker.close()


def _after_death(planned: PlannedCall, death: WorkerDied, options: RunOptions, folder: RunFolder) -> Done:
    """A call that was stored before its worker died is done; the end of the run grades it."""
    try:
        record = folder.record(planned.call_id)
    except StorageError:
        return Done(planned, "error", None, f"its worker process died ({death})", lost=True)
    again = next_attempt(planned, options.seed) if record.ending == "void" else None
    return Done(planned, record.ending, None, record.cause, again=again)


def _utc(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _unheld(planned: PlannedCall, kit: CallKit, ending: str, cause: str) -> CallRecord:
    return empty_record(
        planned.call_id,
        planned.key,
        seed=kit.seed,
        voice=planned.voice,
        ending=ending,
        cause=clean_text(cause),
        components=kit.components(planned.key, planned.voice),
    )
