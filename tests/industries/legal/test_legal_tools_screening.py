"""The four checks: their order is kept by the server, a conflict sticks, and none of them writes a row."""

from __future__ import annotations

from typing import Any

import pytest

from tests.industries.legal._line import Line

AUTO = {"matter_type": "auto_accident", "state": "Georgia"}
DAY = {"incident_date": "2026-08-14"}


# --- check_conflict -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "Vertex Logistics",
        "vertex",
        "Northgate Insurance",
        "North Gate Insurance",
        "Priya Raman",
        "Pria Rahman",
    ],
)
def test_a_listed_party_is_a_conflict_and_the_reason_is_kept(name: str, line: Line) -> None:
    before = line.rows()
    found = line.ok("check_conflict", adverse_party=name)
    assert found["clear"] is False
    assert not any(
        word in str(found["in_short"]).lower() for word in ("client", "insures", "raman", "partner")
    )
    assert line.rows() == before


@pytest.mark.parametrize(
    "name", ["Brightway Couriers", "Bluebonnet Apartments", "Brian Benton", "Northgate Motors"]
)
def test_anybody_else_is_clear(name: str, line: Line) -> None:
    assert line.ok("check_conflict", adverse_party=name)["clear"] is True


def test_a_caller_on_the_other_side_of_a_matter_is_a_conflict_whomever_they_name(line: Line) -> None:
    line.ok("lookup_caller", phone="770-555-0148", full_name="Warren Tate")
    assert line.ok("check_conflict", adverse_party="Brian Benton")["clear"] is False


def test_the_wife_of_one_is_not(line: Line) -> None:
    line.ok("lookup_caller", phone="770-555-0148", full_name="Denise Tate")
    assert line.ok("check_conflict", adverse_party="Brian Benton")["clear"] is True


@pytest.mark.parametrize("tool", ["check_jurisdiction", "calculate_filing_deadline", "find_evaluation_slots"])
def test_a_conflict_stays_whatever_name_comes_next(tool: str, line: Line) -> None:
    line.ok("lookup_caller", phone="678-555-0112")
    line.admit(**AUTO)
    line.ok("check_conflict", adverse_party="Vertex Logistics")
    assert line.ok("check_conflict", adverse_party="Brightway Couriers")["clear"] is False
    arguments: dict[str, Any] = {
        "check_jurisdiction": AUTO,
        "calculate_filing_deadline": AUTO | DAY,
        "find_evaluation_slots": {"matter_type": "auto_accident"},
    }
    assert line.refused(tool, **arguments[tool]) == "conflict_found"


def test_a_caller_on_the_other_side_gets_no_further_after_a_check_made_before_they_were_known(
    line: Line,
) -> None:
    line.admit(**AUTO)
    line.ok("calculate_filing_deadline", **AUTO, **DAY)
    line.ok("lookup_caller", phone="770-555-0148", full_name="Warren Tate")
    intake = {**AUTO, **DAY, "phone": "770-555-0148", "summary": "A crash."}
    assert line.refused("record_intake", **intake) == "conflict_found"
    assert line.refused("find_evaluation_slots", matter_type="auto_accident") == "conflict_found"


# --- the order ----------------------------------------------------------------------------------------------


def test_nothing_is_looked_at_before_the_conflict_check(line: Line) -> None:
    line.ok("check_practice_area", matter_type="auto_accident")
    assert line.refused("check_jurisdiction", **AUTO) == "conflict_not_checked"
    assert line.refused("calculate_filing_deadline", **AUTO, **DAY) == "conflict_not_checked"


def test_the_area_comes_before_the_state_and_the_state_before_the_day(line: Line) -> None:
    line.ok("check_conflict", adverse_party="Brightway Couriers")
    assert line.refused("check_jurisdiction", **AUTO) == "practice_area_not_checked"
    assert line.refused("calculate_filing_deadline", **AUTO, **DAY) == "practice_area_not_checked"
    line.ok("check_practice_area", matter_type="auto_accident")
    assert line.refused("calculate_filing_deadline", **AUTO, **DAY) == "jurisdiction_not_checked"
    line.ok("check_jurisdiction", **AUTO)
    assert line.ok("calculate_filing_deadline", **AUTO, **DAY)["deadline"] == "2028-08-14"


def test_a_check_holds_for_its_kind_of_matter_and_state_only(line: Line) -> None:
    line.admit(**AUTO)
    other = {"matter_type": "employment", "state": "Georgia"}
    assert line.refused("check_jurisdiction", **other) == "practice_area_not_checked"
    elsewhere = {**AUTO, "state": "Texas"}
    assert line.refused("calculate_filing_deadline", **elsewhere, **DAY) == "jurisdiction_not_checked"


# --- check_practice_area and check_jurisdiction -------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "fee_kind", "words"),
    [
        ("auto_accident", "contingency", "one third"),
        ("workers_compensation", "contingency", "the state's board approves"),
        ("consumer", "hourly", "$175.00 for 45 minutes"),
    ],
)
def test_handled_areas_and_how_the_firm_charges(kind: str, fee_kind: str, words: str, line: Line) -> None:
    found = line.ok("check_practice_area", matter_type=kind)
    assert (found["handled"], found["fee_kind"]) == (True, fee_kind)
    assert words in found["fee"]
    assert found["fee"] in found["in_short"]


@pytest.mark.parametrize("kind", ["bankruptcy", "immigration", "family_law", "tax"])
def test_declined_areas_go_no_further(kind: str, line: Line) -> None:
    line.ok("check_conflict", adverse_party="Union Textiles")
    found = line.ok("check_practice_area", matter_type=kind)
    assert (found["handled"], found["fee"]) == (False, "")
    assert line.refused("check_jurisdiction", matter_type=kind, state="Georgia") == "practice_area_declined"


