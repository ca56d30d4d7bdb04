"""TechCrew appointments: booked once the cost has been told, read, and cancelled."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

import attrs

from offhook.packs import Choice, Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.customer_support import policy
from offhook_industries.customer_support.tools._gate import today, verified_customer
from offhook_industries.customer_support.tools._orders import (
    ORDER_NUMBER,
    items_of,
    own_order,
    return_of,
)
from offhook_industries.customer_support.tools._service_facts import (
    SERVICE_FEES,
    SERVICE_NAMES,
    bench_near,
    free_window,
    services_for,
)

__all__ = ["service_tools"]

_SERVICES: Final = (
    Choice(
        "bench",
        "bringing it to the TechCrew bench in a store",
        ("in store", "at a store", "at the store", "in a store", "bench visit"),
    ),
    Choice(
        "in_home", "a technician comes to the house", ("at home", "at my house", "in-home", "come to my home")
    ),
    Choice("remote", "help over the phone or the internet", ("remotely", "online", "over the internet")),
)


# Appointments made before are numbered by the lines of their order, of which none has as many.
_BEYOND_LINES: Final = 10


@attrs.frozen
class _Place:
    """Where and when: the store (None away from the bench), the day and the first free window of it."""

    store: sqlite3.Row | None
    day: date
    window: str


def service_tools() -> tuple[Tool, ...]:
    return (_book(), _get(), _cancel())


def _book() -> Tool:
    return Tool(
        "book_service_appointment",
        "When to call: a verified caller wants TechCrew to look at an item, check_coverage has told what it "
        "costs and you have said so, and you know the kind of service, the day, and for a bench the ZIP "
        "code near which the store should be. Books the day's first free window at once. A bench is "
        "for what can be carried; appliances are seen at home; remote is for computers and networks.",
        (
            ORDER_NUMBER,
            Parameter("service", ValueKind.TEXT, "Where it is looked at", choices=_SERVICES),
            Parameter("day", ValueKind.DATE, "The day the caller wants"),
            Parameter(
                "postal_code",
                ValueKind.ZIP,
                "For a bench the ZIP code near which the store should be, for a home its own; not for remote",
                required=False,
            ),
        ),
        book_service_appointment,
    )


def book_service_appointment(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    order = own_order(context, customer, arguments["order_number"])
    told = _told(context, order["order_number"])
    item = items_of(context.db, order["order_number"])[told["line"] - 1]
    _check_kept(context, order, item)
    service = arguments["service"]
    _check_service(item, service)
    _check_not_booked(context, customer, item)
    day = date.fromisoformat(arguments["day"])
    place = _place(context, service, day, arguments.get("postal_code"))
    cents = SERVICE_FEES[service] if told["payer"] == "nobody" else told["plan_cents"]
    appointment = _write(context, customer, order, item, service, place, cents)
    return {
        "appointment_id": appointment,
        "service": service,
        "item": item["title"],
        "store_name": place.store["name"] if place.store is not None else "",
        "store_address": _address(place.store),
        "day_spoken": policy.spoken_day(day),
        "window": place.window,
        "cost": policy.dollars(cents) if cents else "nothing",
        "in_short": _in_short(item["title"], service, place, cents),
    }


def _told(context: ToolContext, order_number: str) -> sqlite3.Row:
    """The latest coverage check of the order on this call.

    Raises:
        ToolRefusal: ``coverage_not_checked``, or ``nothing_to_repair``.
    """
    row: sqlite3.Row | None = context.db.execute(
        "SELECT * FROM coverage_checks WHERE order_number = ? ORDER BY check_no DESC LIMIT 1", (order_number,)
    ).fetchone()
    if row is None:
        message = (
            "The caller has not heard who pays. Call check_coverage for this order, tell them the cost, and "
            "book only if they agree."
        )
        raise ToolRefusal("coverage_not_checked", message, field="order_number")
    if not row["repairable"]:
        raise ToolRefusal("nothing_to_repair", "A lost or stolen item can't be repaired. Tell the caller so.")
    return row


def _check_kept(context: ToolContext, order: sqlite3.Row, item: sqlite3.Row) -> None:
    """
    Raises:
        ToolRefusal: ``nothing_to_repair``, where the order was cancelled or the item is being returned.
    """
    if order["status"] == "cancelled":
        message = f"The order of the {item['title']} was cancelled, so nothing is repaired. Tell the caller."
        raise ToolRefusal("nothing_to_repair", message, field="order_number")
    if return_of(context, order["order_number"], item["line"]) is not None:
        message = f"The {item['title']} is being returned, so it isn't repaired. Nothing was booked."
        raise ToolRefusal("nothing_to_repair", message, field="order_number")


def _check_service(item: sqlite3.Row, service: str) -> None:
    possible = services_for(item["product_class"], item["kind"])
    if service not in possible:
        names = " or ".join(SERVICE_NAMES[name] for name in possible)
        message = f"The {item['title']} can't have a {SERVICE_NAMES[service]}. Offer a {names} instead."
        raise ToolRefusal("wrong_service", message, field="service")


def _check_not_booked(context: ToolContext, customer: sqlite3.Row, item: sqlite3.Row) -> None:
    row = context.db.execute(
        "SELECT on_day FROM service_appointments WHERE customer_id = ? AND status = 'booked' AND sku = ? "
        "AND on_day >= ?",
        (customer["customer_id"], item["sku"], today(context).isoformat()),
    ).fetchone()
    if row is not None:
        day = policy.spoken_day(date.fromisoformat(row["on_day"]))
        message = f"There is an appointment for the {item['title']} on {day} already. Cancel that one first."
        raise ToolRefusal("already_booked", message)


def _place(context: ToolContext, service: str, day: date, zip_code: str | None) -> _Place:
    """
    Raises:
        ToolRefusal: ``zip_needed``, ``no_bench_nearby`` or ``day_not_open``.
    """
    if service != "remote" and zip_code is None:
        message = "Ask for the ZIP code: near which the store should be, or where the home is."
        raise ToolRefusal("zip_needed", message, field="postal_code", status=422)
    if not policy.service_day_open(today(context), day, service):
        raise _closed(today(context))
    if service != "bench" or zip_code is None:
        return _Place(None, day, free_window(context, None, day) or "")
    store, open_then = bench_near(context, zip_code, day)
    if store is None:
        message = (
            "No store near that ZIP code has a TechCrew bench. Ask for another ZIP code, such as at work."
        )
        raise ToolRefusal("no_bench_nearby", message, field="postal_code", status=404)
    window = free_window(context, store["store_number"], day)
    if not open_then or window is None:
        raise _closed(today(context))
    return _Place(store, day, window)


def _closed(this_day: date) -> ToolRefusal:
    last = policy.spoken_day(this_day + timedelta(days=policy.LAST_SERVICE_DAY))
    message = (
        f"TechCrew has nothing on that day. Appointments are from tomorrow to {last}, and not everywhere on "
        f"Sundays. Ask for another day."
    )
    return ToolRefusal("day_not_open", message, field="day")


def _write(
    context: ToolContext,
    customer: sqlite3.Row,
    order: sqlite3.Row,
    item: sqlite3.Row,
    service: str,
    place: _Place,
    cents: int,
) -> str:
    """Books under the order's next appointment number."""
    stem = f"TC-{order['order_number'][3:]}-"
    taken = context.db.execute(
        "SELECT count(*) FROM service_appointments WHERE customer_id = ? AND appointment_id LIKE ?",
        (customer["customer_id"], f"{stem}%"),
    ).fetchone()[0]
    appointment = f"{stem}{_BEYOND_LINES + taken}"
    context.db.execute(
        "INSERT INTO service_appointments VALUES (?, ?, ?, ?, ?, ?, ?, 'booked', ?)",
        (
            appointment,
            customer["customer_id"],
            None if place.store is None else place.store["store_number"],
            service,
            item["sku"],
            place.day.isoformat(),
            place.window,
            cents,
        ),
    )
    return appointment


