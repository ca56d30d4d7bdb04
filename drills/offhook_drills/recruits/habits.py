"""What a recruit does in each drill; times are seconds and kept to the sample in virtual time."""

from __future__ import annotations

from enum import StrEnum

import attrs

__all__ = ["Counting", "Habits", "Reading", "ReadingFault", "Standing", "Stopping", "Tongue"]


@attrs.frozen
class Counting:
    """Count Off. It answers ``delay`` after the end of a number with that number plus ``step``.

    ``silent_turns`` (from 1) are left out and ``wrong_turns`` are one too high. ``again`` says each answer
    once more, so long after the first has ended. ``ahead`` answers so long after a number has *begun*, from
    the second on, which it can since he counts in twos. ``spelling`` replaces number words; ``filler`` words
    go before each.
    """

    delay: float = 0.5
    step: int = 1
    silent_turns: tuple[int, ...] = ()
    wrong_turns: tuple[int, ...] = ()
    again: float | None = None
    ahead: float | None = None
    spelling: tuple[tuple[str, str], ...] = ()
    filler: str = ""


class ReadingFault(StrEnum):
    """What is wrong with a read-back."""

    NONE = "none"
    WRONG = "wrong"
    MISSING = "missing"
    SHIFTED = "shifted"
    REVERSED = "reversed"
    SILENT = "silent"


@attrs.frozen
class Reading:
    """Read It Back. ``wrong`` alters the third number, ``missing`` drops the last, ``shifted`` the first.
    ``pause`` cuts the read-back in two halves.
    """

    delay: float = 1.2
    fault: ReadingFault = ReadingFault.NONE
    pause: float = 0.0


@attrs.frozen
class Tongue:
    """Hold Your Tongue. It says ``word`` (empty: nothing) ``delay`` after the signal; ``later`` words follow
    so many seconds after the end of the one before.
    """

    delay: float = 1.2
    word: str = "OK"
    later: tuple[tuple[float, str], ...] = ()


class Standing(StrEnum):
    """What a recruit does when it is cut in on."""

    STOPS = "stops"
    DEAF = "deaf"
    PAUSES = "pauses"


@attrs.frozen
class Stopping:
    """Cease Fire. It counts from ``delay`` after the order (None: never) with ``gap`` between two numbers,
    for ``lasts`` seconds. Cut in on, it talks on for ``reaction`` from his first sample (0: stops at once),
    or pauses for ``pause`` and goes on.
    """

    delay: float | None = 1.2
    gap: float = 0.25
    lasts: float = float("inf")
    standing: Standing = Standing.STOPS
    reaction: float = 0.0
    pause: float = 1.5


@attrs.frozen
class Habits:
    """A recruit's ways, drill by drill."""

    counting: Counting = attrs.field(factory=Counting)
    reading: Reading = attrs.field(factory=Reading)
    tongue: Tongue = attrs.field(factory=Tongue)
    stopping: Stopping = attrs.field(factory=Stopping)
