"""Whether something the agent said matches authored cues: patterns first, then meaning.

An agent's turn is read sentence by sentence and, when it has several, also as a whole. Cues match a turn
when they match one of these *scopes*: nothing of ``none_of`` is found in the scope, and either every
pattern of ``all_of`` is found in it or it is at least ``threshold`` similar (cosine of sentence vectors) to
a sentence of ``like`` and less similar to each of ``unlike``. Exceptions are thus tested on the same words as
the trigger: a sentence about something else in the same turn does not veto it.

The caller's ears mishear, and recognisers punctuate and write numbers as they like. Patterns are therefore
tried on three forms of a scope: the lower-cased text as heard ("that's $14.99."), the same without
punctuation ("that's $14.99"), and its normalised words ("that is 1 4 9 9"). A pattern is found when any
form has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.packs import Cues
from offhook.speech import SentenceEmbedder
from offhook.spoken import normalise_words

__all__ = [
    "AgentTurn",
    "BadCue",
    "CompiledCues",
    "CueMatch",
    "CueMatcher",
    "Scope",
    "compile_cues",
    "read_turn",
]

_CACHED_SENTENCES: Final = 4096
_CACHED_PATTERNS: Final = 4096

_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])[\"')\]]*\s+")
_ABBREVIATION: Final = re.compile(r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Jr|Sr|No|vs|[ap]\.m)\.$")
_NOT_WORD: Final = re.compile(r"[^a-z0-9'$%.@]+")
# "You're booked" is often heard as "your booked", even "your book".
_GOES_ON: Final = r"(?=[.!]*$|[.!,] | (?:for|on|at|in|with|to|as|under|until|about|from|and|now|then)\b)"
_STARTS: Final = r"(^|[.!?,;] |\b(?:so|and|okay|ok|now|once|when|that) )"
_YOURE: Final = re.compile(
    rf"{_STARTS}your (?=(?:all |now )*(?:set|booked|scheduled|rescheduled|reserved|moved|confirmed|cancell?ed"
    rf"|covered|done|verified|eligible|calling|welcome){_GOES_ON})",
    re.IGNORECASE,
)
_MISHEARD: Final = (
    (
        re.compile(r"(?<!the )\bwitch\b(?= (?:state|one|of|day|date|time|order|plan|office))", re.IGNORECASE),
        "which",
    ),
    (re.compile(r"\bzip ?coat\b", re.IGNORECASE), "zip code"),
    (re.compile(r"\blast for\b(?= (?:digits|numbers|of)\b)", re.IGNORECASE), "last four"),
)
_YOURE_BOOKED: Final = re.compile(rf"{_STARTS}your (now )?book{_GOES_ON}", re.IGNORECASE)
_LOOSE_POINT: Final = re.compile(r"\.(?![0-9a-z])|(?<![0-9a-z])\.")


class BadCue(ValueError):
    """An authored pattern is no regular expression; the message quotes it."""


@attrs.frozen
class Scope:
    """A stretch of an agent's turn that cues are tried on. ``forms`` are the texts that patterns search."""

    text: str
    forms: tuple[str, ...]


@attrs.frozen
class AgentTurn:
    """What the agent said in one turn. ``scopes`` are its sentences and, when there are several, the whole
    turn last.
    """

    text: str
    sentences: tuple[Scope, ...]
    whole: Scope

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return self.sentences if len(self.sentences) == 1 else (*self.sentences, self.whole)


@attrs.frozen
class CompiledCues:
    """Cues with their patterns compiled."""

    like: tuple[str, ...]
    all_of: tuple[re.Pattern[str], ...]
    none_of: tuple[re.Pattern[str], ...]
    threshold: float
    unlike: tuple[str, ...] = ()


@attrs.frozen
class CueMatch:
    """How cues fared on a turn. ``by`` is ``pattern``, ``meaning`` or empty; ``scope`` the words that
    matched, ``similarity`` the best cosine that was computed (0.0 when none was), ``vetoed`` the words in
    which an exception was found.
    """

    by: str = ""
    scope: str = ""
    similarity: float = 0.0
    vetoed: str = ""

    @property
    def matched(self) -> bool:
        return self.by != ""


