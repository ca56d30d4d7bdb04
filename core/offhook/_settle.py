"""What planned calls come to after their re-runs, and which calls have to be placed once more. Public through
`offhook.scoring`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import attrs

if TYPE_CHECKING:
    from offhook.grading import Grade
    from offhook.records import CallRecord

MAX_ATTEMPTS: Final = 3
"""Attempts that a planned call gets where nobody says otherwise."""

NO_AGENT: Final = "no agent speech"  # the runner's cause for such a void
SILENT_ATTEMPTS: Final = 3  # the last of them without agent speech is the platform's failure

ATTRIBUTION_REVIEWER: Final = "attribution"
"""The reviewer whose ``numbers["cause"]`` (1 to 7) files a failed call: 1 to 3 are the benchmark's own and
void it, 5 to 7 are left out of the score where ``evidence["chosen_by"]`` is ``"rule"``."""

_OWN_CAUSES: Final[Mapping[int, str]] = MappingProxyType(
    {1: "task defect", 2: "caller off script", 3: "harness fault"}
)
_MENDED_BY_A_RERUN: Final = (2, 3)  # a defective task stays defective


@attrs.frozen
class CallResult:
    """What one planned call came to, after its re-runs: ``state`` is ``passed``, ``failed``, ``void`` or
    ``error``; ``why`` says so in a line where it did not pass, ``reason`` in a word or three where it was not
    graded."""

    record: CallRecord
    state: str
    why: str = ""
    reason: str = ""

    @property
    def graded(self) -> bool:
        return self.state in ("passed", "failed")


@attrs.frozen
class Shortfall:
    """A task that did not get the graded runs it was to have. ``reasons`` counts the runs that are short by
    why; ``attempts`` holds how many attempts each of them had."""

    pack: str
    task: str
    audio: str
    graded: int
    planned: int
    reasons: Mapping[str, int]
    attempts: tuple[int, ...]

    def __str__(self) -> str:
        name = f"{self.pack}/{self.task}{'' if self.audio == 'clean' else f' ({self.audio})'}"
        least, most = min(self.attempts), max(self.attempts)
        tries = f"{most} attempt{'' if most == 1 else 's'}"
        after = f"{tries} each" if least == most else f"{least} to {tries}"
        why = ", ".join(f"{times} x {reason}" for reason, times in self.reasons.items())
        return f"{name}: {self.graded} of {self.planned} graded runs after {after}: {why}"


def settle_calls(
    records: Iterable[CallRecord], grades: Iterable[Grade], *, attempts: int = MAX_ATTEMPTS
) -> tuple[CallResult, ...]:
    """One result per planned call, in order of its key: the last attempt counts, earlier ones were voided.

    A completed call passes when it has verdict grades and all of them pass. A failure that attribution files
    under the benchmark's own causes (1 task, 2 caller, 3 harness) is void. A verdict that failed to grade,
    or none at all, makes it an error, never a failure. A call whose last attempt is void for want of agent
    speech is the platform's failure if that was its third such attempt, or the last it may have.

    Args:
        attempts: how many the run allows a planned call.
    """
    by_call: dict[str, list[Grade]] = {}
    for grade in grades:
        by_call.setdefault(grade.call_id, []).append(grade)
    last: dict[tuple[str, ...], CallRecord] = {}
    silent: Counter[tuple[str, ...]] = Counter()
    for record in records:
        slot = _slot(record)
        silent[slot] += _is_silent(record)
        if slot not in last or last[slot].key.attempt < record.key.attempt:
            last[slot] = record
    return tuple(
        _with_trouble(_settle(last[slot], by_call.get(last[slot].call_id, []), silent[slot], attempts))
        for slot in sorted(last)
    )


def rerun_reason(record: CallRecord, grades: Iterable[Grade], *, silent_before: int = 0) -> str:
    """Why a call has to be placed once more, in a word or three; empty where it stands as it is. A failure
    is only known to be the caller's or the harness's fault once it has been graded.

    Args:
        silent_before: earlier attempts that were void for want of agent speech.
    """
    if record.ending == "void":
        spent = _is_silent(record) and silent_before + 1 >= SILENT_ATTEMPTS
        return "" if spent else void_reason(record, ())
    found = list(grades)
    if record.ending != "completed" or not _has_failed(found):
        return ""
    cause = _own_cause_of(found)
    return _OWN_CAUSES[cause] if cause in _MENDED_BY_A_RERUN else ""


def void_reason(record: CallRecord, grades: Iterable[Grade]) -> str:
    """Why an attempt is void, in a word or three."""
    if record.ending == "void":
        return record.cause.partition(":")[0] or "void"
    return _OWN_CAUSES.get(_own_cause_of(grades), "void")


def own_cause(grades: Iterable[Grade]) -> str:
    """Why a failed call is the benchmark's own fault, by its attribution; empty where it is not."""
    for grade in grades:
        if grade.grader == ATTRIBUTION_REVIEWER and 1 <= grade.numbers.get("cause", 0) <= 3:
            return grade.summary
    return ""


