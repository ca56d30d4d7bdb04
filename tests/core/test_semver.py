"""Which version a change makes necessary, and what a golden set has to say about it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.cli import main
from offhook.freeze import (
    Crosswalk,
    FrozenManifest,
    FrozenPlan,
    Level,
    decide,
    freeze_install,
    next_version,
    parse_version,
    rescore,
    write_frozen,
)
from offhook.runner import Change
from offhook.storage import RunFolder
from tests.core._marks import PACK, install_marks, marks_host, placed, says


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> FrozenManifest:
    found = freeze_install(marks_host(), images=tmp_path_factory.mktemp("images"))
    judge = {"version": "m-1", "package": "x", "distribution_version": "1"}
    measure = {"version": "1", "kind": "measure"}
    graders = {**found.pins["graders"], "beside": measure, "conversation": measure}
    return attrs.evolve(found, pins={**found.pins, "judges": {"strict": judge}, "graders": graders})


def _changed(
    manifest: FrozenManifest, section: str, name: str, entry: Mapping[str, Any] | None
) -> FrozenManifest:
    """With fields of one entry replaced; an entry that is new, or gone where ``entry`` is None."""
    names = dict(manifest.pins[section])
    if entry is None:
        del names[name]
    else:
        names[name] = {**names.get(name, {}), **entry}
    return attrs.evolve(manifest, pins={**manifest.pins, section: names})


@pytest.mark.parametrize(
    ("section", "name", "entry", "level"),
    [
        ("judges", "strict", {"version": "m-2"}, Level.MAJOR),
        ("judges", "strict", None, Level.MAJOR),
        ("judges", "second", {"version": "1"}, Level.MINOR),
        ("judges", "strict", {"distribution_version": "2"}, Level.PATCH),
        ("thresholds", "score", {"task": 79.0}, Level.MAJOR),
        ("thresholds", "constants", {"some.FLOOR": "-50.0"}, Level.MAJOR),
        ("graders", "marks", {"version": "2"}, Level.MAJOR),
        ("graders", "marks", {"settings_sha256": "other"}, Level.MAJOR),
        ("graders", "marks", None, Level.MAJOR),
        ("graders", "more", {"version": "1", "kind": "verdict"}, Level.MAJOR),
        ("graders", "more", {"version": "1", "kind": "measure"}, Level.MINOR),
        ("graders", "beside", {"version": "2"}, Level.MINOR),  # a measure
        ("graders", "beside", {"kind": "verdict"}, Level.MAJOR),
        ("graders", "beside", None, Level.MINOR),
        ("graders", "conversation", None, Level.MAJOR),  # a lane is made of it
        ("graders", "conversation", {"version": "2"}, Level.MAJOR),
        ("graders", "latency", {"version": "1", "kind": "measure"}, Level.MAJOR),  # the score counts it
        ("graders", "hearing", {"version": "1", "kind": "measure"}, Level.MAJOR),
        ("reviewers", "attribution", {"version": "2"}, Level.MAJOR),
        ("reviewers", "failure-filing", {"version": "1"}, Level.MAJOR),
        ("measurers", "more", {"version": "1"}, Level.MINOR),
        ("tasks", f"{PACK}/B-E1", {"sha256": "other"}, Level.MAJOR),
        ("tasks", f"{PACK}/B-E9", {"sha256": "new"}, Level.MAJOR),
        ("tasks", "another-pack/X-1", {"sha256": "new"}, Level.MINOR),
        ("packs", "another-pack", {"sha256": "new"}, Level.MINOR),
        ("packs", PACK, {"seed_sha256": "other"}, Level.MAJOR),
        ("voices", "us-female-heart", {"weights_sha256": "other"}, Level.MAJOR),
        ("voices", "mine", {"distribution": "offhook-acme"}, Level.MINOR),
        ("voices", "ours", {"distribution": "offhook"}, Level.MAJOR),
        ("listeners", "whisper-tiny", {"weights_sha256": "other"}, Level.MAJOR),
        ("listeners", "mine", {"weights_sha256": "new"}, Level.MINOR),
        ("callers", "scripted", {"settings_sha256": "other"}, Level.MAJOR),
        ("callers", "mine", {"settings_sha256": "new"}, Level.MINOR),
        ("platforms", "brief", {"layers": [{"layer": "llm", "model": "new"}]}, Level.MAJOR),
        ("platforms", "mine", {"layers": []}, Level.MINOR),
        ("audio", "clean", {"rate_hz": 8000}, Level.MAJOR),
        ("audio", "noise", {"profile": "road"}, Level.MINOR),
        ("audio", "clean", {"distribution_version": "2"}, Level.PATCH),
        ("build", "harness", {"sha256": "other"}, Level.PATCH),
        ("build", "offhook", {"version": "9"}, Level.PATCH),
        ("build", "scoring", {"sha256": "other"}, Level.MAJOR),
        ("build", "tool-server", {"sha256": "other"}, Level.MAJOR),
        ("build", "line", {"sha256": "other"}, Level.MAJOR),
    ],
)  # fmt: skip
def test_a_change_is_of_its_level(
    section: str, name: str, entry: Mapping[str, Any] | None, level: Level, frozen: FrozenManifest
) -> None:
    decision = decide(frozen, _changed(frozen, section, name, entry))
    assert decision is not None
    assert (decision.level, decision.version) == (level, next_version("1.0.0", level))
    assert all(reason.why for reason in decision.reasons)
    assert name in decision.reasons[0].what


def test_changed_code_that_does_not_say_what_it_provides_is_major(frozen: FrozenManifest) -> None:
    name = min(frozen.pins["code"])
    decision = decide(frozen, _changed(frozen, "code", name, {"sha256": "other", "provides": None}))
    assert decision is not None
    assert (decision.level, decision.reasons[0].provable) == (Level.MAJOR, False)


def test_a_lane_grader_that_comes_is_major(frozen: FrozenManifest) -> None:
    decision = decide(_changed(frozen, "graders", "conversation", None), frozen)
    assert decision is not None
    assert (decision.level, decision.reasons[0].what) == (Level.MAJOR, "graders: conversation is new")


def test_a_moved_module_is_a_patch_where_a_golden_set_stands(frozen: FrozenManifest) -> None:
    package = min(frozen.pins["code"])
    constants = {"x.old.FLOOR": "-50.0", "x.old.STEP": "0.1"}
    before = _changed(frozen, "thresholds", "constants", constants)
    moved = {"x.timing.old.FLOOR": "-50.0", "x.timing.old.STEP": "0.1"}
    after = _changed(frozen, "thresholds", "constants", moved)
    after = _changed(after, "code", package, {"sha256": "other", "provides": ["graders"]})
    before = _changed(before, "code", package, {"provides": ["graders"]})
    decision = decide(before, after, golden=_crosswalk())
    assert decision is not None
    assert (decision.level, len(decision.reasons)) == (Level.PATCH, 1)
    alone = decide(before, after)
    assert alone is not None
    assert (alone.level, alone.reasons[0].provable) == (Level.MAJOR, True)


def test_another_plan_is_major_and_nothing_is_nothing(frozen: FrozenManifest) -> None:
    other = attrs.evolve(frozen, plan=attrs.evolve(frozen.plan, seed=2))
    decision = decide(frozen, other)
    assert decision is not None
    assert (decision.level, decision.reasons[0].what) == (Level.MAJOR, "plan: seed: value was 1, is 2")
    assert decide(frozen, frozen) is None
    assert isinstance(frozen.plan, FrozenPlan)


def test_the_most_serious_reason_decides_and_all_are_told(frozen: FrozenManifest) -> None:
    changed = _changed(frozen, "build", "harness", {"sha256": "other"})
    changed = _changed(changed, "measurers", "more", {"version": "1"})
    decision = decide(frozen, changed)
    assert decision is not None
    assert [reason.level for reason in decision.reasons] == [Level.MINOR, Level.PATCH]
    assert decision.version == "1.1.0"


@pytest.mark.parametrize("text", ["1.0", "1.0.0.0", "v1.0.0", "1.0.x", "01.0.0", "1.0.0 "])
def test_what_is_no_version(text: str) -> None:
    with pytest.raises(ValueError, match="is no version"):
        parse_version(text)


# --- the golden set -------------------------------------------------------------------------------


def _crosswalk(*changes: Change, score: tuple[float, float] = (70.0, 70.0)) -> Crosswalk:
    return Crosswalk(2, 8, changes, {}, {"score": score}, ())


def test_a_golden_set_that_stands_makes_changed_code_a_patch(frozen: FrozenManifest) -> None:
    changed = _changed(frozen, "build", "scoring", {"sha256": "other"})
    proven = decide(frozen, changed, golden=_crosswalk())
    assert proven is not None
    assert (proven.level, "8 outcomes" in proven.reasons[0].why) == (Level.PATCH, True)
    threshold = decide(frozen, _changed(frozen, "thresholds", "score", {"task": 1.0}), golden=_crosswalk())
    assert threshold is not None
    assert threshold.level is Level.MAJOR  # no golden set makes a threshold a small thing


def test_one_changed_outcome_or_figure_is_major(frozen: FrozenManifest) -> None:
    minor = _changed(frozen, "measurers", "more", {"version": "1"})
    change = Change("call", f"{PACK}/B-E1", 1, "clean", "marks", "pass", "fail")
    for golden in (_crosswalk(change), _crosswalk(score=(70.0, 70.5))):
        decision = decide(frozen, minor, golden=golden)
        assert decision is not None
        assert (decision.level, decision.reasons[0].what) == (Level.MAJOR, "golden set")


def test_the_golden_set_is_scored_again_and_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    golden = placed(tmp_path, "golden", runs=2).folder
    before = {path: path.read_bytes() for path in golden.path.rglob("*") if path.is_file()}
    same = rescore(golden, marks_host())
    assert (same.same, same.calls, same.outcomes) == (True, 4, 8)
    says(monkeypatch, version="2", failing=["B-H1/2"])
    found = rescore(golden, marks_host())
    assert not found.same
    assert found.steps == {"marks": {("pass", "fail"): 1}}
    assert found.figures["passed"] == (4.0, 3.0)
    assert found.figures["task"] == (80.0, 60.0)
    assert found.told == "1 of 8 outcomes changed; other figures for passed, task, score"
    assert {path: path.read_bytes() for path in golden.path.rglob("*") if path.is_file()} == before


# --- the command ----------------------------------------------------------------------------------


def _command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["semver", *arguments])
    return int(str(ended.value.code))


def test_the_command_prints_every_reason_and_the_crosswalk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_marks(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    images = tmp_path / "images"
    golden = placed(tmp_path, "golden").folder
    write_frozen(freeze_install(marks_host(), images=images), old)
    assert _command(str(old), str(old)) == 0
    assert "nothing differs: it stays 1.0.0" in capsys.readouterr().out
    write_frozen(freeze_install(marks_host(), images=images, version="1.2.0"), new)
    assert _command(str(old), str(new)) == 0
    assert capsys.readouterr().err == "NEW says 1.2.0; freeze it again with --version 1.0.0\n"
    says(monkeypatch, version="2", failing=["B-E1"])
    write_frozen(freeze_install(marks_host(), images=images, version="2.0.0"), new)
    assert _command(str(new), str(old)) == 0
    assert "NEW (1.0.0) is the older one" in capsys.readouterr().err
    write_frozen(freeze_install(marks_host(), images=images), new)
    arguments = (str(old), str(new), "--golden", str(golden.path), "--block", "offhook")
    assert _command(*arguments) == 0
    shown = capsys.readouterr()
    assert "marks: pass -> fail on 1 call" in shown.out
    assert "major: golden set: 1 of 4 outcomes changed" in shown.out
    assert "1.0.0 -> 2.0.0 (major, " in shown.out
    assert "NEW says 1.0.0; freeze it again with --version 2.0.0" in shown.err
    says(monkeypatch, version="2", failing=["B-E1"], printing=True)
    assert _command(*arguments, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["level"], told["version"], told["golden"]["same"]) == ("major", "2.0.0", False)
    says(monkeypatch, version="3")
    assert _command(*arguments) == 2
    assert "marks is installed in version 3" in capsys.readouterr().err
    assert RunFolder.open(golden.path).call_ids()


def test_ctrl_c_ends_the_scoring_and_leaves_the_golden_set_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_marks(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    golden = placed(tmp_path, "golden", runs=3).folder.path
    write_frozen(freeze_install(marks_host(), images=tmp_path / "images"), tmp_path / "m.json")
    before = sorted(path for path in golden.rglob("*") if path.is_file())
    environment = {
        **os.environ,
        "OFFHOOK_TEST_SLOW": "1",
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(Path(__file__).parents[2])]),
    }
    manifest = str(tmp_path / "m.json")
    command = [sys.executable, "-c", "from offhook.cli import main; main()", "semver", manifest, manifest]
    more = ["--golden", str(golden), "--block", "offhook", "--workers", "2"]
    with subprocess.Popen([*command, *more], env=environment, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not list(golden.glob(".regrade/grades/*/*/*.json")) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, b"the golden set is as it was" in said) == (130, True), said.decode()
    assert sorted(path for path in golden.rglob("*") if path.is_file()) == before
    assert not (golden / ".regrade").exists()
