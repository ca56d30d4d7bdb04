"""The reference page of the command line, from the commands themselves.

    python -m tests.meta.cli_page

writes it again after a command has changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from offhook.cli._main import _BUILT_IN, _load, _offhook

__all__ = ["cli_page"]

PAGE = Path(__file__).parents[2] / "sdk_docs" / "reference" / "cli.md"

_HEAD = """\
# Command line

`offhook COMMAND --help` says the same in the terminal. Plugins add commands of their own.

Exit codes: 0 done; 1 some calls ended in an error of the harness or of the platform's connection, or fewer
passed than `--fail-under` asks for; 2 wrong usage; 3 something is missing or broken on this machine; 4
stopped before the spending cap; 130 interrupted. A call that was graded and failed is a result, not an error.
Errors are one line on standard error.
"""


def cli_page() -> str:
    """The page as Markdown."""
    parts = [_HEAD]
    with click.Context(_offhook, info_name="offhook") as top:
        for name, spec in _BUILT_IN.items():
            parts += _command(_load(spec), name, top, "##")
    return "\n".join(parts)


def _command(command: click.Command, name: str, parent: click.Context, level: str) -> Iterator[str]:
    with click.Context(command, info_name=name, parent=parent) as context:
        yield f"{level} {context.command_path}\n"
        yield f"```text\n{' '.join([context.command_path, *command.collect_usage_pieces(context)])}\n```\n"
        yield f"{_help(command)}\n"
        yield from _options(command, context)
        yield from _examples(command)
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                if found is not None:
                    yield from _command(found, inner, context, level + "#")


def _help(command: click.Command) -> str:
    return _text(cleandoc(command.help or ""))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    options = [param for param in command.params if isinstance(param, click.Option)]
    records = [option.get_help_record(context) for option in options]
    rows = [f"| `{option.replace('|', '/')}` | {_text(says)} |" for option, says in filter(None, records)]
    if rows:
        yield "\n".join(["| option | |", "|---|---|", *rows]) + "\n"


def _examples(command: click.Command) -> Iterator[str]:
    lines = [line.strip() for line in (command.epilog or "").replace("\b", "").splitlines()]
    examples = [line.removeprefix("Example: ") for line in lines if line not in ("", "Examples:")]
    if examples:
        yield "\n".join(["```text", *examples, "```", ""])


def _text(says: str) -> str:
    """Help as Markdown text: one paragraph stays one, and nothing in it is taken for a mark."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in says.split("\n\n")]
    return re.sub(r"([|*_<>\[\]])", r"\\\1", "\n\n".join(paragraphs))


if __name__ == "__main__":
    PAGE.write_text(cli_page(), encoding="utf-8")
