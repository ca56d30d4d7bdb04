"""Drill runs on disk: stopping, going on, marking again, and what becomes of damaged files."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.drillrun import (
    DrillDone,
    DrillFolder,
    DrillOptions,
    DrillSummary,
    carry_out_drills,
    mark_again,
    new_drill_run,
    read_drill_run,
    resume_drill_run,
)
from offhook.drills import DrillMark, DrillRecord
from offhook.platforms import PlatformUnusable
from offhook.runner import UnknownName
from offhook.storage import StorageError
from offhook.testing import ScriptedRecruit
from tests.core._drill_stand import Breaks, Repeat, Stand, needs_camera, stand_host

SEVERAL = (Repeat("first"), Repeat("second"), Repeat("third"))


@attrs.frozen
class Moody(ScriptedRecruit):
    """Raises ``moods`` in turn instead of joining; None joins."""

    moods: list[Exception | None] = attrs.field(factory=list)

    async def connect(self, deployment: Any, call: Any) -> Any:
        mood = self.moods.pop(0) if self.moods else None
        if mood is not None:
            raise mood
        return await super().connect(deployment, call)


def held(
    out: Path,
    stand: Stand,
    platform: str = "obedient",
    *,
    stop_after: int = 1000,
    on_done: Callable[[DrillDone], None] = lambda done: None,
    **options: Any,
) -> DrillSummary:
    run = new_drill_run(DrillOptions(platform, out, **options), stand_host(stand))
    stop = threading.Event()
    count = [0]

    def told(done: DrillDone) -> None:
        on_done(done)
        count[0] += 1
        if count[0] >= stop_after:
            stop.set()

    return carry_out_drills(run, stop=stop, on_done=told)


def gone_on(out: Path, stand: Stand) -> DrillSummary:
    return carry_out_drills(resume_drill_run(out, stand_host(stand)), stop=threading.Event())


def evidence(out: Path) -> dict[str, str]:
    files = sorted(path for path in (out / "drills").rglob("*") if path.is_file())
    return {str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def without_wall(out: Path) -> dict[str, Any]:
    """The records but for their wall clock, and the hashes of all other files."""
    told: dict[str, Any] = {name: digest for name, digest in evidence(out).items() if "record" not in name}
    for path in (out / "drills").glob("*/record.json"):
        told[path.parent.name] = json.loads(path.read_text()) | {"wall": {}}
    return told


def test_a_run_is_a_directory_of_whole_drills(tmp_path: Path) -> None:
    stand = Stand(drills=SEVERAL)
    summary = held(tmp_path / "run", stand, runs=2)
    assert summary.mean == 100.0
    assert summary.counts == {"measured": 6}
    assert [(result.planned.drill, result.planned.run) for result in summary.results] == [
        (name, run) for run in (1, 2) for name in ("first", "second", "third")
    ]
    folder = DrillFolder.open(tmp_path / "run")
    for drill_id in folder.ids():
        files = {path.name for path in folder.drill_folder(drill_id).iterdir()}
        assert files == {"record.json", "sergeant.flac", "major.flac", "recruit.flac"}
        assert folder.check_files(folder.record(drill_id)) == ()
        assert (tmp_path / "run" / "marks" / "1" / f"{drill_id}.json").is_file()
    assert stand.finished == [(name, 100.0, True) for name in ("first", "second", "third") * 2]
    draws = {folder.record(drill_id).draw["word"] for drill_id in folder.ids()}
    assert len(draws) > 1


def test_equal_seeds_leave_equal_runs_whatever_the_folder(tmp_path: Path) -> None:
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        held(tmp_path / name, Stand(drills=SEVERAL), seed=seed)
    assert without_wall(tmp_path / "a") == without_wall(tmp_path / "b")
    assert without_wall(tmp_path / "a") != without_wall(tmp_path / "c")


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    out, whole = tmp_path / "run", tmp_path / "whole"
    stopped = held(out, Stand(drills=SEVERAL), stop_after=1)
    assert stopped.counts == {"measured": 1, "missing": 2}
    before = evidence(out)
    summary = gone_on(out, Stand(drills=SEVERAL))
    assert summary.counts == {"measured": 3}
    assert before.items() <= evidence(out).items()  # nothing that was there is held again
    held(whole, Stand(drills=SEVERAL))
    assert without_wall(out) == without_wall(whole)
    assert resume_drill_run(out, stand_host(Stand(drills=SEVERAL))).todo == ()


def test_going_on_clears_what_a_dying_process_left_and_marks_what_it_owed(tmp_path: Path) -> None:
    out = tmp_path / "run"
    held(out, Stand(drills=SEVERAL), stop_after=2)
    left = out / "drills" / ".0123.4567"
    left.mkdir()
    (left / "recruit.flac").write_bytes(b"half")
    for mark in (out / "marks").rglob("*.json"):
        mark.unlink()
    assert gone_on(out, Stand(drills=SEVERAL)).counts == {"measured": 3}
    assert not left.exists()


def test_voids_are_tried_again_three_times_in_all(tmp_path: Path) -> None:
    for refusals, counts, attempts in ((2, {"measured": 1}, 3), (3, {"void": 1}, 3)):
        busy: list[Exception | None] = [ConnectionError("busy")] * refusals
        stand = Stand(adapters=(Moody(name="moody", answer=lambda order: order, moods=busy),))
        endings: list[str] = []
        summary = held(
            tmp_path / f"{refusals}",
            stand,
            "moody",
            on_done=lambda done, endings=endings: endings.append(done.record.ending),  # type: ignore[misc]
        )
        assert summary.counts == counts
        assert len(endings) == attempts
    assert summary.mean is None
    assert "busy" in summary.results[0].why


def test_unfit_counts_nought_and_an_error_is_left_out(tmp_path: Path) -> None:
    drills = (Repeat("good"), needs_camera("camera"), Breaks("broken"))
    summary = held(tmp_path / "run", Stand(drills=drills))
    assert summary.counts == {"measured": 1, "unmeasured": 1, "error": 1}
    assert summary.mean == 50.0
    assert summary.by_drill == {"good": 100.0, "camera": 0.0, "broken": None}
    broken = next(result for result in summary.results if result.planned.drill == "broken")
    assert broken.why == "drill broken failed: LookupError: </script> a bug of its own"
    (trace,) = (tmp_path / "run" / "failures").iterdir()
    assert "in conduct" in trace.read_text()


def test_a_mean_is_over_drills_not_over_runs(tmp_path: Path) -> None:
    @attrs.frozen
    class Lottery(Repeat):
        def mark(self, record: DrillRecord) -> DrillMark:
            return attrs.evolve(super().mark(record), mark=100.0 if record.run == 1 else 0.0)

    summary = held(tmp_path / "run", Stand(drills=(Lottery("lottery"), Repeat("sure"))), runs=4)
    assert summary.by_drill == {"lottery": 25.0, "sure": 100.0}
    assert summary.mean == 62.5


def test_marking_again_touches_no_evidence(tmp_path: Path) -> None:
    out = tmp_path / "run"
    held(out, Stand())
    before = evidence(out)

    @attrs.frozen
    class Stricter(Repeat):
        version: str = "2"

        def mark(self, record: DrillRecord) -> DrillMark:
            return attrs.evolve(super().mark(record), mark=40.0, why="stricter")

    again = mark_again(DrillFolder.open(out), stand_host(Stand(drills=(Stricter(),))))
    assert again.mean == 40.0
    assert evidence(out) == before
    assert read_drill_run(DrillFolder.open(out)).mean == 100.0  # by the version it was held with
    assert sorted(path.name for path in (out / "marks").iterdir()) == ["1", "2"]


def test_a_marking_that_breaks_is_an_error_of_ours(tmp_path: Path) -> None:
    class Odd(Repeat):
        def mark(self, record: DrillRecord) -> DrillMark:
            raise KeyError("moment")

    why: list[str] = []
    summary = held(tmp_path / "run", Stand(drills=(Odd(),)), on_done=lambda done: why.append(done.why))
    assert summary.counts == {"error": 1}
    assert why == ["drill repeat could not mark it: KeyError: 'moment'"]


def test_a_mark_that_is_none_stops_nothing(tmp_path: Path) -> None:
    class Odd(Repeat):
        def mark(self, record: DrillRecord) -> DrillMark:
            return attrs.evolve(super().mark(record), version="../../../pwn")

    out = tmp_path / "run"
    drills = (Odd("first"), Repeat("second"))
    told = "drill first could not mark it: its mark has version '../../../pwn', expected '1'"
    for summary in (
        held(out, Stand(drills=drills)),
        gone_on(out, Stand(drills=drills)),
        mark_again(DrillFolder.open(out), stand_host(Stand(drills=drills))),
    ):
        assert [(result.state, result.why) for result in summary.results] == [
            ("error", told),
            ("measured", "the word came back"),
        ]
    assert [path.name for path in (out / "marks").iterdir()] == ["1"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("runs", 0),
        ("runs", -5),
        ("runs", 10**9),
        ("seed", -1),
        ("drills", {}),
        ("drills", {"first": "1", "other": "1"}),
        ("order", ["all"]),
        ("order", []),
        ("order", ["first", "first"]),
        ("engines", {"bogus": "1"}),
    ],
)
def test_a_manifest_that_makes_no_sense_is_named_with_its_field(
    tmp_path: Path, field: str, value: object
) -> None:
    out, stand = tmp_path / "run", Stand(drills=(Repeat("first"),))
    new_drill_run(DrillOptions("obedient", out), stand_host(stand))
    path = out / "drills.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    for again in (
        lambda: resume_drill_run(out, stand_host(stand)),
        lambda: mark_again(DrillFolder.open(out), stand_host(stand)),
    ):
        with pytest.raises(StorageError) as refused:
            again()
        assert f"{path}: $.{field} " in str(refused.value)
        assert "\n" not in str(refused.value)


def test_too_many_runs_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="runs must be 1 to 5000, got 5001"):
        new_drill_run(DrillOptions("obedient", tmp_path / "run", runs=5001), stand_host(Stand()))
    assert not (tmp_path / "run").exists()


def test_a_teardown_that_exits_is_a_failure_that_is_noted(tmp_path: Path) -> None:
    class Exits(ScriptedRecruit):
        async def teardown(self, deployment: Any) -> None:
            raise SystemExit(9)

    stand = Stand(adapters=(Exits(name="exits", answer=lambda order: order),))
    assert held(tmp_path / "run", stand, "exits").counts == {"measured": 1}
    assert "SystemExit: 9" in (tmp_path / "run" / "failures" / "teardown.txt").read_text()


def test_a_run_in_which_something_was_held_is_never_withdrawn(tmp_path: Path) -> None:
    held(tmp_path / "run", Stand())
    before = evidence(tmp_path / "run")
    DrillFolder.open(tmp_path / "run").withdraw()
    assert evidence(tmp_path / "run") == before


def damage_record(folder: Path) -> str:
    (folder / "record.json").write_text('{"version": 1, "drill_id": 7}')
    return "record.json"


def damage_tape(folder: Path) -> str:
    (folder / "recruit.flac").write_bytes(b"fLaC nonsense")
    return "recruit.flac"


def damage_missing(folder: Path) -> str:
    (folder / "sergeant.flac").unlink()
    return "sergeant.flac"


@pytest.mark.parametrize("damage", [damage_record, damage_tape, damage_missing])
def test_damage_is_named_in_one_line_and_stops_nothing(tmp_path: Path, damage: Callable[[Path], str]) -> None:
    out = tmp_path / "run"
    held(out, Stand(drills=SEVERAL))
    folder = DrillFolder.open(out)
    name = damage(folder.drill_folder(folder.ids()[0]))
    summary = mark_again(folder, stand_host(Stand(drills=SEVERAL)))
    (line,) = summary.damaged
    assert str(out / "drills" / folder.ids()[0] / name) in line
    assert "\n" not in line
    assert summary.counts["measured"] == (2 if name == "record.json" else 3)
    assert gone_on(out, Stand(drills=SEVERAL)).damaged == summary.damaged  # and it is never overwritten


def test_a_run_that_changed_since_is_not_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "run"
    held(out, Stand(), stop_after=1)
    with pytest.raises(StorageError, match="repeat changed since"):
        resume_drill_run(out, stand_host(Stand(drills=(Repeat(version="2"),))))
    with pytest.raises(UnknownName, match="unknown drill 'repeat'"):
        resume_drill_run(out, stand_host(Stand(drills=())))


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    held(tmp_path / "run", Stand())
    with pytest.raises(StorageError, match="already holds a drill run"):
        held(tmp_path / "run", Stand())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(StorageError, match="is not empty"):
        held(tmp_path / "other", Stand())
    with pytest.raises(StorageError, match="holds no drill run"):
        resume_drill_run(tmp_path / "other", stand_host(Stand()))


@pytest.mark.parametrize("version", ["../1", "", "a/b"])
def test_a_version_that_can_name_no_folder_is_refused_before_anything_is_held(
    tmp_path: Path, version: str
) -> None:
    with pytest.raises(StorageError, match="can't name a folder"):
        held(tmp_path / "run", Stand(drills=(Repeat(version=version),)))
    assert not (tmp_path / "run").exists()


def test_two_processes_never_write_one_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    held(out, Stand(), stop_after=1)
    with DrillFolder.open(out).lock(), pytest.raises(StorageError, match="another offhook process"):
        resume_drill_run(out, stand_host(Stand()))


def test_a_platform_that_is_of_no_use_stops_the_run_and_keeps_what_there_is(tmp_path: Path) -> None:
    expires = Moody(
        name="expires", answer=lambda order: order, moods=[None, PlatformUnusable("the key was revoked")]
    )
    stand = Stand(drills=SEVERAL, adapters=(expires,))
    with pytest.raises(PlatformUnusable, match="the key was revoked"):
        held(tmp_path / "run", stand, "expires")
    assert read_drill_run(DrillFolder.open(tmp_path / "run")).counts == {"measured": 1, "missing": 2}


def test_a_drill_in_real_time_keeps_its_lateness(tmp_path: Path) -> None:
    summary = held(tmp_path / "run", Stand(drills=(Repeat(pause=0.1),)), "slow")
    assert summary.counts == {"measured": 1}
    record = summary.results[0].record
    assert record is not None
    assert record.heard[0].text == record.draw["word"]
    assert record.late.max_ms > 0.0


def test_a_drill_that_could_not_be_kept_up_with_says_so(tmp_path: Path) -> None:
    summary = held(tmp_path / "run", Stand())
    result = summary.results[0]
    assert result.record is not None
    assert result.late == ""
    late = attrs.evolve(result.record, late=attrs.evolve(result.record.late, p99_ms=35.0))
    assert (
        attrs.evolve(result, record=late).late == "the harness could not keep up: frames were p99 35 ms late"
    )
