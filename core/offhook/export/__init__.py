"""Runs as tables: CSV, JSON Lines and Parquet.

    from pathlib import Path

    from offhook.export import read_table, write_table

    table = read_table([Path("runs/monday"), Path("runs/tuesday")], "calls")
    write_table(table, Path("calls.parquet"))

``COLUMNS`` lists the columns of each table (``calls``, ``turns``, ``tools``, ``grades`` of call runs;
``drills`` and ``parts`` of drill runs) with their types and meanings. Columns are only ever added, at the
end. Every table begins with the same columns that say which run and call a row is about.

All three formats hold the same values. Text is never absent but empty; numbers and booleans that were not
measured are empty cells (CSV), ``null`` (JSON Lines) or null (Parquet). Nested values are JSON text.
Integers of Parquet have 64 bits: a table with a larger one, such as a huge seed, is refused in that format
and written whole in the other two. What UTF-8 can't hold becomes U+FFFD.

**CSV and formulas.** A spreadsheet runs a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab, a line
break or a full-width form of these as a formula, and a caller or a platform may say anything. Such text gets
an apostrophe in front; text that begins with an apostrophe gets a second one, so that taking one off gives
the text back. Numbers are written as they are. The other formats need none of it.
"""

from offhook.export._columns import COLUMNS, Column
from offhook.export._read import NoSuchTable, Table, read_table
from offhook.export._write import FORMATS, ExportRefused, table_bytes, write_table

__all__ = [
    "COLUMNS",
    "FORMATS",
    "Column",
    "ExportRefused",
    "NoSuchTable",
    "Table",
    "read_table",
    "table_bytes",
    "write_table",
]
