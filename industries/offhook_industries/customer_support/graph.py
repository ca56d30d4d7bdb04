"""Kestrel's support line as a department: seven desks, their tools, and where each hands a caller on."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from offhook.graphs import AgentGraph, HandOff, Specialist
from offhook_industries.customer_support import policy

__all__ = ["graph"]

_PROMPTS: Final = Path(__file__).parent / "prompts"

_VERIFICATION: Final = HandOff(
    "verification", "it concerns the caller's own account and they are not verified"
)
_ORDERS: Final = HandOff("orders", "it is about an order, a delivery or a lower price")
_RETURNS: Final = HandOff("returns", "something is to go back, or a refund is missing")
_SERVICE: Final = HandOff("service", "something is broken or TechCrew is wanted")
_MEMBERSHIP: Final = HandOff("membership", "it is about their Kestrel Plus or Total")
_FRAUD: Final = HandOff("fraud", "somebody posing as Kestrel may have contacted them")


def graph() -> AgentGraph:
    """The department. Its prompts are the files of ``prompts/``; the day is the scenario clock's."""
    return AgentGraph(
        company="Kestrel Electronics",
        manner=_text("manner").replace("{today}", policy.spoken_day(policy.NOW.date())),
        session=_text("session"),
        specialists=(
            _desk(
                "reception",
                "Reception",
                ("search_kb", "get_store_info", "get_policy", "get_fee"),
                (_VERIFICATION, _FRAUD),
            ),
            _desk(
                "verification",
                "Verification",
                ("search_kb", "identify_customer", "verify_identity", "get_customer_summary"),
                (_ORDERS, _RETURNS, _SERVICE, _MEMBERSHIP),
            ),
            _desk(
                "orders",
                "Orders",
                (
                    "search_kb",
                    "get_customer_summary",
                    "get_order",
                    "quote_delivery_change",
                    "confirm_delivery_change",
                    "cancel_order",
                    "quote_price_match",
                    "confirm_price_match",
                    "get_fee",
                ),
                (_RETURNS, _SERVICE, _FRAUD),
            ),
            _desk(
                "returns",
                "Returns",
                (
                    "search_kb",
                    "get_order",
                    "check_return_eligibility",
                    "quote_return",
                    "confirm_return",
                    "create_return_label",
                    "get_refund_status",
                    "get_fee",
                ),
                (_ORDERS, _SERVICE, _FRAUD),
            ),
            _desk(
                "service",
                "Repairs",
                (
                    "search_kb",
                    "get_order",
                    "get_protection_plans",
                    "check_coverage",
                    "book_service_appointment",
                    "get_service_appointment",
                    "cancel_service_appointment",
                ),
                (_RETURNS, _MEMBERSHIP, _FRAUD),
            ),
            _desk(
                "membership",
                "Memberships",
                (
                    "search_kb",
                    "get_membership",
                    "quote_membership_upgrade",
                    "confirm_membership_upgrade",
                    "quote_membership_cancellation",
                    "confirm_membership_cancellation",
                    "get_fee",
                ),
                (_SERVICE, _FRAUD),
            ),
            _desk(
                "fraud",
                "Scams",
                (
                    "search_kb",
                    "get_fee",
                    "check_subscription_charge",
                    "check_outbound_contact",
                    "report_scam_contact",
                ),
                (_VERIFICATION,),
            ),
        ),
    )


def _desk(name: str, title: str, tools: tuple[str, ...], hands_to: tuple[HandOff, ...]) -> Specialist:
    return Specialist(name, title, _text(name), tools, hands_to)


def _text(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text(encoding="utf-8")
