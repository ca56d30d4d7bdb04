"""Real calls on every audio condition, and what comes of them in the recordings, the score and the card."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from scipy.signal import welch

import offhook
from offhook.audio import LINE_RATE
from offhook.cli import main
from offhook.levels import active_dbfs
from offhook.line import read_flac

pytestmark = [pytest.mark.speech, pytest.mark.slow]

CONDITIONS = ("clean", "noise", "degraded")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> offhook.RunResult:
    folder = tmp_path_factory.mktemp("conditions") / "run"
    tasks = ("customer-support/R-E1", "customer-support/T4-E1", "customer-support/T4-H1")
    return asyncio.run(offhook.run(tasks=tasks, audio=CONDITIONS, out=folder))


def tapes_of(result: offhook.RunResult) -> Mapping[tuple[str, str], tuple[np.ndarray, np.ndarray]]:
    """What the platform was sent and what the caller said, by task and condition."""
    found = {}
    for call in result.calls:
        sent = read_flac(call.folder / "recording.flac")[0][:, 0].astype(float)
        said = read_flac(call.folder / "caller.flac")[0].astype(float).reshape(-1)
        found[call.record.key.task, call.record.key.audio] = (sent, said[: len(sent)])
    return found


def test_the_easy_tasks_are_called_on_every_condition(result: offhook.RunResult) -> None:
    placed = {(call.record.key.task, call.record.key.audio) for call in result.calls}
    assert placed == {("T4-H1", "clean")} | {
        (task, audio) for task in ("R-E1", "T4-E1") for audio in CONDITIONS
    }
    assert result.summary.planned == result.summary.graded == 7
    assert result.summary.error == 0


def test_variants_are_heard_and_graded_beside_the_score(result: offhook.RunResult) -> None:
    summary = result.summary
    assert set(summary.variants) == {"noise", "degraded"}
    assert all(rate is not None and rate.n == 2 for rate in summary.variants.values())
    assert summary.rate is not None
    assert summary.rate.n == 3
    clean, worse = summary.hearing["clean"], summary.hearing["degraded"]
    assert clean is not None
    assert worse is not None
    assert (clean.calls, worse.calls) == (3, 4)
    assert worse.wer > clean.wer


def test_the_street_is_at_its_gain_against_the_speech(result: offhook.RunResult) -> None:
    for task in ("R-E1", "T4-E1"):
        sent, said = tapes_of(result)[task, "noise"]
        gain = float(np.dot(sent, said) / np.dot(said, said))
        speech, road = active_dbfs(gain * said, LINE_RATE), active_dbfs(sent - gain * said, LINE_RATE)
        assert speech == pytest.approx(-20.0, abs=1.0)
        # a short call hears a part of the street, which is louder or softer than the whole
        assert road - speech == pytest.approx(20 * np.log10(0.8), abs=2.5)
        assert np.abs(sent[: LINE_RATE // 2]).max() > 300  # before anybody speaks


def test_the_line_has_the_telephone_band(result: offhook.RunResult) -> None:
    for task in ("R-E1", "T4-E1"):
        hertz, power = welch(tapes_of(result)[task, "degraded"][0], LINE_RATE, nperseg=4096)
        inside = power[(hertz >= 300) & (hertz <= 3400)].sum()
        assert 10 * np.log10(power[hertz > 3700].sum() / inside) < -40
        assert 10 * np.log10(power[hertz < 200].sum() / inside) < -25


def test_the_card_compares_each_condition_with_clean_calls(
    result: offhook.RunResult, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as ended:
        main(["scorecard", str(result.folder)])
    assert ended.value.code in (0, None)
    told = capsys.readouterr().out
    assert "robustness: noise road traffic: " in told
    assert "robustness: impairment weak mobile signal: " in told
    assert "noise, reported apart" in told
    assert "C_degraded" in told


def test_the_same_call_again_is_the_same_byte_for_byte(result: offhook.RunResult, tmp_path: Path) -> None:
    again = asyncio.run(
        offhook.run(tasks="customer-support/R-E1", audio=("noise", "degraded"), out=tmp_path / "again")
    )
    before, after = tapes_of(result), tapes_of(again)
    for audio in ("noise", "degraded"):
        assert before["R-E1", audio][0].tobytes() == after["R-E1", audio][0].tobytes()
