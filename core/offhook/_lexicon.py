"""Word lists shared by the value parser, the normaliser and the canonical forms. English (US) only.

Everything here is constant. Number words are listed for *reading*; saying numbers is num2words' work.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

UNITS: Final = MappingProxyType(
    {
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "niner": 9,
    }
)
ZEROS: Final = frozenset({"zero", "nought", "naught"})
TEENS: Final = MappingProxyType(
    {
        "ten": 10,
        "eleven": 11,
        "twelve": 12,
        "thirteen": 13,
        "fourteen": 14,
        "fifteen": 15,
        "sixteen": 16,
        "seventeen": 17,
        "eighteen": 18,
        "nineteen": 19,
    }
)
TENS: Final = MappingProxyType(
    {
        "twenty": 20,
        "thirty": 30,
        "forty": 40,
        "fourty": 40,
        "fifty": 50,
        "sixty": 60,
        "seventy": 70,
        "eighty": 80,
        "ninety": 90,
    }
)
MAGNITUDES: Final = MappingProxyType({"hundred": 100, "thousand": 1_000, "million": 1_000_000})
REPEATS: Final = MappingProxyType({"double": 2, "triple": 3, "treble": 3, "quadruple": 4})
UNIT_ORDINALS: Final = MappingProxyType(
    {
        "first": 1,
        "second": 2,
        "third": 3,
        "fourth": 4,
        "fifth": 5,
        "sixth": 6,
        "seventh": 7,
        "eighth": 8,
        "ninth": 9,
    }
)
OTHER_ORDINALS: Final = MappingProxyType(
    {
        "tenth": 10,
        "eleventh": 11,
        "twelfth": 12,
        "thirteenth": 13,
        "fourteenth": 14,
        "fifteenth": 15,
        "sixteenth": 16,
        "seventeenth": 17,
        "eighteenth": 18,
        "nineteenth": 19,
        "twentieth": 20,
        "thirtieth": 30,
        "fortieth": 40,
        "fiftieth": 50,
        "sixtieth": 60,
        "seventieth": 70,
        "eightieth": 80,
        "ninetieth": 90,
    }
)
ORDINAL_SUFFIXES: Final = frozenset({"st", "nd", "rd", "th"})
HOMOPHONES: Final = MappingProxyType(
    {"for": "4", "fore": "4", "to": "2", "too": "2", "won": "1", "ate": "8", "tree": "3", "sicks": "6"}
)

MONTHS: Final = MappingProxyType(
    {
        "january": 1,
        "jan": 1,
        "february": 2,
        "feb": 2,
        "march": 3,
        "mar": 3,
        "april": 4,
        "apr": 4,
        "may": 5,
        "june": 6,
        "jun": 6,
        "july": 7,
        "jul": 7,
        "august": 8,
        "aug": 8,
        "september": 9,
        "sept": 9,
        "sep": 9,
        "october": 10,
        "oct": 10,
        "november": 11,
        "nov": 11,
        "december": 12,
        "dec": 12,
    }
)
MONTH_NAMES: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS: Final = MappingProxyType(
    {
        "monday": 0,
        "tuesday": 1,
        "wednesday": 2,
        "thursday": 3,
        "friday": 4,
        "saturday": 5,
        "sunday": 6,
    }
)

LETTER_NAMES: Final = MappingProxyType(
    {
        "ay": "a",
        "bee": "b",
        "cee": "c",
        "dee": "d",
        "ee": "e",
        "eff": "f",
        "ef": "f",
        "gee": "g",
        "aitch": "h",
        "haitch": "h",
        "jay": "j",
        "kay": "k",
        "el": "l",
        "ell": "l",
        "em": "m",
        "en": "n",
        "pee": "p",
        "cue": "q",
        "queue": "q",
        "ar": "r",
        "ess": "s",
        "tee": "t",
        "vee": "v",
        "ex": "x",
        "wye": "y",
        "zee": "z",
        "zed": "z",
    }
)
# These are everyday words; they count as letters only between or beside real ones.
LETTER_HOMOPHONES: Final = MappingProxyType(
    {
        "see": "c",
        "sea": "c",
        "be": "b",
        "eye": "i",
        "oh": "o",
        "are": "r",
        "tea": "t",
        "you": "u",
        "why": "y",
        "okay": "ok",
    }
)
SPELLING_ALPHABET: Final = MappingProxyType(
    {
        "alpha": "a",
        "alfa": "a",
        "bravo": "b",
        "charlie": "c",
        "delta": "d",
        "echo": "e",
        "foxtrot": "f",
        "golf": "g",
        "hotel": "h",
        "india": "i",
        "juliet": "j",
        "juliett": "j",
        "kilo": "k",
        "lima": "l",
        "mike": "m",
        "november": "n",
        "oscar": "o",
        "papa": "p",
        "quebec": "q",
        "romeo": "r",
        "sierra": "s",
        "tango": "t",
        "uniform": "u",
        "victor": "v",
        "whiskey": "w",
        "whisky": "w",
        "xray": "x",
        "yankee": "y",
        "zulu": "z",
    }
)


def full_year(digits: str) -> int:
    """A year written with two or four digits; 00 to 30 are 2000 to 2030."""
    year = int(digits)
    if len(digits) > 2:
        return year
    return year + (2000 if year <= 30 else 1900)
