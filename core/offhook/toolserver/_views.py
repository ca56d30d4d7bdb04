"""What a database holds, and how two differ: raw for counting rows, projected and canonicalised for
grading."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import attrs

from offhook.packs import Pack, Table, TableRole
from offhook.toolserver._json import canonical_json
from offhook.values import canonical_column

__all__ = [
    "COUNTED",
    "ChangeKind",
    "Key",
    "RowChange",
    "StateView",
    "changed_views",
    "changes_between",
    "diff_states",
    "open_state",
    "snapshot",
    "state_view",
]

COUNTED: Final = frozenset({TableRole.WRITE, TableRole.LOG, TableRole.QUOTE})
COMPARED: Final = frozenset({TableRole.WRITE, TableRole.LOG})

Key = tuple[Any, ...]
Row = Mapping[str, Any]
StateView = Mapping[str, Mapping[Key, Row]]


class ChangeKind(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    REMOVED = "removed"


@attrs.frozen
class RowChange:
    """One row that two states disagree on. ``columns`` maps each differing column to ``(before, after)``: for
    a new row every column with ``None`` before, for a removed one with ``None`` after."""

    table: str
    key: Key
    kind: ChangeKind
    columns: Mapping[str, tuple[Any, Any]]


def open_state(path: Path) -> sqlite3.Connection:
    """A read-only connection to a frozen database (which must not change while it is open). Rows are
    ``sqlite3.Row``.

    Raises:
        sqlite3.OperationalError: there is no such file.
    """
    db = sqlite3.connect(_uri(path), uri=True)
    db.row_factory = sqlite3.Row
    return db


def snapshot(path: Path, pack: Pack) -> Mapping[str, tuple[Row, ...]]:
    """Every row of every table but the session's, as stored, sorted by key."""
    with closing(open_state(path)) as db:
        return {
            table.name: tuple(_rows(db, table, f"SELECT * FROM {_name(table.name)}").values())
            for table in pack.tables
            if table.role is not TableRole.SESSION
        }


def changes_between(seed: Path, state: Path, pack: Pack) -> tuple[RowChange, ...]:
    """Every row that ``state`` adds, changes or removes, as stored (volatile columns too), in all tables but
    the session's."""
    found: list[RowChange] = []
    for table, before, after in _differing(seed, state, pack, frozenset(TableRole) - {TableRole.SESSION}):
        found += _diff_rows(table.name, before, after)
    return tuple(found)


def state_view(path: Path, pack: Pack, *, seed: Path | None = None) -> StateView:
    """What counts of a state: the tables that are compared (``WRITE`` and ``LOG``), without volatile columns,
    in canonical form.

    Rows are keyed by their table's key. Where a key column is volatile (ids that the tools generate), rows
    that ``seed`` has keep that key, and all others are keyed by their content and a counter, so that equal
    new rows compare equal whatever their id.
    """
    tables = _tables(pack, COMPARED)
    with closing(open_state(path)) as db:
        rows = {table.name: _rows(db, table, f"SELECT * FROM {_name(table.name)}") for table in tables}
    known = {} if seed is None else _seed_keys(seed, tables)
    return {
        table.name: _view(table, rows[table.name], known.get(table.name, frozenset())) for table in tables
    }


def changed_views(seed: Path, state: Path, pack: Pack) -> tuple[StateView, StateView]:
    """``state_view`` of the seed and of the state, with only the rows that differ in storage: the same
    ``diff_states`` for a fraction of the work on a large database."""
    before_view: dict[str, Mapping[Key, Row]] = {}
    after_view: dict[str, Mapping[Key, Row]] = {}
    for table, before, after in _differing(seed, state, pack, COMPARED):
        before_view[table.name] = _view(table, before, frozenset(before))
        after_view[table.name] = _view(table, after, frozenset(before))
    return before_view, after_view