def _address(store: sqlite3.Row | None) -> str:
    if store is None:
        return ""
    return f"{store['street']}, {store['city']}, {store['state']} {store['postal_code']}"


def _in_short(title: str, service: str, place: _Place, cents: int) -> str:
    where = "" if place.store is None else f" at {place.store['name']}, {place.store['street']}"
    cost = policy.dollars(cents) if cents else "nothing"
    return (
        f"the {SERVICE_NAMES[service]} for the {title} is booked for {policy.spoken_day(place.day)}, "
        f"{place.window}{where}, and costs {cost}"
    )


def _get() -> Tool:
    return Tool(
        "get_service_appointment",
        "When to call: a verified caller asks when, where or whether their TechCrew appointment is, or "
        "wants one cancelled and you don't know which. Lists every appointment of the account, the "
        "coming ones first.",
        (),
        get_service_appointment,
    )


def get_service_appointment(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    rows = context.db.execute(
        "SELECT service_appointments.*, title, products.kind AS item_kind, name FROM service_appointments "
        "JOIN products USING (sku) LEFT JOIN stores USING (store_number) WHERE customer_id = ? "
        "ORDER BY status != 'booked', on_day, appointment_id",
        (customer["customer_id"],),
    ).fetchall()
    coming = [row for row in rows if row["status"] == "booked"]
    told = "; ".join(
        f"a {SERVICE_NAMES[row['kind']]} for the {row['title']} on "
        f"{policy.spoken_day(date.fromisoformat(row['on_day']))}, {row['window']}"
        for row in coming
    )
    return {
        "appointments": [_appointment(row) for row in rows],
        "in_short": f"there is {told}" if told else "there is no TechCrew appointment ahead",
    }


def _appointment(row: sqlite3.Row) -> dict[str, Any]:
    return {
        "appointment_id": row["appointment_id"],
        "service": row["kind"],
        "item": row["title"],
        "kind": row["item_kind"].replace("_", " "),
        "day_spoken": policy.spoken_day(date.fromisoformat(row["on_day"])),
        "window": row["window"],
        "store_name": row["name"] or "",
        "status": row["status"],
    }


def _cancel() -> Tool:
    return Tool(
        "cancel_service_appointment",
        "When to call: a verified caller wants a booked TechCrew appointment cancelled, and has said yes "
        "after you named its item and day. Costs nothing. To move one, cancel it and book another day. "
        "Not for a delivery and not for an order.",
        (
            Parameter(
                "appointment_id",
                ValueKind.TEXT,
                "The appointment_id of a result of this call: of the booking, the summary or the list",
                constrained=False,
            ),
        ),
        cancel_service_appointment,
    )


def cancel_service_appointment(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    customer = verified_customer(context)
    row = context.db.execute(
        "SELECT service_appointments.*, title FROM service_appointments JOIN products USING (sku) "
        "WHERE appointment_id = ? AND customer_id = ?",
        (arguments["appointment_id"], customer["customer_id"]),
    ).fetchone()
    if row is None:
        message = "This caller has no such appointment. get_service_appointment lists those that there are."
        raise ToolRefusal("unknown_appointment", message, field="appointment_id", status=404)
    if row["status"] == "cancelled":
        raise ToolRefusal("already_cancelled", "That appointment has been cancelled already. Say so.")
    if row["status"] == "done":
        raise ToolRefusal(
            "already_done", "That appointment has been kept already. There is nothing to cancel."
        )
    context.db.execute(
        "UPDATE service_appointments SET status = 'cancelled' WHERE appointment_id = ?",
        (row["appointment_id"],),
    )
    day = policy.spoken_day(date.fromisoformat(row["on_day"]))
    return {
        "cancelled": True,
        "appointment_id": row["appointment_id"],
        "item": row["title"],
        "day_spoken": day,
        "in_short": f"the appointment for the {row['title']} on {day} is cancelled",
    }
