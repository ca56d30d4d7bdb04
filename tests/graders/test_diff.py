"""A call's differences as text, and the command that prints them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.adherence import adherence_lines
from offhook.cli import main
from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.host import PluginHost
from offhook.packs import ForbiddenCall, Pack, Task
from offhook.runner import RunOptions, carry_out, new_run
from offhook.storage import RunFolder, from_json, to_json
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ReplayCache
from offhook_graders.adherence.state import StateGrader
from offhook_graders.adherence.tools import ToolGrader

FIND = ("find_customer", {"full_name": "Nadia Okafor", "phone": "541-555-0148"})
VERIFY = ("verify_owner", {"postal_code": "97405", "frame_last4": "7730"})
QUOTE = ("quote_repair", {"service": "brakes"})
CONFIRM = ("confirm_repair", {"quote_id": "=quote_repair.quote_id", "price_accepted": True})
NOTE = ("leave_note", {"note": "it squeals"})
TASK = bicycle_pack().task("B-H1")
GOOD = (FIND, VERIFY, QUOTE, CONFIRM, NOTE)

Request = tuple[str, Mapping[str, Any]]
Lines = Callable[..., list[str]]
Offhook = Callable[..., tuple[int, str, str]]


@pytest.fixture
def lines(grade_requests: Callable[..., CallEvidence], replays: ReplayCache, pack: Pack) -> Lines:
    def told(*requests: Request, task: Task | None = None) -> list[str]:
        call = grade_requests(task or pack.task("B-H1"), requests)
        grades = [StateGrader(replays).grade(call), ToolGrader(replays).grade(call)]
        stored = [from_json(to_json(grade), Grade, source="grade") for grade in grades]
        return list(adherence_lines(stored))

    return told


def squeezed(lines: list[str]) -> list[str]:
    return [" ".join(line.split()) for line in lines]


def test_a_good_call_reads_as_the_figure_does(lines: Lines) -> None:
    assert squeezed(lines(*GOOD)) == [
        "Tool adherence: 5 of 5 expected calls matched in the request log",
        "1 ✓ matched find_customer full_name Nadia Okafor · phone 541-555-0148",
        "2 ✓ matched verify_owner frame_last4 7730 · postal_code 97405",
        "3 ✓ matched quote_repair service brakes",
        "4 ✓ matched confirm_repair price_accepted true",
        "5 ✓ matched leave_note note (any text)",
        "State adherence: 3 of 3 expected changes present in the frozen database",
        "(seed → expected)",
        "bikes status at home → booked observed booked ✓",
        "repairs new row none → brakes · $64.00 observed brakes · $64.00 ✓",
        "notes new row none → phone desk observed phone desk ✓",
    ]


def test_columns_stand_under_one_another(lines: Lines) -> None:
    tools = [call.tool for call in TASK.expected]

    assert len({line.index(tool) for line, tool in zip(lines(*GOOD)[1:6], tools, strict=True)}) == 1


def test_a_bad_call_shows_what_was_there_instead(lines: Lines) -> None:
    told = squeezed(lines(FIND, VERIFY, ("quote_repair", {"service": "wheel"}), ("end_call", {})))

    assert "3 ✗ called with another service quote_repair service brakes" in told
    assert "nearest: quote_repair (request 2 at 1.0 s)" in told
    assert "service: expected brakes, observed wheel ✗" in told
    assert "4 ✗ never called confirm_repair price_accepted true" in told
    assert "also requested: quote_repair (request 2 at 1.0 s), end_call (request 3 at 1.0 s)" in told
    assert "bikes status at home → booked observed at home ✗" in told
    assert "repairs new row none → brakes · $64.00 observed none ✗" in told


def test_a_refusal_a_forbidden_call_and_an_unexpected_change_are_told(lines: Lines, pack: Pack) -> None:
    task = attrs.evolve(
        pack.task("B-E1"), forbidden=(ForbiddenCall("leave_note", "a note that nobody asked for"),)
    )

    told = squeezed(lines(QUOTE, *GOOD, task=task))

    assert "✗ forbidden: leave_note (request 5 at 1.0 s): a note that nobody asked for" in told
    assert any("quote_repair (request 0 at 1.0 s, refused: not_verified)" in line for line in told)
    assert any(line.startswith("bikes changed row nobody expected: status at home → booked") for line in told)


def test_alternatives_are_shown(lines: Lines, pack: Pack) -> None:
    task = pack.task("B-H1")
    quote = attrs.evolve(task.expected[2], alternatives={"service": ("wheel",)})
    other = attrs.evolve(task, expected=(*task.expected[:2], quote, *task.expected[3:]))

    assert any("service brakes or wheel" in line for line in lines(*GOOD, task=other))


def test_an_error_or_a_foreign_grade_gives_no_more_than_its_summary() -> None:
    grade = Grade("tool-adherence", "1", GradeKind.VERDICT, "c", Outcome.ERROR, "ReplayError: no")

    assert adherence_lines([grade]) == ("Tool adherence: ReplayError: no",)
    assert adherence_lines([attrs.evolve(grade, grader="wer")]) == ()
    assert "another version" in adherence_lines([attrs.evolve(grade, outcome=Outcome.FAIL)])[1]


# --- the command ---


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tasks of the customer support pack called over text by a platform that commits nothing."""
    import threading

    out = tmp_path_factory.mktemp("diff") / "run"
    options = RunOptions(
        platform="saboteur-claims-done", out=out, tasks=("T4-H1", "T5-E1"), line="text", caller="scripted"
    )
    opened = new_run(options, PluginHost.discover())
    carry_out(opened, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    return out


@pytest.fixture
def offhook(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        out, error = capsys.readouterr()
        return int(left.value.code or 0), out, error

    return run


def test_the_command_prints_the_diff_of_a_task_or_a_call(run: Path, offhook: Offhook) -> None:
    code, out, _ = offhook("diff", run, "T4-H1")

    assert code == 1
    first, *rest = out.splitlines()
    assert first.startswith("customer-support/T4-H1, run 1, clean, call ")
    assert "  5 ✗ never called  confirm_membership_cancellation  proration_acknowledged true" in rest
    call_id = first.rpartition(" ")[2]
    assert offhook("diff", run, call_id[:6])[1] == out
    assert offhook("diff", run, "customer-support/t4-h1")[1] == out


def test_a_call_without_differences_is_no_failure(run: Path, offhook: Offhook) -> None:
    code, out, _ = offhook("diff", run, "T5-E1")

    assert (code, "✗" in out) == (0, False)


def test_json_holds_the_lines_and_the_evidence(run: Path, offhook: Offhook) -> None:
    code, out, _ = offhook("diff", run, "T4-H1", "--json")
    told = json.loads(out)

    assert (code, told["passed"], told["task"]) == (1, False, "customer-support/T4-H1")
    assert told["lines"] == offhook("diff", run, "T4-H1")[1].splitlines()[1:]
    assert len(told["grades"]["tool-adherence"]["expected_calls"]) == 5


def test_a_call_without_grades_is_graded_and_nothing_is_written(
    run: Path, tmp_path: Path, offhook: Offhook
) -> None:
    import shutil

    bare = tmp_path / "run"
    shutil.copytree(run, bare)
    shutil.rmtree(bare / "grades")

    assert offhook("diff", bare, "T4-H1")[1] == offhook("diff", run, "T4-H1")[1]
    assert not (bare / "grades").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nowhere", "x"), "holds no run"),
        (("RUN", "T9-X9"), "the run has no call 'T9-X9'"),
        (("RUN", ""), "no call ''"),
    ],
)
def test_a_wrong_name_is_told_in_one_line(
    run: Path, offhook: Offhook, arguments: tuple[str, str], told: str
) -> None:
    code, out, error = offhook("diff", run if arguments[0] == "RUN" else arguments[0], arguments[1])

    assert (code, out) == (2, "")
    assert told in error


