"""Patients who call about visits, cosmetic work, results and refills, and who is taken for them."""

from __future__ import annotations

from typing import Final

from offhook_industries.healthcare.seed._records import Case, CaseAppointment, CasePrescription, CaseResult

__all__ = ["CASES_CLINICAL", "CASES_COSMETIC", "CASES_SCHEDULING"]

CASES_SCHEDULING: Final = (
    Case(
        "P-204118",
        "Oliver Grant",
        "2016-05-19",
        "201-555-0174",
        "07030",
        "hoboken",
        "cigna",
        last_visit="2026-08-10",
        last_shot="2026-08-10",
    ),
    # His sister, who gets shots too, and their mother.
    Case(
        "P-204119",
        "Olivia Grant",
        "2018-11-02",
        "201-555-0174",
        "07030",
        "hoboken",
        "cigna",
        last_visit="2026-08-14",
        last_shot="2026-08-14",
    ),
    Case("P-204101", "Helen Grant", "1983-01-30", "201-555-0174", "07030", "hoboken", "cigna"),
    Case(
        "P-201377",
        "Diane Keller",
        "1968-11-02",
        "516-555-0138",
        "11530",
        "garden_city",
        last_visit="2025-06-12",
        appointments=(
            CaseAppointment(
                "AP-710530", "garden_city", "2026-08-21T15:00", "cosmetic_consult", "laser_resurfacing", 5000
            ),
            CaseAppointment("AP-710531", "garden_city", "2026-10-12T10:30", "skin_check"),
        ),
    ),
    Case(
        "P-201378",
        "Diana Keller",
        "1968-02-11",
        "516-555-0183",
        "11530",
        "garden_city",
        appointments=(
            CaseAppointment(
                "AP-710533", "garden_city", "2026-08-21T14:00", "cosmetic_consult", "botox", 5000
            ),
        ),
    ),
    Case(
        "P-207755",
        "Steven Harper",
        "1984-03-14",
        "973-555-0121",
        "07042",
        "montclair",
        "aetna",
        last_visit="2026-06-15",
        appointments=(
            CaseAppointment("AP-710245", "montclair", "2026-09-14T09:20", "follow_up"),
            CaseAppointment("AP-710312", "montclair", "2026-10-06T15:40", "skin_check"),
        ),
    ),
    Case(
        "P-207756",
        "Stephen Harper",
        "1984-03-04",
        "973-555-0121",
        "07042",
        "montclair",
        "aetna",
        last_visit="2026-07-01",
        appointments=(CaseAppointment("AP-710254", "montclair", "2026-09-14T10:20", "follow_up"),),
    ),
    Case(
        "P-203690",
        "Laura Jensen",
        "1975-07-27",
        "407-555-0156",
        "34786",
        "windermere",
        "blue_cross",
        last_visit="2026-07-14",
        appointments=(
            CaseAppointment("AP-710418", "windermere", "2026-09-15T14:00", "follow_up"),
            CaseAppointment("AP-710481", "windermere", "2026-12-01T09:00", "skin_check"),
        ),
    ),
    Case(
        "P-203691",
        "Lara Jensen",
        "1975-07-22",
        "407-555-0165",
        "34787",
        "winter_garden",
        "aetna",
        appointments=(CaseAppointment("AP-710419", "winter_garden", "2026-09-15T15:00", "follow_up"),),
    ),
)

CASES_COSMETIC: Final = (
    Case(
        "P-205902",
        "Paula Simmons",
        "1970-01-17",
        "203-555-0143",
        "06830",
        "greenwich",
        "cigna",
        last_visit="2026-02-03",
        appointments=(
            CaseAppointment(
                "AP-710644", "greenwich", "2026-08-27T13:00", "cosmetic_consult", "ipl_photofacial", 5000
            ),
        ),
    ),
    Case(
        "P-205903",
        "Paula Simons",
        "1970-07-11",
        "203-555-0134",
        "06831",
        "stamford",
        appointments=(
            CaseAppointment("AP-710645", "greenwich", "2026-08-27T13:00", "cosmetic_consult", "botox", 5000),
        ),
    ),
    Case(
        "P-208263",
        "Sandra Whitman",
        "1966-05-30",
        "407-555-0177",
        "34786",
        "windermere",
        "medicare",
        last_visit="2026-05-20",
        appointments=(CaseAppointment("AP-710871", "windermere", "2026-11-18T11:00", "skin_check"),),
    ),
    Case("P-208264", "Sandra Whitmer", "1966-03-30", "407-555-0171", "34786", "windermere"),
)

CASES_CLINICAL: Final = (
    Case(
        "P-203157",
        "Michelle Carter",
        "1977-02-20",
        "908-555-0172",
        "07090",
        "westfield",
        "cigna",
        portal_active=False,
        last_visit="2026-08-06",
        results=(
            CaseResult("RS-330145", "biopsy", "2026-08-06", "awaiting_review"),
            CaseResult("RS-330146", "blood_work", "2026-08-11", "in_progress"),
            CaseResult("RS-330099", "biopsy", "2024-03-19", "released"),
        ),
    ),
    Case(
        "P-203158",
        "Michele Carver",
        "1977-02-02",
        "908-555-0127",
        "07090",
        "westfield",
        results=(CaseResult("RS-330147", "biopsy", "2026-08-05", "released"),),
    ),
    Case(
        "P-207329",
        "Jason Miller",
        "2001-07-06",
        "732-555-0151",
        "08816",
        "east_brunswick",
        "blue_cross",
        last_visit="2026-07-20",
        prescriptions=(CasePrescription("RX-880231", "isotretinoin", 0, "Larkspur Pharmacy"),),
    ),
    Case(
        "P-207330",
        "Mason Miller",
        "2001-06-07",
        "732-555-0115",
        "08816",
        "east_brunswick",
        "blue_cross",
        last_visit="2026-07-20",
        prescriptions=(CasePrescription("RX-880232", "doxycycline", 0, "Larkspur Pharmacy"),),
    ),
    Case(
        "P-205420",
        "Brian Cooper",
        "1987-06-15",
        "856-555-0145",
        "08034",
        "cherry_hill",
        "aetna",
        last_visit="2026-04-27",
        prescriptions=(
            CasePrescription("RX-880317", "triamcinolone", 2, "Harbor Lane Pharmacy"),
            CasePrescription("RX-880318", "ketoconazole", 0, "Harbor Lane Pharmacy"),
        ),
    ),
    Case(
        "P-205421",
        "Bryan Cowper",
        "1987-06-25",
        "856-555-0154",
        "08034",
        "cherry_hill",
        prescriptions=(CasePrescription("RX-880371", "triamcinolone", 0, "Harbor Lane Pharmacy"),),
    ),
)
