"""Runs as tables: what is in them, equal in every format, safe in a spreadsheet, written whole."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pyarrow.parquet
import pytest

import offhook
from offhook.callers import AgentHeard, CallerTurn
from offhook.cli import main
from offhook.export import (
    COLUMNS,
    ExportRefused,
    NoSuchTable,
    Table,
    read_table,
    table_bytes,
    write_table,
)
from offhook.grading import Grade, GradeKind, Outcome
from offhook.host import PluginHost
from offhook.records import CallKey, LateTicks, RunManifest, empty_record
from offhook.storage import RunFolder
from tests.core._drill_stand import Breaks, Repeat, Stand, stand_host
from tests.core._integrators import OwnAdapter, world_host

OF_CALLS = ("calls", "turns", "tools", "grades")


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return world_host()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs over sound (``good``, ``bad``) and one whose calls are all refused (``busy``)."""
    base = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OFFHOOK_CACHE", str(base / "cache"))
        for name, asked in (
            ("good", {"platform": "reference", "line": "audio"}),
            ("bad", {"platform": "saboteur-claims-done", "tasks": "B-H1", "line": "text"}),
            ("busy", {"platform": OwnAdapter(refuses="=all lines busy"), "tasks": "B-E1", "line": "text"}),
        ):
            asyncio.run(offhook.run(**asked, out=base / name, host=world_host()))  # type: ignore[arg-type]
    return base


def rows_of(runs: Path, what: str, host: PluginHost, *names: str) -> list[dict[str, Any]]:
    return [dict(row) for row in read_table([runs / name for name in names], what, host=host).records()]


# --- what is in them ------------------------------------------------------------------------------


def test_a_row_a_call_with_what_it_came_to(runs: Path, host: PluginHost) -> None:
    rows = rows_of(runs, "calls", host, "good", "bad", "busy")
    assert [(row["run"], row["task"], row["attempt"], row["state"]) for row in rows] == [
        ("good", "B-E1", 1, "passed"),
        ("good", "B-H1", 1, "passed"),
        ("bad", "B-H1", 1, "failed"),
        ("busy", "B-E1", 1, "void"),
        ("busy", "B-E1", 2, "void"),
        ("busy", "B-E1", 3, "void"),
    ]
    assert [row["passed"] for row in rows] == [True, True, False, None, None, None]
    assert [row["counted"] for row in rows] == [True, True, True, False, False, True]
    good, bad, void = rows[0], rows[2], rows[-1]
    record = RunFolder.open(runs / "good").record(good["call_id"])
    assert (good["seconds"], good["voice"], good["caller_turns"]) == (
        record.seconds,
        record.voice,
        len(record.caller_turns),
    )
    assert good["tool_calls"] == len(RunFolder.open(runs / "good").tools(good["call_id"])) > 0
    assert good["latency_reliable"] is True
    assert good["published_turns"] > 0
    assert good["ours_median_s"] > 0
    assert good["wer_reference_words"] > good["wer_errors"] >= 0
    numbers = json.loads(good["numbers"])
    assert numbers["latency"]["ours_median_s"] == good["ours_median_s"]
    assert json.loads(bad["outcomes"])["state-adherence"] == "fail"
    assert "state-adherence" in bad["why"]
    assert bad["ours_median_s"] is None  # a text line has no latency
    assert "=all lines busy" in void["cause"]
    assert (void["wer_errors"], void["ours_turns"]) == (None, None)


