"""The real ``offhook`` command: help, names, JSON, exit codes, regrading and reporting."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from offhook.cli import main

OFFHOOK = Path(sys.executable).with_name("offhook")
COMMANDS = (
    ("demo",),
    ("run",),
    ("check",),
    ("conformance",),
    ("drill",),
    ("grade",),
    ("judge",),
    ("judge-check",),
    ("golden",),
    ("verify",),
    ("report",),
    ("view",),
    ("export",),
    ("defects",),
    ("audit",),
    ("reply",),
    ("power",),
    ("select",),
    ("freeze",),
    ("semver",),
    ("regrade",),
    ("scorecard",),
    ("compare",),
    ("new",),
    ("new", "adapter"),
    ("tasks",),
    ("tasks", "show"),
    ("packs",),
    ("packs", "check"),
    ("voices",),
    ("voices", "say"),
    ("voices", "error"),
    ("plugins",),
    ("diff",),
    ("floor",),
    ("measure",),
    ("sabotage",),
)


def offhook(*arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([OFFHOOK, *arguments], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 2) -> str:
    """Runs the command in this process; nothing on stdout, one line on stderr, which is returned."""
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    assert ended.value.code == code
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    return line


def test_the_bare_command_shows_its_help_as_help_looks() -> None:
    shown = offhook(code=2).stderr
    assert shown == offhook("--help").stdout
    assert len(shown.splitlines()) > 15


@pytest.fixture(scope="module")
def text_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A finished run over text and what ``run --json`` said of it."""
    out = tmp_path_factory.mktemp("text") / "run"
    done = offhook("run", "T4-E1", "T5-E1", "T4-H1", "--line", "text", "--out", out, "--json")
    result: dict[str, Any] = json.loads(done.stdout)
    return out, result


@pytest.fixture
def copied(text_run: tuple[Path, dict[str, Any]], tmp_path: Path) -> Path:
    """The run again, to be changed."""
    return Path(shutil.copytree(text_run[0], tmp_path / "run"))


# --- help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_shows_an_example(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    _, found, example = text.partition("Example")
    assert found
    assert " ".join(("offhook", *command)) in example


def test_help_lists_every_command_with_a_line() -> None:
    text = offhook("--help").stdout
    listed = {
        line.split()[0] for line in text.splitlines() if line.startswith("  ") and len(line.split()) > 2
    }
    assert {command[0] for command in COMMANDS} <= listed
    assert offhook("-h").stdout == text


