"""The tables of the schema, and how each is graded."""

from __future__ import annotations

from typing import Final

from offhook.packs import Table, TableRole

__all__ = ["pack_tables"]

_REFERENCE: Final = (
    ("hours_patterns", ("pattern",)),
    ("stores", ("store_number",)),
    ("departments", ("department",)),
    ("store_departments", ("store_number", "department")),
    ("products", ("sku",)),
    ("order_items", ("order_number", "line")),
    ("payments", ("order_number",)),
    ("protection_plans", ("plan_id",)),
    ("competitor_offers", ("sku", "competitor")),
    ("outbound_contacts", ("contact_no",)),
    ("fees", ("fee",)),
    ("policies", ("topic",)),
    ("kb_articles", ("slug",)),
)


def pack_tables() -> tuple[Table, ...]:
    """Every table with its role, its key, and the columns that calls may differ in."""
    return (
        *(Table(name, TableRole.REFERENCE, key) for name, key in _REFERENCE),
        Table("customers", TableRole.WRITE, ("customer_id",)),
        Table("membership_changes", TableRole.WRITE, ("customer_id", "change_no"), volatile=("quote_token",)),
        Table("orders", TableRole.WRITE, ("order_number",)),
        Table("delivery_changes", TableRole.WRITE, ("order_number", "change_no"), volatile=("quote_token",)),
        Table("returns", TableRole.WRITE, ("rma_number",), volatile=("quote_token",)),
        Table("refunds", TableRole.WRITE, ("order_number", "refund_no")),
        Table("service_appointments", TableRole.WRITE, ("appointment_id",)),
        Table(
            "scam_reports", TableRole.WRITE, ("report_no",), volatile=("details", "customer_id", "created_at")
        ),
        # Who was identified before a hand-over is the agent's choice; that there was one, and why, is not.
        Table(
            "transfers", TableRole.WRITE, ("transfer_no",), volatile=("summary", "customer_id", "created_at")
        ),
        Table("membership_quotes", TableRole.QUOTE, ("quote_token",)),
        Table("order_quotes", TableRole.QUOTE, ("quote_token",)),
        Table("call_session", TableRole.SESSION, ("only_row",)),
        Table("coverage_checks", TableRole.SESSION, ("order_number", "line")),
    )
