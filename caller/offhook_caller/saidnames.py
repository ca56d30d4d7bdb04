"""The caller's name in what an agent says: spelled by ear, half right, or hardly left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rapidfuzz import fuzz

from offhook.names import match_names
from offhook.spoken import digit_runs, parse_spoken
from offhook.values import ValueKind
from offhook_caller.cues import AgentTurn

__all__ = ["half_right", "name_in", "nearly_said", "only_read_back"]

_UNLIKE: Final = 45.0
_NEARLY: Final = 72.0
_ALL_BUT: Final = 80.0
_SAME_LETTERS: Final = 97.0
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


def name_in(name: str, text: str) -> bool:
    """Whether the name is in the text, spelled by ear or not."""
    words, size = _words_of(text), len(name.split())
    spans = (" ".join(words[start : start + size]) for start in range(len(words) - size + 1))
    if _closest(name.split(), text)[0] >= _SAME_LETTERS:  # "bright way" is Brightway
        return True
    # The name matcher is thorough; most spans are so unlike the name that they need no such look.
    return any(
        fuzz.ratio(span.lower(), name.lower()) >= _UNLIKE and match_names(span, name).same for span in spans
    )


def nearly_said(name: str, turn: AgentTurn) -> bool:
    """Whether one of the sentences holds the name but for a letter or so."""
    return any(_closest(name.split(), scope.text)[0] >= _ALL_BUT for scope in turn.sentences)


def half_right(name: str, turn: AgentTurn) -> str:
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


def only_read_back(name: str, turn: AgentTurn) -> str:
    """The few words that the turn reads back where it does nothing else, and none of them is the name's; else
    empty.
    """
    heard = _ONLY_READS_BACK.match(turn.text)
    if heard is None or digit_runs(turn.text):
        return ""
    words = {word.lower() for word in _words_of(heard[1])}
    return "" if words & (_NO_NAME | {word.lower() for word in name.split()}) else heard[1]


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
