"""The caller's own values in a text: which of them it states, and what is nobody's value.

One parser reads values everywhere (:mod:`offhook.spoken`), so a value counts whether it was written in
digits or spoken as words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from offhook.packs import Trait
from offhook.spoken import DigitRun, digit_runs, normalise_words, parse_spoken
from offhook.values import ValueKind, canonical
from offhook_caller.cues import AgentTurn
from offhook_caller.minds import Reply
from offhook_caller.saidnames import name_in

__all__ = [
    "DIGIT_KINDS",
    "PARSED_KINDS",
    "canonical_of",
    "digit_windows",
    "digits_of",
    "foreign_values",
    "made_of",
    "repeats_a_line",
    "stated_traits",
]

DIGIT_KINDS: Final = frozenset({ValueKind.PHONE, ValueKind.ZIP, ValueKind.DIGITS, ValueKind.ORDER_NUMBER})
PARSED_KINDS: Final = frozenset({ValueKind.EMAIL, ValueKind.DATE})
_SHORTEST_PART: Final = 3
_SHORTEST_FOREIGN: Final = 4
# A line is said back where this share of its telling words is: those of some length, and figures.
_REPEATED: Final = 0.6
_TELLING: Final = 4
_FEWEST_TELLING: Final = 3
_MONEY: Final = re.compile(r"\$ ?[0-9][0-9,]*(?:\.[0-9]{2})?|\b[0-9][0-9,]*(?:\.[0-9]{2})? dollars\b")
_NAME_SAID: Final = re.compile(
    r"\b(?:[Mm]y name is|[Mm]y name's|[Nn]ame's|[Tt]his is)\s+((?:[A-Z][\w'’-]+ ?){1,4})"
)


def stated_traits(text: str, traits: Sequence[Trait]) -> tuple[str, ...]:
    """The names of the traits whose values the text holds."""
    runs = digit_runs(text)
    words = f" {' '.join(normalise_words(text))} "
    return tuple(trait.name for trait in traits if _holds(trait, text, runs, words))


def foreign_values(text: str, traits: Sequence[Trait], authored: Iterable[str]) -> tuple[str, ...]:
    """The identifying values of a text that are neither a trait nor in an authored line: digits, e-mail
    addresses, full dates and names the speaker gives as its own. Parts of an own number are its own.
    """
    lines = tuple(authored)
    own = {run.digits for line in (*lines, *(trait.value for trait in traits)) for run in digit_runs(line)}
    own |= {digits_of(trait.value) for trait in traits if trait.kind in DIGIT_KINDS}
    foreign = [
        run.digits
        for run in digit_runs(_MONEY.sub(" ; ", _without_date(text)))
        if len(run.digits) >= _SHORTEST_FOREIGN and not made_of(run, own)
    ]
    for kind in (ValueKind.EMAIL, ValueKind.DATE):
        value = parse_spoken(kind, text).value
        if value is not None and value not in _values_of(kind, traits, lines):
            foreign.append(str(value))
    names = [trait.value for trait in traits if trait.kind is ValueKind.NAME]
    said = (match[1].strip() for match in _NAME_SAID.finditer(text))
    foreign.extend(name for name in said if names and not any(_within(name, own) for own in names))
    return tuple(dict.fromkeys(foreign))


def repeats_a_line(turn: AgentTurn, said: Iterable[Reply]) -> bool:
    """Whether the turn says one of the caller's lines back, in about its words and with no other figure."""
    words = set(normalise_words(turn.text))
    for reply in said:
        own = set(normalise_words(reply.written))
        telling = {word for word in own if len(word) >= _TELLING or word.isdigit()}
        figures = {word for word in words if word.isdigit()}
        if (
            len(telling) >= _FEWEST_TELLING
            and len(telling & words) >= _REPEATED * len(telling)
            and figures <= own
        ):
            return True
    return False


def digit_windows(run: DigitRun) -> set[str]:
    """All digit strings made of whole groups of a run: speakers put two values in one breath."""
    groups = run.groups
    return {"".join(groups[i:j]) for i in range(len(groups)) for j in range(i + 1, len(groups) + 1)}


def made_of(run: DigitRun, own: set[str]) -> bool:
    """Whether a run is nothing but own values, or parts of one, in a row."""
    digits = run.digits
    if any(digits in value for value in own):
        return True
    reachable = {0}
    for start in range(len(digits)):
        if start in reachable:
            reachable |= {start + len(value) for value in own if value and digits.startswith(value, start)}
    return len(digits) in reachable


def digits_of(value: str) -> str:
    """The digits of a value, and nothing else."""
    return "".join(character for character in value if character.isdigit())


def canonical_of(trait: Trait) -> object:
    """A trait's value in the form in which values are compared."""
    return canonical(trait.kind, trait.value)


def _holds(trait: Trait, text: str, runs: Sequence[DigitRun], words: str) -> bool:
    if trait.kind in DIGIT_KINDS:
        digits = digits_of(trait.value)
        if any(digits in digit_windows(run) for run in runs):
            return True
        return trait.kind is ValueKind.PHONE and any(
            len(run.digits) >= _SHORTEST_PART and digits.endswith(run.digits) for run in runs
        )
    if trait.kind in PARSED_KINDS:
        return canonical_of(trait) in parse_spoken(trait.kind, text).candidates
    if trait.kind is ValueKind.NAME:
        return name_in(trait.value, text)
    folded = " ".join(normalise_words(trait.value))
    return folded != "" and f" {folded} " in words


def _without_date(text: str) -> str:
    """A date's digits are judged as a date."""
    span = parse_spoken(ValueKind.DATE, text).span
    return text if span is None else f"{text[: span[0]]} ; {text[span[1] :]}"


def _values_of(kind: ValueKind, traits: Sequence[Trait], lines: Sequence[str]) -> set[object]:
    values: set[object] = {canonical_of(trait) for trait in traits if trait.kind is kind}
    for line in lines:
        values |= set(parse_spoken(kind, line).candidates)
    return values


def _within(said: str, name: str) -> bool:
    own = normalise_words(name)
    return all(word in own for word in normalise_words(said))
