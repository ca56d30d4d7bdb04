"""Reads values out of what a recogniser heard, and folds transcripts for word error rates.

One parser serves the tool server, the policy follower, the simulated caller and the graders. It takes digits,
words and any mixture of them ("541-555-0171", "five four one 555 01 71", "triple five", "oh one seven one")
and holds to one rule: **a digit that was not said is never in a value**. What can't be settled stays open,
with candidates, so that a listener can ask again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from offhook._spoken_amounts import parse_amount
from offhook._spoken_dates import parse_date
from offhook._spoken_digits import DigitRun, digit_runs, parse_digits, parse_order_number
from offhook._spoken_email import parse_email
from offhook._spoken_letters import parse_spelled
from offhook._spoken_names import parse_name
from offhook._spoken_normalise import normalise
from offhook._spoken_result import Parsed
from offhook._spoken_states import Stated, states
from offhook._spoken_times import parse_time
from offhook._spoken_yes_no import parse_yes_no
from offhook.values import ValueKind, canonical

__all__ = ["DigitRun", "Parsed", "Stated", "digit_runs", "normalise_words", "parse_spoken", "states_value"]


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


def states_value(
    kind: ValueKind, value: object, text: str | Sequence[str], *, today: dt.date | None = None
) -> Stated:
    """Whether a transcript states a value in any usual spoken or written form. Never raises on any text.

    ``value`` is canonical or any written form that `offhook.values.canonical` takes. ``text`` is one line, or
    several in order, joined: a number may go on in the next line, and the span counts a newline between two.
    ``today`` makes "tomorrow" readable, and dates said without a year: they state the next such day and the
    latest one.

    - A value inside a longer one isn't stated: 1156 is not in 811562, nor in a phone that ends so. Neighbours
      of its own ("97035 1156") don't matter, nor does what the value was said to be.
    - Where one wording means two values, it states either: "two thirty" is 02:30 and 14:30, "two fifty" $2.50
      and $250. With "p.m." or "dollars" said it is one.
    - Names go by `offhook.names.match_names` over every stretch of the text. In e-mail addresses dots,
      hyphens and underscores count. Plain text goes by `normalise_words`, as a row of whole words.

    Raises:
        ValueError: ``value`` isn't one of that kind.
    """
    return states(kind, value, text, today)


def normalise_words(text: str) -> tuple[str, ...]:
    """Folds a reference or a hypothesis for word error rates; written and verbalised forms of a line come out
    equal.

    - NFKC, case, Latin accents and apostrophes folded, invisible characters (soft hyphens, joiners, direction
      marks) and punctuation dropped; hyphenated words split. Other scripts keep their marks.
    - Numbers, said or written, become one token a digit: "36", "thirty six" and "thirty-six" are ``3 6``,
      "1,156" and "eleven fifty-six" are ``1 1 5 6``, "thirtieth", "30th" and "30" are ``3 0``. "Oh" beside a
      number is ``0``.
    - Money drops its dollars: "$14.99", "fourteen dollars and ninety-nine cents" and "fourteen ninety-nine"
      are ``1 4 9 9``. Cents alone keep theirs: "$0.99" is ``9 9 cents``.
    - The point of a decimal stays, except before two decimals, which may be cents: "12.5" is
      ``1 2 point 5``. Fractions are ``half``, ``quarter``, ``2 thirds``.
    - Days are month, day, year whatever their order: "6/30/1972", "1972-06-30" and "the thirtieth of June,
      1972" are ``june 3 0 1 9 7 2``.
    - "2:00 p.m.", "14:00" and "two P M" are ``2 pm``, "half past two" is ``2 3 0``, "noon" ``1 2 pm``.
    - Codes and letters joined to digits are one token a letter: "KE-4408117" is ``k e 4 4 0 8 1 1 7``, and so
      are the words of the spelling alphabet and "K as in kilo". Signs of e-mail addresses are words.
    - Contractions are expanded, so "I'm" equals "I am"; 's is "is" after pronouns and question words only,
      and possessives and names stay whole: ``karen's``, ``o'brien``. Usual abbreviations ("St.", "Dr.",
      "apt", "lbs"), British spellings and words written together or apart have one form.
    - **Hesitations are dropped** ("um", "uh", "erm", "hmm"): platforms leave them out at will, and they mean
      nothing, so they count neither as words nor as errors. "Well", "like" and "you know" are words, and
      "mm-hmm" and "uh-huh" are answers: both are kept.

    The result is a fixed point: ``normalise_words(" ".join(words)) == words``.
    """
    return normalise(text)
