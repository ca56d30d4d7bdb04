"""The virtual-time event loop behind ``offhook.clock``."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import heapq
import itertools
import logging
import math
import queue
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, Final, NoReturn

import attrs

_logger = logging.getLogger(__name__)

# A coroutine that polls with sleep(0) while a job runs never lets the loop go idle. After this many rounds
# in a row the loop waits for the job anyway; counting rounds, not seconds, keeps the outcome repeatable.
_BUSY_ROUNDS: Final = 1000

_ORDER_PATIENCE: Final = 30.0


class RealIORefused(RuntimeError):
    """Something asked the virtual-time loop for a socket, pipe, process or foreign thread: real time."""


class VirtualDeadlock(RuntimeError):
    """Everything on the virtual-time loop waits and nothing is left that could wake it."""


@attrs.define(eq=False)
class _Job:
    """A call handed to an executor, and the future its caller awaits."""

    source: Future[Any]
    waiter: asyncio.Future[Any]


class _Timer(asyncio.TimerHandle):
    """A timer whose ties are broken by scheduling order; asyncio's own heap leaves them to chance."""

    __slots__ = ("_place",)

    def __init__(
        self,
        when: float,
        order: int,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        loop: asyncio.AbstractEventLoop,
        context: contextvars.Context | None,
    ) -> None:
        super().__init__(when, callback, args, loop, context)
        self._place = (when, order)

    def __lt__(self, other: Any) -> bool:
        # Called ten times a tick when many calls share the loop. The heap holds nothing but these timers.
        place: tuple[float, int] = other._place
        return self._place < place


class _Selector:
    """Stands where asyncio expects its I/O selector: asks the loop what to do when nothing is ready."""

    def __init__(self, idle: Callable[[float | None], None]) -> None:
        self._idle = idle

    def select(self, timeout: float | None) -> list[Any]:
        self._idle(timeout)
        return []


def _refuse(what: str) -> NoReturn:
    raise RealIORefused(
        f"{what} needs real time, but this code runs on the virtual-time loop; "
        "run it with offhook.clock.run_real(), or talk to the peer in process (for HTTP: an ASGI transport)"
    )


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refused(self: object, *args: object, **kwargs: object) -> NoReturn:
        _refuse(f"{name}()")

    refused.__name__ = name
    return refused


