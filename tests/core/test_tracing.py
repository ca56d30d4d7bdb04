"""Spans of finished calls, exported by the real OpenTelemetry SDK."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import attrs
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NoOpTracerProvider, StatusCode

import offhook
from offhook.records import CallKey, ToolLogEntry, empty_record
from offhook.storage import RunFolder
from offhook.tracing import emit_call
from tests.core._integrators import OwnAdapter, world_host


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """What is exported while a provider is configured, which a process can do only once for good."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    return exporter


def _run(out: Path, **asked: Any) -> offhook.RunResult:
    asked.setdefault("host", world_host())
    return asyncio.run(offhook.run(out=out, **asked))


def _named(spans: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in spans.get_finished_spans() if span.name == name]


def _ns(wall: str, seconds: float) -> int:
    return int(datetime.fromisoformat(wall).timestamp()) * 1_000_000_000 + round(seconds * 1_000_000_000)


def test_a_call_in_virtual_time_has_spans_on_its_own_clock(
    spans: InMemorySpanExporter, tmp_path: Path
) -> None:
    result = _run(tmp_path / "run", tasks="B-H1")
    (outcome,) = result.calls
    record, tools = outcome.record, RunFolder.open(result.folder).tools(outcome.record.call_id)
    (call,) = _named(spans, "offhook.call")
    told = dict(call.attributes or {})
    assert (
        told
        | {
            "offhook.call_id": record.call_id,
            "offhook.pack": "bicycle-repair",
            "offhook.task": "B-H1",
            "offhook.platform": "reference",
            "offhook.run": 1,
            "offhook.ending": "completed",
            "offhook.verdict": "passed",
            "offhook.seconds": record.seconds,
            "offhook.folder": str(outcome.folder),
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "reference",
            "gen_ai.conversation.id": record.call_id,
        }
        == told
    )
    started = record.wall["started"]
    assert (call.start_time, call.end_time) == (_ns(started, 0), _ns(started, record.seconds))
    assert call.status.status_code is StatusCode.UNSET
    assert call.parent is None
    turns = _named(spans, "offhook.turn")
    by_side = {
        who: [span for span in turns if (span.attributes or {})["offhook.who"] == who]
        for who in ("caller", "agent")
    }
    for side, expected in (("caller", record.caller_turns), ("agent", record.caller_heard)):
        assert [(span.start_time, span.end_time) for span in by_side[side]] == [
            (_ns(started, each.start), _ns(started, each.end)) for each in expected
        ]
    assert (by_side["caller"][0].attributes or {})["offhook.text"] == record.caller_turns[0].spoken
    used = [span for span in spans.get_finished_spans() if span.name.startswith("execute_tool ")]
    assert [span.name for span in used] == [f"execute_tool {entry.tool}" for entry in tools]
    assert [span.start_time for span in used] == [_ns(started, entry.at) for entry in tools]
    assert {(span.attributes or {})["gen_ai.operation.name"] for span in used} == {"execute_tool"}
    for child in (*turns, *used):
        assert child.parent is not None
        assert child.parent.span_id == call.context.span_id


def test_calls_go_under_the_span_in_which_the_run_is_begun(
    spans: InMemorySpanExporter, tmp_path: Path
) -> None:
    tracer = trace.get_tracer("program")

    async def main() -> None:
        with tracer.start_as_current_span("nightly"):
            await offhook.run(tasks="bicycle-repair", line="text", out=tmp_path / "run", host=world_host())

    asyncio.run(main())
    (mine,) = _named(spans, "nightly")
    calls = _named(spans, "offhook.call")
    assert len(calls) == 2
    assert {call.parent.span_id for call in calls if call.parent} == {mine.context.span_id}
    assert {call.context.trace_id for call in calls} == {mine.context.trace_id}


def test_a_failed_call_is_told_by_its_verdict_and_a_void_by_its_status(
    spans: InMemorySpanExporter, tmp_path: Path
) -> None:
    _run(tmp_path / "failed", tasks="B-H1", line="text", platform="saboteur-claims-done")
    (failed,) = _named(spans, "offhook.call")
    assert (failed.attributes or {})["offhook.verdict"] == "failed"
    assert failed.status.status_code is StatusCode.UNSET
    spans.clear()
    _run(tmp_path / "void", tasks="B-E1", line="text", platform=OwnAdapter(refuses="all lines busy"))
    voids = _named(spans, "offhook.call")
    assert [(void.attributes or {})["offhook.attempt"] for void in voids] == [1, 2, 3]
    assert {void.status.status_code for void in voids} == {StatusCode.ERROR}
    assert "all lines busy" in (voids[0].status.description or "")
    assert {(void.attributes or {})["offhook.verdict"] for void in voids} == {"none"}


