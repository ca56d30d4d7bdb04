"""OpenTelemetry spans for calls, turns and tool calls.

Nothing has to be switched on: where the program has configured a tracer provider, each finished call becomes
a span ``offhook.call`` under whatever span was current when the run was begun. Without a provider nothing is
imported. Spans are built from the finished record, so calls in virtual time have them too; they are emitted
by the process that carries the run out, also for calls of worker processes.

============================  =======================================================================
span                          attributes
============================  =======================================================================
``offhook.call``              ``offhook.call_id``, ``.pack``, ``.task``, ``.platform``, ``.run``,
                              ``.attempt``, ``.audio``, ``.line``, ``.voice``, ``.ending``, ``.cause``,
                              ``.verdict`` (``passed``, ``failed`` or ``none``), ``.ended_by``,
                              ``.seconds``, ``.late_p99_ms``, ``.cost_usd``, ``.folder``;
                              ``gen_ai.operation.name`` (``invoke_agent``), ``gen_ai.agent.name``,
                              ``gen_ai.conversation.id``, and ``gen_ai.usage.input_tokens`` and
                              ``.output_tokens`` where the platform tells them
``offhook.turn``              ``offhook.who`` (``caller`` or ``agent``), ``offhook.text``,
                              ``offhook.source`` (of a caller's turn), ``offhook.turn``
``execute_tool TOOL``         ``gen_ai.operation.name`` (``execute_tool``), ``gen_ai.tool.name``,
                              ``gen_ai.tool.call.id``, ``offhook.arguments``, ``offhook.outcome``,
                              ``offhook.code``, ``offhook.status``
============================  =======================================================================

A call span begins at the call's wall-clock start and lasts its line seconds; within it, times are line
seconds. Events ``offhook.clear`` mark where the platform dropped speech that had not been played, and
``offhook.session_error`` what went wrong on its session (at the call's end: it has no time of its own).
Calls that are void or in error have status ERROR with the cause; so does a tool call that failed inside.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from offhook.storage import RunFolder, StorageError, one_line, to_json

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Tracer, TracerProvider

    from offhook.records import CallRecord, ToolLogEntry
    from offhook.runner import Done

__all__ = ["call_tracer", "emit_call", "traced"]

_logger: Final = logging.getLogger(__name__)
_NANO: Final = 1_000_000_000
_VARIABLE: Final = "OTEL_PYTHON_TRACER_PROVIDER"


def traced(folder: RunFolder, on_done: Callable[[Done], None]) -> Callable[[Done], None]:
    """``on_done``, which also emits the spans of each call where a tracer provider is configured."""
    trace = call_tracer(folder)
    if trace is None:
        return on_done

    def listen(done: Done) -> None:
        trace(done)
        on_done(done)

    return listen


def call_tracer(folder: RunFolder) -> Callable[[Done], None] | None:
    """What emits the spans of each call of a run as it is done; None where no tracer provider is configured.
    Spans go under the span that is current now. A provider that can't be used is logged.
    """
    try:
        provider = _provider()
        if provider is None:
            return None
        from opentelemetry.context import get_current

        tracer, parent = provider.get_tracer("offhook"), get_current()
    except Exception as error:  # somebody's set-up; no reason to lose a run
        _logger.warning("the run has no spans, its tracer provider cannot be used: %s", one_line(error))
        return None

    def trace(done: Done) -> None:
        if done.lost:
            return
        try:
            record = folder.record(done.planned.call_id)
            logged = (folder.call_folder(record.call_id) / "tools.jsonl").is_file()
            tools = folder.tools(record.call_id) if logged else ()
        except StorageError:
            return  # whoever reads the run is told; there is nothing to trace
        place = str(folder.call_folder(record.call_id))
        try:
            emit_call(tracer, record, tools, passed=done.passed, folder=place, parent=parent)
        except Exception as error:  # somebody's span processor; no reason to lose a run
            _logger.warning("call %s has no spans: %s", record.call_id, one_line(error))

    return trace


def emit_call(
    tracer: Tracer,
    record: CallRecord,
    tools: tuple[ToolLogEntry, ...] = (),
    *,
    passed: bool | None = None,
    folder: str = "",
    parent: Context | None = None,
) -> None:
    """Emits one finished call as spans, under ``parent`` (None: the current context)."""
    from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

    start = _started(record)
    span = tracer.start_span(
        "offhook.call",
        context=parent,
        kind=SpanKind.CLIENT,
        attributes=_call_attributes(record, passed, folder),
        start_time=start,
    )
    inside = set_span_in_context(span, parent)

    def child(name: str, begin: float, end: float, attributes: Mapping[str, Any], fault: str = "") -> None:
        inner = tracer.start_span(
            name, context=inside, attributes=dict(attributes), start_time=_at(start, begin)
        )
        if fault:
            inner.set_status(Status(StatusCode.ERROR, fault))
        inner.end(_at(start, max(begin, end)))

    for number, turn in enumerate(record.caller_turns):
        told = {
            "offhook.who": "caller",
            "offhook.turn": number,
            "offhook.text": turn.spoken,
            "offhook.source": turn.source,
        }
        child("offhook.turn", turn.start, turn.end, told)
    for number, heard in enumerate(record.caller_heard):
        told = {"offhook.who": "agent", "offhook.turn": number, "offhook.text": heard.text}
        child("offhook.turn", heard.start, heard.end, told)
    for entry in tools:
        fault = f"{entry.code or 'failed'} (status {entry.status})" if entry.status >= 500 else ""
        child(f"execute_tool {entry.tool}", entry.at, entry.at, _tool_attributes(entry), fault)
    for at in record.clears:
        span.add_event("offhook.clear", timestamp=_at(start, at))
    for error in record.session_errors:
        span.add_event("offhook.session_error", {"offhook.message": error}, _at(start, record.seconds))
    if record.ending != "completed":
        span.set_status(Status(StatusCode.ERROR, record.cause))
    span.end(_at(start, record.seconds))


def _provider() -> TracerProvider | None:
    """The configured provider. A program that configured one has imported the API; so has nobody else."""
    if "opentelemetry.trace" not in sys.modules and not os.environ.get(_VARIABLE):
        return None
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    loading = logging.getLogger("opentelemetry.util._providers")
    loading.addFilter(_told_here)
    try:
        provider = trace.get_tracer_provider()
    except StopIteration:
        named = os.environ.get(_VARIABLE, "")
        raise LookupError(f"{_VARIABLE} names {named!r}, which is not installed") from None
    finally:
        loading.removeFilter(_told_here)
    idle = isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider)
    return None if idle else provider


def _told_here(record: logging.LogRecord) -> bool:
    """Leaves out the traceback that is logged of a provider that can't be loaded, besides being raised."""
    return False


