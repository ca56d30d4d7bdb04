"""The demo's calls to three packs, placed for real: synthetic speech, recognition, tool server, graders."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.cli.demo import DEMO_TASKS
from offhook.host import PluginHost
from offhook.packs import Tier
from offhook.runner import Done, RunOptions, carry_out, new_run, pick_tasks
from offhook.scoring import RunSummary
from offhook.storage import RunFolder

pytestmark = pytest.mark.speech

OFFHOOK = Path(sys.executable).with_name("offhook")
MEMBERSHIP = ("T4-E1", "T4-M2", "T4-M3", "T4-H1", "T4-H3", "T5-E1", "customer-support/R-E1")
VERIFIED = {"T4-M2", "T4-M3", "T4-H1", "T4-H3"}
CANCELLED = {"T4-H1", "T4-H3"}

Place = Callable[..., tuple[RunSummary, RunFolder]]


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost.discover()


@pytest.fixture(scope="module")
def place(host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> Place:
    def placed(
        platform: str = "reference",
        tasks: tuple[str, ...] = DEMO_TASKS,
        host: PluginHost = host,
        **more: Any,
    ) -> tuple[RunSummary, RunFolder]:
        out = tmp_path_factory.mktemp(platform) / "run"
        run = new_run(RunOptions(platform=platform, out=out, tasks=tasks, **more), host)
        done: list[Done] = []
        summary = carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=done.append)
        assert len(done) == summary.planned
        return summary, run.folder

    return placed


def _failed(summary: RunSummary) -> dict[str, str]:
    return {result.record.key.task: result.why for result in summary.calls if result.state != "passed"}


def test_the_demo_has_each_pack_and_each_tier(host: PluginHost) -> None:
    tasks = pick_tasks(host.packs(), DEMO_TASKS)
    assert len({task.id for task in tasks}) == len(DEMO_TASKS) == 7
    assert {task.pack for task in tasks} == {"customer-support", "healthcare", "legal"}
    assert {task.tier for task in tasks} == set(Tier)


def test_every_call_of_the_demo_passes(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    done = subprocess.run(
        [OFFHOOK, "demo", "--out", out, "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [result[name] for name in ("graded", "passed", "void", "error")] == [7, 7, 0, 0], done.stderr
    assert result["score_out_of"] == 100
    folder = RunFolder.open(out)
    records = [folder.record(call_id) for call_id in folder.call_ids()]
    assert {f"{record.key.pack}/{record.key.task}" for record in records} == set(DEMO_TASKS)
    for record in records:
        assert record.off_script == ()
        assert record.key.task == "R-E1" or record.hung_up_because == "satisfied"
        assert {stamp.name for stamp in record.files} == {
            "recording.flac",
            "caller.flac",
            "platform.json",
            "tools.jsonl",
            "state.sqlite",
        }


@pytest.mark.slow
def test_three_runs_pass_and_are_three_different_calls(place: Place) -> None:
    summary, folder = place(seed=2, runs=3)
    assert _failed(summary) == {}
    assert summary.passed == 21
    recordings: dict[str, set[str]] = {}
    for call_id in folder.call_ids():
        record = folder.record(call_id)
        (stamp,) = [file for file in record.files if file.name == "caller.flac"]
        recordings.setdefault(record.key.task, set()).add(stamp.sha256)
    assert {task: len(hashes) for task, hashes in recordings.items()} == {
        task.partition("/")[2]: 3 for task in DEMO_TASKS
    }


def test_equal_seeds_give_byte_identical_records(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also where the second run starts with an empty cache: nothing but the seed decides what a call is."""
    tasks = ("T4-E1", "T4-H1")
    _, first = place(tasks=tasks, seed=5)
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path))
    _, second = place(tasks=tasks, seed=5, host=PluginHost.discover())
    assert first.call_ids() == second.call_ids()
    for call_id in first.call_ids():
        one, two = first.record(call_id), second.record(call_id)
        assert attrs.evolve(one, wall={}) == attrs.evolve(two, wall={})
        for stamp in one.files:
            paths = [folder.call_folder(call_id) / stamp.name for folder in (first, second)]
            assert paths[0].read_bytes() == paths[1].read_bytes(), stamp.name


@pytest.mark.parametrize(
    ("saboteur", "fails", "evidence"),
    [
        ("saboteur-skips-verification", VERIFIED, "tool-adherence"),
        ("saboteur-alters-digit", VERIFIED, "tool-adherence"),
        ("saboteur-alters-refund", CANCELLED, "tool-adherence"),
        ("saboteur-claims-done", CANCELLED, "state-adherence"),
    ],
)
def test_each_saboteur_fails_the_tasks_it_should(
    place: Place, saboteur: str, fails: set[str], evidence: str
) -> None:
    summary, _ = place(saboteur, tasks=MEMBERSHIP, line="text")
    failed = _failed(summary)
    assert set(failed) == fails
    assert all(evidence in why for why in failed.values())
    assert summary.error == summary.void == 0


def test_an_altered_digit_is_really_heard_and_really_wrong(place: Place) -> None:
    """Only what was heard reaches the tools: the wrong digit stands in the log and is not repaired."""
    summary, folder = place("saboteur-alters-digit", tasks=("T4-M2",), seed=3)
    assert set(_failed(summary)) == {"T4-M2"}
    (call_id,) = folder.call_ids()
    asked = [entry for entry in folder.tools(call_id) if entry.tool == "identify_customer"]
    assert asked
    assert {entry.code for entry in asked} <= {"no_match"}
