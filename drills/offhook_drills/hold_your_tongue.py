"""Hold Your Tongue: one word within five seconds of NOW, then silence until he says time.

Where the rules leave something open, this is decided:

- Speech that is over before NOW has ended is not looked at. The first that is heard after it is the reply;
  one that began before NOW ended is in time. Sound in which no word can be made out is no word.
- NOW ends with its last audible sample; a word that begins exactly five seconds later is in time.
- Words that follow the word by 0.6 s or less are part of it, and so on. The silence is counted from the end
  of all that. Words in a script other than ours are words too.
- After the word, any speech ends the hold, whether words can be made out in it or not. The one exception is
  a sound of 0.3 s or less in which no word can be made out and which follows the word by 0.6 s or less: it
  may be the breath after it. It costs nothing, once, and the silence still counts from the end of the word.
- Speech is cut at pauses of 0.25 s, so that such a sound is a stretch of its own. What runs on for more than
  2 s without a pause is no single word, even where only one can be made out in it.
- OK may be written OK, Okay, Okey, O.K., O K, O-K or O'K.
- He waits the silence out, whatever he hears, and tells nothing of the mark: the tape then shows all of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import numpy as np

from offhook.drills import CastMember, DrillGround, DrillMark, DrillRecord, HeardSpeech, MarkPart, MarkState
from offhook.sessions import Ability
from offhook_drills._sergeant import CAST, SERGEANT, lines_for, marked, seconds, unmarked

__all__ = ["ORDER", "HoldYourTongue"]

_WINDOW: Final = 5.0
_SAME_WORD: Final = 0.6
_BREATH: Final = 0.4
_BREATH_AFTER: Final = 0.3
_HANG_OVER: Final = 0.25
_LONGEST_WORD: Final = 2.0
# So that the tape shows a word that comes too late.
_LISTEN_ON: Final = 2.0
_WORDS: Final = frozenset({"ok", "okay", "okey", "understood"})
_SPELLED_OK: Final = re.compile(r"\bo[.'’‐‑-]?\s?k\b\.?")
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

ORDER: Final = (
    "Recruit, let us see how well you keep quiet. At the word now, give me a single word, either OK or "
    "understood. After it, not a sound out of you, until you hear me say time. The longer you keep quiet, "
    "the better your mark. Get ready."
)


@attrs.frozen
class HoldYourTongue:
    """See the module."""

    name: str = "hold_your_tongue"
    title: str = "Hold Your Tongue"
    version: str = "1"
    measures: str = "restraint: one word when told, then silence"
    needs: frozenset[Ability] = frozenset({Ability.AUDIO})
    cast: tuple[CastMember, ...] = CAST
    limit: float = 150.0

    def draw(self, rng: np.random.Generator) -> Mapping[str, Any]:
        """``silence``: seconds from the end of the word until he says time, 10..20."""
        return {"silence": round(float(rng.uniform(10.0, 20.0)), 2)}

    async def conduct(self, ground: DrillGround) -> None:
        ground.hang_over = _HANG_OVER
        order = await ground.say(SERGEANT, ORDER, purpose="order")
        await ground.room.sleep_until(order.end + _BREATH)
        now = await ground.say(SERGEANT, "Now!", purpose="now")
        word = await _first_word(ground, now.end)
        if word is None:
            await ground.room.sleep_until(now.end + _WINDOW + _LISTEN_ON)
        else:
            await ground.room.sleep_until(word.end + ground.draw["silence"])
        await ground.say(SERGEANT, "Time.", purpose="time")

    def mark(self, record: DrillRecord) -> DrillMark:
        lines = lines_for(record, "now")
        if not lines:
            return unmarked(record, self.version, "he never gave the signal", MarkState.INSTRUMENT_FAULT)
        now, silence = lines[0].end, float(record.draw["silence"])
        reply, later = _reply(record.heard, now)
        if reply is None:
            return self._failed(record, f"no word within {_WINDOW:g} s of the signal", reply, now)
        if seconds(reply.start, now) > _WINDOW:
            late = seconds(reply.start, now)
            why = f"no word within {_WINDOW:g} s of the signal: {reply.text!r} came after {late:.2f} s"
            return self._failed(record, why, reply, now)
        words = _plain_words(reply.text)
        if len(words) != 1:
            return self._failed(record, f"{len(words)} words instead of one: {reply.text!r}", reply, now)
        if words[0] not in _WORDS:
            return self._failed(record, f"another word than he asked for: {reply.text!r}", reply, now)
        lasted = seconds(reply.end, reply.start)
        if lasted > _LONGEST_WORD:
            why = f"it sounded for {lasted:.2f} s, which is more than one word: {reply.text!r}"
            return self._failed(record, why, reply, now)
        broke = None if later is None else seconds(later.start, reply.end)
        held = silence if broke is None else min(silence, broke)
        evidence = _evidence(reply, now) | {"silence_s": silence, "held_s": held}
        why = f"held for all of {silence:.2f} s"
        if later is not None and held < silence:
            evidence |= {"broken_by": later.text, "broken_at": later.start}
            why = f"held for {held:.2f} s of {silence:.2f} s, until {later.text!r}"
        mark = 100 * held / silence
        return marked(
            record,
            self.version,
            mark,
            why,
            parts=(MarkPart("silence", mark, why, evidence=evidence),),
            numbers={"latency_s": seconds(reply.start, now), "held_s": held, "silence_s": silence},
        )

    def _failed(self, record: DrillRecord, why: str, reply: HeardSpeech | None, now: float) -> DrillMark:
        evidence = {} if reply is None else _evidence(reply, now)
        part = MarkPart("word", 0.0, why, evidence=evidence)
        return marked(record, self.version, 0.0, why, parts=(part,))


async def _first_word(ground: DrillGround, now: float) -> HeardSpeech | None:
    """The stretch with the reply; None where nothing began in time, or it never ended."""
    listened = 0
    while (heard := await ground.next_heard(listened, now + _WINDOW)) is not None:
        listened += 1
        if heard.end > now and _plain_words(heard.text):
            return heard
    return None


def _reply(heard: Sequence[HeardSpeech], now: float) -> tuple[HeardSpeech | None, HeardSpeech | None]:
    """The reply, with all that belongs to it joined, and the first speech after it."""
    after = [speech for speech in heard if speech.end > now]
    while after and not _plain_words(after[0].text):
        after.pop(0)
    if not after:
        return None, None
    reply = after.pop(0)
    while after and seconds(after[0].start, reply.end) <= _SAME_WORD and _plain_words(after[0].text):
        more = after.pop(0)
        text = f"{reply.text} {more.text}"
        reply = HeardSpeech(text, reply.start, more.end, min(reply.confidence, more.confidence))
    if after and _may_be_breath(after[0], reply):
        after.pop(0)
    return reply, after[0] if after else None


def _may_be_breath(speech: HeardSpeech, word: HeardSpeech) -> bool:
    """Whether a stretch is a short wordless sound right after the word."""
    short = seconds(speech.end, speech.start) <= _BREATH_AFTER
    return short and seconds(speech.start, word.end) <= _SAME_WORD and not _plain_words(speech.text)


def _plain_words(text: str) -> tuple[str, ...]:
    """The words of a reply in any script, in lower case; "O.K." is one."""
    return tuple(_WORD.findall(_SPELLED_OK.sub("ok", text.casefold())))


def _evidence(reply: HeardSpeech, now: float) -> dict[str, Any]:
    return {
        "heard": reply.text,
        "heard_from": reply.start,
        "heard_until": reply.end,
        "signal_ended": now,
        "latency_s": seconds(reply.start, now),
    }