def test_a_state_without_attorneys_goes_no_further(line: Line) -> None:
    line.ok("lookup_caller", phone="602-555-0183")
    line.ok("check_conflict", adverse_party="Sandra Whitlock")
    line.ok("check_practice_area", matter_type="auto_accident")
    there = {"matter_type": "auto_accident", "state": "Arizona"}
    assert line.ok("check_jurisdiction", **there)["licensed"] is False
    assert line.refused("calculate_filing_deadline", **there, **DAY) == "not_licensed"
    assert line.refused("find_evaluation_slots", matter_type="auto_accident") == "jurisdiction_not_checked"


@pytest.mark.parametrize("word", ["washington", "WA", "Washington State"])
def test_a_state_by_any_of_its_names(word: str, line: Line) -> None:
    line.ok("check_conflict", adverse_party="Cascade Robotics")
    line.ok("check_practice_area", matter_type="employment")
    assert line.ok("check_jurisdiction", matter_type="employment", state=word)["state"] == "Washington"


@pytest.mark.parametrize("bad", [{"state": "Ontario"}, {"matter_type": "maritime"}])
def test_words_outside_the_vocabularies_are_refused(bad: dict[str, str], line: Line) -> None:
    assert line.refused("check_jurisdiction", **{**AUTO, **bad}) == "invalid_argument"


# --- calculate_filing_deadline ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "state", "day", "deadline"),
    [
        ("premises_liability", "North Carolina", "2026-05-09", "2029-05-09"),
        ("employment", "Washington", "2026-03-06", "2029-03-06"),
        ("workers_compensation", "Florida", "2026-05-27", "2028-05-27"),
        ("consumer", "Texas", "2025-11-14", "2027-11-14"),
        ("medical_malpractice", "Florida", "2025-02-11", "2027-02-11"),
        ("employment", "Texas", "2026-07-01", "2026-12-28"),
        ("medical_malpractice", "New York", "2025-08-31", "2028-02-29"),
    ],
)
def test_a_deadline_by_state_and_kind(kind: str, state: str, day: str, deadline: str, line: Line) -> None:
    line.admit(kind, state)
    found = line.ok("calculate_filing_deadline", matter_type=kind, state=state, incident_date=day)
    assert (found["deadline"], found["passed"], found["known"]) == (deadline, False, True)
    assert found["deadline_spoken"] in found["in_short"]


@pytest.mark.parametrize(
    ("day", "passed", "urgent", "left"),
    [("2024-08-16", True, True, -1), ("2024-08-17", False, True, 0), ("2024-10-16", False, True, 60),
     ("2024-10-17", False, False, 61)],
)  # fmt: skip
def test_the_last_day_counts_and_the_last_two_months_are_urgent(
    day: str, passed: bool, urgent: bool, left: int, line: Line
) -> None:
    line.admit(**AUTO)
    found = line.ok("calculate_filing_deadline", **AUTO, incident_date=day)
    assert (found["passed"], found["urgent"], found["days_left"]) == (passed, urgent, left)


def test_a_passed_deadline_stops_intake_and_booking(line: Line) -> None:
    line.ok("lookup_caller", phone="678-555-0112")
    line.admit(**AUTO)
    line.ok("calculate_filing_deadline", **AUTO, incident_date="2024-08-16")
    intake = {**AUTO, "incident_date": "2024-08-16", "phone": "678-555-0112", "summary": "A crash."}
    assert line.refused("record_intake", **intake) == "deadline_passed"
    assert line.refused("find_evaluation_slots", matter_type="auto_accident") == "deadline_passed"


def test_on_the_last_day_an_intake_is_still_taken(line: Line) -> None:
    line.admit(**AUTO)
    facts = {**AUTO, "incident_date": "2024-08-17"}
    assert line.ok("calculate_filing_deadline", **facts)["days_left"] == 0
    assert line.ok("record_intake", **facts, phone="678-555-0112", summary="A crash.")["recorded"]


def test_a_date_that_was_misheard_may_be_put_right(line: Line) -> None:
    line.ok("lookup_caller", phone="678-555-0112")
    line.admit(**AUTO)
    line.ok("calculate_filing_deadline", **AUTO, incident_date="2023-08-14")
    line.ok("calculate_filing_deadline", **AUTO, **DAY)
    assert line.ok("find_evaluation_slots", matter_type="auto_accident")["slots"]


def test_a_day_to_come_is_refused_and_today_is_not(line: Line) -> None:
    line.admit(**AUTO)
    assert line.refused("calculate_filing_deadline", **AUTO, incident_date="2026-08-18") == "date_in_future"
    assert line.ok("calculate_filing_deadline", **AUTO, incident_date="2026-08-17")["days_left"] == 731


def test_what_no_statute_is_on_file_for_is_left_to_an_attorney(line: Line) -> None:
    line.admit("workers_compensation", "Oregon")
    there = {"matter_type": "workers_compensation", "state": "Oregon"}
    found = line.ok("calculate_filing_deadline", **there, **DAY)
    assert (found["known"], found["deadline"], found["passed"], found["urgent"]) == (False, "", False, True)


def test_the_checks_write_nothing_that_counts(line: Line) -> None:
    before = line.rows()
    line.admit(**AUTO)
    line.ok("calculate_filing_deadline", **AUTO, **DAY)
    assert line.rows() == before
