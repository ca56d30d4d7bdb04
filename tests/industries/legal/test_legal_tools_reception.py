"""Who is calling, messages, own matters, and the ways a call ends."""

from __future__ import annotations

import pytest

from tests.industries.legal._line import Line

SELMA = "919-555-0146"
MESSAGE = {
    "recipient": "daniel_okonkwo",
    "full_name": "Marcus Bell",
    "phone": "404-555-0137",
    "message": "The transcript is ready.",
}


# --- lookup_caller ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [None, "Selma Ridgeway", "selma ridgway", "Ridgeway, Selma", "Ms. Selma Ridgeway"]
)
def test_a_caller_is_found_by_number_and_by_the_name_as_heard(name: str | None, line: Line) -> None:
    before = line.rows()
    named = {} if name is None else {"full_name": name}
    found = line.ok("lookup_caller", phone=SELMA, **named)
    assert (found["on_file"], found["created"], found["full_name"]) == (True, False, "Selma Ridgeway")
    assert found["screening_on_file"] is False
    assert line.rows() == before


@pytest.mark.parametrize("name", ["Hazel Novak", "Thomas Ridgeway"])
def test_a_number_under_another_name_opens_nothing(name: str, line: Line) -> None:
    assert line.refused("lookup_caller", phone=SELMA, full_name=name) == "name_mismatch"
    assert line.refused("get_caller_matters") == "no_caller_open"


@pytest.mark.parametrize("name", ["Laura Winslow", "laura winslow", "Lora Winslo"])
def test_a_shared_number_needs_the_name(name: str, line: Line) -> None:
    assert line.refused("lookup_caller", phone="360-555-0142") == "several_people"
    found = line.ok("lookup_caller", phone="360-555-0142", full_name=name)
    assert found["full_name"] == "Laura Winslow"


def test_a_name_that_fits_two_of_a_household_is_not_enough(line: Line) -> None:
    assert line.refused("lookup_caller", phone="360-555-0142", full_name="Winslow") == "several_people"


@pytest.mark.parametrize("named", [{}, {"full_name": "Dennis"}])
def test_a_new_number_needs_first_and_last_name(named: dict[str, str], line: Line) -> None:
    assert line.refused("lookup_caller", phone="980-555-0155", **named) == "not_on_file"


def test_a_new_caller_gets_a_record_once(line: Line) -> None:
    made = line.ok("lookup_caller", phone="980-555-0155", full_name="Dennis Barlow")
    again = line.ok("lookup_caller", phone="980-555-0155", full_name="Dennis Barlow")
    assert (made["created"], again["created"]) == (True, False)
    assert made["caller_id"] == again["caller_id"] == 6401
    rows = line.ask("SELECT full_name, phone, kind, source, created_at FROM callers WHERE caller_id > 6400")
    assert rows == [("Dennis Barlow", "980-555-0155", "prospect", "phone", "2026-08-17T10:00:00")]


def test_a_screening_on_file_is_told_with_what_it_was_for(line: Line) -> None:
    found = line.ok("lookup_caller", phone="770-555-0119")
    assert found["screening_on_file"] is True
    for part in ("auto accident in Georgia", "June 12, 2026", "August 14, 2026"):
        assert part in found["in_short"]


@pytest.mark.parametrize("phone", ["919-555-014", "not a number", ""])
def test_a_number_that_is_none_is_refused(phone: str, line: Line) -> None:
    assert line.refused("lookup_caller", phone=phone) == "invalid_argument"


# --- get_caller_matters -------------------------------------------------------------------------------------


def test_own_matters_and_no_others(line: Line) -> None:
    assert line.refused("get_caller_matters") == "no_caller_open"
    line.ok("lookup_caller", phone="206-555-0158")
    found = line.ok("get_caller_matters")
    assert [entry["matter_number"] for entry in found["matters"]] == ["260318"]
    assert found["matters"][0]["attorney_key"] == "ruth_lindqvist"
    assert found["elsewhere"] == []


def test_another_firm_is_told(line: Line) -> None:
    line.ok("lookup_caller", phone="813-555-0190")
    found = line.ok("get_caller_matters")
    assert found["matters"] == []
    assert [entry["firm"] for entry in found["elsewhere"]] == ["Bayside Injury Lawyers"]


