"""Whisper through faster-whisper and CTranslate2: int8, one thread, temperature 0, equal input, equal text.

The high-level ``transcribe`` is not used: its fall-back to random sampling is not reproducible, and it always
encodes 30 s. Here each window is encoded at its own length, but at least 15 s: shorter encoder inputs make
the model repeat itself. Each window gets a little silence before and after, because the base model stops in
mid sentence where speech ends with the clip (51 of 80 short answers heard, 69 with it).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import Clip
from offhook.speech import EngineInfo, Heard, ListenerHint, SpeechUnavailable, Word
from offhook_caller.speech.weights import WHISPER_TINY, distribution_version, located_folder
from offhook_caller.speech.whisper_base import WHISPER_BASE_SHA256, whisper_base_folder

__all__ = ["WhisperListener", "embedded_listeners", "windows_of"]

_RATE: Final = 16_000
_FULL_MEL_FRAMES: Final = 3_000
_LEAST_MEL_FRAMES: Final = 1_500
_WINDOW_SECONDS: Final = 28.0
_WINDOW_SEARCH_SECONDS: Final = 8.0
_QUIET_SECONDS: Final = 0.1
_LEAD_SECONDS: Final = 0.3
_TAIL_SECONDS: Final = 0.5
_SHORTEST_SECONDS: Final = 0.05
_TOKENS_PER_SECOND: Final = 10.0
_SPARE_TOKENS: Final = 24
_MOST_NEW_TOKENS: Final = 220
_LONGEST_PROMPT_TOKENS: Final = 200
_SILENT_PROBABILITY: Final = 0.5
_UNSURE_LOGPROB: Final = -0.7


@attrs.define(eq=False)
class WhisperListener:
    """One model size as a :class:`offhook.speech.Listener`; loads with the first clip; thread-safe."""

    name: str
    weights_sha256: str
    find_weights: Callable[[], Path]
    least_mel_frames: int = _LEAST_MEL_FRAMES
    _model: Any = attrs.field(default=None, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    @property
    def info(self) -> EngineInfo:
        return EngineInfo(
            name=self.name,
            engine="faster-whisper",
            version=distribution_version("faster-whisper"),
            licence="MIT",
            weights_sha256=self.weights_sha256,
        )

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        """See :class:`offhook.speech.Listener`. ``confidence``: geometric mean of the tokens' probabilities.

        Clips beyond 28 s are heard in windows cut at the quietest moments. A window the model holds for
        silence gives no text.

        Raises:
            ValueError: a beam below 1, or a prompt too long for the model (200 tokens).
            SpeechUnavailable: package or weights are missing or damaged.
        """
        if hint.beam < 1:
            raise ValueError(f"beam must be 1 or more, got {hint.beam}")
        audio = clip.at_rate(_RATE).samples.astype(np.float32) / np.float32(32768)
        with self._lock:
            if self._model is None:
                self._model = self._load()
            decoder = _Decoder(self._model, hint, self.least_mel_frames)
            windows = [decoder.decode(audio[start:end], start / _RATE) for start, end in windows_of(audio)]
        heard = [window for window in windows if window.text]
        tokens = sum(window.tokens for window in heard)
        logprob = sum(window.logprob for window in heard)
        return Heard(
            text=" ".join(window.text for window in heard),
            words=tuple(word for window in heard for word in window.words),
            confidence=math.exp(logprob / tokens) if tokens else 0.0,
        )

    def _load(self) -> Any:
        folder = self.find_weights()
        try:
            from faster_whisper import WhisperModel
        except ImportError as error:
            raise SpeechUnavailable(
                f"faster-whisper can't be imported ({error}): run pip install 'offhook[speech]'"
            ) from error
        return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1, num_workers=1)


@attrs.frozen
class _Window:
    text: str
    words: tuple[Word, ...]
    logprob: float
    tokens: int


class _Decoder:
    """The settings of one call applied to one loaded model."""

    def __init__(self, model: Any, hint: ListenerHint, least_mel_frames: int) -> None:
        from faster_whisper.tokenizer import Tokenizer
        from faster_whisper.transcribe import get_suppressed_tokens

        self._model = model
        self._hint = hint
        self._least_mel_frames = least_mel_frames
        self._tokenizer = Tokenizer(
            model.hf_tokenizer, model.model.is_multilingual, task="transcribe", language="en"
        )
        self._suppressed = get_suppressed_tokens(self._tokenizer, [-1])
        context = self._tokenizer.encode(" " + hint.prompt.strip()) if hint.prompt.strip() else []
        if len(context) > _LONGEST_PROMPT_TOKENS:
            raise ValueError(
                f"the prompt has {len(context)} tokens, at most {_LONGEST_PROMPT_TOKENS} are allowed"
            )
        self._prompt = model.get_prompt(self._tokenizer, context, without_timestamps=True)

    def decode(self, audio: NDArray[np.float32], offset: float) -> _Window:
        if len(audio) < _SHORTEST_SECONDS * _RATE or not audio.any():
            return _Window("", (), 0.0, 0)
        encoded, frames = self._encode(audio)
        new_tokens = min(_MOST_NEW_TOKENS, _SPARE_TOKENS + int(_TOKENS_PER_SECOND * len(audio) / _RATE))
        result = self._model.model.generate(
            encoded,
            [self._prompt],
            beam_size=self._hint.beam,
            max_length=len(self._prompt) + new_tokens,
            suppress_blank=True,
            suppress_tokens=self._suppressed,
            sampling_topk=1,
            return_scores=True,
            return_no_speech_prob=True,
        )[0]
        tokens: list[int] = result.sequences_ids[0]
        logprob = float(result.scores[0]) * len(tokens)
        count = len(tokens) + 1
        if result.no_speech_prob > _SILENT_PROBABILITY and logprob / count < _UNSURE_LOGPROB:
            return _Window("", (), 0.0, 0)
        text = self._tokenizer.decode(tokens).strip()
        words: tuple[Word, ...] = ()
        if self._hint.word_times and text:
            aligned = self._word_times(encoded, tokens, frames)
            words = tuple(_placed(word, offset, len(audio) / _RATE) for word in aligned)
        return _Window(text, words, logprob, count)

    def _encode(self, audio: NDArray[np.float32]) -> tuple[Any, int]:
        """The encoder's output and the number of mel frames that are sound."""
        padding = (round(_LEAD_SECONDS * _RATE), round(_TAIL_SECONDS * _RATE))
        features = self._model.feature_extractor(np.pad(audio, padding))
        frames = min(features.shape[-1], _FULL_MEL_FRAMES)
        width = max(self._least_mel_frames, frames + frames % 2)
        # The spectrogram's floor is what silence looks like to the model; zeros would be a middling hum.
        padded = np.full((features.shape[0], width), features.min(), np.float32)
        padded[:, :frames] = features[:, :frames]
        return self._model.encode(padded), frames

    def _word_times(self, encoded: Any, tokens: list[int], frames: int) -> list[Word]:
        """Words with seconds from the beginning of the padded window."""
        (aligned,) = self._model.find_alignment(self._tokenizer, [tokens], encoded, frames)
        words: list[Word] = []
        for item in aligned:
            text, start, end = item["word"], float(item["start"]), float(item["end"])
            if words and not text.startswith(" "):
                # Punctuation, or the rest of a number such as "-0171": no word of its own.
                words[-1] = Word(words[-1].text + text, words[-1].start, end)
            elif text.strip():
                words.append(Word(text.strip(), start, end))
        return words


