"""Expected against observed database changes, column by column: pure functions over what the tool server
reads out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from offhook.packs import Table, TableRole
from offhook.toolserver import ChangeKind, RowChange
from offhook.values import ColumnKind, ValueKind
from offhook_graders.adherence.matching import assign, same_of_kind

__all__ = [
    "ExpectedChange",
    "StateComparison",
    "UnexpectedChange",
    "compare_changes",
    "row_text",
    "value_text",
]

Kinds = Mapping[str, ValueKind | ColumnKind]

_PAIRS = (("from_", "to_"), ("old_", "new_"), ("previous_", "new_"))


@attrs.frozen
class ExpectedChange:
    """One line of the state diff: a changed column, or a whole new or removed row (then ``column`` is empty).

    ``seed``, ``expected`` and ``observed`` are values of the column; for a row the mapping of its columns, or
    None where there is none."""

    table: str
    key: tuple[Any, ...]
    kind: ChangeKind
    column: str
    seed: Any
    expected: Any
    observed: Any
    ok: bool


@attrs.frozen
class UnexpectedChange:
    """A change that the key does not have. ``columns`` maps each column to ``(before, after)``."""

    table: str
    key: tuple[Any, ...]
    kind: ChangeKind
    columns: Mapping[str, tuple[Any, Any]]


@attrs.frozen
class StateComparison:
    """The state is as expected when every expected change is there and nothing else is."""

    expected: tuple[ExpectedChange, ...]
    unexpected: tuple[UnexpectedChange, ...]

    @property
    def present(self) -> int:
        return sum(change.ok for change in self.expected)

    @property
    def equal(self) -> bool:
        return self.present == len(self.expected) and not self.unexpected


def compare_changes(
    expected: Sequence[RowChange], observed: Sequence[RowChange], tables: Sequence[Table]
) -> StateComparison:
    """Compares two sets of changes from one seed, both without volatile columns and in canonical form.

    A table that is not a log must have the expected changes and no other. A log may have further new rows,
    but loses and alters none. A changed column counts as one expected change, a new or removed row as one.
    Written values are compared like tool arguments where the table declares their kind, else exactly; what
    must change must have changed in storage.
    """
    kinds = {table.name: table.kinds for table in tables}
    logs = {table.name for table in tables if table.role is TableRole.LOG}
    observed = _aligned(expected, observed, kinds)
    seen = {(change.table, change.key): change for change in observed}
    lines: list[ExpectedChange] = []
    left: list[RowChange] = []
    for change in expected:
        twin = seen.get((change.table, change.key))
        if change.kind is ChangeKind.CHANGED:
            lines += _changed_lines(change, twin, kinds.get(change.table, {}))
        else:
            lines.append(_row_line(change, twin, kinds.get(change.table, {})))
    wanted = {(change.table, change.key): change for change in expected}
    for change in observed:
        rest = _beyond(change, wanted.get((change.table, change.key)), kinds.get(change.table, {}))
        if rest is not None and not (rest.kind is ChangeKind.NEW and rest.table in logs):
            left.append(rest)
    return StateComparison(
        _with_nearest(lines, observed, wanted),
        tuple(UnexpectedChange(change.table, change.key, change.kind, change.columns) for change in left),
    )


def _aligned(
    expected: Sequence[RowChange], observed: Sequence[RowChange], kinds: Mapping[str, Kinds]
) -> tuple[RowChange, ...]:
    """Observed changes, each new row without a key of its own under the key of the expected row it equals."""
    known = {(change.table, change.key) for change in observed}
    wanted = {(change.table, change.key) for change in expected}
    missing = [change for change in expected if _is_keyless(change) and _place(change) not in known]
    spare = [
        index for index, change in enumerate(observed) if _is_keyless(change) and _place(change) not in wanted
    ]
    eligible = [
        [
            change.table == observed[index].table
            and _same_row(_side(change, 1), _side(observed[index], 1), kinds.get(change.table, {}))
            for index in spare
        ]
        for change in missing
    ]
    aligned = list(observed)
    for change, column in zip(missing, assign(eligible), strict=True):
        if column is not None:
            aligned[spare[column]] = attrs.evolve(observed[spare[column]], key=change.key)
    return tuple(aligned)


def _is_keyless(change: RowChange) -> bool:
    """A new row whose key a tool generated: the state's view puts content in its place."""
    return change.kind is ChangeKind.NEW and change.key[:1] == ("new",)


def _place(change: RowChange) -> tuple[str, tuple[Any, ...]]:
    return (change.table, change.key)


def _same_row(expected: Mapping[str, Any], observed: Mapping[str, Any], kinds: Kinds) -> bool:
    return expected.keys() == observed.keys() and all(
        _same(value, observed[column], kinds.get(column)) for column, value in expected.items()
    )


