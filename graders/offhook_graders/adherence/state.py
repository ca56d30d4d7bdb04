"""The ``state-adherence`` grader: is the database that the call left behind the one that a correct resolution
leaves?

The frozen database is compared with the one that replaying the task's key gives, as changes from the seed:
write tables must have exactly the expected changes (volatile columns dropped, the rest canonical), logs at
least the expected new rows. Quote and session tables are not compared. Tools can't write reference tables, so
a change there is a failure too, whatever made it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.packs import Table, TableRole
from offhook_graders.adherence.changes import (
    ExpectedChange,
    StateComparison,
    UnexpectedChange,
    compare_changes,
    row_text,
    value_text,
)

if TYPE_CHECKING:
    from offhook.toolserver import Replay, ReplayCache

__all__ = ["StateError", "StateGrader", "compare_state"]


class StateError(Exception):
    """A frozen database can't be read; the message names the file."""


def compare_state(call: CallEvidence, replay: Replay) -> StateComparison:
    """The frozen database of a call against the replayed one.

    Raises:
        StateError: the frozen database is missing, damaged or not one of this pack.
    """
    from offhook.toolserver import changed_views, changes_between, diff_states

    expected = diff_states(*changed_views(replay.seed, replay.state, call.pack))
    # Large and never written: of these only whether they are untouched is asked, apart from the others.
    reference = tuple(table for table in call.pack.tables if table.role is TableRole.REFERENCE)
    try:
        observed = diff_states(*changed_views(replay.seed, call.state, call.pack))
        tampered = changes_between(replay.seed, call.state, attrs.evolve(call.pack, tables=reference))
    except sqlite3.Error as error:
        raise StateError(f"{call.state}: not a database of pack {call.pack.name} ({error})") from error
    return compare_changes(expected, (*observed, *tampered), call.pack.tables)


@attrs.frozen
class StateGrader:
    """Decides from the frozen database and the replay of the task's key."""

    replays: ReplayCache
    name: str = "state-adherence"
    version: str = "2"
    kind: GradeKind = GradeKind.VERDICT

    def grade(self, call: CallEvidence) -> Grade:
        """Pass if the state is the expected one.

        Raises:
            StateError: the frozen database can't be read.
            offhook.toolserver.ReplayError: the task's key does not run on its pack.
        """
        compared = compare_state(call, self.replays.get(call.pack, call.task))
        tables = {table.name: table for table in call.pack.tables}
        return Grade(
            grader=self.name,
            version=self.version,
            kind=self.kind,
            call_id=call.record.call_id,
            outcome=Outcome.PASS if compared.equal else Outcome.FAIL,
            summary=_summary(compared),
            numbers={
                "expected_changes": float(len(compared.expected)),
                "present_changes": float(compared.present),
                "unexpected_changes": float(len(compared.unexpected)),
            },
            evidence={
                "expected_changes": [
                    _expected_json(change, tables[change.table]) for change in compared.expected
                ],
                "unexpected_changes": [
                    _unexpected_json(change, tables[change.table]) for change in compared.unexpected
                ],
            },
        )


def _summary(compared: StateComparison) -> str:
    told = f"{compared.present} of {len(compared.expected)} expected changes present in the frozen database"
    if compared.unexpected:
        names = ", ".join(dict.fromkeys(change.table for change in compared.unexpected))
        told += f"; {len(compared.unexpected)} unexpected in {names}"
    return told


def _expected_json(change: ExpectedChange, table: Table) -> Mapping[str, Any]:
    row = not change.column
    seed, expected, observed = (
        row_text(table, value) if row else value_text(table, change.column, value)
        for value in (change.seed, change.expected, change.observed)
    )
    return {
        "table": change.table,
        "key": list(change.key),
        "column": change.column or f"{change.kind} row",
        "kind": str(change.kind),
        "seed": change.seed,
        "expected": change.expected,
        "observed": change.observed,
        "ok": change.ok,
        "change_text": f"{seed} → {expected}",
        "observed_text": observed,
    }


def _unexpected_json(change: UnexpectedChange, table: Table) -> Mapping[str, Any]:
    return {
        "table": change.table,
        "key": list(change.key),
        "kind": str(change.kind),
        "reference_table": table.role is TableRole.REFERENCE,
        "columns": {
            column: {"seed": _plain(before), "observed": _plain(after)}
            for column, (before, after) in change.columns.items()
        },
    }


def _plain(value: object) -> object:
    """What JSON can hold; reference tables are compared as stored, blobs too."""
    return value.hex() if isinstance(value, bytes) else value
