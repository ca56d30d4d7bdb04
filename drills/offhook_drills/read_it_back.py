"""Read It Back: six dictated number words, each marked in its own place.

Where the rules leave something open, this is decided:

- The words are the digits one to nine: however a recogniser groups what was read back ("7 4 1", "741"), it
  then stands for the same words. None is drawn twice in a row, because recognisers lose one of two equal
  neighbours too often, and an agent is not to pay for ours.
- The reply is all speech that ends after the end of his sixth number; echoing the numbers while he dictates
  is no reply. He listens until the agent has been quiet for a while.
- The first number of the reply is in the first place, and so on. What comes after the sixth costs nothing; a
  number too many or too few moves all that follow it. A correction does not undo what was said.
- A word that sounds like a number ("for", "to") is one where its stretch of speech has nothing but numbers in
  it, whatever else the reply says. "8th" and "eighth" are no digits: he asked for the numbers.
- An echo of the sixth number that ends after he has said it is the first number of the reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import numpy as np

from offhook.clock import compute
from offhook.drills import CastMember, DrillGround, DrillMark, DrillRecord, MarkPart, MarkState
from offhook.sessions import Ability
from offhook_drills._numbers import digits_in, draw_variation, in_words, varied_clip
from offhook_drills._sergeant import CAST, SERGEANT, lines_for, marked, seconds, settled, unmarked

__all__ = ["ORDER", "WORDS", "ReadItBack"]

WORDS: Final = 6
_FIRST_REPLY: Final = 15.0
_QUIET: Final = 4.0
_LONGEST: Final = 45.0

ORDER: Final = (
    "Recruit, I will dictate six numbers. Stay silent until you have heard all six. Then read them back to "
    "me, in the same order, and say nothing else."
)


@attrs.frozen
class ReadItBack:
    """See the module."""

    name: str = "read_it_back"
    title: str = "Read It Back"
    version: str = "1"
    measures: str = "hearing: how many of six dictated numbers come back in their places"
    needs: frozenset[Ability] = frozenset({Ability.AUDIO})
    cast: tuple[CastMember, ...] = CAST
    limit: float = 180.0

    def draw(self, rng: np.random.Generator) -> Mapping[str, Any]:
        """``numbers``, six of 1..9, neighbours different; how each is said; ``gaps`` between them and
        ``pause`` before them, in seconds.
        """
        numbers = [int(rng.integers(1, 10))]
        for step in rng.integers(1, 9, WORDS - 1):
            numbers.append((numbers[-1] - 1 + int(step)) % 9 + 1)
        return {
            "numbers": numbers,
            "variations": [dict(draw_variation(rng, tempo=(0.85, 1.0))) for _ in range(WORDS)],
            "gaps": [round(float(gap), 2) for gap in rng.uniform(0.22, 0.38, WORDS - 1)],
            "pause": round(float(rng.uniform(1.5, 2.5)), 2),
        }

    async def conduct(self, ground: DrillGround) -> None:
        room, draw = ground.room, ground.draw
        voice = ground.voice(SERGEANT)
        words = [in_words(number) for number in draw["numbers"]]
        clips = [
            await compute(varied_clip, voice, f"{word.capitalize()}.", variation)
            for word, variation in zip(words, draw["variations"], strict=True)
        ]
        await ground.say(SERGEANT, ORDER, purpose="order")
        await settled(ground, draw["pause"])
        last = 0.0
        for word, clip, gap in zip(words, clips, [0.0, *draw["gaps"]], strict=True):
            await room.sleep_until(last + gap)
            last = (await ground.say(SERGEANT, word, purpose="number", clip=clip)).end
        await _listen_out(ground, last)
        await ground.say(SERGEANT, "That will do. Dismissed.", purpose="dismissal")

    def mark(self, record: DrillRecord) -> DrillMark:
        expected: Sequence[int] = record.draw["numbers"]
        lines = lines_for(record, "number")
        if len(lines) != len(expected):
            why = f"only {len(lines)} of his {len(expected)} numbers were said"
            return unmarked(record, self.version, why, MarkState.INSTRUMENT_FAULT)
        reply = [speech for speech in record.heard if speech.end > lines[-1].end]
        read = tuple(digit for speech in reply for digit in digits_in(speech.text))
        parts = tuple(_part(place, read, number) for place, number in enumerate(expected))
        right = sum(part.mark == 100 for part in parts)
        figures = {"right": float(right), "numbers_read": float(len(read))}
        if not reply:
            return marked(record, self.version, 0.0, "nothing was read back", parts=parts, numbers=figures)
        figures["latency_s"] = seconds(reply[0].start, lines[-1].end)
        figures["reply_s"] = seconds(reply[-1].end, reply[0].start)
        why = f"{right} of {WORDS} numbers in place: {_spelled(read)} for {_spelled(expected)}"
        return marked(record, self.version, 100 * right / WORDS, why, parts=parts, numbers=figures)


async def _listen_out(ground: DrillGround, since: float) -> None:
    """Until the agent has read all it has to read."""
    latest = since + _LONGEST
    until = since + _FIRST_REPLY
    listened = 0
    while (heard := await ground.next_heard(listened, min(until, latest))) is not None:
        listened += 1
        if heard.end > since:
            until = heard.end + _QUIET


def _part(place: int, read: Sequence[int], expected: int) -> MarkPart:
    heard = read[place] if place < len(read) else None
    why = f"{expected} was due, heard {'nothing' if heard is None else heard}"
    mark = 100.0 if heard == expected else 0.0
    return MarkPart(f"number {place + 1}", mark, why, evidence={"expected": expected, "heard": heard})


def _spelled(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) or "none"
