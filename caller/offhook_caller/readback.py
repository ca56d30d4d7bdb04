"""The caller's own values in a text: what an agent read back, what a line states, and what is nobody's value.

One parser reads values everywhere (:mod:`offhook.spoken`), so a value counts whether it was written in
digits or spoken as words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import attrs
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from offhook.names import match_names
from offhook.packs import Trait
from offhook.spoken import DigitRun, digit_runs, normalise_words, parse_spoken
from offhook.values import ValueKind, canonical
from offhook_caller.cues import AgentTurn
from offhook_caller.minds import Reply
from offhook_caller.phrases import TurnKind, named_traits

__all__ = ["Contradiction", "ReadBack", "foreign_values", "read_back", "repeats_a_line", "stated_traits"]

_DIGIT_KINDS: Final = frozenset({ValueKind.PHONE, ValueKind.ZIP, ValueKind.DIGITS, ValueKind.ORDER_NUMBER})
_PARSED_KINDS: Final = frozenset({ValueKind.EMAIL, ValueKind.DATE})
_SHORTEST_PART: Final = 3
_SHORTEST_FOREIGN: Final = 4
_UNLIKE: Final = 45.0
_NEARLY: Final = 72.0
_ALL_BUT: Final = 80.0
_SAME_LETTERS: Final = 97.0
# A line is said back where this share of its telling words is: those of some length, and figures.
_REPEATED: Final = 0.6
_TELLING: Final = 4
_FEWEST_TELLING: Final = 3
_ONLY_READS_BACK: Final = re.compile(
    r"^(?:(?:okay|ok|so|sorry|thank you|thanks|all right|alright|and|great),? )*"
    r"(?:i have|i heard|i've got|i got|that's|that is|did you say)(?: the name)?"
    r" ((?:[^\W\d][\w'’-]*,? ){0,5}?[^\W\d][\w'’-]*)[.,?]"
    r"(?: (?:is|was) (?:that|this|it) (?:right|correct)\W*| (?:right|correct)\?)?$",
    re.IGNORECASE,
)
# Words that are no part of a name: what holds one is read otherwise.
_NO_NAME: Final = frozenset(
    [
        "account",
        "address",
        "all",
        "correct",
        "down",
        "everything",
        "everybody",
        "for",
        "found",
        "got",
        "here",
        "holder",
        "it",
        "it's",
        "name",
        "now",
        "number",
        "order",
        "right",
        "spelled",
        "spelling",
        "that",
        "that's",
        "them",
        "there",
        "these",
        "they",
        "this",
        "those",
        "with",
        "yes",
        "you",
        "your",
        "yours",
        "yourself",
    ]
)
_LINKS: Final = frozenset(["and", "correct", "for", "is", "it", "right", "that", "the", "this", "was"])
_MONEY: Final = re.compile(r"\$ ?[0-9][0-9,]*(?:\.[0-9]{2})?|\b[0-9][0-9,]*(?:\.[0-9]{2})? dollars\b")
_NAME_SAID: Final = re.compile(
    r"\b(?:[Mm]y name is|[Mm]y name's|[Nn]ame's|[Tt]his is)\s+((?:[A-Z][\w'’-]+ ?){1,4})"
)


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
        right = (*right, *(item.name for item in names if _all_but_right(item.value, turn)))
        open_traits = tuple(trait for trait in traits if trait.name not in right)
        for run in digit_runs(turn.text):
            for entry in _wrong_digits(run, open_traits, traits, named, stated):
                wrong.setdefault(entry.trait.name, entry)
        for trait in open_traits:
            if trait.kind in _PARSED_KINDS and trait.name in named:
                for scope in turn.sentences:  # a day in another sentence is another day
                    heard = (
                        parse_spoken(trait.kind, scope.text) if named_traits(scope.text, (trait,)) else None
                    )
                    known = {_canonical(other) for other in traits}
                    if heard is not None and heard.value is not None and heard.value not in known:
                        wrong.setdefault(trait.name, Contradiction(trait, str(heard.value)))
            elif trait.kind is ValueKind.NAME:
                other = _half_right(trait.value, turn)
                if other:
                    wrong.setdefault(trait.name, Contradiction(trait, other))
        if not right and not wrong:
            wrong.update(_garbled(turn, traits, just_stated))
    return ReadBack(tuple(trait for trait in traits if trait.name in right), tuple(wrong.values()))


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
    own |= {_digits(trait.value) for trait in traits if trait.kind in _DIGIT_KINDS}
    foreign = [
        run.digits
        for run in digit_runs(_MONEY.sub(" ; ", _without_date(text)))
        if len(run.digits) >= _SHORTEST_FOREIGN and not _made_of(run, own)
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


def _holds(trait: Trait, text: str, runs: Sequence[DigitRun], words: str) -> bool:
    if trait.kind in _DIGIT_KINDS:
        digits = _digits(trait.value)
        if any(digits in _windows(run) for run in runs):
            return True
        return trait.kind is ValueKind.PHONE and any(
            len(run.digits) >= _SHORTEST_PART and digits.endswith(run.digits) for run in runs
        )
    if trait.kind in _PARSED_KINDS:
        return _canonical(trait) in parse_spoken(trait.kind, text).candidates
    if trait.kind is ValueKind.NAME:
        return _names(trait.value, text)
    folded = " ".join(normalise_words(trait.value))
    return folded != "" and f" {folded} " in words


def _names(name: str, text: str) -> bool:
    """Whether the name is in the text, spelled by ear or not."""
    words, size = _words_of(text), len(name.split())
    spans = (" ".join(words[start : start + size]) for start in range(len(words) - size + 1))
    if _closest(name.split(), text)[0] >= _SAME_LETTERS:  # "bright way" is Brightway
        return True
    # The name matcher is thorough; most spans are so unlike the name that they need no such look.
    return any(
        fuzz.ratio(span.lower(), name.lower()) >= _UNLIKE and match_names(span, name).same for span in spans
    )


def _all_but_right(name: str, turn: AgentTurn) -> bool:
    return any(_closest(name.split(), scope.text)[0] >= _ALL_BUT for scope in turn.sentences)


def _garbled(
    turn: AgentTurn, traits: Sequence[Trait], just_stated: frozenset[str]
) -> dict[str, Contradiction]:
    """The one name of the caller's last line, where the turn reads a few words back and does nothing else."""
    names = [trait for trait in traits if trait.name in just_stated and trait.kind is ValueKind.NAME]
    heard = _ONLY_READS_BACK.match(turn.text)
    if len(names) != 1 or heard is None or digit_runs(turn.text):
        return {}
    words = {word.lower() for word in _words_of(heard[1])}
    if words & (_NO_NAME | {word.lower() for word in names[0].value.split()}):
        return {}
    return {names[0].name: Contradiction(names[0], heard[1])}


