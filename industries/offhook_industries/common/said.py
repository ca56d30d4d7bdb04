"""Building blocks of patterns: several in one, near each other, amounts and days as they are said.

A pattern is tried on what was heard, lower-cased, on the same without punctuation, and on its normalised
words, in which $14.99 reads "1 4 9 9".
"""

from __future__ import annotations

from typing import Final

from offhook.verbalise import verbalise

__all__ = ["any_of", "both", "money", "near", "said_day", "said_days"]

_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)


def any_of(*patterns: str) -> str:
    """One pattern that is found where any of the given ones is."""
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def both(*patterns: str) -> str:
    """One pattern that is found where all of the given ones are, in any order."""
    return "^" + "".join(f"(?=.*(?:{pattern}))" for pattern in patterns)


def near(first: str, second: str, words: int = 6) -> str:
    """Finds ``second`` after ``first`` in one sentence, with at most that many words between them."""
    # A word holds no comma, so that a text divides into words in one way only.
    return rf"(?:{first})[^\s.,?!]*(?:[ ,]+[^\s.,?!]+){{0,{words}}}?[ ,]+(?:{second})"


def money(dollars: str) -> str:
    """Finds ``"14.99"`` however it was said: $14.99, 14 99, fourteen dollars and ninety-nine cents; a round
    amount (``"45.00"``) also without its cents, where no unit but dollars follows.
    """
    whole, cents = dollars.split(".")
    words = _in_words(dollars)
    spaced = whole[0] + "".join(rf"(?:,? ?){digit}" for digit in whole[1:])
    if cents == "00":
        unit = (
            r"(?!(?:[-, ]?[0-9]|[-. ](?:days?|months?|inch|inches|percent|minutes?|hours?|years?"
            r"|business)\b))"
        )
        return (
            rf"(?<![0-9.,])(?<![0-9] ){spaced}(?:(?:\.| )0 ?0(?![0-9])"
            rf"|(?: dollars)?(?:\.(?![0-9]))?{unit}(?!\.[0-9]))|{words}"
        )
    return (
        rf"(?<![0-9.])(?<![0-9],)(?<![0-9] ){spaced}(?:\.| and | dollars and "
        rf"| dollars )? ?{' ?'.join(cents)}"
        rf"(?![0-9])(?! [0-9](?![0-9]))|{words}"
    )


def _in_words(dollars: str) -> str:
    """An amount written out: recognisers' digits run into the figures next to them, its words do not."""
    spelled = verbalise(f"${dollars}").replace("-", " ").split()
    amount = "".join(
        rf"(?:,? {word})?" if word in ("dollars", "and", "cents") else rf"[- ]?{word}" for word in spelled
    )
    unit = " dollars" if dollars.endswith(".00") else ""
    return rf"\b{amount.removeprefix('[- ]?')}{unit}\b"


def said_day(month: str, day: int) -> str:
    """Finds a day however it was said: August 17, the 17th of August, August seventeenth, 8/17."""
    number = " ?".join(str(day))
    ordinal = rf"(?:{number})(?:st|nd|rd|th)?(?![0-9])"
    numeral = _MONTHS.index(month.lower()) + 1
    return any_of(
        rf"\b{month.lower()},? (?:the )?{ordinal}",
        rf"\b(?<![0-9] ){ordinal} of {month.lower()}\b",
        rf"\bthe {number}(?:st|nd|rd|th)\b",
        rf"\b0?{numeral}[/-]0?{day}\b",
    )


def said_days(days: int) -> str:
    """Finds a span of days: 15 days, fifteen-day, 15 calendar days."""
    number = " ?".join(str(days))
    return rf"(?<![0-9])(?<![0-9] ){number}(?:-| |, )(?:(?:full|calendar|whole|more) )?days?\b"
