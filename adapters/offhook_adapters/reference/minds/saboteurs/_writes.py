"""Faults of what is done: claimed and not done, done though nobody asked, broken off."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from offhook.packs import ExpectedCall, TableRole, Tool
from offhook.sessions import FollowerPlan
from offhook.toolserver import Replay
from offhook_adapters.reference.minds.saboteurs._fault import Extra, Fault, Trial, guide_of, made_up

__all__ = ["WRITE_FAULTS"]

_END_CALL: Final = "end_call"
_TEXT_MESSAGE: Final = "send_sms"


def _commits(plan: FollowerPlan, tool: str) -> bool:
    """Whether the call commits what the caller agreed to."""
    return bool(guide_of(plan, tool).propose)


def _has_commit(trial: Trial) -> bool:
    proposing = {guide.tool for guide in trial.pack.guide.tools if guide.propose}
    return any(call.tool in proposing for call in trial.task.expected)


def _others(tools: Sequence[Tool], used: Collection[str]) -> tuple[Extra, ...]:
    """A made-up call of every tool that is not in use and does not just end the call. Handing over is one of
    them: it leaves a caller in a queue.
    """
    return tuple(made_up(tool) for tool in tools if tool.name not in used and tool.name != _END_CALL)


def _everything_else(plan: FollowerPlan) -> tuple[Extra, ...]:
    return _others(plan.tools, {step.tool for step in plan.steps})


def _writes_something(trial: Trial) -> bool:
    """Whether one of these calls leaves more behind that is graded than the key does."""
    used = {call.tool for call in trial.task.expected}
    rows = _graded_rows(trial, trial.replayed)
    for tool, arguments in _others(trial.pack.tools, used):
        replayed = trial.replay((ExpectedCall(tool, arguments), *trial.task.expected))
        if replayed is not None and _graded_rows(trial, replayed) > rows:
            return True
    return False


def _graded_rows(trial: Trial, replayed: Replay) -> int:
    tables = {table.name for table in trial.pack.tables if table.role is TableRole.WRITE}
    return sum(change.table in tables for change in replayed.changes)


def _text_message(plan: FollowerPlan) -> tuple[Extra, ...]:
    return tuple(made_up(tool) for tool in plan.tools if tool.name == _TEXT_MESSAGE)


def _may_not_text(trial: Trial) -> bool:
    """Whether a text message is forbidden, and the tool server would send one all the same."""
    forbidden = {*trial.task.forbidden_tools, *(call.tool for call in trial.task.forbidden)}
    if _TEXT_MESSAGE not in forbidden:
        return False
    sent = ExpectedCall(*made_up(trial.pack.tool(_TEXT_MESSAGE)))
    key = trial.task.expected
    return any(trial.replay((*key[:at], sent)) is not None for at in range(len(key) + 1))


WRITE_FAULTS: Final = (
    Fault("claims-done", "says it is done without committing it", applies=_has_commit, skips=_commits),
    Fault(
        "meddles",
        "tries every other tool with made-up values",
        applies=_writes_something,
        extras=_everything_else,
    ),
    Fault(
        "texts-unasked",
        "sends a text message that nobody asked for",
        applies=_may_not_text,
        extras=_text_message,
    ),
    Fault(
        "breaks-down",
        "breaks off in the middle of the call",
        applies=lambda trial: True,
        breaks_after=1,
    ),
)
