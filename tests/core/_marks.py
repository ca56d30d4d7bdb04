"""A plugin whose grader and attribution say what the environment tells them, so that worker processes hear of
a changed grader too: real calls of a second each, in virtual time, on the test pack."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.packs import Pack
from offhook.records import CallKey
from offhook.runner import Done, RunOptions, carry_out, new_run
from offhook.scoring import RunSummary
from offhook.storage import RunFolder
from offhook.testing import FakeSpeech
from offhook.testing_pack import bicycle_pack
from tests.core._stand import RealTimePlatform, Terse

__all__ = ["PACK", "MarksPlugin", "install_marks", "marks_host", "placed", "says"]

SAID: Final = "OFFHOOK_TEST_MARKS"
PACK: Final = "bicycle-repair"


def _said() -> dict[str, Any]:
    told: dict[str, Any] = json.loads(os.environ.get(SAID, "{}"))
    return told


def says(monkeypatch: Any, **told: Any) -> None:
    """What the plugin does from now on, in processes that are started too: ``version`` of grader and
    reviewer, ``failing`` tasks or attempts, ``causes`` of failures, ``raising`` tasks, ``extra`` graders,
    ``printing`` ones."""
    monkeypatch.setenv(SAID, json.dumps(told))


def _names(key: CallKey) -> tuple[str, ...]:
    """``B-E1``, ``B-E1/2`` (run), ``B-E1/2/3`` (run, attempt)."""
    return (f"{key.task}/{key.run}/{key.attempt}", f"{key.task}/{key.run}", key.task)


def _named(told: Mapping[str, Any], key: CallKey) -> Any:
    return next((told[name] for name in _names(key) if name in told), None)


@attrs.frozen
class Marks:
    """The only verdict. ``length`` is a number that a version may count otherwise."""

    version: str
    failing: tuple[str, ...] = ()
    raising: tuple[str, ...] = ()
    factor: float = 1.0
    name: str = "marks"
    kind: GradeKind = GradeKind.VERDICT

    def grade(self, call: CallEvidence) -> Grade:
        key, call_id = call.record.key, call.record.call_id
        if os.environ.get("OFFHOOK_TEST_DEADLY") == call_id:
            os._exit(7)
        if os.environ.get("OFFHOOK_TEST_SLOW"):
            time.sleep(1.0)
        if _said().get("printing"):
            print("thinking aloud")
        if set(_names(key)) & set(self.raising):
            raise RuntimeError("this grader is broken")
        failed = bool(set(_names(key)) & set(self.failing))
        outcome = Outcome.FAIL if failed else Outcome.PASS
        numbers = {"length": round(self.factor * call.record.seconds, 3)}
        return Grade(self.name, self.version, self.kind, call_id, outcome, "marked", numbers)


@attrs.frozen
class Blame:
    version: str
    causes: Mapping[str, int]
    name: str = "attribution"

    def review(self, call: CallEvidence, grades: Sequence[Grade]) -> Grade:
        failed = any(grade.outcome is Outcome.FAIL for grade in grades)
        cause = _named(self.causes, call.record.key) if failed else None
        numbers = {} if cause is None else {"cause": float(cause)}
        why = "no failure" if cause is None else f"cause {cause}"
        return Grade(
            self.name, self.version, GradeKind.FINDING, call.record.call_id, Outcome.MEASURED, why, numbers
        )


@attrs.frozen
class Extra:
    name: str
    kind: GradeKind = GradeKind.MEASURE
    version: str = "1"

    def grade(self, call: CallEvidence) -> Grade:
        return Grade(self.name, "1", self.kind, call.record.call_id, Outcome.MEASURED, "one more")


class MarksPlugin(FakeSpeech):
    @hookimpl
    def offhook_adapters(self) -> Sequence[Any]:
        return [RealTimePlatform("brief", virtual_time=True), RealTimePlatform("slow")]

    @hookimpl
    def offhook_callers(self) -> Sequence[Any]:
        return [Terse("scripted")]

    @hookimpl
    def offhook_industries(self) -> Sequence[Pack]:
        return [bicycle_pack()]

    @hookimpl
    def offhook_graders(self) -> Sequence[Any]:
        told = _said()
        marks = Marks(
            told.get("version", "1"),
            tuple(told.get("failing", ())),
            tuple(told.get("raising", ())),
            told.get("factor", 1.0),
        )
        return [marks, *(Extra(name) for name in told.get("extra", ()))]

    @hookimpl
    def offhook_reviewers(self) -> Sequence[Any]:
        told = _said()
        return [Blame(told.get("blame", "1"), told.get("causes", {}))]


PLUGIN: Final = MarksPlugin()


def marks_host() -> PluginHost:
    host = PluginHost()
    assert host.register(MarksPlugin(), name="marks")
    assert not host.problems
    return host


def install_marks(folder: Path, monkeypatch: Any) -> None:
    """As a distribution of its own, found by this process and those it starts."""
    info = folder / "offhook_marks-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offhook-marks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[offhook]\nmarks = {__name__}:PLUGIN\n")
    monkeypatch.syspath_prepend(str(folder))


@attrs.frozen
class Placed:
    summary: RunSummary
    folder: RunFolder
    done: tuple[Done, ...]

    @property
    def attempts(self) -> list[tuple[str, int, int, str]]:
        """Task, run, attempt and ending of each stored call."""
        records = (self.folder.record(call_id) for call_id in self.folder.call_ids())
        return sorted((r.key.task, r.key.run, r.key.attempt, r.ending) for r in records)


def placed(tmp_path: Path, name: str = "run", **options: Any) -> Placed:
    """A run of the plugin, carried out."""
    chosen = {"platform": "brief", "images": tmp_path / "images", "out": tmp_path / name, **options}
    block = chosen.get("block", ())
    host = PluginHost.discover(block=block) if block else marks_host()
    run = new_run(RunOptions(**chosen), host)
    done: list[Done] = []
    summary = carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=done.append)
    return Placed(summary, run.folder, tuple(done))
