"""Stereo recordings built from single utterances, so that every turn is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import LINE_RATE, Samples
from offhook_graders.timing.recording import Stereo

__all__ = ["Built", "audible_span", "build_recording", "lost_and_invented"]

CALLER, AGENT = 0, 1
_LONG_S: Final = 1.2

Span = tuple[float, float]


@attrs.frozen(eq=False)
class Built:
    """A recording and what was put into it: the turns of both sides in seconds, and the backchannels."""

    stereo: Stereo
    turns: tuple[tuple[Span, ...], tuple[Span, ...]]
    backchannels: int
    early_starts: int
    pauses: int


def audible_span(samples: Samples) -> tuple[int, int]:
    """The samples of the first and last 2 ms within 40 dB of the clip's peak: where its sound is."""
    size = LINE_RATE // 500
    whole = len(samples) // size
    levels = np.sqrt(
        np.mean(np.square(samples[: whole * size].reshape(whole, size).astype(np.float64)), axis=1)
    )
    loud = np.flatnonzero(levels >= levels.max() / 100)
    return int(loud[0]) * size, (int(loud[-1]) + 1) * size


@attrs.define
class _Side:
    parts: list[tuple[float, Samples]] = attrs.field(factory=list)
    turns: list[Span] = attrs.field(factory=list)

    def free(self, start: float, end: float) -> bool:
        """Whether the side says nothing from a second before to a second after a span."""
        return all(at + len(clip) / LINE_RATE < start - 1.0 or at > end + 1.0 for at, clip in self.parts)


def build_recording(clips: Sequence[Samples], seed: int) -> Built:
    """A dialogue of three to eight exchanges: pauses of 0.2 to 1.2 s inside turns, backchannels, replies that
    start early, clicks, utterances up to 12 dB apart, hiss 25 to 40 dB below the speech, a DC offset, and
    peaks of -40 to -6 dBFS.
    """
    rng = np.random.default_rng([7, seed])
    trimmed = [clip[slice(*audible_span(clip))] for clip in clips]
    long = [clip for clip in trimmed if len(clip) > _LONG_S * LINE_RATE]
    sides = (_Side(), _Side())
    at, side = float(rng.uniform(0.5, 2.0)), int(rng.integers(2))
    counts = {"backchannels": 0, "early_starts": 0, "pauses": 0}
    early = False
    for _ in range(2 * int(rng.integers(3, 9))):
        speaker, other = sides[side], sides[1 - side]
        parts = [(at, _pick(rng, long if early else trimmed))]
        for _ in range(int(rng.choice([0, 0, 1, 2]))):
            paused_until = _end(parts[-1]) + float(rng.uniform(0.2, 1.2))
            parts.append((paused_until, _pick(rng, trimmed)))
            counts["pauses"] += 1
        speaker.parts += parts
        end = _end(parts[-1])
        speaker.turns.append((at, end))
        early = side == CALLER and rng.random() < 0.15 and len(parts[-1][1]) > _LONG_S * LINE_RATE
        if not early:  # an "mm" right before an early start would be part of it
            counts["backchannels"] += _backchannel(rng, parts, other, trimmed)
        counts["early_starts"] += early
        side = 1 - side
        wait = rng.uniform(0.25, 4.0) if side == AGENT else rng.uniform(0.4, 2.0)
        at = end + float(-rng.uniform(0.15, 0.8) if early else wait)
    length = round((max(_end(part) for each in sides for part in each.parts) + 2.0) * LINE_RATE)
    caller, agent = (_channel(rng, each.parts, length) for each in sides)
    turns = (tuple(sides[CALLER].turns), tuple(sides[AGENT].turns))
    return Built(Stereo(caller, agent, LINE_RATE), turns, **counts)


def lost_and_invented(built: Sequence[Span], found: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """Turns that were built and that no found turn, or more than one, covers by half; found turns that cover
    none of them by half.
    """
    covers = [
        [j for j, span in enumerate(found) if _common(span, turn) > 0.5 * (turn[1] - turn[0])]
        for turn in built
    ]
    lost = [turn for turn, by in zip(built, covers, strict=True) if len(by) != 1]
    used = [by[0] for by in covers if len(by) == 1]
    invented = [span for j, span in enumerate(found) if used.count(j) != 1]
    return lost, invented


def _pick(rng: np.random.Generator, clips: Sequence[Samples]) -> Samples:
    return clips[int(rng.integers(len(clips)))]


def _end(part: tuple[float, Samples]) -> float:
    return part[0] + len(part[1]) / LINE_RATE


def _common(one: Span, other: Span) -> float:
    return min(one[1], other[1]) - max(one[0], other[0])


def _backchannel(
    rng: np.random.Generator, parts: Sequence[tuple[float, Samples]], other: _Side, clips: Sequence[Samples]
) -> bool:
    """The other side's short "mm", somewhere in an utterance that is long enough to go on after it."""
    room = [part for part in parts if len(part[1]) > 2.0 * LINE_RATE]
    if not room or rng.random() > 0.5:
        return False
    at, clip = room[int(rng.integers(len(room)))]
    start = float(rng.uniform(at + 0.6, at + len(clip) / LINE_RATE - 1.3))
    size = round(0.35 * LINE_RATE)
    sound = _pick(rng, clips)[:size].astype(np.float64)
    if not other.free(start, start + 0.35):
        return False
    fade = np.minimum(1.0, np.linspace(8.0, 0.0, len(sound)))
    other.parts.append((start, np.rint(sound * fade).astype(np.int16)))
    return True


def _channel(rng: np.random.Generator, parts: Sequence[tuple[float, Samples]], length: int) -> Samples:
    sound: NDArray[np.float64] = np.zeros(length)
    for at, clip in parts:
        start = round(at * LINE_RATE)
        sound[start : start + len(clip)] += clip * 10 ** (float(rng.uniform(-6.0, 6.0)) / 20)
    peak = 32768 * 10 ** (float(rng.uniform(-40.0, -6.0)) / 20)
    sound *= peak / np.abs(sound).max()
    loud = sound[np.abs(sound) > peak / 100]
    if rng.random() < 0.6:
        level = float(np.sqrt(np.mean(loud * loud))) * 10 ** (-float(rng.uniform(25.0, 40.0)) / 20)
        sound += rng.normal(0.0, level, length)
    for _ in range(int(rng.integers(6))):
        start, size = int(rng.integers(length)), int(rng.uniform(0.001, 0.012) * LINE_RATE)
        click = rng.normal(size=len(sound[start : start + size]))
        sound[start : start + size] += rng.uniform(0.3, 1.0) * peak * np.sign(click)
    if rng.random() < 0.5:
        sound += rng.uniform(-600.0, 600.0)
    return np.clip(np.rint(sound), -32768, 32767).astype(np.int16)
