"""Round trips, and what must never happen, over generated values and texts."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook._spoken_normalise import passes
from offhook.spoken import digit_runs, normalise_words, parse_spoken
from offhook.values import ValueKind, canonical
from offhook.verbalise import verbalise, verbalise_value

CAREFUL = st.booleans()
PHONES = st.from_regex(r"[2-9][0-9]{9}", fullmatch=True).map(
    lambda digits: canonical(ValueKind.PHONE, digits)
)
LABELS = st.sampled_from(
    ["selina", "cortez", "bruno", "hadad", "kowalski", "mira", "okafor", "lin", "zed", "quint"]
)
LOCALS = st.lists(st.one_of(LABELS, st.integers(0, 9999).map(str)), min_size=1, max_size=3).flatmap(
    lambda parts: st.lists(
        st.sampled_from([".", "_", "-", ""]), min_size=len(parts) - 1, max_size=len(parts) - 1
    ).map(lambda joints: "".join(part + joint for part, joint in zip(parts, [*joints, ""], strict=True)))
)
EMAILS = st.tuples(LOCALS, st.sampled_from(["example.com", "mail.example.org", "example.co.uk"])).map(
    "@".join
)
DIGIT_WORDS = "zero one two three four five six seven eight nine"
SAID_DIGITS = {
    **dict(zip(DIGIT_WORDS.split(), "0123456789", strict=True)),
    **{
        "oh": "0",
        "double five": "55",
        "triple 0": "000",
        "twenty": "20",
        "forty-one": "41",
        "ninety nine": "99",
    },
    **{"eleven": "11", "0171": "0171", "555": "555", "7": "7", "05": "05"},
}
OTHER_WORDS = (
    "to for won ate dollars and cents hundred thousand June 30th May at dot $ % @ # pm p.m. o'clock "
    "half past quarter my name is last O'Brien KE K E C-O-R as in Sam zip card ending no yes point a "
    "double , . - / : next Tuesday minus 7/8/90 1,299.00 can't you'd okay second million ' 2:00 p m oh "
    "of fourteen e-mail x.com sorry"
)
WORDS = st.sampled_from([*SAID_DIGITS, *OTHER_WORDS.split()])
LINES = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=14).map(" ".join))


TABLE = [
    word
    for line in (Path(__file__).parent / "spoken_pairs.tsv").read_text(encoding="utf-8").splitlines()
    for word in line.split()
]
TABLE_WORDS = st.lists(st.sampled_from(sorted(set(TABLE))), max_size=16).map(" ".join)


def _dollars(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def _clock(minute: int) -> str:
    return f"{(minute // 60 - 1) % 12 + 1}:{minute % 60:02d} {'AM' if minute < 720 else 'PM'}"


def _same(
    kind: ValueKind, values: st.SearchStrategy[str]
) -> st.SearchStrategy[tuple[ValueKind, str, object]]:
    return values.map(lambda value: (kind, value, value))


WRITTEN_VALUES: st.SearchStrategy[tuple[ValueKind, str, object]] = st.one_of(
    _same(ValueKind.PHONE, PHONES.map(str)),
    _same(ValueKind.ZIP, st.from_regex(r"[0-9]{5}", fullmatch=True)),
    _same(ValueKind.DIGITS, st.from_regex(r"[0-9]{1,16}", fullmatch=True)),
    _same(ValueKind.EMAIL, EMAILS),
    _same(ValueKind.ORDER_NUMBER, st.from_regex(r"[A-NP-Z]{2,4}-[0-9]{3,12}", fullmatch=True)),
    _same(
        ValueKind.NAME, st.sampled_from(["Selina Cortez", "Sean O'Brien", "Jean-Luc Picot", "José García"])
    ),
    _same(ValueKind.YES_NO, st.sampled_from(["yes", "no"])),
    _same(
        ValueKind.TEXT, st.sampled_from(["on 6/30/72", "at 14:30", "5% off", "6-30-1972", "the 3rd of May"])
    ),
    st.from_regex(r"[A-Z]{2,12}", fullmatch=True).map(lambda code: (ValueKind.SPELLED, "-".join(code), code)),
    st.integers(-9_999_999, 9_999_999).map(lambda cents: (ValueKind.AMOUNT, _dollars(cents), cents)),
    st.integers(0, 1439).map(
        lambda minute: (ValueKind.TIME, _clock(minute), f"{minute // 60:02d}:{minute % 60:02d}")
    ),
    st.dates(dt.date(1900, 1, 1), dt.date(2099, 12, 31)).flatmap(
        lambda day: st.sampled_from(
            [
                day.isoformat(),
                f"{day:%m/%d/%Y}",
                f"{day:%B} {day.day}, {day.year}",
                f"{day.day} {day:%b} {day.year}",
            ]
        ).map(lambda written: (ValueKind.DATE, written, day.isoformat()))
    ),
)


@given(PHONES, CAREFUL)
def test_phone_round_trip(value: str, careful: bool) -> None:
    assert (
        parse_spoken(ValueKind.PHONE, verbalise_value(ValueKind.PHONE, value, careful=careful)).value == value
    )
    assert parse_spoken(ValueKind.PHONE, verbalise(f"Selina Cortez, {value}.")).value == value


@given(st.from_regex(r"[0-9]{5}", fullmatch=True), CAREFUL)
def test_zip_round_trip(value: str, careful: bool) -> None:
    assert parse_spoken(ValueKind.ZIP, verbalise_value(ValueKind.ZIP, value, careful=careful)).value == value
    line = verbalise(f"ZIP {value}, card ending 1156.")
    assert parse_spoken(ValueKind.ZIP, line).value == value
    assert parse_spoken(ValueKind.DIGITS, line, length=4).value == "1156"


@given(st.from_regex(r"[0-9]{2,16}", fullmatch=True), CAREFUL)
def test_digits_round_trip(value: str, careful: bool) -> None:
    said = verbalise_value(ValueKind.DIGITS, value, careful=careful)
    assert parse_spoken(ValueKind.DIGITS, said, length=len(value)).value == value
    assert parse_spoken(ValueKind.DIGITS, said).value == value


@given(st.integers(-9_999_999, 9_999_999), CAREFUL)
def test_amount_round_trip(value: int, careful: bool) -> None:
    parsed = parse_spoken(ValueKind.AMOUNT, verbalise_value(ValueKind.AMOUNT, value, careful=careful))
    assert parsed.value == value
    if value >= 0:
        written = f"${value // 100:,}.{value % 100:02d}"
        assert parse_spoken(ValueKind.AMOUNT, written).value == value
        assert parse_spoken(ValueKind.AMOUNT, verbalise(f"It was {written}.")).value == value


@given(st.dates(dt.date(1920, 1, 1), dt.date(2030, 12, 31)), CAREFUL)
def test_date_round_trip(day: dt.date, careful: bool) -> None:
    value = day.isoformat()
    assert (
        parse_spoken(ValueKind.DATE, verbalise_value(ValueKind.DATE, value, careful=careful)).value == value
    )
    for written in (
        value,
        f"{day:%m/%d/%Y}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%B} {day.year}",
    ):
        assert parse_spoken(ValueKind.DATE, written).value == value
        assert parse_spoken(ValueKind.DATE, verbalise(f"I was born {written}.")).value == value
        assert canonical(ValueKind.DATE, written) == value


def test_time_round_trip_for_each_minute() -> None:
    for minute in range(1440):
        value = f"{minute // 60:02d}:{minute % 60:02d}"
        for careful in (False, True):
            said = verbalise_value(ValueKind.TIME, value, careful=careful)
            assert parse_spoken(ValueKind.TIME, said).value == value, said


@given(EMAILS, CAREFUL)
def test_email_round_trip(value: str, careful: bool) -> None:
    said = verbalise_value(ValueKind.EMAIL, value, careful=careful)
    assert parse_spoken(ValueKind.EMAIL, said).value == value
    assert parse_spoken(ValueKind.EMAIL, f"My email is {value}.").value == value


@given(st.from_regex(r"[A-NP-Z]{2,4}-[0-9]{3,12}", fullmatch=True), CAREFUL)
def test_order_number_round_trip(value: str, careful: bool) -> None:
    said = verbalise_value(ValueKind.ORDER_NUMBER, value, careful=careful)
    assert parse_spoken(ValueKind.ORDER_NUMBER, said).value == value


@given(st.from_regex(r"[A-Z]{2,12}", fullmatch=True))
def test_spelled_round_trip(value: str) -> None:
    assert parse_spoken(ValueKind.SPELLED, verbalise_value(ValueKind.SPELLED, value)).value == value
    assert parse_spoken(ValueKind.SPELLED, "-".join(value)).value == value


@given(
    st.lists(
        st.sampled_from(
            ["Selina", "Cortez", "Karen", "Nguyen", "O'Brien", "Sean", "Kowalski", "Wei", "Zhang", "Amara"]
        ),
        min_size=2,
        max_size=2,
        unique=True,
    )
)
def test_careful_name_round_trip(parts: list[str]) -> None:
    value = " ".join(parts)
    assert parse_spoken(ValueKind.NAME, verbalise_value(ValueKind.NAME, value, careful=True)).value == value
    assert parse_spoken(ValueKind.NAME, f"My name is {value}.").value == value


@given(st.sampled_from(list(ValueKind)), LINES, st.one_of(st.none(), st.integers(1, 16)), st.booleans())
def test_parsing_never_raises_and_values_are_canonical(
    kind: ValueKind, text: str, length: int | None, dated: bool
) -> None:
    parsed = parse_spoken(kind, text, length=length, today=dt.date(2026, 3, 3) if dated else None)
    assert parsed.complete == (parsed.value is not None)
    assert parsed.evidence
    if parsed.value is not None:
        assert canonical(kind, parsed.value) == parsed.value
        assert parsed.value in parsed.candidates
        assert parsed.span is not None
        assert 0 <= parsed.span[0] < parsed.span[1] <= len(text)


@given(st.lists(st.sampled_from(sorted(SAID_DIGITS)), min_size=1, max_size=10), st.sampled_from([" ", ", "]))
def test_no_digit_is_invented_and_none_is_lost(said: list[str], joint: str) -> None:
    # A tens word before a digit word is one number ("twenty five"), so tens are kept apart from what follows.
    text = (", " if "twenty" in said else joint).join(said)
    expected = "".join(SAID_DIGITS[word] for word in said)
    found = "".join(run.digits for run in digit_runs(text))
    # "Oh, ..." at the start may be an interjection; nothing else may go missing.
    openers = next((index for index, word in enumerate(said) if word != "oh"), len(said))
    assert found in (expected, expected[openers:])
    for kind, length in ((ValueKind.PHONE, 10), (ValueKind.ZIP, 5), (ValueKind.DIGITS, 4)):
        parsed = parse_spoken(kind, text, length=length)
        if parsed.value is not None:
            assert re.sub("[^0-9]", "", str(parsed.value)) in expected
        assert parsed.partial in expected


@given(st.from_regex(r"[0-9]{9}|[0-9]{8}|[02-9][0-9]{10}|[0-9]{12,13}", fullmatch=True))
def test_a_phone_of_the_wrong_length_is_never_a_value(digits: str) -> None:
    assert parse_spoken(ValueKind.PHONE, digits).value is None
    assert parse_spoken(ValueKind.PHONE, " ".join(digits)).value is None


@given(LINES | TABLE_WORDS)
def test_normaliser_is_a_fixed_point(text: str) -> None:
    words = normalise_words(text)
    assert normalise_words(" ".join(words)) == words
    assert all(word and not word.isspace() for word in words)


@given(LINES | TABLE_WORDS)
def test_normaliser_needs_few_passes_and_adds_little(text: str) -> None:
    """The passes are the work, each linear in the text; a cycle would run into their limit."""
    rounds = passes(text)
    assert len(rounds) <= 6
    assert len(" ".join(rounds[-1])) <= 8 * len(text) + 20


@pytest.mark.parametrize("code", ["CT-109095", "IV-525339", "RX-6450", "MR-95748", "UH-06770", "PM-386"])
def test_codes_that_look_like_words_end_as_letters(code: str) -> None:
    """They might be joined by one pass and cut by the next, for ever."""
    assert normalise_words(code) == tuple(code.lower().replace("-", ""))
    assert len(passes(code)) <= 3


def test_normaliser_does_the_same_work_on_a_long_text_as_on_its_pieces() -> None:
    line = "My number is five four one, 555-0171 and it's $14.99 for the third of May, at half past two. "
    long = line * (20_000 // len(line))
    assert len(passes(long)) <= len(passes(line)) + 1
    assert len(normalise_words(long)) == len(normalise_words(line)) * (20_000 // len(line))
    for text in ("double " * 3000, "a.b" * 6000, "1/2 " * 5000, "oh " * 6000, "-" * 20_000, "x" * 20_000):
        assert len(passes(text)) <= 6


@given(LINES | TABLE_WORDS)
def test_normaliser_takes_composed_and_decomposed_text_for_one(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert normalise_words(composed) == normalise_words(decomposed)


@given(st.lists(st.sampled_from(sorted(SAID_DIGITS)), min_size=1, max_size=10))
def test_normaliser_neither_invents_nor_loses_a_digit(said: list[str]) -> None:
    expected = "".join(SAID_DIGITS[word] for word in said)
    found = "".join(word for word in normalise_words(", ".join(said)) if word.isdigit())
    openers = next((index for index, word in enumerate(said) if word != "oh"), len(said))
    assert found in (expected, expected[openers:])


@given(WRITTEN_VALUES, CAREFUL)
def test_a_value_said_and_written_are_the_same_words(
    row: tuple[ValueKind, str, object], careful: bool
) -> None:
    kind, written, value = row
    # A careful e-mail address or name is spelled, which is more than its written form.
    careful = careful and kind not in (ValueKind.EMAIL, ValueKind.NAME)
    assert normalise_words(verbalise_value(kind, value, careful=careful)) == normalise_words(written)


@given(LINES)
def test_verbalised_text_holds_no_digit_and_is_stable(text: str) -> None:
    said = verbalise(text)
    assert not any(char.isdigit() for char in said)
    assert verbalise(said) == said


@given(st.text(alphabet=st.characters(categories=["L", "Zs", "Po"], exclude_characters="#&"), max_size=50))
def test_verbaliser_leaves_words_alone(text: str) -> None:
    if not any(char.isnumeric() for char in text):
        assert verbalise(text) == text


@pytest.mark.parametrize("kind", list(ValueKind))
def test_empty_text_has_no_value(kind: ValueKind) -> None:
    parsed = parse_spoken(kind, "")
    assert (parsed.value, parsed.candidates, parsed.span, parsed.complete) == (None, (), None, False)
