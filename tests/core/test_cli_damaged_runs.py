"""Damaged runs through the real command: each damage is named, and the rest is graded and shown."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from offhook.cli import main
from offhook.storage import RunFolder
from tests.core._command import offhook, text_run

pytestmark = pytest.mark.speech  # cues are compared by sentence vectors


@attrs.frozen
class Ran:
    stdout: str
    stderr: str


Here = Callable[..., Ran]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    """The command in this process, which spares its start; an error it does not expect would be raised."""

    def ran(*arguments: str | Path, code: int) -> Ran:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        assert ended.value.code == code, shown.err
        return Ran(shown.out, shown.err)

    return ran


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("finished") / "run"
    offhook(*text_run(out), code=0)
    return out


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "run"))


def _foreign(call: Path) -> None:
    path = call / "record.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 99}))


def _half_a_record(call: Path) -> None:
    path = call / "record.json"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _another_calls_record(call: Path) -> None:
    (other,) = [folder for folder in sorted(call.parent.iterdir()) if folder != call][:1]
    shutil.copyfile(other / "record.json", call / "record.json")


def _a_wrong_value(call: Path) -> None:
    path = call / "record.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "seconds": "long"}))


def _garbled_log(call: Path) -> None:
    (call / "tools.jsonl").write_text('{"index": 0, "tool"\n')


def _truncated_state(call: Path) -> None:
    path = call / "state.sqlite"
    path.chmod(0o644)
    os.truncate(path, 10_000)


def _no_state(call: Path) -> None:
    (call / "state.sqlite").unlink()


DAMAGE: list[tuple[Callable[[Path], None], str]] = [
    (_foreign, "record.json: $.version is 99, expected 1; it was written by another offhook"),
    (_half_a_record, "record.json: not JSON"),
    (_another_calls_record, "record.json: $.call_id is"),
    (_a_wrong_value, "record.json: invalid value for type, expected float @ $.seconds"),
    (_garbled_log, "tools.jsonl is truncated or altered"),
    (_truncated_state, "state.sqlite is truncated or altered"),
    (_no_state, "state.sqlite: No such file or directory"),
]


@pytest.mark.parametrize(("damage", "expected"), DAMAGE, ids=[damage.__name__ for damage, _ in DAMAGE])
def test_a_damaged_call_is_named_and_the_others_are_graded_and_shown(
    damage: Callable[[Path], None], expected: str, run: Path, here: Here
) -> None:
    call = sorted((run / "calls").iterdir())[1]
    damage(call)
    shutil.rmtree(run / "grades")
    graded = here("grade", run, "--json", code=1)
    (line,) = graded.stderr.splitlines()
    assert line.startswith(f"damaged call {call.name}: ")
    assert expected in line
    result = json.loads(graded.stdout)
    assert (result["planned"], result["graded"], result["error"], result["missing"]) == (3, 2, 1, 0)
    reported = here("report", run, code=1)
    assert expected in reported.stderr
    page = (run / "report.html").read_text(encoding="utf-8")
    assert all(folder.name in page for folder in (run / "calls").iterdir())
    assert expected.split(":")[0] in page


def test_grades_made_before_the_damage_still_stand(run: Path, here: Here) -> None:
    call = sorted((run / "calls").iterdir())[0]
    _garbled_log(call)
    result = json.loads(here("grade", run, "--json", code=1).stdout)
    assert result["passed"] == 3


def test_a_damaged_grade_is_an_error_until_it_is_made_again(run: Path, here: Here) -> None:
    call_id = RunFolder.open(run).call_ids()[0]
    (grade,) = (run / "grades" / "tool-adherence").glob(f"*/{call_id}.json")
    grade.write_text("{")
    shown = here("report", run, code=1)
    assert f"damaged call {call_id}: {grade}: not JSON" in shown.stderr
    result = json.loads(here("grade", run, "--json", code=0).stdout)
    assert result["passed"] == 3
    here("report", run, code=0)


@pytest.mark.parametrize("command", ["grade", "report"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [("{", "run.json: not JSON"), ('{"version": 7}', "run.json: $.version is 7, expected 1")],
)
def test_a_damaged_manifest_is_one_line(
    command: str, text: str, expected: str, run: Path, here: Here
) -> None:
    (run / "run.json").write_text(text)
    shown = here(command, run, code=3)
    assert shown.stdout == ""
    (line,) = shown.stderr.splitlines()
    assert expected in line


def test_a_foreign_folder_among_the_calls_is_named(run: Path, here: Here) -> None:
    (run / "calls" / "holiday-pictures").mkdir()
    (run / "calls" / "notes.txt").write_text("not a call")
    done = here("grade", run, "--json", code=1)
    assert "damaged call holiday-pictures: cannot read" in done.stderr
    assert json.loads(done.stdout)["passed"] == 3


@pytest.mark.slow
@pytest.mark.parametrize("how", ["truncated", "garbled"])
def test_a_damaged_recording_is_named(how: str, tmp_path: Path, here: Here) -> None:
    out = tmp_path / "run"
    offhook("run", "T4-E1", "T5-E1", "--out", out, code=0)
    call = sorted((out / "calls").iterdir())[0]
    tape = call / "recording.flac"
    sound = bytearray(tape.read_bytes())
    middle = len(sound) // 2
    if how == "truncated":
        del sound[middle:]
    else:
        sound[middle : middle + 400] = bytes(400)
    tape.write_bytes(sound)
    shutil.rmtree(out / "grades")
    graded = here("grade", out, "--json", code=1)
    assert graded.stderr == (
        f"damaged call {call.name}: {tape} is truncated or altered: "
        "its SHA-256 is not the one in record.json\n"
    )
    assert json.loads(graded.stdout)["graded"] == 1
    assert f"{tape} is truncated or altered" in here("report", out, code=1).stderr
