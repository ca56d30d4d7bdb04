"""Live progress over calls that are worked through off the line: a bar on a terminal, a line now and then
elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Self, TypeVar

import click

from offhook.cli._carry import in_thread

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["CallsBar", "with_bar"]

T = TypeVar("T")


class CallsBar:
    """``doing`` is said in front: ``grading``. What plugins print inside its block goes to stderr: stdout is
    for the result alone."""

    def __init__(self, doing: str, total: int) -> None:
        self._doing = doing
        self._total = total
        self._every = max(50, total // 10)
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self.done = 0
        self._aside = redirect_stdout(sys.stderr)
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(bar_width=24),
                TextColumn("{task.completed}/{task.total} calls"),
                TimeRemainingColumn(elapsed_when_finished=True),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._progress.add_task(doing, total=total)
            self._progress.start()

    def __enter__(self) -> Self:
        self._aside.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._aside.__exit__(None, None, None)
        self.close()

    def advance(self, _: object = None) -> None:
        """One call more is done."""
        self.done += 1
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self.done)
        elif self.done % self._every == 0:
            click.echo(f"{self._doing}: {self.done} of {self._total} calls", err=True)

    def say(self, text: str) -> None:
        if self._progress is not None:
            self._progress.console.print(text, highlight=False, markup=False)
        else:
            click.echo(text, err=True)

    def close(self) -> None:
        """Gives the terminal back; more than once does no harm."""
        if self._progress is not None:
            self._progress.stop()


def with_bar(
    doing: str, total: int, work: Callable[[threading.Event, CallsBar], T], *, last_words: str
) -> tuple[T, bool]:
    """What the work returns, and whether it was stopped: the first Ctrl-C sets the event that it is given,
    the second ends the program with ``last_words``."""
    stop = threading.Event()
    with CallsBar(doing, total) as bar:
        outcome = in_thread(lambda: work(stop, bar), stop, bar, last_words)
    return outcome, stop.is_set()
