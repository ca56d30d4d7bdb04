"""State adherence where a table says what its columns hold: two ways of writing one value are one value."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import attrs
import pytest

from offhook.grading import CallEvidence, Grade, Outcome
from offhook.packs import ExpectedCall, Pack, Table, TableRole, Task, Tool
from offhook.toolserver import FrozenCall, ReplayCache, SeedImages
from offhook.values import ColumnKind, ValueKind
from offhook_graders.adherence.state import StateGrader

COLUMNS = ("starts", "pays", "number", "mail", "agreed", "who")
KEPT = ("2026-03-12 10:30", "Visa ending in 1156", "541-555-0148", "n.okafor@example.com", 1, "Nadia Okafor")


@pytest.fixture
def visits(pack: Pack) -> Pack:
    """The bicycle pack with a table of visits in which every column has a kind, and one without."""

    def run(context, arguments):  # type: ignore[no-untyped-def]
        context.db.execute("INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?, ?)", (context.new_id("V"), *KEPT))
        context.db.execute("INSERT INTO plain VALUES (?, ?)", (context.new_id("P"), KEPT[0]))
        return {"done": True}

    kinds = (
        *(ColumnKind.DATETIME, ColumnKind.PAYMENT, ValueKind.PHONE),
        *(ValueKind.EMAIL, ValueKind.YES_NO, ValueKind.NAME),
    )
    visit = Table(
        "visits", TableRole.WRITE, ("id",), volatile=("id",), kinds=dict(zip(COLUMNS, kinds, strict=True))
    )
    task = attrs.evolve(pack.task("B-E1"), id="B-V1", expected=(ExpectedCall("visit"),))
    columns = ", ".join(COLUMNS)
    return attrs.evolve(
        pack,
        schema=pack.schema
        + f"CREATE TABLE visits (id TEXT PRIMARY KEY, {columns});"
        + "CREATE TABLE plain (id TEXT PRIMARY KEY, at TEXT);",
        tables=(*pack.tables, visit, Table("plain", TableRole.WRITE, ("id",), volatile=("id",))),
        tools=(*pack.tools, Tool("visit", "Books a visit.", (), run)),
        agent=attrs.evolve(pack.agent, tools=(*pack.agent.tools, "visit")),
        tasks=(task,),
    )


@pytest.fixture
def grade(
    visits: Pack,
    hold: Callable[..., FrozenCall],
    on_call: Callable[[Pack, Task, FrozenCall], CallEvidence],
    replays: ReplayCache,
    images: SeedImages,
    tmp_path: Path,
) -> Callable[[str], Grade]:
    """The call that followed the key, with a statement run on its frozen database."""

    def graded(statement: str) -> Grade:
        call = on_call(visits, visits.tasks[0], hold(visits, [("visit", {})]))
        state = tmp_path / "altered.sqlite"
        shutil.copyfile(call.state, state)
        with closing(sqlite3.connect(state)) as db:
            db.execute(statement)
            db.commit()
        return StateGrader(replays).grade(attrs.evolve(call, state=state))

    return graded


@pytest.mark.parametrize(
    ("column", "written", "equal"),
    [
        ("starts", "'2026-03-12T10:30:00Z'", True),
        ("starts", "'March 12, 2026 at 10:30 AM'", True),
        ("starts", "'2026-03-12T11:30:00Z'", False),
        ("starts", "'2026-03-12 10:30:20'", False),
        ("starts", "'some time'", False),
        ("pays", "'card_1156'", True),
        ("pays", "'visa 1165'", False),
        ("pays", "NULL", False),
        ("number", "5415550148", True),
        ("number", "'(541) 555-0149'", False),
        ("mail", "'N.Okafor@Example.com'", True),
        ("mail", "'nokafor@example.com'", False),
        ("agreed", "'yes'", True),
        ("agreed", "'true'", True),
        ("agreed", "0", False),
        ("who", "'OKAFOR, Nadia'", True),
        ("who", "'Nadia Okoye'", False),
    ],
)
def test_a_column_is_compared_by_its_kind(
    grade: Callable[[str], Grade], column: str, written: str, equal: bool
) -> None:
    result = grade(f"UPDATE visits SET {column} = {written}")

    assert (result.outcome is Outcome.PASS) is equal


def test_a_column_without_a_kind_is_compared_as_stored(grade: Callable[[str], Grade]) -> None:
    assert grade("UPDATE plain SET at = '2026-03-12 10:30'").outcome is Outcome.PASS
    assert grade("UPDATE plain SET at = '2026-03-12T10:30:00Z'").outcome is Outcome.FAIL
