"""A small, whole industry for tests: the repair desk of Fernhill Cycle Works.

It has every role a table can have, a public look-up, an identity gate, a two-phase write and a note, and two
tasks. Plugin authors can run their adapter, caller or grader against it without installing a real pack:

    from offhook.testing_pack import bicycle_pack

    pack = bicycle_pack()
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from offhook._testing_tasks import GUIDE, TASKS
from offhook.names import match_names
from offhook.packs import Agent, Choice, Pack, Parameter, Table, TableRole, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind

__all__ = ["bicycle_pack"]

_SCHEMA: Final = """
CREATE TABLE services (
    service TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents > 0)
);
CREATE TABLE customers (
    customer_id TEXT PRIMARY KEY,
    full_name TEXT NOT NULL,
    phone TEXT NOT NULL UNIQUE,
    postal_code TEXT NOT NULL
);
CREATE TABLE bikes (
    bike_id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL UNIQUE REFERENCES customers (customer_id),
    model TEXT NOT NULL,
    frame_last4 TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('at home', 'booked'))
);
CREATE TABLE quotes (
    quote_id TEXT PRIMARY KEY,
    bike_id TEXT NOT NULL REFERENCES bikes (bike_id),
    service TEXT NOT NULL REFERENCES services (service),
    price_cents INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE repairs (
    repair_id TEXT PRIMARY KEY,
    bike_id TEXT NOT NULL REFERENCES bikes (bike_id),
    service TEXT NOT NULL REFERENCES services (service),
    price_cents INTEGER NOT NULL,
    booked_at TEXT NOT NULL
);
CREATE TABLE notes (
    note_id TEXT PRIMARY KEY,
    bike_id TEXT NOT NULL REFERENCES bikes (bike_id),
    author TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE gate (
    slot INTEGER PRIMARY KEY CHECK (slot = 1),
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),
    verified INTEGER NOT NULL DEFAULT 0
);
"""

_SERVICES: Final = (
    ("tune_up", "standard tune-up", 8_500),
    ("brakes", "brake overhaul", 6_400),
    ("wheel", "wheel truing", 2_750),
)

_OWNERS: Final = (
    ("C-101", "Nadia Okafor", "541-555-0148", "97405", "Larkspur 7", "7730"),
    ("C-102", "Tomas Brandt", "541-555-0152", "97401", "Heron 3", "2216"),
    ("C-103", "Ines Valcarcel", "541-555-0163", "97330", "Larkspur 5", "9048"),
    ("C-104", "Grady Whitlock", "541-555-0177", "97405", "Quill 1", "5581"),
)

_TABLES: Final = (
    Table("services", TableRole.REFERENCE, ("service",)),
    Table("customers", TableRole.REFERENCE, ("customer_id",)),
    Table("bikes", TableRole.WRITE, ("bike_id",)),
    Table("quotes", TableRole.QUOTE, ("quote_id",), volatile=("quote_id",)),
    Table(
        "repairs",
        TableRole.WRITE,
        ("repair_id",),
        volatile=("repair_id", "booked_at"),
        kinds={"price_cents": ValueKind.AMOUNT},
    ),
    Table("notes", TableRole.LOG, ("note_id",), volatile=("note_id", "body")),
    Table("gate", TableRole.SESSION, ("slot",)),
)

_SERVICE: Final = Parameter(
    "service",
    ValueKind.TEXT,
    "Which service of the price list",
    choices=(
        Choice(
            "tune_up",
            "a general check and adjustment of the whole bicycle",
            ("tune-up", "standard tune-up", "tuneup"),
        ),
        Choice("brakes", "brakes that squeal, rub or don't stop the bicycle", ("brake overhaul", "brake")),
        Choice("wheel", "a wheel that wobbles or is bent", ("wheel truing", "true the wheel")),
    ),
)

_PROMPT: Final = """\
You answer the phone at the repair desk of Fernhill Cycle Works, a bicycle workshop.

Prices are public: give them to anyone with get_service_price. Anything about a customer's own bicycle needs
its owner: look the caller up by full name and phone number with find_customer, then check the ZIP code and
the last four characters of the frame number with verify_owner. Never tell a caller what is on file.

To book a repair, call quote_repair, read the service and the price back, and only after a clear yes call
confirm_repair with the quote it returned. A booking can't be made without a quote, and a quote books once.
Then ask whether the workshop should know anything, and write it down with leave_note.

If a look-up fails, ask for the details again, slowly. After three failures hand over with transfer_to_human.
When the caller has all they called for, say goodbye and use end_call."""

_GREETING: Final = "Fernhill Cycle Works, repair desk. How can I help?"


def bicycle_pack() -> Pack:
    """The pack ``bicycle-repair`` with tasks ``B-E1`` (a price) and ``B-H1`` (a repair booked behind the
    identity gate)."""
    tools = _tools()
    return Pack(
        name="bicycle-repair",
        title="Bicycle repair (Fernhill Cycle Works)",
        version="1.0.0",
        now=datetime.fromisoformat("2026-03-12T10:30"),
        schema=_SCHEMA,
        seed=_seed,
        tables=_TABLES,
        tools=tools,
        agent=Agent("Fernhill Cycle Works", _PROMPT, _GREETING, tuple(tool.name for tool in tools)),
        guide=GUIDE,
        tasks=TASKS,
        gates=("verify_owner",),
    )


def _seed(db: sqlite3.Connection) -> None:
    db.executemany("INSERT INTO services VALUES (?, ?, ?)", _SERVICES)
    for customer_id, full_name, phone, postal_code, model, frame_last4 in _OWNERS:
        db.execute("INSERT INTO customers VALUES (?, ?, ?, ?)", (customer_id, full_name, phone, postal_code))
        bike = (customer_id.replace("C", "B"), customer_id, model, frame_last4)
        db.execute("INSERT INTO bikes VALUES (?, ?, ?, ?, 'at home')", bike)


def _tools() -> tuple[Tool, ...]:
    return (
        Tool(
            "get_service_price",
            "The public price of a service. Needs no identity.",
            (_SERVICE,),
            _get_service_price,
        ),
        Tool(
            "find_customer",
            "Looks a customer up. Call it first whenever a caller wants something done to their bicycle.",
            (
                Parameter("full_name", ValueKind.NAME, "First and last name"),
                Parameter("phone", ValueKind.PHONE, "The phone number on file"),
            ),
            _find_customer,
        ),
        Tool(
            "verify_owner",
            "Checks that the caller owns the bicycle: after find_customer, before anything is quoted.",
            (
                Parameter("postal_code", ValueKind.ZIP, "The customer's ZIP code"),
                Parameter(
                    "frame_last4", ValueKind.DIGITS, "The last four digits of the frame number", length=4
                ),
            ),
            _verify_owner,
        ),
        Tool(
            "quote_repair",
            "Prices a service for the verified caller's bicycle; confirm_repair needs the quote it returns.",
            (_SERVICE,),
            _quote_repair,
        ),
        Tool(
            "confirm_repair",
            "Books the quoted repair. Call it only after the caller has agreed to the price you read back.",
            (
                Parameter(
                    "quote_id", ValueKind.TEXT, "The quote_id that quote_repair returned", constrained=False
                ),
                Parameter("price_accepted", ValueKind.YES_NO, "True once the caller has agreed to the price"),
            ),
            _confirm_repair,
        ),
        Tool(
            "leave_note",
            "Writes something down for the workshop.",
            (Parameter("note", ValueKind.TEXT, "What the mechanic should know", constrained=False),),
            _leave_note,
        ),
        Tool(
            "transfer_to_human",
            "Hands the caller to a person at the desk, when you can't go on.",
            (Parameter("reason", ValueKind.TEXT, "Why", required=False, constrained=False),),
            _end,
            ends_call=True,
        ),
        Tool("end_call", "Hangs up after the goodbye.", (), _end, ends_call=True),
    )


def _get_service_price(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    title, cents = _service(context, arguments["service"])
    return {"service": title, "price": _dollars(cents)}


def _find_customer(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    row = context.db.execute(
        "SELECT customer_id, full_name FROM customers WHERE phone = ?", (arguments["phone"],)
    ).fetchone()
    if row is None:
        raise ToolRefusal(
            "no_match", "no customer has that phone number; ask for it again", field="phone", status=404
        )
    if not match_names(row["full_name"], arguments["full_name"]).same:
        raise ToolRefusal(
            "no_match", "name and phone number don't go together; ask again", field="full_name", status=404
        )
    context.db.execute("INSERT OR REPLACE INTO gate VALUES (1, ?, 0)", (row["customer_id"],))
    return {"found": True, "first_name": row["full_name"].split()[0]}


def _verify_owner(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    gate = context.db.execute(
        "SELECT postal_code, frame_last4 FROM gate JOIN customers USING (customer_id)"
        " JOIN bikes USING (customer_id)"
    ).fetchone()
    if gate is None:
        raise ToolRefusal("not_identified", "look the caller up with find_customer first")
    for field in ("postal_code", "frame_last4"):
        if gate[field] != arguments[field]:
            raise ToolRefusal(
                "not_verified", "that is not what is on file; ask again", field=field, status=403
            )
    context.db.execute("UPDATE gate SET verified = 1")
    return {"verified": True}


def _quote_repair(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    bike = _verified_bike(context)
    if bike["status"] == "booked":
        raise ToolRefusal("already_booked", "a repair of this bicycle is booked already")
    title, cents = _service(context, arguments["service"])
    quote_id = context.new_id("QT")
    context.db.execute(
        "INSERT INTO quotes (quote_id, bike_id, service, price_cents) VALUES (?, ?, ?, ?)",
        (quote_id, bike["bike_id"], arguments["service"], cents),
    )
    return {"quote_id": quote_id, "service": title, "price": _dollars(cents), "model": bike["model"]}


def _confirm_repair(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    bike = _verified_bike(context)
    if not arguments["price_accepted"]:
        raise ToolRefusal("not_accepted", "book only what the caller has agreed to", field="price_accepted")
    quote = context.db.execute("SELECT * FROM quotes WHERE quote_id = ?", (arguments["quote_id"],)).fetchone()
    if quote is None:
        raise ToolRefusal(
            "unknown_quote", "get a quote with quote_repair first", field="quote_id", status=404
        )
    # The bicycle changes before the quote is looked at closely: a refusal below shows that nothing is half
    # written.
    context.db.execute("UPDATE bikes SET status = 'booked' WHERE bike_id = ?", (bike["bike_id"],))
    used = context.db.execute(
        "UPDATE quotes SET used = 1 WHERE quote_id = ? AND used = 0", (quote["quote_id"],)
    )
    if used.rowcount == 0:
        raise ToolRefusal("quote_used", "this quote has booked a repair already", field="quote_id")
    repair_id = context.new_id("RP")
    context.db.execute(
        "INSERT INTO repairs VALUES (?, ?, ?, ?, ?)",
        (repair_id, bike["bike_id"], quote["service"], quote["price_cents"], context.now.isoformat(" ")),
    )
    title, cents = _service(context, quote["service"])
    return {"repair_id": repair_id, "service": title, "price": _dollars(cents)}


def _leave_note(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    bike = _verified_bike(context)
    context.db.execute(
        "INSERT INTO notes VALUES (?, ?, 'phone desk', ?)",
        (context.new_id("NT"), bike["bike_id"], arguments["note"]),
    )
    return {"noted": True}


def _end(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"ended": True}


def _verified_bike(context: ToolContext) -> sqlite3.Row:
    bike: sqlite3.Row | None = context.db.execute(
        "SELECT b.* FROM gate JOIN bikes b USING (customer_id) WHERE gate.verified = 1"
    ).fetchone()
    if bike is None:
        raise ToolRefusal("not_verified", "find and verify the caller first", status=403)
    return bike


def _service(context: ToolContext, service: str) -> tuple[str, int]:
    row = context.db.execute(
        "SELECT title, price_cents FROM services WHERE service = ?", (service,)
    ).fetchone()
    return row["title"], row["price_cents"]


def _dollars(cents: int) -> str:
    return f"${cents // 100}.{cents % 100:02d}"
