"""The canonical written form of each kind of value."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from offhook.values import ValueKind, canonical

FORMS: list[tuple[ValueKind, object, str | int]] = [
    (ValueKind.PHONE, "541-555-0171", "541-555-0171"),
    (ValueKind.PHONE, "(541) 555-0171", "541-555-0171"),
    (ValueKind.PHONE, "+1 541 555 0171", "541-555-0171"),
    (ValueKind.PHONE, "+15415550171", "541-555-0171"),
    (ValueKind.PHONE, 5415550171, "541-555-0171"),
    (ValueKind.PHONE, "541.555.0171", "541-555-0171"),
    (ValueKind.PHONE, "541-555-0171 ext. 204", "541-555-0171"),
    (ValueKind.PHONE, "(541) 555-0171, x204", "541-555-0171"),
    (ValueKind.ZIP, " 97035 ", "97035"),
    (ValueKind.ZIP, "97035-1156", "97035"),
    (ValueKind.ZIP, 97035, "97035"),
    (ValueKind.DIGITS, "1156", "1156"),
    (ValueKind.DIGITS, "0133", "0133"),
    (ValueKind.DIGITS, "4111 1111 1111 1156", "4111111111111156"),
    (ValueKind.EMAIL, "Selina.Cortez@Example.com", "selina.cortez@example.com"),
    (ValueKind.EMAIL, "<a_b+c@mail.example.co.uk>", "a_b+c@mail.example.co.uk"),
    (ValueKind.DATE, "1972-06-30", "1972-06-30"),
    (ValueKind.DATE, "1972-06-30T10:00:00Z", "1972-06-30"),
    (ValueKind.DATE, "June 30, 1972", "1972-06-30"),
    (ValueKind.DATE, "Jun 30th 1972", "1972-06-30"),
    (ValueKind.DATE, "30 June 1972", "1972-06-30"),
    (ValueKind.DATE, "the 30th of June, 1972", "1972-06-30"),
    (ValueKind.DATE, "Friday, June 30, 1972", "1972-06-30"),
    (ValueKind.DATE, "6/30/1972", "1972-06-30"),
    (ValueKind.DATE, "6/30/72", "1972-06-30"),
    (ValueKind.DATE, "30/6/1972", "1972-06-30"),
    (ValueKind.DATE, "1/2/05", "2005-01-02"),
    (ValueKind.DATE, dt.date(1972, 6, 30), "1972-06-30"),
    (ValueKind.TIME, "14:30", "14:30"),
    (ValueKind.TIME, "2:30 PM", "14:30"),
    (ValueKind.TIME, "2:30 p.m.", "14:30"),
    (ValueKind.TIME, "2 pm", "14:00"),
    (ValueKind.TIME, "12:05 am", "00:05"),
    (ValueKind.TIME, "12 PM", "12:00"),
    (ValueKind.TIME, "noon", "12:00"),
    (ValueKind.TIME, "14:30:00", "14:30"),
    (ValueKind.TIME, dt.time(14, 30), "14:30"),
    (ValueKind.TIME, "2026-03-03T14:30", "14:30"),
    (ValueKind.AMOUNT, 1499, 1499),
    (ValueKind.AMOUNT, "$14.99", 1499),
    (ValueKind.AMOUNT, "14.99", 1499),
    (ValueKind.AMOUNT, 14.99, 1499),
    (ValueKind.AMOUNT, Decimal("14.9"), 1490),
    (ValueKind.AMOUNT, "$1,499", 149900),
    (ValueKind.AMOUNT, "1499", 149900),
    (ValueKind.AMOUNT, "14 dollars", 1400),
    (ValueKind.AMOUNT, "-$5.00", -500),
    (ValueKind.AMOUNT, "$.99", 99),
    (ValueKind.AMOUNT, 33.0, 3300),
    (ValueKind.NAME, "Sean O’Brien", "Sean O'Brien"),
    (ValueKind.NAME, "  Cortez,  Selina ", "Selina Cortez"),
    (ValueKind.NAME, "Sam Hill, Jr.", "Sam Hill, Jr"),
    (ValueKind.NAME, "Jose\u0301", "José"),
    (ValueKind.SPELLED, "c-o-r-t-e-z", "CORTEZ"),
    (ValueKind.ORDER_NUMBER, "ke 449 8870", "KE-4498870"),
    (ValueKind.ORDER_NUMBER, "KE4498870", "KE-4498870"),
    (ValueKind.ORDER_NUMBER, "K-E-4498870", "KE-4498870"),
    (ValueKind.ORDER_NUMBER, "#KE-4498870", "KE-4498870"),
    (ValueKind.YES_NO, True, "yes"),
    (ValueKind.YES_NO, "No.", "no"),
    (ValueKind.TEXT, " leave  it\nthere ", "leave it there"),
    *(
        form
        for dash in map(chr, (*range(0x2010, 0x2016), 0x2212))
        for form in (
            (ValueKind.PHONE, f"541{dash}555{dash}0171", "541-555-0171"),
            (ValueKind.ZIP, f"97035{dash}1234", "97035"),
            (ValueKind.DIGITS, f"11{dash}56", "1156"),
            (ValueKind.ORDER_NUMBER, f"KE{dash}4498870", "KE-4498870"),
            (ValueKind.AMOUNT, f"{dash}14.99", -1499),
        )
    ),
]
REFUSED: list[tuple[ValueKind, object]] = [
    (ValueKind.PHONE, "541-555-017"),
    (ValueKind.PHONE, "541-555-01711"),
    (ValueKind.PHONE, None),
    (ValueKind.ZIP, "9703"),
    (ValueKind.ZIP, 2139),
    (ValueKind.DIGITS, "11a6"),
    (ValueKind.DIGITS, ""),
    (ValueKind.EMAIL, "selina at example.com"),
    (ValueKind.EMAIL, "a@b"),
    (ValueKind.DATE, "June 31, 1972"),
    (ValueKind.DATE, "13/13/1972"),
    (ValueKind.DATE, "June 30"),
    (ValueKind.TIME, "25:00"),
    (ValueKind.TIME, "13 pm"),
    (ValueKind.TIME, "2"),
    (ValueKind.AMOUNT, "fourteen"),
    (ValueKind.AMOUNT, "14.999"),
    (ValueKind.AMOUNT, "$"),
    (ValueKind.AMOUNT, True),
    (ValueKind.AMOUNT, float("nan")),
    (ValueKind.NAME, "123"),
    (ValueKind.SPELLED, "--"),
    (ValueKind.ORDER_NUMBER, "4498870"),
    (ValueKind.ORDER_NUMBER, "ORDER-4498870"),
    (ValueKind.YES_NO, "maybe"),
]


@pytest.mark.parametrize(("kind", "value", "form"), FORMS)
def test_written_forms_fold_to_one(kind: ValueKind, value: object, form: str | int) -> None:
    assert canonical(kind, value) == form
    assert type(canonical(kind, value)) is type(form)


@pytest.mark.parametrize(("kind", "value", "form"), FORMS)
def test_canonical_forms_map_to_themselves(kind: ValueKind, value: object, form: str | int) -> None:
    assert canonical(kind, form) == form


@pytest.mark.parametrize(("kind", "value"), REFUSED)
def test_anything_else_is_refused_by_kind_value_and_form_expected(kind: ValueKind, value: object) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        canonical(kind, value)
    message = str(caught.value)
    assert message.startswith(f"{kind} ")
    assert str(value) in message
    assert "\n" not in message


def test_a_kind_can_be_given_by_its_name() -> None:
    assert canonical("zip", "97035") == "97035"  # type: ignore[arg-type]
