"""Small helpers of the commands: JSON to stdout, tables for people, the shared options."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from offhook.grading import Outcome
from offhook.storage import RunFolder

if TYPE_CHECKING:
    from offhook.grading import Grade
    from offhook.runner import Damaged

__all__ = [
    "DRAFT_MEANS",
    "count",
    "json_option",
    "open_run",
    "print_json",
    "print_table",
    "standing_of",
    "tell_damage",
    "tell_failed_graders",
]

F = TypeVar("F", bound=Callable[..., Any])


def json_option(function: F) -> F:
    """``--json``, spelled the same on every command."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout instead of a table.")(
        function
    )


def print_json(value: object) -> None:
    """JSON on one line with sorted keys; stdout holds nothing else."""
    click.echo(json.dumps(value, ensure_ascii=False, sort_keys=True))


def count(number: int, thing: str) -> str:
    """``1 call``, ``2 calls``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


DRAFT_MEANS: Final = (
    "draft: no frozen manifest stands behind these figures, so they may not be ranked against other runs"
)
"""What is said once where a run is called a draft."""


def standing_of(platform: str, harness_reference: bool) -> str:
    """What a platform of offhook's own is there for; empty for any other."""
    if platform.startswith("saboteur-"):
        return f"{platform} does one thing wrong on purpose, to show that graders notice"
    if harness_reference:
        return "a harness reference: it shows that the harness works, and is no contestant"
    return ""


def open_run(path: Path) -> RunFolder:
    """The run in a folder that the user named.

    Raises:
        UsageError: it holds no run; the message names the help of the command in use.
    """
    if not (path / "run.json").is_file():
        raise click.UsageError(f"{path} holds no run (no run.json)", click.get_current_context())
    return RunFolder.open(path)


def tell_failed_graders(grades: Iterable[Grade], *, besides: Container[str] = ()) -> bool:
    """One line on stderr for each grader that raised, and whether one did; ``besides`` are calls that have
    been named already.
    """
    told = [grade for grade in grades if grade.call_id not in besides]
    asked = Counter(grade.grader for grade in told)
    failed = Counter(grade.grader for grade in told if grade.outcome is Outcome.ERROR)
    for name, times in sorted(failed.items()):
        click.echo(f"grader {name} failed on {times} of {asked[name]} calls", err=True)
    return bool(failed)


def tell_damage(damaged: Iterable[Damaged]) -> None:
    """One line on stderr for each call that can't be read in full."""
    for call_id, why in {damage.call_id: damage.why for damage in damaged}.items():
        click.echo(f"damaged call {call_id}: {why}", err=True)


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], *, whole: Container[str] = ()
) -> None:
    """A table on stdout; columns whose cells are numbers are right-aligned, those in ``whole`` never
    wrapped.
    """
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", header_style="bold")
    for position, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[position], int | float) for row in rows)
        table.add_column(
            column,
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=column in whole,
        )
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    Console(markup=False).print(table)  # a title may hold brackets
