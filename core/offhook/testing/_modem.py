"""Text in sound and back: a voice and a listener that need no speech engine and are never wrong.

Each word is a chirp, a header and its UTF-8 bytes, a tone per half byte, within the band of a telephone.
Words stand alone: silence around them, other words lost, or an end cut off leave the rest readable.
"""

from __future__ import annotations

import itertools
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import LINE_RATE, Clip
from offhook.speech import EngineInfo, Heard, ListenerHint, SpeechStyle, Word
from offhook.testing._engines import fake_info

__all__ = ["FakeListener", "FakeVoice"]

_AMPLITUDE: Final = 6000.0
_CHIRP_SAMPLES: Final = 480
_HEADER_SYMBOL: Final = 240
_HEADER_SYMBOLS: Final = 7
_DATA_SYMBOL: Final = 480
_PITCH_ZERO: Final = 2048
_CHIRP_MATCH: Final = 0.6
_TONE_SHARE: Final = 0.5
# Below this RMS (about -70 dBFS) there is nothing to read.
_FLOOR: Final = 10.0


@attrs.frozen
class FakeVoice:
    """Encodes words as tones; ``style.tempo`` scales the tones' length, ``style.pitch`` their frequency.

    White space between words counts as one blank. A word of five letters takes 0.29 s at tempo 1.
    """

    name: str = "fake"
    description: str = "tones that spell the text"

    @property
    def info(self) -> EngineInfo:
        return fake_info(self.name)

    def speak(self, text: str, style: SpeechStyle) -> Clip:
        """The text as sound at the line's rate, -17.8 dBFS, without silence.

        Raises:
            ValueError: a tempo outside 0.2 to 4, or a pitch beyond 6 semitones.
        """
        if not (0.2 <= style.tempo <= 4 and -6 <= style.pitch <= 6):
            raise ValueError(f"the fake voice can't speak at tempo {style.tempo} and pitch {style.pitch}")
        symbol = round(_DATA_SYMBOL / style.tempo)
        pitch = round(style.pitch * 100)
        words = [_word_sound(word.encode(), symbol, pitch) for word in text.split()]
        return Clip(np.concatenate(words) if words else np.zeros(0, dtype=np.int16))


@attrs.frozen
class FakeListener:
    """Reads back what ``FakeVoice`` said; hears nothing in any other sound."""

    name: str = "fake"

    @property
    def info(self) -> EngineInfo:
        return fake_info(self.name)

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        """The words in the clip; of a word cut off at its end, the letters that are there."""
        sound = clip.at_rate(LINE_RATE).samples.astype(np.float64)
        starts = _chirps(sound)
        words: list[Word] = []
        shares: list[float] = []
        for start, limit in itertools.pairwise((*starts, len(sound))):
            text, end, share = _read_word(sound[:limit], start)
            if text:
                words.append(Word(text, start / LINE_RATE, end / LINE_RATE))
                shares.append(share)
        return Heard(
            text=" ".join(word.text for word in words),
            words=tuple(words) if hint.word_times else (),
            confidence=min(shares, default=0.0),
        )


def _tones(symbol: int, pitch: int) -> NDArray[np.complex128]:
    """The sixteen tones, shape ``(16, symbol)``; ``pitch`` in hundredths of a semitone."""
    hz = (400 + 150 * np.arange(16)) * 2 ** (pitch / 1200)
    waves: NDArray[np.complex128] = np.exp(2j * np.pi * np.outer(hz, np.arange(symbol)) / LINE_RATE)
    return waves


def _sweep() -> NDArray[np.float64]:
    from scipy.signal import chirp  # a second to import, which who only wants run_virtual need not wait for

    times = np.arange(_CHIRP_SAMPLES) / LINE_RATE
    wave: NDArray[np.float64] = chirp(times, f0=300, f1=3300, t1=_CHIRP_SAMPLES / LINE_RATE)
    return wave


def _header(symbol: int, pitch: int) -> list[int]:
    nibbles = [value >> shift & 15 for value in (symbol, pitch + _PITCH_ZERO) for shift in (8, 4, 0)]
    return [*nibbles, sum(nibbles) & 15]


def _word_sound(word: bytes, symbol: int, pitch: int) -> NDArray[np.int16]:
    head = _tones(_HEADER_SYMBOL, 0)[_header(symbol, pitch)].imag.ravel()
    body = _tones(symbol, pitch)[[half for byte in word for half in (byte >> 4, byte & 15)]].imag.ravel()
    wave = np.concatenate((_sweep(), head, body))
    return np.rint(wave * _AMPLITUDE).astype(np.int16)


def _chirps(sound: NDArray[np.float64]) -> list[int]:
    """Where the words begin."""
    if len(sound) < _CHIRP_SAMPLES:
        return []
    from scipy.signal import correlate

    sweep = _sweep()
    energy = np.concatenate(([0.0], np.cumsum(np.square(sound))))
    local = np.maximum(energy[_CHIRP_SAMPLES:] - energy[:-_CHIRP_SAMPLES], _FLOOR**2 * _CHIRP_SAMPLES)
    match = correlate(sound, sweep, mode="valid") / np.sqrt(local * np.sum(np.square(sweep)))
    starts: list[int] = []
    for at in np.flatnonzero(match > _CHIRP_MATCH).tolist():
        if not starts or at - starts[-1] >= _CHIRP_SAMPLES:
            starts.append(at)
        elif match[at] > match[starts[-1]]:
            starts[-1] = at
    return starts


def _read_word(sound: NDArray[np.float64], start: int) -> tuple[str, int, float]:
    """The word at ``start``, where it ends, and how purely its tones came through, in 0..1."""
    at = start + _CHIRP_SAMPLES
    body = at + _HEADER_SYMBOLS * _HEADER_SYMBOL
    header, _ = _read_symbols(sound[at:body], _HEADER_SYMBOL, 0)
    if len(header) < _HEADER_SYMBOLS or sum(header[:-1]) & 15 != header[-1]:
        return "", start, 0.0
    symbol = header[0] << 8 | header[1] << 4 | header[2]
    pitch = (header[3] << 8 | header[4] << 4 | header[5]) - _PITCH_ZERO
    if symbol < 100:
        return "", start, 0.0
    halves, share = _read_symbols(sound[body:], symbol, pitch)
    content = bytes(high << 4 | low for high, low in zip(halves[::2], halves[1::2], strict=False))
    return content.decode(errors="ignore"), body + len(content) * 2 * symbol, share


def _read_symbols(sound: NDArray[np.float64], symbol: int, pitch: int) -> tuple[list[int], float]:
    """The half bytes up to the first symbol that isn't a clear tone, and the least share a tone had."""
    # The edges of a symbol suffer from filters and from its neighbours; the last one may lack a few samples.
    edge = symbol // 10
    sound = np.pad(sound, (0, edge))
    count = len(sound) // symbol
    parts = sound[: count * symbol].reshape(count, symbol)[:, edge : symbol - edge]
    waves = _tones(symbol, pitch)[:, edge : symbol - edge]
    # Not a matrix product: for something as small, BLAS threads cost more than they save.
    power = np.square(np.abs(np.einsum("nk,tk->nt", parts, waves.conj()))) * 2 / parts.shape[1]
    total = np.sum(np.square(parts), axis=1)
    share = np.max(power, axis=1) / np.maximum(total, _FLOOR**2 * parts.shape[1])
    unclear = np.flatnonzero(share < _TONE_SHARE)
    clear = int(unclear[0]) if len(unclear) else count
    least = float(np.min(share[:clear])) if clear else 0.0
    return np.argmax(power[:clear], axis=1).tolist(), min(1.0, least)
