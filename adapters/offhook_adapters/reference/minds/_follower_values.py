"""What the follower believes it heard: readings of each parameter from every hearing, and how they are
weighed.

A value enters in two ways only: it was read out of a hearing, or a tool returned it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import attrs
from rapidfuzz.distance import Levenshtein

from offhook.names import match_names
from offhook.packs import Parameter
from offhook.spoken import Parsed, parse_spoken
from offhook.values import CanonicalValue, ValueKind
from offhook_adapters.reference.minds._follower_names import (
    blended,
    crossed,
    ending_rejoined,
    spelling_likeness,
)
from offhook_adapters.reference.minds.desk import Attention, Utterance
from offhook_adapters.reference.speech import PROMPTS

__all__ = ["Notes", "Reading", "Spelling", "readings", "spelling", "volunteered"]

_TRUST: Final[Mapping[Attention, float]] = MappingProxyType(
    {Attention.QUICK: 1.0, Attention.CAREFUL: 2.0, Attention.OTHERWISE: 2.0}
)
_ALTERNATIVE: Final = 0.25
# A spelling names every letter, which a spoken name does not.
_SPELLED: Final = 2.0
_ALTERNATIVES_KEPT: Final = 3
_VALUES_KEPT: Final = 4
_SPELLED_LIKE_SPOKEN: Final = 0.7
# Kinds whose form alone tells what they are: one said before it was asked for can be trusted.
_DISTINCTIVE: Final = (ValueKind.PHONE, ValueKind.EMAIL, ValueKind.ORDER_NUMBER)


@attrs.frozen
class Reading:
    """One value read from one hearing. ``weight`` grows with how carefully was listened; a mere alternative
    weighs a quarter.
    """

    value: CanonicalValue
    weight: float
    confidence: float
    kind: ValueKind
    alternative: bool = False


def readings(parameter: Parameter, heard: Utterance) -> tuple[Reading, ...]:
    """The values of the parameter's kind in one hearing, the parser's choice first. A dummy of the prompt is
    dropped: hearing that back means the recogniser echoed it.
    """
    parsed = _parsed(parameter, heard.text)
    trust = _TRUST[heard.attention]
    echo = _dummy(parameter) if heard.attention is not Attention.QUICK else None
    found: dict[CanonicalValue, float] = {}
    if parsed.kind is ValueKind.NAME and len(parsed.candidates) > 1:
        found = _spoken_and_spelled(parsed, trust)
    elif parsed.complete and parsed.value is not None:
        found[parsed.value] = trust
    for value in parsed.candidates[:_ALTERNATIVES_KEPT]:
        found.setdefault(value, trust * _ALTERNATIVE)
    return tuple(
        Reading(value, weight, heard.confidence, parameter.kind, weight < 1.0)
        for value, weight in found.items()
        if value != echo
    )


def _spoken_and_spelled(parsed: Parsed, trust: float) -> dict[CanonicalValue, float]:
    """The spoken name, which the parser lists last, counts in full. The one put together from the letters
    counts where the two are alike: letters are what recognisers mishear most.
    """
    spoken, spelled = str(parsed.candidates[-1]), str(parsed.candidates[0])
    alike = Levenshtein.normalized_similarity(spoken.lower(), spelled.lower())
    return {spoken: trust, spelled: trust if alike >= _SPELLED_LIKE_SPOKEN else trust * _ALTERNATIVE}


@attrs.frozen
class Spelling:
    """Letters heard one by one in one hearing, for a name; ``weight`` is twice a reading's."""

    letters: str
    weight: float


def spelling(parameter: Parameter, heard: Utterance) -> Spelling | None:
    """The letters of a spelled name in one hearing, if there are any."""
    if parameter.kind is not ValueKind.NAME:
        return None
    letters = parse_spoken(ValueKind.SPELLED, heard.text).value
    return None if letters is None else Spelling(str(letters), _SPELLED * _TRUST[heard.attention])


def volunteered(
    parameter: Parameter, said: Iterable[Utterance], used: frozenset[CanonicalValue]
) -> tuple[Reading, ...]:
    """Readings from turns that were no answer to a question for this parameter. Only kinds that can't be
    mistaken for another are looked for, and a value that already serves another parameter is not taken twice.
    """
    if parameter.kind not in _DISTINCTIVE:
        return ()
    return tuple(
        reading
        for heard in said
        for reading in readings(parameter, heard)
        if reading.weight >= 1.0 and reading.value not in used
    )


