"""Who chose a platform's models: no platform excuses its own failures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.cli import main
from offhook.hooks import hookimpl
from offhook.records import ModelLayer
from offhook.runner import RunOptions, WrongSelection, new_run
from offhook.sessions import Capabilities
from tests.core._integrators import OwnAdapter, world_host

BUNDLED = ModelLayer("stt", "own-ears", "bundled")
CLAIMED = ModelLayer("llm", "gpt-x", "rule")
CHOSEN = ModelLayer("llm", "gpt-x", "rule")


def _layers(
    tmp_path: Path, declared: tuple[ModelLayer, ...], *selected: ModelLayer
) -> tuple[ModelLayer, ...]:
    class Layered(OwnAdapter):
        @property
        def capabilities(self) -> Capabilities:
            return attrs.evolve(self._agent().capabilities, layers=declared)

    class Plugin:
        @hookimpl
        def offhook_adapters(self) -> Sequence[Any]:
            return [Layered()]

    host = world_host(Plugin())
    options = RunOptions(
        platform=Layered().name, out=tmp_path / "run", tasks=("B-E1",), line="text", selected=selected
    )
    return new_run(options, host).manifest.layers


def test_a_platform_that_says_the_rule_chose_its_model_is_not_believed(tmp_path: Path) -> None:
    kept = _layers(tmp_path, (BUNDLED, CLAIMED))
    assert kept == (BUNDLED, attrs.evolve(CLAIMED, chosen_by="unproven"))


@pytest.mark.parametrize(
    "declared", [(BUNDLED, CLAIMED), (BUNDLED,), (BUNDLED, attrs.evolve(CLAIMED, chosen_by="flagship"))]
)
def test_a_frozen_selection_is(tmp_path: Path, declared: tuple[ModelLayer, ...]) -> None:
    assert _layers(tmp_path, declared, CHOSEN) == (BUNDLED, CHOSEN)


def test_a_selection_of_another_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongSelection, match="layer llm is gpt-y, the platform runs gpt-x"):
        _layers(tmp_path, (CLAIMED,), attrs.evolve(CHOSEN, model="gpt-y"))
    with pytest.raises(WrongSelection, match="two selections are for one layer"):
        _layers(tmp_path, (CLAIMED,), CHOSEN, CHOSEN)
    assert not (tmp_path / "run").exists()


TABLE = """layer,name,id,generally_available,runs_on,callable_as,streams,preference_elo,pronunciation_percent
tts,Fast,fast-1,yes,{0},{0},yes,1300,90
tts,Slow,slow-1,yes,{0},{0},yes,1200,80
"""


def _selection(tmp_path: Path, platform: str) -> Path:
    table, out = tmp_path / "tts.csv", tmp_path / f"{platform}.json"
    table.write_text(TABLE.format(platform))
    words = ["select", str(table), "--layer", "tts", "--platform", platform, "--date", "2026-11-01"]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--out", str(out)])
    assert ended.value.code == 0
    return out


def test_the_command_takes_a_frozen_selection_of_its_platform(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "T4-E1", "--line", "text", "--out", str(tmp_path / "run"), "--selection"]
    with pytest.raises(SystemExit) as ended:
        main([*words, str(_selection(tmp_path, "acme"))])
    assert ended.value.code == 2
    assert "selects for platform acme, not reference" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main([*words, str(_selection(tmp_path, "reference"))])
    assert ended.value.code == 2
    assert "the selection for layer tts is fast-1, the platform runs" in capsys.readouterr().err
