"""The result of reading one value out of a transcript, and how several readings of one line are settled."""

from __future__ import annotations

import attrs

from offhook._spoken_tokens import Token
from offhook.values import CanonicalValue, ValueKind

_CORRECTIONS = frozenset(
    {"sorry", "actually", "wait", "correction", "rather", "meant", "mean", "instead", "scratch"}
)


@attrs.frozen
class Parsed:
    """A value heard in a text.

    ``value`` is canonical (see `offhook.values`) or ``None``; ``candidates`` holds every reading that is
    possible, best first, ``value`` among them. ``span`` gives the text's characters it was read from.
    ``complete`` is true where the value can be used as it is; a phone with nine digits is incomplete and has
    no value. ``partial`` keeps the digits or letters heard when no whole value was, and ``evidence`` says in
    words what decided."""

    kind: ValueKind
    value: CanonicalValue | None
    candidates: tuple[CanonicalValue, ...] = ()
    span: tuple[int, int] | None = None
    complete: bool = False
    partial: str = ""
    evidence: str = ""


@attrs.frozen
class Reading:
    """One possible value with where it was read and how strong the reading is (higher is stronger)."""

    value: CanonicalValue
    first: int
    last: int
    score: float
    why: str
    also: tuple[CanonicalValue, ...] = ()


def nothing(kind: ValueKind, why: str, partial: str = "", span: tuple[int, int] | None = None) -> Parsed:
    """No value, and why."""
    return Parsed(kind, None, (), span, False, partial, why)


def span_of(tokens: tuple[Token, ...], first: int, last: int) -> tuple[int, int]:
    """Character span of tokens ``first`` to ``last`` (exclusive)."""
    return tokens[first].start, tokens[last - 1].end


def settle(kind: ValueKind, tokens: tuple[Token, ...], readings: list[Reading]) -> Parsed:
    """Picks the strongest reading. Different values of equal strength leave the value open, unless the
    speaker corrected himself between them ("no wait, ..."): then the last one holds."""
    if not readings:
        return nothing(kind, f"no {kind} heard")
    best = max(reading.score for reading in readings)
    strongest = [reading for reading in readings if reading.score == best]
    strongest.sort(key=lambda reading: reading.first)
    values = _unique([reading.value for reading in strongest])
    others = [
        reading for reading in sorted(readings, key=lambda reading: -reading.score) if reading.score < best
    ]
    candidates = _unique(
        [
            *values,
            *(value for reading in strongest for value in reading.also),
            *(reading.value for reading in others),
        ]
    )
    chosen = strongest[0]
    why = chosen.why
    corrected = _correction(tokens, chosen, readings)
    if corrected is not None:
        chosen, why = corrected, f"{corrected.why}; the speaker corrected an earlier value"
        candidates = _unique([chosen.value, *candidates])
    elif len(values) > 1:
        return Parsed(
            kind, None, candidates, None, False, "", f"{len(values)} different values: no telling which"
        )
    return Parsed(kind, chosen.value, candidates, span_of(tokens, chosen.first, chosen.last), True, "", why)


def _unique(values: list[CanonicalValue]) -> tuple[CanonicalValue, ...]:
    return tuple(dict.fromkeys(values))


def _correction(tokens: tuple[Token, ...], chosen: Reading, readings: list[Reading]) -> Reading | None:
    """The last reading that follows a correction, so long as it differs from what was chosen."""
    later = sorted(
        (reading for reading in readings if reading.first >= chosen.last), key=lambda item: item.first
    )
    previous, found = chosen, None
    for reading in later:
        between = {token.text for token in tokens[previous.last : reading.first]}
        if between & _CORRECTIONS or between & {"no", "not"} == {"no"}:
            found = reading
        previous = reading
    return found if found is not None and found.value != chosen.value else None
