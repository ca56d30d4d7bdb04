"""Choosing from a list that a tool returned: what the caller has named already, or what they pick when the
first few are read out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.clock import compute
from offhook.packs import Choice, Options, Parameter
from offhook.speech import SentenceEmbedder
from offhook.toolserver import resolve_carry
from offhook.values import ValueKind
from offhook_adapters.reference.minds._follower_choice import mentions, pick
from offhook_adapters.reference.minds._follower_talk import Conversation
from offhook_adapters.reference.minds._follower_words import filled, render

__all__ = ["Entry", "NothingToChoose", "choose", "entries_of", "place_named"]

_TRIES: Final = 3
_PLACES: Final = (
    (r"\b(?:first|1st|earliest|soonest|any|either|whichever|whatever|top|number one)\b", 0),
    (r"\b(?:second|2nd|middle|number two)\b", 1),
    (r"\b(?:third|3rd|number three)\b", 2),
    (r"\b(?:last|latest)\b", -1),
)


class NothingToChoose(Exception):
    """The list is empty, or it stays unclear which entry the caller means."""


@attrs.frozen
class Entry:
    """One of the things to choose from, at its ``place`` in the list. ``value`` is what is sent, ``label``
    what is said.
    """

    value: Any
    label: str
    names: tuple[str, ...]
    place: int = 0


def entries_of(option: Options, results: Mapping[str, Mapping[str, Any]]) -> tuple[Entry, ...]:
    """The list of an earlier result, in its order.

    Raises:
        KeyError: the result has no such member.
    """
    listed = resolve_carry(option.source, results)
    if not isinstance(listed, list | tuple):
        raise KeyError(f"{option.source} is no list")
    return tuple(_entry(option, item, place) for place, item in enumerate(listed))


def _entry(option: Options, item: Mapping[str, Any], place: int) -> Entry:
    words = {name: str(value) for name, value in item.items() if not isinstance(value, list | dict)}
    names = tuple(words[name] for name in option.names if words.get(name, "").strip())
    return Entry(item[option.value], filled(option.label, words), names, place)


async def choose(
    talk: Conversation,
    option: Options,
    entries: tuple[Entry, ...],
    wishes: tuple[str, ...],
    embedder: SentenceEmbedder | None,
    fields: Mapping[str, str],
) -> Entry:
    """The entry the caller has named, the only one, or the one they pick.

    Raises:
        NothingToChoose: see there.
        CallerSilent: nobody answers.
    """
    if not entries:
        raise NothingToChoose
    # What was said last is what is wanted now.
    named = next((entry for wish in reversed(wishes) if (entry := _named(entries, wish))), None)
    if named is not None or len(entries) == 1:
        return named or entries[0]
    offered = entries[: option.most]
    question = render(option.question, {**fields, "options": _listed([entry.label for entry in offered])})
    for _ in range(_TRIES):
        answer = (await talk.ask(question)).text
        found = _named(entries, answer) or place_named(offered, answer)
        found = found or await compute(_meant, offered, answer, embedder)
        if found is not None:
            return found
    raise NothingToChoose


def place_named(offered: tuple[Entry, ...], text: str) -> Entry | None:
    """The entry whose place in what was read out is named: "the first one", "any of them"."""
    hits = [
        (match.start(), place)
        for pattern, place in _PLACES
        for match in re.finditer(pattern, text.lower())
        if place < len(offered)
    ]
    return offered[min(hits)[1]] if hits else None


def _named(entries: tuple[Entry, ...], text: str) -> Entry | None:
    """The entry of which one of its own names was said; names that several entries bear tell nothing."""
    said = _plain(text)
    names = [(entry, tuple(dict.fromkeys(map(_plain, entry.names)))) for entry in entries]
    every = [name for _, own in names for name in own]
    hits = [
        (said.rfind(name), entry)
        for entry, own in names
        for name in own
        if every.count(name) == 1 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)
    ]
    return max(hits, key=lambda hit: hit[0])[1] if hits else None


def _plain(text: str) -> str:
    """``follow_up`` and ``Follow-up`` are one name."""
    return " ".join(re.sub(r"[-_]", " ", text.casefold()).split())


def _meant(offered: tuple[Entry, ...], text: str, embedder: SentenceEmbedder | None) -> Entry | None:
    choices = tuple(Choice(str(place), entry.label, (entry.label,)) for place, entry in enumerate(offered))
    asked = Parameter("option", ValueKind.TEXT, "", choices=choices)
    value = pick(mentions(asked, (text,), embedder), frozenset(), certain=True)
    return None if value is None else offered[int(value)]


def _listed(labels: list[str]) -> str:
    if len(labels) < 2:
        return "".join(labels)
    return f"{', '.join(labels[:-1])}, or {labels[-1]}"
