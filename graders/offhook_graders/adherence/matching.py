"""Is this argument what was expected, and which observed call stands for which expected one: pure
functions."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import attrs

from offhook.names import match_names
from offhook.packs import Choice, ExpectedCall, Parameter, Tool
from offhook.records import ToolLogEntry
from offhook.values import CanonicalValue, ColumnKind, ValueKind, canonical, canonical_column, whole_number

__all__ = [
    "Difference",
    "assign",
    "differences",
    "fold_text",
    "is_given",
    "nearest",
    "same_of_kind",
    "same_value",
]

_DASHES: Final = dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")
_SIGN: Final = re.compile(r"(?<!\w)-(?=\.?[0-9])")
_LOOSE_MARK: Final = re.compile(r"(?<![^\W_])(?<![+#])[+#]+")  # "#5" and "+5" are 5, "C#" and "C++" are not C
# Numbers that are no codes: a code keeps its leading noughts, and "0171" is not 171.
_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?", re.ASCII)
_UNHEARD: Final = re.compile(r"(?<![0-9])\.|\.(?![0-9])|[^\w.+#]|_")


def fold_text(text: str) -> str:
    """Text without what only writing shows: case, accents, spacing, punctuation. What changes the
    meaning stays: a decimal point between digits, a minus sign before them, "+" and "#" after a letter or
    digit."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    plain = _LOOSE_MARK.sub("", bare.casefold().translate(_DASHES))
    # A sign keeps a space before it, so that it never reads as a hyphen.
    folded = " -".join(_UNHEARD.sub("", part) for part in _SIGN.split(plain)).strip()
    return folded or text.strip()


def is_given(value: object) -> bool:
    """Whether an argument is there at all: null and blank text are omissions."""
    return value is not None and not (isinstance(value, str) and not value.strip())


def same_value(parameter: Parameter, expected: object, observed: object) -> bool:
    """Whether two values of a parameter mean the same after normalisation by its kind.

    Equal numbers are equal whatever their type (33 and 33.0). Choices compare by the choice that value or
    alias names, names by `offhook.names.match_names`, text without case, spacing and typography, every other
    kind by `offhook.values.canonical` to the letter. Lists compare item by item in their order and objects
    name by name, also where one side is given as JSON text."""
    folded = _unfolded(expected, observed)
    if folded is not None:
        return _same_nested(parameter, *folded)
    if parameter.choices:
        return _choice_of(parameter.choices, expected) == _choice_of(parameter.choices, observed)
    return same_of_kind(parameter.kind, expected, observed)


def _unfolded(expected: object, observed: object) -> tuple[object, object] | None:
    """Both values with JSON text read, where either holds several; None for two plain values."""
    if _is_nested(expected) and isinstance(observed, str):
        observed = _parsed(observed)
    elif _is_nested(observed) and isinstance(expected, str):
        expected = _parsed(expected)
    return (expected, observed) if _is_nested(expected) or _is_nested(observed) else None


def _is_nested(value: object) -> bool:
    return isinstance(value, list | tuple | Mapping)


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _same_nested(parameter: Parameter, expected: object, observed: object) -> bool:
    """An object's missing, null and blank members are the same; text never equals the list that holds it."""
    if isinstance(expected, list | tuple) and isinstance(observed, list | tuple):
        return len(expected) == len(observed) and all(
            same_value(parameter, one, other) for one, other in zip(expected, observed, strict=True)
        )
    if isinstance(expected, Mapping) and isinstance(observed, Mapping):
        names = {name for side in (expected, observed) for name, value in side.items() if is_given(value)}
        return all(
            is_given(expected.get(name))
            and is_given(observed.get(name))
            and same_value(parameter, expected[name], observed[name])
            for name in names
        )
    return False


