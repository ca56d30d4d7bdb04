"""Causes that are the benchmark's own: 1 the task, 2 the caller, 3 the harness."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from offhook.packs import Pack
from offhook.records import ToolLogEntry, lateness_fault
from offhook_graders.adherence.matching import differences, fold_text
from offhook_graders.attribution._case import Case, Check, does_not_apply
from offhook_graders.attribution._signs import timing_signs

__all__ = ["caller_check", "harness_check", "task_check"]

_MOMENT: Final = re.compile(r" at ([0-9]+(?:\.[0-9]+)?) s\b")  # the caller's words for when it strayed


def task_check(case: Case) -> Check:
    """The key does not replay on its pack, or a defect of the task is known and confirmed."""
    for grade in case.broken:
        if grade.summary.startswith("ReplayError"):
            return Check(
                1, True, f"the task's key does not replay: {grade.summary}", {"grader": grade.grader}
            )
    known = [defect for defect in case.call.pack.defects if defect.task == case.call.task.id]
    if known:
        told = {"what": known[0].what, "confirmed": known[0].confirmed}
        return Check(1, True, f"known defect, confirmed {known[0].confirmed}: {known[0].what}", told)
    return does_not_apply(1, "the key replays, and no defect of the task is known")


def caller_check(case: Case) -> Check:
    """The caller strayed from its script, by its own account, before the agent had done what the task
    forbids. A platform that has failed by then can't undo it by leading the caller astray."""
    off = case.call.record.off_script
    if not off:
        return does_not_apply(2, "the caller kept to its script")
    breach = case.breached_at
    if breach is not None and all(_strayed_at(line) > breach for line in off):
        return does_not_apply(
            2, f"the agent had done what the task forbids at {breach:.1f} s, before the caller was off script"
        )
    return Check(2, True, f"the caller was off script: {off[0]}", {"off_script": list(off)})


def _strayed_at(line: str) -> float:
    """The moment that a line of the caller's account names; the call's start where it names none."""
    found = _MOMENT.search(line)
    return float(found[1]) if found is not None else 0.0


def harness_check(case: Case) -> Check:
    """Our tool server, our line, our recording or our graders failed. A failed request counts where the call
    lacks what it asked for, late frames where the failure depends on timing; else the call would have failed
    just so without them."""
    record = case.call.record
    inside = [entry for entry in case.call.tools if entry.status >= 500]
    decisive = next((entry for entry in inside if _decided(case, entry)), None)
    if decisive is not None:
        told = {"request": decisive.index, "tool": decisive.tool, "status": decisive.status}
        return Check(3, True, f"the tool server failed inside {decisive.tool}", told)
    if case.broken:
        grade = case.broken[0]
        return Check(
            3,
            True,
            f"the evidence could not be graded: {grade.grader}: {grade.summary}",
            {"grader": grade.grader},
        )
    if not case.on_text and case.call.recording is None:
        return Check(3, True, "the recording is missing", {"recording": None})
    late = lateness_fault(record)
    if not late and inside:
        return does_not_apply(
            3, f"the tool server failed inside {inside[0].tool}, but nothing that the call lacks came of it"
        )
    if not late:
        return does_not_apply(3, "the tool server answered, the evidence is whole and the line kept up")
    signs = timing_signs(case)
    # Speech that ran dry may leave things undone; it makes no agent do what is forbidden.
    if record.underruns and (case.misses or case.absent) and not case.forbidden:
        told = {"underruns": record.underruns, "late_p99_ms": record.late.p99_ms}
        return Check(3, True, f"{late}, and the agent's audio ran dry {record.underruns} times", told)
    if signs and not case.forbidden:
        told = {"late_p99_ms": record.late.p99_ms, "sign": signs[0].as_json()}
        return Check(3, True, f"{late}, and the failure depends on timing: {signs[0].what}", told)
    return does_not_apply(3, f"{late}, but nothing in the failure depends on timing")


def _decided(case: Case, entry: ToolLogEntry) -> bool:
    """Whether the call failed for want of what a failed request asked for.

    That is an expected call that no other request stands for, asked for with the right values; or a tool
    beyond the key that never answered, asked with values that the agent had from the call. Else a platform
    could send values that break a tool, and have any failure of its own declared void."""
    if case.breached_at is not None and case.breached_at < entry.at:
        return False
    if not (case.misses or case.absent or case.forbidden or case.unexpected):
        return True  # neither tool calls nor state failed the call: what did is not known here
    pack, asked = case.call.pack, attrs.evolve(entry, arguments=_arguments(entry))
    if any(
        miss.tool == entry.tool
        and not differences(miss.expected, entry.outcome, pack.tool(entry.tool), asked)
        for miss in case.misses
    ):
        return True
    if any(call.tool == entry.tool for call in case.call.task.expected) or not (case.omitted or case.absent):
        return False
    answered = any(
        other.tool == entry.tool and other.outcome == "accepted" and other.at >= entry.at
        for other in case.call.tools
    )
    return not answered and _is_grounded(case, asked)


def _arguments(entry: ToolLogEntry) -> Mapping[str, Any]:
    """Of a request that failed before it was read, what it held."""
    if entry.arguments or not entry.raw:
        return entry.arguments
    try:
        held = json.loads(entry.raw)
    except (ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _is_grounded(case: Case, entry: ToolLogEntry) -> bool:
    """Whether every value is a trait of the caller, one of the key's, a choice, or stands in a result; free
    text may be anything."""
    known = {fold_text(text) for text in _given(case, entry)}
    free = _free_arguments(case.call.pack, entry.tool)
    return all(
        value is None or isinstance(value, bool) or fold_text(str(value)) in known
        for name, value in entry.arguments.items()
        if name not in free
    )


def _given(case: Case, entry: ToolLogEntry) -> Iterator[str]:
    task, tools = case.call.task, case.call.pack.tools
    yield from (trait.value for trait in task.traits)
    for call in task.expected:
        yield from _texts([*call.arguments.values(), *call.alternatives.values()])
    for tool in tools:
        if tool.name == entry.tool:
            yield from (choice.value for parameter in tool.parameters for choice in parameter.choices)
    yield from _texts([other.response for other in case.call.tools if other.index < entry.index])


def _free_arguments(pack: Pack, tool: str) -> frozenset[str]:
    found = (parameter for each in pack.tools if each.name == tool for parameter in each.parameters)
    return frozenset(parameter.name for parameter in found if not parameter.constrained)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield str(value)
