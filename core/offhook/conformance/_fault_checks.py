"""Checks of what an adapter makes of a platform that misbehaves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from offhook.conformance._caller import Live, words
from offhook.conformance._desk import Seat
from offhook.conformance._end_checks import nothing_follows
from offhook.conformance._result import Unmet, expect
from offhook.conformance._stage import Bench, HeldCall, Stage
from offhook.platforms import PlatformUnusable
from offhook.sessions import Ended, SessionError
from offhook.twins import FAULTS, TwinFaults

__all__ = [
    "burst",
    "expire",
    "is_one_line",
    "network_loss",
    "quota",
    "rate_limit",
    "refused",
    "says_what_to_do",
    "stall",
    "unknown_event",
]

_LONG: Final = (
    "We look at the brakes, then the chain, then the wheels, then the saddle, then the lights, and "
    "when all of that is done we wash it."
)
_ANSWER: Final = "Yes, of course."
_SECOND: Final = "And once more, yes."
_MORE: Final = "Could you say that again?"
# After the greeting, which is some four pieces of sound, and within the long sentence.
_PIECES: Final = 12
_PATIENCE_SECONDS: Final = 40.0
_ADVICE: Final = re.compile(
    r"\b(again|change|check|choose|give|install|later|leave|run|see|set|top up|try|use|wait)\b", re.IGNORECASE
)
# What Python raises where the adapter itself is at fault; that some line of it reads well is chance.
_DEFECTS: Final = (AssertionError, AttributeError, LookupError, NameError, NotImplementedError, TypeError)


async def _talks_at_length(seat: Seat) -> None:
    await seat.listen()
    await seat.say(_LONG)
    await seat.listen()
    await seat.say(_ANSWER)
    await seat.listen()


async def _until_cut_off(bench: Bench, faults: TwinFaults) -> HeldCall:
    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.over(25, "the platform's end of the call to be noticed")

    return await bench.hold(_talks_at_length, talk, faults=faults)


async def _ended_by_platform(call: HeldCall) -> Mapping[str, Any]:
    ended = f"Ended by {call.ended.by} ({call.ended.reason})"
    errors = call.session.of(SessionError)
    told = [f"{error.code}: {error.message}" for error in errors]
    expect(call.ended.by == "platform", "Ended by platform", ended, errors=told)
    lines = [call.ended.reason, *(error.message for error in errors)]
    expect(any(line.strip() for line in lines), "a line that says what happened", ended, errors=told)
    expect(not any("\n" in line for line in lines), "one line", repr(lines), errors=told)
    await nothing_follows(call)
    return {"ended": ended, "errors": told}


async def network_loss(bench: Bench) -> Mapping[str, Any]:
    bench.needs("cut")
    return await _ended_by_platform(await _until_cut_off(bench, TwinFaults(cut_after=_PIECES)))


async def expire(bench: Bench) -> Mapping[str, Any]:
    bench.needs("expire")
    return await _ended_by_platform(await _until_cut_off(bench, TwinFaults(expire_after=_PIECES)))


async def stall(bench: Bench) -> Mapping[str, Any]:
    bench.needs("stall")

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.quiet(4)
        await live.say(_MORE)

        def noted() -> bool:
            return bool(live.session.of(SessionError) or live.session.of(Ended))

        await live.until("the silence of the platform to be noted", noted, _PATIENCE_SECONDS)

    call = await bench.hold(_talks_at_length, talk, faults=TwinFaults(stall_after=_PIECES))
    told = [f"{error.code}: {error.message}" for error in call.session.of(SessionError)]
    return {"errors": told, "ended": [ended.by for ended in call.session.of(Ended)]}


async def _two_answers(bench: Bench, faults: TwinFaults) -> HeldCall:
    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.say(_ANSWER)
        await seat.listen()
        await seat.say(_SECOND)
        await seat.listen()

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_ANSWER)
        await live.say(_MORE)
        await live.hears(_SECOND)

    return await bench.hold(plot, talk, faults=faults)


async def burst(bench: Bench) -> Mapping[str, Any]:
    bench.needs("burst")
    call = await _two_answers(bench, FAULTS["burst"])
    tapes = call.held.tapes
    assert tapes is not None
    expect(not call.errors, "no error", "; ".join(call.errors))
    heard = words(" ".join(call.live.heard))
    expect(words(f"{_ANSWER} {_SECOND}") in heard, "every word, in order", heard)
    return {"heard": call.live.heard, "underruns": len(tapes.underruns)}


async def unknown_event(bench: Bench) -> Mapping[str, Any]:
    bench.needs("unknown")
    call = await _two_answers(bench, FAULTS["unknown"])
    told = [f"{error.code}: {error.message}" for error in call.session.of(SessionError)]
    expect(len(told) == 1, "the strange event to be noted once", told or "nothing")
    return {"errors": told}


async def refused(bench: Bench) -> Mapping[str, Any]:
    bench.needs("refuse")
    async with bench.stage(_talks_at_length, faults=FAULTS["refuse"]) as stage:
        error = await _raised(stage, "HTTP 503")
    told = f"{type(error).__name__}: {error}"
    expect(not isinstance(error, PlatformUnusable), "an error after which the call is tried again", told)
    says_what_to_do(error)
    return {"error": told}


async def rate_limit(bench: Bench) -> Mapping[str, Any]:
    bench.needs("rate-limit")
    async with bench.stage(_talks_at_length, faults=FAULTS["rate-limit"]) as stage:
        error = await _raised(stage, "a rate limit")
    told = f"{type(error).__name__}: {error}"
    expect(not isinstance(error, PlatformUnusable), "an error after which the call is tried again", told)
    says_what_to_do(error)
    return {"error": told}


async def quota(bench: Bench) -> Mapping[str, Any]:
    bench.needs("quota")
    async with bench.stage(_talks_at_length, faults=FAULTS["quota"]) as stage:
        error = await _raised(stage, "an account without credit")
    told = f"{type(error).__name__}: {error}"
    expect(isinstance(error, PlatformUnusable), "PlatformUnusable, which stops the run", told)
    says_what_to_do(error)
    return {"error": told}


async def _raised(stage: Stage, met: str) -> Exception:
    error = await stage.refusal()
    if error is None:
        raise Unmet(f"connect() to raise when it meets {met}", "it went well")
    return error


def says_what_to_do(error: Exception) -> None:
    """Raises Unmet for a message that is not one readable line with some advice in it."""
    is_one_line(error)
    told = str(error)
    readable = len(told) <= 500 and " at 0x" not in told and "Traceback" not in told
    expect(
        readable and bool(_ADVICE.search(told)),
        "a message that says what to do (check, set, try, wait, ...)",
        repr(told),
    )


def is_one_line(error: Exception) -> None:
    """Raises Unmet for a defect of the adapter, or a message that is empty or of several lines."""
    told = f"{type(error).__name__}: {error}"
    expect(not isinstance(error, _DEFECTS), "an error that the platform is the cause of", told)
    expect(len(str(error).strip()) >= 15 and "\n" not in str(error), "a message of one line", repr(told))
