"""Intake, notes, packets and records releases: each behind its gates, each once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.industries.legal._line import Line

LEONARD = "678-555-0112"
INTAKE: dict[str, Any] = {
    "phone": LEONARD,
    "matter_type": "auto_accident",
    "state": "Georgia",
    "incident_date": "2026-08-14",
    "summary": "A van ran a red light and hit my car.",
}
FACTS = {name: INTAKE[name] for name in ("matter_type", "state", "incident_date")}
TESSA = {**INTAKE, "phone": "770-555-0119", "incident_date": "2026-06-12"}


def _screened(line: Line) -> None:
    line.admit("auto_accident", "Georgia", "Brightway Couriers")
    line.ok("calculate_filing_deadline", **FACTS)


# --- record_intake ------------------------------------------------------------------------------------------


def test_an_intake_needs_each_check_before_it(line: Line) -> None:
    assert line.refused("record_intake", **INTAKE) == "conflict_not_checked"
    line.ok("check_conflict", adverse_party="Brightway Couriers")
    assert line.refused("record_intake", **INTAKE) == "practice_area_not_checked"
    line.ok("check_practice_area", matter_type="auto_accident")
    assert line.refused("record_intake", **INTAKE) == "jurisdiction_not_checked"
    line.ok("check_jurisdiction", matter_type="auto_accident", state="Georgia")
    assert line.refused("record_intake", **INTAKE) == "deadline_not_checked"
    line.ok("calculate_filing_deadline", **FACTS)
    done = line.ok("record_intake", **INTAKE)
    assert done["intake_number"] == 1
    rows = line.ask("SELECT matter_type, state, incident_date, deadline, summary FROM intakes")
    assert rows == [("auto_accident", "Georgia", "2026-08-14", "2028-08-14", INTAKE["summary"])]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"incident_date": "2026-08-13"}, "deadline_not_checked"),
        ({"state": "Texas"}, "jurisdiction_not_checked"),
        ({"matter_type": "employment"}, "practice_area_not_checked"),
        ({"phone": "678-555-0199"}, "caller_not_on_file"),
        ({"incident_date": "2026-08-18"}, "date_in_future"),
        ({"incident_date": "someday"}, "invalid_argument"),
        ({"summary": " "}, "invalid_argument"),
    ],
)
def test_an_intake_must_be_what_was_screened(changed: dict[str, str], code: str, line: Line) -> None:
    _screened(line)
    assert line.refused("record_intake", **{**INTAKE, **changed}) == code


def test_the_same_intake_is_recorded_once(line: Line) -> None:
    _screened(line)
    line.ok("record_intake", **INTAKE)
    assert line.refused("record_intake", **INTAKE) == "already_recorded"


def test_a_screening_on_file_stands_for_the_checks(line: Line) -> None:
    assert line.ok("record_intake", **TESSA)["first_name"] == "Tessa"
    assert line.ask("SELECT deadline FROM intakes") == [("2028-06-12",)]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"incident_date": "2026-06-13"}, "deadline_not_checked"),
        ({"state": "Florida"}, "conflict_not_checked"),
        ({"matter_type": "dog_bite"}, "conflict_not_checked"),
        ({"phone": "770-555-0191"}, "conflict_not_checked"),
    ],
)
def test_a_screening_on_file_stands_for_nothing_else(changed: dict[str, str], code: str, line: Line) -> None:
    assert line.refused("record_intake", **{**TESSA, **changed}) == code


def test_a_conflict_found_on_the_call_outweighs_a_screening_on_file(line: Line) -> None:
    line.ok("check_conflict", adverse_party="Northgate Insurance")
    assert line.refused("record_intake", **TESSA) == "conflict_found"


def test_a_shared_number_needs_the_name_first(line: Line) -> None:
    _screened(line)
    shared = {**INTAKE, "phone": "360-555-0142"}
    assert line.refused("record_intake", **shared) == "several_people"
    line.ok("lookup_caller", phone="360-555-0142", full_name="Peter Winslow")
    assert line.ok("record_intake", **shared)["first_name"] == "Peter"


def test_who_has_a_lawyer_in_the_matter_is_not_taken_in(line: Line) -> None:
    _screened(line)
    fern = {**INTAKE, "phone": "813-555-0190"}
    assert line.refused("record_intake", **fern) == "represented_elsewhere"
    line.ok("lookup_caller", phone="813-555-0190")
    assert line.refused("find_evaluation_slots", matter_type="auto_accident") == "represented_elsewhere"


def test_who_has_a_lawyer_in_another_matter_is(line: Line) -> None:
    line.admit("consumer", "Florida")
    facts = {"matter_type": "consumer", "state": "Florida", "incident_date": "2026-08-14"}
    line.ok("calculate_filing_deadline", **facts)
    assert line.ok("record_intake", **{**INTAKE, **facts, "phone": "813-555-0190"})["recorded"]


# --- what follows -------------------------------------------------------------------------------------------


FOLLOWING = (
    ("add_intake_note", {"note": "Joan Keller saw it.", "category": "witness"}),
    ("send_intake_packet", {"channel": "email"}),
    ("request_records_authorization", {"provider": "Saint Anne Hospital"}),
)


@pytest.mark.parametrize(("tool", "arguments"), FOLLOWING)
def test_nothing_follows_without_an_intake(tool: str, arguments: dict[str, str], line: Line) -> None:
    assert line.refused(tool, **arguments) == "no_caller_open"
    line.ok("lookup_caller", phone=LEONARD)
    assert line.refused(tool, **arguments) == "no_intake"


@pytest.mark.parametrize(("tool", "arguments"), FOLLOWING)
def test_nothing_follows_a_conflict(tool: str, arguments: dict[str, str], line: Line) -> None:
    _screened(line)
    line.ok("record_intake", **INTAKE)
    line.ok("check_conflict", adverse_party="Vertex Logistics")
    assert line.refused(tool, **arguments) == "conflict_found"


def test_the_intake_opens_the_record_for_what_follows(line: Line) -> None:
    _screened(line)
    line.ok("record_intake", **INTAKE)
    for tool, arguments in FOLLOWING:
        line.ok(tool, **arguments)
    assert line.ask("SELECT category, note FROM intake_notes") == [("witness", "Joan Keller saw it.")]
    assert line.ask("SELECT channel, sent_to FROM packets") == [("email", "leonard.moss@example.com")]
    assert line.ask("SELECT provider, sent_to FROM authorizations") == [
        ("Saint Anne Hospital", "leonard.moss@example.com")
    ]


def test_a_note_needs_no_category(line: Line) -> None:
    _screened(line)
    line.ok("record_intake", **INTAKE)
    assert line.ok("add_intake_note", note="Told something first.")["category"] == "other"
    assert line.refused("add_intake_note", note="x", category="gossip") == "invalid_argument"


def test_a_client_may_add_to_their_own_matter_without_an_intake(line: Line) -> None:
    line.ok("lookup_caller", phone="206-555-0158")
    assert line.ok("add_intake_note", note="My address changed.")["noted"]


@pytest.mark.parametrize(
    ("phone", "channel", "sent_to"),
    [
        (LEONARD, "text", LEONARD),
        ("214-555-0177", "mail", "1908 Fernhill Road, Dallas, Texas 75241"),
        ("214-555-0177", "text", "214-555-0177"),
    ],
)
def test_a_packet_goes_to_what_is_on_file(phone: str, channel: str, sent_to: str, line: Line) -> None:
    _screened(line)
    line.ok("record_intake", **{**INTAKE, "phone": phone})
    assert line.ok("send_intake_packet", channel=channel)["sent_to"] == sent_to


@pytest.mark.parametrize(("phone", "channel"), [(LEONARD, "mail"), ("214-555-0177", "email")])
def test_a_packet_needs_an_address_of_its_kind(phone: str, channel: str, line: Line) -> None:
    _screened(line)
    line.ok("record_intake", **{**INTAKE, "phone": phone})
    assert line.refused("send_intake_packet", channel=channel) == "no_address"


def test_packet_and_release_are_sent_once_each(line: Line) -> None:
    _screened(line)
    line.ok("record_intake", **INTAKE)
    line.ok("send_intake_packet", channel="email")
    assert line.refused("send_intake_packet", channel="email") == "already_sent"
    line.ok("request_records_authorization", provider="Saint Anne Hospital")
    again = line.refused("request_records_authorization", provider="saint anne hospital")
    assert again == "already_requested"
    line.ok("request_records_authorization", provider="Mercy Clinic")
    assert line.ask("SELECT authorization_no FROM authorizations") == [(1,), (2,)]


def test_a_release_goes_by_text_where_there_is_no_email(line: Line) -> None:
    _screened(line)
    line.ok("record_intake", **{**INTAKE, "phone": "214-555-0177"})
    sent = line.ok("request_records_authorization", provider="Saint Anne Hospital")
    assert sent["sent_to"] == "214-555-0177"
    assert "text message" in sent["sentence"]
