"""The ``failure-filing`` reviewer: under which reasons a failed call belongs. A call can sit under several.

==================  ==========================================================================================
reason              filed where
==================  ==========================================================================================
connection          nobody answered, a voicemail did, the agent fell silent, the call ran out of time, or the
                    session broke
criterion_not_met   a judge ruled so and its quote stands in the transcript, or a deciding grader failed the
call fabrication         a verified fabrication of the agent's wrong_claim         a verified claim that is
wrong must_not            a verified breach of a must-not rule technique           what the caller did to test
the agent, only where nothing above applies ==================
==========================================================================================

Rulings come from every grade whose evidence holds ``rulings`` (`offhook.judging.Ruling` as JSON). One whose
quote was not found in the transcript verifies nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.judging import Subject, Verdict
from offhook.records import CallRecord
from offhook.scoring import NO_AGENT
from offhook_graders.attribution._signs import unanswered

__all__ = ["FailureFiling", "Filed"]

_RULED: Final = MappingProxyType(
    {
        (str(Subject.CRITERION), str(Verdict.NOT_MET)): "criterion_not_met",
        (str(Subject.FACT), str(Verdict.FABRICATED)): "fabrication",
        (str(Subject.FACT), str(Verdict.WRONG)): "wrong_claim",
        (str(Subject.MUST_NOT), str(Verdict.BREACHED)): "must_not",
    }
)
_VOICEMAIL: Final = re.compile(
    r"\b(?:leave (?:me |us )?(?:a|your) (?:brief )?message|after the (?:tone|beep)|voice ?mail|"
    r"is not available to take your call|mailbox is full)\b",
    re.IGNORECASE,
)
_FIRST_LINES: Final = 2  # a recording answers at once
_CUT_IN_S: Final = 0.3


@attrs.frozen
class Filed:
    """One reason with what it rests on; ``quote`` is word for word from the call, where there is one."""

    reason: str
    detail: str
    quote: str = ""


@attrs.frozen
class FailureFiling:
    """Files a failed call, or one in which a judge found a breach, under every reason that its evidence
    shows, as ``{"filed": [{"reason", "detail", "quote"}, ...]}``. Not measured where there is nothing to
    file."""

    name: str = "failure-filing"
    version: str = "1"

    def review(self, call: CallEvidence, grades: Sequence[Grade]) -> Grade:
        verdicts = [grade for grade in grades if grade.kind is GradeKind.VERDICT]
        missed = [grade for grade in verdicts if grade.outcome in (Outcome.FAIL, Outcome.UNCLEAR)]
        held = call.record.ending == "completed"
        filed = (
            *(_connection(call.record) if missed or not held else ()),
            *(_failed(grade) for grade in missed if grade.outcome is Outcome.FAIL),
            *_ruled(grades),
        )
        if missed and not filed:
            filed = tuple(_technique(call.record))
        filed = tuple(dict.fromkeys(filed))
        reasons = list(dict.fromkeys(entry.reason for entry in filed))
        return Grade(
            grader=self.name,
            version=self.version,
            kind=GradeKind.FINDING,
            call_id=call.record.call_id,
            outcome=Outcome.MEASURED if filed else Outcome.NOT_MEASURED,
            summary=f"filed under {', '.join(reasons)}" if filed else "nothing to file",
            numbers=dict.fromkeys(reasons, 1.0),
            evidence={"filed": [attrs.asdict(entry) for entry in filed]},
        )


def _connection(record: CallRecord) -> Iterator[Filed]:
    if record.cause == NO_AGENT:
        yield Filed("connection", "no answer: the agent never spoke")
        return
    if record.ending == "void":
        yield Filed("connection", f"no answer: {record.cause}")
        return
    first = [line.text for line in record.agent_transcripts[:_FIRST_LINES]]
    first += [heard.text for heard in record.caller_heard[:_FIRST_LINES]]
    for text in first:
        if found := _VOICEMAIL.search(text):
            yield Filed("connection", "voicemail: the line was answered by a recording", found[0])
            break
    for sign in unanswered(record):
        yield Filed("connection", f"silence: {sign.what}")
    if record.hung_up_because == "too_long":
        yield Filed("connection", f"timeout: the call was not done after {record.seconds:.0f} s")
    if record.ended_by == "platform":
        yield Filed("connection", "dropped: the platform ended the session")


def _failed(grade: Grade) -> Filed:
    return Filed("criterion_not_met", f"{grade.grader}: {grade.summary}")


def _ruled(grades: Sequence[Grade]) -> Iterator[Filed]:
    """What judges found, as far as the quote stands in the transcript."""
    for grade in grades:
        rulings = grade.evidence.get("rulings", ())
        for ruling in rulings if isinstance(rulings, list | tuple) else ():
            if not isinstance(ruling, Mapping) or ruling.get("quote_found") is not True:
                continue
            reason = _RULED.get((str(ruling.get("subject")), str(ruling.get("verdict"))))
            if reason is not None:
                yield Filed(reason, _detail(grade, ruling), str(ruling.get("quote", "")))


def _detail(grade: Grade, ruling: Mapping[str, Any]) -> str:
    told = [str(ruling[name]) for name in ("id", "claim", "reason") if ruling.get(name)]
    return f"{grade.grader}: {'; '.join(told) or 'no reason given'}"


def _technique(record: CallRecord) -> Iterator[Filed]:
    """What the caller did on purpose to test the agent: so far, talking into what it was saying."""
    for turn in record.caller_turns:
        for span in record.played:
            if span.start + _CUT_IN_S <= turn.start <= span.end - _CUT_IN_S:
                what = f"the caller cut in at {turn.start:.1f} s"
                yield Filed("technique", what, turn.written)
                break
