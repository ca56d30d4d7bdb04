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

import attrs

from offhook._packagent import gate_problems, graph_problems, naming_problems
from offhook._packguards import guard_problems
from offhook._packguide import guide_problems
from offhook._packjudged import judged_problems
from offhook._packkeys import KeyRuns, run_keys
from offhook._packleaks import leak_problems
from offhook._packplace import folder_fault, placed
from offhook._packproblem import PackProblem, Severity, error, note, repeated
from offhook._packregex import pattern_problems
from offhook._packshape import shape_problems, sound_parts
from offhook._packtasks import task_problems
from offhook._packtools import agent_problems, tool_problems
from offhook.packs import Pack
from offhook.toolserver import Replay, pack_digest
from offhook.toolserver._digest import content_digest

__all__ = ["PackProblem", "Severity", "check_keys", "check_pack"]


def check_pack(pack: Pack) -> tuple[PackProblem, ...]:
    """Everything that is wrong with a pack, in the pack's order; empty for a sound one. Only
    ``Severity.ERROR`` makes a pack unfit.

    A fault ends nothing: what is not of its type is told and left out, tables that are declared wrongly are
    taken as the schema has them, and everything else is checked all the same. Only what a missing part would
    make up is held back: without tools no key can be replayed. Databases are built in a temporary folder.

    Raises:
        OSError: the temporary folder can't be written.
    """
    shape = tuple(shape_problems(pack))
    if not isinstance(pack, Pack):
        return shape
    sound, broken = sound_parts(pack) if shape else (pack, frozenset())
    fault = folder_fault(sound.folder) if sound.folder is not None else ""
    if fault:
        sound = attrs.evolve(sound, folder=None)
        shape = (*shape, error(f"{sound.name}/folder", f"the folder of this pack's own files, got {fault}"))
    return tuple(placed(sound, (*shape, *_problems(sound, broken))))


def check_keys(packs: Iterable[Pack]) -> tuple[PackProblem, ...]:
    """The keys (industry, id) that two packs claim; ids alone may repeat."""
    claimed: dict[tuple[str, str], str] = {}
    problems: list[PackProblem] = []
    for pack in packs:
        for task in pack.tasks:
            other = claimed.setdefault(task.key, pack.name)
            if other != pack.name:
                where = f"{pack.name}/tasks/{task.id}"
                found = error(where, f"a key of its own, {'/'.join(task.key)} is a task of {other} too")
                problems += placed(pack, [found])
    return tuple(dict.fromkeys(problems))


def _problems(pack: Pack, broken: frozenset[str]) -> Iterator[PackProblem]:
    """``broken`` are the fields of the pack that something is missing from."""
    tools_known = broken.isdisjoint({"tools", "agent"})
    yield from _naming(pack, broken)
    yield from _content(pack)
    yield from tool_problems(pack)
    yield from leak_problems(pack)
    yield from pattern_problems(pack)
    if "tools" not in broken:
        yield from judged_problems(pack)
    if tools_known:
        yield from agent_problems(pack)
        yield from gate_problems(pack)
        yield from graph_problems(pack)
    with tempfile.TemporaryDirectory(prefix="offhook-check-") as folder:
        scratch = Path(folder)
        runs = KeyRuns()
        if tools_known and broken.isdisjoint({"schema", "seed", "now", "tables"}):
            runs = run_keys(pack, scratch)
        yield from runs.problems
        for index, task in enumerate(pack.tasks):
            yield from task_problems(
                pack,
                task,
                runs.replays.get(index),
                rows_known=runs.rows_known,
                tools_known=tools_known,
            )
        replayed = runs.pack is not None
        responses = _responses(runs.replays.values()) if replayed else None
        if tools_known:
            yield from naming_problems(pack, responses or {}, answered=replayed)
            if "guide" not in broken:
                yield from guide_problems(pack, responses)
        if tools_known and "tasks" not in broken:
            yield from _idle(pack)
        if replayed:
            yield from guard_problems(pack, runs, scratch)


def _idle(pack: Pack) -> Iterator[PackProblem]:
    """Tools that no task is about."""
    called = {call.tool for task in pack.tasks for call in task.expected}
    for tool in pack.tools:
        if not tool.ends_call and tool.name not in called and tool.name in pack.agent.tools:
            yield note(f"{pack.name}/tools/{tool.name}", "a task whose key calls it")


def _naming(pack: Pack, broken: frozenset[str]) -> Iterator[PackProblem]:
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
    if "tasks" not in broken:
        if not pack.tasks:
            yield error(f"{pack.name}/tasks", "at least one task; there is nobody to call")
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
        yield error(pack.name, f"values that JSON can hold in every field, got: {fault}{_holder(pack)}")


def _holder(pack: Pack) -> str:
    """The tasks that such a value stands in."""
    names = []
    for task in pack.tasks:
        try:
            content_digest(task)
        except (TypeError, ValueError):
            names.append(task.id)
    return f" (task {', '.join(names)})" if names else ""


def _responses(replays: Iterable[Replay]) -> Mapping[str, list[Mapping[str, Any]]]:
    """What each tool returned in the replays, where it was not refused."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for run in replays:
        for call in run.calls:
            if call.status < 400:
                found.setdefault(call.tool, []).append(call.response)
    return found
