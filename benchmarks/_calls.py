"""The seven customer support calls, placed without a run folder."""

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

__all__ = ["SEED", "kit_for", "slice_calls"]

SEED: Final = 1


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
    """Every customer support task, each with the voice that a run would give it."""
    packs = {"customer-support": kit.packs["customer-support"]}
    return plan_calls(
        pick_tasks(packs, ("customer-support",)),
        platform=kit.adapter.name,
        runs=runs,
        seed=SEED,
        voices=assign_voices(packs.values(), default_slots(host)),
    )
