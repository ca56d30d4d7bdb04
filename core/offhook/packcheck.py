"""Validation of industry packs, for their authors: what is wrong, where in the pack, and what was expected
there.

Cue tests are run by the caller, whose mind they test; here it is checked that each rule has enough of them.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from offhook._packguide import guide_problems
from offhook._packjudged import judged_problems
from offhook._packleaks import leak_problems
from offhook._packproblem import PackProblem, Severity, error, repeated
from offhook._packshape import shape_problems
from offhook._packtables import table_problems
from offhook._packtasks import task_problems
from offhook._packtools import agent_problems, tool_problems
from offhook.packs import Pack
from offhook.toolserver import Replay, ReplayError, SeedError, SeedImages, pack_digest, replay

__all__ = ["PackProblem", "Severity", "check_pack"]


def check_pack(pack: Pack) -> tuple[PackProblem, ...]:
    """Everything that is wrong with a pack, in the pack's order; empty for a sound one. Only
    ``Severity.ERROR`` makes a pack unfit.

    The parts are checked one after the other, and what builds on a part only when that part is sound: types,
    names and tools, seed, tables, then the tasks with their replays, and the guide against what the replayed
    tools returned. Databases are built in a temporary folder.

    Raises:
        OSError: the temporary folder can't be written.
    """
    shape = tuple(shape_problems(pack))
    if shape:
        return shape
    unusable = (*_naming(pack), *_content(pack))
    problems = [*unusable, *tool_problems(pack), *agent_problems(pack), *leak_problems(pack)]
    problems += judged_problems(pack)
    if unusable or not set(pack.agent.tools) <= {tool.name for tool in pack.tools}:
        return tuple(problems)
    with tempfile.TemporaryDirectory(prefix="offhook-check-") as scratch:
        try:
            images = _twice(pack, Path(scratch))
        except SeedError as failure:
            return (*problems, error(f"{pack.name}/seed", f"a database, got: {failure}"))
        if images is None:
            problems.append(
                error(f"{pack.name}/seed", "the same rows each time it runs, got two unequal databases")
            )
            images = SeedImages(Path(scratch) / "first")
        tables = tuple(table_problems(pack, images.image(pack)))
        if tables:
            return (*problems, *tables)
        replays, failures = _replays(pack, images, Path(scratch))
    problems += failures
    for task in pack.tasks:
        problems += task_problems(pack, task, replays.get(task.id))
    problems += guide_problems(pack, _responses(replays.values()))
    return tuple(problems)


def _naming(pack: Pack) -> Iterator[PackProblem]:
    yield from repeated(f"{pack.name}/tools", [tool.name for tool in pack.tools])
    yield from repeated(f"{pack.name}/tables", [table.name for table in pack.tables])
    yield from repeated(f"{pack.name}/tasks", [task.id for task in pack.tasks])
    yield from repeated(f"{pack.name}/guide", [guide.tool for guide in pack.guide.tools])
    for field in ("name", "title", "version"):
        if not getattr(pack, field).strip():
            yield error(f"{pack.name}/{field}", "some text")
    if not re.fullmatch(r"[a-z0-9-]{0,64}", pack.name):
        yield error(f"{pack.name}/name", "lower-case letters, digits and hyphens, at most 64")
    if pack.version.strip() and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}", pack.version):
        yield error(
            f"{pack.name}/version", "a version such as 1.2.0: at most 64 letters, digits and any of . _ + -"
        )
    yield from _defects(pack)
    spelled: dict[str, str] = {}
    for task in pack.tasks:
        other = spelled.setdefault(task.id.casefold(), task.id)
        if other != task.id:  # their files would be one where case does not count
            yield error(
                f"{pack.name}/tasks", f"ids that differ by more than case, got {other!r} and {task.id!r}"
            )


def _defects(pack: Pack) -> Iterator[PackProblem]:
    tasks = {task.id for task in pack.tasks}
    for index, defect in enumerate(pack.defects):
        where = f"{pack.name}/defects[{index}]"
        if defect.task not in tasks:
            yield error(f"{where}.task", f"the id of a task of this pack, got {defect.task!r}")
        if not defect.what.strip():
            yield error(f"{where}.what", "what is wrong with the task")
        try:
            date.fromisoformat(defect.confirmed)
        except ValueError:
            yield error(f"{where}.confirmed", f"a day such as 2026-11-30, got {defect.confirmed!r}")


def _content(pack: Pack) -> Iterator[PackProblem]:
    """Whether the pack can be told from others by its content, on which every cache is built."""
    try:
        pack_digest(pack)
    except (TypeError, ValueError) as fault:
        yield error(pack.name, f"values that JSON can hold in every field, got: {fault}")


def _twice(pack: Pack, scratch: Path) -> SeedImages | None:
    """Seed images if two builds are equal byte for byte, else None."""
    first, second = SeedImages(scratch / "first"), SeedImages(scratch / "second")
    return first if first.image(pack).read_bytes() == second.image(pack).read_bytes() else None


def _replays(pack: Pack, images: SeedImages, scratch: Path) -> tuple[dict[str, Replay], list[PackProblem]]:
    replays: dict[str, Replay] = {}
    failures: list[PackProblem] = []
    for task in pack.tasks:
        try:
            replays[task.id] = replay(pack, task, scratch / "replay", images=images)
        except ReplayError as failure:
            where = f"{pack.name}/tasks/{task.id}.expected[{failure.index}]"
            failures.append(error(where, f"a call that {failure.tool} accepts, got: {failure.reason}"))
    return replays, failures


def _responses(replays: Iterable[Replay]) -> Mapping[str, list[Mapping[str, Any]]]:
    """What each tool returned in the replays, where it was not refused."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for run in replays:
        for call in run.calls:
            if call.status < 400:
                found.setdefault(call.tool, []).append(call.response)
    return found
