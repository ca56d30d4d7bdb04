"""Every task of the three packs: saboteurs that have a chance at it, and a follower that passes it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import offhook
from offhook.host import PluginHost
from offhook_adapters.reference.sabotage import LEAST_SABOTEURS, applicable

PACKS = ("customer-support", "healthcare", "legal")


@pytest.mark.speech
@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS)
def test_the_follower_passes_every_task_with_another_seed(pack: str, tmp_path: Path) -> None:
    result = asyncio.run(offhook.run(tasks=[pack], line="text", seed=5, out=tmp_path / "run"))
    assert result.why == ""
    assert result.summary.passed == 30


@pytest.mark.parametrize("pack", PACKS)
def test_three_saboteurs_and_more_have_a_chance_at_every_task(pack: str, tmp_path: Path) -> None:
    installed = PluginHost.discover().packs()[pack]
    chances = {task.id: applicable(installed, task, tmp_path) for task in installed.tasks}
    few = {task: faults for task, faults in chances.items() if len(faults) < LEAST_SABOTEURS}
    assert few == {}
    assert len({fault for faults in chances.values() for fault in faults}) >= 12
