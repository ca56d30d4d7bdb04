"""A recording with nothing beside it: turns, waits and conversation from its two channels alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.callers import CallerTurn
from offhook_graders.timing.latency import our_waits, published_waits
from offhook_graders.timing.measurement import AudioMeasurement, TurnSound, loud_windows
from offhook_graders.timing.onsets import PublishedRule, dbfs
from offhook_graders.timing.recording import Stereo
from offhook_graders.timing.sounds import ChannelSounds, find_sounds, without_offset
from offhook_graders.timing.talk import Talk, measure_talk
from offhook_graders.timing.turns import Span, Turn, join_turns, split_backchannels
from offhook_graders.timing.waits import (
    MEASURES,
    TurnLatency,
    latencies,
    timing_bound_ms,
    wait_numbers,
    warnings,
)

__all__ = ["PARTS", "RecordingMeasurement", "measure_recording", "turns_of"]

PARTS: Final = (
    "published latency",
    "our latency",
    "talk-over",
    "barge-ins and yields",
    "unanswered turns",
    "dead air",
)


_IN_STEP: Final = 0.8


@attrs.frozen
class RecordingMeasurement:
    """What a recording shows. ``not_measured`` maps each of `PARTS` that can't be measured to the reason;
    where it holds all of them, ``talk`` is None.
    """

    seconds: float
    rate: int
    caller: ChannelSounds
    agent: ChannelSounds
    talk: Talk | None
    waits: Mapping[str, tuple[TurnLatency, ...]]
    numbers: Mapping[str, float]
    bound_ms: Mapping[str, float]
    thresholds_dbfs: Mapping[str, float | None]
    warnings: tuple[str, ...]
    not_measured: Mapping[str, str]

    @property
    def measured(self) -> bool:
        return len(self.not_measured) < len(PARTS)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON data: figures, and every turn and event they were made of."""
        return {
            "seconds": round(self.seconds, 3),
            "rate": self.rate,
            "levels_dbfs": {
                who: {"speech": side.speech_dbfs, "noise": side.noise_dbfs}
                for who, side in (("caller", self.caller), ("agent", self.agent))
            },
            "numbers": dict(self.numbers),
            "timing_bound_ms": dict(self.bound_ms),
            "thresholds_dbfs": dict(self.thresholds_dbfs),
            "warnings": list(self.warnings),
            "not_measured": dict(self.not_measured),
            "waits": {measure: [wait.as_json() for wait in told] for measure, told in self.waits.items()},
            "talk": None if self.talk is None else self.talk.as_json(),
        }


def measure_recording(stereo: Stereo, rule: PublishedRule | None = None) -> RecordingMeasurement:
    """Measures both channels. Never raises on sound: what can't be measured is in ``not_measured``."""
    rule = rule or PublishedRule()
    caller, agent = (
        find_sounds(without_offset(samples, stereo.rate), stereo.rate)
        for samples in (stereo.caller, stereo.agent)
    )
    windows = {
        who: loud_windows(samples, stereo.rate, rule, _spans(side))
        for who, samples, side in (("caller", stereo.caller, caller), ("agent", stereo.agent, agent))
    }
    blank = RecordingMeasurement(
        seconds=stereo.seconds,
        rate=stereo.rate,
        caller=caller,
        agent=agent,
        talk=None,
        waits={},
        numbers={},
        bound_ms=timing_bound_ms(0.0, rule),
        thresholds_dbfs={who: dbfs(side.threshold) for who, side in windows.items()},
        warnings=tuple(warnings(windows)),
        not_measured={},
    )
    if why := _why_not(caller, agent):
        return attrs.evolve(blank, not_measured=dict.fromkeys(PARTS, why))
    caller_turns, agent_turns, backchannels = turns_of(_spans(caller), _spans(agent))
    talk = measure_talk(stereo.seconds, caller_turns, agent_turns, backchannels=backchannels)
    audio = AudioMeasurement(
        seconds=stereo.seconds,
        rule=rule,
        caller=windows["caller"],
        agent=windows["agent"],
        turns=tuple(TurnSound(turn.sounds) for turn in caller_turns),
        agent_sounds=_without(agent, backchannels),
    )
    said = [CallerTurn("", "", turn.start, turn.end, "") for turn in caller_turns]
    waits = {"published": published_waits(said, audio), "ours": our_waits(said, audio)}
    numbers = talk.numbers()
    for measure in MEASURES:
        numbers |= wait_numbers(measure, waits[measure])
    return attrs.evolve(
        blank,
        talk=talk,
        waits=waits,
        numbers=numbers,
        warnings=(*blank.warnings, *_one_in_both(numbers)),
        not_measured=_without_waits(waits),
    )


def turns_of(
    caller: Sequence[Span], agent: Sequence[Span]
) -> tuple[tuple[Turn, ...], tuple[Turn, ...], list[Span]]:
    """The turns of both sides, and the backchannels of either, from their sounds."""
    asked, caller_mms = split_backchannels(caller, agent)
    told, agent_mms = split_backchannels(agent, caller)
    return join_turns(asked, told), join_turns(told, asked), [*caller_mms, *agent_mms]


def _one_in_both(numbers: Mapping[str, float]) -> list[str]:
    """Two people never speak and pause in step; a channel and what leaks of it into the other do."""
    longer = max(numbers["caller_speech_s"], numbers["agent_speech_s"])
    share = numbers["overlap_s"] / longer if longer else 0.0
    if share < _IN_STEP:
        return []
    return [
        f"both channels speak at the same time for {share:.0%} of their speech: each probably holds both "
        "sides, or one a copy of the other; take all figures of this recording for wrong"
    ]


def _spans(side: ChannelSounds) -> list[Span]:
    return [(sound.start, sound.end) for sound in side.sounds]


def _without(side: ChannelSounds, backchannels: Sequence[Span]) -> ChannelSounds:
    left_out = set(backchannels)
    kept = tuple(sound for sound in side.sounds if (sound.start, sound.end) not in left_out)
    return attrs.evolve(side, sounds=kept)


def _why_not(caller: ChannelSounds, agent: ChannelSounds) -> str:
    told = [f"{who}: {side.problem}" for who, side in (("caller", caller), ("agent", agent)) if side.problem]
    told += [
        f"{who}: no speech was found"
        for who, side in (("caller", caller), ("agent", agent))
        if not side.problem and not side.sounds
    ]
    return "; ".join(told)


def _without_waits(waits: Mapping[str, Sequence[TurnLatency]]) -> dict[str, str]:
    names = {"published": PARTS[0], "ours": PARTS[1]}
    missing = {}
    for measure, told in waits.items():
        if not latencies(told):
            reasons = dict.fromkeys(wait.excluded for wait in told)
            missing[names[measure]] = "no turn with a reply: " + ", ".join(reasons)
    return missing
