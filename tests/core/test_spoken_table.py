"""What recognisers write down, and the value that was meant. One row per way of saying or hearing it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from offhook.spoken import digit_runs, normalise_words, parse_spoken
from offhook.values import ValueKind

TODAY = dt.date(2026, 3, 3)  # a Tuesday

PHONES: list[tuple[str, str | None]] = [
    ("541-555-0171", "541-555-0171"),
    ("541-555-0171.", "541-555-0171"),
    ("5-4-1, 5-5-5, 0-1-7-1", "541-555-0171"),
    ("5-4-1-5-5-5-0-1-7-1", "541-555-0171"),
    ("(541) 555-0171", "541-555-0171"),
    ("541.555.0171", "541-555-0171"),
    ("541 555 0171", "541-555-0171"),
    ("5415550171", "541-555-0171"),
    ("+1 541 555 0171", "541-555-0171"),
    ("1-541-555-0171", "541-555-0171"),
    ("five four one, five five five, zero one seven one", "541-555-0171"),
    ("five four one five five five zero one seven one", "541-555-0171"),
    ("Five, four, one. Five, five, five. Zero, one, seven, one.", "541-555-0171"),
    ("five four one 555 01 71", "541-555-0171"),
    ("five forty one, triple five, oh one seven one", "541-555-0171"),
    ("541 triple five 0171", "541-555-0171"),
    ("five four one, five double five, O one seven one", "541-555-0171"),
    ("five hundred forty one, five fifty five, zero one seven one", "541-555-0171"),
    ("five four one um five five five zero one seven one", "541-555-0171"),
    ("My number is 212-555-0133. If that's the one, yes.", "212-555-0133"),
    ("text it to 212-555-0133", "212-555-0133"),
    ("One eight hundred five five five oh one nine nine", "800-555-0199"),
    ("five won for 555 0171", None),
    ("two one two, five five five, oh won three three", "212-555-0133"),
    ("two one two, five five five, oh one three for", "212-555-0134"),
    ("541-555-0171, that's 541-555-0171", "541-555-0171"),
    ("541-555-0171, no wait, 541-555-0172", "541-555-0172"),
    ("541-555-0171 or 541-555-0172", None),
    ("541-555-017", None),
    ("five four one five five zero one seven one", None),
    ("541-555-01717", None),
    ("154-155-5017", None),
    ("I'd rather not say.", None),
    ("Selina Cortez, 541-555-0171, ZIP 97035.", "541-555-0171"),
    ("541-555-0171, 97035", "541-555-0171"),
]
ZIPS: list[tuple[str, str | None]] = [
    ("97035", "97035"),
    ("97,035", "97035"),
    ("zip 9-7-0-3-5", "97035"),
    ("nine seven oh three five", "97035"),
    ("Nine, seven, zero, three, five.", "97035"),
    ("ninety seven oh thirty five", "97035"),
    ("ninety-seven thousand thirty-five", "97035"),
    ("9 7 0 3 5", "97035"),
    ("970 35", "97035"),
    ("97035-1156", "97035"),
    ("It's nine seven zero double three", "97033"),
    ("zero two one three nine", "02139"),
    ("Oh, two one three nine.", "02139"),
    ("nine seven oh three for", "97034"),
    ("ZIP 97035, card ending 1156.", "97035"),
    ("ZIP nine seven zero three five, card ending one one five six", "97035"),
    ("nine seven zero three five one one five six", "97035"),
    ("97035 1156", "97035"),
    ("9703", None),
    ("970355", None),
    ("541-555-0171", None),
    ("card number 97035", None),
    ("the ZIP is 97035, sorry, 97053", "97053"),
]
LAST_FOUR: list[tuple[str, str | None]] = [
    ("1156", "1156"),
    ("1156.", "1156"),
    ("1,156", "1156"),
    ("11-56", "1156"),
    ("eleven fifty-six", "1156"),
    ("one one five six", "1156"),
    ("double one five six", "1156"),
    ("one thousand one hundred fifty six", "1156"),
    ("Zero one three three", "0133"),
    ("Oh, one three three.", "0133"),
    ("Oh one three three", "0133"),
    ("twenty-two fifteen", "2215"),
    ("the last four are one one five six", "1156"),
    ("last four: 1156", "1156"),
    ("The last 4 digits are 1156.", "1156"),
    ("ZIP 97035, card ending 1156.", "1156"),
    ("ZIP nine seven zero three five, card ending in one one five six", "1156"),
    ("nine seven oh three five one one five six", "1156"),
    ("115", None),
    ("11567", None),
    ("541-555-0171", None),
    ("zip 9703", None),
]
AMOUNTS: list[tuple[str, int | None]] = [
    ("$14.99", 1499),
    ("14.99", 1499),
    ("fourteen ninety-nine", 1499),
    ("14 99", 1499),
    ("fourteen dollars and ninety nine cents", 1499),
    ("fourteen dollars ninety-nine", 1499),
    ("14 dollars and 99 cents", 1499),
    ("fourteen point nine nine", 1499),
    ("about fifteen bucks", 1500),
    ("fifteen", 1500),
    ("$1,499.00", 149900),
    ("$1,499", 149900),
    ("one thousand four hundred ninety-nine dollars", 149900),
    ("fourteen hundred dollars", 140000),
    ("a hundred and twenty dollars", 12000),
    ("ninety-nine cents", 99),
    ("99 cents", 99),
    ("five oh five", 505),
    ("five dollars and five cents", 505),
    ("two fifty", 250),
    ("a dollar fifty", 150),
    ("a buck", 100),
    ("zero dollars", 0),
    ("minus five dollars", -500),
    ("one hundred fourteen ninety nine", 11499),
    ("$65.50, no wait, $25", 2500),
    ("You said $65.50 and I heard $25.", None),
    ("It was $14.99 for 6 unused months.", 1499),
    ("$14 and 99 cents", 1499),
    ("fourteen ninety nine a month for six months", 1499),
    ("15 percent of $30", 3000),
    ("no idea", None),
]
DATES: list[tuple[str, str | None]] = [
    ("June thirtieth, nineteen seventy-two", "1972-06-30"),
    ("June 30th, 1972.", "1972-06-30"),
    ("June 30th 1972", "1972-06-30"),
    ("June 30, 1972", "1972-06-30"),
    ("the thirtieth of June, nineteen seventy two", "1972-06-30"),
    ("30 June 1972", "1972-06-30"),
    ("June the 30th, '72", "1972-06-30"),
    ("6/30/72", "1972-06-30"),
    ("6/30/1972", "1972-06-30"),
    ("6-30-1972", "1972-06-30"),
    ("30/6/1972", "1972-06-30"),
    ("1972-06-30", "1972-06-30"),
    ("six thirty seventy two", "1972-06-30"),
    ("oh six thirty nineteen seventy two", "1972-06-30"),
    ("06301972", "1972-06-30"),
    ("June thirtieth, one nine seven two", "1972-06-30"),
    ("My birthday is March 3rd, 2001, and my ZIP is 97035.", "2001-03-03"),
    ("May twenty-first, two thousand and five", "2005-05-21"),
    ("May twenty first two thousand five", "2005-05-21"),
    ("May 21st, twenty twelve", "2012-05-21"),
    ("Sept. 9, 1988", "1988-09-09"),
    ("December first, nineteen oh five", "1905-12-01"),
    ("the thirtieth of June", "2026-06-30"),
    ("March second", "2027-03-02"),
    ("tomorrow", "2026-03-04"),
    ("Friday works", "2026-03-06"),
    ("June 31st, 1972", None),
    ("June 30th, 1970 2", None),
    ("May I call you back?", None),
]
TIMES: list[tuple[str, str | None]] = [
    ("2:30 p.m.", "14:30"),
    ("2:30 PM", "14:30"),
    ("2.30 pm", "14:30"),
    ("230 pm", "14:30"),
    ("two thirty P M", "14:30"),
    ("half past two", "02:30"),
    ("half past two in the afternoon", "14:30"),
    ("quarter to three pm", "14:45"),
    ("a quarter past nine in the morning", "09:15"),
    ("ten to six tonight", "17:50"),
    ("twenty-five after four p.m.", "16:25"),
    ("fourteen thirty", "14:30"),
    ("14:30", "14:30"),
    ("noon", "12:00"),
    ("midnight", "00:00"),
    ("twelve thirty am", "00:30"),
    ("twelve P M", "12:00"),
    ("two oh five pm", "14:05"),
    ("eight o'clock in the evening", "20:00"),
    ("at nine", "09:00"),
    ("June 30 at 2:30 pm", "14:30"),
    ("whenever", None),
]
NAMES: list[tuple[str, str | None]] = [
    ("My name is Selina Cortez.", "Selina Cortez"),
    ("my name is selina cortez", "Selina Cortez"),
    ("Selina Cortez, five four one, five five five, oh one seven one", "Selina Cortez"),
    ("Selina Cortez, 541-555-0171.", "Selina Cortez"),
    ("Yes, it's Selina Cortez.", "Selina Cortez"),
    ("It's Karen Nguyen", "Karen Nguyen"),
    ("This is O'Brien, Sean", "Sean O'Brien"),
    ("I'm Sean O’Brien.", "Sean O'Brien"),
    ("The name on the account is Jean-Luc Picot.", "Jean-Luc Picot"),
    ("last name Cortez C-O-R-T-E-Z", "Cortez"),
    ("The last name is Cortes, C-O-R-T-E-Z.", "Cortez"),
    ("Salina Cortes, S-E-L-I-N-A, C-O-R-T-E-Z", "Selina Cortez"),
    ("Selina Cortez. S, E, L, I, N, A. C, O, R, T, E, Z.", "Selina Cortez"),
    ("Selina. C-O-R-T-E-Z.", "Selina Cortez"),
    ("first name Karen, last name Nguyen", "Karen Nguyen"),
    ("last name Nguyen, first name Karen", "Karen Nguyen"),
    ("Karen, K-A-R-E-N, Nguyen, N-G-U-Y-E-N", "Karen Nguyen"),
    ("Pieter van der Berg here.", "Pieter van der Berg"),
    ("José García", "José García"),
    ("You can call me Maria.", "Maria"),
    ("selina cortez", "Selina Cortez"),
    ("Selina. Cortez.", "Selina Cortez"),
    ("The name is Will Young.", "Will Young"),
    ("I was born in June, Selina Cortez.", "Selina Cortez"),
    ("That's C as in Charlie, O, R, T, E, Z.", "Cortez"),
    # Labelled and spelled: what was made of the spoken word hardly matters.
    ("First name Selina, S, E, L, I, N, A. Last name Cortez, C, O, R, T, E, Z.", "Selina Cortez"),
    ("First name juice, J, O, O, S, T. Last name, Crueger, K, R, U, G, E, R", "Joost Kruger"),
    ("First name me next, she, I, N, E, S. Best name the liar, I, Y, E, R.", "Ines Iyer"),
    ("First name, W, E, I. Last name, L, I. Phone number 541-555-0171.", "Wei Li"),
    ("Last name Okoye, O, K, O, Y, E. First name Ada, A, D, A.", "Ada Okoye"),
    ("First name Z name, Z, A, Y, N, A, B. Last name collar, K, H, A, L, I, L.", "Zaynab Khalil"),
    ("First name Ada, A, D, A. Last name Berg, B, E, R, G. First name Ada, A, D, A. Last name", "Ada Berg"),
    # The first letter was taken for another that rhymes with it; the word begins as it should.
    ("First name Bastion, V, A, S, T, I, E, N. Last name Mark, N, A, R, K", "Bastien Mark"),
    # One letter of the row was lost, the word has it.
    ("First name Saskia, S, A, S, K, I. Last name Whitaker, W, H, T, A, K, E, R.", "Saskia Whitaker"),
    ("First name Rowan, R, O, W, A, and last name Holloway, H, O, L, L, O, W, A, Y", "Rowan Holloway"),
    ("First name Phillip, P, H, I, L, I, P. Last name Li, L, I.", "Philip Li"),
    ("First name takes you T, A, K, E, S, H, I. Last name choice, C, H, O, I.", "Takeshi Choi"),
    # Spelled in one go, with a word between that belongs to the name.
    ("Tams and Whittaker, T-A-M-S-I-N-W-H-I-T-A-K-E-R.", "Tamsin Whitaker"),
    ("Elif Thurya Demir, E, L, E, F, T, H, E, R, I, A, D, E, M, I, R.", "Eleftheria Demir"),
    ("Maria Garcia Lopez, G-A-R-C-I-A-L-O-P-E-S", "Maria Garcia Lopes"),
    # A comma left out among the letters.
    ("C, O, R T, E, Z", "Cortez"),
    ("Last name is spelled O, apostrophe, B, R, I, E, N", "O'Brien"),
    ("I want to cancel my membership.", None),
    ("541-555-0171", None),
]
SPELLED: list[tuple[str, str | None]] = [
    ("C-O-R-T-E-Z", "CORTEZ"),
    ("C, O, R, T, E, Z", "CORTEZ"),
    ("C O R T E Z", "CORTEZ"),
    ("C. O. R. T. E. Z.", "CORTEZ"),
    ("It's spelled CORTEZ.", "CORTEZ"),
    ("N A N C Y", "NANCY"),
    ("H-E-double L-O", "HELLO"),
    ("S as in Sam, A as in apple, M as in Mary", "SAM"),
    ("B as in David, O, B", "DOB"),
    ("Charlie Oscar Romeo", "COR"),
    ("Cee oh are tea ee zee", "CORTEZ"),
    ("double U, E, I", "WEI"),
    ("K, E, four, nine", "KE49"),
    ("Cortez", None),
]
EMAILS: list[tuple[str, str | None]] = [
    ("selina dot cortez at example dot com", "selina.cortez@example.com"),
    ("Selina.Cortez@example.com.", "selina.cortez@example.com"),
    ("My email is selina.cortez at example.com", "selina.cortez@example.com"),
    ("It's selina cortez at example dot com", "selinacortez@example.com"),
    ("bruno dot hadad seven two at example dot com", "bruno.hadad72@example.com"),
    ("bruno.hadad72 at example.com", "bruno.hadad72@example.com"),
    ("s underscore cortez at mail dot example dot co dot uk", "s_cortez@mail.example.co.uk"),
    ("S-E-L at example dot com", "sel@example.com"),
    ("j-o-o-s-t dot-k-r-u-g-e-r at example dot com", "joost.kruger@example.com"),
    ("H-A-N-A-N dot A-Z-I-Z at example dot arg.", "hanan.aziz@example.org"),
    ("I-D-A-8-9 at example dot com", "ida89@example.com"),
    ("R-H-O-D-A-66 at example.com", "rhoda66@example.com"),
    ("T, O, M, underscored, L, I, at example dot net", "tom_li@example.net"),
    ("H-B-R-E-N-N-A-N-8-9 of example dot net.", "hbrennan89@example.net"),
    ("That is one of the things I wanted.", None),
    ("You can reach me at selina at example dot com, thanks.", "selina@example.com"),
    ("sean dash obrien at example dot org", "sean-obrien@example.org"),
    ("I was at home.", None),
]
ORDERS: list[tuple[str, str | None]] = [
    ("KE-4498870", "KE-4498870"),
    ("K E 4498870", "KE-4498870"),
    ("KE 449 8870", "KE-4498870"),
    ("K-E-4-4-9-8-8-7-0", "KE-4498870"),
    ("K. E. 4498870", "KE-4498870"),
    ("ke4498870", "KE-4498870"),
    ("KE four four nine eight eight seven zero", "KE-4498870"),
    ("K E, four four nine, double eight, seven oh", "KE-4498870"),
    ("Kay E, 4498870", "KE-4498870"),
    ("Order KE-4498870, the speaker.", "KE-4498870"),
    ("My order number is K E 4 4 9 8 8 7 0 and the ZIP is 97402", "KE-4498870"),
    ("order 4498870", None),
    ("I don't have it.", None),
]
ANSWERS: list[tuple[str, str | None]] = [
    ("yes cancel it", "yes"),
    ("Yep, go ahead.", "yes"),
    ("Sure.", "yes"),
    ("That's right.", "yes"),
    ("Uh, yeah.", "yes"),
    ("Okay.", "yes"),
    ("No problem, go ahead.", "yes"),
    ("Please do.", "yes"),
    ("no thank you", "no"),
    ("No, please cancel it.", "no"),
    ("I don't need that.", "no"),
    ("Okay, no thanks.", "no"),
    ("yeah, no", "no"),
    ("That's not right.", "no"),
    ("Nope", "no"),
    ("I'm not sure.", None),
    ("What do you mean?", None),
    ("hmm", None),
]
TABLES: dict[ValueKind, tuple[list[tuple[str, Any]], dict[str, Any]]] = {
    ValueKind.PHONE: (PHONES, {}),
    ValueKind.ZIP: (ZIPS, {}),
    ValueKind.DIGITS: (LAST_FOUR, {"length": 4}),
    ValueKind.AMOUNT: (AMOUNTS, {}),
    ValueKind.DATE: (DATES, {"today": TODAY}),
    ValueKind.TIME: (TIMES, {}),
    ValueKind.NAME: (NAMES, {}),
    ValueKind.SPELLED: (SPELLED, {}),
    ValueKind.EMAIL: (EMAILS, {}),
    ValueKind.ORDER_NUMBER: (ORDERS, {}),
    ValueKind.YES_NO: (ANSWERS, {}),
}
ROWS = [
    pytest.param(kind, heard, meant, options, id=f"{kind}-{heard}")
    for kind, (table, options) in TABLES.items()
    for heard, meant in table
]


@pytest.mark.parametrize(("kind", "heard", "meant", "options"), ROWS)
def test_heard_line_gives_the_value_meant(
    kind: ValueKind, heard: str, meant: str | int | None, options: dict[str, Any]
) -> None:
    parsed = parse_spoken(kind, heard, **options)
    assert parsed.value == meant, parsed
    assert parsed.complete == (meant is not None)
    assert parsed.evidence
    if meant is not None:
        assert parsed.candidates[0] == meant
        assert parsed.span is not None
        assert heard[slice(*parsed.span)].strip()


def test_an_eight_heard_as_the_letter_a_is_counted_where_the_length_is_known() -> None:
    heard = "F, T, A, six, nine, seven, two, one, eight."
    assert parse_spoken(ValueKind.ORDER_NUMBER, heard, length=7).value == "FT-8697218"
    assert parse_spoken(ValueKind.ORDER_NUMBER, heard, length=6).value == "FTA-697218"
    assert parse_spoken(ValueKind.ORDER_NUMBER, heard).value == "FTA-697218"


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len(ROWS) >= 150


def test_a_short_phone_keeps_what_was_heard_and_says_what_is_missing() -> None:
    parsed = parse_spoken(ValueKind.PHONE, "541-555-017")
    assert (parsed.value, parsed.partial) == (None, "541555017")
    assert "9 digits heard, 10 needed" in parsed.evidence


def test_span_points_at_the_value_and_not_at_its_neighbours() -> None:
    line = "ZIP 97035, card ending 1156."
    zip_code = parse_spoken(ValueKind.ZIP, line)
    card = parse_spoken(ValueKind.DIGITS, line, length=4)
    assert zip_code.span is not None
    assert card.span is not None
    assert (line[slice(*zip_code.span)], line[slice(*card.span)]) == ("97035", "1156")


def test_own_cues_decide_between_two_values_of_one_length() -> None:
    line = "my pin is 4471 and the badge is 9902"
    assert parse_spoken(ValueKind.DIGITS, line, length=4).value is None
    assert parse_spoken(ValueKind.DIGITS, line, length=4, cues=["badge"]).value == "9902"


def test_ambiguous_values_keep_both_readings() -> None:
    assert parse_spoken(ValueKind.TIME, "half past two").candidates == ("02:30", "14:30")
    assert parse_spoken(ValueKind.AMOUNT, "two fifty").candidates == (250, 25000)
    assert parse_spoken(ValueKind.AMOUNT, "1499").candidates == (149900, 1499)
    assert parse_spoken(ValueKind.PHONE, "541-555-0171 or 541-555-0172").candidates == (
        "541-555-0171",
        "541-555-0172",
    )


def test_a_day_without_a_year_needs_today() -> None:
    parsed = parse_spoken(ValueKind.DATE, "the thirtieth of June")
    assert (parsed.value, parsed.complete, parsed.partial) == (None, False, "06-30")


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("five four one, triple 5, oh one seven one", ["5415550171"]),
        ("thirty six", ["36"]),
        ("thirty, six", ["306"]),
        ("ZIP 97035, card ending 1156", ["97035", "1156"]),
        ("from 5 to 6", ["5", "6"]),
        ("I want to go for a walk", []),
        ("the last four are 0133", ["0133"]),
        ("Oh, 541", ["541"]),
        ("O'Brien won too", []),
        ("June 30th, 1972", ["1972"]),
    ],
)
def test_digit_runs(text: str, digits: list[str]) -> None:
    assert [run.digits for run in digit_runs(text)] == digits


def test_digit_runs_keep_the_pauses() -> None:
    (run,) = digit_runs("five four one, five five five, oh one seven one")
    assert run.groups == ("541", "555", "0171")


SAME_WORDS = [
    ("thirty six", "36"),
    ("thirty-six", "3 6"),
    ("1,156 points", "eleven fifty-six points"),
    ("1156", "one thousand one hundred and fifty six"),
    ("$14.99", "fourteen dollars and ninety-nine cents"),
    ("$14.99", "fourteen ninety nine"),
    ("$14.99", "14.99"),
    ("$5.05", "five dollars and five cents"),
    ("$0.99", "ninety-nine cents"),
    ("$20", "twenty dollars"),
    ("$1,299.00", "one thousand two hundred ninety-nine dollars"),
    ("541-555-0171", "five four one, five five five, oh one seven one"),
    ("555-1212", "five five five, one two one two"),
    ("My ZIP is 97035.", "my zip is nine seven zero three five"),
    ("KE-4408117", "K E 4 4 0 8 1 1 7"),
    ("KE 4408117", "k e four four oh eight one one seven"),
    ("June 30th, 1972", "June thirtieth nineteen seventy-two"),
    ("6/30/1972", "June 30, 1972"),
    ("1972-06-30", "June thirtieth, nineteen seventy two"),
    ("2:30 p.m.", "two thirty P M"),
    ("2:00 PM", "two pm"),
    ("2 o'clock", "two"),
    ("15%", "fifteen percent"),
    ("12.5 percent", "twelve point five percent"),
    ("selina.cortez@example.com", "selina dot cortez at example dot com"),
    ("I'm here", "I am here"),
    ("don’t", "do not"),
    ("can't", "cannot"),
    ("it's", "it is"),
    ("they're we'll I've", "they are we will I have"),
    ("Sean O’Brien", "sean o'brien"),
    ("twenty-two", "22"),
    ("follow-up", "follow up"),
    ("#3 & 4", "number three and four"),
    ("OK", "okay"),
    ("e-mail", "email"),
    ("José", "Jose\u0301"),
    ("triple five", "five five five"),
]
DIFFERENT_WORDS = [
    ("thirty six", "3006"),
    ("fifteen", "fifty"),
    ("O'Brien", "zero brien"),
    ("Karen's card", "Karen is card"),
    ("I do", "I do not"),
    ("four", "for"),
    ("1156", "1165"),
    ("p.m.", "a.m."),
]


@pytest.mark.parametrize(("one", "other"), SAME_WORDS)
def test_normaliser_folds_forms_of_one_line(one: str, other: str) -> None:
    assert normalise_words(one) == normalise_words(other)
    assert normalise_words(one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT_WORDS)
def test_normaliser_keeps_what_differs(one: str, other: str) -> None:
    assert normalise_words(one) != normalise_words(other)


def test_normaliser_gives_each_digit_and_letter_of_a_code_its_own_word() -> None:
    words = normalise_words("My order number is KE-4408117 and the ZIP code is 97402.")
    assert len(words) == 23
    assert words[4:13] == ("k", "e", "4", "4", "0", "8", "1", "1", "7")


def test_normaliser_leaves_names_and_possessives_whole() -> None:
    assert normalise_words("Sean O'Brien's sister, Karen's boss") == (
        "sean",
        "o'brien's",
        "sister",
        "karen's",
        "boss",
    )
    assert normalise_words("") == ()
