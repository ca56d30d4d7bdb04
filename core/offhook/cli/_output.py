"""Small helpers of the commands: JSON to stdout, tables for people, the shared options."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from offhook.runner import Damaged

__all__ = ["json_option", "print_json", "print_table", "tell_damage"]

F = TypeVar("F", bound=Callable[..., Any])


def json_option(function: F) -> F:
    """``--json``, spelled the same on every command."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout instead of a table.")(
        function
    )


def print_json(value: object) -> None:
    """JSON on one line with sorted keys; stdout holds nothing else."""
    click.echo(json.dumps(value, ensure_ascii=False, sort_keys=True))


def tell_damage(damaged: Iterable[Damaged]) -> None:
    """One line on stderr for each call that can't be read in full."""
    for call_id, why in {damage.call_id: damage.why for damage in damaged}.items():
        click.echo(f"damaged call {call_id}: {why}", err=True)


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table on stdout; columns whose cells are numbers are right-aligned."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", header_style="bold")
    for position, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[position], int | float) for row in rows)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    Console(markup=False).print(table)  # a title may hold brackets