def same_of_kind(kind: ValueKind | ColumnKind, expected: object, observed: object) -> bool:
    """`same_value` for any two plain values of a kind, in a tool's arguments or in a database."""
    if expected is None or observed is None:
        return expected is observed
    if _is_number(expected) and _is_number(observed) and expected == observed:
        return True
    if _is_nested(expected) or _is_nested(observed):  # as text, ["1156"] would read like "1156"
        return expected == observed
    if kind is ValueKind.NAME:
        return match_names(str(expected), str(observed)).same
    if kind is ValueKind.TEXT:
        return _same_text(whole_number(expected), whole_number(observed))
    one, other = _form(kind, expected), _form(kind, observed)
    if one is None and other is None:  # neither is of the kind: as text, each equals only itself
        return fold_text(str(expected)) == fold_text(str(observed))
    return one == other


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _choice_of(choices: Sequence[Choice], value: object) -> str:
    word = fold_text(str(whole_number(value)))
    for choice in choices:
        if word in {fold_text(name) for name in (choice.value, *choice.aliases)}:
            return choice.value
    return word


def _same_text(expected: object, observed: object) -> bool:
    if isinstance(expected, bool) or isinstance(observed, bool):
        return _truth(expected) is not None and _truth(expected) == _truth(observed)
    if fold_text(str(expected)) == fold_text(str(observed)):
        return True
    one, other = _NUMBER.fullmatch(str(expected).strip()), _NUMBER.fullmatch(str(observed).strip())
    return one is not None and other is not None and Decimal(one[0]) == Decimal(other[0])


def _truth(value: object) -> CanonicalValue | None:
    return _form(ValueKind.YES_NO, value)


def _form(kind: ValueKind | ColumnKind, value: object) -> CanonicalValue | None:
    """The canonical form; None for what is not of the kind."""
    try:
        if isinstance(kind, ColumnKind):
            return canonical_column(kind, value)
        return canonical(kind, whole_number(value))
    except ValueError:
        return None


@attrs.frozen
class Difference:
    """Why an observed call does not stand for an expected one. ``what`` names the argument, or is
    ``outcome``; ``observed`` is None where it was omitted."""

    what: str
    expected: Any
    observed: Any


def differences(
    expected: ExpectedCall, outcome: str, tool: Tool, observed: ToolLogEntry
) -> tuple[Difference, ...]:
    """All that keeps an observed call of the same tool from matching; empty if it matches.

    Args:
        outcome: what the replay's call came to, ``accepted`` or ``refused``.

    Raises:
        ValueError: the key constrains an argument that the tool does not have.
    """
    parameters = {parameter.name: parameter for parameter in tool.parameters}
    found = [] if observed.outcome == outcome else [Difference("outcome", outcome, observed.outcome)]
    for name, value in expected.arguments.items():
        if name not in parameters:
            raise ValueError(f"tool {tool.name} has no argument {name!r} that its expected call constrains")
        accepted = (value, *expected.alternatives.get(name, ()))
        if not _is_one_of(parameters[name], accepted, observed):
            found.append(Difference(name, value, _shown(observed.arguments.get(name))))
    omitted = [name for name in expected.free_text if not is_given(observed.arguments.get(name))]
    return (*found, *(Difference(name, "any text", None) for name in omitted))


def _is_one_of(parameter: Parameter, accepted: Sequence[object], observed: ToolLogEntry) -> bool:
    """Compares the argument as sent and as the tool server understood it; nothing equals an omission."""
    sources = (observed.canonical, observed.arguments)
    readings = [source[parameter.name] for source in sources if is_given(source.get(parameter.name))]
    return any(same_value(parameter, value, reading) for value in accepted for reading in readings)


def _shown(value: object) -> object:
    return value if is_given(value) else None


def assign(eligible: Sequence[Sequence[bool]]) -> tuple[int | None, ...]:
    """A one-to-one assignment of rows to columns that pairs as many rows as any could (maximum, not greedy).

    Args:
        eligible: ``eligible[row][column]`` says whether the two may be paired; rows of equal length.

    Returns:
        Each row's column, or None.
    """
    if not eligible or not any(any(row) for row in eligible):
        return tuple(None for _ in eligible)
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    graph = csr_array(np.asarray(eligible, dtype=np.int8))
    columns = maximum_bipartite_matching(graph, perm_type="column")
    return tuple(int(column) if column >= 0 else None for column in columns)


def nearest(candidates: Mapping[int, tuple[Difference, ...]]) -> int | None:
    """Of candidate columns with their differences, the one that differs least; the earliest of several."""
    return min(candidates, key=lambda column: (len(candidates[column]), column), default=None)
