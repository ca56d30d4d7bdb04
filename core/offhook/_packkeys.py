"""The keys of a pack's tasks, run: what is needed of the pack for that, mended where it is faulty, and how a
changed key ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs

from offhook._packproblem import PackProblem, error
from offhook._packtables import table_problems
from offhook.packs import ExpectedCall, FollowerGuide, Pack, Table, TableRole, Task, Tool
from offhook.toolserver import (
    Replay,
    ReplayError,
    SeedError,
    SeedImages,
    StateView,
    changed_views,
    open_state,
    replay,
    resolve_carry,
)
from offhook.toolserver._calldb import Answer, CallDatabase

__all__ = ["Ending", "KeyRuns", "Step", "ended", "run_keys", "steps_of"]


@attrs.frozen
class KeyRuns:
    """What came of a pack's keys. ``replays`` and ``views`` (what the end state changes of what is compared)
    are by the task's place in the pack; the files they name are gone. ``rows_known`` is False where tables
    had to be mended: then rows can't be counted.
    """

    problems: tuple[PackProblem, ...] = ()
    replays: Mapping[int, Replay] = attrs.field(factory=dict)
    views: Mapping[int, tuple[StateView, StateView]] = attrs.field(factory=dict)
    rows_known: bool = True
    pack: Pack | None = None
    image: Path | None = None


@attrs.frozen
class Step:
    """One call of a key, to be changed: ``fixed`` arguments are sent whatever earlier results say."""

    index: int
    tool: Tool
    arguments: Mapping[str, Any]
    carry: Mapping[str, str] = attrs.field(factory=dict)
    fixed: Mapping[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class Ending:
    """How a changed key ended: the answers by step, and what the state changes of what is compared."""

    answers: tuple[Answer, ...]
    view: tuple[StateView, StateView]


def run_keys(pack: Pack, scratch: Path) -> KeyRuns:
    """Builds the seed, twice, and replays every key, twice. A fault in one is no end: tables that are
    declared wrongly are taken as the schema has them.

    Raises:
        OSError: the folder can't be written.
    """
    known = {tool.name for tool in pack.tools}
    lean = attrs.evolve(  # only what a database and a tool see of a pack, under a name that files can have
        pack,
        name="pack",
        version="0",
        agent=attrs.evolve(pack.agent, tools=tuple(name for name in pack.agent.tools if name in known)),
        tasks=(),
        guide=FollowerGuide((), "", "", "", ""),
        facts=(),
        must_not=(),
        access=None,
        graph=None,
        defects=(),
        folder=None,
    )
    first, second = SeedImages(scratch / "first"), SeedImages(scratch / "second")
    try:
        image = first.image(lean)
        same = image.read_bytes() == second.image(lean).read_bytes()
    except SeedError as failure:
        told = str(failure).replace("pack pack:", f"pack {pack.name}:", 1)
        return KeyRuns((error(f"{pack.name}/seed", f"a database, got: {told}"),))
    except (TypeError, ValueError):
        return KeyRuns()  # what JSON can't hold has been told
    problems: list[PackProblem] = []
    if not same:
        problems.append(
            error(f"{pack.name}/seed", "the same rows each time it runs, got two unequal databases")
        )
    tables = tuple(table_problems(pack, image))
    if tables:
        lean = attrs.evolve(lean, tables=_as_made(pack.tables, image))
        image = first.image(lean)
    replays: dict[int, Replay] = {}
    views: dict[int, tuple[StateView, StateView]] = {}
    for index, task in enumerate(pack.tasks):
        try:
            replays[index] = run = replay(lean, task, scratch / "once", images=first)
            views[index] = changed_views(run.seed, run.state, lean)
            again = replay(lean, task, scratch / "again", images=first)
        except ReplayError as failure:
            where = f"{pack.name}/tasks/{task.id}.expected[{failure.index}]"
            problems.append(error(where, f"a call that {failure.tool} accepts, got: {failure.reason}"))
            continue
        problems += _unlike(pack, task, run, again)
    return KeyRuns((*problems, *tables), replays, views, not tables, lean, image)


def steps_of(pack: Pack, expected: Sequence[ExpectedCall]) -> tuple[Step, ...]:
    """A key as steps that can be changed."""
    return tuple(
        Step(index, pack.tool(call.tool), {**call.arguments, **call.free_text}, call.carry)
        for index, call in enumerate(expected)
    )


def ended(runs: KeyRuns, steps: Sequence[Step], path: Path, *, call_id: str, view: bool = True) -> Ending:
    """Runs the steps on a fresh database; one whose carried value was never returned is left out. Ids are
    drawn by a step's place in the unchanged key, so they are the replay's where ``call_id`` is.

    Raises:
        OSError: the file can't be written.
    """
    assert runs.pack is not None
    assert runs.image is not None
    path.unlink(missing_ok=True)
    database = CallDatabase(runs.pack, runs.image, path, call_id, logs=False)
    results: dict[str, Mapping[str, Any]] = {}
    answers: list[Answer] = []
    try:
        for step in steps:
            try:
                carried = {
                    name: resolve_carry(reference, results)
                    for name, reference in step.carry.items()
                    if name not in step.fixed
                }
            except KeyError:
                answers.append(Answer(0, {}, "not_sent"))
                continue
            answer = database.run(step.tool, {**step.arguments, **carried, **step.fixed}, step.index)
            if not answer.code:
                results[step.tool.name] = answer.body
            answers.append(answer)
    finally:
        database.close()
    return Ending(tuple(answers), changed_views(runs.image, path, runs.pack) if view else ({}, {}))


def _unlike(pack: Pack, task: Task, first: Replay, second: Replay) -> list[PackProblem]:
    """Where two replays of one key part: a tool that draws by chance or looks at the clock."""
    for index, (one, other) in enumerate(zip(first.calls, second.calls, strict=True)):
        if (one.status, one.response) != (other.status, other.response):
            return [
                error(
                    f"{pack.name}/tasks/{task.id}.expected[{index}]",
                    f"the same answer of {one.tool} each time, got two: it may take ids from new_id and "
                    "the time from now, and nothing from chance or the machine's clock",
                )
            ]
    if first.changes != second.changes:
        before, after = ({(c.table, repr(c)) for c in run.changes} for run in (first, second))
        tables = sorted({table for table, _ in before ^ after})
        return [
            error(
                f"{pack.name}/tasks/{task.id}.expected",
                f"the same rows each time the key runs, got other ones in {', '.join(tables)}",
            )
        ]
    return []


def _as_made(declared: Sequence[Table], image: Path) -> tuple[Table, ...]:
    """Every table of the schema: as declared where that can be, else as one that tools may write."""
    said = {table.name: table for table in declared}
    with closing(open_state(image)) as db:
        names = db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ).fetchall()
        return tuple(_mended(db, row["name"], said.get(row["name"])) for row in names)


def _mended(db: sqlite3.Connection, name: str, table: Table | None) -> Table:
    columns = [row["name"] for row in db.execute("SELECT name FROM pragma_table_info(?)", (name,))]
    if table is None:
        return Table(name, TableRole.WRITE, tuple(columns))
    key = tuple(column for column in table.key if column in columns)
    return attrs.evolve(
        table,
        key=key if key and key == table.key else tuple(columns),
        volatile=tuple(column for column in table.volatile if column in columns),
        kinds={column: kind for column, kind in table.kinds.items() if column in columns},
    )
