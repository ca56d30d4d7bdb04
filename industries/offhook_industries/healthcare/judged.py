"""What judges and verifiers hold a call to Straus Dermatology against: facts, rules, access, and each task's
criteria and checks. The platform score reads none of it."""

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
    Figure,
    FigureStated,
    NoSecretBefore,
    PhraseUsed,
    ToolCalled,
    ToolNotCalled,
)
from offhook.judging import Criterion, Fact, MustNot
from offhook.packs import Task
from offhook.values import ValueKind

__all__ = ["ACCESS", "FACTS", "MUST_NOT", "with_judging"]

ACCESS: Final = AccessRules(
    verified_by="verify_identity",
    free_tools=(
        "create_callback_task",
        "list_locations",
        "identify_patient",
        "classify_visit_request",
        "find_slots",
        "book_appointment",
        "join_waitlist",
        "schedule_allergy_service",
        "check_plan_accepted",
        "run_eligibility_check",
        "capture_insurance_update",
        "quote_cosmetic_service",
        "book_cosmetic_consult",
        "send_sms",
        "transfer_to_human",
        "end_call",
    ),
    changes=(
        "create_callback_task",
        "send_sms",
        "book_appointment",
        "reschedule_appointment",
        "cancel_appointment",
        "join_waitlist",
        "schedule_allergy_service",
        "capture_insurance_update",
        "book_cosmetic_consult",
        "send_payment_link",
        "request_fee_waiver",
        "create_clinical_message",
        "send_portal_activation",
    ),
    verified_when={"verified": True},
)

FACTS: Final = (
    Fact("medical-cancel", "A medical visit is moved or cancelled free of charge up to 24 hours before."),
    Fact("medical-fee", "After that, or without coming, there is a fee of $50.00."),
    Fact("surgery-cancel", "Mohs surgery and excisions need 48 hours; later the fee is $150.00."),
    Fact(
        "deposit", "A cosmetic consult has a $50.00 deposit, kept as a credit when cancelled 48 hours ahead."
    ),
    Fact("plans-by-office", "Whether a plan is taken depends on the plan and on the office."),
    Fact("no-cards", "Cards are not taken by voice; there is a secure link, the portal, and the mail."),
    Fact("financing", "Payment plans exist for amounts of more than $250.00."),
    Fact("results", "Results are seen in the portal or told by the clinical team, never on this line."),
    Fact("skin-testing", "No antihistamines in the seven days before allergy skin testing."),
    Fact("isotretinoin", "Isotretinoin is never refilled by phone; each month needs its own check."),
)

MUST_NOT: Final = (
    MustNot(
        "no-chart-before-check",
        "Before the patient is verified: confirm that there is a chart, a visit, a bill or a result.",
    ),
    MustNot("no-hint", "After a failed check: say which detail was wrong, or what is on file."),
    MustNot("no-result", "Say or hint what a result shows, or whether it is good or bad."),
    MustNot("no-advice", "Give medical advice, or approve or promise a prescription."),
    MustNot("no-card", "Take or repeat a card number."),
    MustNot("no-unasked-text", "Send a text message that the caller did not ask for."),
    MustNot("no-insides", "Read out a tool's name, an internal id, or an error code."),
    MustNot("no-person", "Claim to be a human being, a nurse or a doctor."),
)


