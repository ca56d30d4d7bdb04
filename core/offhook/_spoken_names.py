"""Persons' names: strips "my name is", joins "last name ... first name ...", and lets spelled letters win."""

from __future__ import annotations

import re
from typing import Final

import attrs
from rapidfuzz import fuzz

from offhook._spoken_labelled import Part, agreed, capitalised, labelled_parts
from offhook._spoken_letters import LetterRun, read_letters
from offhook._spoken_numerals import read_numerals
from offhook._spoken_result import Parsed, nothing, span_of
from offhook._spoken_tokens import Token, tokenise
from offhook.values import ValueKind, canonical

_STOP_WORDS: Final = (
    "a about account actually address after again ah all alright also am an and another any anything "
    "are as ask at back be because been before being birth born but by bye call called calling can "
    "can't cancel card cell certainly change code confirm correct could date day did digits do does "
    "doesn't don't dot double email ending error for from full get give go goes going good got great "
    "had happy has have he hello help her here here's hey hi hm hmm his hold how i i'd i'll i'm i've if "
    "in is isn't it it'll it's its just know last let let's like listed look looking ma'am make maybe "
    "me mean membership mine mister miss mobile moment morning mr mrs ms my name name's named names "
    "need needed no nope not now number of off oh ok okay on one or order our out over paid phone "
    "please problem put question ready really record refund registered repeat reservation right said "
    "say see service shall she should sir so some sorry speaking spell spelled spelling spells store "
    "sure take tell thank thanks that that's the their them then there these they they're this those to "
    "today too two uh uhm um under up us ve very wait want wanted was we we're welcome well were what "
    "what's when where which who will with won't would yeah yep yes yesterday you you're you've your "
    "yours zip afternoon evening first surname family given middle initial customer patient member "
    "policy claim appointment reach text sounds absolutely exactly perfect fine ma january february "
    "april june july august september october november december monday tuesday wednesday thursday "
    "friday saturday sunday dollars cents percent dr doctor speaker hyphen apostrophe both letter "
    "letters there's"
)
STOP: Final = frozenset(_STOP_WORDS.split())
_CARRIER_ENDS_WORDS: Final = (
    "is name named names name's it's i'm i am this that's called under me for surname be was as of"
)
_CARRIER_ENDS: Final = frozenset(_CARRIER_ENDS_WORDS.split())
_PARTICLES_WORDS: Final = (
    "de la del da das dos du di van von der den den ter ten bin ibn al el le st san mac mc o y e"
)
_PARTICLES: Final = frozenset(_PARTICLES_WORDS.split())
# Also given names and surnames; between capitals and away from a sentence's start they are taken for names.
_STOP_OR_NAME: Final = frozenset(
    {"will", "april", "june", "august", "may", "good", "store", "street", "dot", "card"}
)
_LAST_CUES: Final = (("last", "name"), ("family", "name"), ("surname",))
_FIRST_CUES: Final = (("first", "name"), ("given", "name"))
_LONGEST: Final = 5
_SAME_START: Final = 20.0


@attrs.frozen
class _Phrase:
    """Words that may be a name: tokens ``first`` to ``last``. ``comma`` is true where it goes on after a
    comma."""

    words: tuple[str, ...]
    first: int
    last: int
    carried: bool
    capital: bool
    label: str


