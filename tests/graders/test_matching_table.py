"""Arguments in every usual form, by kind: what is the same value, and what is another one."""

from __future__ import annotations

from typing import Any

import pytest

from offhook.packs import Choice, ExpectedCall, Parameter, Tool
from offhook.records import ToolLogEntry
from offhook.values import ColumnKind, ValueKind, canonical_column
from offhook_graders.adherence.matching import differences, same_of_kind, same_value

K = ValueKind
PLAN = Parameter(
    "plan",
    K.TEXT,
    "Which plan",
    choices=(
        Choice("store_credit", "credit to spend in the store", ("gift balance", "in-store credit")),
        Choice("plan_2", "the second plan", ("Plan Two",)),
        Choice("1.5x", "half as much again"),
        Choice("15x", "fifteen-fold"),
    ),
)

SAME: list[tuple[ValueKind, Any, Any]] = [
    (K.PHONE, "541-555-0171", "5415550171"),
    (K.PHONE, "541-555-0171", "+1 (541) 555-0171"),
    (K.PHONE, "541-555-0171", "1-541-555-0171"),
    (K.PHONE, "541-555-0171", "541.555.0171"),
    (K.PHONE, "541-555-0171", "tel:+15415550171"),
    (K.PHONE, "541-555-0171", 5415550171.0),
    (K.ZIP, "97035", "97035-1156"),
    (K.ZIP, "97035", 97035),
    (K.ZIP, "97035", " 97035 "),
    (K.DIGITS, "1156", "11 56"),
    (K.DIGITS, "1156", "1-1-5-6"),
    (K.DIGITS, "1156", 1156),
    (K.DIGITS, "33", "33.0"),
    (K.DIGITS, "33", 33.0),
    (K.DIGITS, 33, "33"),
    (K.EMAIL, "a.b-c@example.com", "A.B-C@Example.COM"),
    (K.EMAIL, "a.b@example.com", "<a.b@example.com>"),
    (K.EMAIL, "a.b@example.com", "mailto:a.b@example.com"),
    (K.DATE, "2026-08-21", "August 21st, 2026"),
    (K.DATE, "2026-08-21", "Fri, Aug 21, 2026"),
    (K.DATE, "2026-08-21", "21 August 2026"),
    (K.DATE, "2026-08-21", "21-Aug-2026"),
    (K.DATE, "2026-08-21", "8/21/2026"),
    (K.DATE, "2026-08-21", "8/21/26"),
    (K.DATE, "2026-08-21", "20260821"),
    (K.DATE, "2026-08-21", "2026/8/21"),
    (K.DATE, "2026-08-21", "2026-08-21T00:00:00Z"),
    (K.DATE, "2026-08-21", "the 21st of August, 2026"),
    (K.TIME, "14:30", "2:30 PM"),
    (K.TIME, "14:30", "2:30pm"),
    (K.TIME, "14:30", "2.30 p.m."),
    (K.TIME, "14:30", "14:30:00"),
    (K.TIME, "14:30", "14:30Z"),
    (K.TIME, "14:30", "14:30:00.000+02:00"),
    (K.TIME, "14:30", "14h30"),
    (K.TIME, "12:00", "noon"),
    (K.TIME, "14:30", "2026-08-21T14:30"),
    (K.AMOUNT, 1499, "$14.99"),
    (K.AMOUNT, 1499, "14.99"),
    (K.AMOUNT, 1499, 14.99),
    (K.AMOUNT, 1499, "USD 14.99"),
    (K.AMOUNT, 1499, "14.99 dollars"),
    (K.AMOUNT, 1499, "14 dollars and 99 cents"),
    (K.AMOUNT, 99, "99 cents"),
    (K.AMOUNT, 149900, "$1,499"),
    (K.AMOUNT, "$14.99", "US$14.99"),
    (K.AMOUNT, 33, 33.0),
    (K.ORDER_NUMBER, "KE-4498870", "ke4498870"),
    (K.ORDER_NUMBER, "KE-4498870", "#KE 449 8870"),
    (K.YES_NO, True, "yes"),
    (K.YES_NO, True, "TRUE"),
    (K.YES_NO, "no", False),
    (K.YES_NO, False, "No."),
    (K.SPELLED, "CORTEZ", "c-o-r-t-e-z"),
    (K.NAME, "Sean O'Brien", "SHAWN O’BRIEN"),
    (K.NAME, "Selina Cortez", "Cortez, Celina"),
    (K.NAME, "José De La Cruz", "Jose Delacruz"),
    (K.NAME, "Anna Kowalski", "Ana Kowalsky"),
    (K.TEXT, "Don’t ring – knock", "don't  ring - KNOCK"),
    (K.TEXT, "33", 33.0),
    (K.TEXT, "1.50", 1.5),
    (K.TEXT, "1,499", "1499"),
    (K.TEXT, True, "true"),
    (K.TEXT, ["brakes", "wheel"], ["Brakes", " wheel "]),
    (K.TEXT, ["brakes", "wheel"], '["brakes", "wheel"]'),
    (K.TEXT, {"sku": "A1", "count": 2}, {"count": 2.0, "sku": "a1"}),
    (K.TEXT, {"sku": "A1"}, {"sku": "A1", "note": None}),
    (K.PHONE, ["541-555-0171"], ["(541) 555-0171"]),
    (K.AMOUNT, {"fee": 1499}, {"fee": "$14.99"}),
]

