"""How two people talk with each other, from the turns of both: pure measures on spans in seconds.

Every function says in its docstring what exactly it counts; ``sdk_docs/reference/latency.md`` says the same
to readers of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs

from offhook_graders.timing.turns import Span, Turn, overlap

__all__ = [
    "DEAD_AIR_S",
    "BargeIn",
    "Talk",
    "Yield",
    "barge_ins",
    "dead_air",
    "measure_talk",
    "talked_over",
    "unanswered",
    "yields",
]

DEAD_AIR_S: Final = 3.0

_TOUCH_S: Final = 0.12  # people don't notice a shorter overlap of two turns
_TALKED_OVER_S: Final = 0.3
_YIELDED_S: Final = 1.0  # a silence this long while the other holds the floor is no pause between words
_DIGITS: Final = 3


@attrs.frozen
class BargeIn:
    """Turn ``turn`` of one side began ``at`` while turn ``over`` of the other side was being spoken."""

    turn: int
    over: int
    at: float


@attrs.frozen
class Yield:
    """How the agent took a caller's barge-in. ``yield_s`` is None where it did not fall silent while the
    caller held the floor; then ``spoke_on_s`` is how long the caller spoke against it.
    """

    turn: int
    at: float
    yield_s: float | None
    spoke_on_s: float | None = None


@attrs.frozen
class Talk:
    """All measures of one dialogue. Spans and times in seconds, turns counted from 0."""

    seconds: float
    caller: tuple[Turn, ...]
    agent: tuple[Turn, ...]
    backchannels: tuple[Span, ...]
    overlaps: tuple[Span, ...]
    overlap_per_turn: tuple[float, ...]
    talked_over: tuple[int, ...]
    agent_barge_ins: tuple[BargeIn, ...]
    caller_barge_ins: tuple[BargeIn, ...]
    yields: tuple[Yield, ...]
    answerable: int
    unanswered: tuple[int, ...]
    dead_air: tuple[Span, ...]

    def numbers(self) -> dict[str, float]:
        """Counts and sums, which add up over calls, and for this dialogue alone the shares made of them."""
        caller_s = sum(turn.speech_s for turn in self.caller)
        agent_s = sum(turn.speech_s for turn in self.agent)
        overlap_s = _length(self.overlaps)
        yielded = sorted(found.yield_s for found in self.yields if found.yield_s is not None)
        numbers = {
            "caller_turns": float(len(self.caller)),
            "agent_turns": float(len(self.agent)),
            "caller_speech_s": caller_s,
            "agent_speech_s": agent_s,
            "overlap_s": overlap_s,
            "talked_over_turns": float(len(self.talked_over)),
            "agent_barge_ins": float(len(self.agent_barge_ins)),
            "caller_barge_ins": float(len(self.caller_barge_ins)),
            "yielded": float(len(yielded)),
            "not_yielded": float(len(self.yields) - len(yielded)),
            "answerable_turns": float(self.answerable),
            "unanswered_turns": float(len(self.unanswered)),
            "dead_air": float(len(self.dead_air)),
            "dead_air_s": _length(self.dead_air),
            "dead_air_longest_s": max((end - start for start, end in self.dead_air), default=0.0),
        }
        if caller_s:
            numbers["overlap_share"] = overlap_s / caller_s
        if yielded:
            middle = len(yielded) // 2
            numbers["yield_median_s"] = (yielded[middle] + yielded[~middle]) / 2
        return {name: round(float(value), 6) for name, value in numbers.items()}

    def as_json(self) -> dict[str, Any]:
        """The evidence: each turn and each event with its time."""
        return {
            "caller_turns": [
                _turn_json(index, turn) | {"overlap_s": round(over, _DIGITS)}
                for index, (turn, over) in enumerate(zip(self.caller, self.overlap_per_turn, strict=True))
            ],
            "agent_turns": [_turn_json(index, turn) for index, turn in enumerate(self.agent)],
            "backchannels": _spans_json(self.backchannels),
            "overlaps": _spans_json(self.overlaps),
            "talked_over": list(self.talked_over),
            "agent_barge_ins": [attrs.asdict(found) for found in self.agent_barge_ins],
            "caller_barge_ins": [attrs.asdict(found) for found in self.caller_barge_ins],
            "yields": [attrs.asdict(found) for found in self.yields],
            "unanswered": list(self.unanswered),
            "dead_air": _spans_json(self.dead_air),
        }


def measure_talk(
    seconds: float,
    caller: Sequence[Turn],
    agent: Sequence[Turn],
    *,
    backchannels: Sequence[Span] = (),
    closing: Sequence[int] = (),
) -> Talk:
    """All measures of a dialogue of ``seconds``. ``closing`` are caller turns that ask for no answer;
    ``backchannels`` of either side count as sound, and as nothing else.
    """
    caller_sounds, agent_sounds = _sounds(caller), _sounds(agent)
    per_turn = [_length(overlap(turn.sounds, agent_sounds)) for turn in caller]
    cut_in = barge_ins(caller, agent)
    asked, left = unanswered(caller, agent, seconds, closing=closing)
    return Talk(
        seconds=seconds,
        caller=tuple(caller),
        agent=tuple(agent),
        backchannels=tuple(sorted(backchannels)),
        overlaps=tuple(overlap(caller_sounds, agent_sounds)),
        overlap_per_turn=tuple(per_turn),
        talked_over=talked_over(caller, agent),
        agent_barge_ins=barge_ins(agent, caller),
        caller_barge_ins=cut_in,
        yields=yields(cut_in, caller, agent),
        answerable=asked,
        unanswered=left,
        dead_air=dead_air([*caller_sounds, *agent_sounds, *backchannels]),
    )


def talked_over(caller: Sequence[Turn], agent: Sequence[Turn]) -> tuple[int, ...]:
    """Caller turns with at least 0.3 s in which the agent spoke at the same time. Backchannels are not in
    the agent's turns and talk nobody over.
    """
    sounds = _sounds(agent)
    return tuple(
        index for index, turn in enumerate(caller) if _length(overlap(turn.sounds, sounds)) >= _TALKED_OVER_S
    )


def barge_ins(of: Sequence[Turn], over: Sequence[Turn]) -> tuple[BargeIn, ...]:
    """Turns of one side that began inside a turn of the other side, pauses included: at least 0.12 s after
    that turn began and 0.12 s before it ended. What is closer than that is two turns that touched. (An agent
    that stops because of a barge-in needs longer than 0.12 s to notice it.)
    """
    return tuple(
        BargeIn(index, other, round(turn.start, _DIGITS))
        for index, turn in enumerate(of)
        for other, held in enumerate(over)
        if held.start + _TOUCH_S <= turn.start <= held.end - _TOUCH_S
    )


def yields(cut_in: Sequence[BargeIn], caller: Sequence[Turn], agent: Sequence[Turn]) -> tuple[Yield, ...]:
    """For each barge-in of the caller, the time until the agent was silent while the caller still held the
    floor.

    A pause is no yielding: the agent has yielded once it stays silent for 1 s, or until the caller's turn
    ends. Where it resumes sooner, the clock runs on. An agent that was still speaking when the caller's turn
    ended did not yield.
    """
    sounds = _sounds(agent)
    return tuple(_yield(found, caller[found.turn], sounds) for found in cut_in)


def _yield(found: BargeIn, turn: Turn, sounds: Sequence[Span]) -> Yield:
    silent_from = turn.start
    for start, end in sounds:
        if end <= turn.start:
            continue
        if start >= turn.end or start - silent_from >= _YIELDED_S:
            break
        silent_from = end
    at = round(turn.start, _DIGITS)
    if silent_from < turn.end:
        return Yield(found.turn, at, round(silent_from - turn.start, _DIGITS))
    return Yield(found.turn, at, None, round(turn.end - turn.start, _DIGITS))


def unanswered(
    caller: Sequence[Turn], agent: Sequence[Turn], seconds: float, *, closing: Sequence[int] = ()
) -> tuple[int, tuple[int, ...]]:
    """How many caller turns asked for an answer, and those that got none: the agent said nothing from the
    turn's last 0.12 s to the caller's next turn.

    Left out are ``closing`` turns, and a last turn after which less than `DEAD_AIR_S` of the recording is
    left, because somebody has hung up there.
    """
    asked = 0
    left: list[int] = []
    for index, turn in enumerate(caller):
        is_last = index + 1 == len(caller)
        until = seconds if is_last else caller[index + 1].start
        answered = any(
            end > turn.end - _TOUCH_S and start < until for other in agent for start, end in other.sounds
        )
        if index in closing or (is_last and not answered and seconds - turn.end < DEAD_AIR_S):
            continue
        asked += 1
        if not answered:
            left.append(index)
    return asked, tuple(left)


def dead_air(sounds: Sequence[Span]) -> tuple[Span, ...]:
    """Stretches of more than 3 s in which neither side makes a sound, between the first sound and the last:
    before and after them nobody is on the line.
    """
    found: list[Span] = []
    heard_until: float | None = None
    for start, end in sorted(sounds):
        if heard_until is not None and start - heard_until > DEAD_AIR_S:
            found.append((heard_until, start))
        heard_until = end if heard_until is None else max(heard_until, end)
    return tuple(found)


def _sounds(turns: Sequence[Turn]) -> list[Span]:
    return sorted(sound for turn in turns for sound in turn.sounds)


def _length(spans: Sequence[Span]) -> float:
    return sum(end - start for start, end in spans)


def _turn_json(index: int, turn: Turn) -> dict[str, Any]:
    return {
        "turn": index,
        "start_s": round(turn.start, _DIGITS),
        "end_s": round(turn.end, _DIGITS),
        "speech_s": round(turn.speech_s, _DIGITS),
    }


def _spans_json(spans: Sequence[Span]) -> list[list[float]]:
    return [[round(start, _DIGITS), round(end, _DIGITS)] for start, end in spans]
