"""What is written out of a customer and of their orders."""

from __future__ import annotations

import attrs

__all__ = ["Case", "CaseOrder"]


@attrs.frozen
class CaseOrder:
    """An order whose ZIP and card verify its customer. ``arrives`` is the day of delivery (None: three days
    after it was placed), ``unit_cents`` what was paid (None: the catalogue's price), ``plan`` the deductible
    in cents of a TechCrew Protect plan with cover for accidents."""

    order_number: str
    sku: str
    placed_on: str
    postal_code: str
    state: str
    card_last4: str
    method: str = "credit"
    status: str = "delivered"
    arrives: str | None = None
    window: str = "noon to 4 PM"
    installation: bool = False
    haul_away: bool = False
    seller: str = "Kestrel"
    unit_cents: int | None = None
    open_box: bool = False
    opened: bool = False
    plan: int | None = None


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