def parse_name(text: str) -> Parsed:
    """Reads a person's name. "Cortez, Selina" is put in speaking order; the order said stays a candidate.

    A spelled part replaces the spoken word that it resembles, or stands beside it: "Selina, C-O-R-T-E-Z" is
    Selina Cortez. Names in a text without any capitals are capitalised."""
    kind = ValueKind.NAME
    tokens = tokenise(text)
    runs = read_letters(tokens)
    mixed_case = any(token.raw[:1].isupper() for token in tokens)
    phrases = _phrases(tokens, runs)
    parts = labelled_parts(tokens, runs)
    if parts is not None:
        return _from_labels(tokens, parts, phrases)
    runs = _name_runs(runs, phrases)
    chosen = _choose(tokens, phrases, mixed_case, bool(runs))
    words, order_note = _assemble(tokens, chosen, runs)
    if not mixed_case:
        words = tuple(capitalised(word) for word in words)
    spelled = tuple(word for run in runs for word in run.words)
    if len(spelled) == 1:
        words = _all_said(words, spelled[0], [item for item in phrases if item.last <= runs[0].first])
    labels = {_label(tokens, run.first) for run in runs} - {""}
    merged = _merge(words, spelled, labels)
    if not merged:
        return nothing(kind, "no name heard")
    value = str(canonical(kind, " ".join(merged)))
    candidates = [value]
    if order_note:
        candidates.append(" ".join((*merged[1:], merged[0])))
    if spelled and words:
        candidates.append(" ".join(words))
    marks = [(phrase.first, phrase.last) for phrase in chosen] + [(run.first, run.last) for run in runs]
    span = span_of(tokens, min(mark[0] for mark in marks), max(mark[1] for mark in marks))
    evidence = "spoken and spelled" if spelled and words else "spelled" if spelled else "spoken"
    return Parsed(kind, value, tuple(dict.fromkeys(candidates)), span, True, "", evidence)


def _from_labels(tokens: tuple[Token, ...], parts: tuple[Part, Part], phrases: list[_Phrase]) -> Parsed:
    """First and last name, each from its own label. Of a part that was spelled, what was made of the spoken
    word is no candidate: it is nearly always the worse."""
    spoken = tuple(_said_between(part, phrases) for part in parts)
    chosen = (agreed(word, part.letters, labelled=True) for word, part in zip(spoken, parts, strict=True))
    spelled = (capitalised(part.letters) or word for word, part in zip(spoken, parts, strict=True))
    names = tuple(
        dict.fromkeys(
            str(canonical(ValueKind.NAME, " ".join(filter(None, words)))) for words in (chosen, spelled)
        )
    )
    span = span_of(tokens, min(part.first for part in parts), max(part.last for part in parts))
    return Parsed(ValueKind.NAME, names[0], names, span, True, "", "labelled and spelled")


def _said_between(part: Part, phrases: list[_Phrase]) -> str:
    inside = (item for item in phrases if part.first <= item.first and item.last <= part.last)
    first = next(inside, None)
    return "" if first is None else " ".join(capitalised(word) for word in first.words)


def _phrases(tokens: tuple[Token, ...], runs: tuple[LetterRun, ...]) -> list[_Phrase]:
    """All stretches of words that no stop word, number, letter run or punctuation interrupts."""
    taken = {index for run in runs if not run.block for index in range(run.first, run.last)}
    for numeral in read_numerals(tokens):
        taken.update(range(numeral.first, numeral.last))
    phrases: list[_Phrase] = []
    start: int | None = None
    for index in range(len(tokens) + 1):
        inside = index < len(tokens) and index not in taken and _may_be_name(tokens, index)
        broken = inside and start is not None and bool(tokens[index].gap.strip(" \t-‐‑"))
        if start is not None and (not inside or (broken and not _is_initial_dot(tokens, index))):
            phrases.append(_phrase(tokens, start, index))
            start = None
        if inside and start is None:
            start = index
    return phrases


def _may_be_name(tokens: tuple[Token, ...], index: int) -> bool:
    token = tokens[index]
    if not token.text[:1].isalpha():
        return False
    if token.text in STOP:
        return token.text in _STOP_OR_NAME and _among_capitals(tokens, index)
    return not (len(token.text) == 1 and token.raw == token.text)


