"""What calls are held on: a virtual loop for each, or one ordinary loop that several share."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, Final, Protocol, TypeVar

from offhook.audio import FRAME_SECONDS
from offhook.clock import run_virtual

__all__ = ["Loops", "SharedLoop", "VirtualLoops"]

T = TypeVar("T")

# What one call may have computed at the same time: two sides that listen and talk, and a few tools. A tool
# must never wait for another call's speech recognition.
_THREADS_A_CALL: Final = 8


# How long a thread that computes in Python may keep the loop's thread waiting (the interpreter's default of
# 5 ms would make every tick late while anybody talks).
_SWITCH_SECONDS: Final = 0.0005


class Loops(Protocol):
    """Holds what it is given until it has ended. ``work`` is told the beat its line is to tick on, if any."""

    def run(self, work: Callable[[float | None], Coroutine[Any, Any, T]]) -> T: ...

    def close(self) -> None: ...


class VirtualLoops:
    """A fresh virtual-time loop for each call, in the thread that asks."""

    def run(self, work: Callable[[float | None], Coroutine[Any, Any, T]]) -> T:
        return run_virtual(work(None))

    def close(self) -> None:
        """Nothing is held open."""


class SharedLoop:
    """One ordinary loop in a thread of its own. Up to ``at_once`` threads may ``run`` something on it at the
    same time; their lines tick ``20 ms / at_once`` apart, so that no tick waits for another line's.
    """

    def __init__(self, at_once: int) -> None:
        self._beats: SimpleQueue[float] = SimpleQueue()
        for seat in range(at_once):
            self._beats.put(seat * FRAME_SECONDS / at_once)
        self._pool = ThreadPoolExecutor(_THREADS_A_CALL * at_once, thread_name_prefix="offhook-compute")
        self._closing = False
        # Whoever embeds the run may have seen to it: their objects are theirs to thaw.
        self._kept_already = gc.get_freeze_count() > 0
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._turn, name="offhook-calls", daemon=True)
        self._thread.start()
        self._ready.wait()

    def run(self, work: Callable[[float | None], Coroutine[Any, Any, T]]) -> T:
        """What the work returns; raises what it raises."""
        assert self._loop is not None
        beat = self._beats.get()
        try:
            return asyncio.run_coroutine_threadsafe(work(beat), self._loop).result()
        finally:
            self._beats.put(beat)

    def settle(self) -> None:
        """Leaves what is loaded by now (a vendor's SDK or a framework is some hundred thousand objects) out
        of the search for garbage too, until the loop ends.
        """
        if not self._kept_already:
            gc.freeze()

    def close(self) -> None:
        """Ends the loop and whatever is left on it."""
        assert self._loop is not None
        self._closing = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _turn(self) -> None:
        with _prompt(), self._undisturbed(), asyncio.Runner() as runner:
            self._loop = loop = runner.get_loop()
            loop.set_default_executor(self._pool)
            self._ready.set()
            while not self._closing:
                try:
                    loop.run_forever()
                except (SystemExit, KeyboardInterrupt):
                    # asyncio lets these out of any task, beside telling whoever waits for that task. The
                    # other calls must not end with it.
                    continue

    @contextmanager
    def _undisturbed(self) -> Iterator[None]:
        """What has been loaded by now is left out of the search for garbage: with speech engines each full
        search takes some 100 ms.
        """
        gc.collect()
        self.settle()
        try:
            yield
        finally:
            if not self._kept_already:
                gc.unfreeze()


@contextmanager
def _prompt() -> Iterator[None]:
    """Threads take turns more often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, _SWITCH_SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(before)
