"""Which errors are the user's to read as one line, and the exit code of each."""

from __future__ import annotations

from enum import IntEnum

import click

__all__ = ["ExitCode", "exit_code_of", "one_line"]


class ExitCode(IntEnum):
    DONE = 0
    CALLS_IN_ERROR = 1
    USAGE = 2
    ENVIRONMENT = 3
    SPENDING_CAP = 4
    INTERRUPTED = 130


def one_line(error: BaseException) -> str:
    """The message on one line; the type's name where there is none."""
    text = error.format_message() if isinstance(error, click.ClickException) else str(error)
    return " ".join(text.split()) or type(error).__name__


def exit_code_of(error: BaseException) -> ExitCode | None:
    """The code of an expected error, None for one that is a bug and deserves its traceback."""
    from offhook.line import AudioFileError
    from offhook.runner import (
        BrokenPack,
        CostUnknown,
        ToolsUnreachable,
        TooManyAtOnce,
        UnknownName,
        UnusableProfile,
        WrongCondition,
        WrongLine,
        WrongSelection,
    )
    from offhook.speech import SpeechUnavailable
    from offhook.stats import StatsUnavailable
    from offhook.storage import StorageError
    from offhook.toolserver import ServeError

    if isinstance(error, UnknownName | WrongCondition | WrongLine | WrongSelection | TooManyAtOnce):
        return ExitCode.USAGE
    if isinstance(
        error,
        SpeechUnavailable
        | StatsUnavailable
        | StorageError
        | AudioFileError
        | BrokenPack
        | UnusableProfile
        | ServeError
        | ToolsUnreachable
        | CostUnknown
        | OSError,
    ):
        return ExitCode.ENVIRONMENT
    return None
