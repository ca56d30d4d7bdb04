"""What a platform says is wrong with its results, and what became of each flag."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from offhook.storage import StorageError, disk_error, from_json, read_text, to_json, write_text

if TYPE_CHECKING:
    from offhook.storage import RunFolder

__all__ = ["Flag", "WrongFlag", "add_flags", "read_flags", "resolve_flag"]

FLAGS_VERSION: Final = 1
OPEN, CONFIRMED, REJECTED = "open", "confirmed", "rejected"


class WrongFlag(StorageError):
    """Flags of another run, a flag or call that there is not, or no reason: a slip of whoever named it, where
    every other StorageError is a damaged file or a refusing disk."""


@attrs.frozen
class Flag:
    """One flag. ``id`` is ``F1``, ``F2``, ... in the order of arrival; ``call_id`` is empty for a flag on the
    whole run. ``status`` is ``open``, ``confirmed`` (a defect of the benchmark: mended for every platform) or
    ``rejected``; ``answer`` says why."""

    id: str
    call_id: str
    says: str
    status: str = OPEN
    answer: str = ""


@attrs.frozen
class _Incoming:
    call_id: str
    says: str


@attrs.frozen
class _Reply:
    version: int
    run_id: str
    flags: tuple[_Incoming, ...]


@attrs.frozen
class _Kept:
    version: int
    flags: tuple[Flag, ...]


def read_flags(folder: RunFolder) -> tuple[Flag, ...]:
    """The flags kept with a run, in order of arrival.

    Raises:
        StorageError: the file is malformed.
    """
    path = _place(folder)
    if not path.is_file():
        return ()
    return from_json(read_text(path), _Kept, source=str(path), version=FLAGS_VERSION).flags


def add_flags(folder: RunFolder, path: Path) -> tuple[Flag, ...]:
    """Takes a platform's ``flags.json`` and returns the flags that are new. One that says the same of the
    same call as an earlier one is not kept twice.

    Raises:
        WrongFlag: the flags are of another run, or name a call that the run does not hold.
        StorageError: the file is malformed, or can't be read or written.
    """
    reply = from_json(read_text(path), _Reply, source=str(path), version=FLAGS_VERSION)
    run_id = folder.manifest().run_id
    if reply.run_id != run_id:
        raise WrongFlag(f"{path}: $.run_id is {reply.run_id!r}, this run is {run_id!r}")
    known = set(folder.call_ids())
    for place, flag in enumerate(reply.flags):
        if flag.call_id and flag.call_id not in known:
            raise WrongFlag(f"{path}: $.flags[{place}].call_id is {flag.call_id!r}, no call of this run")
        if not flag.says.strip():
            raise StorageError(f"{path}: $.flags[{place}].says is empty; say what is wrong")
    held = read_flags(folder)
    said = {(flag.call_id, flag.says) for flag in held}
    new: list[Flag] = []
    for flag in reply.flags:
        if (flag.call_id, flag.says) not in said:
            said.add((flag.call_id, flag.says))
            new.append(Flag(f"F{len(held) + len(new) + 1}", flag.call_id, flag.says))
    _keep(folder, (*held, *new))
    return tuple(new)


def resolve_flag(folder: RunFolder, flag_id: str, status: str, answer: str) -> Flag:
    """Settles a flag.

    Raises:
        WrongFlag: no such flag, an unknown status, or no answer.
        StorageError: the flags can't be read or written.
    """
    held = read_flags(folder)
    if flag_id not in {flag.id for flag in held}:
        known = ", ".join(flag.id for flag in held) or "none"
        raise WrongFlag(f"{folder.path} has no flag {flag_id!r}; known: {known}")
    if status not in (OPEN, CONFIRMED, REJECTED):
        raise WrongFlag(f"a flag is open, confirmed or rejected, not {status!r}")
    if status != OPEN and not answer.strip():
        raise WrongFlag(f"say why {flag_id} is {status}: the platform reads the answer")
    settled = tuple(
        attrs.evolve(flag, status=status, answer=answer) if flag.id == flag_id else flag for flag in held
    )
    _keep(folder, settled)
    return next(flag for flag in settled if flag.id == flag_id)


def _keep(folder: RunFolder, flags: tuple[Flag, ...]) -> None:
    path = _place(folder)
    try:
        write_text(path, to_json(_Kept(FLAGS_VERSION, flags)) + "\n")
    except OSError as error:
        raise disk_error(path, error) from error


def _place(folder: RunFolder) -> Path:
    return folder.path / "flags.json"
