"""Count Off: five counted turns, marked by the right number and how fast it came.

Where the rules leave something open, this is decided:

- A reply is a stretch of speech with a number in it. Anything else ("sorry?", a cough) is no reply: he keeps
  listening until the five seconds are over.
- A reply is right when the one number in it, said once or more, is the right one. Other words around it cost
  nothing; another number beside it ("five, no, six"; "seven, eight") makes it wrong.
- The time runs from the last audible sample of his number to the first of the reply. A reply that begins
  before he has finished is in time (0 s). One that is over before he begins is no reply to that number.
- A number that was due in an earlier turn, or was that turn's one wrong answer, is a late or second answer to
  that turn and none to this one, unless it is what is due now: it is set aside, and he keeps listening. So a
  missed or wrong turn costs only itself. Where such a number and the right one come in one breath, the right
  one counts, from the beginning of that breath. An answer that lists several wrong numbers excuses none of
  them later, or one long list would make guessing free.
- After a turn without an answer, the first wrong number may be the late answer to that turn: he keeps
  listening, and the next number counts. If none comes, the wrong one was the answer.
- Speech is cut at pauses of 0.25 s, so that a filler or a second answer is a stretch of its own. He leaves
  half a second between two numbers of his own, even where the reply has landed sooner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import numpy as np

from offhook.clock import compute
from offhook.drills import (
    CastMember,
    DrillGround,
    DrillMark,
    DrillRecord,
    HeardSpeech,
    MarkPart,
    MarkState,
    Slide,
    SpokenLine,
)
from offhook.sessions import Ability
from offhook_drills._numbers import draw_variation, in_words, reply_numbers, varied_clip
from offhook_drills._sergeant import CAST, SERGEANT, lines_for, marked, seconds, settled, unmarked

__all__ = ["ORDER", "SLIDE", "TURNS", "CountOff"]

TURNS: Final = 5
SLIDE: Final = Slide(full=0.8, floor=4.0, limit=5.0)
_WINDOW: Final = 5.0
_HANG_OVER: Final = 0.25
_BREATH: Final = 0.5

ORDER: Final = (
    "Recruit, we take turns at counting. After each of my numbers, give me the one that follows it, alone "
    "and as fast as you can. We do that five times. Keep quiet until you hear my first number."
)


@attrs.frozen
class _Turn:
    """One turn as it went. ``settled`` is the answer that ended it, ``late`` a wrong one that may have been
    meant for the turn before, ``aside`` what was heard besides; ``gone`` are the numbers of earlier turns.
    """

    number: int
    line: SpokenLine
    gone: frozenset[int]
    settled: HeardSpeech | None = None
    late: HeardSpeech | None = None
    aside: tuple[HeardSpeech, ...] = ()

    @property
    def due(self) -> int:
        return self.number + 1

    @property
    def reply(self) -> HeardSpeech | None:
        """What is marked as the answer."""
        return self.settled or self.late

    @property
    def right(self) -> bool:
        return set(self.numbers) == {self.due}

    @property
    def numbers(self) -> tuple[int, ...]:
        """What was answered, without the numbers of earlier turns."""
        return () if self.reply is None else self.new_numbers(self.reply)

    @property
    def gone_after(self) -> frozenset[int]:
        """The numbers that are no answer to a later turn."""
        said = {
            number for speech in (self.settled, self.late) if speech for number in self._wrong_one(speech)
        }
        return self.gone | {self.due} | said

    @property
    def latency(self) -> float | None:
        """Seconds from the end of his number to the reply; below 0 where it began before that."""
        return None if self.reply is None else seconds(self.reply.start, self.line.end)

    def new_numbers(self, speech: HeardSpeech) -> tuple[int, ...]:
        """The numbers of a stretch that may be an answer to this turn."""
        gone = self.gone - {self.due}
        return tuple(number for number in reply_numbers(speech.text) if number not in gone)

    def after(self, speech: HeardSpeech, *, missed_before: bool) -> _Turn:
        """This turn with one more stretch of speech heard in it."""
        numbers = self.new_numbers(speech)
        if speech.end <= self.line.start or not numbers:
            return attrs.evolve(self, aside=(*self.aside, speech))
        if missed_before and self.late is None and self.due not in numbers:
            return attrs.evolve(self, late=speech)
        return attrs.evolve(self, settled=speech)

    def _wrong_one(self, speech: HeardSpeech) -> frozenset[int]:
        numbers = frozenset(self.new_numbers(speech))
        return numbers if len(numbers) == 1 else frozenset()


@attrs.frozen
class CountOff:
    """See the module."""

    name: str = "count_off"
    title: str = "Count Off"
    version: str = "1"
    measures: str = "turn-taking: how fast the right number comes, over five counted turns"
    needs: frozenset[Ability] = frozenset({Ability.AUDIO})
    cast: tuple[CastMember, ...] = CAST
    limit: float = 300.0

    def draw(self, rng: np.random.Generator) -> Mapping[str, Any]:
        """``start`` 1..11; ``numbers``, his own five; how each is said; ``pause`` before the first."""
        start = int(rng.integers(1, 12))
        return {
            "start": start,
            "numbers": [start + 2 * turn for turn in range(TURNS)],
            "variations": [dict(draw_variation(rng)) for _ in range(TURNS)],
            "pause": round(float(rng.uniform(1.5, 2.5)), 2),
        }

    async def conduct(self, ground: DrillGround) -> None:
        numbers: Sequence[int] = ground.draw["numbers"]
        voice = ground.voice(SERGEANT)
        clips = [
            await compute(varied_clip, voice, f"{in_words(number).capitalize()}.", variation)
            for number, variation in zip(numbers, ground.draw["variations"], strict=True)
        ]
        ground.hang_over = _HANG_OVER
        await ground.say(SERGEANT, ORDER, purpose="order")
        await settled(ground, ground.draw["pause"])
        lines: list[SpokenLine] = []
        listened = 0
        for number, clip in zip(numbers, clips, strict=True):
            line = await ground.say(SERGEANT, in_words(number), purpose="number", clip=clip)
            lines.append(line)
            while (await ground.next_heard(listened, line.end + _WINDOW)) is not None:
                listened += 1
                if _turns(numbers[: len(lines)], lines, ground.heard[:listened])[-1].settled:
                    break
            await ground.room.sleep_until(line.end + _BREATH)
        turns = _turns(numbers, lines, ground.heard)
        await ground.say(SERGEANT, _corrections(turns), purpose="correction")

    def mark(self, record: DrillRecord) -> DrillMark:
        numbers: Sequence[int] = record.draw["numbers"]
        lines = lines_for(record, "number")
        if len(lines) != len(numbers):
            why = f"only {len(lines)} of his {len(numbers)} numbers were said"
            return unmarked(record, self.version, why, MarkState.INSTRUMENT_FAULT)
        turns = _turns(numbers, lines, record.heard)
        parts = tuple(_part(place, turn) for place, turn in enumerate(turns, start=1))
        mark = sum(part.mark for part in parts) / TURNS
        times = [turn.latency for turn in turns if turn.right and turn.latency is not None]
        figures = {"right": float(sum(turn.right for turn in turns))}
        if times:
            figures |= {"latency_mean_s": round(sum(times) / len(times), 6), "latency_worst_s": max(times)}
        why = f"{int(figures['right'])} of {TURNS} numbers right"
        if times:
            why += f", on average after {figures['latency_mean_s']:.2f} s"
        return marked(record, self.version, mark, why, parts=parts, numbers=figures)


def _turns(
    numbers: Sequence[int], lines: Sequence[SpokenLine], heard: Sequence[HeardSpeech]
) -> tuple[_Turn, ...]:
    """Who answered what: the same decisions as while it went on, from the record alone."""
    turns: list[_Turn] = []
    listened = 0
    for number, line in zip(numbers, lines, strict=True):
        turn = _Turn(number, line, turns[-1].gone_after if turns else frozenset())
        missed_before = bool(turns) and turns[-1].settled is None
        while turn.settled is None and listened < len(heard):
            speech = heard[listened]
            if seconds(speech.start, line.end) > _WINDOW:
                break
            listened += 1
            turn = turn.after(speech, missed_before=missed_before)
        turns.append(turn)
    return tuple(turns)


def _part(place: int, turn: _Turn) -> MarkPart:
    aside = turn.aside if turn.late in (None, turn.reply) else (*turn.aside, turn.late)
    evidence: dict[str, Any] = {
        "said": turn.number,
        "expected": turn.due,
        "said_from": turn.line.start,
        "said_until": turn.line.end,
        "set_aside": [{"text": speech.text, "start": speech.start} for speech in aside],
    }
    if turn.reply is None or turn.latency is None:
        why = f"no answer to {turn.number} within {_WINDOW:g} s"
        return MarkPart(f"turn {place}", 0.0, why, evidence=evidence)
    evidence |= {
        "heard": turn.reply.text,
        "numbers": list(turn.numbers),
        "heard_from": turn.reply.start,
        "heard_until": turn.reply.end,
        "latency_s": turn.latency,
        "talked_over_s": max(0.0, -turn.latency),
    }
    if not turn.right:
        why = f"{turn.due} was due, heard {turn.reply.text!r}"
        return MarkPart(f"turn {place}", 0.0, why, evidence=evidence)
    mark = SLIDE.mark(max(0.0, turn.latency))
    when = f"after {turn.latency:.2f} s" if turn.latency >= 0 else "before he had finished"
    return MarkPart(f"turn {place}", mark, f"{turn.due} {when}", evidence=evidence)


def _corrections(turns: Sequence[_Turn]) -> str:
    wrong = [(place, turn) for place, turn in enumerate(turns, start=1) if not turn.right]
    if not wrong:
        return "That was the last turn. All five are right. Dismissed."
    said = ["That was the last turn. Corrections."]
    for place, turn in wrong:
        fault = "I heard nothing" if turn.reply is None else "I heard something else"
        said.append(f"Turn {in_words(place)}: {in_words(turn.due)} was due, and {fault}.")
    return " ".join([*said, "Dismissed."])
