"""What judges and verifiers hold a call to Kestrel against: facts, rules, access, and each task's criteria
and checks. The platform score reads none of it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from offhook.checks import Check
from offhook.packs import Task
from offhook_industries.customer_support.judged._checks_membership import MEMBERSHIP_CHECKS
from offhook_industries.customer_support.judged._checks_orders import ORDER_CHECKS
from offhook_industries.customer_support.judged._checks_reception import RECEPTION_CHECKS
from offhook_industries.customer_support.judged._checks_returns import RETURN_CHECKS
from offhook_industries.customer_support.judged._checks_service import SERVICE_CHECKS
from offhook_industries.customer_support.judged._criteria import CRITERIA
from offhook_industries.customer_support.judged._facts import FACTS, MUST_NOT
from offhook_industries.customer_support.judged._shared import ACCESS

__all__ = ["ACCESS", "FACTS", "MUST_NOT", "with_judging"]

_CHECKS: Final[Mapping[str, tuple[Check, ...]]] = MappingProxyType(
    {**RECEPTION_CHECKS, **ORDER_CHECKS, **RETURN_CHECKS, **SERVICE_CHECKS, **MEMBERSHIP_CHECKS}
)


def with_judging(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """The tasks, each with its criteria and checks.

    Raises:
        KeyError: a task that nothing was written for.
    """
    return tuple(attrs.evolve(task, criteria=CRITERIA[task.id], checks=_CHECKS[task.id]) for task in tasks)
