"""The ``attribution`` reviewer: exactly one cause for each failed call, the first that applies in this order.

===  ==============  =================================================================  ==================
no.  cause           applies where                                                      counts against
===  ==============  =================================================================  ==================
1    task            the key does not replay, or a defect of the task is known          never: void
2    caller          the caller was off script, before any breach of the agent's        never: void
3    harness         tool server, line, recording or graders failed, and it mattered    never: void
4    platform        session, tool execution, turn-taking or interruptions failed       always
5    speech-to-text  a needed fact is not in the transcript, and the audio carried it   unless by our rule
6    language model  heard right, decided wrong                                         unless by our rule
7    text-to-speech  right in text, and the audio did not carry it                      unless by our rule
===  ==============  =================================================================  ==================

Causes 5 to 7 belong to a model layer; who chose it is in the run's manifest. What a check needs of the speech
recogniser is measured only where the order comes to it. A platform without a transcript of the caller can't
fail by cause 5: what it misheard then counts as its model's decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.records import CallRecord, ModelLayer
from offhook.scoring import ATTRIBUTION_REVIEWER, MAX_ATTEMPTS, NO_AGENT
from offhook_graders.attribution._case import Case, Check, case_of
from offhook_graders.attribution._models import hearing_check, mind_check, voice_check
from offhook_graders.attribution._ours import caller_check, harness_check, task_check
from offhook_graders.attribution._platform import platform_check

__all__ = ["CAUSES", "AttributionReviewer"]

CAUSES: Final = MappingProxyType(
    {
        1: "task",
        2: "caller",
        3: "harness",
        4: "platform",
        5: "speech-to-text",
        6: "language model",
        7: "text-to-speech",
    }
)
"""Every cause by its number."""

_LAYERS: Final = MappingProxyType({5: "stt", 6: "llm", 7: "tts"})
_UNKNOWN: Final = "unknown"


@attrs.frozen
class AttributionReviewer:
    """Files every failed call under one cause, with what decided it and why the causes before it do not
    apply.

    The finding is measured where there is a cause, with ``numbers["cause"]``; a call that passed, or whose
    evidence fits no cause, is not measured and has the cause 0. The evidence is ``cause``, its ``name``, who
    chose the model behind it (``chosen_by``, empty for causes 1 to 4), whether it ``counts_against`` the
    platform, what it was ``decided_by``, and one entry ``{"cause", "applies", "why"}`` in ``checked`` for
    each cause that was looked at.
    """

    name: str = ATTRIBUTION_REVIEWER
    version: str = "2"

    def review(self, call: CallEvidence, grades: Sequence[Grade]) -> Grade:
        case = case_of(call, grades)
        if case is None and _never_spoke(call.record):
            case = Case(call, (), (), (), (), (), ())
        if case is None:
            return self._finding(call, None, (), "nothing to attribute: the call did not fail")
        checked: list[Check] = []
        for check in _in_order():
            checked.append(check(case))
            if checked[-1].applies:
                break
        decided = checked[-1] if checked[-1].applies else None
        if decided is None:
            return self._finding(call, None, checked, f"no cause fits: {_open_question(checked)}")
        return self._finding(call, decided, checked, f"{CAUSES[decided.cause]}: {decided.why}")

    def _finding(
        self, call: CallEvidence, decided: Check | None, checked: Sequence[Check], summary: str
    ) -> Grade:
        cause = decided.cause if decided is not None else 0
        chosen_by = _chosen_by(cause, call.layers)
        evidence: dict[str, Any] = {
            "cause": cause,
            "name": CAUSES.get(cause, ""),
            "chosen_by": chosen_by,
            "counts_against": cause == 4 or (cause >= 5 and chosen_by != "rule"),
            "decided_by": dict(decided.evidence) if decided is not None else {},
            "checked": [
                {"cause": check.cause, "applies": check.applies, "why": check.why} for check in checked
            ],
        }
        return Grade(
            grader=self.name,
            version=self.version,
            kind=GradeKind.FINDING,
            call_id=call.record.call_id,
            outcome=Outcome.MEASURED if decided is not None else Outcome.NOT_MEASURED,
            summary=" ".join(summary.split()),
            numbers={"cause": float(cause)} if decided is not None else {},
            evidence=evidence,
        )


def _in_order() -> tuple[Callable[[Case], Check], ...]:
    return (
        task_check,
        caller_check,
        harness_check,
        platform_check,
        hearing_check,
        mind_check,
        voice_check,
    )


def _never_spoke(record: CallRecord) -> bool:
    """A platform that did not speak on its last attempt has failed; before that the call is void."""
    return record.ending == "void" and record.cause == NO_AGENT and record.key.attempt >= MAX_ATTEMPTS


def _open_question(checked: Sequence[Check]) -> str:
    """Of the causes that could not be ruled in, the first that was left open by the evidence."""
    unsettled = [check.why for check in checked if check.why.startswith("not measured")]
    return unsettled[0] if unsettled else next(check.why for check in checked if check.cause >= 5)


def _chosen_by(cause: int, layers: Sequence[ModelLayer]) -> str:
    """Who chose the model behind a cause: of its own layer, or of the one model that does it all."""
    if cause not in _LAYERS:
        return ""
    by_layer = {layer.layer: layer.chosen_by for layer in layers}
    return by_layer.get(_LAYERS[cause], by_layer.get("speech", _UNKNOWN))
