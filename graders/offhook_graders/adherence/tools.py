"""The ``tool-adherence`` grader: does the tool server's log hold every call that a correct resolution makes?

Each expected call is assigned to a request of its own by maximum bipartite matching: same tool, equal
constrained arguments after normalisation, free text present, same outcome as in the replay (so a refused call
never counts as done, unless the key expects the refusal). Order does not matter and extra calls are allowed,
except accepted calls that the task forbids. A call that the platform broke off fails whatever it had done by
then: otherwise a task that needs no call would be passed by a platform that falls over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.packs import ExpectedCall, Pack
from offhook.records import CallRecord, ToolLogEntry
from offhook_graders.adherence.forbidden import Breach, breaches
from offhook_graders.adherence.matching import Difference, assign, differences, nearest

if TYPE_CHECKING:
    from offhook.toolserver import ReplayCache

__all__ = ["CallMatch", "ToolGrader", "match_calls"]


@attrs.frozen
class CallMatch:
    """What became of one expected call. ``observed`` is the index of its request in the log, or None; then
    ``nearest`` is the most similar request of the same tool that stands for no other expected call, with its
    ``differences``, or None if there is none."""

    expected: ExpectedCall
    observed: int | None
    nearest: int | None = None
    differences: tuple[Difference, ...] = ()
    called: bool = False

    @property
    def note(self) -> str:
        """One line for people."""
        if self.observed is not None:
            return "matched"
        if self.nearest is None:
            return "called, but not once for each expected call" if self.called else "never called"
        if len(self.differences) == 1 and self.differences[0].what == "outcome":
            return f"{self.differences[0].observed}, not {self.differences[0].expected}"
        return "called with another " + ", ".join(difference.what for difference in self.differences)


def match_calls(
    expected: Sequence[ExpectedCall], outcomes: Sequence[str], log: Sequence[ToolLogEntry], pack: Pack
) -> tuple[CallMatch, ...]:
    """Assigns expected calls to requests, as many as possible.

    Args:
        outcomes: per expected call, ``accepted`` or ``refused`` as in the replay.
        log: the requests; their place in this sequence is their index.
    """
    compared = [
        {
            index: differences(call, outcome, pack.tool(call.tool), entry)
            for index, entry in enumerate(log)
            if entry.tool == call.tool
        }
        for call, outcome in zip(expected, outcomes, strict=True)
    ]
    eligible = [[index in row and not row[index] for index in range(len(log))] for row in compared]
    assigned = assign(eligible)
    taken = {column for column in assigned if column is not None}
    matches = []
    for call, row, column in zip(expected, compared, assigned, strict=True):
        closest = (
            None
            if column is not None
            else nearest({index: row[index] for index in row if index not in taken})
        )
        differing = () if closest is None else row[closest]
        matches.append(CallMatch(call, column, closest, differing, called=bool(row)))
    return tuple(matches)


@attrs.frozen
class ToolGrader:
    """Decides from the request log and the replay of the task's key."""

    replays: ReplayCache
    name: str = "tool-adherence"
    version: str = "3"
    kind: GradeKind = GradeKind.VERDICT

    def grade(self, call: CallEvidence) -> Grade:
        """Pass if every expected call is matched, nothing forbidden was called and the platform did not break
        off.

        Raises:
            offhook.toolserver.ReplayError: the task's key does not run on its pack.
        """
        replay = self.replays.get(call.pack, call.task)
        outcomes = ["accepted" if made.status < 400 else "refused" for made in replay.calls]
        matches = match_calls(call.task.expected, outcomes, call.tools, call.pack)
        forbidden = breaches(call.task, call.pack, call.record, call.tools)
        matched = sum(match.observed is not None for match in matches)
        broken = _broke_off(call.record)
        passed = matched == len(matches) and not forbidden and not broken
        return Grade(
            grader=self.name,
            version=self.version,
            kind=self.kind,
            call_id=call.record.call_id,
            outcome=Outcome.PASS if passed else Outcome.FAIL,
            summary=_summary(
                matched, len(matches), [call.tools[breach.at].tool for breach in forbidden], broken
            ),
            numbers={
                "expected": float(len(matches)),
                "matched": float(matched),
                "requests": float(len(call.tools)),
                "forbidden": float(len(forbidden)),
                "broken": float(bool(broken)),
            },
            evidence={**_evidence(matches, forbidden, call.tools), "broke_off": broken},
        )


def _broke_off(record: CallRecord) -> str:
    """Why the platform ended the call by itself, in its own words; empty where it did not. A platform that is
    done ends a call as the agent.
    """
    if record.ended_by != "platform":
        return ""
    return record.session_errors[-1] if record.session_errors else "no reason given"


def _summary(matched: int, expected: int, forbidden: Sequence[str], broken: str) -> str:
    told = f"{matched} of {expected} expected calls matched in the request log"
    if forbidden:
        told += f"; forbidden: {', '.join(dict.fromkeys(forbidden))}"
    if broken:
        told += f"; the platform broke off: {broken}"
    return told


def _evidence(
    matches: Sequence[CallMatch], forbidden: Sequence[Breach], log: Sequence[ToolLogEntry]
) -> dict[str, Any]:
    taken = {match.observed for match in matches}
    return {
        "expected_calls": [_match_json(match, log) for match in matches],
        "extra_requests": [_entry_json(entry) for index, entry in enumerate(log) if index not in taken],
        "forbidden_requests": [
            {**_entry_json(log[breach.at]), "why": breach.why, "allowed_by": list(breach.allowed_by)}
            for breach in forbidden
        ],
    }


def _match_json(match: CallMatch, log: Sequence[ToolLogEntry]) -> dict[str, Any]:
    return {
        "tool": match.expected.tool,
        "arguments": dict(match.expected.arguments),
        "alternatives": {name: list(values) for name, values in match.expected.alternatives.items()},
        "free_text": list(match.expected.free_text),
        "outcome": match.expected.outcome or "accepted",
        "matched": match.observed is not None,
        "note": match.note,
        "request": None if match.observed is None else _entry_json(log[match.observed]),
        "nearest": None if match.nearest is None else _entry_json(log[match.nearest]),
        "differences": [_difference_json(difference) for difference in match.differences],
    }


def _difference_json(difference: Difference) -> Mapping[str, Any]:
    return {"what": difference.what, "expected": difference.expected, "observed": difference.observed}


def _entry_json(entry: ToolLogEntry) -> dict[str, Any]:
    return {
        "index": entry.index,
        "tool": entry.tool,
        "arguments": dict(entry.arguments),
        "outcome": entry.outcome,
        "code": entry.code,
        "at_s": round(entry.at, 6),
    }
