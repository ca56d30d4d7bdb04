"""The calls people make to Kestrel: one module a task."""

from offhook.packs import Task
from offhook_industries.customer_support.tasks import (
    r_e1,
    r_h3,
    r_h4,
    r_m3,
    r_m4,
    t1_e1,
    t1_h2,
    t1_h4,
    t1_m2,
    t1_m4,
    t2_e1,
    t2_h1,
    t2_h4,
    t2_m1,
    t2_m2,
    t3_e1,
    t3_h1,
    t3_h3,
    t3_m1,
    t3_m2,
    t4_e1,
    t4_h1,
    t4_h3,
    t4_m2,
    t4_m3,
    t5_e1,
    t5_h1,
    t5_h2,
    t5_m1,
    t5_m4,
)
from offhook_industries.customer_support.tasks._remarks import leaves_remarks_alone

__all__ = ["all_tasks"]


def all_tasks(pack: str) -> tuple[Task, ...]:
    """Every task of the pack of that name, by category, then tier."""
    modules = (
        *(t1_e1, t1_m2, t1_m4, t1_h2, t1_h4),
        *(t2_e1, t2_m1, t2_m2, t2_h1, t2_h4),
        *(t3_e1, t3_m1, t3_m2, t3_h1, t3_h3),
        *(t4_e1, t4_m2, t4_m3, t4_h1, t4_h3),
        *(t5_e1, t5_m1, t5_m4, t5_h1, t5_h2),
        *(r_e1, r_m3, r_m4, r_h3, r_h4),
    )
    return tuple(leaves_remarks_alone(module.task(pack)) for module in modules)
