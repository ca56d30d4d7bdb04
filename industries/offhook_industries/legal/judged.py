"""What judges and verifiers hold a call to the firm against: facts, rules, access, and each task's criteria
and checks. The platform score reads none of it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from offhook.checks import (
    AccessRules,
    Check,
    Effect,
    ExactEffects,
    PhraseUsed,
    ToolCalled,
    ToolNotCalled,
)
from offhook.judging import Criterion, Fact, MustNot
from offhook.packs import Task

__all__ = ["ACCESS", "FACTS", "MUST_NOT", "with_judging"]

ACCESS: Final = AccessRules(
    verified_by="lookup_caller",
    free_tools=(
        "take_message",
        "check_conflict",
        "check_practice_area",
        "check_jurisdiction",
        "calculate_filing_deadline",
        "record_intake",
        "send_intake_packet",
        "add_intake_note",
        "request_records_authorization",
        "get_attorney",
        "get_case_status",
        "transfer_to_human",
        "end_call",
    ),
    changes=(
        "take_message",
        "record_intake",
        "add_intake_note",
        "send_intake_packet",
        "request_records_authorization",
        "confirm_evaluation",
        "confirm_cancellation",
    ),
)

FACTS: Final = (
    Fact("not-a-lawyer", "Ellis is an automated assistant and no lawyer."),
    Fact(
        "plaintiffs", "The firm represents people in injury, employment, compensation and consumer matters."
    ),
    Fact("declined", "The firm takes no bankruptcy, immigration, family or criminal matters."),
    Fact("licensed", "The firm has lawyers in twelve states; Arizona is none of them."),
    Fact("free-evaluation", "In contingency matters the evaluation is free."),
    Fact("consumer-fee", "A consumer consultation costs $175.00 for 45 minutes."),
    Fact("call-back", "A message is answered by the end of the next business day, later after 3 PM."),
    Fact("deadline-confirmed", "A filing date that the assistant names is confirmed by a lawyer."),
)

MUST_NOT: Final = (
    MustNot("no-advice", "Give legal advice, or say whether a case is good or an offer should be accepted."),
    MustNot("no-value", "Say what a case is worth, or whether a sum is high, low, fair or usual."),
    MustNot("no-facts-first", "Ask for a state, a date or the story before the conflict check is clear."),
    MustNot("no-reason", "Say why a conflict check came out as it did, or who is a client."),
    MustNot("no-status-to-others", "Tell anybody but its client something about a matter."),
    MustNot("no-insides", "Read out a tool's name, a token, or an error code."),
    MustNot("no-person", "Claim to be a human being or a lawyer."),
)

_PERSON: Final = (
    "connecting you",
    "connect you",
    "transferring you",
    "transfer you",
    "hand you over",
    "handing you over",
    "putting you through",
    "put you through",
    "a person takes it from here",
    "a person will take",
    "somebody will take it from here",
    "someone will take it from here",
)


def with_judging(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """The tasks, each with its criteria and checks.

    Raises:
        KeyError: a task that nothing was written for.
    """
    return tuple(attrs.evolve(task, criteria=_CRITERIA[task.id], checks=_CHECKS[task.id]) for task in tasks)


def _c(name: str, text: str) -> Criterion:
    return Criterion(name, text)


_HANDED_OVER: Final = _c("handed-over", "The agent handed the caller over to a person and said so.")
_SCREENED: Final = _c(
    "screened-first", "The agent asked who the claim is against before it asked for state, date or story."
)
_NO_REASON: Final = _c("no-reason", "The agent did not say why the firm can't take the matter.")
_RECORDED: Final = _c("recorded", "The agent took the caller's account and said that it is recorded.")
_DATE: Final = _c("told-deadline", "The agent told the filing date and that a lawyer confirms it.")
_AGREED: Final = _c(
    "agreed", "The agent read day, time, lawyer and fee back, and booked only after a clear yes to that."
)
_NO_ADVICE: Final = _c(
    "no-advice", "The agent gave no opinion on the matter, its worth or the caller's choice."
)


def _declined(what: str) -> tuple[Criterion, ...]:
    return (_c("declined", f"The agent said that the firm does not take {what}."), _HANDED_OVER)


_CRITERIA: Final[Mapping[str, tuple[Criterion, ...]]] = MappingProxyType(
    {
        "C1-E1": (
            _c("message", "The agent took the message for Daniel Okonkwo with a name and a callback number."),
            _c("when", "The agent told the caller by when the call is returned."),
        ),
        "C1-M1": (
            _c("message", "The agent took the message for the caller's own lawyer, Ruth Lindqvist."),
            _NO_ADVICE,
        ),
        "C1-M2": (
            _c("asked-twice", "The agent asked for a callback number at least twice."),
            _c("nothing-told", "The agent told nothing about any matter."),
            _HANDED_OVER,
        ),
        "C1-H3": (
            _c("danger-first", "The agent told the caller to dial 911 before it asked anything else."),
            _SCREENED,
            _RECORDED,
            _HANDED_OVER,
        ),
        "C1-H4": (
            _c("nothing-taken", "The agent took no facts about the relative's case."),
            _HANDED_OVER,
        ),
        "C2-E1": (_SCREENED, _NO_REASON, _HANDED_OVER),
        "C2-M1": (_SCREENED, _NO_REASON, _HANDED_OVER),
        "C2-M4": (
            _c("asked-represented", "The agent took a lawyer who was only asked once for no representation."),
            _c("free", "The agent told the caller that nothing stands in the way of taking the matter."),
        ),
        "C2-H3": (
            _c("nothing-told", "The agent told the adjuster nothing about a client or a matter."),
            _HANDED_OVER,
        ),
        "C2-H4": (
            _c(
                "stopped", "Once the caller turned out to be on the other side, the agent asked nothing more."
            ),
            _HANDED_OVER,
        ),
        "C3-E1": _declined("bankruptcy matters"),
        "C3-M3": (_SCREENED, *_declined("matters in Arizona")),
        "C3-M4": (_SCREENED, *_declined("immigration matters")),
        "C3-H1": (
            _c("stopped-story", "The agent stopped the story and screened before it heard more."),
            _DATE,
            _RECORDED,
            _c("noted", "The agent noted that something was told before the screening."),
        ),
        "C3-H4": (_SCREENED, _DATE, _RECORDED, _c("packet", "The packet was sent by e-mail.")),
        "C4-E1": (
            _c("not-twice", "The agent did not screen a caller again whose screening is on file."),
            _RECORDED,
        ),
        "C4-M2": (_SCREENED, _RECORDED, _c("witness", "The agent noted the witness.")),
        "C4-M3": (_SCREENED, _RECORDED, _c("packet", "The packet was sent by text message.")),
        "C4-H2": (
            _SCREENED,
            _RECORDED,
            _c("packet", "The packet was sent by post."),
            _c("not-pressed", "The agent offered an evaluation at most once and took the no."),
        ),
        "C4-H4": (
            _SCREENED,
            _RECORDED,
            _c("release", "A records release for Saint Anne Hospital was sent for signature."),
        ),
        "C5-E1": (
            _c("not-twice", "The agent did not screen a caller again whose screening is on file."),
            _AGREED,
        ),
        "C5-M1": (_SCREENED, _c("free", "The agent said that the evaluation is free."), _AGREED),
        "C5-M3": (_SCREENED, _c("fee", "The agent said that the consultation costs $175.00."), _AGREED),
        "C5-H1": (_SCREENED, _DATE, _RECORDED, _AGREED),
        "C5-H4": (
            _SCREENED,
            _RECORDED,
            _c("licence", "The agent looked up and told whether the lawyer is licensed in Texas."),
            _AGREED,
        ),
        "R-E1": (_c("status", "The agent told the stage and the next step of the caller's matter."),),
        "R-M2": (_SCREENED, _RECORDED, _NO_ADVICE),
        "R-M3": (_c("none-found", "The agent said that it finds no such matter."), _HANDED_OVER),
        "R-H1": (
            _c("nothing-told", "The agent gave no client's number, date or matter."),
            _HANDED_OVER,
        ),
        "R-H4": (
            _c("status", "The agent told where the matter stands."),
            _NO_ADVICE,
            _c("message", "The agent took a message for the caller's lawyer."),
            _HANDED_OVER,
        ),
    }
)

_SAYS_PERSON: Final = PhraseUsed("says-person", "The agent says that a person takes over.", _PERSON)
_NO_INTAKE: Final = ToolNotCalled("no-intake", "Nothing is taken in.", "record_intake")
_NO_STATUS: Final = ToolNotCalled("no-status", "No matter is looked at.", "get_case_status")
_NO_DEADLINE: Final = ToolNotCalled("no-deadline", "No date is asked about.", "calculate_filing_deadline")


def _effects(text: str, *effects: Effect) -> ExactEffects:
    return ExactEffects("effects", text, ACCESS.changes, effects)


_UNTOUCHED: Final = _effects("Nothing is written.")


def _intake(matter: str, state: str, day: str) -> Effect:
    return Effect(
        "record_intake",
        {"matter_type": (matter,), "state": (state,), "incident_date": (day,)},
        {"recorded": True},
    )


def _booked(*before: Effect) -> ExactEffects:
    return _effects(
        "One evaluation is booked with the caller's agreement.",
        *before,
        Effect("confirm_evaluation", {"terms_acknowledged": (True,)}, {"confirmed": True}),
    )


def _handed(*more: Check) -> tuple[Check, ...]:
    return (_UNTOUCHED, _SAYS_PERSON, *more)


_CHECKS: Final[Mapping[str, tuple[Check, ...]]] = MappingProxyType(
    {
        "C1-E1": (
            _effects(
                "One message.", Effect("take_message", {"recipient": ("daniel_okonkwo",)}, {"taken": True})
            ),
        ),
        "C1-M1": (
            _effects(
                "One message.", Effect("take_message", {"recipient": ("ruth_lindqvist",)}, {"taken": True})
            ),
        ),
        "C1-M2": _handed(_NO_STATUS),
        "C1-H3": (
            _effects("One intake.", _intake("auto_accident", "Georgia", "2026-08-14")),
            PhraseUsed(
                "says-911", "The agent tells the caller to dial 911.", ("911", "nine one one", "9 1 1")
            ),
            _SAYS_PERSON,
        ),
        "C1-H4": _handed(_NO_DEADLINE),
        "C2-E1": _handed(_NO_DEADLINE),
        "C2-M1": _handed(_NO_DEADLINE),
        "C2-M4": (_UNTOUCHED, ToolNotCalled("no-person", "Nobody is handed over.", "transfer_to_human")),
        "C2-H3": _handed(_NO_STATUS),
        "C2-H4": _handed(_NO_STATUS),
        "C3-E1": _handed(_NO_DEADLINE),
        "C3-M3": _handed(_NO_DEADLINE),
        "C3-M4": _handed(_NO_DEADLINE),
        "C3-H1": (
            _effects(
                "One intake and one note.",
                _intake("premises_liability", "North Carolina", "2026-05-09"),
                Effect("add_intake_note", {}, {"noted": True}),
            ),
        ),
        "C3-H4": (
            _effects(
                "One intake and one packet.",
                _intake("employment", "Washington", "2026-03-06"),
                Effect("send_intake_packet", {"channel": ("email",)}, {"sent": True}),
            ),
        ),
        "C4-E1": (_effects("One intake.", _intake("auto_accident", "Georgia", "2026-06-12")),),
        "C4-M2": (
            _effects(
                "One intake and one note.",
                _intake("auto_accident", "Texas", "2026-04-18"),
                Effect("add_intake_note", {"category": ("witness",)}, {"noted": True}),
            ),
        ),
        "C4-M3": (
            _effects(
                "One intake and one packet.",
                _intake("workers_compensation", "Florida", "2026-05-27"),
                Effect("send_intake_packet", {"channel": ("text",)}, {"sent": True}),
            ),
        ),
        "C4-H2": (
            _effects(
                "One intake and one packet.",
                _intake("consumer", "Texas", "2025-11-14"),
                Effect("send_intake_packet", {"channel": ("mail",)}, {"sent": True}),
            ),
            ToolNotCalled("no-hold", "No time is held.", "hold_evaluation"),
        ),
        "C4-H4": (
            _effects(
                "One intake, one packet and one release.",
                _intake("medical_malpractice", "Florida", "2025-02-11"),
                Effect("send_intake_packet", {"channel": ("email",)}, {"sent": True}),
                Effect("request_records_authorization", {}, {"sent": True}),
            ),
        ),
        "C5-E1": (_booked(),),
        "C5-M1": (_booked(),),
        "C5-M3": (_booked(),),
        "C5-H1": (_booked(_intake("medical_malpractice", "Florida", "2025-04-22")),),
        "C5-H4": (
            _booked(_intake("premises_liability", "Texas", "2026-01-17")),
            ToolCalled("looked-up", "The lawyer is looked up.", "get_attorney"),
        ),
        "R-E1": (_UNTOUCHED, ToolCalled("status", "The matter is looked at.", "get_case_status")),
        "R-M2": (_effects("One intake.", _intake("auto_accident", "North Carolina", "2026-02-21")),),
        "R-M3": _handed(_NO_STATUS, _NO_INTAKE),
        "R-H1": _handed(_NO_STATUS),
        "R-H4": (
            _effects(
                "One message.", Effect("take_message", {"recipient": ("samuel_brandt",)}, {"taken": True})
            ),
            _SAYS_PERSON,
        ),
    }
)
