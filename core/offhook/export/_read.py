"""Tables out of run folders."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.export._columns import COLUMNS, Column
from offhook.export._drills import drill_rows
from offhook.export._rows import ReadCall, call_rows, grade_rows, tool_rows, turn_rows
from offhook.grading import Grade
from offhook.host import PluginHost
from offhook.runner import Damaged, read_run
from offhook.scoring import settle_calls
from offhook.storage import RunFolder, StorageError, clean_text, one_line

__all__ = ["NoSuchTable", "Table", "read_table"]

_OF_CALLS: Final = {"calls": call_rows, "turns": turn_rows, "tools": tool_rows, "grades": grade_rows}


class NoSuchTable(ValueError):
    """A run has no table of that name; the message lists those it has."""


@attrs.frozen
class Table:
    """``rows`` hold one value per column: ``str`` for text and JSON, ``int``, ``float``, ``bool``, or None
    for a number or boolean that is not there. ``damaged`` are calls or drills that could not be read in full;
    the table holds nothing of them.
    """

    what: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    damaged: tuple[Damaged, ...] = ()

    def records(self) -> Iterator[Mapping[str, Any]]:
        """Each row by column name."""
        names = [column.name for column in self.columns]
        return (dict(zip(names, row, strict=True)) for row in self.rows)


def read_table(runs: Sequence[Path], what: str = "calls", *, host: PluginHost | None = None) -> Table:
    """One table of one or several runs, run by run in the order given, calls by task, run and attempt.

    Args:
        what: a table of ``COLUMNS``.
        host: whose graders' versions are exported (None: those of all installed plugins).

    Raises:
        NoSuchTable: no such table, or not one of that kind of run.
        StorageError: a folder holds no run, or its manifest is malformed.
    """
    if what not in COLUMNS:
        raise NoSuchTable(f"there is no table {what!r}; there are {', '.join(COLUMNS)}")
    used = host if host is not None else PluginHost.discover()
    rows: list[tuple[Any, ...]] = []
    damaged: list[Damaged] = []
    for path in runs:
        found, broken = _read(Path(path), what, used)
        typed, unfit = _typed_rows(found, what)
        rows += typed
        damaged += [*broken, *unfit]
    return Table(what, COLUMNS[what], tuple(rows), tuple(damaged))


def _typed_rows(
    found: Sequence[Mapping[str, Any]], what: str
) -> tuple[list[tuple[Any, ...]], tuple[Damaged, ...]]:
    """The rows as they are exported; none of a call or drill that has a value which fits no column."""
    rows: list[tuple[str, tuple[Any, ...]]] = []
    unfit: dict[str, Damaged] = {}
    for row in found:
        owner = row["drill_id" if "drill_id" in row else "call_id"]
        try:
            values = tuple(_typed(row[column.name], column.kind) for column in COLUMNS[what])
        except (ArithmeticError, TypeError, ValueError) as error:
            unfit.setdefault(owner, Damaged(owner, f"a value fits no column ({one_line(error)})"))
        else:
            rows.append((owner, values))
    return [values for owner, values in rows if owner not in unfit], tuple(unfit.values())


def _typed(value: Any, kind: str) -> Any:
    """A plugin may have put 1 where 1.0 is meant; every format gets the same."""
    if value is None:
        return None
    if kind == "number":
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(f"{number} is not a finite number")
        return number
    if kind == "integer":
        return int(value)
    return clean_text(str(value)) if kind in ("text", "json") else value


def _read(path: Path, what: str, host: PluginHost) -> tuple[list[Mapping[str, Any]], list[Damaged]]:
    of_calls, of_drills = (path / "run.json").is_file(), (path / "drills.json").is_file()
    if not of_calls and not of_drills:
        raise StorageError(f"{path} holds no run (neither run.json nor drills.json)")
    if of_calls != (what in _OF_CALLS):
        tables = [name for name in COLUMNS if (name in _OF_CALLS) == of_calls]
        kind = "calls" if of_calls else "drills"
        raise NoSuchTable(f"{path} is a run of {kind}, it has no {what}; it has {', '.join(tables)}")
    if of_drills:
        return drill_rows(path, what)
    return _of_calls(path, what, host)


def _of_calls(path: Path, what: str, host: PluginHost) -> tuple[list[Mapping[str, Any]], list[Damaged]]:
    folder = RunFolder.open(path)
    stored = read_run(folder, host)
    damaged = list(stored.damaged)
    broken = {each.call_id for each in damaged}
    grades: dict[str, list[Grade]] = {record.call_id: [] for record in stored.records}
    for grade in stored.grades:
        grades[grade.call_id].append(grade)
    results = settle_calls(stored.records, stored.grades, attempts=stored.manifest.attempts)
    settled = {result.record.call_id: result for result in results}
    rows: list[Mapping[str, Any]] = []
    for record in sorted(stored.records, key=lambda record: attrs.astuple(record.key)):
        if record.call_id in broken:
            continue
        altered = folder.check_files(record)
        try:
            logged = (folder.call_folder(record.call_id) / "tools.jsonl").is_file()
            tools = folder.tools(record.call_id) if logged else ()
        except StorageError as error:
            altered = altered or (str(error),)
        if altered:
            damaged.append(Damaged(record.call_id, "; ".join(altered)))
            continue
        call = ReadCall(
            path,
            stored.manifest,
            record,
            tools,
            tuple(grades[record.call_id]),
            settled.get(record.call_id),
        )
        try:
            rows += _OF_CALLS[what](call)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            # A grade that is sound JSON may still lack what its grader writes.
            damaged.append(Damaged(record.call_id, f"no row can be made of it ({one_line(error)})"))
    return rows, damaged