def test_calls_of_several_runs_are_listed_with_run_and_state(tmp_path: Path, offhook: Offhook) -> None:
    import shutil
    import threading

    out = tmp_path / "run"
    options = RunOptions(
        platform="saboteur-claims-done", out=out, tasks=("T4-H1",), runs=2, line="text", caller="scripted"
    )
    opened = new_run(options, PluginHost.discover())
    carry_out(opened, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    code, printed, error = offhook("diff", out, "T4-H1")
    assert (code, printed) == (2, "")
    ids = {opened.folder.record(each).key.run: each for each in opened.folder.call_ids()}
    assert f"{ids[1]} (T4-H1 run 1, clean, attempt 1, completed, fail)" in error
    assert f"{ids[2]} (T4-H1 run 2, clean, attempt 1, completed, fail)" in error
    shutil.rmtree(out / "grades")
    assert "completed, not graded)" in offhook("diff", out, "T4-H1")[2]


def test_a_platforms_own_log_that_tells_otherwise_is_shown_and_changes_nothing(
    run: Path, tmp_path: Path, offhook: Offhook
) -> None:
    import shutil

    odd = tmp_path / "run"
    shutil.copytree(run, odd)
    folder = RunFolder.open(odd)
    (call_id,) = (each for each in folder.call_ids() if folder.record(each).key.task == "T5-E1")
    call = folder.call_folder(call_id)
    told = json.loads((call / "platform.json").read_text())
    told["tool_log"] = [*told["tool_log"], {"id": "ghost", "name": "send_sms", "arguments": "{}"}]
    (call / "platform.json").write_text(json.dumps(told))
    code, out, _ = offhook("diff", odd, "T5-E1")

    assert code == 0
    assert "the platform's own log: only the platform tells of send_sms" in out
    assert "the platform's own log" not in offhook("diff", run, "T5-E1")[1]