def test_clears_errors_tokens_and_failed_tools(spans: InMemorySpanExporter) -> None:
    key = CallKey("p", "t", "acme", 1)
    record = attrs.evolve(
        empty_record("c1", key, seed=1, ending="completed"),
        seconds=9.0,
        clears=(2.5,),
        session_errors=("socket closed",),
        usage={"input_audio_tokens": 30.0, "input_text_tokens": 5.0, "output_tokens": 7.0},
        cost_usd=0.25,
        wall={"started": "2026-01-02T03:04:05Z"},
    )
    entry = ToolLogEntry(0, "pay", {}, "{}", 500, {}, "refused", "crashed", 4.0, source_id="x-1")
    emit_call(trace.get_tracer("t"), record, (entry,))
    (call,) = _named(spans, "offhook.call")
    told = call.attributes or {}
    assert (told["gen_ai.usage.input_tokens"], told["gen_ai.usage.output_tokens"]) == (35, 7)
    assert told["offhook.cost_usd"] == 0.25
    assert [(event.name, event.timestamp) for event in call.events] == [
        ("offhook.clear", _ns("2026-01-02T03:04:05Z", 2.5)),
        ("offhook.session_error", _ns("2026-01-02T03:04:05Z", 9.0)),
    ]
    assert (call.events[1].attributes or {})["offhook.message"] == "socket closed"
    (tool,) = _named(spans, "execute_tool pay")
    assert tool.status.status_code is StatusCode.ERROR
    assert (tool.attributes or {})["gen_ai.tool.call.id"] == "x-1"


class Broken(SpanProcessor):
    def on_end(self, span: ReadableSpan) -> None:
        raise ConnectionError("no collector")


def test_a_span_processor_that_raises_takes_no_run_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    provider = TracerProvider()
    provider.add_span_processor(Broken())
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    assert _run(tmp_path / "run", tasks="bicycle-repair", line="text").passed
    told = [record.message for record in caplog.records if "has no spans" in record.message]
    assert len(told) == 2
    assert told[0].endswith("ConnectionError: no collector")


class NoTracers(TracerProvider):
    def get_tracer(self, *_: Any, **__: Any) -> Any:
        raise ConnectionError("no\ntracers")


@pytest.mark.parametrize(
    ("provider", "named", "said"),
    [(NoTracers(), "", "ConnectionError: no"), (None, "nosuch", "names 'nosuch', which is not installed")],
)
def test_a_provider_that_cannot_be_used_is_one_warning(
    provider: TracerProvider | None,
    named: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    if named:
        monkeypatch.setenv("OTEL_PYTHON_TRACER_PROVIDER", named)
    assert _run(tmp_path / "run", tasks="bicycle-repair", line="text").passed
    told = [record.message for record in caplog.records]
    assert len(told) == 1, told
    assert told[0].startswith("the run has no spans")
    assert said in told[0]


def test_a_provider_that_does_nothing_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from offhook.tracing import call_tracer

    monkeypatch.setattr(trace, "_TRACER_PROVIDER", NoOpTracerProvider())
    assert call_tracer(RunFolder(tmp_path)) is None
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", None)
    assert call_tracer(RunFolder(tmp_path)) is None


def test_without_a_provider_nothing_is_imported(tmp_path: Path) -> None:
    code = f"""
import asyncio, sys
import offhook
from tests.core._integrators import world_host

asyncio.run(offhook.run(tasks="B-E1", line="text", out={str(tmp_path / "run")!r}, host=world_host()))
print([name for name in sys.modules if name.startswith("opentelemetry")])
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "[]"


@pytest.mark.speech
def test_calls_of_worker_processes_are_told_by_the_process_that_runs_them(
    spans: InMemorySpanExporter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OFFHOOK_CACHE")
    result = _run(tmp_path / "run", tasks=["T4-H1", "T4-E1"], line="text", workers=2, host=None)
    assert result.passed
    calls = _named(spans, "offhook.call")
    assert sorted(str((call.attributes or {})["offhook.task"]) for call in calls) == ["T4-E1", "T4-H1"]
    assert {(call.attributes or {})["offhook.verdict"] for call in calls} == {"passed"}
