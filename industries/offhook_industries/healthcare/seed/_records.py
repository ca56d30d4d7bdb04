"""What a written-out person and their chart are made of."""

from __future__ import annotations

import attrs

__all__ = ["Case", "CaseAppointment", "CaseCharge", "CasePrescription", "CaseResult", "Newcomer"]


@attrs.frozen
class CaseAppointment:
    """``service`` and ``deposit_cents`` are for cosmetic consults."""

    appointment_id: str
    location_id: str
    starts_at: str
    visit_type: str
    service: str | None = None
    deposit_cents: int = 0
    status: str = "booked"


@attrs.frozen
class CaseCharge:
    """``why`` is the half sentence after "that is because"."""

    charge_id: str
    kind: str
    title: str
    service_on: str
    amount_cents: int
    why: str
    status: str = "open"


@attrs.frozen
class CasePrescription:
    prescription_id: str
    medication: str
    refills_left: int
    pharmacy: str


@attrs.frozen
class CaseResult:
    result_id: str
    kind: str
    collected_on: str
    status: str


@attrs.frozen
class Case:
    """A patient with a chart. ``last_visit`` and ``last_shot`` are days, None where there was none."""

    patient_id: str
    full_name: str
    date_of_birth: str
    phone: str
    postal_code: str
    home_location: str
    plan: str | None = None
    portal_active: bool = True
    last_visit: str | None = None
    last_shot: str | None = None
    appointments: tuple[CaseAppointment, ...] = ()
    charges: tuple[CaseCharge, ...] = ()
    prescriptions: tuple[CasePrescription, ...] = ()
    results: tuple[CaseResult, ...] = ()


@attrs.frozen
class Newcomer:
    """A caller without a chart."""

    full_name: str
    date_of_birth: str
    phone: str
    postal_code: str
    plan: str | None = None
    member_id: str | None = None