OTHER: list[tuple[ValueKind, Any, Any]] = [
    (K.PHONE, "541-555-0171", "541-555-0170"),
    (K.PHONE, "541-555-0171", "555-0171"),
    (K.PHONE, "541-555-0171", "541-555-01711"),
    (K.ZIP, "97035", "97053"),
    (K.ZIP, "97035", "9703"),
    (K.DIGITS, "0171", "171"),
    (K.DIGITS, "0171", 171),
    (K.DIGITS, "33", "330"),
    (K.DIGITS, "33", "3.3"),
    (K.EMAIL, "a.b@example.com", "ab@example.com"),
    (K.EMAIL, "a-b@example.com", "ab@example.com"),
    (K.EMAIL, "a.b@example.com", "a-b@example.com"),
    (K.EMAIL, "a_b@example.com", "ab@example.com"),
    (K.EMAIL, "a+b@example.com", "ab@example.com"),
    (K.EMAIL, "a@mail.example.com", "a@mailexample.com"),
    (K.EMAIL, "a.b@example.com", "a dot b at example dot com"),
    (K.DATE, "2026-08-21", "2026-08-12"),
    (K.DATE, "2026-08-21", "21 August"),
    (K.DATE, "2026-08-21", "2025-08-21"),
    (K.TIME, "14:30", "2:30"),
    (K.TIME, "14:30", "2:30 AM"),
    (K.AMOUNT, 1499, "$1,499"),
    (K.AMOUNT, 1499, "-$14.99"),
    (K.AMOUNT, 1499, "14.99 euros"),
    (K.AMOUNT, 1499, "about 14.99"),
    (K.ORDER_NUMBER, "KE-4498870", "KF-4498870"),
    (K.ORDER_NUMBER, "KE-4498870", "4498870"),
    (K.YES_NO, True, "no"),
    (K.YES_NO, True, 1),
    (K.YES_NO, True, "maybe"),
    (K.SPELLED, "CORTEZ", "CORTES"),
    (K.NAME, "Selina Cortez", "Selina"),
    (K.NAME, "Juan Ortiz", "Joan Ortiz"),
    (K.NAME, "Robert Hale", "Bob Hale"),
    (K.NAME, "Unit 4 Holdings", "Unit 5 Holdings"),
    (K.TEXT, "0171", 171),
    (K.TEXT, "1.5", "15"),
    (K.TEXT, "-5", "5"),
    (K.TEXT, "C++", "C"),
    (K.TEXT, True, "yes please"),
    (K.TEXT, ["1156"], "1156"),
    (K.TEXT, ["a", "b"], ["b", "a"]),
    (K.TEXT, ["a", "b"], ["a"]),
    (K.TEXT, {"sku": "A1", "count": 2}, {"sku": "A1"}),
    (K.TEXT, {"sku": "A1"}, {"sku": "A1", "extra": "x"}),
    (K.TEXT, ["a"], {"0": "a"}),
]


def parameter(kind: ValueKind) -> Parameter:
    return Parameter("x", kind, "A value")


def test_the_table_is_long_enough() -> None:
    assert len(SAME) + len(OTHER) >= 80
    assert {kind for kind, *_ in SAME} == set(K)


@pytest.mark.parametrize(("kind", "one", "other"), SAME)
def test_the_same_value_in_another_form(kind: ValueKind, one: Any, other: Any) -> None:
    assert same_value(parameter(kind), one, other)
    assert same_value(parameter(kind), other, one)


@pytest.mark.parametrize(("kind", "one", "other"), OTHER)
def test_another_value(kind: ValueKind, one: Any, other: Any) -> None:
    assert not same_value(parameter(kind), one, other)
    assert not same_value(parameter(kind), other, one)