@lru_cache(_CACHED_SENTENCES)  # tasks of a pack share their authored sentences, and each call reads them anew
def read_turn(text: str) -> AgentTurn:
    """Splits what was heard into sentences, with the forms that patterns are tried on."""
    straight = " ".join(text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"').split())
    whole = _scope(straight)
    sentences = tuple(_scope(sentence) for sentence in _split(straight))
    return AgentTurn(straight, sentences or (whole,), whole)


def compile_cues(cues: Cues) -> CompiledCues:
    """Raises:
    BadCue: a pattern that is no regular expression.
    """
    return CompiledCues(
        cues.like, _patterns(cues.all_of), _patterns(cues.none_of), cues.threshold, cues.unlike
    )


class CueMatcher:
    """Matches cues against turns. Vectors of sentences are kept, so an authored sentence is embedded once
    per process and a heard one once per turn, whatever the number of cues.
    """

    def __init__(self, embedder: SentenceEmbedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def match(self, cues: CompiledCues, turn: AgentTurn) -> CueMatch:
        """The first scope whose patterns match, else the most similar scope that is similar enough."""
        free = tuple(
            scope for scope in turn.scopes if not any(_found(pattern, scope) for pattern in cues.none_of)
        )
        vetoed = next((scope.text for scope in turn.scopes if scope not in free), "")
        if cues.all_of:
            for scope in free:
                if all(_found(pattern, scope) for pattern in cues.all_of):
                    return CueMatch("pattern", scope.text, vetoed=vetoed)
        best, where = 0.0, ""
        if cues.like:
            for scope in free:
                similarity = self._similarity(scope.text, cues.like)
                if similarity > best and similarity > self._similarity(scope.text, cues.unlike):
                    best, where = similarity, scope.text
        if where and best >= cues.threshold:
            return CueMatch("meaning", where, best, vetoed)
        return CueMatch(similarity=best, vetoed=vetoed)

    def likeness(self, turn: AgentTurn, examples: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
        """How much a turn is like the sentence of each group that it is most like (cosine). Its last sentence
        counts: that is the one that wants an answer.
        """
        text = turn.sentences[-1].text
        return {name: self._similarity(text, sentences) for name, sentences in examples.items()}

    def prepare(self, cues: CompiledCues) -> None:
        """Embeds the authored sentences ahead of a call."""
        for sentence in (*cues.like, *cues.unlike):
            self._vector(sentence)

    def _similarity(self, text: str, like: tuple[str, ...]) -> float:
        vector = self._vector(text)
        return max((float(np.dot(vector, self._vector(sentence))) for sentence in like), default=-1.0)

    def _vector(self, sentence: str) -> NDArray[np.float32]:
        known = self._vectors.get(sentence)
        if known is not None:
            return known
        # One sentence a call: a quantised model's vectors depend on what else is in the batch.
        vector: NDArray[np.float32] = self._embedder.embed((sentence,))[0]
        if len(self._vectors) >= _CACHED_SENTENCES:
            self._vectors.pop(next(iter(self._vectors)), None)
        self._vectors[sentence] = vector
        return vector


def _found(pattern: re.Pattern[str], scope: Scope) -> bool:
    return any(pattern.search(form) for form in scope.forms)


def _patterns(sources: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    compiled = []
    for source in sources:
        try:
            compiled.append(_pattern(source))
        except re.error as error:
            raise BadCue(f"cue pattern {source!r} is not a regular expression: {error}") from error
    return tuple(compiled)


@lru_cache(_CACHED_PATTERNS)  # a run's tasks have more patterns than the cache of ``re`` holds
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def _scope(text: str) -> Scope:
    meant = _as_meant(text)
    lowered = meant.lower()
    words = " ".join(_LOOSE_POINT.sub(" ", _NOT_WORD.sub(" ", lowered)).split())
    return Scope(text, tuple(dict.fromkeys((lowered, words, " ".join(normalise_words(meant))))))


def _as_meant(text: str) -> str:
    for heard, meant in _MISHEARD:
        text = heard.sub(meant, text)
    return _YOURE.sub(r"\1you're ", _YOURE_BOOKED.sub(r"\1you're \2booked", text))


def _split(text: str) -> list[str]:
    sentences: list[str] = []
    start = 0
    for gap in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text[start : gap.start()]):
            continue
        sentences.append(text[start : gap.end()].strip())
        start = gap.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if any(character.isalnum() for character in sentence)]
