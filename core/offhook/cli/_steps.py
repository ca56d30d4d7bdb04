"""Progress over a few long steps: a bar with a clock on a terminal, a line for each step elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Steps"]


class Steps:
    """Tells on stderr which of ``total`` steps is under way, and for how long."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._begun = 0
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            self._progress = Progress(
                BarColumn(bar_width=24),
                TextColumn("{task.completed}/{task.total}"),
                TextColumn("{task.description}", markup=False),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._progress.add_task("", total=total)

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def begin(self, what: str) -> None:
        """The next step begins; the one before it is done."""
        self._begun += 1
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self._begun - 1, description=what)
        else:
            click.echo(f"[{self._begun}/{self._total}] {what} ...", err=True)
