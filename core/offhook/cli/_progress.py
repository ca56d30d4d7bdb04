"""Live progress of a run: done, passing, time left. A bar on a terminal, one line per call elsewhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol, Self

import click

if TYPE_CHECKING:
    from offhook.runner import Done, PlannedCall

__all__ = ["RunProgress"]


class _Face(Protocol):
    def show(self, text: str, done: int) -> None: ...

    def say(self, text: str) -> None: ...

    def close(self) -> None: ...


class _Bar:
    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.completed}/{task.total} calls"),
            TextColumn("{task.description}"),
            TextColumn("left"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(stderr=True),
        )
        self._task = self._progress.add_task("starting", total=total)
        self._progress.start()

    def show(self, text: str, done: int) -> None:
        self._progress.update(self._task, completed=done, description=text)

    def say(self, text: str) -> None:
        self._progress.console.print(text, highlight=False, markup=False)

    def close(self) -> None:
        self._progress.stop()


class _Lines:
    def show(self, text: str, done: int) -> None:
        """Lines are said, not redrawn."""

    def say(self, text: str) -> None:
        click.echo(text, err=True)

    def close(self) -> None:
        """Nothing is held open."""


class RunProgress:
    """Counts as calls come in and tells the user on stderr."""

    def __init__(self, total: int, already: int, *, terminal: bool) -> None:
        self._total = total
        self._already = already
        self._face: _Face = _Bar(total) if terminal else _Lines()
        self._started = time.monotonic()
        self._under_way: list[str] = []
        self.done = 0
        self.passed = 0
        self.errors = 0
        self.voids = 0
        self.lost = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the terminal back; more than once does no harm."""
        self._face.close()

    def started(self, planned: PlannedCall) -> None:
        self._under_way.append(_name(planned))
        self._show()

    def finished(self, done: Done) -> None:
        self._under_way.remove(_name(done.planned))
        self.done += done.again is None
        self.passed += done.passed is True
        self.errors += done.ending == "error" and not done.lost
        self.voids += done.ending == "void" and done.again is None
        self.lost += done.lost
        cause = f"  {done.cause}{'; once more' if done.again else ''}" if done.cause else ""
        late = f"  {done.late}" if done.late else ""
        trouble = f"  platform: {done.trouble}" if done.trouble and not done.passed else ""
        self._face.say(f"{_mark(done):<6} {_name(done.planned)}{cause}{trouble}{late}{self._eta()}")
        self._show()

    def say(self, text: str) -> None:
        self._face.say(text)

    def _show(self) -> None:
        passing = f"{self.passed} of {self.done} passing{self._when()}"
        self._face.show(", ".join([passing, *self._now()]), self._already + self.done)

    def _now(self) -> list[str]:
        """What is under way: the call that began first, and how many beside it."""
        if not self._under_way:
            return []
        beside = len(self._under_way) - 1
        return [f"now {self._under_way[0]}{f' and {beside} more' if beside else ''}"]

    def _when(self) -> str:
        """A resumed run counts passes from where it was taken up."""
        return " this time" if self._already else ""

    def _eta(self) -> str:
        if isinstance(self._face, _Bar):
            return ""
        left = self._total - self._already - self.done
        seconds = (time.monotonic() - self._started) / max(1, self.done) * left
        done = self._already + self.done
        return f"  [{done}/{self._total}, {self.passed} passing{self._when()}, about {seconds:.0f} s left]"


def _name(planned: PlannedCall) -> str:
    return f"{planned.key.placed} run {planned.key.run}"


def _mark(done: Done) -> str:
    if done.passed is None:
        return done.ending if done.ending != "completed" else "?"
    return "pass" if done.passed else "fail"
