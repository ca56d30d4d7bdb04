"""Reads values out of what a recogniser heard, and folds transcripts for word error rates.

One parser serves the tool server, the policy follower, the simulated caller and the graders. It takes digits,
words and any mixture of them ("541-555-0171", "five four one 555 01 71", "triple five", "oh one seven one")
and holds to one rule: **a digit that was not said is never in a value**. What can't be settled stays open,
with candidates, so that a listener can ask again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from offhook._spoken_amounts import parse_amount
from offhook._spoken_dates import parse_date
from offhook._spoken_digits import DigitRun, digit_runs, parse_digits, parse_order_number
from offhook._spoken_email import parse_email
from offhook._spoken_letters import parse_spelled
from offhook._spoken_names import parse_name
from offhook._spoken_normalise import normalise
from offhook._spoken_result import Parsed
from offhook._spoken_times import parse_time
from offhook._spoken_yes_no import parse_yes_no
from offhook.values import ValueKind, canonical

__all__ = ["DigitRun", "Parsed", "digit_runs", "normalise_words", "parse_spoken"]


def parse_spoken(
    kind: ValueKind,
    text: str,
    *,
    today: dt.date | None = None,
    length: int | None = None,
    cues: Iterable[str] = (),
) -> Parsed:
    """Finds one value of a kind in a line that may hold several, and says how sure it is. Never raises on any
    text.

    ``today`` completes dates without a year and makes "tomorrow" and weekdays readable. ``length`` is the
    number of digits of a ``digits`` or ``order_number`` value. ``cues`` are lower-case words expected shortly
    before the value, added to the kind's own ("zip", "card ending", "phone", ...); a number introduced as
    something else isn't taken.

    Values of the same kind and strength that differ leave ``value`` at ``None``, with all of them as
    candidates, unless a correction ("no wait", "sorry", "I mean") stands between them. For ``yes_no``, "no,
    please cancel it" is no: the answer word that opens the line decides."""
    kind = ValueKind(kind)
    match kind:
        case ValueKind.NAME:
            return parse_name(text)
        case ValueKind.PHONE | ValueKind.ZIP | ValueKind.DIGITS:
            return parse_digits(kind, text, length, frozenset(cues))
        case ValueKind.EMAIL:
            return parse_email(text)
        case ValueKind.DATE:
            return parse_date(text, today)
        case ValueKind.TIME:
            return parse_time(text)
        case ValueKind.AMOUNT:
            return parse_amount(text)
        case ValueKind.SPELLED:
            return parse_spelled(text)
        case ValueKind.ORDER_NUMBER:
            return parse_order_number(text, length)
        case ValueKind.YES_NO:
            return parse_yes_no(text)
        case ValueKind.TEXT:
            return _parse_text(text)


def _parse_text(text: str) -> Parsed:
    words = canonical(ValueKind.TEXT, text)
    if not words:
        return Parsed(ValueKind.TEXT, None, evidence="nothing heard")
    start = len(text) - len(text.lstrip())
    return Parsed(
        ValueKind.TEXT, words, (words,), (start, start + len(text.strip())), True, "", "the whole line"
    )


def normalise_words(text: str) -> tuple[str, ...]:
    """Folds a reference or a hypothesis for word error rates; written and verbalised forms of a line come out
    equal.

    - NFKC, case, accents and apostrophes folded; punctuation dropped; hyphenated words split.
    - Numbers, said or written, become one token a digit: "36", "thirty six" and "thirty-six" are ``3 6``,
      "1,156" and "eleven fifty-six" are ``1 1 5 6``, "thirtieth", "30th" and "30" are ``3 0``. "Oh" beside a
      number is ``0``.
    - Money drops its units: "$14.99", "fourteen dollars and ninety-nine cents" and "fourteen ninety-nine" are
      ``1 4 9 9``.
    - The "point" of a decimal is dropped like the dot: "12.5" and "twelve point five" are ``1 2 5``.
    - "6/30/1972" and "1972-06-30" are ``june 3 0 1 9 7 2``; "2:00 p.m." and "two P M" are ``2 pm``.
    - Codes and letters joined to digits are one token a letter: "KE-4408117" is ``k e 4 4 0 8 1 1 7``.
    - Contractions are expanded, so "I'm" equals "I am"; 's is "is" after pronouns and question words only,
      and possessives and names stay whole: ``karen's``, ``o'brien``.

    The result is a fixed point: ``normalise_words(" ".join(words)) == words``.
    """
    return normalise(text)
