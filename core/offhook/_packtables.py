"""Checks of what a pack says about its tables against the database that its schema makes."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from offhook._packproblem import PackProblem, error
from offhook.packs import Pack, Table, TableRole
from offhook.toolserver import open_state

__all__ = ["table_problems"]

_UNREPEATABLE: Final = re.compile(
    r"\b(current_(?:date|time|timestamp)|random|randomblob)\b|'now'", re.IGNORECASE
)


def table_problems(pack: Pack, image: Path) -> Iterator[PackProblem]:
    """``image`` is the built seed database."""
    drawn = _UNREPEATABLE.search(re.sub(r"--[^\n]*", "", pack.schema))
    if drawn is not None:
        yield error(f"{pack.name}/schema", f"nothing that differs from call to call, got {drawn[0]!r}")
    with closing(open_state(image)) as db:
        made = {
            row["name"]
            for row in db.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
        }
        for name in sorted(made - {table.name for table in pack.tables}):
            yield error(f"{pack.name}/tables", f"a role for every table of the schema; {name!r} has none")
        for table in pack.tables:
            where = f"{pack.name}/tables/{table.name}"
            if table.name in made:
                yield from _columns(db, table, where)
            else:
                yield error(where, "a table of the schema")


def _columns(db: sqlite3.Connection, table: Table, where: str) -> Iterator[PackProblem]:
    columns = [row["name"] for row in db.execute("SELECT name FROM pragma_table_info(?)", (table.name,))]
    for field, names in (("key", table.key), ("volatile", table.volatile), ("kinds", tuple(table.kinds))):
        for name in names:
            if name not in columns:
                yield error(f"{where}.{field}", f"columns of the table ({', '.join(columns)}), got {name!r}")
    if table.role is TableRole.LOG and set(table.volatile).isdisjoint(table.key):
        # An extra entry is allowed, and must not give the expected one another key.
        yield error(f"{where}.volatile", "a column of the key: a log's rows are compared by what they say")
    if set(table.key) not in _unique(db, table.name):
        yield error(
            f"{where}.key", "the primary key or a unique index, so that a row is told from every other"
        )


def _unique(db: sqlite3.Connection, table: str) -> list[set[str]]:
    primary = {
        row["name"] for row in db.execute("SELECT name FROM pragma_table_info(?) WHERE pk > 0", (table,))
    }
    indexes = db.execute(
        'SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND partial = 0', (table,)
    ).fetchall()
    return [primary] + [
        {row["name"] for row in db.execute("SELECT name FROM pragma_index_info(?)", (index["name"],))}
        for index in indexes
    ]