def test_a_row_a_turn_with_both_latencies(runs: Path, host: PluginHost) -> None:
    rows = [row for row in rows_of(runs, "turns", host, "good") if row["task"] == "B-H1"]
    folder = RunFolder.open(runs / "good")
    record = folder.record(rows[0]["call_id"])
    (latency,) = (grade for grade in folder.grades(record.call_id) if grade.grader == "latency")
    caller = [row for row in rows if row["who"] == "caller"]
    assert [row["text"] for row in caller] == [turn.spoken for turn in record.caller_turns]
    assert [row["text"] for row in rows if row["who"] == "agent"] == [
        heard.text for heard in record.caller_heard
    ]
    assert [row["position"] for row in rows] == list(range(len(rows)))
    assert [row["start_s"] for row in rows] == sorted(row["start_s"] for row in rows)
    for measure in ("published", "ours"):
        measured = [row[f"{measure}_latency_s"] for row in caller if row[f"{measure}_latency_s"] is not None]
        assert measured == latency.evidence["latencies_s"][measure]
        assert len(measured) > 0
    left_out = [row for row in caller if row["ours_latency_s"] is None]
    assert all(row["ours_excluded"] for row in left_out)


def test_a_late_call_keeps_its_waits_and_says_that_they_are_unreliable(
    tmp_path: Path, runs: Path, host: PluginHost
) -> None:
    folder = RunFolder.open(runs / "good")
    record = folder.record(folder.call_ids()[0])
    late = attrs.evolve(record, late=LateTicks(1.0, 80.0, 90.0), files=())
    evidence = {"ours": [{"turn": 0, "latency_s": 0.5, "excluded": ""}]}
    grade = Grade(
        "latency", "3", GradeKind.MEASURE, record.call_id, Outcome.NOT_MEASURED, "late", {}, evidence
    )
    made = _made_run(tmp_path / "late", folder.manifest(), [late], [grade])
    rows = [dict(row) for row in read_table([made.path], "turns", host=host).records()]
    assert {row["latency_reliable"] for row in rows} == {False}
    assert [row["ours_latency_s"] for row in rows if row["caller_turn"] == 0] == [0.5]
    (call,) = read_table([made.path], "calls", host=host).records()
    assert (call["latency_reliable"], call["late_p99_ms"]) == (False, 80.0)


def test_a_row_a_tool_call_and_a_row_a_grade(runs: Path, host: PluginHost) -> None:
    folder = RunFolder.open(runs / "bad")
    (call_id,) = folder.call_ids()
    tools = rows_of(runs, "tools", host, "bad")
    for row, entry in zip(tools, folder.tools(call_id), strict=True):
        assert (row["tool"], row["at_s"], row["status"]) == (entry.tool, entry.at, entry.status)
        assert json.loads(row["arguments"]) == entry.arguments
        assert json.loads(row["response"]) == entry.response
    grades = rows_of(runs, "grades", host, "bad")
    stored = folder.grades(call_id)
    assert [(row["grader"], row["outcome"]) for row in grades] == [
        (grade.grader, grade.outcome.value) for grade in stored
    ]
    assert [json.loads(row["evidence"]) for row in grades] == [grade.evidence for grade in stored]


# --- equal in every format ------------------------------------------------------------------------


def _made_run(
    path: Path, manifest: RunManifest, records: Sequence[Any], grades: Sequence[Grade] = ()
) -> RunFolder:
    folder = RunFolder.create(path, attrs.evolve(manifest, run_id=path.name, planned=len(records)))
    for record in records:
        folder.commit_call(folder.scratch(record.call_id), record)
    for grade in grades:
        folder.write_grades(grade.call_id, [grade])
    return folder


NASTY = (
    "=1+1",
    "+41 79",
    "-2",
    "@SUM(A1)",
    "\ttab",
    "\rreturn",
    "\nline",
    "＝wide",
    "'quoted",
    "''twice",
    'a "b", c;\r\nd\n"',
    "naïve – 日本 🙂",
    "",
    "true",
    "7",
)


@pytest.fixture
def nasty(tmp_path: Path, runs: Path) -> Path:
    """A call whose texts are all that a table could trip over."""
    manifest = RunFolder.open(runs / "good").manifest()
    record = attrs.evolve(
        empty_record("nasty", CallKey("bicycle-repair", "B-E1", "reference", 1), seed=1, ending="completed"),
        caller_turns=tuple(CallerTurn(text, text, at, at + 0.5, "rule:x") for at, text in enumerate(NASTY)),
        caller_heard=tuple(AgentHeard(text, at + 0.1, at + 0.2) for at, text in enumerate(NASTY)),
        seconds=-3.5,
        usage={"=x": 1.0},
        session_errors=NASTY,
    )
    return _made_run(tmp_path / "nasty", manifest, [record]).path


