"""Who holds the floor: sounds of two channels put together into turns.

Pure functions on spans in seconds. A **turn** is what one side says before the other takes the floor: its
sounds are joined over pauses of up to `PAUSE_S` in which the other side says nothing of its own. A
**backchannel** ("mm-hm", "right") is a short sound made while the other side holds the floor and goes on; it
takes no turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

__all__ = ["PAUSE_S", "Span", "Turn", "is_backchannel", "join_turns", "overlap", "split_backchannels"]

PAUSE_S: Final = 1.8
"""A side that goes on after a pause of up to this long in which nobody else speaks is in the same turn."""

Span = tuple[float, float]

_BACKCHANNEL_S: Final = 1.0  # longer is something that was said
_ALONE_S: Final = 0.6  # what one side says within so much of its last sound goes on from there
_NEAR_S: Final = 0.35  # an answer leaves a longer gap before it, or is left one after it
_OVER_NEAR_S: Final = 0.6  # nobody waits for an answer and speaks over it
_GOES_ON_S: Final = 0.6  # who falls silent sooner was cut in on
_HOLDS_ON_S: Final = 1.0  # who was backchannelled speaks at least so much longer than the backchannel


@attrs.frozen
class Turn:
    """One turn; ``sounds`` are its stretches of speech, each with gaps of at most 0.3 s in it."""

    sounds: tuple[Span, ...]

    @property
    def start(self) -> float:
        return self.sounds[0][0]

    @property
    def end(self) -> float:
        return self.sounds[-1][1]

    @property
    def speech_s(self) -> float:
        return sum(end - start for start, end in self.sounds)


def overlap(one: Sequence[Span], other: Sequence[Span]) -> list[Span]:
    """Where spans of both sequences lie over each other, in order; each sequence in order itself."""
    found: list[Span] = []
    i = j = 0
    while i < len(one) and j < len(other):
        start, end = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if start < end:
            found.append((start, end))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return found


def split_backchannels(sounds: Sequence[Span], others: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """One side's sounds as what takes a turn, and backchannels to the other side's ``others``."""
    said: list[Span] = []
    backchannels: list[Span] = []
    for index in range(len(sounds)):
        (backchannels if is_backchannel(sounds, index, others) else said).append(sounds[index])
    return said, backchannels


def is_backchannel(sounds: Sequence[Span], index: int, others: Sequence[Span]) -> bool:
    """Whether a sound is short, alone, and lies in speech of the other side: over it, with that speech going
    on within 0.6 s before and after, or in a gap in it, at most 0.35 s from either end. The other side then
    speaks on for at least 0.6 s: one that falls silent sooner was cut in on.
    """
    start, end = sounds[index]
    if end - start > _BACKCHANNEL_S:
        return False
    if index and start - sounds[index - 1][1] < _ALONE_S:
        return False
    if index + 1 < len(sounds) and sounds[index + 1][0] - end < _ALONE_S:
        return False
    over = any(other[0] < end and other[1] > start for other in others)
    slack_s = _OVER_NEAR_S if over else _NEAR_S
    near = [i for i, o in enumerate(others) if o[1] >= start - slack_s and o[0] <= end + slack_s]
    if not near or others[near[0]][0] >= start or others[near[-1]][1] <= end:
        return False
    held = _stretch(others, near[0], near[-1])
    spoken_on_s = sum(max(0.0, other[1] - max(other[0], end)) for other in held)
    held_s = sum(other[1] - other[0] for other in held)
    return spoken_on_s >= _GOES_ON_S and held_s >= end - start + _HOLDS_ON_S


def _stretch(sounds: Sequence[Span], first: int, last: int) -> Sequence[Span]:
    """The sounds from ``first`` to ``last``, and those before and after them with short pauses between."""
    while first and sounds[first][0] - sounds[first - 1][1] <= PAUSE_S:
        first -= 1
    while last + 1 < len(sounds) and sounds[last + 1][0] - sounds[last][1] <= PAUSE_S:
        last += 1
    return sounds[first : last + 1]


def join_turns(sounds: Sequence[Span], others: Sequence[Span]) -> tuple[Turn, ...]:
    """One side's sounds, without backchannels, as turns; ``others`` are the other side's, without its own."""
    turns: list[list[Span]] = []
    for sound in sounds:
        if turns and _same_turn(turns[-1][-1], sound, others):
            turns[-1].append(sound)
        else:
            turns.append([sound])
    return tuple(Turn(tuple(spans)) for spans in turns)


def _same_turn(before: Span, after: Span, others: Sequence[Span]) -> bool:
    pause_s = after[0] - before[1]
    if pause_s > PAUSE_S:
        return False
    # Who began to speak in the pause took the floor, unless they were spoken on against at once; so did who
    # cut in and was done before the pause ended. Who was cut in on and fell silent in it did not.
    return not any(
        (before[1] <= other[0] < after[0] and (pause_s > _ALONE_S or other[1] <= after[0]))
        or (before[0] <= other[0] and before[1] <= other[1] < after[0])
        for other in others
    )
