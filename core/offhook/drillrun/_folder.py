"""A drill run on disk: ``drills.json``, one folder a drill, and the marks beside them.

``drills/<id>/`` holds ``record.json``, a mono tape per participant (FLAC, 24 kHz) and the pictures that
arrived. It is written whole and never changed; ``marks/<version of the drill>/<id>.json`` may be written
again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs
from filelock import FileLock

from offhook.drillrun._plan import MOST_RUNS
from offhook.drillrun._records import DRILL_RECORD_VERSION
from offhook.drills import DrillMark, DrillRecord
from offhook.records import ComponentInfo
from offhook.runner.engines import EngineChoice
from offhook.storage import (
    StorageError,
    WholeFolders,
    from_json,
    guarded,
    is_safe_name,
    lock_folder,
    note_failure,
    read_text,
    to_json,
    write_text,
)

__all__ = ["DRILLS_VERSION", "DrillFolder", "DrillManifest"]

DRILLS_VERSION: Final = 1


@attrs.frozen
class DrillManifest:
    """``drills.json``: what was planned and with what. ``drills`` maps each drill to its version, ``order``
    lists them as they are held.
    """

    version: int
    run_id: str
    seed: int
    platform: str
    order: tuple[str, ...]
    drills: Mapping[str, str]
    runs: int
    harness_reference: bool
    agent_sha256: str
    engines: Mapping[str, str]
    platform_options: Mapping[str, str]
    components: tuple[ComponentInfo, ...]
    wall: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class DrillFolder:
    """The directory of one drill run."""

    path: Path

    @classmethod
    def create(cls, path: Path, manifest: DrillManifest) -> DrillFolder:
        """Starts a new run. Raises StorageError if the folder holds anything, or the disk refuses."""
        cls.refuse_filled(path)
        with guarded(path):
            (path / "drills").mkdir(parents=True, exist_ok=True)
            write_text(path / "drills.json", to_json(manifest) + "\n")
        return cls(path)

    @staticmethod
    def refuse_filled(path: Path) -> None:
        """Raises StorageError if there is a run, or anything else, in the folder."""
        if (path / "drills.json").exists():
            raise StorageError(f"{path} already holds a drill run; give another --out, or --resume it")
        with guarded(path):
            filled = path.is_dir() and any(entry.name not in ("drills", ".lock") for entry in path.iterdir())
        if filled:
            raise StorageError(f"{path} is not empty and holds no drill run; give --out a new folder")

    @classmethod
    def open(cls, path: Path) -> DrillFolder:
        """Opens an existing run. Raises StorageError if the folder holds none."""
        if not (path / "drills.json").is_file():
            raise StorageError(f"{path} holds no drill run (no drills.json); see `offhook drill --help`")
        return cls(path)

    def manifest(self) -> DrillManifest:
        """Raises StorageError if it is malformed, makes no sense or is of another version."""
        path = self.path / "drills.json"
        manifest = from_json(read_text(path), DrillManifest, source=str(path), version=DRILLS_VERSION)
        fault = _fault_of(manifest)
        if fault:
            raise StorageError(f"{path}: {fault}")
        return manifest

    def withdraw(self) -> None:
        """Removes a run in which nothing was held. Whatever else is in the folder stays there."""
        if self.ids():
            return
        self.sweep()
        with suppress(OSError):
            (self.path / "drills.json").unlink()
            (self.path / ".lock").unlink(missing_ok=True)
            (self.path / "drills").rmdir()
            self.path.rmdir()

    @property
    def _stored(self) -> WholeFolders:
        return WholeFolders(self.path / "drills")

    def lock(self) -> FileLock:
        """Held while a run writes. Raises StorageError if another process holds it."""
        return lock_folder(self.path)

    def ids(self) -> tuple[str, ...]:
        """The drills that were held, sorted."""
        return self._stored.ids()

    def drill_folder(self, drill_id: str) -> Path:
        return self.path / "drills" / drill_id

    def record(self, drill_id: str) -> DrillRecord:
        """Raises StorageError if it is missing, malformed, of another version or another drill's."""
        path = self.drill_folder(drill_id) / "record.json"
        record = from_json(read_text(path), DrillRecord, source=str(path), version=DRILL_RECORD_VERSION)
        if record.drill_id != drill_id:
            raise StorageError(f"{path}: $.drill_id is {record.drill_id!r}, expected {drill_id!r}")
        return record

    def check_files(self, record: DrillRecord) -> tuple[str, ...]:
        """One line for each file of a drill that is missing or no longer what the record says it was."""
        return self._stored.check(record.drill_id, record.files)

    def scratch(self, drill_id: str) -> Path:
        """An empty folder for a drill in progress."""
        return self._stored.scratch(drill_id)

    def commit(self, scratch: Path, record: DrillRecord) -> Path:
        """Writes the record and puts the folder in its place. Raises StorageError if the disk refuses."""
        return self._stored.commit(scratch, record.drill_id, to_json(record) + "\n")

    def sweep(self) -> int:
        """Removes what dying processes left. Call it only while holding the lock."""
        return self._stored.sweep()

    def note_failure(self, drill_id: str, trace: str) -> None:
        """Keeps a traceback for bug reports, under ``failures/``."""
        note_failure(self.path, drill_id, trace)

    def write_mark(self, mark: DrillMark) -> None:
        """Raises StorageError if the version can't name a folder, or the disk refuses."""
        if not is_safe_name(mark.version):
            raise StorageError(f"no folder can be named after version {mark.version!r} of drill {mark.drill}")
        folder = self.path / "marks" / mark.version
        with guarded(folder):
            folder.mkdir(parents=True, exist_ok=True)
            write_text(folder / f"{mark.drill_id}.json", to_json(mark) + "\n")

    def mark(self, drill_id: str, version: str) -> DrillMark | None:
        """What a version of the drill made of it; None if it was not asked yet.

        Raises:
            StorageError: the file is malformed.
        """
        path = self.path / "marks" / version / f"{drill_id}.json"
        if not (is_safe_name(version) and path.is_file()):
            return None
        return from_json(read_text(path), DrillMark, source=str(path))


def _fault_of(manifest: DrillManifest) -> str:
    """What makes no sense in a manifest, if anything does."""
    order = manifest.order
    engines = {field.name for field in attrs.fields(EngineChoice)}
    if not 1 <= manifest.runs <= MOST_RUNS:
        return f"$.runs is {manifest.runs}, expected 1 to {MOST_RUNS}"
    if manifest.seed < 0:
        return f"$.seed is {manifest.seed}, expected 0 or more"
    if not order or "all" in order or len(set(order)) != len(order):
        return f"$.order is {list(order)!r}, expected names of drills, each once"
    if set(manifest.drills) != set(order):
        return f"$.drills names {sorted(manifest.drills)!r}, expected the drills of $.order"
    if not engines.issuperset(manifest.engines):
        return f"$.engines names {sorted(set(manifest.engines) - engines)!r}, expected {sorted(engines)!r}"
    return ""
