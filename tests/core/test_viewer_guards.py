"""What the viewer doesn't serve: files outside a run, absurd manifests, requests under foreign names."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from offhook.cli import main
from offhook.drillrun import DRILLS_VERSION, DrillFolder, DrillManifest
from offhook.host import PluginHost
from offhook.report._html import html_page
from offhook.storage import MAX_PLANNED, RunFolder, StorageError, to_json
from offhook.viewer import CannotListen, is_loopback, serve_viewer, viewer_app
from tests.browser._world import fake_host, make_run
from tests.core.test_viewer import _data, _get, _rows


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return fake_host()


@pytest.fixture(scope="module")
def made(host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made")
    make_run(host, root / "heard", tasks=("T4-E1",))
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(made, tmp_path / "runs")


def test_kept_sound_that_is_a_link_is_made_anew(root: Path, host: PluginHost, tmp_path: Path) -> None:
    run = RunFolder(root / "heard")
    (call_id,) = run.call_ids()
    address = f"/sound?run=heard&call={call_id}"
    assert _get(root, host, address).status_code == 200
    (kept,) = (run.path / "derived").iterdir()
    secret = tmp_path / "secret"
    secret.write_text("kept secret")
    kept.unlink()
    kept.symlink_to(secret)
    assert _get(root, host, address).content[:4] == b"OggS"
    assert not kept.is_symlink()
    assert secret.read_text() == "kept secret"


def test_nothing_is_kept_in_a_folder_elsewhere(
    root: Path, host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    (tmp_path / "elsewhere").mkdir()
    shutil.rmtree(root / "heard" / "derived", ignore_errors=True)
    (root / "heard" / "derived").symlink_to(tmp_path / "elsewhere")
    (call_id,) = RunFolder(root / "heard").call_ids()
    assert _get(root, host, f"/sound?run=heard&call={call_id}").content[:4] == b"OggS"
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_recording_elsewhere_is_not_served(root: Path, host: PluginHost, tmp_path: Path) -> None:
    run = RunFolder(root / "heard")
    (call_id,) = run.call_ids()
    recording = run.call_folder(call_id) / "recording.flac"
    recording.rename(tmp_path / "other.flac")
    recording.symlink_to(tmp_path / "other.flac")
    assert _get(root, host, f"/sound?run=heard&call={call_id}").status_code == 404
    (call,) = _data(_get(root, host, "/run?name=heard"))["calls"]
    assert call["sound"] is None
    assert any("leads out of the run" in line for line in call["errors"])


def test_a_run_of_absurd_size_is_one_line(root: Path, host: PluginHost) -> None:
    path = root / "heard" / "run.json"
    manifest = RunFolder(root / "heard").manifest()
    path.write_text(re.sub(r'"runs":[0-9]+', '"runs":20000000', path.read_text()))
    huge = DrillManifest(
        DRILLS_VERSION, "d", 1, "p", ("a",), {"a": "1"}, MAX_PLANNED + 1, False, "", {}, {}, ()
    )
    DrillFolder.create(root / "drilled", huge)
    rows = _rows(root, host)
    assert "$.runs is 20000000, expected at most 100000" in rows["heard"]["broken"]
    assert "$.runs is 100001, expected" in rows["drilled"]["broken"]
    assert _get(root, host, "/run?name=heard").status_code == 422
    path.write_text(to_json(manifest))
    assert "broken" not in _rows(root, host)["heard"]
    (root / "heard" / "run.json").write_text(re.sub(r'"runs":[0-9]+', '"runs":100001', to_json(manifest)))
    with pytest.raises(StorageError, match=r"\$\.runs is 100001"):
        RunFolder(root / "heard").manifest()


def test_a_grade_that_lacks_its_evidence_is_one_line(root: Path, host: PluginHost) -> None:
    (grade,) = (root / "heard" / "grades" / "tool-adherence").rglob("*.json")
    stored = json.loads(grade.read_text())
    stored["evidence"] = {"expected_calls": [{"tool": "x"}]}
    grade.write_text(json.dumps(stored))
    (call,) = _data(_get(root, host, "/run?name=heard"))["calls"]
    assert call["accepted"] == []
    assert len([line for line in call["errors"] if "tool-adherence grade" in line]) == 1


def test_a_page_holds_no_nan() -> None:
    page = html_page(title="x", kind="runs", data={"a": [float("nan"), 1.5, (float("inf"),)]}, script="//")
    assert '{"a":[null,1.5,[null]]}' in page


@pytest.mark.parametrize(
    "name", ["127.0.0.2", "127.0.0.2:8300", "LOCALHOST", "localhost.:80", "[::1]", "[::1]:8000", "::1"]
)
def test_every_loopback_name_is_answered(root: Path, host: PluginHost, name: str) -> None:
    assert _get(root, host, "/", {"Host": name}).status_code == 200


@pytest.mark.parametrize("name", ["[::2]:80", "127.evil.example", "localhost..", ":80", "."])
def test_other_names_are_not(root: Path, host: PluginHost, name: str) -> None:
    assert _get(root, host, "/", {"Host": name}).status_code == 400


def test_case_and_a_dot_change_no_host() -> None:
    assert [is_loopback(name) for name in ("LOCALHOST", "localhost.", "127.0.0.2", "")] == [True] * 3 + [
        False
    ]


def test_an_empty_host_is_refused(root: Path, host: PluginHost, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CannotListen, match="no host to listen on"):
        serve_viewer(viewer_app(root, host), host="", port=0, on_listening=print)
    with pytest.raises(SystemExit) as ended:
        main(["view", str(root), "--host", ""])
    assert ended.value.code == 3
    assert len(capsys.readouterr().err.splitlines()) == 1
