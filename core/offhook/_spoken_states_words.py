"""Values made of words in a transcript: names, e-mail addresses, spelled codes and plain text."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

import attrs
from rapidfuzz import fuzz

from offhook._spoken_email import email_readings, pieces_of
from offhook._spoken_letters import read_letters
from offhook._spoken_names import STOP, parse_name
from offhook._spoken_normalise import normalise
from offhook._spoken_result import span_of
from offhook._spoken_tokens import Token, fold, tokenise
from offhook.names import match_names

_UNLIKE: Final = 45.0
_TITLES: Final = frozenset({"mr", "mrs", "ms", "miss", "mister", "dr", "doctor", "prof", "jr", "sr"})
_CARRIERS: Final = STOP | {"write", "contact", "mail", "use", "try", "via", "send", "under"}
_LINKS: Final = ("-", "‐", "‑")


@attrs.frozen
class Found:
    """Where a value stands in a text, and in which form."""

    span: tuple[int, int]
    form: str


def email_stated(tokens: tuple[Token, ...], address: str) -> Found | None:
    """An address with every dot, hyphen and underscore as it is."""
    for reading in email_readings(tokens):
        if reading.value == address:
            return Found(span_of(tokens, reading.first, reading.last), reading.why)
    return _address_after_words(tokens, address)


def _address_after_words(tokens: tuple[Token, ...], address: str) -> Found | None:
    """An address right after words that belong to no address, which a parser that doesn't know it can't
    tell."""
    local, _, domain = address.partition("@")
    for reading in email_readings(tokens):
        said_local, _, said_domain = str(reading.value).partition("@")
        if said_domain != domain or not said_local.endswith(local):
            continue
        pieces, rest, index = pieces_of(tokens), len(said_local) - len(local), reading.first
        while rest > 0 and index < reading.last and tokens[index].text in _CARRIERS:
            piece, following = pieces.get(index, (tokens[index].text, index + 1))
            rest, index = rest - len(piece), following
        if rest == 0 and not tokens[index].gap.strip():
            return Found(span_of(tokens, index, reading.last), reading.why)
    return None


def spelled_stated(tokens: tuple[Token, ...], code: str) -> Found | None:
    """A code spelled letter by letter, or written in one."""
    for alphabet in (False, True):
        for run in read_letters(tokens, digits=True, alphabet=alphabet):
            if "".join(char for char in run.letters.upper() if char.isalnum()) == code:
                return Found(span_of(tokens, run.first, run.last), "spelled")
    wanted = fold(code)
    for first in range(len(tokens)):
        said = ""
        for last in range(first, len(tokens)):
            if last > first and tokens[last].gap not in ("", *_LINKS):
                break
            said += tokens[last].text.replace("'", "")
            if not wanted.startswith(said):
                break
            if said == wanted and _stands_alone(tokens, first, last + 1):
                return Found(span_of(tokens, first, last + 1), "written in one")
    return None


def _stands_alone(tokens: tuple[Token, ...], first: int, last: int) -> bool:
    before = first > 0 and tokens[first].gap in ("", *_LINKS)
    return not before and not (last < len(tokens) and tokens[last].gap in ("", *_LINKS))


def name_stated(line: str, tokens: tuple[Token, ...], name: str) -> Found | None:
    """A name by `offhook.names`, said, written, spelled, or "last name first"."""
    said = [token for token in tokens if token.text[:1].isalpha() and token.text != "apostrophe"]
    size = sum(token.text[:1].isalpha() and token.text not in _TITLES for token in tokenise(name)) or 1
    best: tuple[float, tuple[int, int], str] | None = None
    # A word more for "O Brien" and a middle name, as few as one for "Delacruz".
    for count in range(size + 1, 0, -1):
        for first in range(len(said) - count + 1):
            words = said[first : first + count]
            heard = " ".join(token.text for token in words).removesuffix("'s")
            if not _resembles(heard, name):
                continue
            match = match_names(heard, name)
            if match.same and (best is None or match.score > best[0]):
                best = match.score, (words[0].start, words[-1].end), match.reason
    if best is not None:
        return Found(best[1], best[2])
    parsed = parse_name(line)
    if parsed.span is not None and any(match_names(str(given), name).same for given in parsed.candidates):
        return Found(parsed.span, parsed.evidence)
    return None


def _resembles(heard: str, name: str) -> bool:
    """The matcher is thorough; most stretches of a text are so unlike the name that they need no such
    look."""
    return fuzz.token_sort_ratio(heard, name.casefold()) >= _UNLIKE


def text_stated(line: str, tokens: tuple[Token, ...], text: str) -> Found | None:
    """The words of a text in a row, normalised; digits at its ends don't go on beyond it."""
    wanted = normalise(text)
    if not wanted or not _holds(normalise(line), wanted):
        return None
    ends = [token.end for token in tokens]
    last = bisect_left(ends, True, key=lambda end: _holds(normalise(line[:end]), wanted))
    end = ends[min(last, len(ends) - 1)]
    starts = [token.start for token in tokens if token.end <= end]
    first = bisect_left(starts, True, key=lambda start: not _holds(normalise(line[start:end]), wanted))
    return Found((starts[max(0, first - 1)], end), "the same words")


def _holds(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    size = len(wanted)
    for at in range(len(words) - size + 1):
        if words[at : at + size] != wanted:
            continue
        longer_before = at > 0 and wanted[0].isdigit() and words[at - 1].isdigit()
        longer_after = at + size < len(words) and wanted[-1].isdigit() and words[at + size].isdigit()
        if not longer_before and not longer_after:
            return True
    return False