def _placed(word: Word, offset: float, seconds: float) -> Word:
    """The word on the clip's clock, without the silence put before the window."""
    start, end = (min(max(moment - _LEAD_SECONDS, 0.0), seconds) for moment in (word.start, word.end))
    return Word(word.text, round(offset + start, 2), round(offset + end, 2))


def windows_of(audio: NDArray[np.float32]) -> tuple[tuple[int, int], ...]:
    """Start and end samples of stretches the encoder can take, 28 s at most, of 16 kHz ``audio``.

    Each cut lies in the last 8 s of what a window may hold, in the middle of the quietest 100 ms.
    """
    longest, search = round(_WINDOW_SECONDS * _RATE), round(_WINDOW_SEARCH_SECONDS * _RATE)
    quiet = round(_QUIET_SECONDS * _RATE)
    windows: list[tuple[int, int]] = []
    start = 0
    while len(audio) - start > longest:
        region = audio[start + longest - search : start + longest].astype(np.float64)
        power = np.square(region).reshape(-1, quiet).mean(axis=1)
        cut = start + longest - search + int(power.argmin()) * quiet + quiet // 2
        windows.append((start, cut))
        start = cut
    windows.append((start, len(audio)))
    return tuple(windows)


def embedded_listeners(cache: Path) -> tuple[WhisperListener, ...]:
    """``whisper-tiny`` (English only, quick) and ``whisper-base`` (careful), neither loaded yet."""
    return (
        WhisperListener("whisper-tiny", WHISPER_TINY[0].sha256, lambda: located_folder(WHISPER_TINY, cache)),
        WhisperListener("whisper-base", WHISPER_BASE_SHA256, lambda: whisper_base_folder(cache)),
    )