# --- names and usage ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("rnu",), "unknown command 'rnu'; nearest: run"),
        (("run", "T4-H9"), "unknown task 'T4-H9'; nearest: T4-H3, T4-H1"),
        (("run", "customer-suport/T4-H1"), "nearest: customer-support/T4-H1"),
        (("run", "T4-E1", "--platform", "referense"), "unknown platform 'referense'; nearest: reference"),
        (("run", "T4-E1", "--caller", "scriptd"), "unknown caller 'scriptd'; nearest: scripted"),
        (
            ("run", "T4-E1", "--ears", "whisper-tinny"),
            "unknown listener 'whisper-tinny'; nearest: whisper-tiny",
        ),
        (("run", "T4-E1", "--line", "vidoe"), "'vidoe' is not one of 'audio', 'text'"),
        (("run", "T4-E1", "-o", "voice"), "--option 'voice' must be NAME=VALUE (see offhook run --help)"),
        (("run", "T4-E1", "-o", "=us-male-joe"), "--option '=us-male-joe' must be NAME=VALUE"),
        (("run", "T4-E1", "--runs", "0"), "0 is not in the range x>=1"),
        (("run", "T4-E1", "--frobnicate"), "No such option '--frobnicate'. (see offhook run --help)"),
        (("grade",), "Missing argument 'RUN'. (see offhook grade --help)"),
        (("tasks", "--pack", "customer-suport"), "unknown pack 'customer-suport'; nearest: customer-support"),
        (("tasks", "show", "T9-E1"), "unknown task 'T9-E1'; nearest: T5-E1, T4-E1"),
        (("packs", "check", "custmer-support"), "nearest: customer-support"),
        (("run", "--resume", "somewhere", "T4-E1"), "leave out TASKS"),
        (
            ("run", "--resume", "somewhere", "--seed", "2", "--out", "x"),
            "leave out --seed and --out",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_usage_is_one_line(
    arguments: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert expected in complaint(capsys, *arguments)


@pytest.mark.speech
def test_an_unknown_grader_names_the_nearest(
    text_run: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    line = complaint(capsys, "grade", text_run[0], "--grader", "tool-adherance")
    assert line.startswith("Error: unknown grader 'tool-adherance'; nearest: tool-adherence, state-adherence")


@pytest.mark.speech
def test_a_run_is_never_written_over(
    text_run: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    line = complaint(capsys, "run", "T4-E1", "--line", "text", "--out", text_run[0], code=3)
    assert line == f"Error: {text_run[0]} already holds a run; give another --out, or --resume it"


@pytest.mark.parametrize("command", ["grade", "report"])
def test_a_folder_without_a_run_is_one_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = complaint(capsys, command, tmp_path)
    assert line == f"Error: {tmp_path} holds no run (no run.json) (see offhook {command} --help)"


def test_a_closed_pipe_is_no_error() -> None:
    listing = subprocess.Popen([OFFHOOK, "tasks", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert listing.stdout is not None
    assert listing.stderr is not None
    listing.stdout.close()
    errors = listing.stderr.read()
    listing.stderr.close()
    assert listing.wait(timeout=60) == 1
    assert errors == b""


# --- listings -------------------------------------------------------------------------------------


def test_tasks_as_json() -> None:
    rows = json.loads(offhook("tasks", "--pack", "customer-support", "--json").stdout)
    assert {frozenset(row) for row in rows} == {
        frozenset(
            (
                *("pack", "id", "title", "category", "tier", "gated"),
                *("tool_calls", "constrained_args", "rows_written"),
            )
        )
    }
    (row,) = [row for row in rows if row["id"] == "T4-H1"]
    assert row["pack"] == "customer-support"
    assert row["tier"] == "hard"
    assert row["tool_calls"] == 5
    assert all(isinstance(row[name], int) for name in ("tool_calls", "constrained_args", "rows_written"))


def test_plugins_as_json() -> None:
    listing = json.loads(offhook("plugins", "--json").stdout)
    own = [plugin for plugin in listing["plugins"] if plugin["distribution"] == "offhook"]
    provided = {(item["kind"], item["name"]) for plugin in own for item in plugin["provides"]}
    assert {("adapter", "reference"), ("industry", "customer-support"), ("caller", "scripted")} <= provided
    assert [problem for problem in listing["problems"] if problem["distribution"] == "offhook"] == []


def test_a_blocked_plugin_is_left_out() -> None:
    listing = json.loads(offhook("plugins", "--block", "graders", "--json").stdout)
    assert "graders" not in {plugin["name"] for plugin in listing["plugins"]}


# --- runs -----------------------------------------------------------------------------------------


@pytest.mark.speech
def test_run_ends_with_one_json_object(text_run: tuple[Path, dict[str, Any]]) -> None:
    out, result = text_run
    assert {"run", "planned", "graded", "passed", "void", "error", "score"} <= set(result)
    assert result["run"] == str(out)
    counts = ("planned", "graded", "passed", "void", "error", "missing")
    assert [result[name] for name in counts] == [3, 3, 3, 0, 0, 0]
    assert result["score"] == result["score_out_of"] == 80


@pytest.mark.speech
def test_a_finished_run_has_nothing_left_to_resume(text_run: tuple[Path, dict[str, Any]]) -> None:
    done = offhook("run", "--resume", text_run[0], "--json")
    assert json.loads(done.stdout) == text_run[1]
    assert done.stderr == "writing the report ...\n"


def test_an_option_the_platform_does_not_take_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = complaint(capsys, "run", "T4-E1", "-o", "voise=us-male-joe", "--out", tmp_path / "run")
    assert line == "Error: unknown option of reference 'voise'; nearest: voice"
    assert not (tmp_path / "run").exists()


def test_a_run_nobody_could_grade_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = complaint(capsys, "run", "T4-E1", "--block", "graders", "--out", tmp_path / "run")
    assert line.startswith("Error: no grader gives a verdict")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--platform", "reference-openai"), "reference-openai: OPENAI_API_KEY is not set"),
        (("--caller", "openai"), "the openai caller needs a model: set OFFHOOK_CALLER_MODEL"),
    ],
)
def test_a_missing_key_or_model_stops_a_run_before_its_first_call(
    arguments: tuple[str, ...],
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENAI_API_KEY", "OFFHOOK_CALLER_MODEL", "OFFHOOK_CALLER_API_KEY", "OFFHOOK_AGENT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    line = complaint(capsys, "run", "T4-E1", *arguments, "--out", tmp_path / "run", code=3)
    assert line.startswith(f"Error: {expected}")
    assert not (tmp_path / "run").exists()


def test_a_block_that_matches_nothing_is_told(tmp_path: Path) -> None:
    done = offhook("run", "T9-X9", "--block", "zz", "--out", tmp_path / "run", code=2)
    assert done.stderr.splitlines()[0].startswith("warning: --block zz matches nothing")


def test_a_run_does_not_settle_among_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    line = complaint(capsys, "run", "T4-E1", "--line", "text", "--out", tmp_path, code=3)
    assert line == f"Error: {tmp_path} is not empty and holds no run; give --out a new folder"


def test_a_cache_that_cannot_be_used_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "file"))
    line = complaint(capsys, "run", "T4-E1", "--line", "text", "--out", tmp_path / "run", code=3)
    assert line.startswith(f"Error: cannot use the cache folder {tmp_path / 'file'}: ")
    assert "OFFHOOK_CACHE" in line


@pytest.mark.speech
def test_a_run_is_called_what_its_folder_is_called(text_run: tuple[Path, dict[str, Any]]) -> None:
    assert json.loads((text_run[0] / "run.json").read_text())["run_id"] == text_run[0].name


@pytest.mark.speech
def test_fail_under_looks_at_the_share_of_graded_calls_that_pass(tmp_path: Path) -> None:
    out = tmp_path / "run"
    wrong = ("--platform", "saboteur-alters-digit", "--line", "text", "--out", out)
    done = offhook("run", "T4-H1", *wrong, "--fail-under", "1", code=1)
    assert "0.0 % of the graded calls pass, --fail-under is 1" in done.stderr
    assert "does one thing wrong on purpose" in " ".join(done.stdout.split())
    offhook("run", "--resume", out, "--fail-under", "0", code=0)


def test_one_task_as_json() -> None:
    shown = json.loads(offhook("tasks", "show", "T4-H1", "--json").stdout)
    assert (shown["id"], len(shown["expected"])) == ("T4-H1", 5)
    assert shown["says"][0]["line"]


def test_a_task_fits_a_screen() -> None:
    lines = offhook("tasks", "show", "T4-H1").stdout.splitlines()
    assert max(map(len, lines)) <= 88
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.speech
def test_grade_makes_the_grades_again_and_leaves_the_evidence_alone(
    copied: Path, text_run: tuple[Path, dict[str, Any]]
) -> None:
    evidence = _hashes(copied / "calls")
    grades = _hashes(copied / "grades")
    shutil.rmtree(copied / "grades")
    result = json.loads(offhook("grade", copied, "--json").stdout)
    assert result == {**text_run[1], "run": str(copied)}
    assert _hashes(copied / "calls") == evidence
    assert _hashes(copied / "grades") == grades


@pytest.mark.speech
def test_one_grader_can_be_run_alone(copied: Path) -> None:
    shutil.rmtree(copied / "grades")
    result = json.loads(offhook("grade", copied, "--grader", "tool-adherence", "--json").stdout)
    assert [path.name for path in (copied / "grades").iterdir()] == ["tool-adherence"]
    assert result["graded"] == 3


@pytest.mark.speech
def test_report_writes_the_page_again(copied: Path, tmp_path: Path) -> None:
    (copied / "report.html").unlink()
    assert offhook("report", copied).stdout == f"Report: {copied / 'report.html'}\n"
    assert "<html" in (copied / "report.html").read_text(encoding="utf-8")
    elsewhere = tmp_path / "elsewhere" / "page.html"
    offhook("report", copied, "--out", elsewhere, "--no-audio")
    assert elsewhere.is_file()


def _hashes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_text_run_with_a_platform_that_only_talks_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    told = complaint(capsys, "run", "T4-E1", "--platform", "openai-twin", "--line", "text", "--out", out)
    assert told == "Error: platform openai-twin takes no text calls; leave out --line text"
    assert not out.exists()
