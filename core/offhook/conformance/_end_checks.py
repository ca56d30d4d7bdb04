"""Checks of how calls end, and of what the platform says of them afterwards."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from offhook.audio import LINE_RATE
from offhook.conformance._caller import Live, words
from offhook.conformance._desk import Seat
from offhook.conformance._result import NotApplicable, Unmet, expect
from offhook.conformance._sound import joined
from offhook.conformance._stage import Bench, HeldCall, comes_true
from offhook.runner._desk import within
from offhook.sessions import AgentAudio

__all__ = ["agent_hangup", "caller_hangup", "cost", "known_cost", "nothing_follows", "record"]

_GOODBYE: Final = "Thank you, and goodbye then."
_ANSWER: Final = "Yes, of course."
_BASES: Final = ("reported", "usage", "duration")
_CLOSE_SECONDS: Final = 2.0
_LEAVE_SECONDS: Final = 6.0
_PRICE: Final = "get_service_price"


async def agent_hangup(bench: Bench) -> Mapping[str, Any]:
    left: list[float] = []

    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.say(_GOODBYE)
        await seat.call("end_call", {})

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.over(30, "the agent to hang up after end_call")
        left.append(live.line.now)

    call = await bench.hold(plot, talk)
    tapes = call.held.tapes
    assert tapes is not None
    ended = f"Ended by {call.ended.by} ({call.ended.reason})"
    evidence = {"ended": ended, "requests": [entry.tool for entry in call.log]}
    expect(evidence["requests"] == ["end_call"], "end_call at the tool server", evidence["requests"])
    expect(call.ended.by == "agent", "Ended by agent", ended, **evidence)
    expect(tapes.ended_by == "platform", "the agent to hang up first", tapes.ended_by, **evidence)
    received = len(joined(call.session.of(AgentAudio))) / LINE_RATE
    played = sum(span.end - span.start for span in tapes.played)
    expect(
        abs(received - played) <= 0.04,
        f"the last words to be played out, {received:.2f} s of sound in all",
        f"{played:.2f} s were played",
        **evidence,
    )
    heard = call.live.heard_text
    expect(words(_GOODBYE) in heard, f"the caller to hear {_GOODBYE!r} to its end", heard, **evidence)
    last = max(span.end for span in tapes.played)
    expect(
        tapes.seconds - last <= _LEAVE_SECONDS,
        f"the call to end within {_LEAVE_SECONDS:g} s of the last words",
        f"after {tapes.seconds - last:.1f} s",
        **evidence,
    )
    await nothing_follows(call)
    return evidence | {"after_last_words": round(tapes.seconds - last, 2)}


async def caller_hangup(bench: Bench) -> Mapping[str, Any]:
    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.say(_ANSWER)
        for _ in range(10):
            await seat.listen()

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_ANSWER)

    async with bench.stage(plot) as stage:
        call = await stage.hold(talk)
        took = call.session.hang_ups[0] if call.session.hang_ups else math.inf
        evidence = {"hang_up_seconds": round(took, 3), "ended": call.ended.by}
        expect(took <= _CLOSE_SECONDS, f"hang_up() within {_CLOSE_SECONDS:g} s", f"{took:.1f} s", **evidence)
        expect(
            call.ended.by == "caller", "Ended by caller", f"{call.ended.by} ({call.ended.reason})", **evidence
        )
        await _again(bench, call)
        await nothing_follows(call)
        bench.waits_for("the platform's side to notice that the caller is gone")
        await comes_true(lambda: stage.part.all_over, _CLOSE_SECONDS)
        expect(
            stage.part.all_over,
            f"the platform's side to notice the hang-up within {_CLOSE_SECONDS:g} s",
            "the agent behind the wire goes on",
            **evidence,
        )
    return evidence


async def _again(bench: Bench, call: HeldCall) -> None:
    bench.waits_for("a second hang_up() to return")
    try:
        await within(_CLOSE_SECONDS, call.session.session.hang_up)
    except TimeoutError:
        raise Unmet("a second hang_up() to return", f"nothing within {_CLOSE_SECONDS:g} s") from None
    except Exception as error:
        raise Unmet("a second hang_up() to do no harm", f"{type(error).__name__}: {error}") from error


async def nothing_follows(call: HeldCall) -> None:
    """Raises Unmet where the stream does not end after Ended."""
    after = await call.session.after_the_end()
    expect(after is None, "the stream to end after Ended", after)


async def _with_a_tool(bench: Bench) -> HeldCall:
    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.call(_PRICE, {"service": "wheel"})
        await seat.say(_ANSWER)
        await seat.listen()

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_ANSWER)

    return await bench.hold(plot, talk)


async def record(bench: Bench) -> Mapping[str, Any]:
    if not bench.subject.capabilities.record:
        raise NotApplicable("the platform keeps no record (capabilities.record is false)")
    call = await _with_a_tool(bench)
    kept = call.held.record
    if kept is None:
        raise Unmet("a record of the call", "; ".join(call.held.failures) or "none")
    said = words(" ".join(kept.transcript))
    if said:  # some platforms keep the tool log alone; what was said is the check transcripts' to ask for
        expect(words(_ANSWER) in said, f"a transcript that holds {_ANSWER!r}", said)
    log = json.dumps([dict(entry) for entry in kept.tool_log], default=str)
    expect(_PRICE in log, f"a tool log that holds {_PRICE}", log)
    json.dumps(dict(kept.raw), default=str)
    return {"transcript": list(kept.transcript), "tool_log": json.loads(log)}


async def cost(bench: Bench) -> Mapping[str, Any]:
    if not bench.subject.capabilities.cost:
        raise NotApplicable("the platform's cost can't be told (capabilities.cost is false)")
    return known_cost(await _with_a_tool(bench))


def known_cost(call: HeldCall) -> Mapping[str, Any]:
    """The call's cost; raises Unmet where it is unknown or no sum of money."""
    told = call.held.cost
    evidence = {"usd": told.usd, "basis": told.basis}
    arrived = f"{told.usd} USD by {told.basis!r} {'; '.join(call.held.failures)}".strip()
    expect(told.basis in _BASES, f"a cost whose basis is {', '.join(_BASES)}", arrived, **evidence)
    expect(
        told.usd is not None and math.isfinite(told.usd) and told.usd >= 0,
        "a finite sum, at least 0",
        arrived,
        **evidence,
    )
    return evidence
