"""State adherence on databases that a real tool server left behind."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.grading import CallEvidence, Grade, Outcome
from offhook.packs import Pack, Table, TableRole, Task
from offhook.toolserver import ChangeKind, ReplayCache, RowChange
from offhook.values import ValueKind
from offhook_graders.adherence.changes import compare_changes, row_text
from offhook_graders.adherence.state import StateError, StateGrader

FIND = ("find_customer", {"full_name": "Nadia Okafor", "phone": "541-555-0148"})
VERIFY = ("verify_owner", {"postal_code": "97405", "frame_last4": "7730"})
QUOTE = ("quote_repair", {"service": "brakes"})
CONFIRM = ("confirm_repair", {"quote_id": "=quote_repair.quote_id", "price_accepted": True})
NOTE = ("leave_note", {"note": "it squeals"})
GOOD = (FIND, VERIFY, QUOTE, CONFIRM, NOTE)

Request = tuple[str, Mapping[str, Any]]


@pytest.fixture
def booking(pack: Pack) -> Task:
    return pack.task("B-H1")


@pytest.fixture
def held(grade_requests: Callable[..., CallEvidence], booking: Task) -> Callable[..., CallEvidence]:
    return lambda *requests, task=booking: grade_requests(task, requests)


@pytest.fixture
def grade(held: Callable[..., CallEvidence], replays: ReplayCache) -> Callable[..., Grade]:
    return lambda *requests, **task: StateGrader(replays).grade(held(*requests, **task))


def altered(call: CallEvidence, tmp_path: Path, *statements: str) -> CallEvidence:
    """The call with its frozen database changed behind the tool server's back."""
    state = tmp_path / "altered.sqlite"
    shutil.copyfile(call.state, state)
    with closing(sqlite3.connect(state)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()
    return attrs.evolve(call, state=state)


def diff(grade: Grade) -> list[tuple[str, str, str, str, bool]]:
    return [
        (line["table"], line["column"], line["change_text"], line["observed_text"], line["ok"])
        for line in grade.evidence["expected_changes"]
    ]


def test_a_good_call_has_every_expected_change(grade: Callable[..., Grade]) -> None:
    result = grade(*GOOD)

    assert result.outcome is Outcome.PASS
    assert result.summary == "3 of 3 expected changes present in the frozen database"
    assert diff(result) == [
        ("bikes", "status", "at home → booked", "booked", True),
        ("repairs", "new row", "none → brakes · $64.00", "brakes · $64.00", True),
        ("notes", "new row", "none → phone desk", "phone desk", True),
    ]


def test_a_call_that_never_books_has_none_of_the_booking(grade: Callable[..., Grade]) -> None:
    result = grade(FIND, VERIFY, NOTE)

    assert result.outcome is Outcome.FAIL
    assert result.summary == "1 of 3 expected changes present in the frozen database"
    assert diff(result)[:2] == [
        ("bikes", "status", "at home → booked", "at home", False),
        ("repairs", "new row", "none → brakes · $64.00", "none", False),
    ]


def test_another_row_than_expected_is_shown_beside_it_and_is_unexpected(grade: Callable[..., Grade]) -> None:
    result = grade(FIND, VERIFY, ("quote_repair", {"service": "wheel"}), CONFIRM, NOTE)

    assert result.outcome is Outcome.FAIL
    assert diff(result)[1] == ("repairs", "new row", "none → brakes · $64.00", "wheel · $27.50", False)
    (extra,) = result.evidence["unexpected_changes"]
    assert (extra["table"], extra["kind"]) == ("repairs", "new")


def test_a_change_of_another_customer_is_unexpected(grade: Callable[..., Grade]) -> None:
    other = (
        ("find_customer", {"full_name": "Tomas Brandt", "phone": "541-555-0152"}),
        ("verify_owner", {"postal_code": "97401", "frame_last4": "2216"}),
        QUOTE,
        CONFIRM,
    )

    result = grade(*GOOD, *other)

    assert result.numbers["present_changes"] == 3
    assert result.outcome is Outcome.FAIL
    assert [change["table"] for change in result.evidence["unexpected_changes"]] == ["bikes", "repairs"]
    assert result.summary.endswith("; 2 unexpected in bikes, repairs")


def test_ids_and_times_that_the_tools_generate_do_not_count(
    held: Callable[..., CallEvidence], replays: ReplayCache, tmp_path: Path
) -> None:
    call = altered(held(*GOOD), tmp_path, "UPDATE repairs SET repair_id = 'RP-x', booked_at = 'later'")

    assert StateGrader(replays).grade(call).outcome is Outcome.PASS


def test_extra_quotes_and_gate_state_are_not_compared(grade: Callable[..., Grade]) -> None:
    assert grade(FIND, VERIFY, QUOTE, QUOTE, CONFIRM, NOTE, FIND).outcome is Outcome.PASS


def test_further_log_rows_are_allowed(grade: Callable[..., Grade]) -> None:
    assert grade(*GOOD, NOTE, NOTE).outcome is Outcome.PASS


def test_a_missing_log_row_fails(grade: Callable[..., Grade]) -> None:
    result = grade(*GOOD[:-1])

    assert result.outcome is Outcome.FAIL
    assert result.numbers["present_changes"] == 2


def test_two_expected_log_rows_need_two(grade: Callable[..., Grade], booking: Task) -> None:
    twice = attrs.evolve(booking, id="B-H1-two", expected=(*booking.expected, booking.expected[-1]))

    assert grade(*GOOD, task=twice).numbers["present_changes"] == 3
    assert grade(*GOOD, NOTE, task=twice).outcome is Outcome.PASS


def test_a_second_write_row_fails_even_if_equal(
    held: Callable[..., CallEvidence], replays: ReplayCache, tmp_path: Path
) -> None:
    double = "INSERT INTO repairs SELECT 'RP-2', bike_id, service, price_cents, booked_at FROM repairs"

    result = StateGrader(replays).grade(altered(held(*GOOD), tmp_path, double))

    assert result.outcome is Outcome.FAIL
    assert result.numbers["unexpected_changes"] == 1


def test_a_changed_reference_table_fails_with_evidence(
    held: Callable[..., CallEvidence], replays: ReplayCache, tmp_path: Path
) -> None:
    call = altered(held(*GOOD), tmp_path, "UPDATE services SET price_cents = 1 WHERE service = 'wheel'")

    result = StateGrader(replays).grade(call)

    assert result.outcome is Outcome.FAIL
    (change,) = result.evidence["unexpected_changes"]
    assert change["reference_table"] is True
    assert change["columns"] == {"price_cents": {"seed": 2750, "observed": 1}}


def test_numbers_stored_as_text_or_real_are_equal(
    held: Callable[..., CallEvidence], replays: ReplayCache, tmp_path: Path
) -> None:
    call = altered(held(*GOOD), tmp_path, "UPDATE repairs SET price_cents = 6400.0")

    assert StateGrader(replays).grade(call).outcome is Outcome.PASS


def test_a_removed_row_is_unexpected(
    held: Callable[..., CallEvidence], replays: ReplayCache, tmp_path: Path
) -> None:
    call = altered(held(*GOOD), tmp_path, "DELETE FROM bikes WHERE bike_id = 'B-104'")

    (change,) = StateGrader(replays).grade(call).evidence["unexpected_changes"]
    assert (change["kind"], change["columns"]["status"]) == ("removed", {"seed": "at home", "observed": None})


def test_a_task_without_writes_passes_on_an_untouched_database(
    grade: Callable[..., Grade], pack: Pack
) -> None:
    result = grade(task=pack.task("B-E1"))

    assert (result.outcome, result.summary) == (
        Outcome.PASS,
        "0 of 0 expected changes present in the frozen database",
    )


def test_a_write_on_a_task_without_writes_fails(grade: Callable[..., Grade], pack: Pack) -> None:
    assert grade(*GOOD, task=pack.task("B-E1")).outcome is Outcome.FAIL


@pytest.mark.parametrize("content", [b"SQLite format 3\0" + b"\0" * 50, b"not a database at all" * 9, None])
def test_a_damaged_or_missing_database_is_named(
    held: Callable[..., CallEvidence], replays: ReplayCache, tmp_path: Path, content: bytes | None
) -> None:
    state = tmp_path / "broken.sqlite"
    if content is not None:
        state.write_bytes(content)

    with pytest.raises(StateError, match=r"broken.sqlite: not a database of pack bicycle-repair"):
        StateGrader(replays).grade(attrs.evolve(held(*GOOD[:1]), state=state))


# --- the comparison itself ---

TABLES = (Table("plans", TableRole.WRITE, ("id",)), Table("log", TableRole.LOG, ("id",)))


def change(table: str, key: int, kind: ChangeKind, **columns: tuple[Any, Any]) -> RowChange:
    return RowChange(table, (key,), kind, columns)


def test_one_column_right_and_one_wrong_are_two_lines() -> None:
    expected = [change("plans", 1, ChangeKind.CHANGED, tier=("plus", "standard"), renew=(1, 0))]
    observed = [change("plans", 1, ChangeKind.CHANGED, tier=("plus", "total"), renew=(1, 0), paid=(5, 0))]

    compared = compare_changes(expected, observed, TABLES)

    assert [(line.column, line.observed, line.ok) for line in compared.expected] == [
        ("tier", "total", False),
        ("renew", 0, True),
    ]
    assert [dict(extra.columns) for extra in compared.unexpected] == [{"paid": (5, 0)}]
    assert not compared.equal


def test_a_row_that_should_have_changed_and_is_gone_is_wrong() -> None:
    expected = [change("plans", 1, ChangeKind.CHANGED, tier=("plus", None))]
    observed = [change("plans", 1, ChangeKind.REMOVED, tier=("plus", None))]

    compared = compare_changes(expected, observed, TABLES)

    assert [line.ok for line in compared.expected] == [False]
    assert len(compared.unexpected) == 1


@pytest.mark.parametrize(("observed", "ok"), [((), False), ((ChangeKind.REMOVED,), True)])
def test_an_expected_removal(observed: Sequence[ChangeKind], ok: bool) -> None:
    gone = change("plans", 1, ChangeKind.REMOVED, tier=("plus", None))

    compared = compare_changes([gone], [attrs.evolve(gone, kind=kind) for kind in observed], TABLES)

    assert (compared.expected[0].ok, compared.equal) == (ok, ok)


@pytest.mark.parametrize("kind", [ChangeKind.CHANGED, ChangeKind.REMOVED])
def test_a_log_that_lost_or_altered_a_row_fails(kind: ChangeKind) -> None:
    compared = compare_changes([], [change("log", 1, kind, note=("a", "b"))], TABLES)

    assert not compared.equal


PEOPLE = (Table("people", TableRole.WRITE, ("id",), volatile=("id",), kinds={"name": ValueKind.NAME}),)


def renamed(to: str) -> RowChange:
    return change("people", 1, ChangeKind.CHANGED, name=("Selina Cortes", to))


def added(name: str, digest: str, note: str = "x") -> RowChange:
    row = {"name": (None, name), "note": (None, note)}
    return RowChange("people", ("new", digest, 1), ChangeKind.NEW, row)


@pytest.mark.parametrize(
    ("observed", "equal"),
    [
        ([renamed("Anne O'Brien")], True),
        ([renamed("anne o'brien")], True),
        ([renamed("Marco Brandt")], False),
        ([], False),
    ],
)
def test_a_written_value_is_compared_as_its_kind(observed: list[RowChange], equal: bool) -> None:
    assert compare_changes([renamed("Anne O'Brien")], observed, PEOPLE).equal is equal


def test_a_corrected_spelling_must_have_been_written() -> None:
    assert not compare_changes([renamed("Selina Cortez")], [], PEOPLE).equal
    assert compare_changes([renamed("Selina Cortez")], [renamed("SELINA CORTEZ")], PEOPLE).equal


@pytest.mark.parametrize(
    ("observed", "equal"),
    [
        ([added("ann o'brien", "b")], True),
        ([added("ann o'brien", "b", note="y")], False),
        ([added("Marco Brandt", "b")], False),
        ([added("ann o'brien", "b"), added("ANN O'BRIEN", "c")], False),
    ],
)
def test_a_new_row_is_found_by_what_its_values_mean(observed: list[RowChange], equal: bool) -> None:
    assert compare_changes([added("Ann O'Brien", "a")], observed, PEOPLE).equal is equal


def test_a_new_row_reads_as_in_the_published_figure() -> None:
    table = Table(
        "membership_changes", TableRole.WRITE, ("change_id",), kinds={"refund_cents": ValueKind.AMOUNT}
    )
    row = {
        "change_id": "MC-1",
        "customer_id": "C-9",
        "action": "cancel",
        "from_tier": "plus",
        "to_tier": "standard",
        "refund_cents": 1499,
    }

    assert row_text(table, row) == "cancel · plus → standard · $14.99"
    assert row_text(table, None) == "none"