def diff_states(before: StateView, after: StateView) -> tuple[RowChange, ...]:
    """What ``after`` adds, changes and removes, by table in the view's order, then by key. Empty: the states
    are equal in all that counts."""
    found: list[RowChange] = []
    for name in dict.fromkeys((*before, *after)):
        found += _diff_rows(name, before.get(name, {}), after.get(name, {}))
    return tuple(found)


def _diff_rows(table: str, before: Mapping[Key, Row], after: Mapping[Key, Row]) -> Iterable[RowChange]:
    for key in sorted({**before, **after}, key=repr):
        old, new = before.get(key), after.get(key)
        columns = {
            column: (None if old is None else old.get(column), None if new is None else new.get(column))
            for column in dict.fromkeys((*(old or ()), *(new or ())))
        }
        if new is None:
            yield RowChange(table, key, ChangeKind.REMOVED, columns)
        elif old is None:
            yield RowChange(table, key, ChangeKind.NEW, columns)
        elif changed := {column: pair for column, pair in columns.items() if pair[0] != pair[1]}:
            yield RowChange(table, key, ChangeKind.CHANGED, changed)


def _differing(
    seed: Path, state: Path, pack: Pack, roles: frozenset[TableRole]
) -> Iterable[tuple[Table, dict[Key, Row], dict[Key, Row]]]:
    """Per table, the stored rows only the seed has and those only the state has; SQLite compares, which is
    quick."""
    with closing(open_state(state)) as db:
        db.execute("ATTACH ? AS seed", (_uri(seed),))
        for table in _tables(pack, roles):
            ours, theirs = f"main.{_name(table.name)}", f"seed.{_name(table.name)}"
            before = _rows(db, table, f"SELECT * FROM {theirs} EXCEPT SELECT * FROM {ours}")
            after = _rows(db, table, f"SELECT * FROM {ours} EXCEPT SELECT * FROM {theirs}")
            yield table, before, after


def _tables(pack: Pack, roles: frozenset[TableRole]) -> tuple[Table, ...]:
    return tuple(table for table in pack.tables if table.role in roles)


def _rows(db: sqlite3.Connection, table: Table, query: str) -> dict[Key, Row]:
    rows = [dict(row) for row in db.execute(query)]
    keyed = {tuple(row[column] for column in table.key): row for row in rows}
    return {key: keyed[key] for key in sorted(keyed, key=repr)}


def _seed_keys(seed: Path, tables: Iterable[Table]) -> dict[str, frozenset[Key]]:
    found: dict[str, frozenset[Key]] = {}
    with closing(open_state(seed)) as db:
        for table in tables:
            columns = ", ".join(map(_name, table.key))
            found[table.name] = frozenset(
                map(tuple, db.execute(f"SELECT {columns} FROM {_name(table.name)}"))
            )
    return found


def _view(table: Table, rows: Mapping[Key, Row], seed_keys: frozenset[Key]) -> Mapping[Key, Row]:
    view: dict[Key, Row] = {}
    generated = not set(table.volatile).isdisjoint(table.key)
    seen: dict[str, int] = {}
    for key, row in rows.items():
        clean = {
            name: _clean(table, name, value) for name, value in row.items() if name not in table.volatile
        }
        if generated and key not in seed_keys:
            content = hashlib.sha256(canonical_json(clean).encode()).hexdigest()[:12]
            seen[content] = seen.get(content, 0) + 1
            key = ("new", content, seen[content])
        view[key] = clean
    return view


def _clean(table: Table, column: str, value: Any) -> Any:
    """Canonical where the table says of which kind, and numbers equal whatever their storage class. A value
    that is not of its kind stays as it is: it will differ from what was expected, and the diff will show
    it."""
    kind = table.kinds.get(column)
    if kind is not None and value is not None:
        try:
            return canonical_column(kind, value)
        except ValueError:
            return value
    if isinstance(value, bytes):
        return value.hex()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _name(identifier: str) -> str:
    return '"' + identifier.replace('"', '""') + '"'


def _uri(path: Path) -> str:
    return f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
