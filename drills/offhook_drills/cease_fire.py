"""Cease Fire: the agent counts aloud, and the time until it is silent runs from the moment he cuts in.

Where the rules leave something open, this is decided:

- It is heard counting once three numbers in order have been recognised; from then on it is left to run for
  the time drawn. If that takes longer than 20 s from the order, it was never heard counting.
- He cuts in while the agent is audible: at the drawn moment, or with its next sound after that. If none comes
  within 3 s, it had already finished, and there was nothing to interrupt.
- The time runs from the first audible sample of his order, not from its end: an agent is to hear that it is
  spoken to, not to hear him out. It ends with the last audible sample of the agent before a silence of 3 s,
  or of one and a half times its longest pause while it counted, if that is longer. So a pause between two
  numbers is no silence, and words of apology are speech.
- A word that ends in the moment between his decision and his first sound (0.2 s at most) was there to be
  interrupted; the time is 0 s.
- What an agent says after that silence no longer matters.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import numpy as np

from offhook.audio import LINE_RATE, Clip, Samples
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
from offhook.speech import ListenerHint
from offhook_drills._numbers import counts_up, draw_variation, varied_clip
from offhook_drills._sergeant import CAST, SERGEANT, lines_for, marked, seconds, unmarked

__all__ = ["ORDER", "SLIDE", "CeaseFire", "Yield", "time_to_yield"]

SLIDE: Final = Slide(full=1.0, floor=2.0, limit=10.0)
_TO_START: Final = 20.0
_NEXT_SOUND: Final = 3.0
_LEAST_SILENCE: Final = 3.0
_LONGER_THAN_PAUSES: Final = 1.5
_JUST_ENDED: Final = 0.2
_LOUDER: Final = 2.0
_PEAK: Final = 29_000
_LISTEN_EVERY: Final = 1.0
_LISTEN_BACK: Final = 12.0
_POLL: Final = 0.1

ORDER: Final = (
    "Recruit, count out loud, from one upwards. One number after the other, at a steady pace, and do not "
    "stop by yourself. When I call cease fire, stop at once, even in the middle of a word, and say nothing "
    "more. Begin counting."
)
_CUT_IN: Final = "Cease fire!"


@attrs.frozen
class Yield:
    """When an agent that was cut in on fell silent. ``after`` is in seconds; None where it did not within
    the record. ``silence`` is how long a pause had to be to count.
    """

    after: float | None
    silence: float


class _Tape:
    """The agent's track so far."""

    def __init__(self) -> None:
        self._frames: list[Samples] = []

    def push(self, frame: Samples, began: float) -> None:
        self._frames.append(frame)

    def latest(self, length: float) -> Clip:
        frames = self._frames[-max(1, round(length * LINE_RATE / 480)) :]
        return Clip(np.concatenate(frames) if frames else np.zeros(0, dtype=np.int16))


@attrs.frozen
class CeaseFire:
    """See the module."""

    name: str = "cease_fire"
    title: str = "Cease Fire"
    version: str = "1"
    measures: str = "barge-in: how fast it falls silent when he cuts in"
    needs: frozenset[Ability] = frozenset({Ability.AUDIO})
    cast: tuple[CastMember, ...] = CAST
    limit: float = 150.0

    def draw(self, rng: np.random.Generator) -> Mapping[str, Any]:
        """``run``: seconds of heard counting before he cuts in, 10..15; how the order to stop is said."""
        return {
            "run": round(float(rng.uniform(10.0, 15.0)), 2),
            "variation": dict(draw_variation(rng, tempo=(1.0, 1.15))),
        }

    async def conduct(self, ground: DrillGround) -> None:
        room = ground.room
        cut_in = _loud(await compute(varied_clip, ground.voice(SERGEANT), _CUT_IN, ground.draw["variation"]))
        order = await ground.say(SERGEANT, ORDER, purpose="order")
        if not await _heard_counting(ground, order.end + _TO_START):
            await ground.say(SERGEANT, "I hear no counting. Dismissed.", purpose="dismissal")
            return
        moment = room.now + float(ground.draw["run"])
        await room.sleep_until(moment)
        if await ground.agent_starts(moment, moment + _NEXT_SOUND) is None:
            ground.moment("already_over")
            await ground.say(SERGEANT, "You have stopped by yourself. Dismissed.", purpose="dismissal")
            return
        line = await ground.say(SERGEANT, _CUT_IN, purpose="cut_in", clip=cut_in)
        await _silence(ground, line, order.end)

    def mark(self, record: DrillRecord) -> DrillMark:
        counting = next((moment for moment in record.moments if moment.name == "counting"), None)
        if counting is None:
            return self._nothing(record, "it was never heard counting: there was nothing to interrupt")
        lines = lines_for(record, "cut_in")
        cut = lines[0].start if lines else None
        if cut is None or _last_end_before(record.heard, cut) < cut - _JUST_ENDED:
            return self._nothing(record, "it had stopped counting before he cut in: nothing to interrupt")
        result = time_to_yield(record.heard, cut, record.seconds, since=_order_ended(record))
        evidence: dict[str, Any] = {
            "counted": counting.data.get("numbers"),
            "counting_heard_at": counting.at,
            "cut_in_at": cut,
            "cut_in_ended": lines[0].end,
            "yield_s": result.after,
            "silence_needed_s": result.silence,
        }
        figures = {"ran_s": seconds(cut, counting.at)}
        if result.after is None or SLIDE.mark(result.after) == 0:
            why = f"it did not stop within {SLIDE.limit:g} s of his order"
            mark = 0.0
        else:
            why = f"silent {result.after:.2f} s after he cut in"
            mark = SLIDE.mark(result.after)
        if result.after is not None:
            figures["yield_s"] = result.after
        part = MarkPart("yield", mark, why, evidence=evidence)
        return marked(record, self.version, mark, why, parts=(part,), numbers=figures)

    def _nothing(self, record: DrillRecord, why: str) -> DrillMark:
        return unmarked(record, self.version, why, MarkState.UNMEASURED)