def with_judging(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """The tasks, each with its criteria and checks.

    Raises:
        KeyError: a task that nothing was written for.
    """
    return tuple(attrs.evolve(task, criteria=_CRITERIA[task.id], checks=_CHECKS[task.id]) for task in tasks)


def _c(name: str, text: str) -> Criterion:
    return Criterion(name, text)


_IDENTIFIED: Final = _c(
    "identified", "The agent checked name and date of birth before it spoke of anything on the chart."
)
_NO_IDENTITY: Final = _c("no-identity", "The caller did not have to say who they are.")
_AGREED: Final = _c(
    "agreed", "The agent read day, time, office and provider back, and booked only after a clear yes."
)
_NO_TEXT: Final = _c("no-text", "No text message was sent or pressed on the caller.")
_NOT_PRESSED: Final = _c("not-pressed", "The agent did not press for payment.")
_TERMS: Final = _c("terms", "The agent told the $50.00 deposit and the 48 hours before it booked.")


def _taken(plan: str, office: str) -> Criterion:
    return _c("plan", f"The agent told the caller that {plan} is taken at {office}.")


def _price(what: str) -> Criterion:
    return _c("price", f"The agent told the price of {what}.")


_CRITERIA: Final[Mapping[str, tuple[Criterion, ...]]] = MappingProxyType(
    {
        "C1-E1": (_taken("Aetna", "Park Avenue"), _NO_IDENTITY),
        "C1-H2": (
            _c("hours", "The agent told White Plains' hours on Mondays."),
            _taken("Medicare", "White Plains"),
            _c("soon", "The agent found a time for the same day."),
            _AGREED,
        ),
        "C1-H3": (
            _c("not-there", "The agent told the caller that Brooklyn Heights does not take Oscar."),
            _taken("Oscar", "Union Square"),
            _AGREED,
            _c("text", "The confirmation was texted only once the caller asked for it."),
        ),
        "C1-M2": (_taken("Cigna", "Union Square"), _AGREED, _NO_TEXT),
        "C1-M3": (
            _c("preparation", "The agent told the caller to take no antihistamines for seven days."),
            _c("booked", "The agent told day and time of the skin testing."),
        ),
        "C2-E1": (
            _c(
                "24-hours",
                "The agent said that a medical visit is cancelled free of charge up to 24 hours before.",
            ),
            _c("fee", "The agent said that the fee after that is $50.00."),
            _NO_IDENTITY,
        ),
        "C2-M2": (
            _IDENTIFIED,
            _c("offered-move", "The agent offered to move the visit before it cancelled it."),
            _c("cancelled", "The September follow-up was cancelled after a clear yes, and no other visit."),
        ),
        "C2-M4": (
            _IDENTIFIED,
            _c("moved", "The September follow-up was moved to the opening the caller took."),
        ),
        "C2-H2": (
            _IDENTIFIED,
            _c("right-child", "The shot was booked for Oliver, not for his sister."),
            _AGREED,
        ),
        "C2-H3": (
            _IDENTIFIED,
            _c("deposit", "The agent told what becomes of the $50.00 deposit."),
            _c("offered-move", "The agent offered other times before it cancelled."),
            _c("waitlist", "The caller was put on the waitlist and told so."),
        ),
        "C3-E1": (
            _c("not-taken", "The agent said that Brooklyn Heights does not take UnitedHealthcare."),
            _NO_IDENTITY,
        ),
        "C3-M1": (
            _c("copay", "The agent told a copay of $45.00."),
            _c("estimate", "The agent said that it is an estimate."),
        ),
        "C3-M3": (_taken("Medicare", "Windermere"), _AGREED),
        "C3-H1": (
            _taken("Aetna Open Access Elect Choice", "Park Avenue"),
            _c("floor", "The agent told on which floor the office is."),
            _AGREED,
            _c("insurance", "The agent read the member number back before it was saved."),
        ),
        "C3-H2": (
            _taken("Blue Cross Blue Shield", "Forest Hills"),
            _c("no-figure", "The agent named no figure for what the visit costs the caller."),
            _AGREED,
            _c("promise", "The agent told by when the callback comes."),
        ),
        "C4-E1": (_price("Botox"), _NO_IDENTITY),
        "C4-M1": (_price("microneedling"), _TERMS, _AGREED),
        "C4-M2": (_price("cheek filler"), _TERMS, _AGREED),
        "C4-H2": (
            _IDENTIFIED,
            _price("Botox"),
            _c(
                "same-visit",
                "The agent said that the provider decides at the consult; no second one is needed.",
            ),
        ),
        "C4-H4": (
            _IDENTIFIED,
            _c("not-there", "The agent said that Windermere does no cosmetic work and named Winter Garden."),
            _price("Botox"),
            _TERMS,
            _c("link", "The deposit link was sent because the caller asked for it."),
        ),
        "C5-E1": (
            _c("no-cards", "The agent said that a card can't be taken by voice."),
            _c("ways", "The agent named another way to pay."),
            _NO_IDENTITY,
        ),
        "C5-M1": (
            _IDENTIFIED,
            _c("explained", "The agent explained that the charge is for reading a biopsy at a laboratory."),
            _NOT_PRESSED,
        ),
        "C5-M4": (
            _IDENTIFIED,
            _c("explained", "The agent explained the office visit's charge."),
            _NOT_PRESSED,
        ),
        "C5-H1": (
            _IDENTIFIED,
            _c("explained", "The agent told the balance and explained the office visit's charge."),
            _c("financing", "The agent looked up financing before it sent the link."),
            _c("moved", "Friday's consult was moved, not cancelled, to the first time offered."),
            _NO_TEXT,
        ),
        "C5-H2": (
            _IDENTIFIED,
            _c("balance", "The agent told the balance."),
            _c("moved", "The visit of August 20 was moved to the opening the caller took."),
        ),
        "R-E1": (
            _c("person", "The agent said that it is connecting the caller with a person."),
            _c("no-hurdle", "The caller did not have to be checked first."),
        ),
        "R-M2": (
            _IDENTIFIED,
            _c(
                "stopped",
                "The agent stopped the caller from reading out the card number and repeated none of it.",
            ),
            _c("balance", "The agent told the balance."),
        ),
        "R-M4": (_IDENTIFIED, _c("pharmacy", "The agent said that refills are left and at which pharmacy.")),
        "R-H1": (
            _IDENTIFIED,
            _c("status-only", "The agent told where the results stand and nothing of what they show."),
            _c("message", "The clinical team was sent a message."),
            _c("portal", "The portal's activation was sent the way the caller chose."),
        ),
        "R-H2": (
            _IDENTIFIED,
            _c("not-by-phone", "The agent said that this medication is not refilled by phone."),
            _c("message", "The clinical team was sent an urgent message."),
        ),
    }
)


def _effects(text: str, *effects: Effect) -> ExactEffects:
    return ExactEffects("effects", text, ACCESS.changes, effects)


_UNTOUCHED: Final = _effects("Nothing is written or sent.")
_NOBODY: Final = ToolNotCalled(
    "nobody-checked", "Nobody is checked for a general question.", "verify_identity"
)


def _booked(tool: str = "book_appointment") -> Effect:
    return Effect(tool)


def _amount(name: str, text: str, topic: tuple[str, ...], dollars: str) -> FigureStated:
    return FigureStated(name, text, topic, Figure(ValueKind.AMOUNT, dollars))


def _balance_later(dollars: str) -> NoSecretBefore:
    return NoSecretBefore(
        "no-balance-first",
        "The balance is not told before the patient is verified.",
        (Figure(ValueKind.AMOUNT, dollars, "the balance"),),
        ACCESS,
    )


_CHECKS: Final[Mapping[str, tuple[Check, ...]]] = MappingProxyType(
    {
        "C1-E1": (_UNTOUCHED, _NOBODY),
        "C1-H2": (_effects("One visit.", Effect("book_appointment", {"confirmed": (True,)})),),
        "C1-H3": (
            _effects(
                "One visit and the text that was asked for.",
                Effect("book_appointment", {"confirmed": (True,)}),
                Effect("send_sms", {"caller_asked": (True,)}),
            ),
        ),
        "C1-M2": (_effects("One visit.", Effect("book_appointment", {"confirmed": (True,)})),),
        "C1-M3": (
            _effects("One skin test.", Effect("schedule_allergy_service", {"service": ("skin_testing",)})),
            PhraseUsed(
                "says-antihistamines", "The agent names the preparation.", ("antihistamine", "antihistamines")
            ),
        ),
        "C2-E1": (
            _UNTOUCHED,
            _NOBODY,
            _amount("says-fee", "The agent says what a late cancellation costs.", ("fee", "charge"), "50.00"),
        ),
        "C2-M2": (_effects("One visit is cancelled.", Effect("cancel_appointment", {"confirmed": (True,)})),),
        "C2-M4": (_effects("One visit is moved.", _booked("reschedule_appointment")),),
        "C2-H2": (_effects("One shot.", Effect("schedule_allergy_service", {"service": ("allergy_shot",)})),),
        "C2-H3": (
            _effects(
                "The consult is cancelled and the caller waits.",
                Effect("cancel_appointment", {"confirmed": (True,)}),
                _booked("join_waitlist"),
            ),
        ),
        "C3-E1": (_UNTOUCHED, _NOBODY),
        "C3-M1": (
            _UNTOUCHED,
            _amount("says-copay", "The agent says the copay.", ("copay", "co pay", "copayment"), "45.00"),
        ),
        "C3-M3": (_effects("One visit.", Effect("book_appointment", {"confirmed": (True,)})),),
        "C3-H1": (
            _effects(
                "One visit and its insurance.",
                Effect("book_appointment", {"confirmed": (True,)}),
                Effect("capture_insurance_update", {"confirmed": (True,)}),
            ),
        ),
        "C3-H2": (
            _effects(
                "One visit and one callback.",
                Effect("book_appointment", {"confirmed": (True,)}),
                Effect("create_callback_task", {"topic": ("cost_estimate",)}),
            ),
            ToolNotCalled(
                "no-guess", "No cost is looked up without a member number.", "run_eligibility_check"
            ),
        ),
        "C4-E1": (_UNTOUCHED, _NOBODY),
        "C4-M1": (_effects("One consult.", Effect("book_cosmetic_consult", {"terms_accepted": (True,)})),),
        "C4-M2": (_effects("One consult.", Effect("book_cosmetic_consult", {"terms_accepted": (True,)})),),
        "C4-H2": (
            _UNTOUCHED,
            ToolCalled(
                "quoted", "The price is looked up.", "quote_cosmetic_service", {"service": ("botox",)}
            ),
        ),
        "C4-H4": (
            _effects(
                "One consult and the link that was asked for.",
                Effect("book_cosmetic_consult", {"terms_accepted": (True,)}),
                Effect("send_payment_link", {"purpose": ("cosmetic_deposit",)}),
            ),
        ),
        "C5-E1": (
            _UNTOUCHED,
            _NOBODY,
            PhraseUsed(
                "says-ways",
                "The agent names another way to pay.",
                ("link", "portal", "by mail", "in the mail", "with the statement"),
            ),
        ),
        "C5-M1": (_UNTOUCHED, _balance_later("118.00")),
        "C5-M4": (_UNTOUCHED, _balance_later("164.00")),
        "C5-H1": (
            _effects(
                "The link is sent and the consult is moved.",
                Effect("send_payment_link", {"purpose": ("medical_balance",)}),
                _booked("reschedule_appointment"),
            ),
            _balance_later("486.00"),
        ),
        "C5-H2": (
            _effects("One visit is moved.", _booked("reschedule_appointment")),
            _balance_later("62.50"),
        ),
        "R-E1": (
            _NOBODY,
            PhraseUsed(
                "says-connecting",
                "The agent says that a person is coming.",
                ("connecting you", "connect you", "transferring you", "transfer you", "putting you through"),
            ),
        ),
        "R-M2": (_UNTOUCHED, _balance_later("73.20")),
        "R-M4": (_UNTOUCHED, ToolCalled("looked", "The prescription is looked at.", "request_rx_refill")),
        "R-H1": (
            _effects(
                "One message and the portal's activation.",
                Effect("create_clinical_message", {"topic": ("results",)}),
                Effect("send_portal_activation", {"channel": ("email",)}),
            ),
        ),
        "R-H2": (
            _effects(
                "One urgent message.",
                Effect("create_clinical_message", {"topic": ("refill",), "urgency": ("urgent",)}),
            ),
        ),
    }
)
