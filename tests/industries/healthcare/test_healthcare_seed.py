"""The seeded clinic: its scale, its closed vocabularies, and people who are not taken for one another."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from itertools import combinations

import pytest

from offhook.names import match_names
from offhook.packs import Pack, TableRole
from offhook.toolserver import SeedImages
from offhook_industries.healthcare import policy
from offhook_industries.healthcare.offices import OFFICES
from offhook_industries.healthcare.seed.cases import CASES, NEWCOMERS, case, newcomer
from offhook_industries.healthcare.vocabulary import ALLERGY_SERVICES, ALLERGY_VISITS, CONCERNS, VISIT_TYPES


def count(db: sqlite3.Connection, sql: str) -> int:
    return int(db.execute(sql).fetchone()[0])


def test_the_published_scale(clinic_db: sqlite3.Connection) -> None:
    assert count(clinic_db, "SELECT count(*) FROM locations") == 160
    assert count(clinic_db, "SELECT count(*) FROM providers") == 380
    assert count(clinic_db, "SELECT count(DISTINCT full_name) FROM providers") == 380
    assert count(clinic_db, "SELECT count(*) FROM patients") == 2600


def test_two_builds_are_equal_and_quick(healthcare: Pack, tmp_path_factory: pytest.TempPathFactory) -> None:
    images = [SeedImages(tmp_path_factory.mktemp(name)).image(healthcare) for name in ("one", "two")]
    assert images[0].read_bytes() == images[1].read_bytes()
    started = time.process_time()
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("PRAGMA foreign_keys = ON")
        db.executescript(healthcare.schema)
        healthcare.seed(db)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert time.process_time() - started < 2.0  # of processor time: a busy machine does not change it


def test_every_kind_of_visit_an_office_offers_has_a_provider_there(clinic_db: sqlite3.Connection) -> None:
    for family in ("surgical", "cosmetic", "allergy"):
        offering = {
            row["location_id"]
            for row in clinic_db.execute(f"SELECT location_id FROM locations WHERE offers_{family} = 1")
        }
        staffed = {
            row["location_id"]
            for row in clinic_db.execute(
                "SELECT location_id FROM provider_locations JOIN providers USING (provider_id) "
                "WHERE family = ?",
                (family,),
            )
        }
        assert offering == staffed


def test_free_times_are_with_a_provider_who_works_there(clinic_db: sqlite3.Connection) -> None:
    stray = count(
        clinic_db,
        "SELECT count(*) FROM slots WHERE NOT EXISTS (SELECT 1 FROM provider_locations AS works "
        "JOIN providers USING (provider_id) WHERE works.provider_id = slots.provider_id "
        "AND works.location_id = slots.location_id AND providers.family = slots.family)",
    )
    assert stray == 0
    now = policy.NOW.isoformat(timespec="minutes")
    assert clinic_db.execute("SELECT count(*) FROM slots WHERE starts_at <= ?", (now,)).fetchone()[0] == 0
    assert count(clinic_db, "SELECT count(*) FROM appointments WHERE slot_id IS NOT NULL") > 150


def test_look_ups_use_indexes(clinic_db: sqlite3.Connection) -> None:
    for sql in (
        "SELECT * FROM patients WHERE date_of_birth = ?",
        "SELECT * FROM patients WHERE phone = ?",
        "SELECT * FROM slots WHERE location_id = ? AND family = 'medical' AND starts_at > ''",
        "SELECT * FROM appointments WHERE patient_id = ?",
        "SELECT * FROM charges WHERE patient_id = ?",
    ):
        (plan,) = (row["detail"] for row in clinic_db.execute(f"EXPLAIN QUERY PLAN {sql}", ("x",)))
        assert "USING" in plan, (sql, plan)
        assert "SCAN" not in plan, (sql, plan)


def test_every_table_has_a_role(healthcare: Pack, clinic_db: sqlite3.Connection) -> None:
    made = {
        row["name"]
        for row in clinic_db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
    }
    assert made == {table.name for table in healthcare.tables}
    logs = [table.name for table in healthcare.tables if table.role is TableRole.LOG]
    assert logs == ["sms_log"]


def test_vocabularies_agree_with_one_another() -> None:
    visits = {visit.choice.value for visit in VISIT_TYPES}
    assert {concern.visit_type for concern in CONCERNS} <= visits
    assert [service for service, _ in ALLERGY_VISITS] == [choice.value for choice in ALLERGY_SERVICES]
    assert {visit for _, visit in ALLERGY_VISITS} <= visits
    assert len({office.location_id for office in OFFICES}) == 160


def test_every_case_is_found_by_name_and_birthday_alone(clinic_db: sqlite3.Connection) -> None:
    """But for the two of one name and birthday, who are there to be told apart by ZIP code."""
    for person in CASES:
        rows = clinic_db.execute(
            "SELECT full_name FROM patients WHERE date_of_birth = ?", (person.date_of_birth,)
        ).fetchall()
        same = [row for row in rows if match_names(person.full_name, row["full_name"]).same]
        exact = [row for row in same if row["full_name"] == person.full_name]
        assert len(exact or same) == (2 if person.full_name == "Jacob Lindqvist" else 1), person.full_name


def test_callers_without_a_chart_have_none(clinic_db: sqlite3.Connection) -> None:
    for person in NEWCOMERS:
        rows = clinic_db.execute(
            "SELECT full_name FROM patients WHERE phone = ? OR date_of_birth = ?",
            (person.phone, person.date_of_birth),
        ).fetchall()
        assert not any(match_names(person.full_name, row["full_name"]).same for row in rows)
        assert clinic_db.execute("SELECT 1 FROM patients WHERE phone = ?", (person.phone,)).fetchone() is None


def test_phones_and_mail_are_invented(clinic_db: sqlite3.Connection) -> None:
    for table in ("patients", "locations"):
        phones = [row["phone"] for row in clinic_db.execute(f"SELECT phone FROM {table}")]
        assert all(phone[3:9] == "-555-0" for phone in phones)
    mails = [row["email"] for row in clinic_db.execute("SELECT email FROM patients")]
    assert all(mail.rpartition("@")[2] in ("example.com", "example.net", "example.org") for mail in mails)


def test_no_two_people_have_one_time(clinic_db: sqlite3.Connection) -> None:
    booked = [
        row["slot_id"]
        for row in clinic_db.execute(
            "SELECT slot_id FROM appointments WHERE slot_id IS NOT NULL AND status = 'booked'"
        )
    ]
    assert len(booked) == len(set(booked))


def test_ids_of_cases_are_their_own() -> None:
    ids = [person.patient_id for person in CASES]
    assert len(ids) == len(set(ids))
    assert all(
        a.full_name != b.full_name or a.postal_code != b.postal_code for a, b in combinations(CASES, 2)
    )


def test_people_are_found_by_name() -> None:
    assert case("Maria Alvarez").date_of_birth == "1972-06-30"
    assert newcomer("Nina Brooks").plan == "oscar"
    with pytest.raises(KeyError):
        case("Nina Brooks")
    with pytest.raises(KeyError):
        newcomer("Maria Alvarez")
