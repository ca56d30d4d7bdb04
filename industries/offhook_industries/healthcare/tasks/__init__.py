"""The calls people make to Straus Dermatology: one module a task, or a few tasks that share their rules."""

from __future__ import annotations

from offhook.packs import Task, Tier
from offhook_industries.healthcare.tasks import (
    billing,
    c1_m3,
    c2_changes,
    c2_e1,
    c2_h2,
    c2_h3,
    c3_h1,
    c3_h2,
    c3_m1,
    c4_e1,
    c4_h2,
    c5_e1,
    c5_h1,
    clinical,
    cosmetic_consults,
    coverage_questions,
    new_patients,
    r_e1,
    r_h1,
)

__all__ = ["all_tasks"]

_TIERS = (Tier.EASY, Tier.MEDIUM, Tier.HARD)


def all_tasks(pack: str) -> tuple[Task, ...]:
    """Every task of the pack of that name, by category, then tier."""
    modules = (
        coverage_questions,
        new_patients,
        c1_m3,
        c2_e1,
        c2_changes,
        c2_h2,
        c2_h3,
        c3_m1,
        c3_h1,
        c3_h2,
        c4_e1,
        cosmetic_consults,
        c4_h2,
        c5_e1,
        billing,
        c5_h1,
        r_e1,
        clinical,
        r_h1,
    )
    found = [task for module in modules for task in module.tasks(pack)]
    return tuple(sorted(found, key=lambda task: (task.id.split("-")[0], _TIERS.index(task.tier), task.id)))
