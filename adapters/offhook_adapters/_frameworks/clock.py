"""Lets a framework that reads ``time`` by itself follow the running event loop's clock.

Agent frameworks ask ``time.time()`` or ``time.monotonic()`` how long somebody has been silent, and in
virtual time the answer would be wrong. So the names under which *their* modules know ``time`` are bound to a
stand-in that asks the running loop first. ``time`` itself, and everybody else who uses it, is left alone; on
an ordinary loop, and in threads, the stand-in tells the real time.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, Final
from weakref import WeakKeyDictionary

from offhook.clock import VirtualTimeLoop

__all__ = ["LoopTime", "follow_loop_time"]

# Virtual seconds start here, so that "never yet", which frameworks write as 0, stays in the past.
_EPOCH: Final = 1_700_000_000.0
_UPTIME: Final = 1_000.0
# Frameworks divide by what perf_counter measured: two readings must differ.
_TICK: Final = 1e-7


class LoopTime(ModuleType):
    """Stands where a module expects ``time``. On a virtual-time loop the clocks tell its time, each from a
    fixed start; otherwise, and for every other name, it is ``time``.
    """

    def __init__(self) -> None:
        super().__init__("time", "The running loop's time.")
        self._ticks: WeakKeyDictionary[VirtualTimeLoop, int] = WeakKeyDictionary()

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)

    def time(self) -> float:
        loop = _virtual_loop()
        return time.time() if loop is None else _EPOCH + loop.time()

    def time_ns(self) -> int:
        loop = _virtual_loop()
        return time.time_ns() if loop is None else _nanoseconds(_EPOCH + loop.time())

    def monotonic(self) -> float:
        loop = _virtual_loop()
        return time.monotonic() if loop is None else _UPTIME + loop.time()

    def monotonic_ns(self) -> int:
        loop = _virtual_loop()
        return time.monotonic_ns() if loop is None else _nanoseconds(_UPTIME + loop.time())

    def perf_counter(self) -> float:
        loop = _virtual_loop()
        return time.perf_counter() if loop is None else _UPTIME + loop.time() + self._tick(loop)

    def perf_counter_ns(self) -> int:
        loop = _virtual_loop()
        if loop is None:
            return time.perf_counter_ns()
        return _nanoseconds(_UPTIME + loop.time() + self._tick(loop))

    def _tick(self, loop: VirtualTimeLoop) -> float:
        count = self._ticks.get(loop, 0) + 1
        self._ticks[loop] = count
        return count * _TICK


def follow_loop_time(*packages: str) -> None:
    """Binds ``time`` and its clock functions to a stand-in in all modules of ``packages`` imported so far,
    and in the default factories of their dataclasses. Repeating it costs a few milliseconds and takes in what
    was imported since.
    """
    stand_in = _stand_in(packages) or LoopTime()
    bound: Mapping[int, Any] = {id(time): stand_in} | {
        id(clock): getattr(stand_in, name) for name, clock in _CLOCKS.items()
    }
    for module in _modules(packages):
        names = vars(module)
        for name, value in list(names.items()):
            if id(value) in bound:
                names[name] = bound[id(value)]
            elif isinstance(value, type) and "__dataclass_fields__" in vars(value):
                _rebind_factories(value, bound)


_CLOCKS: Final[Mapping[str, Callable[[], float]]] = MappingProxyType(
    {
        "time": time.time,
        "time_ns": time.time_ns,
        "monotonic": time.monotonic,
        "monotonic_ns": time.monotonic_ns,
        "perf_counter": time.perf_counter,
        "perf_counter_ns": time.perf_counter_ns,
    }
)


def _virtual_loop() -> VirtualTimeLoop | None:
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # a thread, or nothing runs yet
        return None
    return loop if isinstance(loop, VirtualTimeLoop) else None


def _nanoseconds(seconds: float) -> int:
    return round(seconds * 1e9)


def _modules(packages: tuple[str, ...]) -> Iterator[ModuleType]:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in packages and isinstance(module, ModuleType):
            yield module


def _stand_in(packages: tuple[str, ...]) -> LoopTime | None:
    """The one an earlier call bound, so that all modules read the same ticks."""
    for module in _modules(packages):
        for value in vars(module).values():
            if isinstance(value, LoopTime):
                return value
    return None


def _rebind_factories(cls: type, bound: Mapping[int, Any]) -> None:
    """A dataclass keeps its factories in the closure of its generated ``__init__``."""
    init = vars(cls).get("__init__")
    if isinstance(init, FunctionType):
        for cell in init.__closure__ or ():
            if id(cell.cell_contents) in bound:
                cell.cell_contents = bound[id(cell.cell_contents)]
