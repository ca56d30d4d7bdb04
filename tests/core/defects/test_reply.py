"""What a platform is sent, and what becomes of its flags."""

from __future__ import annotations

import asyncio
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import offhook
from offhook.cli import main
from offhook.cli.audit import audit
from offhook.cli.defects import defects
from offhook.cli.reply import reply
from offhook.defects import add_flags, read_flags, resolve_flag, write_bundle
from offhook.host import PluginHost
from offhook.storage import RunFolder, StorageError
from tests.core._stored import stored_run


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return stored_run(tmp_path / "acme", calls=2)


def _flags(path: Path, *flags: tuple[str, str], **changes: Any) -> Path:
    said = [{"call_id": call_id, "says": says} for call_id, says in flags]
    path.write_text(json.dumps({"version": 1, "run_id": "acme", "flags": said, **changes}))
    return path


def test_flags_are_numbered_kept_once_and_settled(folder: RunFolder, tmp_path: Path) -> None:
    (first, _) = folder.call_ids()
    path = _flags(tmp_path / "f.json", (first, "the key is wrong"), ("", "wrong region"))
    assert [flag.id for flag in add_flags(folder, path)] == ["F1", "F2"]
    assert add_flags(folder, path) == ()
    more = _flags(tmp_path / "g.json", ("", "wrong region"), (first, "no sound"), (first, "no sound"))
    assert [flag.id for flag in add_flags(folder, more)] == ["F3"]
    settled = resolve_flag(folder, "F1", "confirmed", "mended for all")
    assert (settled.status, settled.answer) == ("confirmed", "mended for all")
    assert [flag.status for flag in read_flags(folder)] == ["confirmed", "open", "open"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"run_id": "other"}, r"\$.run_id is 'other', this run is 'acme'"),
        ({"flags": [{"call_id": "nobody", "says": "x"}]}, "'nobody', no call of this run"),
        ({"flags": [{"call_id": "", "says": "  "}]}, "says is empty"),
        ({"flags": 7}, "expected"),
        ({"version": 9}, r"\$.version is 9"),
    ],
)
def test_flags_that_do_not_fit_are_refused(
    folder: RunFolder, tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    with pytest.raises(StorageError, match=told):
        add_flags(folder, _flags(tmp_path / "f.json", **changes))
    assert read_flags(folder) == ()


@pytest.mark.parametrize(
    ("flag", "status", "answer", "told"),
    [
        ("F9", "confirmed", "x", "has no flag 'F9'; known: F1"),
        ("F1", "maybe", "x", "open, confirmed or rejected, not 'maybe'"),
        ("F1", "rejected", " ", "say why F1 is rejected"),
    ],
)
def test_a_flag_is_settled_with_a_reason(
    folder: RunFolder, tmp_path: Path, flag: str, status: str, answer: str, told: str
) -> None:
    add_flags(folder, _flags(tmp_path / "f.json", ("", "wrong region")))
    with pytest.raises(StorageError, match=told):
        resolve_flag(folder, flag, status, answer)
    assert [each.status for each in read_flags(folder)] == ["open"]


# --- a real run of a platform that fails ---


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    out = tmp_path_factory.mktemp("runs") / "sab"
    result = asyncio.run(
        offhook.run(platform="saboteur-alters-digit", tasks=["T4-H1", "T4-E1"], runs=2, line="text", out=out)
    )
    return RunFolder(result.folder)


def test_the_bundle_holds_the_failed_calls_and_nothing_else(failed: RunFolder, tmp_path: Path) -> None:
    host = PluginHost.discover()
    assert write_bundle(failed, host, tmp_path / "a.zip") == 2
    write_bundle(failed, host, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as bundle:
        names = bundle.namelist()
        calls = {name.split("/")[1] for name in names if name.startswith("failed/")}
        assert {failed.record(call_id).key.task for call_id in calls} == {"T4-H1"}
        assert json.loads(bundle.read("flags.json")) == {"version": 1, "run_id": "sab", "flags": []}
        assert b"2 of 4 graded calls passed" in bundle.read("README.txt")
        for call_id in calls:
            verdict = json.loads(bundle.read(f"failed/{call_id}/verdict.json"))
            assert "tool-adherence" in {grade["grader"] for grade in verdict["grades"]}
            held = bundle.read(f"failed/{call_id}/tools.jsonl")
            assert held == (failed.call_folder(call_id) / "tools.jsonl").read_bytes()


def test_no_file_from_elsewhere_is_sent(failed: RunFolder, tmp_path: Path) -> None:
    host = PluginHost.discover()
    (call_id, *_) = [each for each in failed.call_ids() if failed.record(each).key.task == "T4-H1"]
    secret = tmp_path / "secret.json"
    secret.write_text("{}")
    link = failed.call_folder(call_id) / "recording.flac"
    link.symlink_to(secret)
    try:
        with pytest.raises(StorageError, match="leads out of the run's folder; it is not sent to anybody"):
            write_bundle(failed, host, tmp_path / "a.zip")
    finally:
        link.unlink()


def test_the_commands_end_to_end(failed: RunFolder, tmp_path: Path) -> None:
    runner = CliRunner()
    run = str(failed.path)
    found = runner.invoke(defects, [run], catch_exceptions=False)
    assert "customer-support/T4-H1: 2 calls on saboteur-alters-digit" in found.output
    review = found.output.split("To be reviewed in full, no run passes: 1\n")[1].splitlines()
    assert review[0] == "  customer-support/T4-H1: 0 of 2 on saboteur-alters-digit"
    assert review[1].startswith("      calls ")
    assert review[2:] == ["1 of 2 tasks passes every run on every platform"]
    told = json.loads(runner.invoke(defects, [run, "--json"], catch_exceptions=False).output)
    assert [pattern["task"] for pattern in told["patterns"]] == ["T4-H1"]

    form = tmp_path / "form.html"
    drawn = runner.invoke(
        audit, [run, "--share", "100", "--out", str(form), "--json"], catch_exceptions=False
    )
    sample = json.loads(drawn.output)
    assert len(sample["items"]) == 4
    assert "attribution" not in form.read_text().split('id="data"')[1].split("</script>")[0]
    (attributed, *_) = [item["call_id"] for item in sample["items"] if item["duty"] == "attribute"]
    answers = [{"call_id": attributed, "cause": 6, "verdict": "right", "note": "alters the number"}]
    filled = tmp_path / "filled.json"
    filled.write_text(
        json.dumps(
            {
                "version": 1,
                "run_id": "sab",
                "sample": sample["digest"],
                "reviewer": "mira",
                "answers": answers,
            }
        )
    )
    tally = runner.invoke(audit, [run, "--share", "100", "--read", str(filled)], catch_exceptions=False)
    assert "mira: " in tally.output
    assert "still open" in tally.output

    bundle = tmp_path / "sab.zip"
    assert runner.invoke(reply, [run, "--bundle", str(bundle)], catch_exceptions=False).exit_code == 0
    assert bundle.stat().st_size > 1000
    flags = tmp_path / "flags.json"
    flags.write_text(json.dumps({"version": 1, "run_id": "sab", "flags": [{"call_id": "", "says": "no"}]}))
    runner.invoke(reply, [run, "--flags", str(flags)], catch_exceptions=False)
    settled = runner.invoke(
        reply,
        [run, "--settle", "F1", "rejected", "--because", "it is so", "--json"],
        catch_exceptions=False,
    )
    assert json.loads(settled.stdout)[0]["status"] == "rejected"


@pytest.mark.parametrize(
    "words",
    [("reply", "--bundle", "{out}/sab.zip"), ("audit", "--out", "{out}/form.html"), ("defects",)],
)
def test_a_damaged_call_is_named_where_it_can_not_be_drawn_or_sent(
    words: tuple[str, ...], failed: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "sab"
    shutil.copytree(failed.path, run)
    (call_id, *_) = RunFolder(run).call_ids()
    (run / "calls" / call_id / "record.json").write_text("{")
    command, *options = (word.format(out=tmp_path) for word in words)
    with pytest.raises(SystemExit) as ended:
        main([command, str(run), *options])
    assert ended.value.code == 1
    assert f"damaged call {call_id}: " in capsys.readouterr().err


def test_a_bundle_never_takes_the_place_of_the_run(failed: RunFolder, tmp_path: Path) -> None:
    run = tmp_path / "sab"
    shutil.copytree(failed.path, run)
    before = (run / "run.json").read_bytes()
    found = CliRunner().invoke(reply, [str(run), "--bundle", str(run / "run.json")])
    assert (found.exit_code, (run / "run.json").read_bytes()) == (2, before)
    assert "is a part of the run" in found.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--because", "so"], "--because goes with --settle"),
        (["--settle", "F1", "maybe", "--because", "so"], "'maybe' is not one of"),
        (["--settle", "F1", "confirmed"], "say why F1 is confirmed with --because"),
        (["--settle", "F1", "rejected", "--because", " "], "say why F1 is rejected with --because"),
        (["--settle", "F9", "rejected", "--because", "so"], "has no flag 'F9'; known: none"),
        (["--flags", "nope.json"], "does not exist"),
    ],
)
def test_wrong_use_is_one_line(folder: RunFolder, words: list[str], told: str) -> None:
    found = CliRunner().invoke(reply, [str(folder.path), *words])
    assert found.exit_code == 2
    assert told in found.output


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"run_id": "other"}, 2), ({"flags": [{"call_id": "nobody", "says": "x"}]}, 2), ({"flags": 7}, 3)],
)
def test_flags_of_another_run_are_a_slip_and_a_damaged_file_is_none(
    folder: RunFolder,
    tmp_path: Path,
    changes: dict[str, Any],
    code: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = _flags(tmp_path / "f.json", **changes)
    with pytest.raises(SystemExit) as ended:
        main(["reply", str(folder.path), "--flags", str(path)])
    assert ended.value.code == code
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_without_flags_it_says_what_to_do(folder: RunFolder) -> None:
    found = CliRunner().invoke(reply, [str(folder.path)])
    assert found.stdout.startswith("no flags yet; send the platform a bundle (--bundle FILE.zip)")


def test_a_flag_does_not_steer_the_terminal(folder: RunFolder, tmp_path: Path) -> None:
    path = _flags(tmp_path / "f.json", ("", "a\x1b[31mb\x07"))
    found = CliRunner().invoke(reply, [str(folder.path), "--flags", str(path)], color=True)
    assert "a\\x1b[31mb\\x07" in found.stdout
    assert "\x1b" not in found.stdout


def test_a_run_named_twice_is_no_pattern(failed: RunFolder, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(failed.path)
    found = CliRunner().invoke(defects, [str(failed.path), str(tmp_path / "alias")])
    assert found.exit_code == 2
    assert "named twice" in found.output


def test_calls_of_several_runs_are_named_with_their_run(failed: RunFolder, tmp_path: Path) -> None:
    run = tmp_path / "again"
    shutil.copytree(failed.path, run)
    manifest = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**manifest, "run_id": "again"}))
    found = CliRunner().invoke(defects, [str(failed.path), str(run)], catch_exceptions=False)
    for call_id in failed.call_ids():
        if failed.record(call_id).key.task == "T4-H1":
            assert f"sab/{call_id}" in found.output
            assert f"again/{call_id}" in found.output
