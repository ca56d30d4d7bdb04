"""Tables as bytes and files."""

from __future__ import annotations

import csv
import io
import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from offhook.export._read import Table
from offhook.storage import disk_error, one_line

__all__ = ["FORMATS", "ExportRefused", "table_bytes", "write_table"]

FORMATS: Final = ("csv", "jsonl", "parquet")

# What makes a spreadsheet take a cell for a formula, and the apostrophe that marks what was mended.
_DANGEROUS: Final = tuple("=+-@\t\r\n＝＋－＠'")


class ExportRefused(Exception):
    """A table can't be written as asked; the message is one line that says what to do."""


def table_bytes(table: Table, format: str) -> bytes:
    """A table as a whole file: ``csv`` (UTF-8, a header line), ``jsonl`` (one object a line) or ``parquet``.

    Raises:
        ExportRefused: no such format, a number is too large for Parquet, or pyarrow is not installed.
    """
    if format == "csv":
        return _csv(table)
    if format == "jsonl":
        lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) for row in table.records())
        return "".join(f"{line}\n" for line in lines).encode("utf-8")
    if format == "parquet":
        return _parquet(table)
    raise ExportRefused(f"there is no format {format!r}; there are {', '.join(FORMATS)}")


def write_table(table: Table, to: Path, *, format: str | None = None, overwrite: bool = False) -> None:
    """Writes a file whole or not at all.

    Args:
        format: None: as the file's name ends.

    Raises:
        ExportRefused: there is such a file, what is there is no regular file, the format is not known, a
            number is too large for Parquet, or pyarrow is not installed.
        StorageError: the disk refuses.
    """
    chosen = format or to.suffix.removeprefix(".").lower()
    if chosen not in FORMATS:
        raise ExportRefused(f"{to}: its name says no format; end it in .csv, .jsonl or .parquet, or name one")
    if to.exists() and not overwrite:
        raise ExportRefused(f"{to} is there already")
    place = _place(to)
    content = table_bytes(table, chosen)
    temporary = place.with_name(f".{place.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(place)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise disk_error(to, error) from error


def _place(to: Path) -> Path:
    """The regular file that a name leads to, through links. Renaming onto a link, a pipe or a device would
    put a file in its place.
    """
    try:
        place = to.resolve()
        if place.is_dir():
            raise ExportRefused(f"{to} is a folder; name a file in it")
        if place.is_symlink() or (place.exists() and not place.is_file()):
            raise ExportRefused(f"{to} is no regular file; name another, or write to the output with --to -")
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a name that no disk takes
        raise ExportRefused(f"{to!s}: no file can be there ({one_line(error)})") from error
    return place


def _csv(table: Table) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([column.name for column in table.columns])
    kinds = [column.kind for column in table.columns]
    for row in table.rows:
        writer.writerow([_cell(value, kind) for value, kind in zip(row, kinds, strict=True)])
    return text.getvalue().encode("utf-8")


def _cell(value: Any, kind: str) -> str:
    if value is None:
        return ""
    if kind == "boolean":
        return "true" if value else "false"
    if kind in ("integer", "number"):
        return repr(value)
    text = str(value)
    return f"'{text}" if text.startswith(_DANGEROUS) else text


def _parquet(table: Table) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ExportRefused(
            f"pyarrow can't be imported ({error}): run pip install 'offhook[parquet]'"
        ) from error
    types = {
        "text": pyarrow.string(),
        "json": pyarrow.string(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
    }
    schema = pyarrow.schema(
        [
            pyarrow.field(column.name, types[column.kind], metadata={"help": column.help})
            for column in table.columns
        ]
    )
    columns = []
    for position, field in enumerate(schema):
        try:
            columns.append(pyarrow.array([row[position] for row in table.rows], type=field.type))
        except (OverflowError, pyarrow.ArrowInvalid) as error:
            raise ExportRefused(
                f"{field.name} holds a number of more than 64 bits, which Parquet can't; write csv or jsonl"
            ) from error
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(columns, schema=schema), sink)
    return sink.getvalue()
