"""The hooks. Everything heavier than a name is imported inside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from offhook.hooks import CommandSpec, hookimpl

if TYPE_CHECKING:
    from offhook.grading import Grader
    from offhook.records import CallRecord


@hookimpl
def offhook_graders() -> Sequence[Grader]:
    from offhook_acme.courtesy import CourtesyGrader

    return [CourtesyGrader()]


@hookimpl
def offhook_commands() -> Sequence[CommandSpec]:
    return [CommandSpec("acme-calls", "Count the calls of a run.", "offhook_acme.command:acme_calls")]


@hookimpl
def offhook_call_finished(record: CallRecord, folder: Path) -> None:
    with (folder.parent.parent / "acme.log").open("a", encoding="utf-8") as log:
        log.write(f"{record.call_id} {record.ending}\n")
