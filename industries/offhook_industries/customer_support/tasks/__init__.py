"""The calls people make to Kestrel: one module a task."""

from offhook.packs import Task
from offhook_industries.customer_support.tasks import r_e1, t4_e1, t4_h1, t4_h3, t4_m2, t4_m3, t5_e1

__all__ = ["all_tasks"]


def all_tasks(pack: str) -> tuple[Task, ...]:
    """Every task of the pack of that name, by category, then tier."""
    modules = (t4_e1, t4_m2, t4_m3, t4_h1, t4_h3, t5_e1, r_e1)
    return tuple(module.task(pack) for module in modules)
