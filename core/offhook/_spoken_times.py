"""Times of day: "half past two", "quarter to three pm", "2:30 p.m.", "fourteen thirty", "noon"."""

from __future__ import annotations

from typing import Final

from offhook._lexicon import MONTHS
from offhook._spoken_numerals import Numeral, Style, read_numerals
from offhook._spoken_result import Parsed, Reading, settle
from offhook._spoken_tokens import Token, tokenise
from offhook.values import ValueKind

CLOCK: Final = 2.0
_CLEAR: Final = 3.0
_BARE: Final = 1.0
_PAST: Final = frozenset({"past", "after"})
_TO: Final = frozenset({"to", "til", "till", "of", "before"})
_NAMED: Final = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}
_PART_OF_DAY: Final = {"morning": "a", "afternoon": "p", "evening": "p", "tonight": "p"}


def parse_time(text: str) -> Parsed:
    """Reads a time of day. Without "a.m.", "p.m." or a part of the day an hour from 1 to 12 may be either
    half of it: the value is the reading on the 24-hour clock as said ("two thirty" is 02:30) and the other
    half is a candidate."""
    tokens = tokenise(text)
    return settle(ValueKind.TIME, tokens, time_readings(tokens))


def time_readings(tokens: tuple[Token, ...]) -> list[Reading]:
    """Every time of day in a text, bare hours ("two") with the least score."""
    numerals = tuple(numeral for numeral in read_numerals(tokens) if numeral.style is not Style.ORDINAL)
    by_start = {numeral.first: numeral for numeral in numerals}
    readings: list[Reading] = []
    index = 0
    while index < len(tokens):
        reading = (
            _relative(tokens, by_start, index) or _named(tokens, index) or _clock(tokens, by_start, index)
        )
        if reading is not None:
            readings.append(reading)
            index = reading.last
        else:
            index += by_start[index].last - index if index in by_start else 1
    return readings


def _named(tokens: tuple[Token, ...], index: int) -> Reading | None:
    value = _NAMED.get(tokens[index].text)
    return None if value is None else Reading(value, index, index + 1, _CLEAR, tokens[index].text)


def _meridiem(tokens: tuple[Token, ...], index: int) -> tuple[str, int]:
    """ "pm", "p.m." or "p m" at a token -> ("p", next token); ("", index) where there is none."""
    if index < len(tokens) and tokens[index].text in ("am", "pm"):
        return tokens[index].text[0], index + 1
    if (
        index + 1 < len(tokens)
        and tokens[index].text in ("a", "p")
        and tokens[index + 1].text == "m"
        and not tokens[index + 1].gap.strip(" .")
    ):
        return tokens[index].text, index + 2
    return "", index


def _part_of_day(tokens: tuple[Token, ...], index: int) -> tuple[str, int]:
    for offset in range(4):
        if index + offset < len(tokens) and tokens[index + offset].text in _PART_OF_DAY:
            words = [token.text for token in tokens[index : index + offset]]
            if all(word in ("in", "the", "this", "tomorrow") for word in words):
                return _PART_OF_DAY[tokens[index + offset].text], index + offset + 1
    return "", index


def _finish(
    tokens: tuple[Token, ...], hour: int, minute: int, first: int, last: int, score: float, why: str
) -> Reading | None:
    """Settles the half of the day."""
    half, end = _meridiem(tokens, last)
    if not half:
        half, end = _part_of_day(tokens, last)
    if not (0 <= hour <= 23 and 0 <= minute <= 59):
        return None
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
        return Reading(f"{hour:02d}:{minute:02d}", first, end, _CLEAR, why)
    if half and hour == 0:
        return None
    end = end if half else last
    also: tuple[str, ...] = ()
    if 1 <= hour <= 12 and not half:
        also = (f"{hour + 12 if hour < 12 else 0:02d}:{minute:02d}",)
    return Reading(f"{hour:02d}:{minute:02d}", first, end, score, why, also)


