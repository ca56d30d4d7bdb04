"""E-mail addresses: "selina dot cortez at example dot com", "bruno.hadad72@example.com"."""

from __future__ import annotations

from typing import Final

from offhook._lexicon import LETTER_NAMES
from offhook._spoken_letters import read_letters
from offhook._spoken_numerals import Style, read_numerals
from offhook._spoken_result import Parsed, Reading, nothing, settle
from offhook._spoken_tokens import Token, tokenise
from offhook.values import ValueKind, canonical

_SIGNS: Final = {
    "dot": ".",
    "point": ".",
    "period": ".",
    "underscore": "_",
    "underscores": "_",
    "underscored": "_",
    "dash": "-",
    "hyphen": "-",
    "minus": "-",
    "plus": "+",
    "+": "+",
}
_STOP_WORDS: Final = (
    "is it's address email mail e-mail me my the a an i that's to use this reach send uh um yes sure so "
    "and it would be that please on account try okay ok hi hello for with by its was at spelled letter "
    "no not sorry actually wait mean"
)
_STOP: Final = frozenset(_STOP_WORDS.split())
_AT: Final = frozenset({"at", "@"})
# What recognisers make of a short "at" among spelled letters, where there is no other.
_LIKE_AT: Final = frozenset({"of", "that", "add", "et"})
# What recognisers make of a domain's end; none of these is one.
_ENDINGS: Final = {"arg": "org", "calm": "com", "come": "com"}
_IGNORED: Final = frozenset({"lowercase", "all", "lower", "case"})


def parse_email(text: str) -> Parsed:
    """Reads an address, said or written. White space and pauses are dropped, "dot", "underscore", "dash" and
    "plus" are signs, digits may be said, letters may be spelled. The words before it end at the first that
    belongs to no address."""
    tokens = tokenise(text)
    readings, partial = _readings(tokens)
    if readings:
        return settle(ValueKind.EMAIL, tokens, readings)
    return nothing(ValueKind.EMAIL, "no address with an at sign and a dot heard", partial)


def email_readings(tokens: tuple[Token, ...]) -> list[Reading]:
    """Every address of a text, those with a written at sign or a clear "at" before any other."""
    return _readings(tokens)[0]


def _readings(tokens: tuple[Token, ...]) -> tuple[list[Reading], str]:
    readings, partial = _around(tokens, _AT)
    return (readings, partial) if readings else _around(tokens, _LIKE_AT)


def _around(tokens: tuple[Token, ...], at_words: frozenset[str]) -> tuple[list[Reading], str]:
    """Addresses around one of some words -> (readings, a local part that lacks its domain)."""
    pieces = pieces_of(tokens)
    readings: list[Reading] = []
    partial = ""
    for index, token in enumerate(tokens):
        if token.text not in at_words or index + 1 >= len(tokens):
            continue
        domain, last = _domain(tokens, pieces, index + 1)
        local, first = _local(tokens, pieces, index)
        if not domain or not local:
            partial = partial or (local if token.text == "@" else "")
            continue
        try:
            value = canonical(ValueKind.EMAIL, f"{local}@{domain}")
        except ValueError:
            continue
        score = 2.0 if token.text == "@" else 1.0
        readings.append(Reading(value, first, last, score, "words around an at sign"))
    return readings, partial


def pieces_of(tokens: tuple[Token, ...]) -> dict[int, tuple[str, int]]:
    """First token of a piece -> (its characters, next token): digits, spelled letters, signs; other words are
    themselves."""
    pieces: dict[int, tuple[str, int]] = {}
    for numeral in read_numerals(tokens):
        if numeral.style is not Style.ORDINAL:
            pieces[numeral.first] = (numeral.digits, numeral.last)
    for run in read_letters(tokens):
        if not run.block and not _is_written(tokens[run.first : run.last]):
            pieces[run.first] = (run.letters, run.last)
    for index, token in enumerate(tokens):
        words = tuple(other.text for other in tokens[index : index + 3])
        if words == ("all", "one", "word") or words[:2] in (("one", "word"), ("no", "spaces")):
            pieces[index] = "", index + (3 if words[0] == "all" else 2)
        elif token.text in _SIGNS:
            pieces[index] = (_SIGNS[token.text], index + 1)
        elif token.text in _IGNORED and (token.text != "all" or _next_is_lower(tokens, index)):
            pieces[index] = ("", index + 1)
    return pieces


def _is_written(run: tuple[Token, ...]) -> bool:
    """Labels joined by signs in the text itself ("a.b") and words like "jay" aren't spelled letters."""
    return any(token.text in LETTER_NAMES or token.gap in (".", "_") for token in run[1:])


def _next_is_lower(tokens: tuple[Token, ...], index: int) -> bool:
    return index + 1 < len(tokens) and tokens[index + 1].text in ("lower", "lowercase")


def _written_sign(gap: str) -> str:
    """A sign that stands in the text itself between two words: "selina.cortez", "a_b"."""
    return gap if gap in (".", "_", "-") else ""


def _domain(tokens: tuple[Token, ...], pieces: dict[int, tuple[str, int]], index: int) -> tuple[str, int]:
    """Reads labels joined by dots from a token on -> (domain, next token); empty where there is no dot."""
    domain, end = "", index
    while index < len(tokens):
        token = tokens[index]
        sign = _written_sign(token.gap) if domain else ""
        piece, following = pieces.get(index, (token.text, index + 1))
        if domain and not sign and token.gap.strip():
            break
        if piece in (".", "-") and domain and not domain.endswith("."):
            domain, index = domain + piece, following
            continue
        if (
            not piece.isascii()
            or not piece.isalnum()
            or (token.text in _STOP and domain and not domain.endswith(".") and not sign)
        ):
            break
        if domain and not sign and not domain.endswith((".", "-")):
            if "." in domain:
                break
            domain += piece
        else:
            domain += sign + piece
        index = end = following
    domain = domain.rstrip(".-")
    body, dot, ending = domain.rpartition(".")
    domain = f"{body}{dot}{_ENDINGS.get(ending, ending)}"
    return (domain, end) if "." in domain else ("", index)


def _local(tokens: tuple[Token, ...], pieces: dict[int, tuple[str, int]], at: int) -> tuple[str, int]:
    """Reads backwards from the at sign -> (local part, first token)."""
    starts = {following: (index, piece) for index, (piece, following) in pieces.items()}
    local, index = "", at
    while index > 0:
        first, piece = starts.get(index, (index - 1, tokens[index - 1].text))
        gap = tokens[index].gap
        spelled = index - first > 1
        if local and gap.strip(" \t,") and not _written_sign(gap):
            break
        # A spelled part may begin with the letter "a" or "I", which as a word would belong to no address.
        if (
            tokens[first].text in _STOP
            and not spelled
            and not local.startswith(".")
            and not _written_sign(gap)
        ):
            break
        if not all(char.isascii() and (char.isalnum() or char in "._-+") for char in piece):
            break
        sign = _written_sign(gap) if local or index == at else ""
        if sign == "-" and tokens[at].text != "@" and (spelled or _ties(piece, local)):
            sign = ""
        local = piece + sign + local if local else piece
        index = first
    return local.lstrip("._-+"), index


def _ties(before: str, after: str) -> bool:
    """Whether a hyphen between the two only ties what was spelled: beside a sign that was said ("J-O dot-K")
    or between single figures ("N-8-9")."""
    beside_sign = bool({before[-1:], after[:1]} & {".", "_", "-", "+"})
    return beside_sign or (len(before) == 1 and before.isdigit() and after[:1].isdigit())
