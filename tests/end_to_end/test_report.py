"""The report of real calls, one that passed over sound and one that failed over text."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest
import soundfile

from offhook.host import PluginHost
from offhook.report import holds_sound, write_report
from offhook.report._accepted import accepted_values
from offhook.runner import RunOptions, carry_out, new_run
from offhook.storage import RunFolder, StorageError

pytestmark = pytest.mark.speech


def _run(host: PluginHost, out: Path, **options: Any) -> RunFolder:
    run = new_run(RunOptions(out=out, **options), host)
    carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=lambda _: None)
    return run.folder


def _data(page: Path) -> dict[str, Any]:
    text = page.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost.discover()


@pytest.fixture(scope="module")
def spoken(host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return _run(host, tmp_path_factory.mktemp("spoken") / "run", platform="reference", tasks=("T4-E1",))


def test_the_page_needs_nothing_else(spoken: RunFolder, host: PluginHost) -> None:
    text = write_report(spoken, host).read_text(encoding="utf-8")
    assert re.findall(r"(?:src|href)\s*=\s*[\"']?(?:https?:)?//", text) == []
    assert re.findall(r"@import|url\(", text) == []


def test_a_call_can_be_heard_and_seen(spoken: RunFolder, host: PluginHost) -> None:
    (call,) = _data(write_report(spoken, host))["calls"]
    assert call["state"] == "passed"
    sound, rate = soundfile.read(io.BytesIO(base64.b64decode(call["sound"]["source"].split(",")[1])))
    assert sound.shape[1] == 2
    assert len(sound) / rate == pytest.approx(call["seconds"], abs=0.02)
    assert (
        len(call["sound"]["caller"])
        == len(call["sound"]["agent"])
        == pytest.approx(20 * call["seconds"], abs=1)
    )
    caller, agent = ([turn for turn in call["turns"] if turn["who"] == who] for who in ("caller", "agent"))
    for turns, peaks in ((caller, call["sound"]["caller"]), (agent, call["sound"]["agent"])):
        middle = (turns[0]["start"] + turns[0]["end"]) / 2
        around = peaks[int(20 * middle) - 5 : int(20 * middle) + 5]
        assert max(around) > 3, "the waveform is silent where its side speaks"
    assert [entry["tool"] for entry in call["tools"]].count("get_fee") == 2
    assert call["grades"]["latency"]["evidence"]["ours"]


def test_the_run_is_named_before_any_script_runs(spoken: RunFolder, host: PluginHost) -> None:
    text = write_report(spoken, host).read_text(encoding="utf-8")
    assert f"<title>{spoken.manifest().run_id} · offhook report</title>" in text
    assert "<b>offhook</b>" in text.split("<header", 1)[1].split("</header>", 1)[0]


def test_the_encoded_sound_is_kept_beside_the_calls(spoken: RunFolder, host: PluginHost) -> None:
    first = _data(write_report(spoken, host))
    (call_id,) = spoken.call_ids()
    (kept,) = (spoken.path / "derived").iterdir()
    stamp = hashlib.sha256((spoken.call_folder(call_id) / "recording.flac").read_bytes()).hexdigest()
    assert kept.name == f"{call_id}.{stamp[:16]}.opus"
    encoded = kept.read_bytes()
    kept.write_bytes(b"kept")
    source = _data(write_report(spoken, host))["calls"][0]["sound"]["source"]
    assert base64.b64decode(source.split(",")[1]) == b"kept", "what is kept was encoded again"
    kept.rename(kept.with_name(f"{call_id}.0000000000000000.opus"))
    again = _data(write_report(spoken, host))
    assert [path.name for path in kept.parent.iterdir()] == [kept.name], "the outdated sound is still there"
    assert len(kept.read_bytes()) == pytest.approx(len(encoded), rel=0.01)
    assert again["calls"][0]["sound"]["seconds"] == first["calls"][0]["sound"]["seconds"]


def test_a_name_matched_by_sound_says_so(host: PluginHost) -> None:
    pack = host.packs()["customer-support"]
    expected = {"full_name": "Selina Cortez", "phone": "541-555-0171"}
    sent = {"full_name": "Salina Cortez", "phone": "5415550171"}
    call = {
        "tool": "identify_customer",
        "arguments": expected,
        "alternatives": {},
        "matched": True,
        "request": {"arguments": sent},
    }
    ((name, phone),) = accepted_values({"expected_calls": [call]}, pack)
    assert name == {
        "what": "full_name",
        "expected": "Selina Cortez",
        "sent": "Salina Cortez",
        "note": "accepted as the same name",
    }
    assert phone["note"] == "accepted as the same value"
    assert accepted_values({"expected_calls": [{**call, "matched": False}]}, pack) == [[]]
    (literal,) = accepted_values({"expected_calls": [{**call, "request": {"arguments": expected}}]}, pack)
    assert literal == []


def test_without_audio_the_page_is_small(spoken: RunFolder, host: PluginHost, tmp_path: Path) -> None:
    page = write_report(spoken, host, out=tmp_path / "small.html", audio=False)
    (call,) = _data(page)["calls"]
    assert call["sound"]["source"] == ""
    assert call["sound"]["caller"]
    assert page.stat().st_size < 100_000


def test_a_page_of_many_calls_is_written_without_their_sound(
    spoken: RunFolder, host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = tmp_path / "small.html", tmp_path / "large.html"
    assert _data(write_report(spoken, host, out=small))["calls"][0]["sound"]["source"]
    monkeypatch.setattr("offhook.report._page._CALLS_WITH_SOUND", 0)
    assert not holds_sound(spoken)
    assert _data(write_report(spoken, host, out=large))["calls"][0]["sound"]["source"] == ""
    assert _data(write_report(spoken, host, out=large, audio=True))["calls"][0]["sound"]["source"]


def test_a_failed_call_shows_its_diff(host: PluginHost, tmp_path: Path) -> None:
    folder = _run(host, tmp_path / "run", platform="saboteur-claims-done", tasks=("T4-H1",), line="text")
    data = _data(write_report(folder, host))
    (call,) = data["calls"]
    assert data["run"]["score"]["out_of"] == 80
    assert data["run"]["saboteur"]
    assert call["state"] == "failed"
    assert call["sound"] is None
    changes = call["grades"]["state-adherence"]["evidence"]["expected_changes"]
    assert [change["ok"] for change in changes] == [False] * 4
    assert "plus → standard" in {change["change_text"] for change in changes}


def test_words_from_a_call_cannot_break_out_of_the_page(host: PluginHost, tmp_path: Path) -> None:
    folder = _run(host, tmp_path / "run", platform="reference", tasks=("T5-E1",), line="text")
    (call_id,) = folder.call_ids()
    path = folder.call_folder(call_id) / "record.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["agent_transcripts"][0]["text"] = "</script><script>alert(1)</script>"
    path.write_text(json.dumps(data), encoding="utf-8")
    page = write_report(folder, host)
    assert "<script>alert" not in page.read_text(encoding="utf-8")
    assert any("alert(1)" in turn["text"] for turn in _data(page)["calls"][0]["turns"])


def test_a_page_that_cannot_be_written_is_one_line(
    spoken: RunFolder, host: PluginHost, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot write"):
        write_report(spoken, host, out=tmp_path / "file" / "page.html")
