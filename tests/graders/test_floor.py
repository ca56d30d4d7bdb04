"""The synthesis floor of the caller's voices, and ``offhook floor``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.packs import Pack
from offhook.report import write_report
from offhook.storage import RunFolder, StorageError
from offhook.testing import FakeSpeech
from offhook.testing_pack import bicycle_pack
from offhook_graders import plugin
from offhook_graders.hearing.floor_command import floor
from tests.graders.spoken_run import spoken_run

TWENTY = "please cancel my booking with you and send the money back to me by the post"


class _Packs:
    @hookimpl
    def offhook_industries(self) -> Sequence[Pack]:
        return [bicycle_pack()]


def _host(*, speech: bool = True) -> PluginHost:
    host = PluginHost()
    for name, part in (
        ("packs", _Packs()),
        ("graders", plugin),
        *((("speech", FakeSpeech()),) if speech else ()),
    ):
        assert host.register(part, name=name)
    return host


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """Two voices; Joe drops a word and slurs another, on the second of his calls."""
    return spoken_run(
        tmp_path / "run",
        [
            ("joe", ["hello there", "thank you"], ["hello there", "thank you"]),
            ("joe", [TWENTY], [TWENTY.replace("please ", "").replace("post", "toast")]),
            ("amy", [TWENTY], [TWENTY]),
        ],
    )


def _floor(run: RunFolder, *options: str, host: PluginHost | None = None) -> Result:
    return CliRunner().invoke(floor, [str(run.path), *options], obj=host or _host(), standalone_mode=False)


def _voices(result: Result) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(result.stdout)["floor"]
    return found


def test_it_prints_the_pooled_word_errors_of_each_voice(run: RunFolder) -> None:
    result = _floor(run, "--json")

    assert result.return_value == 0
    amy, joe = _voices(result)
    assert (amy["voice"], amy["calls"], amy["reference_words"], amy["wer"]) == ("amy", 1, 16, 0)
    assert (joe["voice"], joe["calls"], joe["reference_words"]) == ("joe", 2, 20)
    assert (joe["substitutions"], joe["deletions"], joe["insertions"]) == (1, 1, 0)
    assert joe["wer"] == 0.1  # the mean of the two calls' rates is 1 / 16
    assert joe["engine"] == "whisper-base"
    assert result.stderr.splitlines() == [
        f"{number} of 3: {call_id} ({run.record(call_id).voice})"
        for number, call_id in enumerate(run.call_ids(), 1)
    ]


def test_people_get_a_table(run: RunFolder) -> None:
    result = _floor(run)

    assert "10.0 %" in result.stdout
    assert "whisper-base, offhook.testing 1" in result.stdout


def test_a_second_time_nothing_is_heard_again(run: RunFolder) -> None:
    first = _floor(run, "--json")

    again = _floor(run, "--json", host=_host(speech=False))  # it would need a recogniser

    assert (again.return_value, again.stdout) == (0, first.stdout)


def test_the_report_shows_the_floor_once_it_was_measured(run: RunFolder) -> None:
    host = _host()
    before = write_report(run, host).read_text()
    _floor(run)

    page = write_report(run, host).read_text()

    assert '"floor":[]' in before.replace(" ", "")
    assert '"voice":"joe"' in page.replace(" ", "")


def test_a_missing_recogniser_is_one_error_and_not_one_a_call(run: RunFolder) -> None:
    result = _floor(run, host=_host(speech=False))

    assert "whisper-base" in str(result.exception)
    assert "pip install" in str(result.exception)
    assert not (run.path / "measurements").exists()


def test_a_damaged_call_is_named_and_the_others_are_measured(run: RunFolder) -> None:
    damaged = next(each for each in run.call_ids() if run.record(each).voice == "amy")
    (run.call_folder(damaged) / "caller.flac").write_bytes(b"fLaC")

    result = _floor(run, "--json")

    assert result.return_value == 1
    assert [one["voice"] for one in _voices(result)] == ["joe"]
    assert f"call {damaged} not measured: " in result.stderr


@pytest.mark.parametrize("measurer", ["caller-recognition", "synthesis-floor"])
def test_a_damaged_measurement_is_named_and_measured_again_once_it_is_gone(
    run: RunFolder, measurer: str
) -> None:
    whole = _floor(run, "--json").stdout
    damaged = next(each for each in run.call_ids() if run.record(each).voice == "amy")
    path = run.path / "measurements" / measurer / "1" / f"{damaged}.json"
    content = json.loads(path.read_text())
    content["measurement"]["values"] = {"engine": "x", "version": "y", "turns": [{"index": 0}]}
    path.write_text(json.dumps(content))
    if measurer == "caller-recognition":
        (run.path / "measurements" / "synthesis-floor" / "1" / path.name).unlink()

    result = _floor(run, "--json")

    assert (result.return_value, [one["voice"] for one in _voices(result)]) == (1, ["joe"])
    told = f"call {damaged} not measured: the stored {measurer} is damaged; delete measurements/{measurer}/1/"
    assert told in result.stderr
    path.unlink()
    assert _floor(run, "--json").stdout == whole


def test_a_damaged_manifest_is_no_run_without_calls(run: RunFolder) -> None:
    (run.path / "run.json").write_text("{")

    result = _floor(run)

    assert isinstance(result.exception, StorageError)
    assert "run.json" in str(result.exception)


def test_a_run_without_sound_is_not_measured(tmp_path: Path) -> None:
    text = spoken_run(tmp_path / "text", [("joe", ["hello"], ["hello"])], line="text")

    result = _floor(text)

    assert result.return_value == 0
    assert "not measured: the run has no completed call" in result.stdout
    assert CliRunner().invoke(floor, [str(tmp_path)], obj=_host()).exit_code == 2  # no run there
