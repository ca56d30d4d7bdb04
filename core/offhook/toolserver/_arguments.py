"""From what a platform sent to what a tool function takes: every argument checked and in canonical form, or a
refusal naming it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from offhook.packs import Choice, Parameter, Tool, ToolRefusal
from offhook.values import ValueKind, canonical, whole_number

__all__ = ["choice_words", "validate_arguments"]

INVALID: Final = "invalid_argument"
LARGEST_CENTS: Final = 10**12


def validate_arguments(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments in canonical form, in the order of the tool's parameters.

    Booleans come out as ``bool``, amounts as ``int`` cents, choices as the choice's value, everything else as
    ``str``. ``null`` counts as absent, as models send it for what they leave out. Absent optional arguments
    are left out.

    Raises:
        ToolRefusal: code ``invalid_argument``, status 422, with the field and what was expected of it.
    """
    known = {parameter.name: parameter for parameter in tool.parameters}
    for name in arguments:
        if name not in known:
            takes = ", ".join(known) or "no arguments"
            raise _invalid(_shown(name), f"{tool.name} has no such argument; it takes {takes}")
    clean: dict[str, Any] = {}
    for parameter in tool.parameters:
        value = arguments.get(parameter.name)
        if value is not None:
            clean[parameter.name] = _value(parameter, value)
        elif parameter.required:
            raise _invalid(parameter.name, f"required: {parameter.description}")
    return clean


def _value(parameter: Parameter, value: object) -> str | int | bool:
    if isinstance(value, str) and (not value.strip() or "\0" in value):
        raise _invalid(
            parameter.name, f"expected {parameter.kind.value}, got text that is empty or has a NUL in it"
        )
    if parameter.choices:
        return _choice(parameter, value)
    try:
        folded = canonical(parameter.kind, whole_number(value))
    except ValueError as error:
        raise _invalid(parameter.name, _shown(str(error), 300)) from error
    if parameter.kind is ValueKind.YES_NO:
        return folded == "yes"
    if isinstance(folded, int) and abs(folded) > LARGEST_CENTS:
        raise _invalid(parameter.name, "expected an amount, got one beyond ten billion dollars")
    if parameter.length is not None and isinstance(folded, str) and len(folded) != parameter.length:
        raise _invalid(parameter.name, f"expected {parameter.length} digits, got {len(folded)}")
    return folded


def _choice(parameter: Parameter, value: object) -> str:
    if isinstance(value, str):
        word = _word(value)
        for choice in parameter.choices:
            if word in choice_words(choice):
                return choice.value
    allowed = ", ".join(choice.value for choice in parameter.choices)
    raise _invalid(parameter.name, f"expected one of {allowed}, got {_shown(repr(value))}")


def choice_words(choice: Choice) -> set[str]:
    """What names a choice outright: its value and aliases, folded as arguments are before comparing."""
    return {_word(name) for name in (choice.value, *choice.aliases)}


def _word(text: str) -> str:
    """Case, spacing, hyphens and underscores don't tell one choice from another."""
    return re.sub(r"[\s_\-‐-―]+", " ", unicodedata.normalize("NFKC", text)).strip().casefold()


def _shown(text: str, limit: int = 80) -> str:
    """Text from outside, cut before it goes into an answer."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _invalid(field: str, message: str) -> ToolRefusal:
    return ToolRefusal(INVALID, message, field=field, status=422)
