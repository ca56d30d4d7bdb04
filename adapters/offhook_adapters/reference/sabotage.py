"""Which saboteurs have a chance at which tasks of a pack, and whether the tasks catch them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import attrs

from offhook.api import run
from offhook.host import PluginHost
from offhook.packs import ExpectedCall, Pack, Task
from offhook.runner import Done, UnknownName
from offhook.storage import StorageError
from offhook.toolserver import Replay, ReplayError, SeedError, SeedImages, replay
from offhook_adapters.reference.minds.saboteurs import FAULTS, Trial

__all__ = [
    "LEAST_SABOTEURS",
    "Attempt",
    "TaskOutcome",
    "UnsoundKey",
    "applicable",
    "attempt_all",
    "outcomes",
    "refuse_old_runs",
]

LEAST_SABOTEURS: Final = 3


class UnsoundKey(Exception):
    """A task whose key does not run, so that nothing can be told of calls of it; the message is one line."""


@attrs.frozen
class Attempt:
    """One saboteur's call of one task. ``state`` is as in `offhook.api.CallOutcome`; ``why`` says what the
    graders found.
    """

    pack: str
    task: str
    saboteur: str
    state: str
    why: str

    @property
    def caught(self) -> bool:
        return self.state == "failed"


@attrs.frozen
class TaskOutcome:
    """What was tried on one task."""

    pack: str
    task: str
    attempts: tuple[Attempt, ...]

    @property
    def missed(self) -> tuple[Attempt, ...]:
        """The attempts that were not caught."""
        return tuple(attempt for attempt in self.attempts if not attempt.caught)

    @property
    def sound(self) -> bool:
        """Whether enough saboteurs had a chance and each was caught."""
        return len(self.attempts) >= LEAST_SABOTEURS and not self.missed


def applicable(pack: Pack, task: Task, folder: Path) -> tuple[str, ...]:
    """The names of the faults that a task gives a chance.

    Raises:
        UnsoundKey: the task's key does not run, or its pack has no database.
        OSError: ``folder`` can't be written.
    """
    images = SeedImages(folder / "images")

    def other(calls: tuple[ExpectedCall, ...]) -> Replay | None:
        try:
            return replay(pack, attrs.evolve(task, expected=calls), folder / "trial", images=images)
        except ReplayError:
            return None

    try:
        key = replay(pack, task, folder / "key", images=images)
    except (ReplayError, SeedError) as fault:
        told = " ".join(str(fault).split())
        raise UnsoundKey(f"{told} (all that is wrong: offhook packs check {pack.name})") from fault
    trial = Trial(pack, task, key, other)
    return tuple(fault.name for fault in FAULTS if fault.applies(trial))


def refuse_old_runs(out: Path) -> None:
    """Raises:
    StorageError: a saboteur's run is there, which a new one would not go on with.
    """
    taken = next((out / fault.name for fault in FAULTS if (out / fault.name).exists()), None)
    if taken is not None:
        raise StorageError(f"{taken} is there already; give --out a new folder")


def attempt_all(
    host: PluginHost,
    chances: Mapping[tuple[str, str], Sequence[str]],
    out: Path,
    *,
    on_done: Callable[[str], object] = lambda saboteur: None,
    on_tried: Callable[[Sequence[Attempt]], object] = lambda attempts: None,
) -> tuple[Attempt, ...]:
    """Places a text call of every saboteur to every task it has a chance at.

    Args:
        chances: the names of the faults, by (pack, task).
        out: a folder for the runs, one a saboteur.
        on_done: told the fault's name after each call.
        on_tried: told a saboteur's attempts when it has been through its tasks.

    Raises:
        As `offhook.api.run`.
    """
    found: list[Attempt] = []
    for fault in FAULTS:
        tasks = [f"{pack}/{task}" for (pack, task), names in chances.items() if fault.name in names]
        if not tasks:
            continue
        result = asyncio.run(
            run(
                platform=f"saboteur-{fault.name}",
                tasks=tasks,
                line="text",
                out=out / fault.name,
                host=host,
                on_done=partial(_told, on_done, fault.name),
            )
        )
        tried = [
            Attempt(call.record.key.pack, call.record.key.task, fault.name, call.state, call.why)
            for call in result.calls
        ]
        on_tried(tried)
        found += tried
    return tuple(found)


def _told(on_done: Callable[[str], object], name: str, done: Done) -> None:
    on_done(name)


def outcomes(
    chances: Mapping[tuple[str, str], Sequence[str]], attempts: Sequence[Attempt]
) -> tuple[TaskOutcome, ...]:
    """The attempts by task, in the order of ``chances``.

    Raises:
        UnknownName: an attempt at a task that is not among the chances.
    """
    for attempt in attempts:
        if (attempt.pack, attempt.task) not in chances:
            raise UnknownName("task", attempt.task, [task for _, task in chances])
    return tuple(
        TaskOutcome(pack, task, tuple(item for item in attempts if (item.pack, item.task) == (pack, task)))
        for pack, task in chances
    )
