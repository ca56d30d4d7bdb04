"""What a run will place: task x run x audio condition, each with its voice, its opaque id and nothing drawn
at random.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import attrs

from offhook.packs import Pack, Task
from offhook.records import CallKey, RunManifest
from offhook.scoring import MAX_ATTEMPTS
from offhook.streams import opaque_id

__all__ = [
    "PlannedCall",
    "UnknownName",
    "WrongLine",
    "assign_voices",
    "earlier_attempts",
    "keys_of",
    "next_attempt",
    "pick_tasks",
    "plan_calls",
]

_FEW: Final = 8
_MANY: Final = 20  # no line lists more names


class UnknownName(Exception):
    """A name the user gave is not known; the message lists the nearest ones, and all where they are few."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.4)
        hints = [f"nearest: {', '.join(near)}"] if near else []
        if not near or len(near) < len(names) <= _FEW:
            more = f" and {len(names) - _MANY} more" if len(names) > _MANY else ""
            hints.append(f"known: {', '.join(names[:_MANY]) or 'none'}{more}")
        super().__init__(f"unknown {kind} {name!r}; {'; '.join(hints)}")


class WrongLine(Exception):
    """Platform or caller can't hold calls on the line that was asked for; the message is one line."""


@attrs.frozen
class PlannedCall:
    """One call to place. ``voice`` names the caller's slot."""

    key: CallKey
    call_id: str
    voice: str


def assign_voices(packs: Iterable[Pack], slots: Sequence[str]) -> Mapping[tuple[str, str], str]:
    """Rotates the sorted slots over each pack's sorted task ids, so a task has one voice on every platform
    and run and another pack changes nothing.

    Raises:
        ValueError: there is no slot.
    """
    if not slots:
        raise ValueError("no voice slots")
    ordered = sorted(slots)
    return {
        (pack.name, task_id): ordered[position % len(ordered)]
        for pack in packs
        for position, task_id in enumerate(sorted(task.id for task in pack.tasks))
    }


def pick_tasks(packs: Mapping[str, Pack], names: Sequence[str]) -> tuple[Task, ...]:
    """Tasks by name: a pack (``customer-support``), ``pack/ID``, or an ID that only one pack has. No name
    means all.

    Raises: UnknownName: no such pack or task; an ID that several packs share counts as unknown and lists
    the full names.
    """
    every = {f"{pack.name}/{task.id}": task for _, pack in sorted(packs.items()) for task in pack.tasks}
    if not names:
        return tuple(every.values())
    chosen: dict[str, Task] = {}
    for name in names:
        found = _matching(name, packs, every)
        if not found:
            if name in packs:
                raise UnknownName(f"task (pack {name} has none)", name, ())
            short = {task.id for task in every.values()}
            raise UnknownName("task", name, short | set(packs) if "/" not in name else every)
        chosen.update(found)
    return tuple(chosen.values())


def _matching(name: str, packs: Mapping[str, Pack], every: Mapping[str, Task]) -> Mapping[str, Task]:
    if name in packs:
        return {full: task for full, task in every.items() if task.pack == name}
    found = {
        full: task for full, task in every.items() if name.casefold() in (full.casefold(), task.id.casefold())
    }
    if len(found) > 1:
        raise UnknownName("task (several packs have it)", name, found)
    return found


def plan_calls(
    tasks: Sequence[Task],
    *,
    platform: str,
    runs: int,
    seed: int,
    voices: Mapping[tuple[str, str], str],
    audio: Sequence[str] = ("clean",),
    line: str = "audio",
    variants: Collection[str] | None = None,
) -> tuple[PlannedCall, ...]:
    """Every call of a run, run by run so that a stopped run has whole rounds.

    Args:
        variants: tasks, ``pack/ID``, that conditions other than clean are placed for (None: all).

    Raises:
        ValueError: fewer than one run.
    """
    if runs < 1:
        raise ValueError(f"runs must be at least 1, got {runs}")
    return tuple(
        _planned(CallKey(task.pack, task.id, platform, run, condition, line), seed, voices[task.key])
        for condition in audio
        for run in range(1, runs + 1)
        for task in tasks
        if condition == "clean" or variants is None or f"{task.pack}/{task.id}" in variants
    )


def next_attempt(planned: PlannedCall, seed: int, *, attempts: int = MAX_ATTEMPTS) -> PlannedCall | None:
    """The same call once more after a void; None when it has had all its attempts."""
    if planned.key.attempt >= attempts:
        return None
    key = attrs.evolve(planned.key, attempt=planned.key.attempt + 1)
    return _planned(key, seed, planned.voice)


def earlier_attempts(planned: PlannedCall, seed: int) -> tuple[str, ...]:
    """The ids of the attempts before this one, first to last."""
    keys = (attrs.evolve(planned.key, attempt=number) for number in range(1, planned.key.attempt))
    return tuple(_id_of(key, seed) for key in keys)


def keys_of(manifest: RunManifest) -> Mapping[str, CallKey]:
    """Every call that a run may come to hold, by id, all attempts included."""
    keys = (
        CallKey(pack, task, manifest.platform, run, condition, manifest.line, attempt)
        for condition in manifest.audio
        for run in range(1, manifest.runs + 1)
        for pack, _, task in (name.partition("/") for name in manifest.tasks_under(condition))
        for attempt in range(1, manifest.attempts + 1)
    )
    return {_id_of(key, manifest.seed): key for key in keys}


def _planned(key: CallKey, seed: int, voice: str) -> PlannedCall:
    return PlannedCall(key, _id_of(key, seed), voice)


def _id_of(key: CallKey, seed: int) -> str:
    return opaque_id(seed, key.pack, key.task, key.platform, key.run, key.audio, key.line, key.attempt)
