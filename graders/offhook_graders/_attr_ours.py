"""Causes that are the benchmark's own: 1 the task, 2 the caller, 3 the harness."""

from __future__ import annotations

from offhook.records import lateness_fault
from offhook_graders._attr_case import Case, Check, does_not_apply
from offhook_graders._attr_signs import timing_signs

__all__ = ["caller_check", "harness_check", "task_check"]


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
    """The caller strayed from its script, by its own account."""
    off = case.call.record.off_script
    if off:
        return Check(2, True, f"the caller was off script: {off[0]}", {"off_script": list(off)})
    return does_not_apply(2, "the caller kept to its script")


def harness_check(case: Case) -> Check:
    """Our tool server, our line, our recording or our graders failed. Late frames count where the failure
    depends on timing; else the call would have failed just so on a quick machine."""
    record = case.call.record
    inside = [entry for entry in case.call.tools if entry.status >= 500]
    if inside:
        told = {"request": inside[0].index, "tool": inside[0].tool, "status": inside[0].status}
        return Check(3, True, f"the tool server failed inside {inside[0].tool}", told)
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
    if not late:
        return does_not_apply(3, "the tool server answered, the evidence is whole and the line kept up")
    signs = timing_signs(case)
    if record.underruns:
        told = {"underruns": record.underruns, "late_p99_ms": record.late.p99_ms}
        return Check(3, True, f"{late}, and the agent's audio ran dry {record.underruns} times", told)
    if signs:
        told = {"late_p99_ms": record.late.p99_ms, "sign": signs[0].as_json()}
        return Check(3, True, f"{late}, and the failure depends on timing: {signs[0].what}", told)
    return does_not_apply(3, f"{late}, but nothing in the failure depends on timing")
