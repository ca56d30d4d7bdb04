"""What kinds of value a call carries, and the one written form of each.

Tool server, policy follower, simulated caller and graders all compare values in these forms:

===============  ==========================================  ======================
kind             canonical form                              example
===============  ==========================================  ======================
``name``         plain text, straight apostrophes, NFC       ``"Sean O'Brien"``
``phone``        ten digits, grouped                         ``"541-555-0171"``
``zip``          five digits                                 ``"97035"``
``digits``       digits only                                 ``"1156"``
``email``        lower case                                  ``"a.b@example.com"``
``date``         ISO 8601                                    ``"1972-06-30"``
``time``         24-hour clock                               ``"14:30"``
``amount``       whole cents, an ``int``                     ``1499``
``spelled``      letters and digits, upper case, unspaced    ``"CORTEZ"``
``order_number``  letters, hyphen, digits                    ``"KE-4498870"``
``yes_no``       ``"yes"`` or ``"no"``                       ``"yes"``
``text``         white space collapsed                       ``"leave it there"``
===============  ==========================================  ======================

What only a database holds has kinds of its own, `ColumnKind`:

===============  ==========================================  ======================
kind             canonical form                              example
===============  ==========================================  ======================
``datetime``     company time, seconds only where not zero   ``"2026-03-12 10:30"``
``payment``      the means, and the last four of a card      ``"card 1156"``
===============  ==========================================  ======================
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Final

from offhook._lexicon import MONTHS, WEEKDAYS, full_year
from offhook._payments import payment_form

__all__ = ["CanonicalValue", "ColumnKind", "ValueKind", "canonical", "canonical_column", "whole_number"]

CanonicalValue = str | int

_CENTS: Final = r"(?:([0-9]+) dollars?,? (?:and )?)?([0-9]{1,2}) ?(?:cents?|¢)"
_ZONE: Final = r"(?:\s*(?:z|utc|[+-][0-9]{2}:?[0-9]{2}))?"
_STAMP: Final = re.compile(
    r"(.+?)(?:\s*t(?=[0-9])|,?\s+at\s+|,?\s+)"
    r"([0-9]{1,2}(?:[:.][0-9]{2}){1,2}(?:\.[0-9]+)?\s*(?:[ap]\.?\s?m\.?)?"
    r"|[0-9]{1,2}\s*[ap]\.?\s?m\.?|noon|midnight)" + _ZONE
)

# What word processors and models write for a hyphen or a minus sign: U+2010 to U+2015 and U+2212.
_DASHES: Final = dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")


class ValueKind(StrEnum):
    """The kinds of value that a caller says and a tool takes."""

    NAME = "name"
    PHONE = "phone"
    ZIP = "zip"
    DIGITS = "digits"
    EMAIL = "email"
    DATE = "date"
    TIME = "time"
    AMOUNT = "amount"
    SPELLED = "spelled"
    ORDER_NUMBER = "order_number"
    YES_NO = "yes_no"
    TEXT = "text"


class ColumnKind(StrEnum):
    """What a database column holds that no caller says in one piece."""

    DATETIME = "datetime"
    PAYMENT = "payment"


def canonical_column(kind: ValueKind | ColumnKind, value: object) -> CanonicalValue:
    """`canonical` for a value stored in a column, where yes and no may also be 1 and 0.

    A datetime may be written in any usual form, with seconds, fractions, ``Z`` or an offset. Zones are
    dropped: the scenario clock is company time and has none. A means of payment is known by what it is and,
    for a card, by its last four digits; with these, what the card is called ("Visa", "the card on file")
    doesn't matter.

    Raises:
        ValueError: as `canonical`.
    """
    if kind is ColumnKind.DATETIME:
        return _datetime(value)
    if kind is ColumnKind.PAYMENT:
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{kind} {value!r}: expected text")
        return payment_form(_plain(value))
    kind = ValueKind(kind)
    if kind is ValueKind.YES_NO and whole_number(value) in (0, 1) and not isinstance(value, str):
        return "yes" if value else "no"
    return canonical(kind, value)


def canonical(kind: ValueKind, value: object) -> CanonicalValue:
    """Folds any usual *written* form of a value into the canonical one (see the module's table).

    Two-digit years 00 to 30 are read as 2000 to 2030, the others as 19xx. Slashed dates are month first
    unless that is impossible. For amounts the type decides: an ``int`` is **cents**, while ``str``, ``float``
    and ``Decimal`` are **dollars** (``1499`` and ``"14.99"`` and ``14.99`` are all 1499 cents, ``"1499"`` is
    149900). Every dash is a hyphen. Canonical forms map to themselves. Spoken forms ("fourteen ninety-nine")
    are for `offhook.spoken`.

    Raises:
        ValueError: the value can't be read as that kind; the message names kind, value and the form expected.
    """
    kind = ValueKind(kind)
    if kind is ValueKind.AMOUNT:
        return _amount(value)
    if kind is ValueKind.YES_NO and isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.datetime):
        value = value.strftime("%H:%M") if kind is ValueKind.TIME else value.date().isoformat()
    elif isinstance(value, dt.date):
        value = value.isoformat()
    elif isinstance(value, dt.time):
        value = value.strftime("%H:%M")
    elif isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise ValueError(f"{kind} {value!r}: expected text, got {type(value).__name__}")
    text = " ".join(_plain(value).replace("’", "'").replace("‘", "'").split())
    return _FOLDS[kind](text)


def _plain(text: str) -> str:
    """Compatibility forms and dashes in their plain form."""
    return unicodedata.normalize("NFKC", text).translate(_DASHES)


def _refuse(kind: ValueKind, text: object, expected: str) -> ValueError:
    return ValueError(f"{kind} {text!r}: expected {expected}")


def _amount(value: object) -> int:
    expected = "cents as an int, or dollars such as '$14.99' or 14.99"
    if isinstance(value, bool):
        raise _refuse(ValueKind.AMOUNT, value, expected)
    if isinstance(value, int):
        return value
    if isinstance(value, float | Decimal):
        value = str(value)
    if not isinstance(value, str):
        raise _refuse(ValueKind.AMOUNT, value, expected)
    text = _plain(value).strip()
    if worded := re.fullmatch(_CENTS, text, re.IGNORECASE):
        return int(worded[1] or 0) * 100 + int(worded[2])
    match = re.fullmatch(
        r"(-|minus )?\s*(?:US(?:D(?![a-z]))?)?\s*\$?\s*(-)?"
        r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(\.[0-9]*)?\s*(?:(?:us )?dollars?|usd)?",
        text,
        re.IGNORECASE,
    )
    if match is None or not re.search(r"[0-9]", (match[3] or "") + (match[4] or "")):
        raise _refuse(ValueKind.AMOUNT, value, expected)
    try:
        cents = Decimal((match[3] or "0").replace(",", "") + (match[4] or "").rstrip(".")) * 100
    except InvalidOperation as error:
        raise _refuse(ValueKind.AMOUNT, value, expected) from error
    if cents != cents.to_integral_value():
        raise _refuse(ValueKind.AMOUNT, value, "at most two decimals")
    return -int(cents) if match[1] or match[2] else int(cents)


def _name(text: str) -> str:
    inverted = re.fullmatch(r"([^,]+),\s*([^,]+)", text)
    if inverted is not None and not re.fullmatch(r"(?i)(jr|sr|ii|iii|iv|md|phd)\.?", inverted[2]):
        text = f"{inverted[2]} {inverted[1]}"
    if not any(char.isalpha() for char in text):
        raise _refuse(ValueKind.NAME, text, "a name with letters")
    return text.strip(" .,;:")


def _phone(text: str) -> str:
    # An extension belongs to the call, not to the number on file.
    line = re.sub(r"[,;]?\s*(?:x|ext\.?|extension)\s*[0-9]{1,6}$", "", text.lower())
    digits = re.sub(r"[\s().+\-/]|^tel:", "", line)
    if len(digits) == 11 and digits.startswith("1"):
        digits = digits[1:]
    if not re.fullmatch(r"[0-9]{10}", digits):
        raise _refuse(ValueKind.PHONE, text, "ten digits, such as 541-555-0171")
    return f"{digits[:3]}-{digits[3:6]}-{digits[6:]}"


def _zip(text: str) -> str:
    match = re.fullmatch(r"([0-9]{5})(?:[- ]?[0-9]{4})?", text)
    if match is None:
        raise _refuse(ValueKind.ZIP, text, "five digits, such as 97035 (ZIP+4 is cut)")
    return match[1]


def _digits(text: str) -> str:
    # 33.0 is 33, written by a program that has one kind of number; 3.3 is no code at all.
    text = re.sub(r"(?<=[0-9])\.00?$", "", text)
    if re.fullmatch(r"[0-9]+\.[0-9]{1,2}", text):
        raise _refuse(ValueKind.DIGITS, text, "digits only")
    digits = re.sub(r"[\s\-.,#]", "", text)
    if not re.fullmatch(r"[0-9]+", digits):
        raise _refuse(ValueKind.DIGITS, text, "digits only")
    return digits


def _email(text: str) -> str:
    lowered = text.lower().removeprefix("mailto:").strip(" <>.,;")
    if not re.fullmatch(r"[a-z0-9](?:[a-z0-9._%+\-]*[a-z0-9_+\-])?@[a-z0-9\-]+(?:\.[a-z0-9\-]+)+", lowered):
        raise _refuse(ValueKind.EMAIL, text, "an address such as selina.cortez@example.com")
    return lowered


def _date(text: str) -> str:
    expected = "a day such as 1972-06-30, June 30, 1972 or 6/30/1972"
    parts = _date_parts(text.lower())
    if parts is None:
        raise _refuse(ValueKind.DATE, text, expected)
    year, month, day = parts
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError as error:
        raise _refuse(ValueKind.DATE, text, f"{expected} ({error})") from error


def _date_parts(text: str) -> tuple[int, int, int] | None:
    weekday, _, rest = text.partition(" ")
    if rest and weekday.strip(".,") in _DAY_NAMES:
        text = rest
    if re.fullmatch(r"(?:19|20)[0-9]{6}", text):
        return int(text[:4]), int(text[4:6]), int(text[6:])
    match = re.fullmatch(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:[t ][0-9:.+\-z]*)?", text)
    if match is not None:
        return int(match[1]), int(match[2]), int(match[3])
    match = re.fullmatch(r"([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4}|[0-9]{2})", text)
    if match is not None:
        month, day = int(match[1]), int(match[2])
        if month > 12 >= day:
            month, day = day, month
        return full_year(match[3]), month, day
    match = re.fullmatch(r"([a-z]+)\.? (?:the )?([0-9]{1,2})(?:st|nd|rd|th)?,? '?([0-9]{4}|[0-9]{2})", text)
    if match is not None and match[1] in MONTHS:
        return full_year(match[3]), MONTHS[match[1]], int(match[2])
    match = re.fullmatch(
        r"(?:the )?([0-9]{1,2})(?:st|nd|rd|th)?[ -](?:of )?([a-z]+)\.?,?[ -]'?([0-9]{4}|[0-9]{2})", text
    )
    if match is not None and match[2] in MONTHS:
        return full_year(match[3]), MONTHS[match[2]], int(match[1])
    return None


def _time(text: str) -> str:
    lowered = text.lower()
    if lowered in ("noon", "midnight"):
        return "12:00" if lowered == "noon" else "00:00"
    match = re.fullmatch(
        r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[t ])?"
        r"([0-9]{1,2})(?:[:.h]([0-9]{2})(?::[0-9]{2}(?:\.[0-9]+)?)?)?\s*(?:([ap])\.?\s?m\.?)?(?:o'clock)?"
        + _ZONE,
        lowered,
    )
    if match is not None and (match[2] or match[3]):
        hour, minute = int(match[1]), int(match[2] or 0)
        if match[3]:
            hour = hour % 12 + (12 if match[3] == "p" else 0) if 1 <= hour <= 12 else 99
        if hour < 24 and minute < 60:
            return f"{hour:02d}:{minute:02d}"
    raise _refuse(ValueKind.TIME, text, "a time such as 14:30 or 2:30 PM")


def _datetime(value: object) -> str:
    expected = "a day and a time such as 2026-03-12 10:30"
    if isinstance(value, dt.datetime):
        value = value.replace(tzinfo=None).isoformat(" ")
    if not isinstance(value, str):
        raise ValueError(f"{ColumnKind.DATETIME} {value!r}: {expected}")
    text = " ".join(_plain(value).lower().split())
    match = _STAMP.fullmatch(text)
    if match is None:
        raise ValueError(f"{ColumnKind.DATETIME} {value!r}: expected {expected}")
    seconds = re.match(r"[0-9]{1,2}[:.][0-9]{2}:([0-9]{2})", match[2])
    stamp = f"{_date(match[1].rstrip(','))} {_time(match[2])}"
    return stamp if seconds is None or seconds[1] == "00" else f"{stamp}:{seconds[1]}"


def _spelled(text: str) -> str:
    letters = "".join(char for char in text.upper() if char.isalnum())
    if not letters:
        raise _refuse(ValueKind.SPELLED, text, "letters or digits")
    return letters


def _order_number(text: str) -> str:
    match = re.fullmatch(
        r"#?([A-Z]{1,4})((?:[\s\-.#]*[0-9])+)", re.sub(r"(?<=[A-Z])[\s.\-](?=[A-Z])", "", text.upper())
    )
    digits = re.sub(r"[^0-9]", "", match[2]) if match is not None else ""
    if match is None or not 3 <= len(digits) <= 12:
        raise _refuse(
            ValueKind.ORDER_NUMBER, text, "one to four letters and 3 to 12 digits, such as KE-4498870"
        )
    return f"{match[1]}-{digits}"


def _yes_no(text: str) -> str:
    lowered = text.lower().strip(" .!,")
    if lowered in ("yes", "y", "true", "yeah", "yep", "correct"):
        return "yes"
    if lowered in ("no", "n", "false", "nope", "incorrect"):
        return "no"
    raise _refuse(ValueKind.YES_NO, text, "yes or no")


def _text(text: str) -> str:
    return text


_DAY_NAMES: Final = frozenset(name[:length] for name in WEEKDAYS for length in (3, 4, 5, len(name)))

_FOLDS = {
    ValueKind.NAME: _name,
    ValueKind.PHONE: _phone,
    ValueKind.ZIP: _zip,
    ValueKind.DIGITS: _digits,
    ValueKind.EMAIL: _email,
    ValueKind.DATE: _date,
    ValueKind.TIME: _time,
    ValueKind.SPELLED: _spelled,
    ValueKind.ORDER_NUMBER: _order_number,
    ValueKind.YES_NO: _yes_no,
    ValueKind.TEXT: _text,
}


def whole_number(value: object) -> object:
    """A JSON number without a fraction as an ``int``: JSON has one number type, and ``33.0`` is as much the
    integer 33 as ``33`` is. Anything else comes back as it is.
    """
    return int(value) if isinstance(value, float) and value.is_integer() else value
