"""Runs on disk: JSON with versions, call folders written whole and renamed into place, grades beside them."""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import re
import shutil
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import attrs
import cattrs
from filelock import FileLock, Timeout

from offhook.grading import Grade, Measurement
from offhook.records import RECORD_VERSION, RUN_VERSION, CallRecord, FileStamp, RunManifest, ToolLogEntry

__all__ = [
    "GRADE_VERSION",
    "MAX_PLANNED",
    "MOST_ATTEMPTS",
    "RunFolder",
    "StorageError",
    "WholeFolders",
    "clean_text",
    "disk_error",
    "file_stamp",
    "from_json",
    "guarded",
    "is_safe_name",
    "lock_folder",
    "note_failure",
    "one_line",
    "read_text",
    "to_json",
    "write_text",
]

GRADE_VERSION: Final = 1
MAX_PLANNED: Final = 100_000
"""More calls than this no run plans: whoever reads one makes a key for each."""

MOST_ATTEMPTS: Final = 20
"""Attempts that a planned call may have at most."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SAFE_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")

T = TypeVar("T")


class StorageError(Exception):
    """A run folder can't be read or written; the message names the file, the path inside it and what was
    expected.
    """


def to_json(value: object) -> str:
    """Canonical JSON: sorted keys, no spaces, UTF-8; equal values give equal text."""
    return json.dumps(
        cattrs.unstructure(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def from_json(text: str, kind: type[T], *, source: str, version: int | None = None) -> T:
    """Reads a frozen class back from JSON.

    Raises: StorageError: not JSON, another version, or a value that does not fit; names source, path and
    expectation.
    """
    try:
        data = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{source}: not JSON ({error})") from None
    if version is not None:
        found = data.get("version") if isinstance(data, dict) else None
        if found != version:
            raise StorageError(
                f"{source}: $.version is {found!r}, expected {version}; it was written by another offhook"
            )
    try:
        return _strict_converter().structure(data, kind)
    except Exception as error:
        faults = cattrs.transform_error(error, path="$")
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        raise StorageError(f"{source}: {'; '.join(faults[:3])}{more}") from None


def _finite(literal: str) -> float:
    """JSON has no NaN and no infinity, though Python reads both, the latter out of 1e999 too."""
    number = float(literal)
    if not math.isfinite(number):
        raise ValueError(f"{literal} is not a finite number")
    return number


@cache
def _strict_converter() -> cattrs.Converter:
    """One for all reads: building one compiles a hook per class."""
    return cattrs.Converter(forbid_extra_keys=True)


def clean_text(text: str) -> str:
    """Text that UTF-8 can hold: each lone surrogate becomes U+FFFD, the rest stays as it is."""
    return _SURROGATE.sub("\ufffd", text)


def one_line(value: object) -> str:
    """A value as one clean line of text; an exception is led by its type."""
    text = f"{type(value).__name__}: {value}" if isinstance(value, BaseException) else str(value)
    return " ".join(clean_text(text).split())


def is_safe_name(name: object) -> bool:
    """Whether a name can stand for a folder: letters, digits, ``.``, ``_`` and ``-``, with no leading dot."""
    return isinstance(name, str) and _SAFE_NAME.fullmatch(name) is not None


def write_text(path: Path, text: str, *, durable: bool = True) -> None:
    """Writes a file whole or not at all: beside its place first, then renamed into it. What can be made again
    need not be ``durable``, and is written much faster.

    Raises:
        OSError: the disk refuses.
        UnicodeError: UTF-8 can't hold the text; see ``clean_text``.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except (OSError, UnicodeError):
        with suppress(OSError):
            temporary.unlink()
        raise


def file_stamp(path: Path) -> FileStamp:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return FileStamp(path.name, digest.hexdigest(), path.stat().st_size)