def _same(expected: object, observed: object, kind: ValueKind | ColumnKind | None) -> bool:
    return expected == observed or (kind is not None and same_of_kind(kind, expected, observed))


def _changed_lines(change: RowChange, twin: RowChange | None, kinds: Kinds) -> Iterable[ExpectedChange]:
    for column, (before, after) in change.columns.items():
        if twin is None:
            now = before
        elif twin.kind is ChangeKind.REMOVED:
            now = None
        else:
            now = twin.columns[column][1] if column in twin.columns else before
        # A corrected spelling may sound like the old one: an untouched column is not corrected.
        written = now == after or (now != before and _same(after, now, kinds.get(column)))
        ok = written and (twin is None or twin.kind is not ChangeKind.REMOVED)
        yield ExpectedChange(change.table, change.key, change.kind, column, before, after, now, ok)


def _row_line(change: RowChange, twin: RowChange | None, kinds: Kinds) -> ExpectedChange:
    before, after = _side(change, 0), _side(change, 1)
    if change.kind is ChangeKind.NEW:
        now = _side(twin, 1) if twin is not None and twin.kind is ChangeKind.NEW else None
        ok = now is not None and _same_row(after, now, kinds)
        return ExpectedChange(change.table, change.key, change.kind, "", None, after, now, ok)
    gone = twin is not None and twin.kind is ChangeKind.REMOVED
    return ExpectedChange(
        change.table, change.key, change.kind, "", before, None, None if gone else before, gone
    )


def _side(change: RowChange, side: int) -> dict[str, Any]:
    return {column: pair[side] for column, pair in change.columns.items()}


def _beyond(change: RowChange, wanted: RowChange | None, kinds: Kinds) -> RowChange | None:
    """What an observed change does beyond the expected change of the same row."""
    if wanted is None:
        return change
    if change.kind is not ChangeKind.CHANGED or wanted.kind is not ChangeKind.CHANGED:
        same = change.kind is wanted.kind and (
            change.columns == wanted.columns
            or (change.kind is ChangeKind.NEW and _same_row(_side(wanted, 1), _side(change, 1), kinds))
        )
        return None if same else change
    columns = {column: pair for column, pair in change.columns.items() if column not in wanted.columns}
    return attrs.evolve(change, columns=columns) if columns else None


def _with_nearest(
    lines: Sequence[ExpectedChange],
    observed: Sequence[RowChange],
    wanted: Mapping[tuple[str, tuple[Any, ...]], RowChange],
) -> tuple[ExpectedChange, ...]:
    """Shows beside each missing new row the most similar new row that nobody expected, as what was observed
    instead."""
    spare = [
        change
        for change in observed
        if change.kind is ChangeKind.NEW and (change.table, change.key) not in wanted
    ]
    shown: list[ExpectedChange] = []
    for line in lines:
        rivals = [change for change in spare if change.table == line.table]
        if line.kind is ChangeKind.NEW and not line.ok and line.observed is None and rivals:
            closest = max(rivals, key=lambda change: _likeness(line.expected, _side(change, 1)))
            spare.remove(closest)
            line = attrs.evolve(line, observed=_side(closest, 1))
        shown.append(line)
    return tuple(shown)


def _likeness(expected: Mapping[str, Any], observed: Mapping[str, Any]) -> int:
    return sum(observed.get(column) == value for column, value in expected.items())


# --- for people ---


def value_text(table: Table, column: str, value: object) -> str:
    """A value as a reader expects it: cents as dollars in amount columns that hold no unit in their name."""
    if value is None:
        return "none"
    if (
        table.kinds.get(column) is ValueKind.AMOUNT
        and isinstance(value, int)
        and not column.endswith("_cents")
    ):
        return f"${value / 100:.2f}"
    return str(value)


def row_text(table: Table, row: Mapping[str, Any] | None) -> str:
    """A row in one line: what it says, without the keys that tie it to other rows. "from" and "to" columns
    become an arrow."""
    if row is None:
        return "none"
    parts: list[str] = []
    used: set[str] = set()
    for column, value in row.items():
        if column in used or column in table.key or column == "id" or column.endswith("_id") or value is None:
            continue
        partner = _partner(column, row)
        if partner is not None:
            used.add(partner)
            parts.append(f"{value_text(table, column, value)} → {value_text(table, partner, row[partner])}")
        elif isinstance(value, int) and (
            column.endswith("_cents") or table.kinds.get(column) is ValueKind.AMOUNT
        ):
            parts.append(f"${value / 100:.2f}")
        elif isinstance(value, int):  # a bare number says nothing without its column
            parts.append(f"{column} {value}")
        else:
            parts.append(str(value))
    return " · ".join(parts) or "a row"


def _partner(column: str, row: Mapping[str, Any]) -> str | None:
    for start, end in _PAIRS:
        partner = end + column.removeprefix(start)
        if column.startswith(start) and partner in row:
            return partner
    return None