def _from_csv(content: bytes, table: Table) -> list[tuple[Any, ...]]:
    """As the documentation of the package says how to read it."""
    header, *rows = csv.reader(io.StringIO(content.decode("utf-8"), newline=""))
    assert header == [column.name for column in table.columns]

    def value(cell: str, kind: str) -> Any:
        if kind in ("text", "json"):
            return cell[1:] if cell.startswith("'") else cell
        if cell == "":
            return None
        return cell == "true" if kind == "boolean" else int(cell) if kind == "integer" else float(cell)

    return [
        tuple(value(cell, column.kind) for cell, column in zip(row, table.columns, strict=True))
        for row in rows
    ]


@pytest.mark.parametrize("what", OF_CALLS)
def test_all_formats_hold_the_same_values(
    what: str, runs: Path, nasty: Path, tmp_path: Path, host: PluginHost
) -> None:
    table = read_table([runs / "good", runs / "bad", runs / "busy", nasty], what, host=host)
    assert len(table.rows) >= 5
    for name in ("t.csv", "t.jsonl", "t.parquet"):
        write_table(table, tmp_path / name)
    rows = list(table.rows)
    assert _from_csv((tmp_path / "t.csv").read_bytes(), table) == rows
    lines = (tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()
    assert [
        tuple(json.loads(line).values()) for line in (tmp_path / "t.jsonl").open(encoding="utf-8")
    ] == rows
    assert len(lines) >= len(rows)
    parquet = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    assert parquet.column_names == [column.name for column in table.columns]
    assert [tuple(row.values()) for row in parquet.to_pylist()] == rows
    kinds = {"text": "string", "json": "string", "integer": "int64", "number": "double", "boolean": "bool"}
    assert [str(kind) for kind in parquet.schema.types] == [kinds[column.kind] for column in table.columns]
    for row in rows:
        for value, column in zip(row, table.columns, strict=True):
            expected = {"integer": int, "number": float, "boolean": bool}.get(column.kind, str)
            assert type(value) is expected or (value is None and expected is not str)
            assert not isinstance(value, float) or math.isfinite(value)


def test_no_cell_of_a_csv_is_a_formula(nasty: Path, host: PluginHost) -> None:
    turns = table_bytes(read_table([nasty], "turns", host=host), "csv").decode("utf-8")
    cells = [row["text"] for row in csv.DictReader(io.StringIO(turns, newline=""))]
    assert sorted({cell for cell in cells if cell.startswith("'")}) == sorted(
        f"'{text}" for text in NASTY if text and text[0] in "=+-@\t\r\n＝'"
    )
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r\n＝") and cell]
    (call,) = csv.DictReader(
        io.StringIO(table_bytes(read_table([nasty], "calls", host=host), "csv").decode("utf-8"), newline="")
    )
    assert call["seconds"] == "-3.5"  # a number stays a number


def test_every_column_is_documented_once() -> None:
    for columns in COLUMNS.values():
        names = [column.name for column in columns]
        assert len(set(names)) == len(names)
        assert all(column.help.endswith(".") for column in columns)
        assert {column.kind for column in columns} <= {"text", "integer", "number", "boolean", "json"}


# --- drills ---------------------------------------------------------------------------------------


def test_drills_and_their_parts_are_rows(tmp_path: Path) -> None:
    drills = stand_host(Stand(drills=[Repeat("first"), Breaks("second")]))
    result = asyncio.run(offhook.drill(platform="obedient", host=drills, out=tmp_path / "drills"))
    table = read_table([result.folder], "drills", host=drills)
    first, second = table.records()
    assert (first["run"], first["drill"], first["platform"]) == ("drills", "first", "obedient")
    assert (first["state"], first["ending"], first["mark"]) == ("measured", "completed", 100.0)
    record = result.drills[0].record
    assert record is not None
    assert (first["seconds"], json.loads(first["draw"])) == (record.seconds, record.draw)
    assert (second["state"], second["mark"]) == ("error", None)
    assert "a bug of its own" in second["why"]
    (part,) = read_table([result.folder], "parts", host=drills).records()
    assert (part["drill"], part["part"], part["mark"], part["position"]) == ("first", "word", 100.0, 0)
    assert json.loads(part["evidence"]) == {"expected": record.draw["word"]}
    assert _from_csv(table_bytes(table, "csv"), table) == list(table.rows)
    (tmp_path / "drills" / "drills" / first["drill_id"] / "record.json").write_text("{")
    rest = read_table([result.folder], "drills", host=drills)
    assert [row["drill"] for row in rest.records()] == ["second"]
    assert [each.call_id for each in rest.damaged] == [first["drill_id"]]
    with pytest.raises(NoSuchTable, match="is a run of drills, it has no turns; it has drills, parts"):
        read_table([result.folder], "turns", host=drills)


# --- files ----------------------------------------------------------------------------------------


def test_a_file_that_is_there_stays_as_it_is(runs: Path, tmp_path: Path, host: PluginHost) -> None:
    table = read_table([runs / "bad"], "calls", host=host)
    there = tmp_path / "calls.csv"
    there.write_text("mine")
    with pytest.raises(ExportRefused, match="is there already"):
        write_table(table, there)
    assert there.read_text() == "mine"
    write_table(table, there, overwrite=True)
    assert there.read_text(encoding="utf-8").startswith("run,")
    with pytest.raises(ExportRefused, match=r"end it in \.csv"):
        write_table(table, tmp_path / "calls.xls")
    assert [path.name for path in tmp_path.iterdir()] == ["calls.csv"]


def test_force_writes_through_a_link_and_replaces_nothing_but_a_file(
    runs: Path, tmp_path: Path, host: PluginHost
) -> None:
    table = read_table([runs / "bad"], "calls", host=host)
    real, link, pipe, circle = (tmp_path / name for name in ("real.csv", "link.csv", "pipe.csv", "o.csv"))
    real.write_text("old")
    link.symlink_to(real)
    os.mkfifo(pipe)
    circle.symlink_to(circle)
    write_table(table, link, overwrite=True)
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8").startswith("run,")
    for to, said in (
        (pipe, "no regular file"),
        (circle, "no"),
        (Path("/dev/null"), "no regular file"),
        (Path(), "is a folder"),
        (Path("/"), "is a folder"),
    ):
        with pytest.raises(ExportRefused, match=said) as refused:
            write_table(table, to, format="csv", overwrite=True)
        assert len(str(refused.value).splitlines()) == 1
    assert pipe.is_fifo()
    assert circle.is_symlink()


def test_a_seed_too_large_for_parquet_is_one_line(runs: Path, tmp_path: Path, host: PluginHost) -> None:
    manifest = RunFolder.open(runs / "good").manifest()
    key = CallKey("bicycle-repair", "B-E1", "reference", 1)
    made = _made_run(tmp_path / "huge", manifest, [empty_record("one", key, seed=2**70, ending="void")])
    table = read_table([made.path], "calls", host=host)
    assert str(2**70) in table_bytes(table, "csv").decode()
    assert json.loads(table_bytes(table, "jsonl"))["seed"] == 2**70
    with pytest.raises(ExportRefused, match="seed holds a number of more than 64 bits"):
        table_bytes(table, "parquet")


def test_a_folder_s_name_that_is_not_utf_8(runs: Path, tmp_path: Path, host: PluginHost) -> None:
    odd = shutil.copytree(runs / "bad", Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff")))
    table = read_table([odd], "calls", host=host)
    assert table.rows
    for form in ("csv", "jsonl", "parquet"):
        assert "odd\ufffd".encode() in table_bytes(table, form)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", '"nan"'])
def test_a_number_that_is_none_leaves_its_call_out(
    number: str, runs: Path, tmp_path: Path, host: PluginHost
) -> None:
    copy = RunFolder.open(shutil.copytree(runs / "good", tmp_path / "copy"))
    first, second = copy.call_ids()
    path = copy.call_folder(first) / "record.json"
    path.write_text(re.sub(r'"seconds":[0-9.]+', f'"seconds":{number}', path.read_text()))
    table = read_table([copy.path], "calls", host=host)
    assert [row["call_id"] for row in table.records()] == [second]
    assert [each.call_id for each in table.damaged] == [first]
    assert "not a finite number" in table.damaged[0].why


def test_without_pyarrow_the_line_says_what_to_install(runs: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from offhook.cli import main\n"
        f"main(['export', {str(runs / 'bad')!r}, '--to', {str(tmp_path / 'x.parquet')!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert line.endswith("run pip install 'offhook[parquet]'")
    assert list(tmp_path.iterdir()) == []


def _exported(*arguments: object) -> int:
    with pytest.raises(SystemExit) as exit:
        main(["export", *map(str, arguments)])
    return int(exit.value.code or 0)


def test_the_command_exports_the_rest_of_a_damaged_run(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder.open(runs / "busy")
    records = [attrs.evolve(folder.record(call_id), files=()) for call_id in folder.call_ids()]
    made = _made_run(tmp_path / "damaged", folder.manifest(), records)
    broken = made.call_ids()[1]
    (made.call_folder(broken) / "record.json").write_text('{"version": 1')
    out = tmp_path / "calls.jsonl"
    assert _exported(made.path, "--to", out) == 1
    told = capsys.readouterr().err
    assert [line for line in told.splitlines() if line.startswith(f"damaged call {broken}: ")]
    kept = [json.loads(line)["call_id"] for line in out.read_text(encoding="utf-8").splitlines()]
    assert sorted(kept) == [call_id for call_id in made.call_ids() if call_id != broken]


def test_a_call_whose_files_were_altered_is_left_out(runs: Path, tmp_path: Path, host: PluginHost) -> None:
    copy = shutil.copytree(runs / "good", tmp_path / "copy")
    first, second = RunFolder.open(copy).call_ids()
    with (copy / "calls" / first / "tools.jsonl").open("a") as log:
        log.write("\n")
    for what in OF_CALLS:
        table = read_table([copy], what, host=host)
        assert {row["call_id"] for row in table.records()} == {second}
        assert [each.call_id for each in table.damaged] == [first]
        assert "tools.jsonl is truncated or altered" in table.damaged[0].why


def test_the_command_says_what_is_wrong(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], host: PluginHost
) -> None:
    there = tmp_path / "there.csv"
    there.write_text("mine")
    for arguments, code, said in (
        ((runs / "bad", "--to", there), 2, "add --force"),
        ((runs / "bad", "--to", tmp_path / "x.xls"), 2, "add --format"),
        ((runs / "bad", "--to", "-"), 2, "needs --format"),
        ((runs / "bad", "--to", tmp_path / "x.csv", "--what", "parts"), 2, "is a run of calls"),
        ((tmp_path, "--to", tmp_path / "x.csv"), 3, "holds no run"),
    ):
        assert _exported(*arguments) == code
        told = capsys.readouterr().err
        assert said in told
        assert len(told.splitlines()) == 1
    assert there.read_text() == "mine"
    with pytest.raises(NoSuchTable, match="there is no table 'sounds'"):
        read_table([runs / "bad"], "sounds", host=host)


def test_to_the_output_goes_the_table_alone(runs: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert _exported(runs / "bad", runs / "busy", "--to", "-", "--format", "csv") == 0
    out = capfdbinary.readouterr().out.decode("utf-8")
    assert [row["run"] for row in csv.DictReader(io.StringIO(out, newline=""))] == ["bad", *["busy"] * 3]
