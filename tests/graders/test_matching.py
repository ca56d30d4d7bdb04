"""Values that mean the same, and assignments that are as large as possible."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offhook.packs import Choice, Parameter
from offhook.values import ValueKind
from offhook_graders.adherence.matching import assign, fold_text, is_given, same_value

PLAN = Parameter(
    "plan",
    ValueKind.TEXT,
    "Which plan",
    choices=(Choice("plus", "the paid plan", ("Kestrel Plus",)), Choice("total", "the dearest plan")),
)


def parameter(kind: ValueKind) -> Parameter:
    return Parameter("x", kind, "A value")


@pytest.mark.parametrize(
    ("kind", "expected", "observed"),
    [
        (ValueKind.PHONE, "541-555-0171", "(541) 555 0171"),
        (ValueKind.PHONE, "541-555-0171", 5415550171),
        (ValueKind.ZIP, "97035", "97035-1234"),
        (ValueKind.DIGITS, "33", 33.0),
        (ValueKind.DIGITS, "1156", "1 1 5 6"),
        (ValueKind.DATE, "2026-08-21", "August 21, 2026"),
        (ValueKind.TIME, "14:30", "2:30 PM"),
        (ValueKind.AMOUNT, 1499, "$14.99"),
        (ValueKind.AMOUNT, 1499, 14.99),
        (ValueKind.AMOUNT, 33, 33.0),
        (ValueKind.AMOUNT, 1499, 1499.0),
        (ValueKind.ORDER_NUMBER, "KE-4498870", "ke 4498870"),
        (ValueKind.YES_NO, True, "Yes"),
        (ValueKind.EMAIL, "a.b@example.com", "A.B@Example.com"),
        (ValueKind.TEXT, "Don’t ring – knock", "don't ring -  knock"),
        (ValueKind.TEXT, "Café Zoë", "CAFE ZOE"),
        (ValueKind.NAME, "Sean O'Brien", "O’Brien, Shawn"),
        (ValueKind.NAME, "Selina Cortez", "Celina Cortes"),
    ],
)
def test_usual_forms_of_one_value_are_equal(kind: ValueKind, expected: object, observed: object) -> None:
    assert same_value(parameter(kind), expected, observed)


@pytest.mark.parametrize(
    ("kind", "expected", "observed"),
    [
        (ValueKind.PHONE, "541-555-0171", "541-555-0172"),
        (ValueKind.PHONE, "541-555-0171", "555-0171"),
        (ValueKind.AMOUNT, 1499, 1500),
        (ValueKind.AMOUNT, 1499, "14.99 euros"),
        (ValueKind.DATE, "2026-08-21", "2026-08-12"),
        (ValueKind.YES_NO, True, False),
        (ValueKind.YES_NO, True, 1),
        (ValueKind.TEXT, "1.5", "15"),
        (ValueKind.TEXT, "-5", "5"),
        (ValueKind.TEXT, "shift -5 hours", "shift 5 hours"),
        (ValueKind.TEXT, "C++", "C"),
        (ValueKind.TEXT, "C#", "C"),
        (ValueKind.TEXT, None, "None"),
        (ValueKind.TEXT, "!", "?"),
        (ValueKind.NAME, "Selina Cortez", "Selina"),
        (ValueKind.NAME, "Selina Cortez", "Marco Cortez"),
        (ValueKind.DIGITS, "1156", ["1156"]),
    ],
)
def test_other_values_are_not(kind: ValueKind, expected: object, observed: object) -> None:
    assert not same_value(parameter(kind), expected, observed)


def test_a_choice_is_known_by_its_value_and_aliases() -> None:
    assert same_value(PLAN, "plus", "KESTREL_plus")
    assert not same_value(PLAN, "plus", "total")
    assert not same_value(PLAN, "plus", "plus plus")


@pytest.mark.parametrize("value", [None, "", " \t"])
def test_null_and_blank_are_omissions(value: object) -> None:
    assert not is_given(value)


@pytest.mark.parametrize("value", [0, False, "0", []])
def test_falsy_values_are_given(value: object) -> None:
    assert is_given(value)


@given(st.text())
def test_folding_text_is_stable(text: str) -> None:
    assert fold_text(fold_text(text)) == fold_text(text)


# --- assignment ---


def most_pairs(eligible: list[list[bool]]) -> int:
    """By trying every order of the columns."""
    width = len(eligible[0]) if eligible else 0
    columns = [*range(width), *[None] * len(eligible)]
    best = 0
    for order in set(permutations(columns, len(eligible))):
        best = max(
            best, sum(column is not None and row[column] for row, column in zip(eligible, order, strict=True))
        )
    return best


MATRICES = st.integers(0, 4).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), max_size=4)
)


@settings(deadline=None)  # the first assignment imports scipy
@given(MATRICES)
def test_no_assignment_pairs_more(eligible: list[list[bool]]) -> None:
    assigned = assign(eligible)
    pairs = [(row, column) for row, column in enumerate(assigned) if column is not None]

    assert all(eligible[row][column] for row, column in pairs)
    assert len({column for _, column in pairs}) == len(pairs)
    assert len(pairs) == most_pairs(eligible)


@settings(deadline=None)
@given(MATRICES, st.randoms(use_true_random=False))
def test_order_of_calls_does_not_change_how_many_match(eligible: list[list[bool]], rng: object) -> None:
    shuffled = [list(row) for row in eligible]
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    width = len(eligible[0]) if eligible else 0
    order = list(range(width))
    rng.shuffle(order)  # type: ignore[attr-defined]
    permuted = [[row[column] for column in order] for row in shuffled]

    assert sum(column is not None for column in assign(permuted)) == sum(
        column is not None for column in assign(eligible)
    )


def test_greedy_would_strand_a_row_here() -> None:
    assert assign([[True, True], [True, False]]) == (1, 0)
    assert assign([[True, True, False], [True, False, False], [False, True, True]]) == (1, 0, 2)


def test_assigning_nothing_is_fine() -> None:
    assert assign([]) == ()
    assert assign([[], []]) == (None, None)
    assert assign([[False, False]]) == (None,)


@pytest.mark.parametrize(
    ("one", "other"), [("\u22125", "-5"), ("+5", "5"), ("apt #5", "Apt 5"), ("a-5", "a5"), ("C ++", "c")]
)
def test_marks_that_only_writing_shows_are_no_difference(one: str, other: str) -> None:
    assert fold_text(one) == fold_text(other)


@given(st.text("-+#. a5_\u2212"))
def test_folding_marks_is_stable(text: str) -> None:
    assert fold_text(fold_text(text)) == fold_text(text)
