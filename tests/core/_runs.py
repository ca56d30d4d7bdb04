"""A run, placed and carried out at once, and what came of it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import attrs

from offhook.grading import Grade
from offhook.host import PluginHost
from offhook.records import CallRecord
from offhook.runner import Done, RunOptions, carry_out, new_run
from offhook.scoring import RunSummary
from offhook.storage import RunFolder

__all__ = ["Placed", "placed"]


@attrs.frozen
class Placed:
    host: PluginHost
    summary: RunSummary
    folder: RunFolder
    done: tuple[Done, ...]

    @property
    def records(self) -> list[CallRecord]:
        return [self.folder.record(call_id) for call_id in self.folder.call_ids()]

    @property
    def record(self) -> CallRecord:
        """That of the only call."""
        (record,) = self.records
        return record

    @property
    def errors(self) -> tuple[str, ...]:
        """What the platform did wrong in the only call."""
        return self.record.session_errors

    @property
    def grade(self) -> Grade:
        """The only call's only one."""
        (grade,) = self.folder.grades(self.record.call_id)
        return grade


def placed(
    folder: Path,
    host: PluginHost,
    platform: str = "reference",
    *,
    tasks: tuple[str, ...] = ("B-E1",),
    **options: Any,
) -> Placed:
    """Seed images and the run go into ``folder``."""
    chosen = RunOptions(
        platform=platform, out=folder / "run", images=folder / "images", tasks=tasks, **options
    )
    run = new_run(chosen, host)
    done: list[Done] = []
    summary = carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=done.append)
    return Placed(host, summary, run.folder, tuple(done))