def _order_ended(record: DrillRecord) -> float:
    """When the order to count had been given; what was said before is no counting."""
    orders = lines_for(record, "order")
    return orders[-1].end if orders else 0.0


def time_to_yield(heard: Sequence[HeardSpeech], cut: float, until: float, *, since: float) -> Yield:
    """How long after ``cut`` the agent fell silent.

    Args:
        heard: the agent's speech in order.
        until: when listening ended.
        since: when counting may have begun; pauses before the cut count from there.
    """
    silence = _silence_needed(heard, since, cut)
    last = min(cut, _last_end_before(heard, cut))
    for speech in heard:
        if speech.end <= cut:
            continue
        if max(last, cut) + silence <= speech.start:
            break
        last = speech.end
    if seconds(until, max(last, cut)) < silence:
        return Yield(None, silence)
    return Yield(max(0.0, seconds(last, cut)), silence)


def _silence_needed(heard: Sequence[HeardSpeech], since: float, cut: float) -> float:
    """How long a pause has to be to be more than one between two numbers."""
    counted = [speech for speech in heard if since <= speech.start < cut]
    pauses = (seconds(after.start, before.end) for before, after in itertools.pairwise(counted))
    return max(_LEAST_SILENCE, _LONGER_THAN_PAUSES * max(pauses, default=0.0))


def _last_end_before(heard: Sequence[HeardSpeech], cut: float) -> float:
    """The end of the last speech that began before the cut, wherever it ended; minus infinity for none."""
    return max((speech.end for speech in heard if speech.start < cut), default=float("-inf"))


async def _heard_counting(ground: DrillGround, until: float) -> bool:
    """Waits until the agent is heard counting, and notes it. False where it never was."""
    room, tape = ground.room, _Tape()
    stop = room.on_track(room.agent_name, tape.push)
    try:
        while room.now < until and not room.over:
            await room.sleep_until(room.now + _LISTEN_EVERY)
            if not (ground.agent_speaking or ground.heard):
                continue
            clip = tape.latest(_LISTEN_BACK)
            heard = await compute(ground.engines.careful_ears.hear, clip, ListenerHint(beam=5))
            numbers = counts_up(heard.text)
            if numbers:
                ground.moment("counting", text=heard.text, numbers=list(numbers))
                return True
    finally:
        stop()
    return False


async def _silence(ground: DrillGround, line: SpokenLine, since: float) -> None:
    """Listens until the agent has been silent for long enough, or for too long."""
    room = ground.room
    limit = SLIDE.limit or 0.0
    quiet_since = line.start
    while not room.over:
        # What was said before the cut may only now have been recognised.
        enough = _silence_needed(ground.heard, since, line.start) + 2 * _POLL
        if room.now >= line.start + limit + enough:
            return
        if ground.agent_speaking:
            quiet_since = room.now
        elif room.now - quiet_since >= enough:
            return
        await room.sleep_until(room.now + _POLL)


def _loud(clip: Clip) -> Clip:
    """Twice as loud, as far as full scale allows."""
    plain = clip.samples.astype(np.float64)
    peak = float(np.abs(plain).max(initial=1.0))
    return Clip(np.rint(plain * min(_LOUDER, max(1.0, _PEAK / peak))).astype(np.int16))
