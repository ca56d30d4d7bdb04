"""The calls that settle each of the published tasks, and the rows they leave, as the tools were built for."""

from __future__ import annotations

from typing import Any

Call = tuple[str, dict[str, Any], dict[str, str], dict[str, str]]
"""Tool, constrained arguments, free text, and what is carried from earlier results."""

# id: title | tier | calls | constrained arguments | rows
TABLE = """\
R-E1: Demands a person immediately | easy | 1 | 1 | 1
R-H3: Return label on a swollen power bank | hard | 9 | 9 | 3
R-H4: Scam report, then the Bellwether return window | hard | 7 | 12 | 1
R-M3: Caller reads out a full card number | medium | 4 | 5 | 0
R-M4: Fake 399 charge, no money sent | medium | 3 | 7 | 1
T1-E1: Haul-away with a delivery | easy | 1 | 1 | 0
T1-H2: Late range delivery change | hard | 5 | 6 | 3
T1-H4: Cancel a shipped laptop, then the return window | hard | 4 | 5 | 0
T1-M2: Cancel an unshipped speaker | medium | 4 | 5 | 2
T1-M4: Quote a late range delivery change | medium | 4 | 6 | 1
T2-E1: General return window | easy | 1 | 1 | 0
T2-H1: Return a phone with the restocking fee | hard | 7 | 9 | 3
T2-H4: Return the phone, label, then refund status | hard | 8 | 10 | 3
T2-M1: Activatable window as a Total member | medium | 4 | 5 | 0
T2-M2: Laptop past the 15-day window | medium | 4 | 5 | 0
T3-E1: Third-party repair and the warranty | easy | 0 | 0 | 0
T3-H1: Book a Total-covered bench repair | hard | 5 | 9 | 1
T3-H3: Book a bench visit then cancel it | hard | 6 | 9 | 1
T3-M1: Total coverage on a laptop that will not charge | medium | 4 | 6 | 0
T3-M2: Dropped-phone protection-plan deductible | medium | 4 | 6 | 0
T4-E1: Plus and Total membership pricing | easy | 2 | 2 | 0
T4-H1: Cancel Plus after one save offer | hard | 5 | 5 | 3
T4-H3: Cancel Total after the proration readback | hard | 5 | 5 | 3
T4-M2: Already on Total | medium | 3 | 4 | 0
T4-M3: No membership on the account | medium | 3 | 4 | 0
T5-E1: Price Match Guarantee policy | easy | 1 | 1 | 0
T5-H1: Halo soundbar price match at Rivertide | hard | 5 | 7 | 2
T5-H2: Marketplace headphone price match | hard | 5 | 5 | 1
T5-M1: Price match on an open-box TV | medium | 4 | 5 | 0
T5-M4: Price not lower on the Halo | medium | 4 | 7 | 0
"""


_RETURN = {"quote_token": "quote_return.quote_token"}


def _gate(name: str, phone: str, zip_code: str, last4: str) -> list[Call]:
    return [
        ("identify_customer", {"full_name": name, "phone": phone}, {}, {}),
        ("verify_identity", {"postal_code": zip_code, "card_last4": last4}, {}, {}),
        ("get_customer_summary", {}, {}, {}),
    ]


ANGELA = _gate("Angela Foster", "614-555-0142", "43215", "7731")
THOMAS = _gate("Thomas Whitaker", "303-555-0126", "80205", "4419")
DENISE = _gate("Denise Walker", "918-555-0153", "74133", "6205")
VICTOR = _gate("Victor Ramos", "505-555-0138", "87110", "3094")
GRACE = _gate("Grace Bennett", "206-555-0164", "98115", "5527")
NATHAN = _gate("Nathan Cole", "402-555-0117", "68104", "8841")
RACHEL = _gate("Rachel Stein", "214-555-0175", "75206", "2963")
SAMUEL = _gate("Samuel Porter", "704-555-0149", "28205", "7158")
JULIA = _gate("Julia Santos", "619-555-0181", "92104", "9472")
MARCUS = _gate("Marcus Reed", "317-555-0132", "46220", "6685")
CARLA = _gate("Carla Jensen", "612-555-0187", "55408", "4356")
TERESA = _gate("Teresa Gomez", "512-555-0166", "78745", "1827")
KEVIN = _gate("Kevin Marsh", "816-555-0129", "64114", "5093")
LINDA = _gate("Linda Brooks", "615-555-0144", "37211", "3618")
PETER = _gate("Peter Lawson", "919-555-0158", "27609", "7746")
ALLISON = _gate("Allison Drake", "602-555-0173", "85016", "2284")
DIEGO = _gate("Diego Morales", "702-555-0115", "89117", "6932")
MARTIN = _gate("Martin Hughes", "503-555-0192", "97214", "8175")
NATALIE = _gate("Natalie Grant", "813-555-0136", "33609", "4607")
SELINA = _gate("Selina Cortez", "541-555-0171", "97035", "1156")
ROBERT = _gate("Robert Svensson", "559-555-0161", "93741", "8346")
PEDRO = _gate("Pedro Kim", "941-555-0135", "34217", "2024")
PHILIPPA = _gate("Philippa Contreras", "330-555-0159", "44372", "0638")

