"""Which version of each grader counts on a run, and the records of regrades that changed it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import attrs

from offhook.host import PluginHost
from offhook.records import RunManifest
from offhook.storage import RunFolder, from_json, guarded, is_safe_name, read_text, to_json, write_text

__all__ = [
    "REGRADE_VERSION",
    "Change",
    "Named",
    "OtherVersion",
    "RegradeRecord",
    "current_versions",
    "grading_versions",
    "other_versions",
    "regrades",
    "write_regrade",
]

REGRADE_VERSION: Final = 1


@attrs.frozen
class Change:
    """An outcome of one grader on one call that a regrade changed. ``old`` and ``new`` are what is compared:
    the outcome, and attribution's cause behind it. ``named`` is the name that allowed it."""

    call_id: str
    task: str
    run: int
    audio: str
    grader: str
    old: str
    new: str
    named: str = ""


@attrs.frozen
class Named:
    """A call id or ``pack/TASK`` whose outcomes a regrade may change, and why."""

    name: str
    reason: str = ""


@attrs.frozen
class RegradeRecord:
    """An accepted regrade, ``regrades/NNNN.json``. ``before`` and ``after`` map graders to versions; from the
    last record on, ``after`` says which grades are current. ``score_before`` and ``score_after`` are points
    of the platform score, None where there is none."""

    version: int
    number: int
    calls: int
    before: Mapping[str, str]
    after: Mapping[str, str]
    named: tuple[Named, ...]
    changes: tuple[Change, ...]
    score_before: float | None = None
    score_after: float | None = None


@attrs.frozen
class OtherVersion:
    """A grader that is installed in another version than the one whose grades count on a run; ``installed``
    is empty where it is not there any more."""

    grader: str
    current: str
    installed: str

    def __str__(self) -> str:
        now = f"{self.installed} is installed" if self.installed else "it is not installed any more"
        return f"{self.grader}: version {self.current} counts on this run, {now}"


def grading_versions(host: PluginHost) -> dict[str, str]:
    """Name and version of every grader and reviewer that grades calls of itself."""
    graders: dict[str, str] = {name: grader.version for name, grader in host.graders().items()}
    for name, reviewer in host.reviewers().items():
        graders.setdefault(name, reviewer.version)
    return {name: version for name, version in sorted(graders.items()) if is_safe_name(version)}


def current_versions(
    folder: RunFolder, host: PluginHost, manifest: RunManifest | None = None
) -> Mapping[str, str]:
    """The version of each grader whose grades count on a run: by its last regrade, else as the run was
    begun, else as installed. A run that is older than such notes keeps the version that it has grades of.

    Raises:
        StorageError: the manifest or the record of a regrade can't be read.
    """
    pinned = _pinned(folder, manifest or folder.manifest())
    found: dict[str, str] = {}
    for name, installed in host.grade_versions().items():
        found[name] = pinned.get(name) or _graded_by(folder.path / "grades" / name, installed)
    return {name: version for name, version in {**pinned, **found}.items() if version}


def other_versions(folder: RunFolder, host: PluginHost) -> tuple[OtherVersion, ...]:
    """The graders and reviewers that a regrade would exchange. Raises as ``current_versions``."""
    installed = grading_versions(host)
    current = current_versions(folder, host)
    pinned = _pinned(folder, folder.manifest())
    return tuple(
        OtherVersion(name, current[name], installed.get(name, ""))
        for name in sorted({*installed, *pinned})
        if name in current and current[name] != installed.get(name)
    )


def regrades(folder: RunFolder) -> tuple[RegradeRecord, ...]:
    """The regrades of a run, first to last.

    Raises:
        StorageError: a record can't be read.
    """
    return tuple(
        from_json(read_text(path), RegradeRecord, source=str(path), version=REGRADE_VERSION)
        for path in _paths(folder)
    )


def write_regrade(folder: RunFolder, record: RegradeRecord) -> Path:
    """Makes the record's versions the current ones. Raises StorageError where the disk refuses."""
    place = folder.path / "regrades"
    with guarded(place):
        place.mkdir(exist_ok=True)
        path = place / f"{record.number:04d}.json"
        write_text(path, to_json(record) + "\n")
    return path


def _pinned(folder: RunFolder, manifest: RunManifest) -> dict[str, str]:
    pinned = dict(manifest.graders)
    for record in regrades(folder):
        pinned.update(record.after)
    return pinned


def _paths(folder: RunFolder) -> list[Path]:
    place = folder.path / "regrades"
    return sorted(place.glob("[0-9]*.json")) if place.is_dir() else []


def _graded_by(place: Path, installed: str) -> str:
    if not place.is_dir() or (place / installed).is_dir():
        return installed
    others = [path for path in place.iterdir() if path.is_dir() and is_safe_name(path.name)]
    return max(others, key=lambda path: (path.stat().st_mtime_ns, path.name)).name if others else installed
