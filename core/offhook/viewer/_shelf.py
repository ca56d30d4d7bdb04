"""What the served pages show of the runs in a folder. Read again whenever a run has grown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

import attrs

from offhook.drillrun import DrillFolder, DrillSummary, read_drill_run
from offhook.drillrun._page import drill_page
from offhook.host import PluginHost
from offhook.records import RunManifest
from offhook.report import report_page
from offhook.report._data import run_data
from offhook.report._sound import is_inside
from offhook.runner import read_run, summarise
from offhook.scoring import RunSummary
from offhook.storage import RunFolder, StorageError, one_line
from offhook.viewer._compare import RunComparison, compare_runs
from offhook.viewer._find import FoundRun, find_runs

__all__ = ["NoSuchRun", "Shelf"]

T = TypeVar("T")

_LISTED: Final = (
    "id", "platform", "line", "seed", "runs", "started", "harness_reference", "saboteur", "counts", "rate",
)  # fmt: skip


class NoSuchRun(Exception):
    """No run of that name lies under the folder."""


@attrs.frozen
class _Read:
    manifest: RunManifest
    summary: RunSummary
    damaged: int


@attrs.define(eq=False)
class Shelf:
    """The runs under ``root``. Safe to use from several threads; no evidence is ever changed."""

    root: Path
    host: PluginHost
    _kept: dict[tuple[str, str], tuple[object, Any]] = attrs.field(factory=dict, init=False)
    _lock: threading.RLock = attrs.field(factory=threading.RLock, init=False)

    def rows(self) -> list[dict[str, Any]]:
        """One row a run, as plain JSON data. A run that can't be read has its reason under ``broken``."""
        return [self._row(found) for found in find_runs(self.root)]

    def find(self, name: str, kind: str = "run") -> FoundRun:
        """Raises NoSuchRun for every name that the list does not hold, whatever path it spells."""
        for found in find_runs(self.root):
            if (found.name, found.kind) == (name, kind):
                return found
        raise NoSuchRun(f"no run {name!r} under {self.root}")

    def report(self, name: str) -> str:
        """The run's report, with the sound of each call at an address of its own.

        Raises:
            NoSuchRun: there is none of that name.
            StorageError: its manifest is malformed.
        """
        found = self.find(name)
        folder = RunFolder(found.path)

        def source(_: RunFolder, call_id: str) -> str:
            return "sound?" + urlencode({"run": name, "call": call_id})

        return self._fresh(
            "report",
            found,
            _files(found.path, "run.json", "calls", "grades"),
            lambda: report_page(folder, self.host, source=source, home="./"),
        )

    def drill_page(self, name: str) -> str:
        """The page of a drill run as far as it has come, with its sound inside. It is drawn afresh: a page
        that lies in a run's folder may be anybody's work.

        Raises:
            NoSuchRun: there is none of that name.
            StorageError: its manifest is malformed.
        """
        found = self.find(name, "drills")
        return self._fresh(
            "drill page",
            found,
            _drill_stamp(found.path),
            lambda: drill_page(
                DrillFolder(found.path), self._drills(found), dict(self.host.drills()), home="./"
            ),
        )

    def recording(self, name: str, call_id: str) -> Path:
        """The recording of a call.

        Raises:
            NoSuchRun: no such run, or no such call with sound of its own in it.
        """
        folder = RunFolder(self.find(name).path)
        recording = folder.call_folder(call_id) / "recording.flac"
        there = call_id in folder.call_ids() and recording.is_file()
        if not there or not is_inside(recording, folder.path):
            raise NoSuchRun(f"no sound of a call {call_id!r} in run {name!r}")
        return recording

    def compared(self, a: str, b: str) -> dict[str, Any]:
        """Two runs side by side, as plain JSON data.

        Raises:
            NoSuchRun: there is none of that name.
            StorageError: a manifest is malformed.
        """
        found = {"a": self.find(a), "b": self.find(b)}
        read = {side: self._read(run) for side, run in found.items()}
        left, right = read["a"], read["b"]
        comparison: RunComparison = compare_runs(
            (left.manifest, left.summary),
            (right.manifest, right.summary),
            a_versions=_graded_with(found["a"].path),
            b_versions=_graded_with(found["b"].path),
        )
        sides = {
            side: {
                **run_data(each.manifest, each.summary),
                "name": found[side].name,
                "options": dict(each.manifest.platform_options),
            }
            for side, each in read.items()
        }
        return {**sides, **attrs.asdict(comparison)}

    def _row(self, found: FoundRun) -> dict[str, Any]:
        try:
            if found.kind == "drills":
                return self._drill_row(found)
            read = self._read(found)
        except StorageError as error:
            return {"name": found.name, "kind": found.kind, "broken": one_line(str(error))}
        except Exception as error:  # whatever lies in one folder, the others are listed
            return {"name": found.name, "kind": found.kind, "broken": one_line(error)}
        data = run_data(read.manifest, read.summary)
        row = {key: data[key] for key in _LISTED}
        score = {"points": read.summary.score.points, "out_of": read.summary.score.out_of}
        return {
            **row,
            "name": found.name,
            "kind": "run",
            "tasks": len(read.manifest.tasks),
            "score": score,
            "damaged": read.damaged,
        }

    def _drill_row(self, found: FoundRun) -> dict[str, Any]:
        summary = self._drills(found)
        manifest = summary.manifest
        return {
            "name": found.name,
            "kind": "drills",
            "platform": manifest.platform,
            "started": manifest.wall.get("started", ""),
            "harness_reference": manifest.harness_reference,
            "saboteur": False,
            "mean": summary.mean,
            "drills": len(manifest.order),
            "runs": manifest.runs,
            "counts": dict(summary.counts),
            "damaged": len(summary.damaged),
        }

    def _drills(self, found: FoundRun) -> DrillSummary:
        folder = DrillFolder(found.path)
        return self._fresh("drills", found, _drill_stamp(found.path), lambda: read_drill_run(folder))

    def _read(self, found: FoundRun) -> _Read:
        def read() -> _Read:
            stored = read_run(RunFolder(found.path), self.host)
            return _Read(stored.manifest, summarise(stored, self.host), len(stored.damaged))

        return self._fresh("summary", found, _stamps(found.path), read)

    def _fresh(self, what: str, found: FoundRun, stamp: object, make: Callable[[], T]) -> T:
        """What was made before, unless the files it was made of have changed since."""
        key = (what, found.name)
        with self._lock:  # two cores gain little from reading one run twice
            kept = self._kept.get(key)
            if kept is None or kept[0] != stamp:
                kept = self._kept[key] = (stamp, make())
        value: T = kept[1]
        return value


def _graded_with(run: Path) -> Mapping[str, tuple[str, ...]]:
    """The versions there are grades of, per grader."""
    graders = _folders(run / "grades")
    return {grader.name: tuple(version.name for version in _folders(grader)) for grader in graders}


def _stamps(run: Path) -> object:
    """Changes whenever a figure of the run may: a call comes in, a record is damaged, a call is graded."""
    records = [call / "record.json" for call in _folders(run / "calls")]
    versions = [version for grader in _folders(run / "grades") for version in _folders(grader)]
    return [_stamp(path) for path in (run / "run.json", *records, *versions)]


def _files(run: Path, *parts: str) -> object:
    """As ``_stamps``, but of every file there is in some parts of a run."""
    paths = [path for part in parts for path in (run / part, *sorted((run / part).rglob("*")))]
    return [_stamp(path) for path in paths]


def _drill_stamp(run: Path) -> object:
    return _files(run, "drills.json", "drills", "marks")


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        stat = path.stat()
    except OSError:
        return str(path), 0, -1
    return str(path), stat.st_mtime_ns, stat.st_size


def _folders(place: Path) -> list[Path]:
    try:
        return sorted(entry for entry in place.iterdir() if entry.is_dir())
    except OSError:
        return []
