"""``offhook drill`` as a user meets it: lists, tables, JSON, the page, Ctrl-C and going on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from offhook.cli import main
from offhook.drillrun import DrillFolder, read_drill_run
from offhook.drillrun._plan import MOST_RUNS
from offhook.host import PluginHost
from offhook.platforms import PlatformUnusable
from offhook.sessions import SessionError
from offhook.testing import ScriptedRecruit, SendAt
from tests.core._drill_stand import Breaks, Repeat, Stand, needs_camera, stand_host, three_drills

ROOT = Path(__file__).parents[2]


@pytest.fixture
def stand(monkeypatch: pytest.MonkeyPatch) -> Stand:
    """The command line with the stand's plugin and no other; wide enough for one line a drill."""
    drills = (Repeat("good"), needs_camera("camera"), Breaks("broken"))
    stand = Stand(drills=drills)
    monkeypatch.setattr(PluginHost, "discover", lambda **_: stand_host(stand))
    monkeypatch.setenv("COLUMNS", "150")
    return stand


def drill(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["drill", *map(str, arguments)])
    shown = capsys.readouterr()
    assert ended.value.code == code, shown.err
    return shown.out, shown.err


def test_without_a_name_the_drills_are_listed(stand: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = drill(capsys)
    assert "3 drills" in out
    assert re.search(r"camera .*whether one word comes back .*audio, video_out", out)
    listed = json.loads(drill(capsys, "--json")[0])
    assert [each["name"] for each in listed] == ["broken", "camera", "good"]
    assert listed[1]["needs"] == ["audio", "video_out"]


def test_a_run_of_all_drills(stand: Stand, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, err = drill(capsys, "all", "--platform", "obedient", "--out", tmp_path / "run", code=1)
    assert re.search(r"good +│ 100\.0 +│ measured +│ the word came back", out)
    assert re.search(r"camera +│ 0\.0 +│ unmeasured +│ obedient can't do it: it lacks video_out", out)
    assert re.search(r"broken +│ - +│ error +│ drill broken failed: LookupError", out)
    assert "mean mark 50.0 of 100 over 3 drills: 1 error, 1 measured, 1 unmeasured" in out
    assert f"Report: {tmp_path / 'run' / 'drills.html'}" in out
    assert "holding good run 1 ... [3/3]" in err


def test_a_single_drill_shows_its_parts(
    stand: Stand, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, _ = drill(capsys, "good", "--platform", "mute", "--out", tmp_path / "run")
    assert "Parts" in out
    assert re.search(r"word +│ 0\.0 +│ measured +│ it did not come back", out)


def test_what_a_session_told_is_no_secret(
    stand: Stand, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    told = [SendAt(0.1, SessionError("quota", "none left")), SendAt(0.2, SessionError("quota", "still none"))]
    stand.adapters = [ScriptedRecruit(name="broke", script=tuple(told))]
    out, _ = drill(capsys, "good", "--platform", "broke", "--out", tmp_path / "run")
    assert "good run 1: the platform's session told: quota: none left (and 1 more, see the report)" in out


def test_json_is_all_there_is_on_stdout(
    stand: Stand, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ("good", "camera", "--platform", "obedient", "--seed", "9", "--runs", "2", "--json")
    out, _ = drill(capsys, *options, "--out", tmp_path / "run")
    told: dict[str, Any] = json.loads(out)
    assert told["mean"] == 50.0
    assert told["counts"] == {"measured": 2, "unmeasured": 2}
    assert [(each["drill"], each["run"], each["mark"]) for each in told["drills"]] == [
        ("good", 1, 100.0),
        ("camera", 1, 0.0),
        ("good", 2, 100.0),
        ("camera", 2, 0.0),
    ]
    assert told["drills"][0]["parts"][0]["evidence"]["expected"] in ("red", "green", "blue")


def test_the_page_holds_everything_and_lets_no_words_out(
    stand: Stand, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    drill(capsys, "all", "--platform", "obedient", "--out", tmp_path / "run", code=1)
    page = (tmp_path / "run" / "drills.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    told = json.loads(data)
    assert [each["drill"] for each in told["drills"]] == ["broken", "camera", "good"]
    good = told["drills"][2]
    assert good["title"] == "Repeat <b>After</b> Me"
    assert good["record"]["heard"][0]["text"] == good["record"]["draw"]["word"]
    assert good["sound"].startswith("data:audio/ogg;base64,T2dnUw")  # an Ogg stream
    assert told["drills"][0]["why"].endswith("</script> a bug of its own")
    # What others wrote is data: no tag of theirs is in the page.
    assert page.count("</script>") == 2
    assert "<b>After" not in page


def test_marking_again_and_what_excludes_what(
    stand: Stand, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    drill(capsys, "good", "--platform", "obedient", "--out", run)
    assert "mean mark 100.0" in drill(capsys, "--mark", run)[0]
    (record,) = run.glob("drills/*/record.json")
    record.write_text("{}")
    _, err = drill(capsys, "--mark", run, code=1)
    (line,) = err.splitlines()
    assert line.startswith(f"damaged: {record}: $.version")
    for wrong, told in (
        (("--mark", run, "--seed", "3"), "leave out --seed"),
        (("--resume", run, "good"), "leave out DRILLS"),
        (("--resume", run, "--mark", run), "exclude each other"),
        (("good",), "--platform NAME"),
        (("good", "--platform", "obedient", "-o", "x"), "NAME=VALUE"),
        (("godo", "--platform", "obedient"), "unknown drill 'godo'; nearest: good"),
        (("good", "--platform", "obediant"), "unknown platform 'obediant'; nearest: obedient"),
    ):
        out, err = drill(capsys, *wrong, code=2)
        assert out == ""
        assert told in err
        assert len(err.splitlines()) == 1
    _, err = drill(capsys, "--resume", tmp_path / "none", code=3)
    assert "holds no drill run" in err


class Refuses(ScriptedRecruit):
    """Raises ``error`` whenever it is to join."""

    error: Exception = ConnectionError("busy")

    async def connect(self, deployment: Any, call: Any) -> Any:
        raise self.error


class Unusable(Refuses):
    error = PlatformUnusable("no key")


def test_a_platform_that_never_joined_is_no_success(
    stand: Stand, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stand.adapters = [Refuses(name="refuses")]
    out, _ = drill(capsys, "good", "--platform", "refuses", "--out", tmp_path / "run", code=1)
    assert "no drill was marked: 1 void" in out


def test_an_unusable_platform_leaves_nothing_to_go_on_with(
    stand: Stand, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stand.adapters = [Unusable(name="unusable")]
    _, err = drill(capsys, "good", "--platform", "unusable", "--out", tmp_path / "run", code=3)
    assert err.splitlines()[-1].endswith("unusable: no key")
    assert not (tmp_path / "run").exists()


def test_an_empty_out_is_refused(stand: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = drill(capsys, "good", "--platform", "obedient", "--out", "", code=2)
    (line,) = err.splitlines()
    assert "--out" in line
    assert "it is empty" in line


def test_more_runs_than_a_folder_takes_are_refused(stand: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = drill(capsys, "good", "--platform", "obedient", "--runs", str(MOST_RUNS + 1), code=2)
    assert f"--runs is {MOST_RUNS + 1}, expected 1 to {MOST_RUNS}" in err


def begin(*arguments: str | Path) -> subprocess.Popen[str]:
    """The command line in a process of its own: drills in real time."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.core._drill_stand", "drill", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "150"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)])
def test_a_run_that_is_stopped_or_killed_goes_on(
    tmp_path: Path,
    number: signal.Signals,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "run"
    process = begin("all", "--platform", "slow", "--out", out)
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("holding second"):
            process.send_signal(number)
            break
    rest = process.stderr.read()
    process.wait()
    watchdog.cancel()
    held = read_drill_run(DrillFolder.open(out)).counts
    if number is signal.SIGINT:
        assert process.returncode == 130
        assert f"stopped; go on with: offhook drill --resume {out}" in rest
        assert held == {"measured": 2, "missing": 1}  # the one under way was finished
    else:
        assert held == {"measured": 1, "missing": 2}
    monkeypatch.setattr(PluginHost, "discover", lambda **_: stand_host(three_drills()))
    told, err = drill(capsys, "--resume", out, "--json")
    assert json.loads(told)["counts"] == {"measured": 3}
    assert "holding first" not in err
    assert not [path for path in (out / "drills").iterdir() if path.name.startswith(".")]
