"""Written lines and values as they are said."""

from __future__ import annotations

import pytest

from offhook.spoken import normalise_words
from offhook.values import ValueKind
from offhook.verbalise import verbalise, verbalise_value

LINES = [
    (
        "Selina Cortez, 541-555-0171.",
        "Selina Cortez, five four one, five five five, zero one seven one.",
    ),
    ("Call 1-800-555-0199.", "Call one, eight zero zero, five five five, zero one nine nine."),
    ("(541) 555-0171", "five four one, five five five, zero one seven one"),
    ("ZIP 97035, card ending 1156.", "ZIP nine seven zero three five, card ending one one five six."),
    ("last four 2019", "last four two zero one nine"),
    ("Order KE-4498870, the speaker.", "Order K E, four four nine eight eight seven zero, the speaker."),
    ("It was $14.99.", "It was fourteen dollars and ninety-nine cents."),
    ("$1,299.00", "one thousand two hundred ninety-nine dollars"),
    ("$0.05, $1.00 and $20", "five cents, one dollar and twenty dollars"),
    ("-$5.01", "minus five dollars and one cent"),
    ("born June 30, 1972", "born June thirtieth, nineteen seventy-two"),
    ("on 1972-06-30", "on June thirtieth, nineteen seventy-two"),
    ("6/30/72", "June thirtieth, nineteen seventy-two"),
    ("the 30th of June", "the thirtieth of June"),
    ("5 May 2005", "the fifth of May, two thousand five"),
    ("July 2025", "July twenty twenty-five"),
    ("May 5", "May fifth"),
    ("may 5 people come", "may five people come"),
    ("at 2:30 p.m. today", "at two thirty P M today"),
    ("by 2 PM.", "by two P M."),
    ("9:05am", "nine oh five A M"),
    ("at 9:00", "at nine o'clock"),
    ("14:30", "two thirty P M"),
    ("00:15", "twelve fifteen A M"),
    ("15% off", "fifteen percent off"),
    ("12.5%", "twelve point five percent"),
    ("the 3rd and 22nd", "the third and twenty-second"),
    ("selina.cortez72@example.com", "selina dot cortez seven two at example dot com"),
    ("a_b-c+d@mail.example.org", "a underscore b dash c plus d at mail dot example dot org"),
    ("1,156 points", "one thousand one hundred fifty-six points"),
    ("Room #12 & bar", "Room number twelve and bar"),
    ("AT&T", "AT and T"),
    ("a 30-day return", "a thirty-day return"),
    ("6 months", "six months"),
    ("since 2024", "since twenty twenty-four"),
    ("2-3 days", "two to three days"),
    ("24/7", "twenty-four seven"),
    ("1/2 off", "one half off"),
    ("3.5 stars", "three point five stars"),
    ("code 0133", "code zero one three three"),
    ("call 911", "call nine one one"),
    ("T4", "T four"),
    ("４１", "forty-one"),
    ("5, 6, 7", "five, six, seven"),
]
UNTOUCHED = [
    "I'm Sean O'Brien, and it's Karen's card.",
    "No thanks — that's all; bye!",
    "Is the Kestrel Plus plan (the yearly one) mine?",
    "José Muñoz-Díaz",
    "",
]
VALUES = [
    (ValueKind.PHONE, "(541) 555-0171", "five four one, five five five, zero one seven one"),
    (ValueKind.ZIP, "97035", "nine seven zero three five"),
    (ValueKind.DIGITS, "1156", "one one five six"),
    (ValueKind.ORDER_NUMBER, "KE-4498870", "K E, four four nine eight eight seven zero"),
    (ValueKind.AMOUNT, 1499, "fourteen dollars and ninety-nine cents"),
    (ValueKind.AMOUNT, 0, "zero dollars"),
    (ValueKind.DATE, "1972-06-30", "June thirtieth, nineteen seventy-two"),
    (ValueKind.TIME, "14:30", "two thirty P M"),
    (ValueKind.TIME, "00:05", "twelve oh five A M"),
    (ValueKind.EMAIL, "a.b7@example.com", "a dot b seven at example dot com"),
    (ValueKind.NAME, "Sean O’Brien", "Sean O'Brien"),
    (ValueKind.SPELLED, "CORTEZ", "C, O, R, T, E, Z"),
    (ValueKind.YES_NO, True, "yes"),
    (ValueKind.TEXT, "on 6/30/72", "on June thirtieth, nineteen seventy-two"),
]
CAREFUL = [
    (ValueKind.PHONE, "541-555-0171", "five, four, one. five, five, five. zero, one, seven, one"),
    (ValueKind.ZIP, "97035", "nine, seven, zero, three, five"),
    (ValueKind.ORDER_NUMBER, "KE-4498870", "K, E, four, four, nine, eight, eight, seven, zero"),
    (ValueKind.AMOUNT, 1499, "fourteen dollars, and ninety-nine cents"),
    (ValueKind.DATE, "1972-06-30", "June thirtieth, one nine seven two"),
    (ValueKind.NAME, "Cortez", "Cortez. C, O, R, T, E, Z"),
    (ValueKind.NAME, "Wei Li", "First name Wei, W, E, I. Last name Li, L, I"),
    (
        ValueKind.NAME,
        "Mary Ann O'Dea",
        "First name Mary Ann, M, A, R, Y, A, N, N. Last name O'Dea, O, D, E, A",
    ),
    (ValueKind.NAME, "Ana de la Paz", "First name Ana, A, N, A. Last name de la Paz, D, E, L, A, P, A, Z"),
    (ValueKind.EMAIL, "ab@example.com", "A, B, at example dot com"),
]


@pytest.mark.parametrize(("written", "said"), LINES)
def test_lines(written: str, said: str) -> None:
    assert verbalise(written) == said


@pytest.mark.parametrize("line", UNTOUCHED)
def test_ordinary_words_stay_as_they_are(line: str) -> None:
    assert verbalise(line) == line


@pytest.mark.parametrize(("kind", "value", "said"), VALUES)
def test_values(kind: ValueKind, value: object, said: str) -> None:
    assert verbalise_value(kind, value) == said


@pytest.mark.parametrize(("kind", "value", "said"), CAREFUL)
def test_careful_values_are_spelled_out(kind: ValueKind, value: object, said: str) -> None:
    assert verbalise_value(kind, value, careful=True) == said


def test_a_value_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="phone '97035': expected ten digits"):
        verbalise_value(ValueKind.PHONE, "97035")


@pytest.mark.parametrize(
    "line",
    [
        "Selina Cortez, 541-555-0171.",
        "ZIP 97035, card ending 1156.",
        "Order KE-4498870, the speaker.",
        "That's $14.99 for 6 unused months, 15% off $1,299.00.",
        "I was born June 30, 1972, or 6/30/1972, at 2:30 p.m.",
        "Write to selina.cortez72@example.com, room #12 & bar.",
        "It's a 30-day return, 1,156 points and the 3rd time in 2024.",
    ],
)
def test_a_line_and_its_spoken_form_are_equal_to_the_word_normaliser(line: str) -> None:
    assert normalise_words(verbalise(line)) == normalise_words(line)
