"""Every key of the pack runs through the guards on the seed, and leaves exactly the rows it should."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import attrs
import pytest

from offhook.packs import TableRole, Task
from offhook.toolserver import Replay, ReplayError, SeedImages, replay
from offhook_industries.legal.pack import build_pack

PACK: Final = build_pack()
ROWS: Final[dict[str, dict[str, int]]] = {
    "C1-E1": {"messages": 1},
    "C1-H3": {"intakes": 1, "transfers": 1},
    "C1-H4": {"transfers": 1},
    "C1-M1": {"messages": 1},
    "C1-M2": {"transfers": 1},
    "C2-E1": {"transfers": 1},
    "C2-H3": {"transfers": 1},
    "C2-H4": {"transfers": 1},
    "C2-M1": {"transfers": 1},
    "C2-M4": {},
    "C3-E1": {"transfers": 1},
    "C3-H1": {"intakes": 1, "intake_notes": 1},
    "C3-H4": {"intakes": 1, "packets": 1},
    "C3-M3": {"transfers": 1},
    "C3-M4": {"transfers": 1},
    "C4-E1": {"intakes": 1},
    "C4-H2": {"intakes": 1, "packets": 1},
    "C4-H4": {"intakes": 1, "packets": 1, "authorizations": 1},
    "C4-M2": {"intakes": 1, "intake_notes": 1},
    "C4-M3": {"intakes": 1, "packets": 1},
    "C5-E1": {"evaluation_holds": 1, "appointments": 1, "evaluation_slots": 1},
    "C5-H1": {"intakes": 1, "evaluation_holds": 1, "appointments": 1, "evaluation_slots": 1},
    "C5-H4": {"intakes": 1, "evaluation_holds": 1, "appointments": 1, "evaluation_slots": 1},
    "C5-M1": {"callers": 1, "evaluation_holds": 1, "appointments": 1, "evaluation_slots": 1},
    "C5-M3": {"evaluation_holds": 1, "appointments": 1, "evaluation_slots": 1},
    "R-E1": {},
    "R-H1": {"transfers": 1},
    "R-H4": {"messages": 1, "transfers": 1},
    "R-M2": {"intakes": 1},
    "R-M3": {"transfers": 1},
}
"""New and changed rows by table."""

INTAKES: Final = [task for task in PACK.tasks if "intakes" in ROWS[task.id] and PACK.gated(task)]
CHECKS: Final = ("check_conflict", "check_practice_area", "check_jurisdiction", "calculate_filing_deadline")


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> SeedImages:
    return SeedImages(tmp_path_factory.mktemp("images"))


def _counted(run: Replay) -> dict[str, int]:
    session = {table.name for table in PACK.tables if table.role is TableRole.SESSION}
    return dict(Counter(change.table for change in run.changes if change.table not in session))


def test_the_thirty_tasks_are_there() -> None:
    assert {task.id for task in PACK.tasks} == set(ROWS)


@pytest.mark.parametrize("task", PACK.tasks, ids=lambda task: task.id)
def test_a_key_leaves_its_rows(task: Task, images: SeedImages, tmp_path: Path) -> None:
    run = replay(PACK, task, tmp_path, images=images)
    assert _counted(run) == ROWS[task.id]
    assert run.rows_written == task.structure.rows_written == sum(ROWS[task.id].values())


@pytest.mark.parametrize("task", INTAKES, ids=lambda task: task.id)
@pytest.mark.parametrize("check", CHECKS)
def test_an_intake_is_refused_where_a_check_is_left_out(
    task: Task, check: str, images: SeedImages, tmp_path: Path
) -> None:
    without = attrs.evolve(task, expected=tuple(call for call in task.expected if call.tool != check))
    assert len(without.expected) == len(task.expected) - 1
    with pytest.raises(ReplayError, match="refused with"):
        replay(PACK, without, tmp_path, images=images)


def test_as_many_tasks_are_gated_as_published() -> None:
    gated = Counter(task.tier.value for task in PACK.tasks if PACK.gated(task))
    assert gated == {"easy": 3, "medium": 11, "hard": 9}
