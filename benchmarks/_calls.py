"""Seven customer support calls, the same in every version of the benchmark, placed without a run folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from offhook.host import PluginHost
from offhook.runner import (
    CallKit,
    EngineChoice,
    PlannedCall,
    assign_voices,
    default_slots,
    make_kit,
    pick_tasks,
    plan_calls,
)

__all__ = ["SEED", "SLICE", "kit_for", "slice_calls"]

SEED: Final = 1
SLICE: Final = tuple(
    f"customer-support/{task}" for task in ("T4-E1", "T4-M2", "T4-M3", "T4-H1", "T4-H3", "T5-E1", "R-E1")
)
"""Membership, prices and a demand for a person. Speed and memory are figures of these calls: they stay
comparable where a pack grows.
"""


def kit_for(host: PluginHost, images: Path) -> CallKit:
    """The reference platform, the scripted caller and the embedded engines."""
    return make_kit(
        host,
        platform="reference",
        caller="scripted",
        choice=EngineChoice(),
        images=images,
        seed=SEED,
        options={},
    )


def slice_calls(kit: CallKit, host: PluginHost, *, runs: int = 1) -> Sequence[PlannedCall]:
    """The calls of the slice, each with the voice that a run would give it."""
    return plan_calls(
        pick_tasks(kit.packs, SLICE),
        platform=kit.adapter.name,
        runs=runs,
        seed=SEED,
        voices=assign_voices(kit.packs.values(), default_slots(host)),
    )
