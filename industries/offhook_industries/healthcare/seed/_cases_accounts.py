"""Patients who call about bills, each with who is easily taken for them; patients to show guards on."""

from __future__ import annotations

from typing import Final

from offhook_industries.healthcare.seed._records import Case, CaseAppointment, CaseCharge, CasePrescription

__all__ = ["CASES_BILLING", "CASES_GUARDS"]

CASES_BILLING: Final = (
    Case(
        "P-200482",
        "Maria Alvarez",
        "1972-06-30",
        "212-555-0133",
        "10016",
        "park_avenue",
        "aetna",
        last_visit="2026-07-02",
        appointments=(
            CaseAppointment(
                "AP-710101", "park_avenue", "2026-08-21T11:00", "cosmetic_consult", "chemical_peel", 5000
            ),
            CaseAppointment("AP-710102", "park_avenue", "2026-11-05T09:40", "follow_up"),
        ),
        charges=(
            CaseCharge(
                "CH-550101",
                "visit",
                "office visit",
                "2026-07-02",
                28600,
                "the deductible of your plan was not used up yet, so the whole allowed amount is yours",
            ),
            CaseCharge(
                "CH-550102",
                "procedure",
                "skin biopsy",
                "2026-07-02",
                20000,
                "a biopsy was taken at that visit, and it too fell under your plan's deductible",
            ),
            CaseCharge(
                "CH-550103", "copay", "copay", "2026-03-12", 4000, "your copay for that visit", "paid"
            ),
        ),
    ),
    # One letter, one day or one digit away from her.
    Case(
        "P-200483",
        "Mario Alvarez",
        "1972-06-13",
        "212-555-0133",
        "10016",
        "park_avenue",
        "aetna",
        appointments=(
            CaseAppointment(
                "AP-710104", "park_avenue", "2026-08-21T11:30", "cosmetic_consult", "botox", 5000
            ),
        ),
    ),
    Case(
        "P-200977",
        "Maria Alvarado",
        "1972-06-30",
        "212-555-0113",
        "10061",
        "murray_hill",
        "cigna",
        charges=(
            CaseCharge(
                "CH-550107", "visit", "office visit", "2026-07-07", 9100, "your copay and coinsurance"
            ),
        ),
    ),
    Case(
        "P-206531",
        "Kevin Walsh",
        "1959-12-12",
        "914-555-0127",
        "10583",
        "scarsdale",
        "blue_cross",
        last_visit="2026-05-21",
        appointments=(
            CaseAppointment("AP-710758", "scarsdale", "2026-08-20T10:00", "follow_up"),
            CaseAppointment("AP-710759", "scarsdale", "2026-09-20T10:00", "skin_check"),
        ),
        charges=(
            CaseCharge(
                "CH-550412",
                "visit",
                "office visit",
                "2026-05-21",
                6250,
                "your plan paid its share, and the rest is your coinsurance",
            ),
        ),
    ),
    Case("P-206532", "Kevin Welsh", "1959-12-21", "914-555-0172", "10583", "scarsdale"),
    Case(
        "P-202846",
        "Angela Turner",
        "1990-04-25",
        "718-555-0139",
        "11102",
        "astoria",
        "emblemhealth",
        last_visit="2026-06-18",
        charges=(
            CaseCharge(
                "CH-550219",
                "pathology",
                "pathology fee",
                "2026-06-18",
                11800,
                "the sample taken at your visit was read by an outside laboratory, which bills apart "
                "from the visit",
            ),
            CaseCharge(
                "CH-550218", "copay", "copay", "2026-06-18", 3500, "your copay for that visit", "paid"
            ),
        ),
    ),
    Case("P-202847", "Angela Turnor", "1990-04-15", "718-555-0193", "11102", "astoria"),
    Case(
        "P-209014",
        "Robert Hanson",
        "1963-09-09",
        "551-555-0164",
        "07601",
        "hackensack",
        "unitedhealthcare",
        last_visit="2026-07-09",
        charges=(
            CaseCharge(
                "CH-550347",
                "visit",
                "office visit",
                "2026-07-09",
                16400,
                "your plan's deductible for this year was not met, so it paid nothing towards this visit",
            ),
            CaseCharge(
                "CH-550348", "copay", "copay", "2026-07-09", 2500, "your copay for that visit", "paid"
            ),
        ),
    ),
    Case(
        "P-209015",
        "Robert Hansen",
        "1963-09-19",
        "551-555-0146",
        "07601",
        "hackensack",
        charges=(
            CaseCharge(
                "CH-550374",
                "missed_visit",
                "missed visit fee",
                "2026-07-09",
                5000,
                "nobody came to the visit",
            ),
        ),
    ),
    Case(
        "P-201968",
        "Patricia Owens",
        "1955-10-31",
        "631-555-0126",
        "11743",
        "huntington",
        "medicare",
        last_visit="2026-06-30",
        charges=(
            CaseCharge(
                "CH-550466",
                "visit",
                "office visit",
                "2026-06-30",
                7320,
                "Medicare paid its part, and this is the share it leaves to you",
            ),
        ),
    ),
    Case("P-201969", "Patrick Owens", "1955-10-13", "631-555-0126", "11743", "huntington", "medicare"),
)

# Patients that no task is about and that the guards are shown on: a late visit, a missed-visit fee, two of
# one name and birthday, a filled and a refusable prescription.
CASES_GUARDS: Final = (
    Case(
        "P-210001",
        "Teresa Quigley",
        "1981-09-02",
        "845-555-0108",
        "10954",
        "nanuet",
        "cigna",
        last_visit="2026-03-03",
        appointments=(
            CaseAppointment("AP-719001", "nanuet", "2026-08-17T16:00", "follow_up"),
            CaseAppointment("AP-719002", "nanuet", "2026-08-18T09:00", "medical_visit"),
            CaseAppointment(
                "AP-719003", "park_avenue", "2026-08-18T11:00", "cosmetic_consult", "botox", 5000
            ),
            CaseAppointment("AP-719004", "nanuet", "2026-06-04T11:00", "follow_up", status="no_show"),
        ),
        charges=(
            CaseCharge(
                "CH-559001",
                "missed_visit",
                "missed visit fee",
                "2026-06-04",
                5000,
                "nobody came to the visit",
            ),
            CaseCharge("CH-559002", "visit", "office visit", "2026-03-03", 20000, "your plan's deductible"),
        ),
        prescriptions=(
            CasePrescription("RX-889001", "tretinoin", 0, "Birchwood Pharmacy"),
            CasePrescription("RX-889002", "dupilumab", 0, "Birchwood Pharmacy"),
        ),
    ),
    Case(
        "P-210002",
        "Jacob Lindqvist",
        "1990-12-24",
        "845-555-0109",
        "10954",
        "nanuet",
        last_visit="2024-02-02",
        prescriptions=(CasePrescription("RX-889003", "clobetasol", 0, "Birchwood Pharmacy"),),
    ),
    Case("P-210003", "Jacob Lindqvist", "1990-12-24", "845-555-0190", "10977", "nanuet"),
)
