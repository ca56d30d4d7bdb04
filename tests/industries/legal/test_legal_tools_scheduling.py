"""Evaluations: offered to those who are cleared, held, read back, confirmed; and cancelled the same way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.packs import Pack
from offhook.toolserver import SeedImages, ToolServer
from offhook_industries.legal import policy
from tests.industries.legal._line import Line

MONICA = "404-555-0188"
ROSALIND = "503-555-0138"


def _monica(line: Line) -> None:
    """Screened before the call: auto accident in Georgia."""
    line.ok("lookup_caller", phone=MONICA)


# --- get_attorney -------------------------------------------------------------------------------------------


def test_an_attorney_with_bars_and_areas(line: Line) -> None:
    found = line.ok("get_attorney", attorney_id="AT-106")
    assert (found["name"], found["bar_states"]) == ("Teresa Valdez", ["Texas"])
    assert "premises liability" in found["practice_areas"]
    assert line.refused("get_attorney", attorney_id="AT-999") == "unknown_attorney"


# --- find_evaluation_slots ----------------------------------------------------------------------------------


def test_times_are_for_callers_who_are_cleared(line: Line) -> None:
    wanted = {"matter_type": "auto_accident"}
    assert line.refused("find_evaluation_slots", **wanted) == "no_caller_open"
    line.ok("lookup_caller", phone="678-555-0112")
    assert line.refused("find_evaluation_slots", **wanted) == "conflict_not_checked"
    line.ok("check_conflict", adverse_party="Brightway Couriers")
    assert line.refused("find_evaluation_slots", **wanted) == "practice_area_not_checked"
    line.ok("check_practice_area", **wanted)
    assert line.refused("find_evaluation_slots", **wanted) == "jurisdiction_not_checked"
    line.ok("check_jurisdiction", **wanted, state="Georgia")
    assert line.ok("find_evaluation_slots", **wanted)["slots"][0]["slot_id"] == "EV-2101"


@pytest.mark.parametrize(
    ("kind", "state", "first", "attorney", "fee"),
    [
        ("auto_accident", "Georgia", "EV-2101", "Daniel Okonkwo", "free"),
        ("auto_accident", "North Carolina", "EV-2102", "Samuel Brandt", "free"),
        ("consumer", "Washington", "EV-2103", "Helen Strand", "$175.00"),
        ("medical_malpractice", "Florida", "EV-2104", "Margaret Halverson", "free"),
        ("premises_liability", "Texas", "EV-2105", "Teresa Valdez", "free"),
    ],
)
def test_the_first_time_is_the_earliest_of_a_licensed_attorney(
    kind: str, state: str, first: str, attorney: str, fee: str, line: Line
) -> None:
    line.ok("lookup_caller", phone="678-555-0112")
    line.admit(kind, state)
    found = line.ok("find_evaluation_slots", matter_type=kind)
    assert (found["slots"][0]["slot_id"], found["slots"][0]["attorney"], found["fee"]) == (
        first,
        attorney,
        fee,
    )
    assert 1 <= len(found["slots"]) <= policy.MOST_SLOTS_OFFERED
    assert found["slots"][0]["spoken"] in found["in_short"]
    starts = [line.ask(f"SELECT starts_at FROM evaluation_slots WHERE slot_id = '{slot['slot_id']}'")[0][0]
              for slot in found["slots"]]  # fmt: skip
    assert starts == sorted(starts)


def test_offering_writes_nothing_that_counts(line: Line) -> None:
    _monica(line)
    before = line.rows()
    line.ok("find_evaluation_slots", matter_type="auto_accident")
    assert line.rows() == before


# --- hold and confirm ---------------------------------------------------------------------------------------


def test_an_evaluation_is_held_and_then_booked(line: Line) -> None:
    _monica(line)
    held = line.hold("auto_accident")
    assert held["fee"] == "free"
    for part in ("Tuesday, August 18", "2:00 PM", "Daniel Okonkwo", "Atlanta", "free"):
        assert part in held["read_back"]
    assert line.ask("SELECT status FROM evaluation_slots WHERE slot_id = 'EV-2101'") == [("open",)]
    assert line.ask("SELECT status, fee_cents FROM evaluation_holds") == [("open", 0)]
    before = line.ask("SELECT count(*) FROM appointments")[0][0]
    done = line.ok("confirm_evaluation", hold_token=held["hold_token"], terms_acknowledged=True)
    assert done["appointment_id"] == f"AP-{before + 1}"
    assert line.ask("SELECT status FROM evaluation_slots WHERE slot_id = 'EV-2101'") == [("booked",)]
    assert line.ask("SELECT status FROM evaluation_holds") == [("used",)]
    booked = line.ask("SELECT slot_id, matter_type, state, fee_cents, status FROM appointments")
    assert booked[before:] == [("EV-2101", "auto_accident", "Georgia", 0, "booked")]


def test_an_hourly_consultation_is_priced(line: Line) -> None:
    line.ok("lookup_caller", phone="360-555-0142", full_name="Laura Winslow")
    line.admit("consumer", "Washington", "Evergreen Home Warranty")
    held = line.hold("consumer")
    assert (held["fee_kind"], held["fee"]) == ("hourly", "$175.00")
    assert "$175.00 for 45 minutes" in held["read_back"]
    done = line.ok("confirm_evaluation", hold_token=held["hold_token"], terms_acknowledged=True)
    assert "It costs $175.00." in done["sentence"]


@pytest.mark.parametrize(
    ("slot", "code"),
    [("EV-9999", "unknown_slot"), ("EV-2102", "slot_not_offered"), ("EV-2106", "slot_taken")],
)
def test_only_a_time_that_was_offered_can_be_held(slot: str, code: str, line: Line) -> None:
    _monica(line)
    line.ok("find_evaluation_slots", matter_type="auto_accident")
    assert line.refused("hold_evaluation", slot_id=slot) == code


def test_a_time_must_have_been_offered_on_this_call(line: Line) -> None:
    _monica(line)
    assert line.refused("hold_evaluation", slot_id="EV-2101") == "slot_not_offered"


def test_what_was_offered_to_one_caller_is_not_another_ones(line: Line) -> None:
    _monica(line)
    held = line.hold("auto_accident")
    line.ok("lookup_caller", phone="678-555-0112")
    assert line.refused("hold_evaluation", slot_id="EV-2101") == "slot_not_offered"
    confirm = {"hold_token": held["hold_token"], "terms_acknowledged": True}
    assert line.refused("confirm_evaluation", **confirm) == "unknown_hold"


def test_without_a_yes_nothing_is_booked(line: Line) -> None:
    _monica(line)
    token = line.hold("auto_accident")["hold_token"]
    no = line.refused("confirm_evaluation", hold_token=token, terms_acknowledged=False)
    assert no == "not_acknowledged"
    assert line.ok("confirm_evaluation", hold_token=token, terms_acknowledged=True)["confirmed"]


def test_a_token_serves_once(line: Line) -> None:
    _monica(line)
    token = line.hold("auto_accident")["hold_token"]
    line.ok("confirm_evaluation", hold_token=token, terms_acknowledged=True)
    assert line.refused("confirm_evaluation", hold_token=token, terms_acknowledged=True) == "hold_used"


def test_a_new_hold_makes_the_earlier_one_void(line: Line) -> None:
    _monica(line)
    first = line.hold("auto_accident")["hold_token"]
    second = line.hold("auto_accident", 1)["hold_token"]
    assert first != second
    assert line.refused("confirm_evaluation", hold_token=first, terms_acknowledged=True) == "hold_superseded"
    assert line.ok("confirm_evaluation", hold_token=second, terms_acknowledged=True)["confirmed"]


@pytest.mark.parametrize("token", ["HD-00000000", "CX-00000000", "yes"])
def test_a_made_up_token_books_nothing(token: str, line: Line) -> None:
    _monica(line)
    line.hold("auto_accident")
    assert line.refused("confirm_evaluation", hold_token=token, terms_acknowledged=True) == "unknown_hold"


def test_a_conflict_found_after_the_hold_stops_the_booking(line: Line) -> None:
    _monica(line)
    token = line.hold("auto_accident")["hold_token"]
    line.ok("check_conflict", adverse_party="Vertex Logistics")
    assert line.refused("confirm_evaluation", hold_token=token, terms_acknowledged=True) == "conflict_found"


def test_a_taken_time_is_not_offered_again(line: Line) -> None:
    _monica(line)
    token = line.hold("auto_accident")["hold_token"]
    line.ok("confirm_evaluation", hold_token=token, terms_acknowledged=True)
    slots = line.ok("find_evaluation_slots", matter_type="auto_accident")["slots"]
    assert "EV-2101" not in [slot["slot_id"] for slot in slots]
    assert line.refused("hold_evaluation", slot_id="EV-2101") == "slot_taken"


@pytest.mark.parametrize("minutes", [15, 16])
def test_a_hold_lasts_a_quarter_of_an_hour(
    minutes: int, legal_tools: Pack, legal_images: SeedImages, tmp_path: Path
) -> None:
    """The scenario clock stands still in a call, so the hold is made older."""
    later = attrs.evolve(legal_tools, tools=tuple(_aged(tool, minutes) for tool in legal_tools.tools))
    with ToolServer(later, tmp_path, clock=lambda: 0.0, images=legal_images) as server:
        server.open_call("call", "token")
        line = Line(server, tmp_path / "call" / "state.sqlite")
        _monica(line)
        confirm = {"hold_token": line.hold("auto_accident")["hold_token"], "terms_acknowledged": True}
        if minutes > 15:
            assert line.refused("confirm_evaluation", **confirm) == "hold_expired"
        else:
            assert line.ok("confirm_evaluation", **confirm)["confirmed"]


def _aged(tool: Any, minutes: int) -> Any:
    """A confirming tool that runs so many minutes after the holding one."""
    if not tool.name.startswith("confirm"):
        return tool

    def run(context: Any, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        made = policy.HOLD_LIFETIME.seconds // 60 - minutes
        context.db.execute(
            "UPDATE evaluation_holds SET expires_at = strftime('%Y-%m-%dT%H:%M:%S', ?, ?)",
            (policy.NOW.isoformat(), f"{made:+d} minutes"),
        )
        return dict(tool.run(context, arguments))

    return attrs.evolve(tool, run=run)


# --- cancelling ---------------------------------------------------------------------------------------------


def _appointments(line: Line) -> list[str]:
    line.ok("lookup_caller", phone=ROSALIND)
    return [entry["appointment_id"] for entry in line.ok("get_caller_matters")["appointments"]]


@pytest.mark.parametrize(("place", "fee", "cents"), [(0, "$87.50", 8750), (1, "free", 0)])
def test_cancelling_tells_the_fee_first(place: int, fee: str, cents: int, line: Line) -> None:
    appointment = _appointments(line)[place]
    held = line.ok("hold_cancellation", appointment_id=appointment)
    assert held["fee"] == fee
    assert held["fee_reason"] in held["read_back"]
    confirm = {"cancel_token": held["cancel_token"]}
    assert line.refused("confirm_cancellation", **confirm, fee_acknowledged=False) == "not_acknowledged"
    done = line.ok("confirm_cancellation", **confirm, fee_acknowledged=True)
    assert done["fee"] == fee
    number = appointment.removeprefix("AP-")
    assert line.ask(
        f"SELECT status, cancellation_cents FROM appointments WHERE appointment_no = {number}"
    ) == [("cancelled", cents)]
    assert line.ask(f"SELECT status FROM evaluation_slots WHERE slot_id = '{held['slot_id']}'") == [("open",)]


def test_a_free_evaluation_is_cancelled_free_at_any_time(line: Line) -> None:
    line.ok("lookup_caller", phone="813-555-0164")
    (entry,) = line.ok("get_caller_matters")["appointments"]
    assert line.ok("hold_cancellation", appointment_id=entry["appointment_id"])["fee"] == "free"


def test_only_own_appointments_can_be_cancelled(line: Line) -> None:
    (first, _) = _appointments(line)
    line.ok("lookup_caller", phone=MONICA)
    assert line.refused("hold_cancellation", appointment_id=first) == "unknown_appointment"
    assert line.refused("hold_cancellation", appointment_id="tomorrow's") == "unknown_appointment"


def test_cancelling_needs_an_open_record(line: Line) -> None:
    assert line.refused("hold_cancellation", appointment_id="AP-1") == "no_caller_open"
    gone = line.refused("confirm_cancellation", cancel_token="CX-00000000", fee_acknowledged=True)
    assert gone == "no_caller_open"


def test_a_cancellation_token_serves_one_caller_and_appointment_once(line: Line) -> None:
    first, second = _appointments(line)
    old = line.ok("hold_cancellation", appointment_id=first)["cancel_token"]
    new = line.ok("hold_cancellation", appointment_id=second)["cancel_token"]
    assert line.refused("confirm_cancellation", cancel_token=old, fee_acknowledged=True) == "hold_superseded"
    line.ok("lookup_caller", phone=MONICA)
    assert line.refused("confirm_cancellation", cancel_token=new, fee_acknowledged=True) == "unknown_hold"
    line.ok("lookup_caller", phone=ROSALIND)
    line.ok("confirm_cancellation", cancel_token=new, fee_acknowledged=True)
    assert line.refused("confirm_cancellation", cancel_token=new, fee_acknowledged=True) == "hold_used"
    assert line.refused("hold_cancellation", appointment_id=second) == "not_booked"


def test_a_booking_token_cancels_nothing(line: Line) -> None:
    _monica(line)
    token = line.hold("auto_accident")["hold_token"]
    assert line.refused("confirm_cancellation", cancel_token=token, fee_acknowledged=True) == "unknown_hold"
