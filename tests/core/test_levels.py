"""The active level: that of speech while it lasts, whatever pauses there are."""

from __future__ import annotations

import numpy as np
import pytest

from offhook.audio import LINE_RATE, rms_dbfs
from offhook.levels import active_dbfs


def hiss(seconds: float, dbfs: float) -> np.ndarray:
    rng = np.random.default_rng(1)
    return rng.normal(0.0, 32768 * 10 ** (dbfs / 20), round(seconds * LINE_RATE))


@pytest.mark.parametrize("dbfs", [-10.0, -20.0, -45.0])
def test_steady_sound_has_its_rms(dbfs: float) -> None:
    assert active_dbfs(hiss(5, dbfs), LINE_RATE) == pytest.approx(dbfs, abs=0.1)


def test_pauses_do_not_lower_it() -> None:
    talk = np.concatenate([hiss(2, -20), np.zeros(8 * LINE_RATE), hiss(2, -20), np.zeros(8 * LINE_RATE)])
    assert rms_dbfs(talk.astype(np.int16)) == pytest.approx(-27, abs=0.1)
    # each burst is counted 200 ms and a little longer than it lasts
    assert active_dbfs(talk, LINE_RATE) == pytest.approx(-20.6, abs=0.2)


def test_a_noise_floor_below_the_margin_does_not_count_as_speech() -> None:
    floor = hiss(12, -60)
    talk = floor.copy()
    talk[: 4 * LINE_RATE] += hiss(4, -20)
    assert active_dbfs(talk, LINE_RATE) == pytest.approx(-20.3, abs=0.2)


@pytest.mark.parametrize("times", [10.0, 0.1, 1e-3, 1e-6])
def test_it_scales_with_the_sound_in_any_unit(times: float) -> None:
    talk = np.concatenate([hiss(2, -20), np.zeros(2 * LINE_RATE), hiss(2, -32)])
    assert active_dbfs(talk * times, LINE_RATE) == pytest.approx(
        active_dbfs(talk, LINE_RATE) + 20 * np.log10(times), abs=1e-6
    )


def test_it_does_not_depend_on_the_rate() -> None:
    assert active_dbfs(hiss(4, -20)[::3], 8000) == pytest.approx(-20, abs=0.2)


def test_silence_has_no_level_and_a_whisper_has_one() -> None:
    assert active_dbfs(np.zeros(100, dtype=np.int16), LINE_RATE) == float("-inf")
    assert active_dbfs(np.zeros(0, dtype=np.int16), LINE_RATE) == float("-inf")
    assert active_dbfs(np.full(LINE_RATE, 0.01), LINE_RATE) == pytest.approx(-130.3, abs=0.1)