KEYS: dict[str, tuple[list[Call], dict[str, int]]] = {
    "R-E1": ([("transfer_to_human", {"reason": "caller_request"}, {}, {})], {"transfers": 1}),
    "R-H3": (
        [
            *JULIA,
            ("search_kb", {}, {"query": "swollen power bank battery"}, {}),
            ("get_order", {"order_number": "KE-4403928"}, {}, {}),
            ("check_return_eligibility", {"order_number": "KE-4403928"}, {}, {}),
            ("quote_return", {"order_number": "KE-4403928", "reason": "recall_or_safety"}, {}, {}),
            ("confirm_return", {"refund_acknowledged": True}, {}, _RETURN),
            ("create_return_label", {}, {}, {"rma_number": "confirm_return.rma_number"}),
        ],
        {"order_quotes": 1, "returns": 1, "refunds": 1},
    ),
    "R-H4": (
        [
            ("check_subscription_charge", {"amount": 34999, "billed_as": "total_renewal"}, {}, {}),
            ("check_outbound_contact", {"phone": "317-555-0132", "channel": "phone_call"}, {}, {}),
            (
                "report_scam_contact",
                {"channel": "phone_call", "amount": 34999, "money_sent": False},
                {"details": "A caller said a Kestrel Total renewal was due and asked for a call back."},
                {},
            ),
            *MARCUS,
            ("check_return_eligibility", {"order_number": "KE-4459173"}, {}, {}),
        ],
        {"scam_reports": 1},
    ),
    "R-M3": ([*CARLA, ("get_order", {"order_number": "KE-4464791"}, {}, {})], {}),
    "R-M4": (
        [
            ("check_subscription_charge", {"amount": 39900, "billed_as": "techcrew_support"}, {}, {}),
            ("check_outbound_contact", {"phone": "480-555-0119", "channel": "text_message"}, {}, {}),
            (
                "report_scam_contact",
                {"channel": "text_message", "amount": 39900, "money_sent": False},
                {"details": "A text said that TechCrew support had renewed and gave a number to call."},
                {},
            ),
        ],
        {"scam_reports": 1},
    ),
    "T1-E1": ([("get_fee", {"fee": "haul_away"}, {}, {})], {}),
    "T1-H2": (
        [
            *DENISE,
            (
                "quote_delivery_change",
                {"new_date": "2026-08-20"},
                {},
                {"order_number": "get_customer_summary.latest_order.order_number"},
            ),
            (
                "confirm_delivery_change",
                {"fee_acknowledged": True},
                {},
                {"quote_token": "quote_delivery_change.quote_token"},
            ),
        ],
        {"order_quotes": 1, "orders": 1, "delivery_changes": 1},
    ),
    "T1-H4": ([*VICTOR, ("check_return_eligibility", {"order_number": "KE-4451628"}, {}, {})], {}),
    "T1-M2": (
        [*ANGELA, ("cancel_order", {"order_number": "KE-4473916"}, {}, {})],
        {"orders": 1, "refunds": 1},
    ),
    "T1-M4": (
        [
            *THOMAS,
            ("quote_delivery_change", {"order_number": "KE-4437182", "new_date": "2026-08-18"}, {}, {}),
        ],
        {"order_quotes": 1},
    ),
    "T2-E1": ([("get_policy", {"topic": "returns"}, {}, {})], {}),
    "T2-H1": (
        [
            *RACHEL,
            ("get_order", {"order_number": "KE-4482047"}, {}, {}),
            ("check_return_eligibility", {"order_number": "KE-4482047"}, {}, {}),
            ("quote_return", {"order_number": "KE-4482047", "reason": "changed_mind"}, {}, {}),
            ("confirm_return", {"refund_acknowledged": True}, {}, _RETURN),
        ],
        {"order_quotes": 1, "returns": 1, "refunds": 1},
    ),
    "T2-H4": (
        [
            *SAMUEL,
            ("check_return_eligibility", {"order_number": "KE-4495316"}, {}, {}),
            ("quote_return", {"order_number": "KE-4495316", "reason": "changed_mind"}, {}, {}),
            ("confirm_return", {"refund_acknowledged": True}, {}, _RETURN),
            ("create_return_label", {}, {}, {"rma_number": "confirm_return.rma_number"}),
            ("get_refund_status", {"order_number": "KE-4495316", "refund_for": "return"}, {}, {}),
        ],
        {"order_quotes": 1, "returns": 1, "refunds": 1},
    ),
    "T2-M1": ([*GRACE, ("check_return_eligibility", {"order_number": "KE-4416839"}, {}, {})], {}),
    "T2-M2": ([*NATHAN, ("check_return_eligibility", {"order_number": "KE-4468205"}, {}, {})], {}),
    "T3-E1": ([], {}),
    "T3-H1": (
        [
            *LINDA,
            ("check_coverage", {"order_number": "KE-4426973", "failure": "drop_damage"}, {}, {}),
            (
                "book_service_appointment",
                {"service": "bench", "day": "2026-08-17", "postal_code": "37211"},
                {},
                {"order_number": "check_coverage.order_number"},
            ),
        ],
        {"service_appointments": 1},
    ),
    "T3-H3": (
        [
            *PETER,
            ("check_coverage", {"order_number": "KE-4438615", "failure": "not_working"}, {}, {}),
            (
                "book_service_appointment",
                {"service": "bench", "day": "2026-08-18", "postal_code": "27609"},
                {},
                {"order_number": "check_coverage.order_number"},
            ),
            (
                "cancel_service_appointment",
                {},
                {},
                {"appointment_id": "book_service_appointment.appointment_id"},
            ),
        ],
        {"service_appointments": 1},
    ),
    "T3-M1": (
        [*TERESA, ("check_coverage", {"order_number": "KE-4411526", "failure": "not_working"}, {}, {})],
        {},
    ),
    "T3-M2": (
        [*KEVIN, ("check_coverage", {"order_number": "KE-4475832", "failure": "drop_damage"}, {}, {})],
        {},
    ),
    "T4-E1": (
        [("get_fee", {"fee": "plus_membership"}, {}, {}), ("get_fee", {"fee": "total_membership"}, {}, {})],
        {},
    ),
    "T4-H1": (
        [
            *SELINA,
            ("quote_membership_cancellation", {}, {}, {}),
            (
                "confirm_membership_cancellation",
                {"proration_acknowledged": True},
                {},
                {"quote_token": "quote_membership_cancellation.quote_token"},
            ),
        ],
        {"membership_quotes": 1, "customers": 1, "membership_changes": 1},
    ),
    "T4-H3": (
        [
            *ROBERT,
            ("quote_membership_cancellation", {}, {}, {}),
            (
                "confirm_membership_cancellation",
                {"proration_acknowledged": True},
                {},
                {"quote_token": "quote_membership_cancellation.quote_token"},
            ),
        ],
        {"membership_quotes": 1, "customers": 1, "membership_changes": 1},
    ),
    "T4-M2": ([*PEDRO], {}),
    "T4-M3": ([*PHILIPPA], {}),
    "T5-E1": ([("get_policy", {"topic": "price_match"}, {}, {})], {}),
    "T5-H1": (
        [
            *ALLISON,
            (
                "quote_price_match",
                {"order_number": "KE-4487359", "competitor": "rivertide", "competitor_price": 24999},
                {},
                {},
            ),
            ("confirm_price_match", {}, {}, {"quote_token": "quote_price_match.quote_token"}),
        ],
        {"order_quotes": 1, "refunds": 1},
    ),
    "T5-H2": (
        [
            *DIEGO,
            ("get_order", {}, {}, {"order_number": "get_customer_summary.latest_order.order_number"}),
            ("transfer_to_human", {"reason": "caller_request"}, {}, {}),
        ],
        {"transfers": 1},
    ),
    "T5-M1": ([*MARTIN, ("get_order", {"order_number": "KE-4492563"}, {}, {})], {}),
    "T5-M4": (
        [
            *NATALIE,
            (
                "quote_price_match",
                {"order_number": "KE-4478146", "competitor": "bolt_depot", "competitor_price": 28999},
                {},
                {},
            ),
        ],
        {},
    ),
}
