"""Filling the pack's templates, and the few things a caller says that are no values."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from offhook.packs import Parameter
from offhook.values import CanonicalValue, ValueKind

__all__ = [
    "asks_to_repeat",
    "filled",
    "flattened",
    "is_greeting",
    "render",
    "sentences",
    "shown",
    "wants_nothing_more",
]

_FIELD: Final = re.compile(r"\{([a-z0-9_.]+)\}", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_REPEAT: Final = re.compile(
    r"\b(repeat (that|it|the)|say (that|it) again|come again|pardon|what did you say|what was that"
    r"|missed that|didn'?t (catch|hear|get) (that|you|it|all)|one more time)\b"
)
_GREETING: Final = re.compile(r"(hello|hi|hey|are you there|anyone there|anybody there|still there)[\s,.?!]*")
_NOTHING_MORE: Final = re.compile(
    r"\b(that('?s| is|'?ll be| will be) (all|it|everything)|all i (need|needed|wanted)|nothing (else|more)"
    r"|all set|i'?m (good|done|fine)|good ?bye|bye)\b"
)
_FEWEST_DIGITS_UNSPACED: Final = 4


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, in order, none empty."""
    return tuple(part.strip() for part in _SENTENCE.split(text) if part.strip())


def render(template: str, fields: Mapping[str, str]) -> str:
    """The template with its fields filled in, as whole sentences. One that needs a field nobody has, or whose
    fields are all empty, is left out: better to say less than to say a blank.
    """
    return " ".join(
        _finished(filled(sentence, fields))
        for sentence in sentences(template)
        if _sayable([fields.get(name) for name in _FIELD.findall(sentence)])
    )


def _sayable(values: Sequence[str | None]) -> bool:
    return not values or (None not in values and any(value and value.strip() for value in values))


def filled(template: str, fields: Mapping[str, str]) -> str:
    """The template with its fields filled in, a blank for one that nobody has."""
    return _FIELD.sub(lambda match: fields.get(match[1], ""), template)


def _finished(sentence: str) -> str:
    """Fields hold clauses as well as sentences: the first letter is a capital, and something ends it."""
    text = re.sub(r"([.!?])\.$", r"\1", " ".join(sentence.split()))
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def shown(parameter: Parameter, value: CanonicalValue | bool) -> str:
    """A value as it is read back. Short digit strings are spaced, or they would be said as one number."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if parameter.kind is ValueKind.AMOUNT and isinstance(value, int):
        return _dollars(value)
    if parameter.kind is ValueKind.DATE:
        return _day(str(value))
    if parameter.kind is ValueKind.DIGITS and len(str(value)) < _FEWEST_DIGITS_UNSPACED:
        return " ".join(str(value))
    return str(value)


def flattened(tool: str, body: Mapping[str, Any]) -> dict[str, str]:
    """A result's members as template fields ``tool.member`` (``tool.outer.inner`` for nested objects). Whole
    numbers whose name ends in ``_cents`` read as dollars; ``null`` and lists have no reading.
    """
    return {f"{tool}.{path}": text for path, text in _leaves("", body)}


def _leaves(prefix: str, body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in body.items():
        path = f"{prefix}{name}"
        if isinstance(value, Mapping):
            yield from _leaves(f"{path}.", value)
        elif isinstance(value, bool):
            yield path, "yes" if value else "no"
        elif isinstance(value, int) and name.endswith("_cents"):
            yield path, _dollars(value)
        elif isinstance(value, str | int | float):
            yield path, str(value)


def _day(text: str) -> str:
    """``1972-06-30`` as ``June 30, 1972``."""
    day = date.fromisoformat(text)
    return f"{calendar.month_name[day.month]} {day.day}, {day.year}"


def _dollars(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100}.{abs(cents) % 100:02d}"


def asks_to_repeat(text: str) -> bool:
    """Whether the caller only wants to hear the last sentence again. Whoever gives a figure is answering."""
    return not any(char.isdigit() for char in text) and _REPEAT.search(_plain(text)) is not None


def is_greeting(text: str) -> bool:
    """Whether nothing was said but a hello into the silence."""
    return re.fullmatch(rf"(?:{_GREETING.pattern})+", _plain(text)) is not None


def wants_nothing_more(text: str) -> bool:
    """Whether the caller is done."""
    return _NOTHING_MORE.search(_plain(text)) is not None


def _plain(text: str) -> str:
    return text.lower().replace("’", "'").strip()
