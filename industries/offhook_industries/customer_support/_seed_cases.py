"""The customers behind the pack's calls, written out, with neighbours who are easily taken for them."""

from __future__ import annotations

from typing import Final

import attrs

__all__ = ["CASES", "Case", "CaseOrder"]


@attrs.frozen
class CaseOrder:
    """An order whose ZIP and card verify its customer."""

    order_number: str
    sku: str
    placed_on: str
    postal_code: str
    state: str
    card_last4: str
    method: str = "credit"


@attrs.frozen
class Case:
    """A written-out customer. ``paid_cents`` is the year's price, ``period`` the last paid year (None:
    never a member)."""

    full_name: str
    phone: str
    email: str
    street: str
    city: str
    state: str
    postal_code: str
    tier: str
    orders: tuple[CaseOrder, ...]
    paid_cents: int = 0
    period: tuple[str, str] | None = None


CASES: Final = (
    Case(
        full_name="Selina Cortez",
        phone="541-555-0171",
        email="selina.cortez@example.com",
        street="418 Tamarack Street",
        city="Lake Oswego",
        state="OR",
        postal_code="97035",
        tier="plus",
        paid_cents=2999,
        period=("2026-02-20", "2027-02-20"),
        orders=(CaseOrder("KE-4498870", "AU-1001", "2026-07-21", "97035", "OR", "1156"),),
    ),
    Case(
        full_name="Selena Cortes",
        phone="541-555-0117",
        email="selena.cortes@example.net",
        street="2207 Quarry Road",
        city="Eugene",
        state="OR",
        postal_code="97405",
        tier="standard",
        orders=(CaseOrder("KE-4498807", "AU-1002", "2026-06-30", "97405", "OR", "1165"),),
    ),
    Case(
        full_name="Celina Cortez",
        phone="503-555-0171",
        email="c.cortez@example.org",
        street="91 Poplar Avenue",
        city="Lake Oswego",
        state="OR",
        postal_code="97035",
        tier="total",
        paid_cents=17999,
        period=("2025-11-03", "2026-11-03"),
        orders=(CaseOrder("KE-4489870", "TV-2002", "2026-05-18", "97035", "OR", "1516"),),
    ),
    Case(
        full_name="Robert Svensson",
        phone="559-555-0161",
        email="rsvensson@example.com",
        street="6630 Cottonwood Drive",
        city="Fresno",
        state="CA",
        postal_code="93741",
        tier="total",
        paid_cents=17999,
        period=("2026-03-28", "2027-03-28"),
        orders=(
            CaseOrder("KE-4458327", "CO-3002", "2026-06-09", "93741", "CA", "8346"),
            CaseOrder("KE-4417206", "PH-4012", "2026-03-28", "93741", "CA", "8346"),
        ),
    ),
    Case(
        full_name="Robert Swenson",
        phone="559-555-0116",
        email="bob.swenson@example.net",
        street="15 Orchard Street",
        city="Fresno",
        state="CA",
        postal_code="93714",
        tier="total",
        paid_cents=17999,
        period=("2025-12-12", "2026-12-12"),
        orders=(CaseOrder("KE-4458372", "TV-2005", "2026-07-02", "93714", "CA", "8364"),),
    ),
    Case(
        full_name="Pedro Kim",
        phone="941-555-0135",
        email="pedro.kim@example.org",
        street="3312 Driftwood Boulevard",
        city="Sarasota",
        state="FL",
        postal_code="34217",
        tier="total",
        paid_cents=17999,
        period=("2026-05-06", "2027-05-06"),
        orders=(CaseOrder("KE-4429591", "CA-6002", "2026-05-06", "34217", "FL", "2024", "debit"),),
    ),
    Case(
        full_name="Hana Kim",
        phone="941-555-0135",
        email="hana.kim@example.org",
        street="3312 Driftwood Boulevard",
        city="Sarasota",
        state="FL",
        postal_code="34217",
        tier="plus",
        paid_cents=2999,
        period=("2026-01-15", "2027-01-15"),
        orders=(CaseOrder("KE-4429519", "AP-5022", "2026-07-11", "34217", "FL", "2042"),),
    ),
    Case(
        full_name="Philippa Contreras",
        phone="330-555-0159",
        email="pcontreras@example.com",
        street="740 Fernhill Road",
        city="Akron",
        state="OH",
        postal_code="44372",
        tier="standard",
        orders=(CaseOrder("KE-4461763", "CO-3020", "2026-04-25", "44372", "OH", "0638"),),
    ),
    Case(
        full_name="Felipe Contreras",
        phone="330-555-0195",
        email="felipe.contreras@example.net",
        street="2816 Larkspur Street",
        city="Akron",
        state="OH",
        postal_code="44327",
        tier="plus",
        paid_cents=2999,
        period=("2026-06-17", "2027-06-17"),
        orders=(CaseOrder("KE-4461736", "HO-7001", "2026-06-17", "44327", "OH", "0683"),),
    ),
)
