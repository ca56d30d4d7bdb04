"""Runs: stopped, resumed, watched by plugins, and what is done about a worker that dies."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.packs import Pack
from offhook.records import CallKey, CallRecord, RunManifest
from offhook.runner import Done, RunOptions, UnknownName, carry_out, new_run, resume_run, summary_of, work_all
from offhook.runner._process import WorkerDied, WorkerProcess
from offhook.runner.work import LocalWorker
from offhook.storage import StorageError
from offhook.testing_pack import bicycle_pack
from tests.core._integrators import World
from tests.core._platforms import Platform, Quiet, host_of, odd_host
from tests.core._runs import placed


class Watcher:
    """Keeps what the lifecycle hooks tell."""

    def __init__(self) -> None:
        self.started: list[CallKey] = []
        self.finished: list[tuple[str, Path]] = []
        self.runs: list[RunManifest] = []

    @hookimpl
    def offhook_call_started(self, key: CallKey) -> None:
        self.started.append(key)

    @hookimpl
    def offhook_call_finished(self, record: CallRecord, folder: Path) -> None:
        assert (folder / "record.json").is_file()
        self.finished.append((record.call_id, folder))

    @hookimpl
    def offhook_run_finished(self, manifest: RunManifest, folder: Path) -> None:
        self.runs.append(manifest)


class Raising:
    @hookimpl
    def offhook_call_started(self, key: CallKey) -> None:
        raise RuntimeError("this integrator is broken")


def test_lifecycle_hooks_are_called_once_each_and_cannot_break_a_run(tmp_path: Path) -> None:
    watcher = Watcher()
    host = host_of(more=[Raising(), watcher])
    run = placed(tmp_path, host, tasks=("bicycle-repair",), line="text")
    assert run.summary.passed == 2
    assert sorted(key.task for key in watcher.started) == ["B-E1", "B-H1"]
    assert sorted(call_id for call_id, _ in watcher.finished) == list(run.folder.call_ids())
    assert [manifest.run_id for manifest in watcher.runs] == [run.summary.run_id]
    assert any("this integrator is broken" in problem.what for problem in host.problems)


def test_a_stopped_run_resumes_what_is_left(tmp_path: Path) -> None:
    watcher = Watcher()
    host = host_of(more=[watcher])
    options = RunOptions(
        platform="reference", out=tmp_path / "run", images=tmp_path / "images", line="text", runs=3
    )
    run = new_run(options, host)
    stop = threading.Event()
    first = carry_out(run, stop=stop, on_started=lambda _: None, on_done=lambda _: stop.set())
    assert (first.planned, first.graded, first.missing) == (6, 1, 5)
    assert watcher.runs == []
    before = {call_id: run.folder.record(call_id) for call_id in run.folder.call_ids()}
    again = resume_run(tmp_path / "run", host, workers=1)
    assert {call.call_id for call in again.todo}.isdisjoint(before)
    last = carry_out(again, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (last.graded, last.missing) == (6, 0)
    assert len(watcher.runs) == 1
    assert {call_id: run.folder.record(call_id) for call_id in before} == before


def test_a_resumed_run_goes_on_with_the_next_attempt_of_a_void(tmp_path: Path) -> None:
    host = host_of(Platform(Quiet))
    options = RunOptions(platform="odd", out=tmp_path / "run", images=tmp_path / "images", tasks=("B-E1",))
    stop = threading.Event()
    carry_out(new_run(options, host), stop=stop, on_started=lambda _: None, on_done=lambda _: stop.set())
    again = resume_run(tmp_path / "run", host, workers=1)
    assert [call.key.attempt for call in again.todo] == [2]
    summary = carry_out(again, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (summary.graded, summary.voided_attempts) == (1, 2)


def test_a_changed_pack_is_not_resumed(tmp_path: Path) -> None:
    placed(tmp_path, host_of(), line="text")

    class Changed(World):
        @hookimpl
        def offhook_industries(self) -> Sequence[Pack]:
            return [attrs.evolve(bicycle_pack(), version="99")]

    host = PluginHost()
    host.register(Changed(), name="changed")
    with pytest.raises(StorageError, match="pack bicycle-repair has changed"):
        resume_run(tmp_path / "run", host, workers=1)


def test_calls_that_were_stored_and_not_graded_are_graded_at_the_end(tmp_path: Path) -> None:
    host = host_of()
    run = placed(tmp_path, host, line="text")
    for grade in (run.folder.path / "grades").rglob("*.json"):
        grade.unlink()
    assert summary_of(run.folder, host).error == 1
    again = resume_run(tmp_path / "run", host, workers=1)
    summary = carry_out(again, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    assert (summary.passed, summary.error) == (1, 0)


def test_an_unknown_audio_condition_names_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="unknown audio condition 'clan'; nearest: clean"):
        placed(tmp_path, host_of(), audio=("clan",))


@pytest.mark.parametrize("stored", [True, False])
def test_a_call_that_was_stored_before_its_worker_died_is_done(
    stored: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = odd_host()
    options = RunOptions(
        platform="odd", out=tmp_path / "run", images=tmp_path / "images", tasks=("B-E1",), workers=2
    )
    run = new_run(options, host)
    local = LocalWorker(options, run.folder, host=host)

    def dying(self: WorkerProcess, planned: Any) -> Any:
        if stored:
            local.place(planned)
        raise WorkerDied("killed")

    monkeypatch.setattr(WorkerProcess, "ask", dying)
    done: list[Done] = []
    work_all(
        run.todo,
        options,
        run.folder,
        stop=threading.Event(),
        on_started=lambda _: None,
        on_done=done.append,
        host=host,
    )
    assert [(one.ending, one.lost) for one in done] == [("completed", False) if stored else ("error", True)]
