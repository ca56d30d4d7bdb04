"""Runs the kit: in virtual time one check after the other, in real time several at once."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from offhook._raised import raised_line
from offhook.clock import run_real, run_virtual
from offhook.conformance._checks import Check, pick_checks
from offhook.conformance._desk import Seat
from offhook.conformance._result import CheckResult, NotApplicable, Unmet, Verdict, shown
from offhook.conformance._stage import Bench, Subject
from offhook.conformance._watch import Watch
from offhook.platforms import PlatformUnusable
from offhook.runner._desk import within
from offhook.sessions import Checked
from offhook.storage import one_line
from offhook.toolserver import SeedImages
from offhook.twins import FAULTS

__all__ = ["Conformance", "NoTwin", "NotReady", "conform"]

# Together they have to keep up with real time on a small machine.
_AT_ONCE: Final = 6
_CHECK_SECONDS: Final = 150.0
_POLL_SECONDS: Final = 0.1
_FAREWELL_SECONDS: Final = 10.0


class NoTwin(TypeError):
    """The adapter brings no twin to run the kit against, or declares what can't be read; the message says
    what to mend.
    """


class NotReady(Exception):
    """This machine lacks what the adapter or its twin needs, such as the vendor's SDK; one line says what."""


@attrs.frozen
class Conformance:
    """What came of the kit. ``results`` are in the kit's order; checks that were never run are not in it."""

    adapter: str
    results: tuple[CheckResult, ...]

    @property
    def holds(self) -> bool:
        """Whether no check failed."""
        return all(result.holds for result in self.results)

    def result(self, check: str) -> CheckResult:
        """Raises KeyError where that check was not run."""
        for result in self.results:
            if result.check == check:
                return result
        raise KeyError(check)


def _ignored(_: Any) -> None:
    """Nobody wants to know."""


def conform(
    adapter: object,
    *,
    only: Iterable[str] = (),
    stop: threading.Event | None = None,
    on_started: Callable[[Check], object] = _ignored,
    on_done: Callable[[CheckResult], object] = _ignored,
    at_once: int = _AT_ONCE,
) -> Conformance:
    """Holds an adapter to the contract, against its own twin. Call it where no event loop is running.

    Args:
        adapter: a platform's adapter that implements ``offhook.twins.Twinned``, too.
        only: names of checks; all without any.
        stop: once set, checks under way are given up, and what is done is returned.
        on_started: told of each check as it begins.
        on_done: told of each result as it comes.
        at_once: how many checks run at the same time, in real time.

    Raises:
        NoTwin: the adapter brings no twin, a property of it raises, or ``can`` names a fault there is not.
        NotReady: it lacks something on this machine.
        UnknownName: there is no such check.
    """
    checks = pick_checks(only)
    _look_at(adapter)
    if not isinstance(adapter, Subject):
        name = getattr(adapter, "name", type(adapter).__name__)
        raise NoTwin(
            f"{name} brings no twin: implement can, twin() and with_environment() of offhook.twins.Twinned, "
            "or check the platform itself with --live"
        )
    stop = stop or threading.Event()
    done: dict[str, CheckResult] = {}

    def finished(result: CheckResult) -> None:
        done[result.check] = result
        on_done(result)

    with tempfile.TemporaryDirectory(prefix="offhook-conformance-") as place:
        folder = Path(place)
        watch, images = Watch(), SeedImages(folder / "images")

        def bench(check: Check) -> Bench:
            return Bench(adapter, folder / check.name, watch, images, check.name)

        def judge(check: Check) -> Any:
            on_started(check)
            return _judged(check, bench(check))

        virtual = adapter.capabilities.virtual_time
        ready = Bench(adapter, folder / "ready", watch, images, "ready")
        (run_virtual if virtual else run_real)(_unless(stop, _ready(ready)))
        if virtual:
            for check in checks:
                if stop.is_set():
                    break
                finished(run_virtual(judge(check)))
        else:
            together = [check for check in checks if not check.alone]
            run_real(_all_at_once(together, judge, finished, stop, at_once))
            for check in checks:
                if check.alone and not stop.is_set():
                    run_real(_all_at_once([check], judge, finished, stop, 1))
    return Conformance(adapter.name, tuple(done[check.name] for check in checks if check.name in done))


