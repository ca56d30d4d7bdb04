"""Every recruit: the one without fault, and one for each way of failing at a drill."""

from __future__ import annotations

from typing import Final

import attrs

from offhook_drills.recruits.adapter import Recruit
from offhook_drills.recruits.habits import (
    Counting,
    Habits,
    Reading,
    ReadingFault,
    Standing,
    Stopping,
    Tongue,
)

__all__ = ["FAULTS", "Fault", "recruits"]


@attrs.frozen
class Fault:
    """A way of failing at one drill. ``breaks`` is the drill's id, ``what`` a line for people."""

    name: str
    breaks: str
    what: str
    habits: Habits


def _counts(name: str, what: str, habit: Counting) -> Fault:
    return Fault(name, "count_off", what, Habits(counting=habit))


def _reads(name: str, what: str, habit: Reading) -> Fault:
    return Fault(name, "read_it_back", what, Habits(reading=habit))


def _answers(name: str, what: str, habit: Tongue) -> Fault:
    return Fault(name, "hold_your_tongue", what, Habits(tongue=habit))


def _stops(name: str, what: str, habit: Stopping) -> Fault:
    return Fault(name, "cease_fire", what, Habits(stopping=habit))


_SOUND_ALIKE: Final = (("two", "to"), ("four", "for"), ("eight", "ate"))

FAULTS: Final[tuple[Fault, ...]] = (
    _counts("wrong-number", "answers every number with the next but one", Counting(step=2)),
    _counts("wrong-once", "gets the second turn wrong", Counting(wrong_turns=(2,))),
    _counts("misses-a-turn", "says nothing in the third turn", Counting(silent_turns=(3,))),
    _counts("late", "answers after 2.4 s", Counting(delay=2.4)),
    _counts("very-late", "answers after 4.5 s", Counting(delay=4.5)),
    _counts("too-late", "answers after 5.4 s, when he has gone on", Counting(delay=5.4)),
    _counts("mute-in-turns", "never answers a number", Counting(silent_turns=(1, 2, 3, 4, 5))),
    _counts("talks-over", "answers before he has finished", Counting(ahead=0.2)),
    _counts("twice", "says each answer twice", Counting(again=0.7)),
    _counts("homophones", "says words that sound like the number", Counting(spelling=_SOUND_ALIKE)),
    _counts("wordy", "says more than the number", Counting(filler="that makes")),
    _reads("misreads-one", "reads the third number wrong", Reading(fault=ReadingFault.WRONG)),
    _reads("drops-the-last", "reads back five numbers", Reading(fault=ReadingFault.MISSING)),
    _reads("drops-the-first", "leaves the first number out", Reading(fault=ReadingFault.SHIFTED)),
    _reads("backwards", "reads them back in reverse", Reading(fault=ReadingFault.REVERSED)),
    _reads("reads-nothing", "reads nothing back", Reading(fault=ReadingFault.SILENT)),
    _reads("halting", "reads back in two halves, late", Reading(delay=6.0, pause=2.0)),
    _answers("two-words", "says two words in one breath", Tongue(word="OK, understood")),
    _answers("second-word", "says a second word after half a second", Tongue(later=((0.5, "understood"),))),
    _answers("wrong-word", "says another word than the two allowed", Tongue(word="affirmative")),
    _answers("no-word", "never says the word", Tongue(word="")),
    _answers("late-word", "says the word after 5.4 s", Tongue(delay=5.4)),
    _answers("apologises", "says sorry after 4 s of silence", Tongue(later=((4.0, "Sorry about that"),))),
    _answers("fills-the-gap", "asks who is there after 7 s", Tongue(later=((7.0, "Are you still there?"),))),
    _stops("never-stops", "counts on whatever it hears", Stopping(standing=Standing.DEAF)),
    _stops("slow-to-stop", "counts on for 1.5 s", Stopping(reaction=1.5)),
    _stops("very-slow-to-stop", "counts on for 5 s", Stopping(reaction=5.0)),
    _stops("never-starts", "does not count at all", Stopping(delay=None)),
    _stops("stops-by-itself", "has done counting after 8 s", Stopping(lasts=8.0)),
    _stops("only-pauses", "pauses when he cuts in, and counts on", Stopping(standing=Standing.PAUSES)),
)
"""Each fault with the drill it shows in; all other drills are done as ordered."""


def recruits() -> tuple[Recruit, ...]:
    """``recruit``, and ``recruit-<fault>`` for each fault."""
    return (Recruit("recruit"), *(Recruit(f"recruit-{fault.name}", fault.habits) for fault in FAULTS))