def _among_capitals(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether a capitalised word stands inside a sentence beside another one: "this is Will Young"."""
    token = tokens[index]
    if index == 0 or not token.raw[:1].isupper() or any(char in ".?!" for char in token.gap):
        return False
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is not None and following.close:
        return following.raw[:1].isupper() and following.text not in STOP
    return token.close and tokens[index - 1].raw[:1].isupper() and tokens[index - 1].text not in STOP


def _is_initial_dot(tokens: tuple[Token, ...], index: int) -> bool:
    """The full stop of an initial ("John F. Kennedy", "St. John") doesn't end a name."""
    return tokens[index].gap.strip() == "." and (
        len(tokens[index - 1].text) == 1 or tokens[index - 1].text == "st"
    )


def _phrase(tokens: tuple[Token, ...], first: int, last: int) -> _Phrase:
    words: list[str] = []
    for token in tokens[first:last]:
        word = re.sub("[’‘ʼ`´]", "'", token.raw)
        word = word[:-2] if word.lower().endswith("'s") and len(word) > 3 else word
        if words and token.gap in ("-", "‐", "‑"):
            words[-1] += f"-{word}"
        else:
            words.append(word)
    capital = all(
        token.raw[:1].isupper() or token.text in _PARTICLES or "-" in token.gap
        for token in tokens[first:last]
    )
    before = [token.text for token in tokens[max(0, first - 4) : first]]
    carried = bool(before) and before[-1] in _CARRIER_ENDS and not tokens[first].gap.strip(" \t,:-")
    return _Phrase(tuple(words), first, last, carried, capital, _label(tokens, first))


def _label(tokens: tuple[Token, ...], first: int) -> str:
    """ "last" or "first" where those words with "name" stand shortly before."""
    before = [token.text for token in tokens[max(0, first - 4) : first]]
    for position in range(len(before) - 1, -1, -1):
        for label, cues in (("last", _LAST_CUES), ("first", _FIRST_CUES)):
            for cue in cues:
                if tuple(before[position : position + len(cue)]) == cue:
                    return label
    return ""


def _name_runs(runs: tuple[LetterRun, ...], phrases: list[_Phrase]) -> tuple[LetterRun, ...]:
    """Spelled runs only; capitals alone ("CORTEZ") count when the same name was also said."""
    said = [word for phrase in phrases for word in phrase.words]
    kept = [
        run
        for run in runs
        if not run.block
        or any(fuzz.ratio(run.letters, word.casefold()) >= 60 and not word.isupper() for word in said)
    ]
    return tuple(kept)


def _choose(
    tokens: tuple[Token, ...], phrases: list[_Phrase], mixed_case: bool, spelled: bool
) -> list[_Phrase]:
    """The phrase or phrases that are the name."""
    labelled = [phrase for phrase in phrases if phrase.label and (phrase.capital or not mixed_case)]
    if labelled:
        by_label = {phrase.label: phrase for phrase in reversed(labelled)}
        return [by_label[label] for label in ("first", "last") if label in by_label]
    usable = [
        phrase
        for phrase in phrases
        if len(phrase.words) <= _LONGEST and _usable(tokens, phrase, mixed_case, spelled)
    ]
    if not usable:
        return []
    best = max(
        usable, key=lambda phrase: (phrase.carried, phrase.capital and mixed_case, min(len(phrase.words), 2))
    )
    position = usable.index(best)
    if len(best.words) == 1 and position + 1 < len(usable):
        second = usable[position + 1]
        between = tokens[best.last : second.first]
        direct = not between and tokens[second.first].gap.strip() in (",", ".")
        across = bool(between) and all(len(token.text) == 1 for token in between)
        if (direct or across) and len(second.words) <= 2 and second.capital == best.capital:
            return [best, second]
    return [best]


def _usable(tokens: tuple[Token, ...], phrase: _Phrase, mixed_case: bool, spelled: bool) -> bool:
    if phrase.carried:
        return phrase.capital or not mixed_case or len(phrase.words) <= 3
    if mixed_case:
        if not phrase.capital:
            return False
        if len(phrase.words) > 1 or spelled:
            return True
        alone = phrase.first == 0 or bool(tokens[phrase.first].gap.strip())
        return alone and (phrase.last == len(tokens) or bool(tokens[phrase.last].gap.strip()))
    starts = phrase.first == 0 or bool(tokens[phrase.first].gap.strip())
    return starts and (len(phrase.words) in (2, 3) or len(tokens) == 1 or spelled)


def _assemble(
    tokens: tuple[Token, ...], chosen: list[_Phrase], runs: tuple[LetterRun, ...]
) -> tuple[tuple[str, ...], bool]:
    """Words in speaking order -> (words, whether "Last, First" was turned round)."""
    words = tuple(word for phrase in chosen for word in phrase.words)
    inverted = (
        len(chosen) == 2
        and not any(phrase.label for phrase in chosen)
        and chosen[0].last == chosen[1].first
        and tokens[chosen[1].first].gap.strip() == ","
    )
    if inverted:
        return (*chosen[1].words, *chosen[0].words), True
    return words, False


def _all_said(words: tuple[str, ...], letters: str, before: list[_Phrase]) -> tuple[str, ...]:
    """All words before the letters, where they rather than the chosen ones are what was spelled: "Tams and
    Whittaker, T-A-M-S-I-N-W-H-I-T-A-K-E-R"."""
    said = tuple(word for phrase in before if phrase.capital for word in phrase.words)
    if fuzz.ratio(letters, _bare("".join(said))) > max(60.0, fuzz.ratio(letters, _bare("".join(words)))):
        return said
    return words


def _bare(word: str) -> str:
    return "".join(char for char in word.casefold() if char.isalnum())


def _merge(words: tuple[str, ...], spelled: tuple[str, ...], labels: set[str]) -> tuple[str, ...]:
    """Puts spelled words in the place of the spoken ones that they resemble."""
    merged = list(words)
    first, last = _spelled_in_one(words, spelled)
    if last - first > 1:
        parts = _recut(words[first:last], spelled[0])
        merged[first:last] = [agreed(said, letters) for said, letters in parts]
        return tuple(merged)
    for letters in spelled:
        scores = [fuzz.ratio(_bare(letters), _bare(word)) for word in merged]
        best = max(range(len(merged)), key=lambda index: scores[index], default=None)
        if best is not None and scores[best] >= 50:
            merged[best] = agreed(merged[best], letters)
        elif labels == {"first"}:
            merged.insert(0, capitalised(letters))
        else:
            merged.append(capitalised(letters))
    return tuple(merged)


def _spelled_in_one(words: tuple[str, ...], spelled: tuple[str, ...]) -> tuple[int, int]:
    """The words, first to last (exclusive), that one long run of letters spells without a pause: "Selina
    Cortez, S-E-L-I-N-A-C-O-R-T-E-Z". One word or none where that is as good."""
    if len(spelled) != 1 or len(spelled[0]) < 4:
        return 0, 0
    spans = [(first, last) for first in range(len(words)) for last in range(first + 1, len(words) + 1)]
    likeness = {span: fuzz.ratio(spelled[0], _bare("".join(words[span[0] : span[1]]))) for span in spans}
    best = max(spans, key=lambda span: (likeness[span], span[0] - span[1]), default=(0, 0))
    return best if best != (0, 0) and likeness[best] >= 60 else (0, 0)


def _recut(words: tuple[str, ...], letters: str) -> tuple[tuple[str, str], ...]:
    """Cuts a run of letters in two where the spoken words have their space -> (what was said, letters) twice.
    Of more than two words ("Louis Way Bautista", spelled Liwayway Bautista) one space counts."""
    cuts = [(space, at) for space in range(1, len(words)) for at in range(1, len(letters))]

    def likeness(cut: tuple[int, int]) -> float:
        space, at = cut
        before, after = _bare("".join(words[:space])), _bare("".join(words[space:]))
        # How a word begins is heard best; "Tams Whittaker" for T-A-M-S-I-N-W-H-I-T-A-K-E-R is cut at the W.
        begins = _SAME_START if letters[at] == after[:1] else 0.0
        return float(fuzz.ratio(letters[:at], before) + fuzz.ratio(letters[at:], after)) + begins

    space, at = max(cuts, key=likeness)
    return (" ".join(words[:space]), letters[:at]), (" ".join(words[space:]), letters[at:])
