"""The people behind the pack's calls, written out, with neighbours who are easily taken for them."""

from __future__ import annotations

from typing import Final

from offhook_industries.healthcare.seed._cases_accounts import CASES_BILLING, CASES_GUARDS
from offhook_industries.healthcare.seed._cases_care import CASES_CLINICAL, CASES_COSMETIC, CASES_SCHEDULING
from offhook_industries.healthcare.seed._records import Case, Newcomer

__all__ = ["CASES", "MEMBERS", "NEWCOMERS", "Case", "Newcomer", "case", "newcomer"]

CASES: Final = (*CASES_SCHEDULING, *CASES_COSMETIC, *CASES_BILLING, *CASES_CLINICAL, *CASES_GUARDS)

NEWCOMERS: Final = (
    Newcomer("Rachel Bennett", "1991-02-11", "917-555-0148", "10003", "cigna"),
    Newcomer("Karen Foster", "1979-09-23", "646-555-0117", "10028"),
    Newcomer("George Palmer", "1951-04-08", "914-555-0163", "10601", "medicare"),
    Newcomer("Nina Brooks", "1996-12-05", "347-555-0129", "11201", "oscar"),
    Newcomer("Monica Reyes", "1988-10-16", "212-555-0119", "10016", "cigna", "804417236"),
    Newcomer("Frank Dawson", "1948-06-21", "407-555-0119", "34786", "medicare"),
    Newcomer(
        "Allison Pierce", "1982-08-03", "212-555-0184", "10017", "aetna_open_access_elect_choice", "613908254"
    ),
    Newcomer("Victor Hayes", "1993-01-29", "718-555-0166", "11375", "blue_cross"),
    Newcomer("Tina Marshall", "1986-05-12", "973-555-0187", "07078"),
    Newcomer("Brenda Collins", "1971-03-08", "646-555-0135", "10022"),
)

# plan, member number, date of birth, active, copay, deductible left, coinsurance: what insurers answer.
MEMBERS: Final = (
    ("cigna", "804417236", "1988-10-16", 1, 4500, 31000, 20),
    ("cigna", "804417263", "1988-10-19", 1, 2000, 0, 10),
    ("aetna", "804417236", "1968-04-16", 1, 3000, 150000, 30),
    ("aetna_open_access_elect_choice", "613908254", "1982-08-03", 1, 4000, 50000, 15),
    ("aetna", "613908254", "1981-03-08", 1, 6000, 0, 20),
    ("oscar", "720035518", "1996-12-05", 1, 5000, 120000, 25),
)


def case(full_name: str) -> Case:
    """The written-out patient of that name.

    Raises:
        KeyError: nobody has the name.
    """
    for known in CASES:
        if known.full_name == full_name:
            return known
    raise KeyError(full_name)


def newcomer(full_name: str) -> Newcomer:
    """The written-out caller without a chart of that name.

    Raises:
        KeyError: nobody has the name.
    """
    for known in NEWCOMERS:
        if known.full_name == full_name:
            return known
    raise KeyError(full_name)
