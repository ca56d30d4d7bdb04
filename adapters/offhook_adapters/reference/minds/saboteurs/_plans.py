"""Faults of the way through a call: gates, order, look-ups, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs

from offhook.sessions import FollowerPlan, PlanStep
from offhook_adapters.reference.minds.saboteurs._fault import Extra, Fault, Trial, made_up

__all__ = ["PLAN_FAULTS"]

_HAND_OVER: Final = "transfer_to_human"


def _only(plan: FollowerPlan, wanted: Callable[[PlanStep], bool]) -> FollowerPlan:
    return attrs.evolve(plan, steps=tuple(step for step in plan.steps if wanted(step)))


def _without_gates(plan: FollowerPlan) -> FollowerPlan:
    return _only(plan, lambda step: step.tool not in plan.gates)


def _gates_last(plan: FollowerPlan) -> FollowerPlan:
    ordered = sorted(plan.steps, key=lambda step: step.tool in plan.gates)
    return attrs.evolve(plan, steps=tuple(ordered))


def _gates_matter(trial: Trial) -> bool:
    """Whether the tool server refuses the same calls with the gates at the end."""
    calls = trial.task.expected
    ordered = tuple(sorted(calls, key=lambda call: call.tool in trial.pack.gates))
    return ordered != calls and trial.replay(ordered) is None


def _first_look_up(plan: FollowerPlan) -> PlanStep | None:
    return next((step for step in plan.steps[:-1] if step.tool not in plan.gates), None)


def _without_first_look_up(plan: FollowerPlan) -> FollowerPlan:
    left_out = _first_look_up(plan)
    return _only(plan, lambda step: step is not left_out)


def _has_look_up(trial: Trial) -> bool:
    return any(call.tool not in trial.pack.gates for call in trial.task.expected[:-1])


def _without_last(plan: FollowerPlan) -> FollowerPlan:
    return attrs.evolve(plan, steps=plan.steps[:-1] or plan.steps)


def _without_any(plan: FollowerPlan) -> FollowerPlan:
    return attrs.evolve(plan, steps=())


def _hand_over_at_once(plan: FollowerPlan) -> tuple[Extra, ...]:
    return tuple(made_up(tool) for tool in plan.tools if tool.name == _HAND_OVER)


def _work_is_ours(trial: Trial) -> bool:
    """Whether the agent itself is to do something, or is told not to hand over."""
    task = trial.task
    forbidden = {*task.forbidden_tools, *(call.tool for call in task.forbidden)}
    names = {call.tool for call in task.expected}
    has = any(tool.name == _HAND_OVER for tool in trial.pack.tools)
    return has and _HAND_OVER not in names and (bool(names) or _HAND_OVER in forbidden)


PLAN_FAULTS: Final = (
    Fault(
        "skips-verification",
        "goes on without passing the gate",
        applies=lambda trial: trial.pack.gated(trial.task),
        plan=_without_gates,
    ),
    Fault(
        "verifies-last",
        "does the work first and passes the gate afterwards",
        applies=_gates_matter,
        plan=_gates_last,
    ),
    Fault(
        "skips-lookup",
        "leaves out the first look-up and goes on as if it knew",
        applies=_has_look_up,
        plan=_without_first_look_up,
    ),
    Fault(
        "stops-short",
        "leaves out the last call and says goodbye",
        applies=lambda trial: len(trial.task.expected) > 1,
        plan=_without_last,
    ),
    Fault(
        "does-nothing",
        "is polite and calls no tool",
        applies=lambda trial: bool(trial.task.expected),
        plan=_without_any,
    ),
    Fault(
        "hands-over",
        "passes every caller on to a person",
        applies=_work_is_ours,
        plan=_without_any,
        extras=_hand_over_at_once,
    ),
)
