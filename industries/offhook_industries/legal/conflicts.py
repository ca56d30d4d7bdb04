"""Whether a name as it was said is one on the conflict list. In doubt it is: a missed conflict does more harm
than a call handed over for nothing.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

import jellyfish

from offhook.names import match_names

__all__ = ["names_nobody", "parties_in", "same_party", "sounds_of", "worth_comparing"]

# What companies add to the name they go by.
_FORM_WORDS: Final = """
    a and co company companies corp corporation group holdings inc incorporated limited llc llp ltd of the
"""
_FORMS: Final = frozenset(_FORM_WORDS.split())
# What they do, which many share: it tells nothing where it stands alone, and may be left out.
_TRADE_WORDS: Final = """
    auto builders care center clinic construction delivery express foods freight health home hospital hotels
    industries insurance logistics market markets medical motors mutual partners properties services stores
    systems transport trucking warehouse
"""
_TRADES: Final = frozenset(_TRADE_WORDS.split())
# What is said where the name is not known. None of these is a name, nor are several of them together.
_NOBODY_WORDS: Final = """
    anonymous anybody anyone boss car company doctor driver employer hospital insurer landlord known my n na
    no nobody none not other party person side sure somebody someone tbd their truck unknown unnamed unsure
    yet
"""
_NOBODY: Final = frozenset(_NOBODY_WORDS.split())
_SOUND_LENGTH: Final = 2
_SHARED: Final = 2
_CACHED_NAMES: Final = 4096


def names_nobody(said: str) -> bool:
    """Whether there is no name in what was said: nothing that could be on a list, so nothing to clear."""
    return not set(_words(said)) - _FORMS - _NOBODY


def parties_in(said: str) -> tuple[str, ...]:
    """What was said, and each name in it where it may be several: "Ann Lee and Northgate" hides neither."""
    parts = [part for part in re.split(r"\s+(?:and|or|plus)\s+|[&/;,+]", said) if not names_nobody(part)]
    return (said, *parts) if len(parts) > 1 else (said,)


@lru_cache(_CACHED_NAMES)  # the listed names are the same for each call
def sounds_of(name: str) -> frozenset[str]:
    """How the words of a name begin to sound; words that many companies have are left out, unless there are
    no others. Names that `same_party` takes for one share two sounds, or all of the one that has fewer.
    """
    words = _words(name)
    telling = [word for word in words if word not in _FORMS | _TRADES] or words
    return frozenset(jellyfish.metaphone(word)[:_SOUND_LENGTH] or word[:_SOUND_LENGTH] for word in telling)


def worth_comparing(said: frozenset[str], listed: frozenset[str]) -> bool:
    """Whether names with these sounds may be the same: comparing them in full is slow, and lists are long."""
    return len(said & listed) >= min(_SHARED, len(said), len(listed))


def same_party(said: str, listed: str, *, company: bool) -> bool:
    """Whether ``said`` may be the listed party. Of a company's name the part it goes by is enough; a trade
    that was said must not be another one: "Northgate" is Northgate Insurance, "Northgate Motors" is not.
    """
    if match_names(said, listed).same:
        return True
    if not company:
        return False
    theirs, ours = _words(said), _words(listed)
    if _trades(ours) and f" {' '.join(ours)} " in f" {' '.join(theirs)} ":
        return True  # "Northgate Insurance of Georgia": the whole name with something before or after it
    if not _trades(theirs) <= _trades(ours):
        return False
    core, listed_core = _core(theirs), _core(ours)
    # Where one word ends and the next begins is not heard: "north gate" is "northgate".
    joined = core.replace(" ", "") == listed_core.replace(" ", "")
    return bool(core) and (joined or match_names(core, listed_core).same)


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", name)
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return re.findall(r"[a-z0-9]+", bare.casefold().replace("'", ""))


def _trades(words: list[str]) -> set[str]:
    return {word for word in words if word in _TRADES}


def _core(words: list[str]) -> str:
    return " ".join(word for word in words if word not in _FORMS | _TRADES)
