"""Whether a transcript states a value: whole, over two lines, and never by half."""

from __future__ import annotations

import cProfile
import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.spoken import states_value
from offhook.values import ValueKind

TODAY = dt.date(2026, 3, 3)  # a Tuesday
STATED = [
    ("phone", "541-555-0171", ["my number is five four one", "five five five oh one seven one"]),
    ("phone", "541-555-0171", ["It's five four one.", "And then, five five five, oh one seven one."]),
    ("phone", "541-555-0171", "five four one, five five five, oh one seven one, nine seven oh three five"),
    ("zip", "97035", "nine seven oh three five one one five six"),
    ("digits", "1156", "nine seven oh three five one one five six"),
    ("digits", "1156", "card 1156, 2 items"),
    ("digits", "1156", "my phone is 1156"),
    ("order_number", "KE-4498870", ["K E four four nine", "eight eight seven oh"]),
    ("email", "bob.lin@example.com", "please write bob dot lin at example dot com"),
    ("name", "Selina Cortez", "Yes, Celina Cortes here"),
    ("name", "Sean O'Brien", "it's Sean O Brien's"),
    ("name", "Selina Cortez", ["Selina.", "Cortez."]),
    ("name", "Ana De La Cruz", "Ana Delacruz speaking"),
    ("date", "2026-03-10", "on March tenth"),
    ("date", "2026-03-02", "I bought it on March second"),
    ("date", "2026-03-05", "the day after tomorrow"),
    ("date", "2026-02-27", "last Friday"),
    ("time", "14:30", "at half past two"),
    ("time", "09:00", "at nine"),
    ("amount", 1499, "it was fourteen ninety-nine"),
    ("amount", 99, "ninety-nine cents"),
    ("spelled", "CORTEZ", "Cortez, with a z"),
    ("text", "the blue one", "I'd like THE blue one, please"),
    ("text", "1156 Oak St.", "at eleven fifty-six Oak Street"),
    ("yes_no", "yes", ["what?", "Yes please"]),
]
NOT_STATED = [
    ("digits", "1156", "811562"),
    ("digits", "1156", "541-555-1156"),
    ("digits", "1156", "eight one one five six two"),
    ("digits", "1156", "eight, one, one, five, six, two"),
    ("digits", "1156", "eight, one, one, five, six"),
    ("digits", "1156", "115 and 6"),
    ("zip", "97035", "97035 55012"),
    ("zip", "97035", "970351"),
    ("phone", "541-555-0171", ["five four one", "five five five oh one seven"]),
    ("phone", "541-555-0171", "555-0171"),
    ("order_number", "KE-4498870", "order 4498870"),
    ("order_number", "KE-449887", "KE-4498870"),
    ("email", "bob@example.com", "joe.bob@example.com"),
    ("email", "cortez@example.com", "selina dot cortez at example dot com"),
    ("email", "cortez@example.com", "selina cortez at example dot com"),
    ("email", "a.b@example.com", "ab@example.com"),
    ("name", "Sean O'Brien", "Sean Brien"),
    ("name", "Selina Cortez", "my name is Selina"),
    ("date", "2026-06-30", "June thirtieth, 2025"),
    ("date", "2026-03-10", "on March tenth, nineteen seventy"),
    ("time", "14:30", "2:30 am"),
    ("time", "02:00", "I have two of them"),
    ("amount", 1500, "on June 15"),
    ("amount", 149900, "$14.99"),
    ("amount", 49900, "$1,499"),
    ("amount", 9900, "ninety-nine cents"),
    ("spelled", "CORTE", "C-O-R-T-E-Z"),
    ("text", "5 Oak Street", "at 25 Oak Street"),
    ("yes_no", "yes", "No, thanks."),
]
SAMPLES: dict[ValueKind, str | int] = {
    ValueKind.NAME: "Selina Cortez",
    ValueKind.PHONE: "541-555-0171",
    ValueKind.ZIP: "97035",
    ValueKind.DIGITS: "1156",
    ValueKind.EMAIL: "a.b@example.com",
    ValueKind.DATE: "1972-06-30",
    ValueKind.TIME: "14:30",
    ValueKind.AMOUNT: 1499,
    ValueKind.SPELLED: "CORTEZ",
    ValueKind.ORDER_NUMBER: "KE-4498870",
    ValueKind.YES_NO: "yes",
    ValueKind.TEXT: "leave it 5",
}


@pytest.mark.parametrize(("kind", "value", "text"), STATED)
def test_stated(kind: str, value: object, text: str | list[str]) -> None:
    stated = states_value(ValueKind(kind), value, text, today=TODAY)
    assert stated.found
    assert stated.form
    assert stated.span is not None
    joined = text if isinstance(text, str) else "\n".join(text)
    assert joined[slice(*stated.span)] == stated.evidence != ""


@pytest.mark.parametrize(("kind", "value", "text"), NOT_STATED)
def test_not_stated(kind: str, value: object, text: str | list[str]) -> None:
    stated = states_value(ValueKind(kind), value, text, today=TODAY)
    assert not stated.found, stated
    assert stated.span is None


def test_evidence_is_the_stretch_that_states_the_value() -> None:
    line = "ZIP 97035, card ending 1156."
    assert states_value(ValueKind.DIGITS, "1156", line).evidence == "1156"
    assert states_value(ValueKind.TEXT, "card ending", line).evidence == "card ending"


def test_a_day_without_its_year_needs_today() -> None:
    assert not states_value(ValueKind.DATE, "2026-03-10", "on March tenth").found


def test_a_value_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="expected ten digits"):
        states_value(ValueKind.PHONE, "97035", "97035")


@given(st.sampled_from(list(ValueKind)), st.text(), st.booleans())
def test_no_text_raises(kind: ValueKind, text: str, dated: bool) -> None:
    stated = states_value(kind, SAMPLES[kind], text, today=TODAY if dated else None)
    assert stated.found == (stated.span is not None)


@given(
    st.from_regex(r"[0-9]{4}", fullmatch=True), st.from_regex(r"[0-9]{1,3}", fullmatch=True), st.booleans()
)
def test_a_longer_number_never_states_its_part(value: str, more: str, before: bool) -> None:
    longer = more + value if before else value + more
    if value not in (longer.replace(value, "", 1), ""):
        assert not states_value(ValueKind.DIGITS, value, f"it is {longer}.").found


def _calls_made(kind: ValueKind, value: str | int, text: str) -> int:
    profile = cProfile.Profile()
    profile.runcall(states_value, kind, value, text)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize(
    ("kind", "value"),
    [(ValueKind.AMOUNT, 1499), (ValueKind.PHONE, "541-555-0171"), (ValueKind.DIGITS, "1156")],
)
def test_a_text_twice_as_long_is_no_more_than_twice_the_work(kind: ValueKind, value: str | int) -> None:
    line = "five four one "
    assert _calls_made(kind, value, line * 600) < 2.3 * _calls_made(kind, value, line * 300)
