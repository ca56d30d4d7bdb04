"""What an agent read back of the caller's values: what of it is right, and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from rapidfuzz.distance import Levenshtein

from offhook.packs import Trait
from offhook.spoken import DigitRun, digit_runs, parse_spoken
from offhook.values import ValueKind
from offhook_caller.cues import AgentTurn
from offhook_caller.phrases import TurnKind, named_traits
from offhook_caller.saidnames import half_right, nearly_said, only_read_back
from offhook_caller.statedvalues import (
    DIGIT_KINDS,
    PARSED_KINDS,
    canonical_of,
    digit_windows,
    digits_of,
    made_of,
    stated_traits,
)

__all__ = ["Contradiction", "ReadBack", "read_back"]


@attrs.frozen
class Contradiction:
    """A value the agent read back where the caller holds another."""

    trait: Trait
    heard: str


@attrs.frozen
class ReadBack:
    """The caller's values in a turn of the agent: those that are right and those that are wrong, with the
    words of both.
    """

    right: tuple[Trait, ...] = ()
    wrong: tuple[Contradiction, ...] = ()

    @property
    def evidence(self) -> str:
        """What was compared, for a log."""
        wrong = (f"{entry.trait.name} heard as {entry.heard}, is {entry.trait.value}" for entry in self.wrong)
        return "; ".join((*wrong, *(f"{trait.name} is {trait.value}" for trait in self.right)))


def read_back(
    turn: AgentTurn,
    traits: Sequence[Trait],
    kind: TurnKind,
    stated: frozenset[str],
    corrected: frozenset[str] = frozenset(),
    just_stated: frozenset[str] = frozenset(),
) -> ReadBack:
    """Compares every value of the turn with the caller's own; ``stated`` and ``corrected`` name those that
    the caller has said and put right before, ``just_stated`` those in its last line.

    A name that was put right is not haggled over: nearly right is right from then on, for the caller may have
    misheard it.

    A differing value is a wrong read-back only where the turn asks for confirmation, and names the trait or
    is nearly the value the caller stated. All else is the agent's own business: prices, case numbers, store
    hours. But a turn that says nothing else, right after the caller stated one name, can only mean that name,
    however little is left of it.
    """
    confirming = kind.confirm and not kind.repeat
    named = {trait.name for trait in named_traits(turn.text, traits)}
    right = stated_traits(turn.text, traits)
    wrong: dict[str, Contradiction] = {}
    if confirming:
        names = (item for item in traits if item.kind is ValueKind.NAME and item.name in corrected)
        right = (*right, *(item.name for item in names if nearly_said(item.value, turn)))
        open_traits = tuple(trait for trait in traits if trait.name not in right)
        for run in digit_runs(turn.text):
            for entry in _wrong_digits(run, open_traits, traits, named, stated):
                wrong.setdefault(entry.trait.name, entry)
        for trait in open_traits:
            if trait.kind in PARSED_KINDS and trait.name in named:
                for scope in turn.sentences:  # a day in another sentence is another day
                    heard = (
                        parse_spoken(trait.kind, scope.text) if named_traits(scope.text, (trait,)) else None
                    )
                    known = {canonical_of(other) for other in traits}
                    if heard is not None and heard.value is not None and heard.value not in known:
                        wrong.setdefault(trait.name, Contradiction(trait, str(heard.value)))
            elif trait.kind is ValueKind.NAME:
                other = half_right(trait.value, turn)
                if other:
                    wrong.setdefault(trait.name, Contradiction(trait, other))
        if not right and not wrong:
            wrong.update(_garbled(turn, traits, just_stated))
    return ReadBack(tuple(trait for trait in traits if trait.name in right), tuple(wrong.values()))


def _garbled(
    turn: AgentTurn, traits: Sequence[Trait], just_stated: frozenset[str]
) -> dict[str, Contradiction]:
    """The one name of the caller's last line, where the turn reads a few words back and does nothing else."""
    names = [trait for trait in traits if trait.name in just_stated and trait.kind is ValueKind.NAME]
    heard = only_read_back(names[0].value, turn) if len(names) == 1 else ""
    return {names[0].name: Contradiction(names[0], heard)} if heard else {}


def _wrong_digits(
    run: DigitRun,
    open_traits: Sequence[Trait],
    traits: Sequence[Trait],
    named: set[str],
    stated: frozenset[str],
) -> tuple[Contradiction, ...]:
    own = {digits_of(trait.value) for trait in traits if trait.kind in DIGIT_KINDS}
    if made_of(run, own):
        return ()
    found = []
    for trait in open_traits:
        if trait.kind not in DIGIT_KINDS:
            continue
        digits = digits_of(trait.value)
        for heard in sorted(digit_windows(run) - own):
            apart = Levenshtein.distance(heard, digits)
            near = apart <= max(1, len(digits) // 3) and abs(len(heard) - len(digits)) <= 1
            if (trait.name in named and len(heard) == len(digits)) or (near and trait.name in named | stated):
                found.append(Contradiction(trait, heard))
                break
    return tuple(found)