@pytest.mark.parametrize(
    "said", ["store_credit", "Store Credit", "store-credit", "GIFT BALANCE", "in store credit"]
)
def test_a_choice_by_spelling_and_documented_alias(said: str) -> None:
    assert same_value(PLAN, "store_credit", said)
    assert not same_value(PLAN, "plan_2", said)


@pytest.mark.parametrize("said", ["credit", "refund", "", 15, ["store_credit"], None])
def test_no_other_word_is_a_choice(said: Any) -> None:
    assert not same_value(PLAN, "store_credit", said)
    assert not same_value(PLAN, "1.5x", "15x")


@pytest.mark.parametrize("kind", [kind for kind in K if kind is not K.NAME])
@pytest.mark.parametrize("sent", [{}, {"x": None}, {"x": "  "}])
def test_an_omitted_argument_never_passes(kind: ValueKind, sent: dict[str, Any]) -> None:
    values = {K.YES_NO: False, K.AMOUNT: 0, K.TEXT: "none"}
    tool = Tool("t", "", (parameter(kind),), lambda context, arguments: {})
    entry = ToolLogEntry(0, "t", sent, "", 200, {}, "accepted", "", 0.0)

    found = differences(ExpectedCall("t", {"x": values.get(kind, "0")}), "accepted", tool, entry)

    assert [difference.what for difference in found] == ["x"]
    assert found[0].observed is None


COLUMNS: list[tuple[ValueKind | ColumnKind, Any, Any]] = [
    (ColumnKind.DATETIME, "2026-03-12 10:30", "2026-03-12T10:30:00Z"),
    (ColumnKind.DATETIME, "2026-03-12 10:30", "2026-03-12T10:30:00.000-05:00"),
    (ColumnKind.DATETIME, "2026-03-12 10:30", "March 12, 2026 at 10:30 AM"),
    (ColumnKind.DATETIME, "2026-03-12 10:30", "3/12/2026, 10:30 am"),
    (ColumnKind.PAYMENT, "Visa ending in 1156", "card_1156"),
    (ColumnKind.PAYMENT, "VISA ****1156", "the card on file ending 1156"),
    (ColumnKind.PAYMENT, "store_credit", "Store credit"),
    (ColumnKind.PAYMENT, "original payment method", "Original form of payment"),
    (ColumnKind.PAYMENT, "gift card 1156", "Gift-Card *1156"),
    (K.YES_NO, 1, "true"),
    (K.YES_NO, 0, "No"),
    (K.PHONE, "541-555-0171", "(541) 555-0171"),
    (K.AMOUNT, 1499, "$14.99"),
    (K.DATE, "2026-03-12", "3/12/2026"),
    (K.TIME, "10:30", "10:30:00"),
    (K.EMAIL, "a.b@example.com", "A.B@example.com"),
]


@pytest.mark.parametrize(("kind", "one", "other"), COLUMNS)
def test_a_column_holds_one_value_in_two_forms(kind: ValueKind | ColumnKind, one: Any, other: Any) -> None:
    assert canonical_column(kind, one) == canonical_column(kind, other)
    assert canonical_column(kind, canonical_column(kind, one)) == canonical_column(kind, one)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        (ColumnKind.DATETIME, "2026-03-12 10:30", "2026-03-12 10:31"),
        (ColumnKind.DATETIME, "2026-03-12 10:30", "2026-03-12 10:30:45"),
        (ColumnKind.DATETIME, "2026-03-12 10:30", "2026-03-12 10:30 PM"),
        (ColumnKind.PAYMENT, "card 1156", "card 1165"),
        (ColumnKind.PAYMENT, "card 1156", "gift card 1156"),
        (ColumnKind.PAYMENT, "card", "store credit"),
        (ColumnKind.PAYMENT, "PayPal", "original payment"),
    ],
)
def test_two_values_of_a_column_stay_two(kind: ColumnKind, one: str, other: str) -> None:
    assert canonical_column(kind, one) != canonical_column(kind, other)
    assert not same_of_kind(kind, one, other)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (ColumnKind.DATETIME, "2026-03-12"),
        (ColumnKind.DATETIME, "10:30"),
        (ColumnKind.DATETIME, 7),
        (ColumnKind.PAYMENT, " "),
    ],
)
def test_what_is_no_such_value_is_refused(kind: ColumnKind, value: Any) -> None:
    with pytest.raises(ValueError, match=str(kind)):
        canonical_column(kind, value)