def test_booked_evaluations_to_come_are_listed_in_order(line: Line) -> None:
    line.ok("lookup_caller", phone="503-555-0138")
    found = line.ok("get_caller_matters")["appointments"]
    assert [entry["slot_id"] for entry in found] == ["EV-2106", "EV-2107"]
    assert found[0]["spoken"] == "Tuesday, August 18, at 9:30 AM, with Helen Strand, at the Seattle office"


# --- get_case_status ----------------------------------------------------------------------------------------


def test_a_client_who_agreed_may_hear_the_status_by_number_alone(line: Line) -> None:
    found = line.ok("get_case_status", matter_number="260241")
    assert found["stage"] == "record collection"
    assert found["in_short"].endswith("The next date is Wednesday, September 2.")


@pytest.mark.parametrize("opened", [None, "336-555-0119"])
def test_others_must_have_their_own_record_open(opened: str | None, line: Line) -> None:
    if opened is not None:
        line.ok("lookup_caller", phone=opened)
    assert line.refused("get_case_status", matter_number="250877") == "not_your_matter"
    line.ok("lookup_caller", phone="336-555-0191")
    assert line.ok("get_case_status", matter_number="250877")["stage"] == "settlement talks"


def test_a_closed_matter_is_closed(line: Line) -> None:
    line.ok("lookup_caller", phone="503-555-0138")
    found = line.ok("get_case_status", matter_number="251102")
    assert found["in_short"] == "The consumer protection matter is closed."


@pytest.mark.parametrize(("number", "code"), [("999999", "unknown_matter"), ("26024", "invalid_argument")])
def test_a_number_of_no_matter(number: str, code: str, line: Line) -> None:
    assert line.refused("get_case_status", matter_number=number) == code


# --- take_message -------------------------------------------------------------------------------------------


def test_a_message_is_taken_once_with_its_promise(line: Line) -> None:
    taken = line.ok("take_message", **MESSAGE)
    assert taken["callback_by"] == "2026-08-18"
    assert taken["recipient_name"] == "Daniel Okonkwo"
    line.ok("take_message", **MESSAGE)  # a platform sends the request again
    rows = line.ask("SELECT recipient, phone, callback_by, caller_id FROM messages")
    assert rows == [("daniel_okonkwo", "404-555-0137", "2026-08-18", None)]


def test_another_message_is_another_row(line: Line) -> None:
    line.ok("lookup_caller", phone="404-555-0137")
    line.ok("take_message", **MESSAGE)
    line.ok("take_message", **{**MESSAGE, "message": "And the exhibits."})
    assert line.ask("SELECT count(*), count(caller_id) FROM messages") == [(2, 2)]


@pytest.mark.parametrize("word", ["Daniel Okonkwo", "okonkwo", "daniel", "Daniel_Okonkwo"])
def test_an_attorney_may_be_named_in_part_where_that_is_enough(word: str, line: Line) -> None:
    assert line.ok("take_message", **{**MESSAGE, "recipient": word})["recipient_name"] == "Daniel Okonkwo"


@pytest.mark.parametrize("missing", sorted(MESSAGE))
def test_a_message_without_a_part_of_it_is_refused(missing: str, line: Line) -> None:
    rest = {name: value for name, value in MESSAGE.items() if name != missing}
    assert line.refused("take_message", **rest) == "invalid_argument"


def test_nobody_else_can_be_left_a_message(line: Line) -> None:
    assert line.refused("take_message", **{**MESSAGE, "recipient": "Saul Goodwin"}) == "invalid_argument"


# --- the end of a call --------------------------------------------------------------------------------------


def test_a_caller_is_handed_over_once(line: Line) -> None:
    line.ok("lookup_caller", phone=SELMA)
    line.ok("transfer_to_human")
    line.ok("transfer_to_human", summary="Wants a person.")
    assert line.ask("SELECT transfer_no, summary FROM transfers") == [(1, "")]


def test_ending_a_call_writes_nothing_that_counts(line: Line) -> None:
    before = line.rows()
    assert line.ok("end_call") == {"ended": True}
    assert line.rows() == before
    assert line.ask("SELECT ended FROM call_session") == [(1,)]
