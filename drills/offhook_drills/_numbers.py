"""Number words: said each time a little differently, and read out of what was heard."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from offhook.audio import LINE_RATE, Clip
from offhook.speech import SpeechStyle, Voice
from offhook.spoken import digit_runs

__all__ = [
    "HOMOPHONES",
    "counts_up",
    "digits_in",
    "draw_variation",
    "in_words",
    "numbers_in",
    "reply_numbers",
    "varied_clip",
    "words_of",
]

# fmt: off
_ONES: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on
_SMALL: Final = MappingProxyType({word: value for value, word in enumerate(_ONES)})
_TENS_VALUES: Final = MappingProxyType({word: 20 + 10 * place for place, word in enumerate(_TENS)})

HOMOPHONES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "won": 1,
        "to": 2,
        "too": 2,
        "tree": 3,
        "free": 3,
        "for": 4,
        "fore": 4,
        "fife": 5,
        "sex": 6,
        "sicks": 6,
        "sics": 6,
        "ate": 8,
        "nein": 9,
        "tenn": 10,
    }
)
"""Words that a recogniser may write for a number which sounds the same."""

_TOKEN: Final = re.compile(r"[a-z]+(?:['’][a-z]+)*|\d+")
_LEAST_COUNTED: Final = 3


# --- saying -------------------------------------------------------------------------------------


def in_words(number: int) -> str:
    """0..99 in words. Raises ValueError for any other."""
    if not 0 <= number <= 99:
        raise ValueError(f"only 0 to 99 are said in words here, got {number}")
    if number < len(_ONES):
        return _ONES[number]
    tens = _TENS[number // 10 - 2]
    return tens if number % 10 == 0 else f"{tens}-{_ONES[number % 10]}"


def draw_variation(
    rng: np.random.Generator, *, tempo: tuple[float, float] = (0.9, 1.1)
) -> Mapping[str, float]:
    """How one word will be said: ``tempo`` (times as fast), ``pitch`` (semitones), ``tone`` (the coefficient
    of a first-order filter; above 0 is brighter).
    """
    return {
        "tempo": round(float(rng.uniform(*tempo)), 3),
        "pitch": round(float(rng.uniform(-1.5, 1.5)), 3),
        "tone": round(float(rng.uniform(-0.4, 0.4)), 3),
    }


def varied_clip(voice: Voice, text: str, variation: Mapping[str, Any]) -> Clip:
    """The text as a variation has it said, as loud as without the filter."""
    from scipy.signal import lfilter  # a second to import, which every start of offhook would wait for

    style = SpeechStyle(tempo=float(variation["tempo"]), pitch=float(variation["pitch"]))
    clip = voice.speak(text, style).at_rate(LINE_RATE)
    plain = clip.samples.astype(np.float64)
    if not plain.any():
        return clip
    toned = np.asarray(lfilter((1.0, -float(variation["tone"])), (1.0,), plain), dtype=np.float64)
    gain = float(np.sqrt(np.mean(plain**2) / np.mean(toned**2)))
    return Clip(np.clip(np.rint(toned * gain), -32768, 32767).astype(np.int16))


# --- reading ------------------------------------------------------------------------------------


def words_of(text: str) -> tuple[str, ...]:
    """The words and figures of a text in lower case, without punctuation."""
    return tuple(_TOKEN.findall(text.casefold()))


def numbers_in(text: str) -> tuple[int, ...]:
    """Every number said in a text, in order: words up to ninety-nine and figures of any length. "Twenty one"
    and "twenty-one" are 21; with a comma or a full stop between them they are two numbers.
    """
    found: list[int] = []
    open_tens = False
    previous_end = 0
    folded = text.casefold()
    for match in _TOKEN.finditer(folded):
        token, gap = match[0], folded[previous_end : match.start()]
        previous_end = match.end()
        value = int(token) if token.isdigit() else _SMALL.get(token, _TENS_VALUES.get(token))
        if value is None:
            open_tens = False
        elif open_tens and 0 < value < 10 and not token.isdigit() and not gap.strip(" -‐‑–"):
            found[-1] += value
            open_tens = False
        else:
            found.append(value)
            open_tens = token in _TENS_VALUES
    return tuple(found)


def reply_numbers(text: str) -> tuple[int, ...]:
    """The numbers of a reply; a word that merely sounds like one counts only where it is all of the reply."""
    words = words_of(text)
    if len(words) != 1:
        return numbers_in(text)
    word = words[0]
    if word in HOMOPHONES:
        return (HOMOPHONES[word],)
    # A hiss at the end of a word makes "nines" of nine, and "sixes" of six.
    plural = next((word.removesuffix(end) for end in ("es", "s") if word.removesuffix(end) in _SMALL), word)
    return numbers_in(plural)


def digits_in(text: str) -> tuple[int, ...]:
    """A read-back of single digits, in order, however a recogniser grouped them: "7, 4 1", "741" and "seven
    four one" are the same three. Where nothing but numbers was said, "to" and "for" are numbers too.
    """
    words = words_of(text)
    if any(word in HOMOPHONES for word in words) and all(
        word.isdigit() or word in _SMALL or word in _TENS_VALUES or word in HOMOPHONES for word in words
    ):
        text = re.sub(r"[a-z]+", _without_homophone, text.casefold())
    return tuple(int(digit) for run in digit_runs(text) for digit in run.digits)


def _without_homophone(match: re.Match[str]) -> str:
    word = match[0]
    return _ONES[HOMOPHONES[word]] if word in HOMOPHONES else word


def counts_up(text: str) -> tuple[int, ...]:
    """The longest stretch of a text that counts up by ones; empty where it has fewer than three numbers."""
    longest: list[int] = []
    current: list[int] = []
    for number in _apart(numbers_in(text)):
        current = [*current, number] if current and number == current[-1] + 1 else [number]
        if len(current) > len(longest):
            longest = current
    return tuple(longest) if len(longest) >= _LEAST_COUNTED else ()


def _apart(numbers: Sequence[int]) -> list[int]:
    """Figures that a recogniser ran together ("12345") digit by digit."""
    apart: list[int] = []
    for number in numbers:
        apart.extend([number] if number < 1000 else [int(digit) for digit in str(number)])
    return apart
