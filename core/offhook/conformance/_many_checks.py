"""Checks of several calls at one time, and of a connect that is given up."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from offhook.conformance._caller import Live
from offhook.conformance._desk import GREETING, Seat
from offhook.conformance._result import Unmet, expect
from offhook.conformance._stage import Bench, HeldCall, Stage, comes_true
from offhook.runner._desk import within
from offhook.sessions import Deployment
from offhook.storage import one_line

__all__ = ["cancel_teardown", "many", "two_at_once"]

_ANSWER: Final = "Yes, of course."
_CALLS: Final = 20
_SETTLE_SECONDS: Final = 5.0
# Turns of the loop and seconds after which a connect is given up: before, in and after the handshake.
_GIVEN_UP_AFTER: Final = (0, 1, 3, 10, 0.003, 0.02, 0.1)
_SOUGHT: Final = (("apples", "wheel"), ("barrels", "brakes"))


async def _answers(seat: Seat) -> None:
    await seat.listen()
    await seat.say(_ANSWER)
    await seat.listen()


async def two_at_once(bench: Bench) -> Mapping[str, Any]:
    async def plot(seat: Seat) -> None:
        heard = await seat.listen()
        for word, service in _SOUGHT:
            if word in heard:
                await seat.call("get_service_price", {"service": service})
                await seat.say(f"You mentioned {word}.")
        await seat.listen()

    def talk(word: str) -> Any:
        async def talks(live: Live) -> None:
            if bench.greets:
                await live.hears(GREETING)
            await live.say(f"Please mention {word}.")
            await live.hears(f"You mentioned {word}.")

        return talks

    async with bench.stage(plot, calls=2) as stage:
        calls: list[HeldCall] = await asyncio.gather(
            *(stage.hold(talk(word), number) for number, (word, _) in enumerate(_SOUGHT))
        )
    for call, (word, service) in zip(calls, _SOUGHT, strict=True):
        others = [other for other, _ in _SOUGHT if other != word and other in call.live.heard_text]
        expect(not others, f"only {word!r} on the call that asked for it", call.live.heard_text)
        asked = [entry.arguments.get("service") for entry in call.log]
        expect(asked == [service], f"the call's own request for {service!r}", asked)
    return {"heard": [call.live.heard for call in calls]}


async def many(bench: Bench) -> Mapping[str, Any]:
    loop = asyncio.get_running_loop()
    async with bench.stage(_answers, calls=_CALLS) as stage:
        deployment = await stage.deploy()
        bench.waits_for(f"{_CALLS} sessions to open at once")
        began = loop.time()
        sessions = await asyncio.gather(
            *(within(40, partial(stage.adapter.connect, deployment, place.setup)) for place in stage.placed),
            return_exceptions=True,
        )
        took = loop.time() - began
        failed = [one_line(session) for session in sessions if isinstance(session, BaseException)]
        opened: list[Any] = [session for session in sessions if not isinstance(session, BaseException)]
        await asyncio.gather(*(within(10, session.hang_up) for session in opened))
    expect(not failed, f"{_CALLS} sessions", f"{len(failed)} failed: {failed[:1]}")
    return {"calls": _CALLS, "seconds": round(took, 3)}


async def cancel_teardown(bench: Bench) -> Mapping[str, Any]:
    async with bench.stage(_answers) as stage:
        deployment = await stage.deploy()
        # Whatever is made on first use stays: connection pools, threads, the SDK itself.
        session = await stage.dial()
        await within(10.0, session.hang_up)
        await asyncio.sleep(0.2)
        tasks, sockets = _tasks(), _sockets()
        for after in _GIVEN_UP_AFTER:
            await _given_up(stage, deployment, after)
        left = await _left_over(bench, tasks, sockets)
        expect(not left, "no task and no socket to be left over", left)
        for _ in range(2):
            bench.waits_for("teardown() to return")
            try:
                await within(20.0, lambda: stage.adapter.teardown(deployment))
            except Exception as error:
                raise Unmet("teardown() to do no harm, twice", one_line(error)) from error
    return {"given_up": len(_GIVEN_UP_AFTER), "sockets": sockets}


async def _given_up(stage: Stage, deployment: Deployment, after: float) -> None:
    stage.bench.waits_for("a cancelled connect() to end")
    setup = stage.placed[0].setup
    connecting = asyncio.ensure_future(stage.adapter.connect(deployment, setup))
    if isinstance(after, int):
        for _ in range(after):
            await asyncio.sleep(0)
    else:
        await asyncio.sleep(after)
    connecting.cancel()
    done, _ = await asyncio.wait({connecting}, timeout=_SETTLE_SECONDS)
    expect(bool(done), "a cancelled connect() to end", f"it did not within {_SETTLE_SECONDS:g} s")
    if not connecting.cancelled() and connecting.exception() is None:
        await within(10.0, connecting.result().hang_up)


async def _left_over(bench: Bench, tasks: set[asyncio.Task[Any]], sockets: int) -> str:
    """What is there that was not before, once everything has had time to close; empty for nothing."""
    bench.waits_for("the sockets and tasks of cancelled calls to go")
    if await comes_true(lambda: _tasks() <= tasks and _sockets() <= sockets, _SETTLE_SECONDS):
        return ""
    names = sorted(getattr(task.get_coro(), "__qualname__", task.get_name()) for task in _tasks() - tasks)
    return f"tasks {names}, {max(0, _sockets() - sockets)} sockets"


def _tasks() -> set[asyncio.Task[Any]]:
    return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}


def _sockets() -> int:
    """How many sockets the process has open; 0 where the system doesn't tell."""
    folder = Path("/dev/fd")
    count = 0
    for name in os.listdir(folder) if folder.is_dir() else ():
        try:
            count += stat.S_ISSOCK(os.fstat(int(name)).st_mode)
        except (OSError, ValueError):  # the folder's own, closed by now
            continue
    return count
