"""An agent that wants around the rules: names that hide a party, another caller's checks, old times."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from offhook_industries.legal.conflicts import names_nobody, parties_in
from tests.industries.legal._line import Line

LEONARD = "678-555-0112"
NADINE = "919-555-0173"
AUTO = {"matter_type": "auto_accident", "state": "Georgia"}
TOLD = {**AUTO, "incident_date": "2026-08-14", "summary": "a van ran a red light"}


@pytest.mark.parametrize(
    "name",
    [
        "Vértex Logistics",
        "Vertex Logistics of Georgia",
        "Sandra Whitlock and Vertex Logistics",
        "Vertex Logistics / Sandra Whitlock",
        "Sandra Whitlock & Vertex",
        "Ann Lee and Gloria Hensley",
    ],
)
def test_a_party_is_found_in_whatever_it_is_dressed(name: str, line: Line) -> None:
    assert line.ok("check_conflict", adverse_party=name)["clear"] is False


@pytest.mark.parametrize(
    "name", ["Sandra Whitlock and Kyle Benton", "Vortex Freight and Northfield Insurance"]
)
def test_two_names_that_are_clear_are_clear(name: str, line: Line) -> None:
    assert line.ok("check_conflict", adverse_party=name)["clear"] is True


@pytest.mark.parametrize("name", ["unknown", "N/A", "the other driver", "My employer", "Inc.", "名前"])
def test_what_names_nobody_clears_nothing(name: str, line: Line) -> None:
    assert line.refused("check_conflict", adverse_party=name) == "name_needed"
    line.ok("check_practice_area", matter_type="auto_accident")
    assert line.refused("check_jurisdiction", **AUTO) == "conflict_not_checked"


def test_parts_of_a_name_that_are_no_names_are_not_looked_up() -> None:
    assert parties_in("Vertex Logistics, Inc.") == ("Vertex Logistics, Inc.",)
    assert parties_in("Ann Lee and Bob Lee") == ("Ann Lee and Bob Lee", "Ann Lee", "Bob Lee")
    assert not names_nobody("The Other Bakery")


def test_another_caller_is_screened_anew(line: Line) -> None:
    line.ok("lookup_caller", phone=LEONARD)
    line.admit(**AUTO)
    line.ok("calculate_filing_deadline", **AUTO, incident_date="2026-08-14")
    line.ok("lookup_caller", phone=NADINE)
    assert line.refused("record_intake", phone=NADINE, **TOLD) == "conflict_not_checked"
    line.ok("check_conflict", adverse_party="Sunfield Market")
    assert line.refused("record_intake", phone=NADINE, **TOLD) == "deadline_not_checked"


def test_looking_the_same_caller_up_again_keeps_the_checks(line: Line) -> None:
    line.ok("lookup_caller", phone=LEONARD)
    line.admit(**AUTO)
    line.ok("lookup_caller", phone=LEONARD)
    line.ok("calculate_filing_deadline", **AUTO, incident_date="2026-08-14")
    assert line.ok("record_intake", phone=LEONARD, **TOLD)["recorded"]


def test_a_conflict_is_not_undone_by_another_caller(line: Line) -> None:
    line.ok("lookup_caller", phone=LEONARD)
    line.ok("check_conflict", adverse_party="Vertex Logistics")
    line.ok("lookup_caller", phone=NADINE)
    assert line.ok("check_conflict", adverse_party="Sunfield Market")["clear"] is False


def test_an_intake_does_not_go_on_with_the_record_of_somebody_else(line: Line) -> None:
    line.ok("lookup_caller", phone=LEONARD)
    line.admit(**AUTO)
    line.ok("calculate_filing_deadline", **AUTO, incident_date="2026-08-14")
    assert line.refused("record_intake", phone=NADINE, **TOLD) == "another_caller_open"
    # The refused call has changed nobody: Leonard's intake can still be recorded.
    assert line.ok("record_intake", phone=LEONARD, **TOLD)["first_name"] == "Leonard"


def test_a_deadline_that_turns_out_to_be_over_stops_a_held_evaluation(line: Line) -> None:
    line.ok("lookup_caller", phone=LEONARD)
    line.admit(**AUTO)
    token = line.hold("auto_accident")["hold_token"]
    assert line.ok("calculate_filing_deadline", **AUTO, incident_date="2024-08-16")["passed"]
    yes = {"hold_token": token, "terms_acknowledged": True}
    assert line.refused("confirm_evaluation", **yes) == "deadline_passed"


def test_an_evaluation_whose_time_has_come_is_not_cancelled(line: Line) -> None:
    line.ok("lookup_caller", phone="503-555-0138")
    first = line.ok("get_caller_matters")["appointments"][0]
    with closing(sqlite3.connect(line.state)) as db:
        db.execute(
            "UPDATE evaluation_slots SET starts_at = '2026-08-17T10:00:00' WHERE slot_id = ?",
            (first["slot_id"],),
        )
        db.commit()
    assert line.refused("hold_cancellation", appointment_id=first["appointment_id"]) == "not_booked"


def test_a_note_sent_twice_is_left_once(line: Line) -> None:
    line.ok("lookup_caller", phone="206-555-0158")
    for note in ("a letter came", "a letter came", "another letter came"):
        assert line.ok("add_intake_note", note=note, category="evidence")["noted"]
    assert line.ask("SELECT note FROM intake_notes ORDER BY note_no") == [
        ("a letter came",),
        ("another letter came",),
    ]


def test_no_card_number_is_taken_down(line: Line) -> None:
    card = "charge 4111 1111 1111 1111"
    who = {"recipient": "billing", "full_name": "Ann Lee", "phone": "404-555-0199"}
    assert line.refused("take_message", **who, message=card) == "card_number_in_text"
    assert line.refused("transfer_to_human", summary=card) == "card_number_in_text"
    assert line.refused("record_intake", phone=LEONARD, **{**TOLD, "summary": card}) == "card_number_in_text"
    line.ok("lookup_caller", phone="206-555-0158")
    assert line.refused("add_intake_note", note=card) == "card_number_in_text"
