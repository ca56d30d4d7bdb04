"""The three packs from end to end: the policy follower passes every task, and no saboteur passes one it has a
chance to fail.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import offhook
from offhook.host import PluginHost
from offhook_adapters.reference.sabotage import LEAST_SABOTEURS, applicable, attempt_all, outcomes

pytestmark = pytest.mark.speech  # text calls need the sentence embedder

PACKS = ("customer-support", "healthcare", "legal")
# One task a pack of each tier, with gates, choices from lists, second requests and a refusal among them.
SAMPLE = (
    "customer-support/T3-E1",
    "customer-support/T2-M2",
    "customer-support/T2-H1",
    "healthcare/C4-E1",
    "healthcare/C2-M2",
    "healthcare/C5-H1",
    "legal/C2-E1",
    "legal/C4-M2",
    "legal/C5-H4",
)


def _failures(tasks: list[str], out: Path) -> str:
    result = asyncio.run(offhook.run(tasks=tasks, line="text", out=out))
    return result.why


def test_the_follower_passes_a_sample_of_every_kind(tmp_path: Path) -> None:
    assert _failures(list(SAMPLE), tmp_path / "run") == ""


@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_follower_passes_every_task(pack: str, seed: int, tmp_path: Path) -> None:
    result = asyncio.run(offhook.run(tasks=[pack], line="text", seed=seed, out=tmp_path / "run"))
    assert result.why == ""
    assert result.summary.passed == 30


@pytest.mark.parametrize("pack", PACKS)
def test_three_saboteurs_and_more_have_a_chance_at_every_task(pack: str, tmp_path: Path) -> None:
    installed = PluginHost.discover().packs()[pack]
    chances = {task.id: applicable(installed, task, tmp_path) for task in installed.tasks}
    few = {task: faults for task, faults in chances.items() if len(faults) < LEAST_SABOTEURS}
    assert few == {}
    assert len({fault for faults in chances.values() for fault in faults}) >= 12


@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS)
def test_every_saboteur_is_caught_at_every_task(pack: str, tmp_path: Path) -> None:
    host = PluginHost.discover()
    installed = host.packs()[pack]
    chances = {task.key: applicable(installed, task, tmp_path / "chances") for task in installed.tasks}
    found = outcomes(chances, attempt_all(host, chances, tmp_path / "runs"))
    assert [attempt for outcome in found for attempt in outcome.missed] == []
