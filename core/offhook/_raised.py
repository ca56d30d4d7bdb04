"""What a plugin's code raised, on one line and with its place there."""

from __future__ import annotations

import functools
import importlib
import os
import sysconfig
import traceback

import pluggy

__all__ = ["raised_line"]


def raised_line(error: BaseException, *ours: str) -> str:
    """Type, message and ``file:line``, on one line. ``ours`` are files that are not the plugin's."""
    text = " ".join(str(error).split())
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    place = _raised_at(error, ours)
    return f"{what} ({place})" if place else what


def _raised_at(error: BaseException, ours: tuple[str, ...]) -> str:
    """The innermost frame that is neither ours, pluggy's nor the import system's; one of the standard
    library, where a missing file is opened, only if there is no other."""
    not_theirs = (*ours, *(os.path.dirname(str(module.__file__)) + os.sep for module in (pluggy, importlib)))
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not frame.f_code.co_filename.startswith(("<", *not_theirs))
    ]
    written = [(file, line) for file, line in frames if not _is_library(file)]
    return next((f"{file}:{line}" for file, line in reversed(written or frames)), "")


def _is_library(file: str) -> bool:
    """Whether a file is Python's own; packages that were installed may lie in a folder of its library."""
    return file.startswith(_library()) and "site-packages" not in file and "dist-packages" not in file


@functools.cache
def _library() -> tuple[str, ...]:
    return tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib"))
