"""The people behind the pack's calls, written out, with neighbours who are easily taken for them."""

from __future__ import annotations

from typing import Final

import attrs

__all__ = ["CASES", "FIRM_PARTIES", "Case", "CaseMatter", "CaseScreening"]


@attrs.frozen
class CaseMatter:
    """A matter of the firm's for this caller. ``next_on`` is an ISO date."""

    matter_number: str
    matter_type: str
    state: str
    attorney_id: str
    adverse_party: str
    opened_on: str
    stage: str
    next_step: str
    next_on: str | None = None
    status_by_number: bool = False
    status: str = "open"


@attrs.frozen
class CaseScreening:
    """A screening that was passed before the call."""

    matter_type: str
    state: str
    adverse_party: str
    incident_date: str
    deadline: str
    cleared_on: str


@attrs.frozen
class Case:
    """A written-out caller. ``represented`` is another firm and the kind of matter it has."""

    full_name: str
    phone: str
    email: str | None = None
    street: str | None = None
    city: str | None = None
    state: str | None = None
    zip: str | None = None
    kind: str = "prospect"
    source: str = "web_form"
    matters: tuple[CaseMatter, ...] = ()
    screenings: tuple[CaseScreening, ...] = ()
    represented: tuple[str, str] | None = None


def _client(full_name: str, phone: str, *matters: CaseMatter) -> Case:
    mailbox = full_name.lower().replace(" ", ".")
    return Case(full_name, phone, f"{mailbox}@example.com", kind="client", source="referral", matters=matters)


_RECORDS: Final = "records are being collected from the treating doctors"
_TALKS: Final = "the other side's offer is under review with the client"

