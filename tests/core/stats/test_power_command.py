"""``offhook power``: from assumptions, from a run, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from offhook.cli import main
from offhook.grading import Grade, GradeKind, Outcome
from offhook.host import PluginHost
from offhook.records import CallKey, RunManifest, empty_record
from offhook.stats import CallPlan, design_effect
from offhook.storage import RunFolder
from tests.browser._world import fake_host, make_run


def offhook(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["power", *map(str, words)])
    shown = capsys.readouterr()
    assert ended.value.code == code, shown.err
    return shown.out, shown.err


def test_command_tells_power_calls_and_difference(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = offhook(capsys, "--rates", "0.80", "0.85", "--tasks", "90", "--runs", "5", "--icc", "0.3")

    assert out.splitlines() == [
        "90 tasks x 5 runs = 450 calls to each platform; calls of one task alike (ICC) 0.30.",
        "Design effect 2.20: they tell as much as 204.5 independent calls.",
        "Chance of telling 80% from 85%: 26.4%.",
        "To have a chance of 80% takes 399 tasks x 5 runs = 1995 calls to each platform.",
        "With 90 tasks, no number of runs is enough.",
        "With a chance of 80% these calls tell 80% from 67.9% or less, and from 89.9% or more.",
    ]
    assert err == ""


def test_command_speaks_json(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = offhook(
        capsys, "--rates", "0.6", "0.8", "--tasks", "30", "--runs", "2", "--deff", "1.5", "--json"
    )

    found = json.loads(out)
    plan = CallPlan(30, 2, 0.5)
    assert found["icc"] == 0.5
    assert found["power"] == plan.power(0.6, 0.8)
    assert found["tasks_needed"] == plan.tasks_needed(0.6, 0.8)
    assert found["calls_needed"] == 2 * found["tasks_needed"]
    assert found["runs_needed"] is None
    assert [found["tells_below"], found["tells_above"]] == list(plan.detectable(0.6))


def test_one_rate_asks_only_what_can_be_told(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = offhook(capsys, "--rate", "0.5", "--tasks", "2", "--runs", "2")

    assert out.splitlines()[-1] == "With a chance of 80% these calls tell no other rate from 50%."
    assert "takes" not in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name two pass rates"),
        (("--rates", "0.8", "0.8"), "no number of calls tells equal rates apart"),
        (("--rates", "0.8", "85"), "85"),
        (("--rates", "0.8", "0.9", "--rate", "0.5"), "not both"),
        (("--rate", "0.5", "--icc", "0.1", "--deff", "2"), "not both"),
        (("--rate", "0.5", "--runs", "3", "--deff", "4"), "above the number of runs (3)"),
        (("--rate", "0.5", "--power", "0.05"), "--power must lie above --alpha"),
        (("--rate", "nan"), "nan"),
        (("--from", "nowhere"), "holds no run"),
    ],
)
def test_wrong_usage_is_one_line(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = offhook(capsys, *words, code=2)

    assert out == ""
    assert len(err.splitlines()) == 1
    assert said in err


def test_a_run_gives_rate_tasks_runs_and_likeness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host = fake_host()
    make_run(host, tmp_path / "run", tasks=("T4-E1", "T4-H1"), line="text")

    out, _ = offhook(capsys, "--from", tmp_path / "run", "--json")

    found = json.loads(out)
    assert (found["tasks"], found["runs"], found["rate"]) == (2, 1, 1.0)
    assert found["icc_from"].startswith("assumed: 2 graded calls of 2 tasks can't tell it")


def test_a_run_of_mixed_outcomes_tells_its_own_likeness(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four tasks, three graded clean calls each; the noisy calls must not count."""
    passes = {"A": 3, "B": 3, "C": 1, "D": 0}
    folder = stored_run(tmp_path / "run", passes, runs=3)
    design = design_effect((c, 3) for c in passes.values())
    assert design is not None

    out, _ = offhook(capsys, "--from", folder, "--rates", "0.5", "0.8", "--json")
    told, _ = offhook(capsys, "--from", folder)

    found = json.loads(out)
    assert (found["tasks"], found["runs"]) == (4, 3)
    assert found["icc"] == design.icc > 0.5
    assert found["icc_from"] == "from 12 graded calls of 4 tasks"
    assert (found["rate"], found["second_rate"]) == (0.5, 0.8)
    assert f"alike (ICC) {design.icc:.2f}, from 12 graded calls of 4 tasks." in told
    assert "58.3%" in told  # 7 of 12
    assert "takes" not in told


def stored_run(path: Path, passes: dict[str, int], *, runs: int) -> Path:
    """A run as graded: each task passes in its first runs, and once more, failing, over noise."""
    manifest = RunManifest(
        *(1, "r1", 1, "reference", "scripted", "audio", runs, ("clean", "cafe")),
        tasks=tuple(f"bicycle-repair/{task}" for task in passes),
        planned=(runs + 1) * len(passes),
        harness_reference=True,
        components=(),
    )
    folder = RunFolder.create(path, manifest)
    version = PluginHost.discover().graders()["tool-adherence"].version
    for task, good in passes.items():
        for run in range(1, runs + 2):
            call = f"{task}-{run}"
            audio = "clean" if run <= runs else "cafe"
            key = CallKey("bicycle-repair", task, "reference", min(run, runs), audio=audio)
            folder.commit_call(folder.scratch(call), empty_record(call, key, seed=1, ending="completed"))
            outcome = Outcome.PASS if run <= good else Outcome.FAIL
            grade = Grade("tool-adherence", version, GradeKind.VERDICT, call, outcome, "as told")
            folder.write_grades(call, [grade])
    return path


def test_a_damaged_call_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = make_run(fake_host(), tmp_path / "run", tasks=("T4-E1", "T4-H1"), line="text")
    folder = RunFolder.open(tmp_path / "run")
    call = folder.call_ids()[0]
    (folder.call_folder(call) / "record.json").write_text("{")

    out, err = offhook(capsys, "--from", tmp_path / "run", code=1)

    assert run is not None
    assert "1 task x" in out
    assert err.startswith(f"damaged call {call}: ")


def test_a_number_that_no_float_holds_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = offhook(capsys, "--rates", "0.8", "0.85", "--tasks", "1" + 400 * "0", code=2)
    assert "tasks and runs must be at most" in err
    _, err = offhook(capsys, "--rates", "5e-324", "0", code=2)
    assert "equal rates" in err