def _half_right(name: str, turn: AgentTurn) -> str:
    """A name in the turn that shares a word with the caller's and differs in the others, or is spelled nearly
    like it; empty when there is none.

    A name with nothing in common is taken for somebody else's.
    """
    own = name.split()
    for scope in turn.sentences:
        if re.search(rf"\b{re.escape(own[0])}['’]s\b", scope.text, re.IGNORECASE):
            continue  # something of the caller's: "Oliver's shot" is no surname
        value = parse_spoken(ValueKind.NAME, scope.text).value
        heard = str(value).split() if value is not None else []
        if len(own) > 1 and len(heard) == len(own):
            same = [match_names(one, other).same for one, other in zip(heard, own, strict=True)]
            if any(same) and not all(same):
                return " ".join(heard)
        nearly = _nearly(own, scope.text)
        if nearly:
            return nearly
    return ""


def _nearly(own: Sequence[str], text: str) -> str:
    """Words of the text that are spelled nearly like a name of several words, however they are divided."""
    score, best = _closest(own, text)
    others = {word.lower() for word in _words_of(best)} - {word.lower() for word in own}
    if others <= _LINKS:  # "Brenda, is that right?" has one of its words and nothing else
        return ""
    return best if score >= _NEARLY and not match_names(best, " ".join(own)).same else ""


def _closest(own: Sequence[str], text: str) -> tuple[float, str]:
    """The words of the text that are most like a name of several words, with how alike they are, 0..100."""
    words, letters = _words_of(text), "".join(own).lower()
    sizes = range(len(own) - 1, len(own) + 2) if len(own) > 1 and "@" not in text else ()
    spans = (words[start : start + size] for size in sizes for start in range(len(words) - size + 1))
    alike = ((fuzz.ratio("".join(span).lower(), letters), " ".join(span)) for span in spans if span)
    return max(alike, default=(0.0, ""))


def _words_of(text: str) -> list[str]:
    return [word for word in re.split(r"[^\w'’-]+", text) if word]


def _wrong_digits(
    run: DigitRun,
    open_traits: Sequence[Trait],
    traits: Sequence[Trait],
    named: set[str],
    stated: frozenset[str],
) -> tuple[Contradiction, ...]:
    own = {_digits(trait.value) for trait in traits if trait.kind in _DIGIT_KINDS}
    if _made_of(run, own):
        return ()
    found = []
    for trait in open_traits:
        if trait.kind not in _DIGIT_KINDS:
            continue
        digits = _digits(trait.value)
        for heard in sorted(_windows(run) - own):
            apart = Levenshtein.distance(heard, digits)
            near = apart <= max(1, len(digits) // 3) and abs(len(heard) - len(digits)) <= 1
            if (trait.name in named and len(heard) == len(digits)) or (near and trait.name in named | stated):
                found.append(Contradiction(trait, heard))
                break
    return tuple(found)


def _windows(run: DigitRun) -> set[str]:
    """All digit strings made of whole groups of a run: speakers put two values in one breath."""
    groups = run.groups
    return {"".join(groups[i:j]) for i in range(len(groups)) for j in range(i + 1, len(groups) + 1)}


def _made_of(run: DigitRun, own: set[str]) -> bool:
    """Whether a run is nothing but own values, or parts of one, in a row."""
    digits = run.digits
    if any(digits in value for value in own):
        return True
    reachable = {0}
    for start in range(len(digits)):
        if start in reachable:
            reachable |= {start + len(value) for value in own if value and digits.startswith(value, start)}
    return len(digits) in reachable


def _digits(value: str) -> str:
    return "".join(character for character in value if character.isdigit())


def _canonical(trait: Trait) -> object:
    return canonical(trait.kind, trait.value)


def _without_date(text: str) -> str:
    """A date's digits are judged as a date."""
    span = parse_spoken(ValueKind.DATE, text).span
    return text if span is None else f"{text[: span[0]]} ; {text[span[1] :]}"


def _values_of(kind: ValueKind, traits: Sequence[Trait], lines: Sequence[str]) -> set[object]:
    values: set[object] = {_canonical(trait) for trait in traits if trait.kind is kind}
    for line in lines:
        values |= set(parse_spoken(kind, line).candidates)
    return values


def _within(said: str, name: str) -> bool:
    own = normalise_words(name)
    return all(word in own for word in normalise_words(said))