class VirtualTimeLoop(asyncio.BaseEventLoop):
    """An asyncio loop whose ``time()`` starts at 0.0 and jumps to the next timer when nothing is ready.

    Timers with equal deadlines fire in the order they were set. While jobs given to ``run_in_executor`` are
    in flight the clock stands still and the loop really waits; their results arrive in the order the jobs
    were handed out. Sockets, pipes, processes and signals raise ``RealIORefused``; a loop on which nothing
    can happen any more raises ``VirtualDeadlock`` out of ``run_until_complete``.

    Args:
        order_patience: real seconds to wait for a job while a later one is finished already. A job that
            itself waits for a later one would hang otherwise; past this, whatever is finished is answered.
    """

    _ready: deque[asyncio.Handle]
    _scheduled: list[_Timer]

    def __init__(self, *, order_patience: float = _ORDER_PATIENCE) -> None:
        super().__init__()
        self._order_patience = order_patience
        self._jump(0.0)
        self._order = itertools.count()
        self._jobs: deque[_Job] = deque()
        self._handing_out = False
        self._busy_rounds = 0
        self._wakes: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._owner: int | None = None
        self._refusal: RealIORefused | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._pool_closed = False
        self._selector = _Selector(self._idle)

    # --- time ------------------------------------------------------------------------------------

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._now

    def call_at(  # type: ignore[override]  # typeshed types *args with a TypeVarTuple the base can't express here
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        if self.is_closed():
            raise RuntimeError("Event loop is closed")
        timer = _Timer(when, next(self._order), callback, args, self, context)
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True  # type: ignore[attr-defined]  # tells asyncio to count its cancellation
        return timer

    def _idle(self, timeout: float | None) -> None:
        """Called once a round. A ``timeout`` of 0 says that something is ready; None that no timer is set."""
        if self._refusal is not None:
            refusal, self._refusal = self._refusal, None
            raise refusal
        if timeout is not None and timeout <= 0:
            self._busy_rounds += 1
            if self._jobs and self._busy_rounds >= _BUSY_ROUNDS:
                self._busy_rounds = 0
                self._await_job(wakeable=False)
            return
        self._busy_rounds = 0
        if self._jobs:
            self._await_job(wakeable=True)
        elif not self._scheduled or math.isinf(self._scheduled[0].when()):
            raise VirtualDeadlock(_describe_deadlock(self))
        else:
            self._jump(self._scheduled[0].when())

    def _jump(self, now: float) -> None:
        """Timers that are due by now fire, and none that is not: asyncio's own tolerance would fire one early
        while the clock stands still, and whoever then waits for the rest would wait for ever.
        """
        self._now = now
        self._clock_resolution = math.ulp(now)

    # --- jobs ------------------------------------------------------------------------------------

    def run_in_executor(  # type: ignore[override]  # as for call_at
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        if self.is_closed():
            raise RuntimeError("Event loop is closed")
        # A job may call back into the loop before submit() has returned.
        self._handing_out = True
        try:
            source = (self._default_pool() if executor is None else executor).submit(func, *args)
            waiter: asyncio.Future[Any] = self.create_future()
            self._jobs.append(_Job(source, waiter))
        finally:
            self._handing_out = False
        waiter.add_done_callback(functools.partial(_pass_cancellation, source))
        source.add_done_callback(lambda _: self._wakes.put(None))
        return waiter

    def set_default_executor(self, executor: Executor) -> None:
        if not isinstance(executor, ThreadPoolExecutor):
            raise TypeError("executor must be ThreadPoolExecutor instance")
        self._pool = executor

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Waits for the jobs in flight and closes the default executor; ``timeout`` is ignored."""
        if self._jobs and not self._pool_closed:
            # Results come in order, so when this one arrives all earlier ones have.
            await self.run_in_executor(None, int)
        self._pool_closed = True
        if self._pool is not None:
            self._pool.shutdown(wait=True)

    def close(self) -> None:
        if self.is_running():
            raise RuntimeError("Cannot close a running event loop")
        self._pool_closed = True
        if self._pool is not None:
            self._pool.shutdown(wait=False)
        super().close()

    def _default_pool(self) -> ThreadPoolExecutor:
        if self._pool_closed:
            raise RuntimeError("Executor shutdown has been called")
        if self._pool is None:
            self._pool = ThreadPoolExecutor(thread_name_prefix="offhook")
        return self._pool

    def _await_job(self, *, wakeable: bool) -> None:
        """Waits, in real time, until the oldest job is done and answers it; ``wakeable`` ends early when a
        job calls back into the loop.
        """
        while not self._jobs[0].source.done():
            try:
                self._wakes.get(timeout=self._order_patience)
            except queue.Empty:
                finished = next((job for job in self._jobs if job.source.done()), None)
                if finished is not None:
                    _logger.warning(
                        "an executor job is answered out of order: an earlier one seems to wait for it"
                    )
                    self._jobs.remove(finished)
                    _answer(finished)
                    return
            if wakeable and (self._ready or self._refusal is not None):
                return
        _answer(self._jobs.popleft())

    # --- threads ---------------------------------------------------------------------------------

    def run_forever(self) -> None:
        self._owner = threading.get_ident()
        try:
            super().run_forever()
        finally:
            self._owner = None

    def call_soon_threadsafe(  # type: ignore[override]  # as for call_at
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        foreign = self._owner is not None and threading.get_ident() != self._owner
        if foreign and not (self._handing_out or self._jobs) and not self.is_closed():
            refusal = RealIORefused(
                f"thread {threading.current_thread().name!r} called into the virtual-time loop, which can't "
                "know how long to hold the clock for it; start the work with loop.run_in_executor() or "
                "offhook.clock.compute(), or run with offhook.clock.run_real()"
            )
            self._refusal = refusal
            self._wakes.put(None)
            raise refusal
        return super().call_soon_threadsafe(callback, *args, context=context)

    def _write_to_self(self) -> None:
        if self._handing_out or self._jobs:
            self._wakes.put(None)

    def _process_events(self, event_list: list[Any]) -> None:
        """Nothing to do: the selector never reports an event."""

    # --- what is refused --------------------------------------------------------------------------

    add_reader = _refusing("add_reader")  # type: ignore[assignment]
    add_writer = _refusing("add_writer")  # type: ignore[assignment]
    add_signal_handler = _refusing("add_signal_handler")  # type: ignore[assignment]
    connect_accepted_socket = _refusing("connect_accepted_socket")
    connect_read_pipe = _refusing("connect_read_pipe")
    connect_write_pipe = _refusing("connect_write_pipe")
    create_connection = _refusing("create_connection")
    create_datagram_endpoint = _refusing("create_datagram_endpoint")
    create_server = _refusing("create_server")
    create_unix_connection = _refusing("create_unix_connection")
    create_unix_server = _refusing("create_unix_server")
    getaddrinfo = _refusing("getaddrinfo")
    getnameinfo = _refusing("getnameinfo")
    sendfile = _refusing("sendfile")
    sock_accept = _refusing("sock_accept")
    sock_connect = _refusing("sock_connect")
    sock_recv = _refusing("sock_recv")
    sock_recv_into = _refusing("sock_recv_into")
    sock_recvfrom = _refusing("sock_recvfrom")
    sock_recvfrom_into = _refusing("sock_recvfrom_into")
    sock_sendall = _refusing("sock_sendall")
    sock_sendfile = _refusing("sock_sendfile")
    sock_sendto = _refusing("sock_sendto")
    start_tls = _refusing("start_tls")
    subprocess_exec = _refusing("subprocess_exec")
    subprocess_shell = _refusing("subprocess_shell")


def _pass_cancellation(source: Future[Any], waiter: asyncio.Future[Any]) -> None:
    if waiter.cancelled():
        source.cancel()


def _answer(job: _Job) -> None:
    if job.waiter.done():
        return
    if job.source.cancelled():
        job.waiter.cancel()
    elif (error := job.source.exception()) is not None:
        job.waiter.set_exception(error)
    else:
        job.waiter.set_result(job.source.result())


def _describe_deadlock(loop: asyncio.AbstractEventLoop) -> str:
    waiting = sorted(_where(task) for task in asyncio.all_tasks(loop))
    shown = "; ".join(waiting[:5]) + ("; ..." if len(waiting) > 5 else "")
    return (
        f"nothing can happen any more on the virtual-time loop at {loop.time():.3f} s: no timer, no executor "
        f"job, and {len(waiting)} task(s) waiting ({shown or 'none'}). Something they await is never set, or "
        "is set by a thread or socket the loop doesn't manage"
    )


def _where(task: asyncio.Task[Any]) -> str:
    stack = task.get_stack(limit=1)
    place = f" at {stack[-1].f_code.co_qualname}:{stack[-1].f_lineno}" if stack else ""
    return f"{task.get_name()}{place}"
