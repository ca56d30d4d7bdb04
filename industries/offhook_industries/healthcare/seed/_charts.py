"""What is in the charts: visits, charges, prescriptions, tests. Cases first, then the crowd."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

from offhook_industries.common.dice import Dice
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.seed._patients import Patient
from offhook_industries.healthcare.seed._providers import Staff
from offhook_industries.healthcare.seed._slots import TakenSlot
from offhook_industries.healthcare.seed.cases import CASES
from offhook_industries.healthcare.vocabulary import COSMETIC_SERVICES, MEDICATIONS, VISIT_TYPES

__all__ = ["fill_charts"]

_MADE_AT: Final = "2026-07-31T12:00:00"
_COMING_SHARE: Final = 0.35
_PAST_SHARE: Final = 0.6
_NO_SHOW_SHARE: Final = 0.05
_OPEN_CHARGE_SHARE: Final = 0.4
_PRESCRIPTION_SHARE: Final = 0.3
_RESULT_SHARE: Final = 0.2
_PHARMACIES: Final = (
    "Birchwood Pharmacy",
    "Larkspur Pharmacy",
    "Harbor Lane Pharmacy",
    "Quarry Street Drugs",
    "Tamarack Pharmacy",
)
_CHARGES: Final = (
    ("visit", "office visit", "your plan's deductible for this year was not met"),
    ("visit", "office visit", "your plan paid its share, and the rest is your coinsurance"),
    ("procedure", "procedure", "the procedure fell under your plan's deductible"),
    ("pathology", "pathology fee", "an outside laboratory read the sample and bills apart from the visit"),
)
_MEDICAL: Final = tuple(visit.choice.value for visit in VISIT_TYPES if visit.family == "medical")
_ROUTINE: Final[Mapping[str, str]] = {
    "medical": "follow_up",
    "surgical": "mohs_consult",
    "allergy": "allergy_evaluation",
    "cosmetic": "cosmetic_consult",
}

Row = tuple[Any, ...]


def fill_charts(
    db: sqlite3.Connection,
    patients: tuple[Patient, ...],
    staff: Staff,
    taken: tuple[TakenSlot, ...],
    dice: Dice,
) -> None:
    """Writes visits, deposits, charges, prescriptions and tests, and when each patient was last seen."""
    _fill_cases(db, staff)
    crowd = patients[len(CASES) :]
    visits = [*_coming(crowd, staff, dice), *_at_slots(crowd, taken, dice)]
    past = list(_past(crowd, staff, dice))
    _insert(db, "appointments", (*visits, *past))
    db.executemany(
        "UPDATE patients SET last_visit = ? WHERE patient_id = ?",
        [(visit[8][:10], visit[1]) for visit in past if visit[11] == "completed"],
    )
    _insert(db, "charges", _charges(past, dice))
    _insert(db, "prescriptions", _prescriptions(crowd, dice))
    _insert(db, "results", _results(crowd, dice))


def _insert(db: sqlite3.Connection, table: str, rows: Iterator[Row] | tuple[Row, ...] | list[Row]) -> None:
    rows = list(rows)
    db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _fill_cases(db: sqlite3.Connection, staff: Staff) -> None:
    families = {visit.choice.value: visit.family for visit in VISIT_TYPES}
    visits: list[Row] = []
    deposits: list[Row] = []
    charges: list[Row] = []
    for case in CASES:
        for visit in case.appointments:
            provider = staff[visit.location_id, families[visit.visit_type]][0]
            visits.append(
                _visit(
                    visit.appointment_id,
                    case.patient_id,
                    (visit.location_id, provider),
                    visit.starts_at,
                    visit.visit_type,
                    service=visit.service,
                    status=visit.status,
                )
            )
            if visit.deposit_cents:
                number = f"DP-{visit.appointment_id[3:]}"
                deposits.append((number, case.patient_id, visit.appointment_id, visit.deposit_cents))
        charges += [
            (
                charge.charge_id,
                case.patient_id,
                charge.kind,
                charge.title,
                charge.service_on,
                charge.amount_cents,
                charge.status,
                charge.why,
                f"{charge.service_on}T18:00:00",
            )
            for charge in case.charges
        ]
    _insert(db, "appointments", visits)
    _insert(db, "deposits", deposits)
    _insert(db, "charges", charges)
    _insert(
        db,
        "prescriptions",
        [
            (entry.prescription_id, case.patient_id, entry.medication, entry.refills_left, entry.pharmacy)
            for case in CASES
            for entry in case.prescriptions
        ],
    )
    _insert(
        db,
        "results",
        [
            (entry.result_id, case.patient_id, entry.kind, entry.collected_on, entry.status)
            for case in CASES
            for entry in case.results
        ],
    )


def _visit(
    appointment_id: str,
    patient_id: str,
    place: tuple[str, str],
    starts_at: str,
    visit_type: str,
    *,
    slot_id: str | None = None,
    service: str | None = None,
    status: str = "booked",
) -> Row:
    """A row of ``appointments`` of a patient with a chart; ``place`` is office and provider."""
    location_id, provider_id = place
    return (
        appointment_id,
        patient_id,
        None,
        None,
        None,
        location_id,
        provider_id,
        slot_id,
        starts_at,
        visit_type,
        service,
        status,
        _MADE_AT,
    )


def _coming(crowd: tuple[Patient, ...], staff: Staff, dice: Dice) -> Iterator[Row]:
    """Follow-ups at the patient's own office, in the next three months."""
    number = 730_001
    for patient in crowd:
        if not dice.chance(_COMING_SHARE):
            continue
        starts_at = _working_moment(dice.between(1, 90), dice)
        place = (patient.home_location, dice.pick(staff[patient.home_location, "medical"]))
        yield _visit(f"AP-{number}", patient.patient_id, place, starts_at, dice.pick(_MEDICAL))
        number += 3


