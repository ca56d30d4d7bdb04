"""Placing and grading planned calls, in this process or in worker processes of their own.

A worker is handed plain data (what to run, which calls) and builds its own plugin host and engines, so
nothing is shared but the run folder, where every call appears whole or not at all. In virtual time a worker
places one call after the other; in real time, several at once on one loop.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
import traceback
from collections.abc import Callable, Collection, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

import attrs

from offhook.grading import Grade
from offhook.host import PluginHost
from offhook.line import AudioFileError
from offhook.platforms import PlatformUnusable
from offhook.records import CallRecord, empty_record, lateness_fault
from offhook.runner._loops import Loops, SharedLoop, VirtualLoops
from offhook.runner._process import WorkerDied, WorkerProcess, serve_jobs
from offhook.runner._switchboard import Switchboard
from offhook.runner._trouble import CallLog
from offhook.runner.call import CallFailed, CallRefused, NotPlaced, place_call
from offhook.runner.deployments import Deployments
from offhook.runner.engines import warm_engines
from offhook.runner.grade import GradeDesk, verdict_of
from offhook.runner.kit import CallKit, make_kit
from offhook.runner.options import RunOptions
from offhook.runner.plan import PlannedCall, earlier_attempts, next_attempt
from offhook.runner.routing import PUBLIC_PORT, is_routed
from offhook.runner.seats import seats_for
from offhook.runner.spending import Charge, Spending, charge_of
from offhook.scoring import NO_AGENT, first_trouble, own_cause, rerun_reason
from offhook.speech import SpeechUnavailable
from offhook.storage import RunFolder, StorageError, clean_text, disk_error, to_json
from offhook.toolserver import ServeError
from offhook.webhooks import WithWebhook

__all__ = ["Done", "LocalWorker", "attempt_after", "work_all"]

T = TypeVar("T")

# Every further call would meet the same: the run stops, and --resume goes on once it is mended.
_STOPS_THE_RUN: Final = (StorageError, SpeechUnavailable, AudioFileError, PlatformUnusable, ServeError)


@attrs.frozen
class Done:
    """How one planned call came out. ``passed`` is None unless it was graded, or failed for want of agent
    speech; ``lost`` calls left nothing and run again on resume. A failure that attribution puts on the
    benchmark itself has ``ending`` void. ``again`` is the attempt that follows a void. ``late`` says so in
    words where this machine could not keep up with the call, ``trouble`` what first went wrong on the
    platform's session. ``charge`` is what it cost.
    """

    planned: PlannedCall
    ending: str
    passed: bool | None
    cause: str = ""
    lost: bool = False
    again: PlannedCall | None = None
    late: str = ""
    trouble: str = ""
    charge: Charge = attrs.field(factory=lambda: Charge(0.0))


class LocalWorker:
    """Places calls in this process; in real time, as many threads may ``place`` at once as it has seats.

    Args:
        voices: slots that will be heard; they and the other engines are warmed before the first real-time
            call, so that no model loads in the middle of one.

    Raises:
        UnknownName: a platform, caller or engine that no plugin provides.
        TooManyAtOnce: more calls at once than the platform takes.
        SpeechUnavailable: an engine or its weights are missing.
        ServeError: the port for the platform's tool calls can't be had.
    """

    def __init__(
        self,
        options: RunOptions,
        folder: RunFolder,
        *,
        host: PluginHost | None = None,
        voices: Collection[str] = (),
    ) -> None:
        self._folder = folder
        self._attempts = options.attempts
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
        # Hooks, grades and files come one call at a time, however many are held.
        self._filing = threading.Lock()
        seats = seats_for(options, self.host)
        self._loops: Loops = VirtualLoops()
        if not seats.virtual:
            warm_engines(self.kit.engines, voices, line=options.line)
            loop = self._loops = SharedLoop(seats.at_once)
            self.kit = attrs.evolve(self.kit, deployments=Deployments(loop.settle))
            if is_routed(self.kit.adapter):
                self._open_switchboard(options)

    def place(self, planned: PlannedCall) -> Done:
        """One call: placed, written, graded. A call that fails is written as an ``error`` record with its
        cause.

        Raises:
            StorageError, AudioFileError: the run folder can't be written.
            SpeechUnavailable, PlatformUnusable: no other call would fare better.
        """
        with self._filing:
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
        except _STOPS_THE_RUN:
            self._folder.discard(scratch)
            raise
        except CallRefused as error:
            scratch = self._folder.scratch(planned.call_id)
            record = _unheld(planned, self.kit, "void", f"refused: {self._scrubbed(str(error))}")
        except (Exception, SystemExit) as error:  # a plugin may even call sys.exit()
            cause = (
                str(error) if isinstance(error, CallFailed) else f"harness: {type(error).__name__}: {error}"
            )
            cause = self._scrubbed(cause)
            log.texts.append(traceback.format_exc())
            scratch = self._folder.scratch(planned.call_id)
            record = _unheld(planned, self.kit, "error", cause)
            if isinstance(error, NotPlaced):
                record = attrs.evolve(record, cost_usd=0.0)
        if log.texts and record.ending != "completed":
            self._folder.note_failure(planned.call_id, self._scrubbed("\n".join(log.texts)))
        stamps = {"started": _utc(started), "took_s": f"{time.time() - started:.3f}"}
        with self._filing:
            return self._filed(planned, scratch, attrs.evolve(record, wall={**record.wall, **stamps}))

    def close(self) -> None:
        """Takes down what was deployed; what could not be is kept under ``failures/``."""
        failures = self._loops.run(lambda _: self.kit.deployments.close())
        board = self.kit.switchboard
        if board is not None:
            self._loops.run(lambda _: board.close())
        self._loops.close()
        if failures:
            self._folder.note_failure("teardown", "\n".join(failures) + "\n")

    def _open_switchboard(self, options: RunOptions) -> None:
        adapter = self.kit.adapter
        board = Switchboard(
            adapter.capabilities.tool_mode,
            adapter.webhook if isinstance(adapter, WithWebhook) else None,
            port=options.tools_port or (PUBLIC_PORT if options.public_url else 0),
            public_url=options.public_url,
        )
        try:
            self._loops.run(lambda _: board.open())
        except BaseException:
            self._loops.close()
            raise
        self.kit = attrs.evolve(self.kit, switchboard=board)

    def _held(self, planned: PlannedCall, scratch: Path) -> CallRecord:
        try:
            return self._loops.run(lambda beat: place_call(planned, self.kit, scratch, beat=beat))
        except PlatformUnusable as error:
            raise PlatformUnusable(self._scrubbed(str(error))) from error

    def _scrubbed(self, text: str) -> str:
        """Words of a platform without what opens its tools, which it may repeat."""
        return text if self.kit.switchboard is None else self.kit.switchboard.scrub(text)

    def _filed(self, planned: PlannedCall, scratch: Path, record: CallRecord) -> Done:
        folder = self._folder.commit_call(scratch, record)
        self.host.notify("offhook_call_finished", record=record, folder=folder)
        grades: tuple[Grade, ...] = ()
        if record.ending == "completed":
            grades = self._desk.grade(planned.call_id).grades
        again = attempt_after(planned, record, grades, self._folder, self.kit.seed, self._attempts)
        return _done(planned, record, grades, again)


def work_all(
    calls: Sequence[PlannedCall],
    options: RunOptions,
    folder: RunFolder,
    *,
    stop: threading.Event,
    on_started: Callable[[PlannedCall], None],
    on_done: Callable[[Done], None],
    host: PluginHost | None = None,
    spending: Spending | None = None,
) -> None:
    """Works through the calls with ``options.workers`` processes (1: in this process), each of which holds as
    many real-time calls at once as ``seats_for`` says. Blocks; call it off the main thread.

    Setting ``stop`` lets the calls in flight finish and starts no other. Callbacks come from worker
    threads, one at a time. A void, also one that only its grades reveal, is followed by its next attempt as
    long as it has one. No call is started that ``spending`` holds back.

    Raises:
        StorageError, AudioFileError: the run folder can't be written.
        SpeechUnavailable: an engine or its weights are missing or damaged.
        PlatformUnusable: the platform says that it will take no call at all.
        ServeError: the port for the platform's tool calls can't be had.
        UnknownName, TooManyAtOnce: a plugin is not there; more calls at once than the platform takes.
        RuntimeError: a worker process failed otherwise; its traceback is in the notes.
    """
    queue: SimpleQueue[PlannedCall] = SimpleQueue()
    for planned in calls:
        queue.put(planned)
    turn = threading.Lock()
    purse = spending or Spending(None)

    def told(callback: Callable[..., None], value: object) -> None:
        with turn:
            callback(value)

    def drive(place: Callable[[PlannedCall], Done]) -> None:
        _drive(queue, place, stop, on_started, on_done, told, purse)

    seats = seats_for(options, host or PluginHost.discover(block=options.block))
    voices = tuple(sorted({call.voice for call in calls}))
    places: list[Callable[[PlannedCall], Done]]
    with contextlib.ExitStack() as stack:
        if seats.workers == 1:
            worker = LocalWorker(options, folder, host=host, voices=voices)
            stack.callback(worker.close)
            places = [worker.place] * seats.at_once
        else:
            processes = [
                WorkerProcess(_worker_main, options, folder.path, seats.at_once, voices)
                for _ in range(min(seats.workers, len(calls)))
            ]
            for process in processes:
                stack.callback(process.close)
            # Seat by seat, so that few calls are shared out among all processes.
            places = [
                functools.partial(_placed_by, process, options=options, folder=folder)
                for _ in range(seats.at_once)
                for process in processes
            ]
        _drive_all(places[: len(calls)], drive, stop)
    purse.note_left(queue.qsize())


def _drive_all(
    places: Sequence[Callable[[PlannedCall], Done]],
    drive: Callable[[Callable[[PlannedCall], Done]], None],
    stop: threading.Event,
) -> None:
    """Drives each place in a thread of its own. The first that fails stops the others after their calls."""
    failures: list[BaseException] = []

    def driven(place: Callable[[PlannedCall], Done]) -> None:
        try:
            drive(place)
        except BaseException as error:  # told to the caller of work_all, whatever it is
            failures.append(error)
            stop.set()

    if len(places) == 1:
        drive(places[0])
        return
    threads = [threading.Thread(target=driven, args=(place,), daemon=True) for place in places]
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
    purse: Spending,
) -> None:
    while not stop.is_set():
        try:
            planned = queue.get_nowait()
        except Empty:
            return
        if not purse.reserve(stop):
            queue.put(planned)
            return
        told(on_started, planned)
        charge = Charge(None)
        try:
            done = place(planned)
            charge = done.charge
        finally:
            purse.settle(charge)
        if done.again is not None:
            queue.put(done.again)
        told(on_done, done)


def _placed_by(
    process: WorkerProcess, planned: PlannedCall, *, options: RunOptions, folder: RunFolder
) -> Done:
    try:
        done: Done = process.ask(planned)
    except WorkerDied as death:
        return _after_death(planned, death, options, folder)
    return done


def _worker_main(
    pipe: Connection, options: RunOptions, run: Path, at_once: int, voices: tuple[str, ...]
) -> None:
    worker: LocalWorker | None = None
    making = threading.Lock()

    def work(planned: PlannedCall) -> Done | Exception:
        nonlocal worker
        try:
            with making:
                worker = worker or LocalWorker(options, RunFolder.open(run), voices=voices)
            return worker.place(planned)
        except _STOPS_THE_RUN as error:
            # a plugin's own subclass may not survive the way to the parent
            kind = next(kind for kind in _STOPS_THE_RUN if isinstance(error, kind))
            return kind(str(error))
        except Exception as error:
            told = RuntimeError(f"{type(error).__name__}: {error}")
            told.add_note(traceback.format_exc())
            return told

    serve_jobs(pipe, work, at_once=at_once)
    if worker is not None:
        worker.close()


def _after_death(planned: PlannedCall, death: WorkerDied, options: RunOptions, folder: RunFolder) -> Done:
    """A call that was stored before its worker died is done; the end of the run grades it."""
    try:
        record = folder.record(planned.call_id)
    except StorageError:
        cause = f"its worker process died ({death})"
        return Done(planned, "error", None, cause, lost=True, charge=Charge(None))
    again = attempt_after(planned, record, (), folder, options.seed, options.attempts)
    return _done(planned, record, (), again)


def attempt_after(
    planned: PlannedCall,
    record: CallRecord,
    grades: Sequence[Grade],
    folder: RunFolder,
    seed: int,
    attempts: int,
) -> PlannedCall | None:
    """The attempt that a stored call has to be followed by; None where it stands, or has had all of them."""
    silent = 0
    if record.ending == "void":
        silent = sum(_was_silent(folder, call_id) for call_id in earlier_attempts(planned, seed))
    if not rerun_reason(record, grades, silent_before=silent):
        return None
    return next_attempt(planned, seed, attempts=attempts)


def _was_silent(folder: RunFolder, call_id: str) -> bool:
    try:
        return folder.record(call_id).cause == NO_AGENT
    except StorageError:
        return False


def _done(
    planned: PlannedCall, record: CallRecord, grades: Sequence[Grade], again: PlannedCall | None
) -> Done:
    passed = verdict_of(grades) if grades else None
    if again is None and record.ending == "void" and record.cause == NO_AGENT:
        passed = False  # the last attempt without agent speech is the platform's failure
    ours = own_cause(grades) if passed is False else ""
    return Done(
        planned,
        "void" if ours else "completed" if passed is False else record.ending,
        None if ours else passed,
        ours or record.cause,
        again=again,
        late=lateness_fault(record),
        trouble=first_trouble(record),
        charge=charge_of(record),
    )


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
