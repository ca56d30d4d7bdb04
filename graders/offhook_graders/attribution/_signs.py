"""Signs in a record that turn-taking went wrong: the agent cut off, a caller talked over, a turn left
unanswered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.callers import CallerTurn
from offhook.records import CallRecord
from offhook_graders.attribution._case import Case, quoted
from offhook_graders.attribution._facts import is_stated, needed_facts, said_facts

__all__ = ["LATE_REQUEST", "Sign", "timing_signs", "unanswered"]

LATE_REQUEST: Final = "came after the caller had hung up"  # the runner's words for a request it turned away

_NEAR_S: Final = (
    1.5  # a platform may hear an interruption this long after it began, and no later than its end
)
_INTO_S: Final = 0.3  # so far into a turn, and before its end, an agent that starts to speak cuts in
_UNANSWERED_S: Final = 5.0
_IMPATIENT: Final = frozenset({"gave_up", "too_long"})


@attrs.frozen
class Sign:
    """``kind`` is ``no_floor``, ``cut_off``, ``talked_over``, ``unanswered`` or ``late_request``; ``at`` in
    line seconds."""

    kind: str
    at: float
    what: str

    def as_json(self) -> Mapping[str, Any]:
        return {"kind": self.kind, "at_s": round(self.at, 3), "what": self.what}


def timing_signs(case: Case) -> tuple[Sign, ...]:
    """Every sign that bears on how the call failed, the most telling first.

    Such signs explain what was not done. They do not explain what was done wrongly: without an expected call
    or change that is missing there are none.
    """
    if not case.misses and not case.absent:
        return ()
    record = case.call.record
    return (
        *_no_floor(record),
        *_cut_off(record),
        *_talked_over(case),
        *unanswered(record),
        *_late_requests(case),
    )


def _no_floor(record: CallRecord) -> tuple[Sign, ...]:
    """The caller held on to its time limit, and the agent never let it say why it called."""
    asked = any(turn.source == "opening" or turn.source.startswith("rule:") for turn in record.caller_turns)
    if record.hung_up_because != "too_long" or asked or not _agent_speech(record):
        return ()
    what = f"the agent did not let the caller say why it called, in {record.seconds:.0f} s"
    return (Sign("no_floor", 0.0, what),)


def _cut_off(record: CallRecord) -> tuple[Sign, ...]:
    """The platform dropped what its agent was saying though the caller was silent."""
    return tuple(
        Sign("cut_off", at, f"the agent was cut off at {at:.1f} s while the caller was silent")
        for at in record.clears
        if not any(turn.start <= at <= turn.end + _NEAR_S for turn in record.caller_turns)
    )


def _talked_over(case: Case) -> tuple[Sign, ...]:
    """The agent started to speak inside a turn that held a needed fact, and the platform's transcript lacks
    the fact."""
    record = case.call.record
    if not record.user_transcript_available:
        return ()
    today = case.call.pack.now.date()
    found = []
    needed = needed_facts((miss.expected for miss in case.misses), case.call.pack)
    for said in said_facts(needed, record.caller_turns, today):
        if is_stated(said.fact, case.heard, today):
            continue
        for index in said.turns:
            turn = record.caller_turns[index]
            start = _start_inside(record, turn)
            if start is not None:
                what = f"the agent began to speak at {start:.1f} s over the caller's {quoted(turn.written)}"
                found.append(Sign("talked_over", start, what))
    return tuple(dict.fromkeys(found))


def _start_inside(record: CallRecord, turn: CallerTurn) -> float | None:
    for span in record.played:
        if turn.start + _INTO_S <= span.start <= turn.end - _INTO_S:
            return span.start
    return None


def unanswered(record: CallRecord) -> tuple[Sign, ...]:
    """A caller who lost patience had no answer to its last words, be it only to a "hello?"."""
    turns = record.caller_turns
    if record.hung_up_because not in _IMPATIENT or not turns:
        return ()
    last_words = max((end for _, end in _agent_speech(record)), default=0.0)
    waited = [turn for turn in turns if turn.end >= last_words]
    if not waited or record.seconds - waited[0].end < _UNANSWERED_S:
        return ()
    silence = record.seconds - waited[0].end
    what = f"the agent said nothing for {silence:.0f} s after the caller's {quoted(waited[0].written)}"
    return (Sign("unanswered", waited[0].end, what),)


def _agent_speech(record: CallRecord) -> tuple[tuple[float, float], ...]:
    if record.key.line == "text":
        return tuple((line.at, line.at) for line in record.agent_transcripts)
    return tuple((span.start, span.end) for span in record.played)


def _late_requests(case: Case) -> tuple[Sign, ...]:
    record = case.call.record
    tools = {miss.tool for miss in case.omitted}
    return tuple(
        Sign("late_request", record.seconds, line)
        for line in record.session_errors
        if LATE_REQUEST in line and any(f" {tool} " in line for tool in tools)
    )
