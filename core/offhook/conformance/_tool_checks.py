"""Checks of tool calls. What counts is what reached the tool server, whichever way it came."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.conformance._caller import Live
from offhook.conformance._desk import Plot, Seat
from offhook.conformance._pack import LARGE, LARGE_BYTES, SLOW, SLOW_SECONDS
from offhook.conformance._result import NotApplicable, Unmet, expect
from offhook.conformance._stage import Bench, HeldCall
from offhook.records import ToolLogEntry
from offhook.sessions import ToolCall, ToolCancelled, ToolResult
from offhook.storage import one_line
from offhook.twins import FAULTS

__all__ = [
    "tool_bad_arguments",
    "tool_batch",
    "tool_call",
    "tool_cancelled",
    "tool_large",
    "tool_order",
    "tool_refused",
    "tool_slow",
    "tool_unknown",
]

PRICE: Final = "get_service_price"
_DONE: Final = "That is all I have."
_NO_OBJECT: Final = "tune_up, please"


@attrs.frozen
class _Asked:
    tool: str
    arguments: Mapping[str, Any] | str


async def _called(bench: Bench, plot: Plot, seconds: float = 20.0) -> HeldCall:
    """A call in which the agent does something with tools and then says so."""

    async def whole(seat: Seat) -> None:
        await seat.listen()
        await plot(seat)
        await seat.say(_DONE)
        await seat.listen()

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_DONE, seconds)

    return await bench.hold(whole, talk)


def _one_by_one(calls: Sequence[_Asked]) -> Plot:
    async def plot(seat: Seat) -> None:
        for asked in calls:
            await seat.call(asked.tool, asked.arguments)

    return plot


def _reached(call: HeldCall, calls: Sequence[_Asked]) -> list[dict[str, Any]]:
    """The requests at the tool server: these, once each, in this order, under ids that differ."""
    got = [{"tool": entry.tool, "arguments": dict(entry.arguments)} for entry in call.log]
    wanted = [{"tool": asked.tool, "arguments": asked.arguments} for asked in calls]
    expect(got == wanted, f"requests {_short(wanted)}", _short(got), requests=got)
    ids = [entry.source_id for entry in call.log]
    told = call.session.of(ToolCall)
    if told or any(ids):  # a platform that calls tools by itself may give none
        expect(all(ids) and len(set(ids)) == len(ids), "an id of its own with each request", ids)
    if told:
        expect(
            [event.id for event in told] == ids,
            f"the ids {ids} of the events at the tool server",
            [event.id for event in told],
        )
        answered = sorted(str(result.id) for result in call.session.answered)
        expect(answered == sorted(ids), f"one answer for each of {ids}", answered)
    return got


def _given_back(call: HeldCall, entries: Sequence[ToolLogEntry]) -> None:
    """The agent has to be given what the tool server answered, each to its own call."""
    results = call.run.results
    expect(
        len(results) == len(entries),
        f"{len(entries)} answers behind the wire",
        f"{len(results)}{_failures(call)}",
    )
    for result, entry in zip(results, entries, strict=True):
        differs = _canonical(result.body) != _canonical(entry.response)
        expect(
            not differs,
            f"the answer {_short(entry.response)} to {entry.tool} {_short(entry.arguments)}",
            _short(result.body),
        )


async def tool_call(bench: Bench) -> Mapping[str, Any]:
    asked = (_Asked(PRICE, {"service": "tune_up"}),)
    call = await _called(bench, _one_by_one(asked))
    requests = _reached(call, asked)
    _given_back(call, call.log)
    return {"requests": requests, "id": call.log[0].source_id}


async def tool_order(bench: Bench) -> Mapping[str, Any]:
    asked = tuple(_Asked(PRICE, {"service": service}) for service in ("wheel", "tune_up", "brakes"))
    call = await _called(bench, _one_by_one(asked))
    requests = _reached(call, asked)
    _given_back(call, call.log)
    return {"requests": requests}


async def tool_batch(bench: Bench) -> Mapping[str, Any]:
    asked = tuple(_Asked(PRICE, {"service": service}) for service in ("wheel", "brakes"))

    async def plot(seat: Seat) -> None:
        results: list[ToolResult] = await asyncio.gather(
            *(seat.desk.call(each.tool, each.arguments) for each in asked)
        )
        seat.run.results.extend(results)  # in the order they were asked, not answered

    call = await _called(bench, plot)
    if bench.routed and len(call.log) == 2 and call.log[0].arguments == asked[1].arguments:
        asked = asked[::-1]  # two posts at one time may overtake each other
        call.run.results.reverse()
    requests = _reached(call, asked)
    _given_back(call, call.log)
    return {"requests": requests}


async def tool_refused(bench: Bench) -> Mapping[str, Any]:
    asked = (_Asked(PRICE, {"service": "paint"}),)
    call = await _called(bench, _one_by_one(asked))
    _reached(call, asked)
    (entry,) = call.log
    expect(entry.outcome == "refused", "the tool server to refuse it", f"HTTP {entry.status}")
    _given_back(call, call.log)
    return {"status": entry.status, "told": dict(call.run.results[0].body)}


async def tool_slow(bench: Bench) -> Mapping[str, Any]:
    asked = (_Asked(SLOW, {}),)
    call = await _called(bench, _one_by_one(asked), SLOW_SECONDS + 20)
    _reached(call, asked)
    _given_back(call, call.log)
    return {"seconds": SLOW_SECONDS, "errors": call.errors}


async def tool_large(bench: Bench) -> Mapping[str, Any]:
    asked = (_Asked(LARGE, {}),)
    call = await _called(bench, _one_by_one(asked), 30)
    _reached(call, asked)
    size = len(json.dumps(call.run.results[0].body, ensure_ascii=False)) if call.run.results else 0
    expect(size >= LARGE_BYTES, f"an answer of at least {LARGE_BYTES} characters", f"{size} characters")
    _given_back(call, call.log)
    return {"characters": size}


async def tool_unknown(bench: Bench) -> Mapping[str, Any]:
    call, tried = await _tried(bench, _Asked("paint_frame", {"colour": "red"}))
    (entry,) = _only(call, "paint_frame", tried)
    expect(entry.code == "unknown_tool", "the tool server to refuse it", f"{entry.status} {entry.code}")
    _told_of_it(call)
    return {"status": entry.status, "told": dict(call.run.results[0].body)}


async def tool_bad_arguments(bench: Bench) -> Mapping[str, Any]:
    call, tried = await _tried(bench, _Asked(PRICE, _NO_OBJECT))
    (entry,) = _only(call, PRICE, tried)
    expect(400 <= entry.status < 500, "the tool server to refuse it", f"HTTP {entry.status}")
    expect(_NO_OBJECT in entry.raw, f"the text {_NO_OBJECT!r} in the log", entry.raw)
    _told_of_it(call)
    return {"status": entry.status, "raw": entry.raw}


async def _tried(bench: Bench, asked: _Asked) -> tuple[HeldCall, list[Exception]]:
    """A tool call that some wires have no way to make."""
    tried: list[Exception] = []

    async def plot(seat: Seat) -> None:
        try:
            await seat.call(asked.tool, asked.arguments)
        except Exception as error:
            tried.append(error)

    return await _called(bench, plot), tried


def _only(call: HeldCall, tool: str, tried: Sequence[Exception]) -> tuple[ToolLogEntry]:
    if tried and not call.log and not call.session.of(ToolCall):
        raise NotApplicable(f"the twin can't make such a call ({one_line(tried[0])})")
    if len(call.log) != 1 or call.log[0].tool != tool:
        got = [f"{entry.tool} {entry.raw}" for entry in call.log]
        raise Unmet(f"one request for {tool} at the tool server", f"{got}{_failures(call)}")
    return (call.log[0],)


def _told_of_it(call: HeldCall) -> None:
    expect(len(call.run.results) == 1, "the refusal to reach the agent", f"no answer{_failures(call)}")
    body = call.run.results[0].body
    expect(
        _canonical(body) == _canonical(call.log[0].response),
        f"the answer {_short(call.log[0].response)}",
        _short(body),
    )


async def tool_cancelled(bench: Bench) -> Mapping[str, Any]:
    bench.needs("cancel")

    async def plot(seat: Seat) -> None:
        await seat.listen()
        calling = asyncio.ensure_future(seat.desk.call(PRICE, {"service": "wheel"}))
        await asyncio.wait({calling}, timeout=3)
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        await seat.say(_DONE)
        await seat.listen()

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_DONE)

    call = await bench.hold(plot, talk, faults=FAULTS["cancel"])
    calls = [event.id for event in call.session.of(ToolCall)]
    taken_back = [event.id for event in call.session.of(ToolCancelled)]
    evidence = {"calls": calls, "cancelled": taken_back, "requests": len(call.log)}
    expect(len(call.log) <= 1, "at most one request at the tool server", len(call.log), **evidence)
    expect(
        not calls or calls[0] in taken_back,
        f"ToolCancelled for {calls[:1]}, or no ToolCall at all",
        f"ToolCancelled for {taken_back}",
        **evidence,
    )
    return evidence


def _failures(call: HeldCall) -> str:
    return f" ({'; '.join(call.run.failures)})" if call.run.failures else ""


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=dict)
    return text if len(text) <= 160 else f"{text[:160]}..."
