"""Dialogues of real voices whose every sample is known, with what a line does to them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import LINE_RATE, Samples
from offhook.callers import CallerTurn
from offhook.host import PluginHost
from offhook.line import write_flac
from offhook.speech import SpeechStyle

__all__ = ["AUDIBLE_DB", "CONDITIONS", "Dialogue", "Said", "make_dialogue", "said_by_all"]

CONDITIONS: Final = ("clean", "noise on the caller's line", "hiss at 30 dB", "babble at 10 dB")
"""What lies on the recording. Noise on the caller's line is babble at 10 dB on the caller's channel; hiss
(white) and babble (sixteen voices at once) lie on the agent's, that far below the agent's own level."""

AUDIBLE_DB: Final = 40.0
"""The truth: an utterance lasts from the first to the last 2 ms within 40 dB of its peak, RMS against RMS."""

_TRUTH_S: Final = 0.002
_BABBLERS: Final = 16
_SENTENCES: Final = (
    "Sure, I can help with that. May I have your name, please?",
    "Thanks. What is the ZIP code on the account?",
    "Your refund will be fourteen dollars and ninety-nine cents.",
    "Hello, this is Kestrel Electronics.",
    "Please hold on while I look that up.",
    "For security, what are the last four digits of the card?",
    "Who am I speaking with today?",
    "Is there anything else I can do?",
)


@attrs.frozen
class Said:
    """A sentence as a voice says it."""

    text: str
    samples: Samples

    @property
    def audible(self) -> tuple[int, int]:
        """The sample at which the first audible 2 ms begin, and the one after the last."""
        size = round(_TRUTH_S * LINE_RATE)
        whole = len(self.samples) // size
        blocks = self.samples[: whole * size].reshape(whole, size).astype(np.float64)
        levels = np.sqrt(np.mean(blocks * blocks, axis=1))
        loud = np.flatnonzero(levels >= levels.max() * 10 ** (-AUDIBLE_DB / 20))
        return int(loud[0]) * size, (int(loud[-1]) + 1) * size


def said_by_all(host: PluginHost) -> list[Said]:
    """Every sentence by every voice."""
    return [
        Said(text, voice.speak(text, SpeechStyle()).at_rate(LINE_RATE).samples)
        for voice in host.voices().values()
        for text in _SENTENCES
    ]


@attrs.frozen(eq=False)
class Dialogue:
    """Turns of a caller and an agent at known samples: ``(start, sentence)`` per utterance."""

    caller: tuple[tuple[int, Said], ...]
    agent: tuple[tuple[int, Said], ...]
    length: int

    @property
    def turns(self) -> tuple[CallerTurn, ...]:
        return tuple(
            CallerTurn(
                said.text, said.text, start / LINE_RATE, (start + len(said.samples)) / LINE_RATE, "rule:x"
            )
            for start, said in self.caller
        )

    @property
    def waits(self) -> NDArray[np.float64]:
        """How long the caller really waits for each reply, in seconds."""
        return np.array(
            [
                heard + reply.audible[0] - asked - said.audible[1]
                for (asked, said), (heard, reply) in zip(self.caller, self.agent, strict=True)
            ]
        ) / float(LINE_RATE)

    def write(
        self, folder: Path, condition: str = "clean", *, voices: Sequence[Said] = (), seed: int = 0
    ) -> None:
        """``recording.flac`` and ``caller.flac``. ``voices`` babble."""
        rng = np.random.default_rng([seed, CONDITIONS.index(condition)])
        clean = _tape(self.caller, self.length)
        caller, agent = clean.astype(np.float64), _tape(self.agent, self.length).astype(np.float64)
        if condition == "noise on the caller's line":
            caller += _level(self.caller) * 10 ** (-10 / 20) * _babble(rng, voices, self.length)
        elif condition == "hiss at 30 dB":
            agent += rng.normal(0.0, _level(self.agent) * 10 ** (-30 / 20), self.length)
        elif condition == "babble at 10 dB":
            agent += _level(self.agent) * 10 ** (-10 / 20) * _babble(rng, voices, self.length)
        stereo = np.clip(np.rint(np.stack([caller, agent], axis=1)), -32768, 32767).astype(np.int16)
        write_flac(folder / "recording.flac", stereo, LINE_RATE)
        write_flac(folder / "caller.flac", clean, LINE_RATE)


def make_dialogue(
    said: Sequence[Said],
    rng: np.random.Generator,
    *,
    turns: int | None,
    seconds: float,
    sentences: int = 1,
) -> Dialogue:
    """As many turns as asked for, or as fit; replies of so many ``sentences`` after 0.2 to 4 s, the next turn
    0.4 to 1.5 s later. An agent of several sentences is quicker, and so speaks most of the time.
    """
    caller: list[tuple[int, Said]] = []
    agent: list[tuple[int, Said]] = []
    at = LINE_RATE
    while len(caller) < turns if turns is not None else at < (seconds - 10) * LINE_RATE:
        asked, reply = (said[int(index)] for index in rng.integers(len(said), size=2))
        if sentences > 1:
            more = [said[int(index)].samples for index in rng.integers(len(said), size=sentences - 1)]
            reply = Said(reply.text, np.concatenate([reply.samples, *more]))
        caller.append((at, asked))
        at += len(asked.samples) + int(rng.uniform(0.2, 4.0 if sentences == 1 else 1.0) * LINE_RATE)
        agent.append((at, reply))
        at += len(reply.samples) + int(rng.uniform(0.4, 1.5) * LINE_RATE)
    return Dialogue(tuple(caller), tuple(agent), max(at, round(seconds * LINE_RATE)))


def _tape(side: Sequence[tuple[int, Said]], length: int) -> Samples:
    tape = np.zeros(length, dtype=np.int16)
    for start, said in side:
        tape[start : start + len(said.samples)] = said.samples
    return tape


def _level(side: Sequence[tuple[int, Said]]) -> float:
    speech = np.concatenate([said.samples for _, said in side]).astype(np.float64)
    return float(np.sqrt(np.mean(speech * speech)))


def _babble(rng: np.random.Generator, voices: Sequence[Said], length: int) -> NDArray[np.float64]:
    """Sixteen people talking without a pause, at an RMS of 1."""
    total: NDArray[np.float64] = np.zeros(length)
    for _ in range(_BABBLERS):
        at = -int(rng.integers(LINE_RATE))
        while at < length:
            said = voices[int(rng.integers(len(voices)))]
            first, last = said.audible
            sound = said.samples[first:last].astype(np.float64)
            low, high = max(0, at), min(length, at + len(sound))
            if low < high:
                total[low:high] += sound[low - at : high - at]
            at += len(sound) + int(rng.uniform(0.0, 0.4) * LINE_RATE)
    loudness = float(np.sqrt(np.mean(total * total)))
    return total / loudness