def _relative(tokens: tuple[Token, ...], by_start: dict[int, Numeral], index: int) -> Reading | None:
    """ "half past two", "a quarter to three", "twenty-five after four", "five minutes to six"."""
    text = tokens[index].text
    after = index + 1
    if text == "half":
        minutes = 30
    elif text == "quarter":
        minutes = 15
    elif index in by_start and by_start[index].value < 60:
        minutes, after = by_start[index].value, by_start[index].last
        if after < len(tokens) and tokens[after].text in ("minute", "minutes"):
            after += 1
    else:
        return None
    if after + 1 >= len(tokens):
        return None
    direction = tokens[after].text
    target = by_start.get(after + 1)
    named = _NAMED.get(tokens[after + 1].text)
    if direction not in _PAST | _TO or (target is None and named is None):
        return None
    if target is not None and (not 1 <= target.value <= 24 or len(target.digits) > 2):
        return None
    hour = target.value if target is not None else int((named or "0")[:2])
    last = target.last if target is not None else after + 2
    if last < len(tokens) and tokens[last].text == "o'clock":
        last += 1
    before = direction in _TO
    if target is None:
        total = (hour * 60 + (-minutes if before else minutes)) % 1440
        return Reading(f"{total // 60:02d}:{total % 60:02d}", index, last, _CLEAR, f"{direction} {named}")
    return _shifted(tokens, hour, minutes, before, index, last)


def _shifted(
    tokens: tuple[Token, ...], hour: int, minutes: int, before: bool, first: int, last: int
) -> Reading | None:
    """Minutes past or to a full hour. The half of the day belongs to the hour named: a quarter to twelve pm
    is 11:45."""
    at = _finish(tokens, hour % 24, 0, first, last, CLOCK, "minutes past or to an hour")
    if at is None:
        return None
    moved = [_moved(str(value), -minutes if before else minutes) for value in (at.value, *at.also)]
    return Reading(moved[0], first, at.last, max(at.score, CLOCK), at.why, tuple(moved[1:]))


def _moved(clock: str, minutes: int) -> str:
    total = (int(clock[:2]) * 60 + int(clock[3:]) + minutes) % 1440
    return f"{total // 60:02d}:{total % 60:02d}"


def _clock(tokens: tuple[Token, ...], by_start: dict[int, Numeral], index: int) -> Reading | None:
    """ "2:30", "two thirty", "two oh five", "2 o'clock", "230 pm", "1430", "two"."""
    numeral = by_start.get(index)
    if numeral is None or _is_something_else(tokens, index):
        return None
    row = [numeral]
    while row[-1].last in by_start and len(row) < 3:
        following = by_start[row[-1].last]
        if tokens[following.first].gap.strip(" -:.,"):
            break
        row.append(following)
    for count in range(len(row), 0, -1):
        read = _hour_minute(row[:count], tokens)
        if read is None:
            continue
        hour, minute, written = read
        last = row[count - 1].last
        if last in by_start and tokens[last].close:
            return None
        score = CLOCK if written else _BARE
        if last < len(tokens) and tokens[last].text in ("o'clock", "hours"):
            last, score = last + 1, CLOCK
        elif index > 0 and tokens[index - 1].text in ("at", "around", "about", "by"):
            score = max(score, _BARE + 0.5)
        return _finish(
            tokens, hour, minute, index, last, score, "hour and minutes" if count > 1 else "an hour"
        )
    return None


def _is_something_else(tokens: tuple[Token, ...], index: int) -> bool:
    previous = tokens[index - 1].text if index else ""
    return previous in MONTHS or previous in ("$", "#", "+")


def _hour_minute(row: list[Numeral], tokens: tuple[Token, ...]) -> tuple[int, int, bool] | None:
    """Numerals -> (hour, minute, written with a colon)."""
    hour = row[0]
    if len(row) == 1:
        if len(hour.digits) in (3, 4) and hour.style in (Style.FIGURE, Style.CARDINAL):
            return int(hour.digits[:-2]), int(hour.digits[-2:]), False
        return (hour.value, 0, False) if len(hour.digits) <= 2 else None
    minutes = "".join(numeral.digits for numeral in row[1:])
    colon = tokens[row[1].first].gap in (":", ".") and tokens[row[1].first].figure
    if len(hour.digits) > 2 or len(minutes) != 2:
        return None
    return hour.value, int(minutes), colon