@attrs.frozen
class Notes:
    """All readings of one step's parameters, which combinations the caller or the tool server has turned
    down, and which single values are known to be wrong. Immutable; each method that adds returns new notes.
    """

    readings: Mapping[str, tuple[Reading, ...]] = attrs.field(factory=dict)
    spellings: Mapping[str, tuple[Spelling, ...]] = attrs.field(factory=dict)
    witnesses: frozenset[tuple[str, str]] = frozenset()
    turned_down: frozenset[tuple[tuple[str, CanonicalValue], ...]] = frozenset()
    wrong: frozenset[tuple[str, CanonicalValue]] = frozenset()

    def add(self, name: str, more: tuple[Reading, ...]) -> Notes:
        merged = {**self.readings, name: (*self.readings.get(name, ()), *more)}
        return attrs.evolve(self, readings=merged)

    def hear(self, parameter: Parameter, heard: Utterance) -> Notes:
        """Adds all that one hearing says of a parameter.

        The same words heard twice are no second witness of a name: a voice that says it oddly does so every
        time.
        """
        witness = (parameter.name, heard.text)
        if parameter.kind is ValueKind.NAME and witness in self.witnesses:
            return self
        notes = attrs.evolve(self, witnesses=self.witnesses | {witness})
        notes = notes.add(parameter.name, _all_readings(parameter, heard))
        letters = spelling(parameter, heard)
        if letters is None:
            return notes
        spelled = {**self.spellings, parameter.name: (*self.spellings.get(parameter.name, ()), letters)}
        return attrs.evolve(notes, spellings=spelled)

    def turn_down(self, values: Mapping[str, CanonicalValue], field: str | None = None) -> Notes:
        """Notes a refused combination; with ``field`` that one value is wrong whatever goes with it."""
        if field is not None and field in values:
            return attrs.evolve(self, wrong=self.wrong | {(field, values[field])})
        return attrs.evolve(self, turned_down=self.turned_down | {_key(values)})

    def ranked(self, name: str) -> tuple[tuple[CanonicalValue, float], ...]:
        """Values with their support from all hearings, best first; among equals the latest heard.

        A value's support is the weight of its readings. Names also get support from other readings and
        spellings by how alike they are: of several misspellings of a name, the one in their middle is nearest
        to what was said. Parts of one hearing go with parts of another, and spoken names with spelled ones. A
        mere alternative gets no support but its own.
        """
        heard = self.readings.get(name, ())
        proper = tuple(reading for reading in heard if not reading.alternative)
        spelled = self.spellings.get(name, ())
        order = {reading.value: place for place, reading in enumerate(heard)}
        support = {value: sum(item.weight for item in heard if item.value == value) for value in order}
        for value in dict.fromkeys((*(item.value for item in proper), *_further_names(proper, spelled))):
            support[value] = sum(item.weight * _likeness(value, item) for item in proper) + sum(
                item.weight * spelling_likeness(str(value), item.letters) for item in spelled
            )
        good = [value for value in support if (name, value) not in self.wrong]
        best_first = sorted(good, key=lambda value: (-round(support[value], 6), -order.get(value, -1)))
        return tuple((value, support[value]) for value in best_first)

    def best(self, names: tuple[str, ...], *, least: float = 1.0) -> Mapping[str, CanonicalValue] | None:
        """The best combination that has not been turned down and whose every value has at least ``least``
        support; None while a parameter has none.

        Combinations rank by their values' support as a share of the best one's: what was heard surely is held
        on to, what is doubtful varies first.
        """
        options = [_shares(self.ranked(name), least) for name in names]
        combinations = sorted(
            itertools.product(*options), key=lambda combination: -sum(share for _, share in combination)
        )
        for combination in combinations:
            values = {name: value for name, (value, _) in zip(names, combination, strict=True)}
            said = set(values.items())
            if not any(said.issuperset(refused) for refused in self.turned_down):
                return values
        return None

    def missing(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Parameters without any value that was properly heard."""
        return tuple(name for name in names if not any(support >= 1.0 for _, support in self.ranked(name)))

    def confidence(self, name: str, value: CanonicalValue) -> float:
        """The best recogniser confidence among the hearings that gave this value; 0 if none did."""
        return max(
            (item.confidence for item in self.readings.get(name, ()) if item.value == value), default=0.0
        )


def _key(values: Mapping[str, CanonicalValue]) -> tuple[tuple[str, CanonicalValue], ...]:
    return tuple(sorted(values.items()))


def _all_readings(parameter: Parameter, heard: Utterance) -> tuple[Reading, ...]:
    """What was said as it was heard, and with a name's cut-off ending rejoined. Where the cut had left half a
    name, that half is dropped.
    """
    plain = readings(parameter, heard)
    rejoined = ending_rejoined(heard.text) if parameter.kind is ValueKind.NAME else None
    if rejoined is None:
        return plain
    whole = tuple(reading for reading in plain if " " in str(reading.value))
    return (*whole, *readings(parameter, attrs.evolve(heard, text=rejoined)))


def _further_names(heard: tuple[Reading, ...], spelled: tuple[Spelling, ...]) -> Iterable[str]:
    """Names that no single hearing gave, put together from several."""
    names = [str(reading.value) for reading in heard if reading.kind is ValueKind.NAME]
    whole = tuple(dict.fromkeys((*names, *crossed(names))))
    blends = (blended(name, letters.letters) for name in whole for letters in spelled)
    return (*whole, *(blend for blend in blends if blend is not None))


def _shares(
    ranked: tuple[tuple[CanonicalValue, float], ...], least: float
) -> list[tuple[CanonicalValue, float]]:
    """The first few values with their share of the first one's support."""
    return [(value, support / ranked[0][1]) for value, support in ranked if support >= least][:_VALUES_KEPT]


def _likeness(value: CanonicalValue, reading: Reading) -> float:
    """1 for the same value; for another name how alike the two are, less than that; else 0."""
    if value == reading.value:
        return 1.0
    if reading.kind is not ValueKind.NAME:
        return 0.0
    return match_names(str(value), str(reading.value)).score


def _parsed(parameter: Parameter, text: str) -> Parsed:
    return parse_spoken(parameter.kind, text, length=parameter.length)


def _dummy(parameter: Parameter) -> CanonicalValue | None:
    return _parsed(parameter, PROMPTS.get(parameter.kind, "")).value
