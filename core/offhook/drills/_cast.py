"""Which voice each of ours has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from offhook.drills._contract import CastMember
from offhook.speech import SpeechUnavailable, Voice

__all__ = ["cast_voices"]


def cast_voices(cast: Sequence[CastMember], voices: Mapping[str, Voice]) -> Mapping[str, Voice]:
    """A voice for each name: the first preferred slot that is installed and free, else any free one, in the
    order of the cast. Where there are fewer voices than people, some are heard twice.

    Raises:
        SpeechUnavailable: no voice is installed.
    """
    if not voices:
        raise SpeechUnavailable("no voice is installed: run pip install 'offhook[speech]'")
    given: dict[str, str] = {}
    for member in cast:
        wanted = [slot for slot in member.slots if slot in voices and slot not in given.values()]
        if wanted:
            given[member.name] = wanted[0]
    slots = sorted(voices)
    for place, member in enumerate(cast):
        if member.name not in given:
            free = [slot for slot in slots if slot not in given.values()]
            given[member.name] = free[0] if free else slots[place % len(slots)]
    return {member.name: voices[given[member.name]] for member in cast}
