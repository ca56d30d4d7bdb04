"""Yes or no, by fixed rules."""

from __future__ import annotations

from typing import Final

from offhook._spoken_result import Parsed, nothing, span_of
from offhook._spoken_tokens import Token, tokenise
from offhook.values import ValueKind

_FILLERS: Final = frozenset(
    {"uh", "um", "er", "erm", "well", "oh", "ah", "hmm", "hm", "so", "and", "but", "i", "mean", "like"}
)
_YES: Final = frozenset(
    {
        "yes",
        "yeah",
        "yep",
        "yup",
        "yea",
        "sure",
        "absolutely",
        "definitely",
        "certainly",
        "correct",
        "exactly",
        "yessir",
    }
)
_NO: Final = frozenset({"no", "nope", "nah", "never", "incorrect", "wrong", "negative"})
_WEAK_YES: Final = frozenset({"ok", "okay", "right", "alright", "fine", "perfect", "great", "good"})
_NEGATIONS: Final = frozenset(
    {
        "not",
        "don't",
        "dont",
        "doesn't",
        "didn't",
        "isn't",
        "wasn't",
        "won't",
        "can't",
        "cannot",
        "never",
        "wouldn't",
    }
)
_YES_PHRASES: Final = (
    ("go", "ahead"),
    ("please", "do"),
    ("do", "it"),
    ("that's", "right"),
    ("that", "is", "right"),
    ("that's", "correct"),
    ("that", "is", "correct"),
    ("that's", "it"),
    ("that's", "me"),
    ("sounds", "good"),
    ("that", "works"),
    ("that's", "fine"),
    ("of", "course"),
    ("you", "got", "it"),
    ("i", "do"),
    ("it", "is"),
    ("i", "confirm"),
    ("mm", "hmm"),
    ("uh", "huh"),
)
_UNDECIDED: Final = (
    ("not", "sure"),
    ("don't", "know"),
    ("not", "certain"),
    ("don't", "remember"),
    ("no", "idea"),
)
_NOT_NO: Final = (("no", "problem"), ("no", "worries"))


def parse_yes_no(text: str) -> Parsed:
    """Reads an answer to a yes-or-no question. The rules, in order:

    1. "No problem" and "no worries" are no refusals: they count as a weak yes.
    2. The answer word that opens the line decides: "yes, cancel it" is yes, "no, please cancel it" is **no**
       (it answers the question asked; what to do instead is another matter), "yeah, no" is no.
    3. A weak yes ("okay", "right", "fine") yields to a no or a negation anywhere after it.
    4. Otherwise a negation ("I don't need that", "not really", "that's wrong") is no, and a phrase of assent
       ("go ahead", "that's right") or a yes word anywhere is yes.
    5. Anything else has no value; "I'm not sure" and "I don't know" neither.
    """
    kind = ValueKind.YES_NO
    tokens = tokenise(text)
    words = [token.text for token in tokens]
    start = 0
    while start < len(words) and words[start] in _FILLERS and not _phrase_at(words, start, _YES_PHRASES):
        start += 1
    if start == len(words):
        return nothing(kind, "no answer heard")
    if _phrase_at(words, start, _NOT_NO):
        return _weak(tokens, words, start, start + 2)
    opening = words[start]
    if opening in _YES:
        following = start + 1
        if (
            following < len(words)
            and words[following] in ("no", "nope")
            and words[start] in ("yeah", "yea", "yes")
        ):
            return _said("no", tokens, following, "a no right after the yes")
        return _said("yes", tokens, start, f"opens with {opening}")
    if opening in _NO:
        return _said("no", tokens, start, f"opens with {opening}")
    if opening in _WEAK_YES:
        return _weak(tokens, words, start, start + 1)
    return _anywhere(tokens, words, start)


def _weak(tokens: tuple[Token, ...], words: list[str], start: int, after: int) -> Parsed:
    for index in range(after, len(words)):
        if words[index] in _NEGATIONS or (words[index] in _NO and not _phrase_at(words, index, _NOT_NO)):
            return _said("no", tokens, index, f"{words[start]}, but then {words[index]}")
    return _said("yes", tokens, start, f"opens with {words[start]}")


def _anywhere(tokens: tuple[Token, ...], words: list[str], start: int) -> Parsed:
    if any(_phrase_at(words, index, _UNDECIDED) for index in range(start, len(words))):
        return nothing(ValueKind.YES_NO, "the speaker doesn't know")
    for index in range(start, len(words)):
        if words[index] in _NEGATIONS or words[index] in ("wrong", "incorrect", "nope"):
            return _said("no", tokens, index, f"a negation: {words[index]}")
    for index in range(start, len(words)):
        if _phrase_at(words, index, _YES_PHRASES) or words[index] in _YES:
            return _said("yes", tokens, index, f"assent: {words[index]}")
    if words[-1] in ("no",):
        return _said("no", tokens, len(words) - 1, "ends with no")
    return nothing(ValueKind.YES_NO, "neither yes nor no")


def _phrase_at(words: list[str], index: int, phrases: tuple[tuple[str, ...], ...]) -> bool:
    return any(tuple(words[index : index + len(phrase)]) == phrase for phrase in phrases)


def _said(value: str, tokens: tuple[Token, ...], index: int, why: str) -> Parsed:
    return Parsed(ValueKind.YES_NO, value, (value,), span_of(tokens, index, index + 1), True, "", why)