def first_trouble(record: CallRecord) -> str:
    """What first went wrong on a platform's session, in one line; empty where nothing did."""
    return record.session_errors[0] if record.session_errors else ""


def shortfalls(results: Sequence[CallResult], runs: int) -> tuple[Shortfall, ...]:
    """Each task and audio condition with a run that was placed and not graded, in the results' order."""
    groups: dict[tuple[str, str, str], list[CallResult]] = {}
    for result in results:
        key = result.record.key
        groups.setdefault((key.pack, key.task, key.audio), []).append(result)
    return tuple(
        _shortfall(name, group, runs)
        for name, group in groups.items()
        if any(not result.graded for result in group)
    )


def _shortfall(name: tuple[str, str, str], group: Sequence[CallResult], runs: int) -> Shortfall:
    short = [result for result in group if not result.graded]
    reasons = Counter(result.reason for result in short)
    return Shortfall(
        *name,
        graded=len(group) - len(short),
        planned=runs,
        reasons=dict(sorted(reasons.items())),
        attempts=tuple(result.record.key.attempt for result in short),
    )


def _with_trouble(result: CallResult) -> CallResult:
    """A call that did not pass also says what went wrong on the platform's side, in its own words."""
    trouble = first_trouble(result.record)
    if result.state == "passed" or not trouble or trouble in result.why:
        return result
    return attrs.evolve(result, why=f"{result.why} (platform: {trouble})")


def _slot(record: CallRecord) -> tuple[str, ...]:
    key = record.key
    return (key.pack, key.task, key.platform, key.audio, key.line, f"{key.run:06d}")


def _settle(record: CallRecord, grades: Sequence[Grade], silent: int, attempts: int) -> CallResult:
    if record.ending == "void":
        if _is_silent(record) and (silent >= SILENT_ATTEMPTS or record.key.attempt >= attempts):
            tries = f"{silent} attempt{'' if silent == 1 else 's'}"
            return CallResult(record, "failed", f"{NO_AGENT} in {tries}")
        return CallResult(record, "void", record.cause, void_reason(record, grades))
    if record.ending != "completed":
        return CallResult(record, "error", record.cause, "error")
    verdicts = _verdicts(grades)
    if not verdicts:
        return CallResult(record, "error", "no verdict: grade this call", "no verdict")
    undecided = [grade for grade in verdicts if grade.outcome not in ("pass", "fail")]
    if undecided:
        return CallResult(record, "error", f"{undecided[0].grader}: {undecided[0].summary}", "no verdict")
    failed = [grade for grade in verdicts if grade.outcome == "fail"]
    if failed and (ours := own_cause(grades)):
        return CallResult(record, "void", ours, void_reason(record, grades))
    if failed:
        return CallResult(record, "failed", "; ".join(f"{grade.grader}: {grade.summary}" for grade in failed))
    return CallResult(record, "passed")


def _is_silent(record: CallRecord) -> bool:
    return record.ending == "void" and record.cause == NO_AGENT


def _verdicts(grades: Iterable[Grade]) -> list[Grade]:
    return [grade for grade in grades if grade.kind == "verdict"]


def _has_failed(grades: Sequence[Grade]) -> bool:
    outcomes = [str(grade.outcome) for grade in _verdicts(grades)]
    return "fail" in outcomes and set(outcomes) <= {"pass", "fail"}


def _own_cause_of(grades: Iterable[Grade]) -> int:
    """1 to 3, or 0 where attribution names none of the benchmark's own causes."""
    for grade in grades:
        cause = grade.numbers.get("cause", 0)
        if grade.grader == ATTRIBUTION_REVIEWER and 1 <= cause <= 3:
            return int(cause)
    return 0