def _at_slots(crowd: tuple[Patient, ...], taken: tuple[TakenSlot, ...], dice: Dice) -> Iterator[Row]:
    services = [service.choice.value for service in COSMETIC_SERVICES]
    for number, slot in enumerate(taken):
        visit_type = _ROUTINE[slot.family]
        yield _visit(
            f"AP-{760_001 + number * 3}",
            dice.pick(crowd).patient_id,
            (slot.location_id, slot.provider_id),
            slot.starts_at,
            visit_type,
            slot_id=slot.slot_id,
            service=dice.pick(services) if slot.family == "cosmetic" else None,
        )


def _past(crowd: tuple[Patient, ...], staff: Staff, dice: Dice) -> Iterator[Row]:
    number = 600_001
    for patient in crowd:
        if not dice.chance(_PAST_SHARE):
            continue
        starts_at = _working_moment(-dice.between(3, 700), dice)
        place = (patient.home_location, dice.pick(staff[patient.home_location, "medical"]))
        status = "no_show" if dice.chance(_NO_SHOW_SHARE) else "completed"
        yield _visit(f"AP-{number}", patient.patient_id, place, starts_at, dice.pick(_MEDICAL), status=status)
        number += 3


def _working_moment(days: int, dice: Dice) -> str:
    """A quarter past or so on a working day that many days from now, or the nearest one further away."""
    day = policy.NOW.date() + timedelta(days=days)
    while day.weekday() >= 5:
        day += timedelta(days=1 if days > 0 else -1)
    return f"{day.isoformat()}T{dice.between(8, 16):02d}:{dice.pick(('00', '20', '40'))}"


def _charges(past: list[Row], dice: Dice) -> Iterator[Row]:
    number = 400_001
    for visit in past:
        day = visit[8][:10]
        posted = f"{day}T18:00:00"
        if visit[11] == "no_show":
            fee = policy.CHANGE_TERMS["medical"].fee_cents
            why = "nobody came to the visit"
            row = ("missed_visit", "missed visit fee", day, fee, "open", why, posted)
        else:
            kind, title, why = dice.pick(_CHARGES)
            status = "open" if dice.chance(_OPEN_CHARGE_SHARE) else "paid"
            row = (kind, title, day, dice.between(15, 480) * 100 + 25 * dice.below(4), status, why, posted)
        yield (f"CH-{number}", visit[1], *row)
        number += 3


def _prescriptions(crowd: tuple[Patient, ...], dice: Dice) -> Iterator[Row]:
    medications = [medication.choice.value for medication in MEDICATIONS]
    number = 810_001
    for patient in crowd:
        if dice.chance(_PRESCRIPTION_SHARE):
            pharmacy = dice.pick(_PHARMACIES)
            for medication in dice.sample(medications, dice.between(1, 2)):
                yield (f"RX-{number}", patient.patient_id, medication, dice.below(4), pharmacy)
                number += 3


def _results(crowd: tuple[Patient, ...], dice: Dice) -> Iterator[Row]:
    number = 310_001
    for patient in crowd:
        if dice.chance(_RESULT_SHARE):
            day = policy.NOW.date() - timedelta(days=dice.between(1, 200))
            kind = dice.weighted(("biopsy", "blood_work", "allergy_test"), (6, 3, 1))
            status = dice.weighted(("in_progress", "awaiting_review", "released"), (1, 2, 5))
            yield (f"RS-{number}", patient.patient_id, kind, day.isoformat(), status)
            number += 3