def _look_at(adapter: object) -> None:
    """Raises NoTwin where a property of the adapter raises, or ``can`` holds what is no name of a fault: the
    check of the one that was meant would not apply, and nobody would know.
    """
    name = type(adapter).__name__
    try:
        name = str(getattr(adapter, "name", name))
        can = adapter.can if isinstance(adapter, Subject) else frozenset[str]()
        strange = sorted(repr(name) for name in can if name not in FAULTS)
    except (Exception, SystemExit) as error:
        raise NoTwin(f"{name}: a property cannot be read: {raised_line(error, __file__)}") from error
    if strange:
        raise NoTwin(
            f"{name}: can holds {', '.join(strange)}, which is no fault: choose from {', '.join(FAULTS)}"
        )


async def _ready(bench: Bench) -> None:
    """Raises NotReady where every check would fail for the same reason. What is done on first use, such as
    importing an SDK, is done afterwards, and takes no check's time.
    """

    async def nothing(seat: Seat) -> None:
        """Nobody calls."""

    try:
        async with bench.stage(nothing) as stage:
            told = stage.adapter.check() if isinstance(stage.adapter, Checked) else None
            if not told:
                session = await stage.dial()
                await within(_FAREWELL_SECONDS, session.hang_up)
    except ImportError as error:
        raise NotReady(one_line(_missing(bench.subject) or str(error))) from error
    except PlatformUnusable as error:
        raise NotReady(one_line(str(error))) from error
    except Exception:  # the checks will say more
        return
    if told:
        raise NotReady(one_line(told))


def _missing(adapter: object) -> str:
    """What an adapter says of the packages it lacks, where it can say so; without an SDK there is no twin to
    ask.
    """
    told = getattr(adapter, "missing", None)
    return str(told() or "") if callable(told) else ""


async def _unless(stop: threading.Event, work: Coroutine[Any, Any, None]) -> None:
    """Does the work, and gives it up once ``stop`` is set."""
    task = asyncio.ensure_future(work)
    try:
        while not (task.done() or stop.is_set()):
            await asyncio.wait({task}, timeout=_POLL_SECONDS)
        if task.done():
            task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _all_at_once(
    checks: Sequence[Check],
    judge: Callable[[Check], Any],
    finished: Callable[[CheckResult], None],
    stop: threading.Event,
    at_once: int,
) -> None:
    """The longest first, so that none is left over at the end."""
    seats = asyncio.Semaphore(at_once)

    async def one(check: Check) -> None:
        async with seats:
            finished(await judge(check))

    ordered = sorted(checks, key=lambda check: -check.seconds)
    tasks = {asyncio.ensure_future(one(check)) for check in ordered}
    waiting = set(tasks)
    try:
        while waiting and not stop.is_set():
            over, waiting = await asyncio.wait(waiting, timeout=_POLL_SECONDS)
            for task in over:
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _judged(check: Check, bench: Bench) -> CheckResult:
    loop = asyncio.get_running_loop()
    began = loop.time()

    def result(verdict: Verdict, **fields: Any) -> CheckResult:
        return CheckResult(check.name, verdict, seconds=round(loop.time() - began, 3), **fields)

    try:
        evidence = await within(_CHECK_SECONDS, lambda: check.run(bench))
    except NotApplicable as reason:
        return result(Verdict.NOT_APPLICABLE, reason=str(reason))
    except Unmet as unmet:
        bench.watch.look("an error", unmet)
        return result(Verdict.FAILED, expected=unmet.expected, arrived=unmet.arrived, evidence=unmet.evidence)
    except TimeoutError:
        arrived = f"nothing within {_CHECK_SECONDS:.0f} s"
        return result(Verdict.FAILED, expected=bench.doing, arrived=arrived)
    except Exception as error:
        bench.watch.look("an error", error)
        arrived = shown(one_line(error))
        return result(Verdict.FAILED, expected=f"no exception ({bench.doing})", arrived=arrived)
    return result(Verdict.PASSED, evidence=evidence)
