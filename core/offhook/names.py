"""The one name matcher: is a name as heard (or typed by an agent) the name on file?

Names pass through recognisers that spell by ear, so "Selina Cortez" comes back as "Celina Cortes". Two words
of a name are the same when they are spelled alike or sound alike:

- **spelling**: equal after folding case, accents and punctuation, or one small edit (rapidfuzz
  Damerau-Levenshtein and Jaro-Winkler) in a word long enough to bear it, provided the sound supports it;
- **sound**: equal metaphone keys (jellyfish, after folding spellings that it doesn't know, such as a "w" in
  Polish names or a silent final "gh"), **and** equal vowels where they tell persons apart: in the stressed
  first syllable and at the end of a word ("Juan" is not "Joan", "Maria" is not "Mario").

Word order doesn't matter ("Cortez, Selina"), titles are dropped, particles are joined ("De La Cruz" is
"Delacruz"). Nicknames and initials are **not** assumed: "Bob" is not "Robert". The figures on a published
table are in ``tests/core/test_names.py``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import permutations
from typing import Final

import attrs
import jellyfish
from rapidfuzz.distance import DamerauLevenshtein, JaroWinkler

from offhook._spoken_tokens import fold

__all__ = ["NameMatch", "best_match", "match_names"]

_SAME: Final = 0.8
_FAR: Final = 0.6
_MARGIN: Final = 0.05
_MOST_WORDS: Final = 5
_CACHED_WORDS: Final = 8192
_UNDECOMPOSED: Final = {
    ord(char): plain
    for char, plain in zip("łøđðþæœı", ("l", "o", "d", "d", "th", "ae", "oe", "i"), strict=True)
}
_TITLES_WORDS: Final = "mr mrs ms miss mister dr doctor prof sir madam jr sr ii iii"
_TITLES: Final = frozenset(_TITLES_WORDS.split())
_PARTICLES_WORDS: Final = "de la del du da dos das di van von der den ten ter bin ibn al el le st mc mac o d"
_PARTICLES: Final = frozenset(_PARTICLES_WORDS.split())
# Names whose spelling hides the sound; the values are spellings that metaphone reads well.
_IRREGULAR: Final = {
    "sean": "shon",
    "shaun": "shon",
    "shawn": "shon",
    "stephen": "steven",
    "stephan": "steven",
    "geoff": "jef",
    "jeff": "jef",
    "geoffrey": "jefri",
    "jeffrey": "jefri",
    "graham": "gram",
    "graeme": "gram",
    "leigh": "lee",
    "hugh": "hyu",
    "hugo": "hyugo",
    "xavier": "zavier",
    "javier": "havier",
    "jose": "hose",
    "jorge": "horhe",
    "jesus": "hesus",
    "joaquin": "wakeen",
    "jimenez": "himenes",
    "gimenez": "himenes",
    "nguyen": "nwin",
    "juan": "hwan",
    "siobhan": "shivon",
    "thomas": "tomas",
    "anthony": "antony",
    "isaac": "isak",
    "aaron": "aron",
    "allan": "alan",
    "allen": "alan",
    "philip": "filip",
    "phillip": "filip",
    "catherine": "kathrin",
    "katherine": "kathrin",
    "kathryn": "kathrin",
    "catharine": "kathrin",
    "read": "reed",
    "reid": "reed",
    "gene": "jeen",
    "jean": "jeen",
    "michael": "maikel",
    "danielle": "danyela",
    "gabrielle": "gabryela",
    "muhammad": "mohamed",
    "mohammad": "mohamed",
    "muhammed": "mohamed",
    "mohammed": "mohamed",
    "niamh": "neev",
}


@attrs.frozen
class NameMatch:
    """Whether two names are one. ``score`` is 0..1 (1.0 spelled alike), ``reason`` says what the weakest word
    rests on."""

    score: float
    same: bool
    reason: str


def match_names(a: str, b: str) -> NameMatch:
    """Compares two names, in either order.

    Every word of the shorter name must have its own partner in the longer. One word alone never stands for a
    name of two or more ("Selina" for "Selina Cortez" is not the same); a middle name may be missing once two
    words agree."""
    left, right = _words(a), _words(b)
    if not left or not right:
        return NameMatch(0.0, False, "one of the names is empty")
    if sorted(left) == sorted(right) or "".join(left) == "".join(right):
        return NameMatch(1.0, True, "spelled alike")
    short, long = sorted((left, right), key=len)
    whole = _joined(short, long)
    if whole is not None:
        return whole
    pairs = _best_pairs(short, long)
    scores = [score for score, _ in pairs]
    weakest = min(pairs, key=lambda pair: pair[0])
    score = sum(scores) / len(scores)
    if weakest[0] < _SAME:
        return NameMatch(min(score, weakest[0]), False, weakest[1])
    if len(short) == 1 and len(long) > 1:
        return NameMatch(score * 0.7, False, "only one word of the name")
    if len(long) > len(short) + 1:
        return NameMatch(score * 0.7, False, "too many words are missing")
    if len(short) < len(long):
        return NameMatch(score * 0.95, True, f"{weakest[1]}; a middle name is missing")
    return NameMatch(score, True, weakest[1])


def best_match(heard: str, candidates: Sequence[str]) -> tuple[int | None, NameMatch]:
    """The candidate that a heard name means -> (its index, the match).

    The index is ``None`` where no candidate is the same name, or where two different ones are and the better
    doesn't lead by 0.05. A candidate spelled exactly so leads, and candidates of equal spelling count as one.
    """
    if not candidates:
        return None, NameMatch(0.0, False, "no candidates")
    matches = [match_names(heard, candidate) for candidate in candidates]
    order = sorted(range(len(candidates)), key=lambda index: (-matches[index].score, index))
    best, lead = order[0], matches[order[0]]
    if not lead.same or lead.score == 1.0:
        return (best if lead.same else None), lead
    spelled = sorted(_words(candidates[best]))
    for index in order[1:]:
        rival = matches[index]
        if rival.same and lead.score - rival.score < _MARGIN and sorted(_words(candidates[index])) != spelled:
            reason = f"{candidates[best]} and {candidates[index]} both fit"
            return None, NameMatch(lead.score, False, reason)
    return best, lead


def _words(name: str) -> tuple[str, ...]:
    """Folded words of a name: titles dropped, apostrophes closed, particles joined to what follows them."""
    flat = re.sub(r"['.]", "", _letters(fold(name)))
    raw = [word for word in re.split(r"[^a-z0-9]+", flat) if word]
    raw = [word for word in raw if word not in _TITLES] or raw
    joined: list[str] = []
    pending = ""
    for word in raw:
        word = "st" if word == "saint" else word  # "St. Anne" is "Saint Anne"
        if word in _PARTICLES:
            pending += word
            continue
        joined.append(pending + word)
        pending = ""
    if pending:
        joined.append(pending)
    return tuple(joined[:_MOST_WORDS])


def _letters(text: str) -> str:
    """Letters that no decomposition reaches."""
    return text.translate(_UNDECOMPOSED)


def _joined(short: tuple[str, ...], long: tuple[str, ...]) -> NameMatch | None:
    """A name that was written apart or together: "Mary Ann" and "Maryann" beside a rest that agrees."""
    if len(long) != len(short) + 1:
        return None
    for index in range(len(long) - 1):
        together = (*long[:index], long[index] + long[index + 1], *long[index + 2 :])
        pairs = _best_pairs(short, together)
        if all(score >= _SAME for score, _ in pairs) and long[index] + long[index + 1] in short:
            return NameMatch(
                0.99 * sum(score for score, _ in pairs) / len(pairs), True, "alike, but for a space"
            )
    return None


def _best_pairs(short: tuple[str, ...], long: tuple[str, ...]) -> list[tuple[float, str]]:
    """The pairing of words with the highest total (at most 5 words, so all orders are tried)."""
    table = [[_compare(one, other) for other in long] for one in short]
    best: list[tuple[float, str]] = []
    best_key = (-1.0, -1.0)
    for order in permutations(range(len(long)), len(short)):
        pairs = [table[row][column] for row, column in enumerate(order)]
        key = (min(pair[0] for pair in pairs), sum(pair[0] for pair in pairs))
        if key > best_key:
            best, best_key = pairs, key
    return best


def _compare(a: str, b: str) -> tuple[float, str]:
    """Likeness of two words of a name -> (score, reason)."""
    a, b = sorted((a, b))
    if a == b:
        return 1.0, "spelled alike"
    if min(len(a), len(b)) < 2:
        return 0.0, f"{a} is an initial" if len(a) < 2 else f"{b} is an initial"
    close = float(JaroWinkler.similarity(a, b))
    if any(char.isdigit() for char in a + b):
        return 0.5 * close, f"{a} and {b} differ"
    # Words with hardly a letter in common needn't be sounded out; that keeps scans of a table quick.
    if close < _FAR and not ({a, b} & _IRREGULAR.keys()):
        return 0.5 * close, f"{a} and {b} differ"
    sound_a, sound_b = _sound(a), _sound(b)
    if sound_a[:2] == sound_b[:2]:
        return 0.9 + 0.09 * close, f"{a} and {b} sound alike"
    return _by_key(a, b, sound_a, sound_b, close)


def _by_key(
    a: str, b: str, sound_a: tuple[str, str, bool], sound_b: tuple[str, str, bool], close: float
) -> tuple[float, str]:
    """Words with different sounds: equal consonants with vowels that may blur, or one slip in a long word."""
    key_a, vowels_a, open_a = sound_a
    key_b, vowels_b, open_b = sound_b
    edits = int(DamerauLevenshtein.distance(a, b))
    same_end = open_a == open_b and (vowels_a[-1:] == vowels_b[-1:] or not open_a)
    blurred = _blurred(vowels_a, vowels_b, len(vowels_a) - 2 if open_a else 0)
    # "Contrars" for Contreras: a weak syllable lost in a long word, its neighbour blurred with it.
    swallowed = edits <= 2 and min(len(a), len(b)) >= 7 and vowels_a[:1] == vowels_b[:1]
    if key_a == key_b and same_end and (blurred or swallowed):
        return 0.8 + 0.1 * close, f"{a} and {b} have the same consonants"
    long_enough = min(len(a), len(b)) >= 6
    if long_enough and edits == 1 and same_end and _one_confusion(key_a, key_b) and vowels_a == vowels_b:
        return 0.8 + 0.05 * close, f"{a} and {b} are one slip apart"
    return min(0.79, 0.5 * close + 0.25 * (key_a == key_b)), f"{a} and {b} differ"


def _respelled(word: str) -> str:
    """Spellings that English readers say in one way, folded to one."""
    word = _IRREGULAR.get(word, word)
    for pattern, plain in _compiled(_SPELLINGS):
        word = pattern.sub(plain, word)
    return word


@cache  # not on import, which stays light; ``re`` forgets patterns where a run uses many others
def _compiled(rules: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), plain) for pattern, plain in rules)


_SPELLINGS: Final = (
    (r"^(?:mac|mc)k?(?=[a-z])", "mak"),
    (r"(?:(?<=[aeiou])w|v)sk[iy]e?$", "fski"),
    (r"sk[iy]e?$", "ski"),
    (r"(?<=o)wak$", "vak"),
    (r"(?:wicz|vich|vitch|vic|wich)$", "vich"),
    (r"(?:off|ov)$", "of"),
    (r"[qk][vu]ist$", "kvist"),
    (r"^kh(?=a)", "k"),
    (r"(?<=a)hn$", "n"),
    (r"^kn", "n"),
    (r"^wr", "r"),
    (r"^zh", "z"),
    (r"ph", "f"),
    (r"^nichol", "nicol"),
    (r"ch(?=r)", "k"),
    (r"^c(?=[eiy])", "s"),
    (r"ck|qu(?=e)", "k"),
    (r"c(?=[aoulkrt]|$)", "k"),
    (r"tsch|tch", "ch"),
    (r"sch(?=[mnlw])", "sh"),
    (r"(?:dt|tt)$", "t"),
    (r"sz", "sh"),
    (r"z$", "s"),
    (r"(?<=[aeiouy][bcdfgklmnprstvxz])ay$", "ey"),
    (r"(?:igh|eigh)$", "ee"),
    (r"gh(?=t|$)", ""),
    (r"h(?=$|[bcdfgjklmnpqrtvwxz])", ""),
    (r"(?<=[mnt])ps?on$", "son"),
    (r"iy(?=[aeo])", "i"),
    (r"(?<=[bcdfgklmnprstvxz])y(?=[aeo])", "i"),
    (r"oore?", "or"),
    (r"([^eo])\1", r"\1"),
)


def _consonants(word: str) -> str:
    """Metaphone without initial vowels; s and z are one, as a recogniser hears them, a first d and t are
    two."""
    key = str(jellyfish.metaphone(word)).replace("Z", "S").lstrip("AEIOU")
    return f"D{key[1:]}" if word[:1] == "d" and key[:1] == "T" else key


# Vowel classes by spelling: I (see, sit), U (moon), L (day), Q (boat), J (kite), and the short A, E, O.
_VOWEL_GROUPS: Final = (
    (r"(?<=[^aeiou])a(?=[bcdfgklmnprstvxz]e$)", "L"),
    (r"(?<=[^aeiou])o(?=[bcdfgklmnprstvxz]e$)", "Q"),
    (r"(?<=[^aeiou])i(?=[bcdfgklmnprstvxz]e$)", "J"),
    (r"ee|ea|ie(?=[a-z])|ie$|ey$|y$|i$", "I"),
    (r"oo|ou|ue|ew|u", "U"),
    (r"ai|ay|ae|ei|ey", "L"),
    (r"oa|ow|oe|o$", "Q"),
    (r"au|aw|o", "O"),
    (r"a", "A"),
    (r"e", "E"),
    (r"i|y", "I"),
)
_VOWEL_CLASSES: Final = "AEIOULQJ"


def _vowels(word: str) -> str:
    """Vowel classes, one per syllable, a silent final e left out: "selina" -> "EIA", "kane" -> "L"."""
    body = word[1:] if word[:1] == "y" and len(word) > 1 else word
    for pattern, plain in _compiled(_VOWEL_GROUPS):
        body = pattern.sub(plain, body)
    if len(re.findall(f"[{_VOWEL_CLASSES}]", body)) > 1:
        body = re.sub(r"(?<=[bcdfgklmnprstvxz])E$", "", body)
    classes = re.sub(f"[^{_VOWEL_CLASSES}]", "", body)
    return re.sub(r"([A-Z])\1", r"\1", classes) if re.search(r"([A-Z])\1", body) else classes


def _open_end(word: str) -> bool:
    return word[-1:] in "aeiouy"


@lru_cache(_CACHED_WORDS)  # a name is compared with all on a list, and the list is the same for each call
def _sound(word: str) -> tuple[str, str, bool]:
    """Consonant key, vowel classes, and whether the word ends in a vowel."""
    spoken = _respelled(word)
    return _consonants(spoken), _vowels(spoken), _open_end(spoken)


def _blurred(a: str, b: str, stressed: int) -> bool:
    """Equal vowels, but for one in a weak syllable; from three syllables on "e" may also be read "ee"
    (Selina, Selena)."""
    if len(a) != len(b) or len(a) < 2:
        return False
    differing = [
        index
        for index, (one, other) in enumerate(zip(a, b, strict=True))
        if one != other and not (len(a) >= 3 and {one, other} == {"E", "I"})
    ]
    return len(differing) <= 1 and stressed not in differing


def _one_confusion(a: str, b: str) -> bool:
    """Consonant keys that differ in one pair of sounds that recognisers mix up, or by one sound within a
    word."""
    if len(a) == len(b):
        pairs = [{one, other} for one, other in zip(a, b, strict=True) if one != other]
        return len(pairs) == 1 and any(pairs[0] == set(pair) for pair in _CONFUSED)
    return False


_CONFUSED: Final = ("BP", "DT", "GK", "KJ", "FB", "MN", "SX", "F0", "T0", "S0")
