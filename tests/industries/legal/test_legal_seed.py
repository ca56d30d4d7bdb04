"""The seed database: a plausible book of a law firm, the same every time, consistent in itself."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from offhook_industries.common.names import SOUND_ALIKES
from offhook_industries.legal import policy
from offhook_industries.legal.areas import AREAS
from offhook_industries.legal.conflicts import same_party, sounds_of, worth_comparing
from offhook_industries.legal.directory import ATTORNEYS
from offhook_industries.legal.seed.cases import CASES, FIRM_PARTIES
from offhook_industries.legal.states import LICENSED

BUILD = """
import sys
from pathlib import Path
from offhook.toolserver import SeedImages
from tests.industries.legal._line import bare_pack
print(SeedImages(Path(sys.argv[1])).image(bare_pack()))
"""
REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def db(legal_image: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{legal_image}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        yield connection


def _count(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.parametrize("hash_seed", ["1", "77"])
def test_another_process_builds_the_same_bytes(legal_image: Path, tmp_path: Path, hash_seed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", BUILD, str(tmp_path)],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    other = Path(run.stdout.strip())
    assert hashlib.sha256(other.read_bytes()).digest() == hashlib.sha256(legal_image.read_bytes()).digest()


def test_the_book_is_of_a_plausible_size(db: sqlite3.Connection) -> None:
    assert _count(db, "attorneys") == 24
    assert _count(db, "callers") == 1400
    assert 400 <= _count(db, "matters") <= 800
    assert 400 <= _count(db, "evaluation_slots") <= 900
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_what_calls_write_is_empty_at_first(db: sqlite3.Connection) -> None:
    for table in ("messages", "intakes", "intake_notes", "packets", "authorizations", "transfers"):
        assert _count(db, table) == 0
    assert _count(db, "evaluation_holds") == _count(db, "cancellation_holds") == 0
    assert [tuple(row) for row in db.execute("SELECT * FROM call_session")] == [(1, None, "unchecked", 0)]


def test_people_and_numbers_are_invented(db: sqlite3.Connection) -> None:
    for row in db.execute("SELECT phone, email FROM callers"):
        assert re.fullmatch(r"[2-9][0-9]{2}-555-01[0-9]{2}", row["phone"])
        assert row["email"] is None or re.search(r"@example\.(com|net|org)$", row["email"])


def test_a_number_is_shared_only_in_a_household(db: sqlite3.Connection) -> None:
    homes: dict[str, set[str]] = {}
    for row in db.execute("SELECT phone, full_name FROM callers"):
        homes.setdefault(row["phone"], set()).add(row["full_name"].split(" ", 1)[1])
    assert all(len(names) == 1 for names in homes.values())
    assert max(Counter(row[0] for row in db.execute("SELECT phone FROM callers")).values()) == 2


def test_matters_are_with_attorneys_who_may_act(db: sqlite3.Connection) -> None:
    known = {attorney.attorney_id: attorney for attorney in ATTORNEYS}
    for row in db.execute("SELECT * FROM matters"):
        attorney = known[row["attorney_id"]]
        assert row["state"] in attorney.states
        assert row["matter_type"] in attorney.areas
        assert (row["status"] == "closed") == (row["stage"] == "closed")
        assert row["next_on"] is None or row["next_on"] > policy.NOW.date().isoformat()
        assert row["opened_on"] <= policy.NOW.date().isoformat()


def test_every_handled_matter_has_an_attorney_in_every_licensed_state() -> None:
    covered = {(area, state) for a in ATTORNEYS for area in a.areas for state in a.states}
    handled = {area.matter_type for area in AREAS if area.handled}
    assert covered == {(area, state) for area in handled for state in LICENSED}


def test_slots_are_on_business_days_to_come_and_never_twice(db: sqlite3.Connection) -> None:
    rows = db.execute("SELECT * FROM evaluation_slots").fetchall()
    starts = [datetime.fromisoformat(row["starts_at"]) for row in rows]
    assert all(start > policy.NOW and start.weekday() < 5 for start in starts)
    assert len({(row["attorney_id"], row["starts_at"]) for row in rows}) == len(rows)
    booked = {row["slot_id"] for row in rows if row["status"] == "booked"}
    assert booked == {row["slot_id"] for row in db.execute("SELECT slot_id FROM appointments")}


def test_every_case_is_in_the_book_as_written(db: sqlite3.Connection) -> None:
    for case in CASES:
        rows = db.execute(
            "SELECT * FROM callers WHERE full_name = ? AND phone = ?", (case.full_name, case.phone)
        ).fetchall()
        assert len(rows) == 1
        numbers = {
            row["matter_number"]
            for row in db.execute(
                "SELECT matter_number FROM matters WHERE caller_id = ?", (rows[0]["caller_id"],)
            )
        }
        assert numbers == {matter.matter_number for matter in case.matters}


def test_nobody_of_the_crowd_has_a_name_or_number_of_a_case(db: sqlite3.Connection) -> None:
    names, phones = {case.full_name for case in CASES}, {case.phone for case in CASES}
    rows = db.execute("SELECT full_name, phone FROM callers").fetchall()[len(CASES) :]
    assert not [row for row in rows if row["full_name"] in names or row["phone"] in phones]


# --- the conflict list --------------------------------------------------------------------------------------


def test_clients_and_what_the_firm_deals_with_are_listed(db: sqlite3.Connection) -> None:
    listed = {row["name"] for row in db.execute("SELECT name FROM parties")}
    clients = {row[0] for row in db.execute("SELECT full_name FROM callers JOIN matters USING (caller_id)")}
    assert listed == clients | {name for name, _ in FIRM_PARTIES}


def test_of_the_callers_with_a_new_matter_only_one_is_an_opponent(db: sqlite3.Connection) -> None:
    opponents = [row["name"] for row in db.execute("SELECT name FROM opponents")]
    hits = {
        case.full_name
        for case in CASES
        for name in opponents
        if sounds_of(name) & sounds_of(case.full_name) and same_party(case.full_name, name, company=False)
    }
    assert hits == {"Warren Tate", "Warren Tait"}  # the neighbour's name sounds the same


@pytest.mark.parametrize(
    ("said", "listed", "hit"),
    [
        ("Northgate Insurance", "Northgate Insurance", True),
        ("north gate insurance", "Northgate Insurance", True),
        ("the Northgate Insurance Company", "Northgate Insurance", True),
        ("Northgate", "Northgate Insurance", True),
        ("Northgate Motors", "Northgate Insurance", False),
        ("Northfield Insurance", "Northgate Insurance", False),
        ("Insurance", "Northgate Insurance", False),
        ("Vertex Logistics, Inc.", "Vertex Logistics", True),
        ("Vortex Freight", "Vertex Logistics", False),
    ],
)
def test_companies_are_known_by_the_name_they_go_by(said: str, listed: str, hit: bool) -> None:
    assert same_party(said, listed, company=True) is hit


@pytest.mark.parametrize(
    ("said", "listed", "hit"),
    [
        ("Priya Rahman", "Priya Raman", True),
        ("Raman, Priya", "Priya Raman", True),
        ("Priya", "Priya Raman", False),
        ("Maria Raman", "Priya Raman", False),
        ("Rose Mary Dunn", "Rosemary Dunn", True),
    ],
)
def test_people_are_known_as_they_are_heard(said: str, listed: str, hit: bool) -> None:
    assert same_party(said, listed, company=False) is hit


def test_names_that_are_the_same_begin_to_sound_the_same(db: sqlite3.Connection) -> None:
    """Else they would not even be compared."""
    names = [row["name"] for row in db.execute("SELECT name FROM parties ORDER BY party_no")][:100]
    pairs = [(a, b) for a in names for b in names if same_party(a, b, company=False)]
    assert len(pairs) >= len(names)
    assert all(worth_comparing(sounds_of(a), sounds_of(b)) for a, b in pairs)


@pytest.mark.parametrize("alike", SOUND_ALIKES)
def test_names_of_one_sound_are_compared(alike: tuple[str, ...]) -> None:
    pairs = [(f"Dana {a}", f"Dana {b}") for a in alike for b in alike]
    same = [pair for pair in pairs if same_party(*pair, company=False)]
    assert len(same) >= len(alike)
    assert all(worth_comparing(sounds_of(a), sounds_of(b)) for a, b in same)


def test_vocabularies_name_each_thing_once() -> None:
    assert len({area.matter_type for area in AREAS}) == len(AREAS)
    assert len({attorney.key for attorney in ATTORNEYS}) == len(ATTORNEYS)
