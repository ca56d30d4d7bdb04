"""The key of a task, run: expected calls through the server's own guards give the expected end state."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.packs import ExpectedCall, Pack, Task
from offhook.toolserver._calldb import Answer, CallDatabase
from offhook.toolserver._digest import content_digest
from offhook.toolserver._images import SeedImages
from offhook.toolserver._views import COUNTED, RowChange, changes_between

__all__ = ["Replay", "ReplayCache", "ReplayError", "ReplayedCall", "replay", "resolve_carry"]

CALL_ID: Final = "replay"
STATE_NAME: Final = "state.sqlite"


class ReplayError(Exception):
    """A task's key does not run on its pack's seed. ``index`` counts expected calls from 0."""

    def __init__(self, task: Task, index: int, tool: str, reason: str) -> None:
        super().__init__(f"{task.pack}/tasks/{task.id}.expected[{index}] ({tool}): {reason}")
        self.task = task.key
        self.index = index
        self.tool = tool
        self.reason = reason


@attrs.frozen
class ReplayedCall:
    """One expected call as it was made: ``arguments`` with carried values filled in, ``canonical`` as
    validated."""

    tool: str
    arguments: Mapping[str, Any]
    status: int
    response: Mapping[str, Any]
    canonical: Mapping[str, Any]


@attrs.frozen
class Replay:
    """The expected end of a task. ``seed`` and ``state`` are frozen databases, ``changes`` what lies between
    them as stored; ``rows_written`` counts changed, new and removed rows in write, log and quote tables."""

    seed: Path
    state: Path
    calls: tuple[ReplayedCall, ...]
    rows_written: int
    changes: tuple[RowChange, ...]


def replay(pack: Pack, task: Task, folder: Path, *, images: SeedImages | None = None) -> Replay:
    """Runs the expected calls in their order on a fresh database, ``folder/state.sqlite``.

    Raises:
        ReplayError: a call fails, is refused though the key does not say so (or accepted though the key says
            ``refused``), or carries a value that no earlier call returned.
        SeedError: the pack's schema or seed does not make a database.
        OSError: the folder can't be written.
    """
    seed = (images or SeedImages(folder / ".images")).image(pack)
    folder.mkdir(parents=True, exist_ok=True)
    state = folder / STATE_NAME
    state.unlink(missing_ok=True)
    database = CallDatabase(pack, seed, state, CALL_ID, logs=False)
    try:
        calls = _run(database, pack, task)
    finally:
        database.close()
    state.chmod(0o444)
    changes = changes_between(seed, state, pack)
    counted = {table.name for table in pack.tables if table.role in COUNTED}
    return Replay(seed, state, calls, sum(change.table in counted for change in changes), changes)


def resolve_carry(reference: str, results: Mapping[str, Mapping[str, Any]]) -> Any:
    """The value ``"tool.field"`` (or ``"tool.field.inner"``) names in the latest result of each tool.

    Raises:
        KeyError: no such result or field; the message says which.
    """
    tool, _, path = reference.partition(".")
    if tool not in results:
        raise KeyError(f"{reference}: {tool} has not been called before")
    value: Any = results[tool]
    for part in path.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise KeyError(f"{reference}: the result of {tool} has no {part!r}")
        value = value[part]
    return value


class ReplayCache:
    """Replays by content of pack and task, for graders that ask once per call. States lie in ``folder``,
    shared by processes."""

    def __init__(self, folder: Path, *, images: SeedImages | None = None) -> None:
        self._folder = folder
        self._images = images or SeedImages(folder / ".images")
        self._known: dict[str, Replay] = {}

    def get(self, pack: Pack, task: Task) -> Replay:
        """The task's replay, run the first time it is asked for.

        Raises:
            ReplayError, SeedError, OSError: as ``replay``.
        """
        name = f"{self._images.image(pack).stem}-{task.id}-{content_digest(task)[:16]}"
        if name not in self._known:
            self._known[name] = self._made(pack, task, self._folder / name)
        return self._known[name]

    def _made(self, pack: Pack, task: Task, target: Path) -> Replay:
        """Equal content gives equal states: of two processes or threads either may put its own in place."""
        scratch = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            made = replay(pack, task, scratch, images=self._images)
            target.mkdir(parents=True, exist_ok=True)
            os.replace(made.state, target / STATE_NAME)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        return attrs.evolve(made, state=target / STATE_NAME)


def _run(database: CallDatabase, pack: Pack, task: Task) -> tuple[ReplayedCall, ...]:
    calls: list[ReplayedCall] = []
    results: dict[str, Mapping[str, Any]] = {}
    for index, expected in enumerate(task.expected):
        if expected.tool not in pack.agent.tools:
            raise ReplayError(task, index, expected.tool, "the agent has no such tool")
        try:
            arguments = _arguments(expected, results)
        except KeyError as error:
            raise ReplayError(task, index, expected.tool, f"carry {error.args[0]}") from None
        answer = database.run(pack.tool(expected.tool), arguments, index)
        if answer.code and (expected.outcome != "refused" or answer.status >= 500):
            raise ReplayError(task, index, expected.tool, _why(answer))
        if expected.outcome == "refused" and not answer.code:
            raise ReplayError(task, index, expected.tool, "accepted, and the key expects it to be refused")
        if not answer.code:
            results[expected.tool] = answer.body
        calls.append(ReplayedCall(expected.tool, arguments, answer.status, answer.body, answer.canonical))
    return tuple(calls)


def _arguments(expected: ExpectedCall, results: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    carried = {name: resolve_carry(reference, results) for name, reference in expected.carry.items()}
    return {**expected.arguments, **expected.free_text, **carried}


def _why(answer: Answer) -> str:
    if answer.fault:
        return f"failed: {answer.fault}"
    error = answer.body["error"]
    field = f" ({error['field']})" if "field" in error else ""
    return f"refused with {answer.code}{field}: {error['message']}"
