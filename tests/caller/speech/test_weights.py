"""Pinned weight files: found, hashed once, and refused when they are missing or changed."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from offhook.speech import SpeechUnavailable
from offhook_caller.speech.weights import (
    HIBARI,
    JOE_MODEL,
    MINILM_MODEL,
    WHISPER_TINY,
    WeightFile,
    distribution_version,
    located,
    located_folder,
    matches,
)

CONTENT = b"weights of a very small model"
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def small_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WeightFile:
    package = tmp_path / "site" / "small_speech_model"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "data" / "model.bin").write_bytes(CONTENT)
    monkeypatch.syspath_prepend(package.parent)
    return WeightFile("small_speech_model", "small-speech-model", "data/model.bin", DIGEST)


def test_an_intact_file_is_located(small_package: WeightFile, tmp_path: Path) -> None:
    assert located(small_package, tmp_path / "cache").read_bytes() == CONTENT


def test_a_missing_package_names_the_extra(tmp_path: Path) -> None:
    weight = WeightFile("no_such_speech_model", "no-such-speech-model", "model.bin", DIGEST)
    with pytest.raises(SpeechUnavailable, match=r"no-such-speech-model is not installed.*offhook\[speech\]"):
        located(weight, tmp_path)


def test_a_missing_file_names_path_and_remedy(small_package: WeightFile, tmp_path: Path) -> None:
    path = located(small_package, tmp_path / "cache")
    path.unlink()
    with pytest.raises(SpeechUnavailable, match=r"model\.bin can't be read.*--force-reinstall"):
        located(small_package, tmp_path / "cache")


def test_a_damaged_file_is_refused_although_it_passed_before(
    small_package: WeightFile, tmp_path: Path
) -> None:
    path = located(small_package, tmp_path / "cache")
    path.write_bytes(CONTENT[:-1] + b"!")
    with pytest.raises(SpeechUnavailable) as failure:
        located(small_package, tmp_path / "cache")
    assert str(path) in str(failure.value)
    assert "\n" not in str(failure.value)


def test_a_passed_check_is_remembered_until_the_file_is_touched(tmp_path: Path) -> None:
    path, cache = tmp_path / "model.bin", tmp_path / "cache"
    path.write_bytes(CONTENT)
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    assert matches(path, DIGEST, cache)
    path.write_bytes(CONTENT[::-1])
    os.utime(path, ns=times)
    assert matches(path, DIGEST, cache), "same path, size and time: not hashed again"
    os.utime(path, ns=(times[0], times[1] + 1))
    assert not matches(path, DIGEST, cache)


def test_a_failed_check_is_not_remembered_as_passed(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(CONTENT)
    assert not matches(path, "0" * 64, tmp_path / "cache")
    assert not matches(path, "0" * 64, tmp_path / "cache")


def test_an_unwritable_cache_only_costs_the_memory_of_the_check(tmp_path: Path) -> None:
    path, not_a_folder = tmp_path / "model.bin", tmp_path / "file"
    path.write_bytes(CONTENT)
    not_a_folder.touch()
    assert matches(path, DIGEST, not_a_folder / "cache")


def test_versions_of_absent_distributions_read_as_such() -> None:
    assert distribution_version("no-such-speech-model") == "not installed"
    assert distribution_version("numpy")[0].isdigit()


@pytest.mark.speech
@pytest.mark.parametrize(
    ("weight", "start"),
    [
        (WHISPER_TINY[0], "1a5afae06a4d"),
        (JOE_MODEL, "58afce0321b8"),
        (HIBARI[0], "5f70741d4e90"),
        (MINILM_MODEL, "8199be6f699a"),
    ],
    ids=lambda value: value.distribution if isinstance(value, WeightFile) else value,
)
def test_the_installed_weights_are_the_pinned_ones(
    weight: WeightFile, start: str, speech_cache: Path
) -> None:
    assert weight.sha256.startswith(start)
    assert hashlib.sha256(located(weight, speech_cache).read_bytes()).hexdigest() == weight.sha256


@pytest.mark.speech
def test_all_files_of_a_set_lie_in_one_folder(speech_cache: Path) -> None:
    folder = located_folder(WHISPER_TINY, speech_cache)
    assert {Path(weight.inside).name for weight in WHISPER_TINY} <= {path.name for path in folder.iterdir()}
