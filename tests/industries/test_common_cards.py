"""Card numbers, however they are written down, and what is only about as long."""

from __future__ import annotations

import pytest

from offhook.packs import ToolRefusal
from offhook_industries.common.cards import refuse_card_numbers

GROUPED = "4482 1905 7736 4356"


@pytest.mark.parametrize(
    "number",
    [
        "4482190577364356",
        GROUPED,
        "4482, 1905, 7736, 4356",
        "4482 - 1905 - 7736 - 4356",
        "4482/1905/7736/4356",
        "4 4 8 2 1 9 0 5 7 7 3 6 4 3 5 6",
        "4, 4, 8, 2, 1, 9, 0, 5, 7, 7, 3, 6, 4, 3, 5, 6",
        "Four four eight two one nine oh five seven seven three six four three five six",
        "3782, 822463, 10005",
        "448-219-0577 364356",
        "٤٤٨٢١٩٠٥٧٧٣٦٤٣٥٦",
    ],
)
def test_a_card_number_is_refused_however_it_is_written(number: str) -> None:
    with pytest.raises(ToolRefusal) as caught:
        refuse_card_numbers(f"card {number}, they said", "details")
    assert (caught.value.code, caught.value.field) == ("card_number_in_text", "details")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "called from 404-555-0137 770-555-0148 and again",
        "on 2026-08-12 10:15, 10:20 and 11:00",
        "paid $1,299.99 on 08/12/2026, 14:30",
        "orders KE-4482047 and KE-4429357",
        "one or two of the three or four",
        "x" * 60_000,
        "1 " * 11 + "a",
    ],
)
def test_other_figures_are_written_down(text: str) -> None:
    refuse_card_numbers(text, "details")


def test_where_other_long_numbers_are_given_the_check_digit_decides() -> None:
    refuse_card_numbers("the claim is 4482190577364356", "note", checked=True)
    with pytest.raises(ToolRefusal):
        refuse_card_numbers("the card is 4111-1111-1111-1111", "note", checked=True)