@attrs.frozen
class WholeFolders:
    """Folders under one parent, each with a ``record.json``, that are there whole or not at all: written
    beside their place, then renamed into it, and never changed.
    """

    parent: Path

    def ids(self) -> tuple[str, ...]:
        """What is there, sorted."""
        if not self.parent.is_dir():
            return ()
        entries = (entry for entry in self.parent.iterdir() if entry.is_dir())
        return tuple(sorted(entry.name for entry in entries if not entry.name.startswith(".")))

    def scratch(self, name: str) -> Path:
        """An empty folder to write in, in the same file system, so that it can be renamed into place."""
        folder = self.parent / f".{name}.{os.getpid()}"
        with guarded(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        return folder

    def commit(self, scratch: Path, name: str, record: str) -> Path:
        """Writes ``record.json`` and renames the scratch folder into place.

        Raises:
            StorageError: it exists already, or the disk refuses.
        """
        target = self.parent / name
        with guarded(target):
            write_text(scratch / "record.json", record)
            for entry in scratch.iterdir():
                _sync(entry)
            _sync(scratch)
            if target.exists():
                raise StorageError(f"{target} exists already; a stored folder is never changed")
            scratch.rename(target)
            _sync(target.parent)
        return target

    def check(self, name: str, stamps: Iterable[FileStamp]) -> tuple[str, ...]:
        """One line for each file that is missing or no longer what its stamp says."""
        problems = []
        for stamp in stamps:
            path = self.parent / name / stamp.name
            try:
                intact = file_stamp(path) == stamp
            except OSError as error:
                problems.append(f"cannot read {path}: {error.strerror or error}")
                continue
            if not intact:
                problems.append(f"{path} is truncated or altered: its SHA-256 is not the one in record.json")
        return tuple(problems)

    def sweep(self) -> int:
        """Removes the scratch folders that dying processes left; returns how many."""
        left = (
            [entry for entry in self.parent.iterdir() if entry.name.startswith(".")]
            if self.parent.is_dir()
            else []
        )
        for entry in left:
            shutil.rmtree(entry, ignore_errors=True)
        return len(left)


def lock_folder(path: Path) -> FileLock:
    """Takes the lock of a run folder, so that two processes never fill one. Raises StorageError if another
    holds it.
    """
    lock = FileLock(path / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise StorageError(f"{path} is being written by another offhook process") from None
    except OSError as error:
        raise disk_error(path, error) from error
    return lock


def note_failure(path: Path, name: str, trace: str) -> None:
    """Keeps a traceback for bug reports under ``failures/`` of a run folder."""
    folder = path / "failures"
    with guarded(folder):
        folder.mkdir(exist_ok=True)
        write_text(folder / f"{name}.txt", clean_text(trace))


@attrs.frozen
class RunFolder:
    """The directory of one run."""

    path: Path

    @classmethod
    def create(cls, path: Path, manifest: RunManifest) -> RunFolder:
        """Starts a new run.

        Raises:
            StorageError: there is a run already, it plans more than ``MAX_PLANNED`` calls, or the disk
                refuses.
        """
        cls.refuse_existing(path)
        _check_size(manifest, path / "run.json")
        with guarded(path):
            (path / "calls").mkdir(parents=True, exist_ok=True)
            write_text(path / "run.json", to_json(manifest) + "\n")
        return cls(path)

    @staticmethod
    def refuse_existing(path: Path) -> None:
        """Raises StorageError if there is a run in the folder already."""
        if (path / "run.json").exists():
            raise StorageError(f"{path} already holds a run; give another --out, or --resume it")

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Opens an existing run.

        Raises:
            StorageError: the folder holds no run.
        """
        if not (path / "run.json").is_file():
            raise StorageError(f"{path} holds no run (no run.json); see `offhook run --help`")
        return cls(path)

    def manifest(self) -> RunManifest:
        path = self.path / "run.json"
        manifest = from_json(read_text(path), RunManifest, source=str(path), version=RUN_VERSION)
        _check_size(manifest, path)
        return manifest

    def lock(self) -> FileLock:
        """Held while a run writes, so two processes never fill one folder. Raises StorageError if another
        holds it.
        """
        return lock_folder(self.path)

    def call_ids(self) -> tuple[str, ...]:
        """Finished calls, sorted."""
        return self._calls.ids()

    @property
    def _calls(self) -> WholeFolders:
        return WholeFolders(self.path / "calls")

    def call_folder(self, call_id: str) -> Path:
        return self.path / "calls" / call_id

    def record(self, call_id: str) -> CallRecord:
        """Raises StorageError if it is missing, malformed, of another version or another call's."""
        path = self.call_folder(call_id) / "record.json"
        record = from_json(read_text(path), CallRecord, source=str(path), version=RECORD_VERSION)
        if record.call_id != call_id:
            raise StorageError(f"{path}: $.call_id is {record.call_id!r}, expected {call_id!r}")
        return record

    def check_files(self, record: CallRecord) -> tuple[str, ...]:
        """One line for each file of a call that is missing or no longer what the record says it was."""
        return self._calls.check(record.call_id, record.files)

    def tools(self, call_id: str) -> tuple[ToolLogEntry, ...]:
        path = self.call_folder(call_id) / "tools.jsonl"
        return tuple(
            from_json(line, ToolLogEntry, source=f"{path}:{number}")
            for number, line in enumerate(read_text(path).splitlines(), start=1)
        )

    def scratch(self, call_id: str) -> Path:
        """An empty folder for a call in flight, inside the run's file system so that it can be renamed into
        place.
        """
        return self._calls.scratch(call_id)

    def discard(self, scratch: Path) -> None:
        """Drops a scratch folder of a call that will not be written."""
        shutil.rmtree(scratch, ignore_errors=True)

    def note_failure(self, call_id: str, trace: str) -> None:
        """Keeps the traceback of a call that failed, for bug reports, under ``failures/``."""
        note_failure(self.path, call_id, trace)

    def commit_call(self, scratch: Path, record: CallRecord) -> Path:
        """Writes ``record.json`` and renames the scratch folder into place: a call is there whole or not at
        all.

        Raises:
            StorageError: the call exists already, or the disk refuses.
        """
        return self._calls.commit(scratch, record.call_id, to_json(record) + "\n")

    def sweep(self) -> int:
        """Removes what calls in flight left behind when their process died. Call it only while holding the
        lock.
        """
        return self._calls.sweep()

    def write_grades(self, call_id: str, grades: Iterable[Grade]) -> None:
        """Puts each grade under ``grades/<grader>/<version>/``; evidence is never touched. What a power cut
        takes of them can be made again.

        Raises:
            StorageError: a grade's names can't be folders, or the disk refuses.
        """
        for grade in grades:
            if not (is_safe_name(grade.grader) and is_safe_name(grade.version)):
                raise StorageError(
                    f"no folder can be named after grader {grade.grader!r}, version {grade.version!r}"
                )
            folder = self.path / "grades" / grade.grader / grade.version
            with guarded(folder):
                folder.mkdir(parents=True, exist_ok=True)
                write_text(folder / f"{call_id}.json", to_json(grade) + "\n", durable=False)

    def grades(self, call_id: str, versions: Mapping[str, str] | None = None) -> tuple[Grade, ...]:
        """The grades of one call, sorted by grader; ``versions`` picks one version per grader (default: the
        newest written).
        """
        root = self.path / "grades"
        found = []
        for grader in sorted(root.iterdir()) if root.is_dir() else []:
            if versions is not None and not is_safe_name(versions.get(grader.name)):
                continue
            options = [grader / versions[grader.name]] if versions is not None else list(grader.iterdir())
            paths = [
                option / f"{call_id}.json" for option in options if (option / f"{call_id}.json").is_file()
            ]
            if paths:
                newest = max(paths, key=lambda path: (path.stat().st_mtime_ns, path.parent.name))
                found.append(from_json(read_text(newest), Grade, source=str(newest)))
        return tuple(found)

    def write_measurement(self, measurement: Measurement) -> None:
        """Puts a measurement under ``measurements/<measurer>/<version>/``, tied to the call's record.

        Raises:
            StorageError: there is no such call, or the disk refuses.
        """
        call_id = measurement.call_id
        folder = self.path / "measurements" / measurement.measurer / measurement.version
        kept = _KeptMeasurement(self._record_sha256(call_id), measurement)
        with guarded(folder):
            folder.mkdir(parents=True, exist_ok=True)
            write_text(folder / f"{call_id}.json", to_json(kept) + "\n", durable=False)

    def measurement(self, call_id: str, measurer: str, version: str) -> Measurement | None:
        """A stored measurement; None where there is none, or it is damaged or of another record."""
        path = self.path / "measurements" / measurer / version / f"{call_id}.json"
        if not path.is_file():
            return None
        try:
            kept = from_json(read_text(path), _KeptMeasurement, source=str(path))
            stamps = (self._record_sha256(call_id), measurer, version, call_id)
        except StorageError:
            return None
        found = kept.measurement
        same = (kept.record_sha256, found.measurer, found.version, found.call_id) == stamps
        return found if same else None

    def _record_sha256(self, call_id: str) -> str:
        return file_stamp(self.call_folder(call_id) / "record.json").sha256


@attrs.frozen
class _KeptMeasurement:
    record_sha256: str
    measurement: Measurement


def _check_size(manifest: RunManifest, path: Path) -> None:
    if not 1 <= manifest.attempts <= MOST_ATTEMPTS:
        raise StorageError(f"{path}: $.attempts is {manifest.attempts}, expected 1 to {MOST_ATTEMPTS}")
    per_run = sum(len(manifest.tasks_under(condition)) for condition in manifest.audio)
    if max(manifest.runs, manifest.runs * per_run) > MAX_PLANNED:
        most = MAX_PLANNED // max(1, per_run)
        raise StorageError(f"{path}: $.runs is {manifest.runs}, expected at most {most} with these tasks")


def disk_error(place: Path, error: OSError) -> StorageError:
    """What a refusal of the disk means for the user, in one line."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageError(
            f"no space left to write {place}; free some, then give the command again (a run: with --resume)"
        )
    return StorageError(f"cannot write {place}: {error.strerror or error}")


class guarded:
    """Turns an OSError into one line that names the place."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise disk_error(self._place, error) from error


def read_text(path: Path) -> str:
    """A file of UTF-8 text. Raises StorageError, in one line that names it."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise StorageError(f"{path}: not UTF-8 text") from None


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
