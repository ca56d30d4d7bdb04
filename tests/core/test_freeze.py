"""Frozen manifests: what they pin, how an install is compared with one, and runs that follow one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.cli import main
from offhook.freeze import (
    FrozenManifest,
    FrozenPlan,
    check_install,
    differences,
    freeze_install,
    frozen_stamp,
    read_frozen,
    write_frozen,
)
from offhook.freeze._contract import SECTIONS
from offhook.freeze._sources import code_digest, constants_in, modules_used
from offhook.hooks import hookimpl
from offhook.report import write_report
from offhook.runner import current_versions
from offhook.storage import RunFolder, StorageError
from offhook.testing_pack import bicycle_pack
from tests.core._marks import PACK, MarksPlugin, install_marks, marks_host, placed, says
from tests.core._stand import RealTimePlatform


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install_marks(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path


def _frozen(tmp_path: Path, **plan: Any) -> FrozenManifest:
    return freeze_install(marks_host(), FrozenPlan(**plan), images=tmp_path / "images")


def _command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--block", "offhook"])
    return int(str(ended.value.code))


# --- what is pinned -------------------------------------------------------------------------------


def test_equal_installs_give_equal_bytes(tmp_path: Path) -> None:
    stamps = [write_frozen(_frozen(tmp_path / name), tmp_path / f"{name}.json") for name in ("a", "b")]
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert stamps[0] == stamps[1] == frozen_stamp(tmp_path / "a.json")
    assert str(tmp_path) not in (tmp_path / "a.json").read_text()


def test_it_reads_back_as_it_was(tmp_path: Path) -> None:
    manifest = _frozen(tmp_path, seed=7, runs=2)
    write_frozen(manifest, tmp_path / "m.json")
    again = read_frozen(tmp_path / "m.json")
    assert (again, differences(manifest, again)) == (manifest, ())
    assert set(manifest.pins["tasks"]) == {f"{PACK}/B-E1", f"{PACK}/B-H1"}
    assert manifest.pins["thresholds"]["score"]["task"] == 80.0
    assert set(manifest.pins["packs"][PACK]) >= {"schema_sha256", "seed_sha256", "agent_sha256"}
    assert manifest.pins["graders"]["marks"]["version"] == "1"
    assert manifest.plan.engines["ears"] == "whisper-tiny"


class _Changed(MarksPlugin):
    def __init__(self, pack: Any) -> None:
        self._pack = pack

    @hookimpl
    def offhook_industries(self) -> Sequence[Any]:
        return [self._pack]


def _of_pack(tmp_path: Path, **changes: Any) -> FrozenManifest:
    host = type(marks_host())()
    assert host.register(_Changed(attrs.evolve(bicycle_pack(), **changes)), name="marks")
    return freeze_install(host, images=tmp_path / "images")


def test_each_part_of_a_pack_has_its_own_hash(tmp_path: Path) -> None:
    pack = bicycle_pack()
    before = _of_pack(tmp_path)

    def seed(db: Any) -> None:
        pack.seed(db)
        db.execute("UPDATE services SET price_cents = price_cents + 1")

    told = {str(d).partition(" was ")[0] for d in differences(before, _of_pack(tmp_path, seed=seed))}
    assert told == {f"packs: {PACK}: seed_sha256", f"packs: {PACK}: sha256"}
    task = attrs.evolve(pack.tasks[0], title="Another title")
    found = differences(before, _of_pack(tmp_path, tasks=(task, *pack.tasks[1:])))
    assert {(d.section, d.name, d.field) for d in found} >= {("tasks", f"{PACK}/B-E1", "sha256")}
    assert {d.name for d in found if d.section == "tasks"} == {f"{PACK}/B-E1"}
    agent = attrs.evolve(pack.agent, prompt=pack.agent.prompt + " Be brief.")
    fields = {d.field for d in differences(before, _of_pack(tmp_path, agent=agent))}
    assert fields == {"agent_sha256", "sha256"}


def test_constants_are_those_of_modules_that_grading_uses(tmp_path: Path) -> None:
    package = tmp_path / "some_graders"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "first.py").write_text(
        "from some_graders.second import B\nA: Final = -1.5\n_PAIR = (1, 2.0)\n"
        "ON = True\nNAME = 'x'\nlower = 3\n"
    )
    (package / "second.py").write_text("B: Final = 10 ** (-60 / 20)\nfrom some_graders import third\n")
    (package / "third.py").write_text("C = 3\n")
    (package / "page.py").write_text("WIDTH = 900\n")
    used = modules_used(package, ["some_graders.first"])
    assert {path.name for path in used} >= {"first.py", "second.py", "third.py"}
    assert "page.py" not in {path.name for path in used}
    assert constants_in(package, used) == {
        "some_graders.first.A": "-1.5",
        "some_graders.first._PAIR": "(1, 2.0)",
        "some_graders.second.B": "10 ** (-60 / 20)",
        "some_graders.third.C": "3",
    }
    before = code_digest(package)
    (package / "page.py").write_bytes(b"WIDTH = 900\r\n")
    assert code_digest(package) == before  # how lines end makes no difference
    (package / "page.py").write_text("WIDTH = 901\n")
    assert code_digest(package) != before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no frozen manifest"),
        ("[]", "format is None, expected 1"),
        ('{"format": 2, "novelty": 1}', "format is 2, expected 1"),
        ('{"format": 1, "version": "1.0", "plan": {}, "pins": {}}', "'1.0' is no version"),
        ('{"format": 1, "version": "1.0.0", "plan": {}}', "required field missing"),
    ],
)
def test_what_is_no_manifest_is_told_in_a_line(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(text)
    with pytest.raises(StorageError, match=told) as raised:
        read_frozen(path)
    assert str(path) in str(raised.value)


def test_what_no_run_could_follow_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    write_frozen(_frozen(tmp_path), path)
    whole: dict[str, Any] = json.loads(path.read_text())
    engines = whole["plan"]["engines"]
    for name, value in {
        "seed": -1,
        "runs": 0,
        "attempts": 21,
        "line": "smoke",
        "audio": [],
        "engines": {**engines, "nose": "keen"},
    }.items():
        path.write_text(json.dumps({**whole, "plan": {**whole["plan"], name: value}}))
        with pytest.raises(StorageError, match=rf"m.json: \$\.plan\.{name} .*, expected"):
            read_frozen(path)
    for name in whole["plan"]:
        path.write_text(json.dumps({**whole, "plan": {k: v for k, v in whole["plan"].items() if k != name}}))
        with pytest.raises(StorageError, match=rf"\$\.plan\.{name} is missing"):
            read_frozen(path)
    path.write_text(json.dumps({**whole, "format": True}))
    with pytest.raises(StorageError, match="format is 'True', expected 1"):
        read_frozen(path)


def test_a_manifest_without_a_section_pins_nothing_of_it_and_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    write_frozen(_frozen(tmp_path), path)
    whole: dict[str, Any] = json.loads(path.read_text())
    assert tuple(sorted(whole["pins"])) == SECTIONS
    for section in SECTIONS:
        path.write_text(
            json.dumps({**whole, "pins": {k: v for k, v in whole["pins"].items() if k != section}})
        )
        with pytest.raises(StorageError, match=rf"\$\.pins\.{section} is missing"):
            read_frozen(path)


def test_the_cache_may_lie_in_a_folder_of_any_name(tmp_path: Path) -> None:
    odd = freeze_install(marks_host(), images=tmp_path / "a?b%20#c")
    assert odd == _frozen(tmp_path)


# --- comparing an install -------------------------------------------------------------------------


class _More:
    """A platform under test, installed beside what the manifest names."""

    @hookimpl
    def offhook_adapters(self) -> Sequence[Any]:
        return [RealTimePlatform("under-test", virtual_time=True)]


def test_a_platform_under_test_may_stand_beside_the_manifest(tmp_path: Path) -> None:
    frozen = _frozen(tmp_path)
    host = marks_host()
    assert host.register(_More(), name="more")
    differ, beside = check_install(frozen, host, images=tmp_path / "images")
    assert (differ, [str(one) for one in beside]) == ((), ["platforms: under-test is new"])


@pytest.mark.parametrize(("name", "harmless"), [("one-more", True), ("conversation", False)])
def test_a_measure_may_stand_beside_the_manifest_unless_a_lane_is_made_of_it(
    name: str, harmless: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen = _frozen(tmp_path)
    says(monkeypatch, extra=[name])
    differ, beside = check_install(frozen, marks_host(), images=tmp_path / "images")
    assert [str(one) for one in (beside if harmless else differ)] == [f"graders: {name} is new"]
    assert not (differ if harmless else beside)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ({"p.a.X": "1", "p.b.X": "2"}, {"p.t.a.X": "1", "p.t.b.X": "2"}, []),
        ({"p.a.X": "1"}, {"p.c.X": "1"}, []),
        ({"p.a.X": "1"}, {"p.t.a.X": "2"}, ["p.t.a.X was 1, is 2"]),
        ({"p.a.X": "1", "p.b.X": "1"}, {"p.c.X": "1", "p.d.X": "1"}, []),
        (  # nobody can tell which went where
            {"p.a.X": "1", "p.b.X": "2"},
            {"p.c.X": "2", "p.d.X": "1"},
            ["p.a.X was 1, is null", "p.b.X was 2, is null", "p.c.X was null, is 2", "p.d.X was null, is 1"],
        ),
        ({"p.a.X": "1"}, {"q.a.X": "1"}, ["p.a.X was 1, is null", "q.a.X was null, is 1"]),
        ({"p.a.X": "1"}, {"p.a.X": "1", "p.t.a.X": "1"}, ["p.t.a.X was null, is 1"]),
    ],
)
def test_a_constant_that_only_moved_is_no_difference(
    old: dict[str, str], new: dict[str, str], told: list[str], tmp_path: Path
) -> None:
    frozen = _frozen(tmp_path)
    before, after = (
        attrs.evolve(
            frozen, pins={**frozen.pins, "thresholds": {**frozen.pins["thresholds"], "constants": constants}}
        )
        for constants in (old, new)
    )
    found = [str(one) for one in differences(before, after)]
    assert found == [f"thresholds: constants: {line}" for line in told]


def test_what_the_manifest_names_has_to_be_there_even_where_no_call_uses_it(tmp_path: Path) -> None:
    frozen = _frozen(tmp_path)
    listeners = {**frozen.pins["listeners"], "mine": {"weights_sha256": "ab"}}
    other = attrs.evolve(frozen, pins={**frozen.pins, "listeners": listeners})
    differ, beside = check_install(other, marks_host(), images=tmp_path / "images")
    assert ([str(one) for one in differ], beside) == (["listeners: mine is gone"], ())


def test_other_platforms_than_the_one_that_is_called_do_not_matter(tmp_path: Path) -> None:
    frozen = _frozen(tmp_path)
    entry = {**frozen.pins["platforms"]["slow"], "layers": [{"layer": "llm", "model": "newer"}]}
    pins = {**frozen.pins, "platforms": {**frozen.pins["platforms"], "slow": entry}}
    other = attrs.evolve(frozen, pins=pins)
    host, images = marks_host(), tmp_path / "images"
    assert check_install(other, host, platform="brief", images=images) == ((), ())
    for platform in ("slow", None):
        (only,), _ = check_install(other, host, platform=platform, images=images)
        assert (only.section, only.name, only.field) == ("platforms", "slow", "layers")


def test_a_changed_grader_is_no_frozen_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = _frozen(tmp_path)
    says(monkeypatch, version="2", extra=["one-more"])
    differ, beside = check_install(frozen, marks_host(), images=tmp_path / "images")
    assert "graders: marks: version was 1, is 2" in [str(one) for one in differ]
    assert [str(one) for one in beside] == ["graders: one-more is new"]


def test_the_command_freezes_and_checks(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = site / "manifest.json"
    assert _command("freeze", "--out", str(path), "--runs", "2") == 0
    said = capsys.readouterr().out
    assert f"{path}: version 1.0.0, SHA-256 {frozen_stamp(path).sha256}" in said
    assert f"offhook run --manifest {path}" in said
    assert _command("freeze", "--check", str(path)) == 0
    assert capsys.readouterr().out == f"this install is that of {path}\n"
    says(monkeypatch, version="2")
    assert _command("freeze", "--check", str(path), "--json") == 1
    assert "graders: marks: version was 1, is 2" in json.loads(capsys.readouterr().out)["differences"]
    assert _command("freeze") == 2
    assert "give either --out or --check" in capsys.readouterr().err
    assert _command("freeze", "--out", str(path), "--version", "1.x") == 2
    assert _command("freeze", "--out", str(path), "--caller", "nobody") == 2


def test_a_golden_set_is_pinned_by_its_calls_and_outcomes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    golden = placed(tmp_path, "golden").folder

    def pin() -> Any:
        host = marks_host()
        found = freeze_install(host, golden=golden, images=tmp_path / "images").pins["golden"]["set"]
        assert current_versions(golden, host)["marks"] == "1"
        return found

    before = pin()
    assert (before["run"], before["calls"]) == ("golden", 2)
    call_id = golden.call_ids()[0]
    path = golden.path / "grades" / "marks" / "1" / f"{call_id}.json"
    path.write_text(path.read_text().replace('"pass"', '"fail"'))
    assert pin()["sha256"] != before["sha256"]


# --- runs -----------------------------------------------------------------------------------------


def _run(site: Path, *more: str) -> int:
    arguments = ("run", "--manifest", str(site / "manifest.json"), "--platform", "brief")
    return _command(*arguments, "--out", str(site / "run"), *more)


def test_a_run_that_follows_the_manifest_carries_it(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = ("--runs", "3", "--seed", "9", "--attempts", "4")
    assert _command("freeze", "--out", str(site / "manifest.json"), *plan) == 0
    assert _run(site, "--task", "B-E1", "--json") == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    stamp = frozen_stamp(site / "manifest.json")
    assert (told["draft"], told["manifest"]) == (False, attrs.asdict(stamp))
    folder = RunFolder.open(site / "run")
    manifest = folder.manifest()
    assert (manifest.runs, manifest.seed, manifest.attempts, manifest.frozen) == (3, 9, 4, stamp)
    assert manifest.tasks == (f"{PACK}/B-E1",)
    page = write_report(folder, marks_host()).read_text()
    assert f'"stamp":"manifest 1.0.0 (SHA-256 {stamp.sha256[:12]})"' in page.replace('": "', '":"')
    assert _command("grade", str(site / "run")) == 0
    assert f"(manifest 1.0.0 (SHA-256 {stamp.sha256[:12]}))" in " ".join(capsys.readouterr().out.split())


def test_any_call_can_be_placed_again_with_one_command(site: Path) -> None:
    assert _command("freeze", "--out", str(site / "manifest.json"), "--runs", "2") == 0
    assert _run(site) == 0
    again = ("run", "--manifest", str(site / "manifest.json"), "--platform", "brief", "--task", "B-H1")
    assert _command(*again, "--out", str(site / "again")) == 0
    first, second = (RunFolder.open(site / name) for name in ("run", "again"))
    assert set(second.call_ids()) < set(first.call_ids())
    for call_id in second.call_ids():
        tapes = [folder.call_folder(call_id) / "recording.flac" for folder in (first, second)]
        assert tapes[0].read_bytes() == tapes[1].read_bytes()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--seed", "2"), "--seed is 1 in the manifest, not 2"),
        (("--runs", "6"), "--runs is 5 in the manifest, not 6"),
        (("--line", "text"), "--line is audio in the manifest, not text"),
        (("--audio", "clean,hiss"), "--audio is clean in the manifest, not clean,hiss"),
        (("--variants", "all"), "--variants is easy in the manifest, not all"),
        (("--attempts", "9"), "--attempts is 3 in the manifest, not 9"),
    ],
)
def test_what_the_manifest_fixes_is_not_given_otherwise(
    more: tuple[str, ...], told: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_frozen(freeze_install(marks_host()), site / "manifest.json")
    _command("freeze", "--out", str(site / "manifest.json"))
    assert _run(site, *more) == 2
    assert told in capsys.readouterr().err
    assert not (site / "run").exists()


def test_a_run_on_another_install_is_refused(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _command("freeze", "--out", str(site / "manifest.json"))
    says(monkeypatch, version="2")
    assert _run(site) == 3
    assert "graders: marks: version was 1, is 2" in capsys.readouterr().err
    assert not (site / "run").exists()


def test_a_pack_beside_the_manifest_is_no_part_of_a_run_that_follows_it(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _command("freeze", "--out", str(site / "manifest.json"), "--runs", "1")
    monkeypatch.setattr(MarksPlugin, "offhook_industries", _two_packs)
    assert _run(site, "--task", "second-hand/B-E1") == 2
    assert "the manifest has no task second-hand/B-E1" in capsys.readouterr().err
    assert not (site / "run").exists()
    assert _run(site) == 0
    assert RunFolder.open(site / "run").manifest().tasks == (f"{PACK}/B-E1", f"{PACK}/B-H1")


@hookimpl
def _two_packs(_: object) -> Sequence[Any]:
    pack = bicycle_pack()
    tasks = tuple(attrs.evolve(task, pack="second-hand") for task in pack.tasks)
    return [pack, attrs.evolve(pack, name="second-hand", tasks=tasks)]


def test_any_other_run_is_a_draft(tmp_path: Path) -> None:
    run = placed(tmp_path)
    assert (run.summary.frozen, run.summary.stamp) == (None, "draft")
    page = write_report(run.folder, marks_host()).read_text()
    assert '"draft":true' in page.replace(": ", ":")
