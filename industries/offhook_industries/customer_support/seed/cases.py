"""The customers behind the pack's calls, written out, with neighbours who are easily taken for them."""

from __future__ import annotations

from typing import Final

from offhook_industries.customer_support.seed.callers import CALLERS
from offhook_industries.customer_support.seed.members import MEMBERS
from offhook_industries.customer_support.seed.neighbours import NEIGHBOURS
from offhook_industries.customer_support.seed.people import Case, CaseOrder

__all__ = ["CASES", "STRANGERS", "Case", "CaseOrder"]

CASES: Final = MEMBERS + CALLERS + NEIGHBOURS
STRANGERS: Final = ("480-555-0119",)
"""Phones of callers who are no customers: nobody in the crowd has them."""
