"""The four checks before an intake: conflict, practice area, jurisdiction, filing deadline. They write
nothing but the gates of the call.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from offhook.packs import Parameter, Tool, ToolContext, ToolRefusal
from offhook.values import ValueKind
from offhook_industries.common.saying import dollars, spoken_date
from offhook_industries.legal import policy
from offhook_industries.legal.conflicts import names_nobody, parties_in
from offhook_industries.legal.tools._gate import (
    is_opponent,
    mark_conflict,
    matches,
    note_check,
    read_session,
    require_admitted,
    require_area,
    require_clear,
    title_of,
    today,
)
from offhook_industries.legal.tools._words import incident_date, matter_type, state

__all__ = ["fee_words", "in_the_past", "screening_tools"]


def screening_tools() -> tuple[Tool, ...]:
    return (_conflict(), _area(), _jurisdiction(), _deadline())


def _conflict() -> Tool:
    return Tool(
        "check_conflict",
        "When to call: right after the look-up when somebody wants help with a matter, before any state, "
        "date or story, as soon as you know the name of the person or company on the other side. Screens "
        "that "
        "name, and the opened caller's own. If clear is false: say only that the firm can't take this "
        "further, never why or whom it concerns, and use transfer_to_human. Not for existing clients with "
        "a question on their own case.",
        (
            Parameter(
                "adverse_party",
                ValueKind.NAME,
                "The person or company the matter is against, by the name the caller gives",
            ),
        ),
        check_conflict,
    )


def check_conflict(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    said = arguments["adverse_party"]
    if names_nobody(said):
        message = (
            "That is no name, so nothing was checked. Ask who the other side is, by name; if the caller "
            "can't tell, use transfer_to_human."
        )
        raise ToolRefusal("name_needed", message, field="adverse_party", status=422)
    hit = any(matches(context.db, "parties", name) for name in parties_in(said)) or is_opponent(context)
    mark_conflict(context, "found" if hit else "clear")
    clear = read_session(context).conflict == "clear"
    in_short = (
        "The conflict check is clear."
        if clear
        else (
            "The firm can't take this matter any further, and can't go into why. A person has to take it "
            "from here."
        )
    )
    return {"clear": clear, "adverse_party": arguments["adverse_party"], "in_short": in_short}


def _area() -> Tool:
    return Tool(
        "check_practice_area",
        "When to call: you know what kind of matter it is, to learn whether the firm handles it and how it "
        "charges; also when a caller only asks that. In a screening it comes after check_conflict. Names "
        "of the kind only: no facts are needed. If handled is false, say so kindly, give no opinion and "
        "use transfer_to_human.",
        (matter_type(),),
        check_practice_area,
    )


def check_practice_area(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    kind = arguments["matter_type"]
    row = context.db.execute("SELECT * FROM practice_areas WHERE matter_type = ?", (kind,)).fetchone()
    handled = row["fee_kind"] != "none"
    note_check(context, "area", kind, ok=handled)
    fee = fee_words(row["fee_kind"], kind)
    in_short = (
        f"The firm handles {row['title']} matters. {fee}"
        if handled
        else f"The firm does not take {row['title']} matters. A person can name a referral service."
    )
    return {
        "matter_type": kind,
        "title": row["title"],
        "handled": handled,
        "fee_kind": row["fee_kind"],
        "fee": fee,
        "in_short": in_short,
    }


def fee_words(fee_kind: str, matter_type: str) -> str:
    """How the firm charges, as it is told to a caller."""
    if fee_kind == "hourly":
        return (
            f"A consultation costs {dollars(policy.CONSULTATION_CENTS)} for {policy.CONSULTATION_MINUTES} "
            f"minutes; if the firm is hired it charges {dollars(policy.HOURLY_CENTS)} an hour."
        )
    if fee_kind == "none":
        return ""
    if matter_type == "workers_compensation":
        return (
            "The evaluation is free. The firm's fee is a share of the benefits that the state's board "
            "approves."
        )
    return (
        f"The evaluation is free. If the firm takes the case, its fee is {policy.CONTINGENCY_BEFORE_SUIT} "
        f"of what it recovers, {policy.CONTINGENCY_IN_SUIT} once a suit is filed, and nothing if it "
        "recovers nothing."
    )


def _jurisdiction() -> Tool:
    return Tool(
        "check_jurisdiction",
        "When to call: conflict and practice area are clear and the caller has said in which state it "
        "happened. Tells whether the firm has an attorney for this kind of matter there. If licensed is "
        "false, say so and use transfer_to_human; do not go on to dates or an intake.",
        (matter_type(), state()),
        check_jurisdiction,
    )


def check_jurisdiction(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    kind, where = arguments["matter_type"], arguments["state"]
    require_clear(context)
    require_area(context, kind)
    attorney = context.db.execute(
        "SELECT 1 FROM attorney_states JOIN attorney_areas USING (attorney_id) WHERE state = ? AND "
        "matter_type = ?",
        (where, kind),
    ).fetchone()
    licensed = attorney is not None
    note_check(context, "state", kind, state=where, ok=licensed)
    title = title_of(context, kind)
    in_short = (
        f"The firm can act in {title} matters in {where}."
        if licensed
        else (
            f"The firm has no attorney for {title} matters in {where}. A person can name a referral service "
            "there."
        )
    )
    return {"matter_type": kind, "title": title, "state": where, "licensed": licensed, "in_short": in_short}


def _deadline() -> Tool:
    return Tool(
        "calculate_filing_deadline",
        "When to call: conflict, practice area and state are clear and the caller has said on which day it "
        "happened, with the year; always before record_intake. Works out by when a claim generally has to "
        "be filed. Tell it as a general rule that an attorney confirms, never as advice. If passed is "
        "true, do not take an intake: use transfer_to_human, since exceptions are for an attorney. Never "
        "work a deadline out yourself.",
        (matter_type(), state(), incident_date()),
        calculate_filing_deadline,
    )


def calculate_filing_deadline(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    kind, where = arguments["matter_type"], arguments["state"]
    require_admitted(context, kind, where)
    happened = in_the_past(context, arguments["incident_date"])
    row = context.db.execute(
        "SELECT * FROM filing_limits WHERE matter_type = ? AND state = ?", (kind, where)
    ).fetchone()
    facts = {"matter_type": kind, "state": where, "incident_date": happened.isoformat()}
    if row is None:
        note_check(context, "deadline", kind, state=where, incident_date=happened.isoformat(), ok=True)
        in_short = "There is no general figure for this; an attorney works the deadline out."
        unknown = {"known": False, "deadline": "", "deadline_spoken": "", "days_left": None}
        return {**facts, **unknown, "passed": False, "urgent": True, "statute": "", "in_short": in_short}
    last = policy.filing_deadline(happened, row["amount"], row["unit"])
    left = policy.days_left(today(context), last)
    note_check(context, "deadline", kind, state=where, incident_date=happened.isoformat(), ok=left >= 0)
    return {
        **facts,
        "known": True,
        "deadline": last.isoformat(),
        "deadline_spoken": spoken_date(last),
        "days_left": left,
        "passed": left < 0,
        "urgent": left <= policy.URGENT_DAYS,
        "statute": row["statute"],
        "in_short": _in_short(last, left),
    }


def in_the_past(context: ToolContext, text: str) -> date:
    """
    Raises:
        ToolRefusal: ``date_in_future``.
    """
    day = date.fromisoformat(text)
    if day > today(context):
        message = "That day is still to come. Ask for the day and the year again."
        raise ToolRefusal("date_in_future", message, field="incident_date", status=422)
    return day


def _in_short(last: date, left: int) -> str:
    if left < 0:
        return (
            f"By the general rule the time to file ended on {spoken_date(last)}. Whether an exception helps "
            "is for an attorney to say."
        )
    hurry = " That is soon, so it will be marked urgent." if left <= policy.URGENT_DAYS else ""
    return (
        f"By the general rule it has to be filed by {spoken_date(last)}; an attorney will confirm "
        f"that.{hurry}"
    )
