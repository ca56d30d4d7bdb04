"""The calls people make to the firm: one module a kind of call."""

from offhook.packs import Task
from offhook_industries.legal.tasks import (
    bookings,
    conflicts,
    declined,
    handed_over,
    intakes,
    messages,
    unusual_intakes,
)

__all__ = ["all_tasks"]


def all_tasks(pack: str) -> tuple[Task, ...]:
    """Every task of the pack of that name, by id."""
    modules = (messages, handed_over, conflicts, declined, intakes, unusual_intakes, bookings)
    every = (task for module in modules for task in module.tasks(pack))
    return tuple(sorted(every, key=lambda task: task.id))