CASES: Final = (
    # --- clients ---
    _client(
        "Gloria Hensley",
        "206-555-0158",
        CaseMatter(
            "260318",
            "employment",
            "Washington",
            "AT-107",
            "Pacific Crest Foods",
            "2026-04-21",
            "investigation",
            "the personnel file is due from the employer",
            "2026-08-28",
        ),
    ),
    _client(
        "Gloria Henley",
        "206-555-0185",
        CaseMatter(
            "260381",
            "workers_compensation",
            "Washington",
            "AT-107",
            "Harborview Canning",
            "2026-05-04",
            "claim review",
            "the insurer's decision is awaited",
        ),
    ),
    _client(
        "Stanley Whitaker",
        "404-555-0162",
        CaseMatter(
            "260241",
            "auto_accident",
            "Georgia",
            "AT-103",
            "Roderick Hale",
            "2026-03-12",
            "record collection",
            _RECORDS,
            "2026-09-02",
            status_by_number=True,
        ),
    ),
    _client(
        "Stanley Whitfield",
        "404-555-0126",
        CaseMatter(
            "260214",
            "auto_accident",
            "Georgia",
            "AT-124",
            "Peachtree Cab",
            "2026-03-03",
            "demand",
            "the demand letter has gone to the insurer",
            "2026-09-15",
            status_by_number=True,
        ),
    ),
    _client(
        "Vivian Castro",
        "336-555-0191",
        CaseMatter(
            "250877",
            "premises_liability",
            "North Carolina",
            "AT-105",
            "Carolina Crown Hotels",
            "2025-10-06",
            "settlement talks",
            _TALKS,
            "2026-08-26",
        ),
    ),
    _client(
        "Vivien Castor",
        "336-555-0119",
        CaseMatter(
            "250787",
            "auto_accident",
            "North Carolina",
            "AT-105",
            "Blake Overton",
            "2025-09-01",
            "pleadings",
            "the answer to the complaint is awaited",
            "2026-09-08",
        ),
    ),
    _client(
        "Priya Raman",
        "770-555-0103",
        CaseMatter(
            "260402",
            "auto_accident",
            "Georgia",
            "AT-103",
            "Warren Tate",
            "2026-05-18",
            "demand",
            "the demand letter has gone to the insurer",
            "2026-09-10",
        ),
    ),
    _client(
        "Owen Pruitt",
        "678-555-0140",
        CaseMatter(
            "260377",
            "premises_liability",
            "Georgia",
            "AT-103",
            "Brookline Apartments",
            "2026-05-02",
            "record collection",
            _RECORDS,
            "2026-09-04",
        ),
    ),
    _client(
        "Rosalind Hart",
        "503-555-0138",
        CaseMatter(
            "251102",
            "consumer",
            "Oregon",
            "AT-108",
            "Granite Peak Windows",
            "2025-12-11",
            "closed",
            "nothing further",
            None,
            status="closed",
        ),
    ),
    # --- people who get in touch about something new ---
    Case("Leonard Moss", "678-555-0112", "leonard.moss@example.com"),
    Case("Naomi Ellery", "919-555-0127", "n.ellery@example.net"),
    Case("Ivan Tolbert", "404-555-0151", "ivan.tolbert@example.org"),
    Case("Selma Ridgeway", "919-555-0146", "selma.ridgeway@example.com"),
    Case("Salma Ridgway", "919-555-0164", "salma.ridgway@example.net"),
    Case("Hazel Novak", "512-555-0126", "hazel.novak@example.com"),
    Case("Warren Tate", "770-555-0148", "tate.family@example.net"),
    Case("Denise Tate", "770-555-0148", "tate.family@example.net"),
    Case("Warren Tait", "770-555-0184", "w.tait@example.org"),
    Case("Doris Finch", "404-555-0174", "doris.finch@example.com"),
    Case("Curtis Vance", "602-555-0183", "curtis.vance@example.com"),
    Case("Elena Marsh", "404-555-0129", "elena.marsh@example.org"),
    Case("Nadine Foster", "919-555-0173", "nadine.foster@example.com"),
    Case("Gregory Lund", "253-555-0165", "gregory.lund@example.com"),
    Case(
        "Tessa Caldwell",
        "770-555-0119",
        "tessa.caldwell@example.com",
        screenings=(
            CaseScreening(
                "auto_accident", "Georgia", "Dale Purcell", "2026-06-12", "2028-06-12", "2026-08-14"
            ),
        ),
    ),
    Case("Tessa Coldwell", "770-555-0191", "t.coldwell@example.net"),
    Case("Raymond Ortiz", "832-555-0134", "raymond.ortiz@example.com"),
    Case("Bonnie Archer", "727-555-0152", "bonnie.archer@example.com"),
    Case(
        "Walter Simms",
        "214-555-0177",
        None,
        "1908 Fernhill Road",
        "Dallas",
        "Texas",
        "75241",
    ),
    Case("Angela Pryor", "813-555-0164", "angela.pryor@example.com"),
    Case(
        "Monica Reyes",
        "404-555-0188",
        "monica.reyes@example.com",
        screenings=(
            CaseScreening(
                "auto_accident", "Georgia", "Fairlane Taxi", "2026-07-06", "2028-07-06", "2026-08-13"
            ),
        ),
    ),
    Case("Denise Barlow", "980-555-0115", "denise.barlow@example.net"),
    Case("Laura Winslow", "360-555-0142", "laura.winslow@example.com"),
    Case("Peter Winslow", "360-555-0142", "peter.winslow@example.com"),
    Case("Harold Quinn", "727-555-0171", "harold.quinn@example.com"),
    Case("Natalie Brooks", "713-555-0128", "natalie.brooks@example.com"),
    Case("Carla Jennings", "704-555-0116", "carla.jennings@example.com"),
    Case("Arthur Langley", "470-555-0169", "arthur.langley@example.com"),
    Case(
        "Fern Hadley",
        "813-555-0190",
        "fern.hadley@example.org",
        represented=("auto_accident", "Bayside Injury Lawyers"),
    ),
    # --- people who deal with the firm for a living ---
    Case("Marcus Bell", "404-555-0137", "marcus.bell@example.com", kind="professional", source="mail"),
    Case("Kevin Stroud", "312-555-0133", "kevin.stroud@example.net", kind="insurance", source="phone"),
)

FIRM_PARTIES: Final = (
    ("Vertex Logistics", "a client of the firm's until 2025, in a contract matter"),
    ("Northgate Insurance", "insures the firm itself"),
    ("Pinecrest Title", "owned by a partner's family"),
    ("Halcyon Bank", "the firm's own bank"),
    ("Summit Ridge Builders", "put up the firm's Atlanta office; a fee dispute is open"),
    ("Tidewater Staffing", "supplies the firm with temporary staff"),
    ("Orchard Park Clinic", "gives expert opinions for the firm"),
    ("Keystone Court Reporting", "works for the firm in open matters"),
)
"""Companies the firm may not act against, and why."""