def _call_attributes(record: CallRecord, passed: bool | None, folder: str) -> dict[str, Any]:
    key = record.key
    told: dict[str, Any] = {
        "offhook.call_id": record.call_id,
        "offhook.pack": key.pack,
        "offhook.task": key.task,
        "offhook.platform": key.platform,
        "offhook.run": key.run,
        "offhook.attempt": key.attempt,
        "offhook.audio": key.audio,
        "offhook.line": key.line,
        "offhook.voice": record.voice,
        "offhook.ending": record.ending,
        "offhook.cause": record.cause,
        "offhook.verdict": "none" if passed is None else "passed" if passed else "failed",
        "offhook.ended_by": record.ended_by,
        "offhook.seconds": record.seconds,
        "offhook.late_p99_ms": record.late.p99_ms,
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": key.platform,
        "gen_ai.conversation.id": record.call_id,
    }
    if folder:
        told["offhook.folder"] = folder
    if record.cost_usd is not None:
        told["offhook.cost_usd"] = record.cost_usd
    for way in ("input", "output"):
        tokens = _tokens(record.usage, way)
        if tokens is not None:
            told[f"gen_ai.usage.{way}_tokens"] = tokens
    return told


def _tokens(usage: Mapping[str, float], way: str) -> int | None:
    """The tokens of one direction over all kinds (``input_tokens``, ``input_audio_tokens``...); None where
    the platform tells none.
    """
    whole = usage.get(f"{way}_tokens")
    if whole is not None:
        return int(whole)
    kinds = [
        count for name, count in usage.items() if name.startswith(f"{way}_") and name.endswith("_tokens")
    ]
    return int(sum(kinds)) if kinds else None


def _tool_attributes(entry: ToolLogEntry) -> dict[str, Any]:
    told: dict[str, Any] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": entry.tool,
        "offhook.arguments": to_json(entry.arguments),
        "offhook.outcome": entry.outcome,
        "offhook.code": entry.code,
        "offhook.status": entry.status,
    }
    if entry.source_id:
        told["gen_ai.tool.call.id"] = entry.source_id
    return told


def _started(record: CallRecord) -> int:
    """Nanoseconds since the epoch."""
    text = record.wall.get("started", "")
    begun = datetime.fromisoformat(text) if text else datetime.now(UTC)
    return int(begun.timestamp() * _NANO)


def _at(start: int, seconds: float) -> int:
    return start + round(seconds * _NANO)
