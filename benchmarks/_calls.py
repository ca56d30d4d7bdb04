"""Seven customer support calls, the same in every version of the benchmark, placed without a run folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs

from offhook.host import PluginHost
from offhook.records import CallRecord
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

__all__ = ["SEED", "SLICE", "check_equal", "kit_for", "slice_calls"]

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


def check_equal(first: Sequence[CallRecord], again: Sequence[CallRecord]) -> None:
    """Raises RuntimeError where a repeated call has left another record or other files; wall-clock stamps
    apart.
    """
    for one, other in zip(first, again, strict=True):
        names = [
            name
            for name in attrs.fields_dict(CallRecord)
            if name != "wall" and getattr(one, name) != getattr(other, name)
        ]
        if names:
            raise RuntimeError(f"{one.key.task}: repeating the call changed {', '.join(names)}")
