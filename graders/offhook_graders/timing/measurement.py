"""One pass over a call's sound: all that the ``latency`` and ``conversation`` graders need, as plain data.

`measure_audio` reads the recording and the caller's tape once and returns an `AudioMeasurement`, which is
small (tens of kilobytes), is stored as JSON beside the call by the ``audio`` measurer, and is enough to grade
the call again without its sound."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import cattrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import Samples
from offhook.callers import CallerTurn
from offhook.grading import CallEvidence, GradingEngines, NotMeasured
from offhook.line import read_flac
from offhook_graders.timing.onsets import Activity, PublishedRule, published_activity, window_rms
from offhook_graders.timing.sounds import ChannelSounds, Sound, bursts_within, find_sounds, without_offset

__all__ = [
    "AUDIO_MEASURER",
    "AudioMeasurement",
    "AudioMeasurer",
    "LoudWindows",
    "TapeError",
    "TurnSound",
    "audio_of",
    "loud_windows",
    "measure_audio",
    "missed_share",
]

AUDIO_MEASURER: Final = "audio"

_TRUNCATED_S: Final = 0.1  # a tape may end this much before the last sent span: less than a lost frame buffer
_TOUCH_S: Final = 0.02  # a frame: two turns may share one
_DIGITS: Final = 6
_NOT_INSTALLED: Final = "0"  # the version of a measurement that nobody can make
_SPEECH_SPAN_DB: Final = 30.0  # windows this far below the loudest tenth are gaps between words


class TapeError(ValueError):
    """A tape can't be measured; the message names the file and what is wrong with it."""


@attrs.frozen
class LoudWindows:
    """`offhook_graders.timing.onsets.Activity` as plain data. ``runs`` are windows ``start`` to ``stop``
    (exclusive), ``threshold`` is RMS in 16-bit units.

    ``missed_share`` is how much of the channel's speech the threshold lies above: of the windows in its
    sounds, those that are speech and not loud. None where no sound was found.
    """

    window_s: float
    count: int
    threshold: float
    floored: bool
    runs: tuple[tuple[int, int], ...]
    missed_share: float | None = None

    @property
    def activity(self) -> Activity:
        return Activity.from_runs(
            self.runs, self.count, window_s=self.window_s, threshold=self.threshold, floored=self.floored
        )


@attrs.frozen
class TurnSound:
    """What is audible of a caller turn on the caller's own tape; no bursts where the tape is silent."""

    bursts: tuple[tuple[float, float], ...] = ()

    @property
    def end(self) -> float | None:
        return self.bursts[-1][1] if self.bursts else None


@attrs.frozen
class AudioMeasurement:
    """A call's sound. ``caller`` and ``agent`` are the loud windows of the recording by the published rule;
    ``turns`` is what the caller's tape holds of each turn (None without a tape), ``agent_sounds`` the agent's
    speech to the sample. Seconds of the line throughout.
    """

    seconds: float
    rule: PublishedRule
    caller: LoudWindows
    agent: LoudWindows
    turns: tuple[TurnSound, ...] | None
    agent_sounds: ChannelSounds

    def as_json(self) -> dict[str, Any]:
        """Plain JSON data; `from_json` reads it back equal."""
        data: dict[str, Any] = cattrs.unstructure(self)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AudioMeasurement:
        """Raises ValueError: not what `as_json` returned."""
        try:
            found = cattrs.structure(data, cls)
        except Exception as error:
            faults = "; ".join(cattrs.transform_error(error, path="$")[:3])
            raise ValueError(f"not an audio measurement: {faults}") from error
        if fault := _fault(found):
            raise ValueError(f"not an audio measurement: {fault}")
        return found


def measure_audio(
    caller_turns: Sequence[CallerTurn],
    recording: Path,
    caller_tape: Path | None,
    rule: PublishedRule | None = None,
) -> AudioMeasurement:
    """Measures a call's recording (stereo, caller left) and the caller's own tape (mono).

    Raises:
        TapeError: one of them is not what a call leaves behind, or a turn has no times, or ones that a single
            speaker's turns can't have.
        offhook.line.AudioFileError: one of them is missing, truncated or damaged.
    """
    rule = rule or PublishedRule()
    _check_times(caller_turns)
    needed_s = max((turn.end for turn in caller_turns), default=0.0)
    caller, agent, rate = _read_recording(recording, needed_s)
    turns: tuple[TurnSound, ...] | None = None
    if caller_tape is not None:
        tape, tape_rate = _read_mono(caller_tape, needed_s)
        turns = tuple(_turn_sound(tape, tape_rate, turn) for turn in caller_turns)
    sounds = _rounded_sounds(find_sounds(without_offset(agent, rate), rate))
    said = [burst for turn in turns or () for burst in turn.bursts]
    return AudioMeasurement(
        seconds=round(len(agent) / rate, _DIGITS),
        rule=rule,
        caller=loud_windows(caller, rate, rule, said),
        agent=loud_windows(agent, rate, rule, [(sound.start, sound.end) for sound in sounds.sounds]),
        turns=turns,
        agent_sounds=sounds,
    )


def audio_of(call: CallEvidence) -> AudioMeasurement:
    """The call's ``audio`` measurement. Where no such measurer is installed, as for a grader that is used by
    itself, the sound is measured here and now.

    Raises:
        TapeError: the measurer failed on it; the message is its own. Or what it stored is damaged.
        offhook.line.AudioFileError: measured here, a file is missing, truncated or damaged.
    """
    measured = call.measured(AUDIO_MEASURER)
    if measured.version == _NOT_INSTALLED and call.recording is not None:
        return measure_audio(call.record.caller_turns, call.recording, call.caller_tape)
    if measured.error:
        raise TapeError(measured.error)
    turns = len(call.record.caller_turns)
    try:
        audio = AudioMeasurement.from_json(measured.values)
        if audio.turns is not None and len(audio.turns) != turns:
            raise ValueError(f"it holds {len(audio.turns)} caller turns, the record {turns}")
    except ValueError as error:
        raise TapeError(
            f"the stored measurement is damaged ({error}); delete measurements/{measured.measurer}/"
            f"{measured.version}/{measured.call_id}.json in the run's folder and grade again"
        ) from error
    return audio


def loud_windows(
    samples: Samples, rate: int, rule: PublishedRule, speech: Sequence[tuple[float, float]]
) -> LoudWindows:
    """The published rule on one channel. ``speech`` says where the channel speaks, in seconds."""
    activity = published_activity(samples, rate, rule)
    return LoudWindows(
        window_s=activity.window_s,
        count=len(activity.active),
        threshold=activity.threshold,
        floored=activity.floored,
        runs=activity.runs,
        missed_share=missed_share(samples, rate, activity, speech),
    )


def missed_share(
    samples: Samples, rate: int, activity: Activity, speech: Sequence[tuple[float, float]]
) -> float | None:
    """How much of its own speech a channel's threshold lies above; see `LoudWindows`."""
    inside = np.zeros(len(activity.active), dtype=np.bool_)
    for start, end in speech:
        inside[activity.index(start) + 1 : activity.index(end)] = True
    if not np.any(inside):
        return None
    rms = window_rms(samples, round(activity.window_s * rate))
    least = float(np.percentile(rms[inside], 90)) * 10 ** (-_SPEECH_SPAN_DB / 20)
    spoken = inside & (rms > least)
    return round(float(np.mean(~activity.active[spoken])), 4) if np.any(spoken) else None


@attrs.frozen
class AudioMeasurer:
    """Stores an `AudioMeasurement` beside each call."""

    name: str = AUDIO_MEASURER
    version: str = "1"
    rule: PublishedRule = attrs.field(factory=PublishedRule)

    def measure(self, call: CallEvidence, engines: GradingEngines) -> Mapping[str, Any]:
        """As `measure_audio`; needs no engine."""
        if call.recording is None:
            raise NotMeasured("a text line has no recording")
        turns = call.record.caller_turns
        return measure_audio(turns, call.recording, call.caller_tape, self.rule).as_json()


def _fault(audio: AudioMeasurement) -> str:
    """What no recording can have led to; "" where all can be. Figures would be made of it in silence."""
    if not (math.isfinite(audio.seconds) and audio.seconds >= 0):
        return f"a recording of {audio.seconds:g} s"
    for who, side in (("caller", audio.caller), ("agent", audio.agent)):
        if not side.window_s > 0 or abs(side.count * side.window_s - audio.seconds) > 2 * side.window_s:
            return f"{side.count} windows of {side.window_s:g} s in {audio.seconds:g} s of the {who}"
    sounds = audio.agent_sounds.sounds
    spans = [[(sound.start, sound.end) for sound in sounds], *(turn.bursts for turn in audio.turns or ())]
    for some in spans:
        edges = [edge for span in some for edge in span]
        if edges != sorted(edges):
            return "sounds that are out of order"
    return ""


def _check_times(turns: Sequence[CallerTurn]) -> None:
    before = 0.0
    for index, turn in enumerate(turns):
        runs = f"caller turn {index} runs from {turn.start:g} to {turn.end:g} s"
        if not (math.isfinite(turn.start) and math.isfinite(turn.end)):
            raise TapeError(f"{runs}; both must be finite seconds, so record the call again")
        # One caller says one thing at a time; a wait or an overlap made of other times would be invented.
        if turn.end < turn.start or turn.start < before - _TOUCH_S:
            raise TapeError(
                f"{runs}; it must start after {before:g} s, where the turn before it ended, and end after "
                "its start, so record the call again"
            )
        before = max(before, turn.end)


def _turn_sound(tape: Samples, rate: int, turn: CallerTurn) -> TurnSound:
    low, high = max(0, round(turn.start * rate)), max(0, round(turn.end * rate))
    part = tape[low:high].astype(np.float32)
    bursts = bursts_within(part, rate)
    return TurnSound(_rounded((low / rate + start, low / rate + end) for start, end in bursts))


def _rounded(spans: Any) -> tuple[tuple[float, float], ...]:
    return tuple((round(start, _DIGITS), round(end, _DIGITS)) for start, end in spans)


def _rounded_sounds(found: ChannelSounds) -> ChannelSounds:
    return attrs.evolve(
        found,
        sounds=tuple(
            Sound(
                round(sound.start, _DIGITS),
                round(sound.end, _DIGITS),
                sound.peak_dbfs,
                _rounded(sound.bursts),
            )
            for sound in found.sounds
        ),
    )


# --- tapes ---


def _read_recording(path: Path, needed_s: float) -> tuple[Samples, Samples, int]:
    samples, rate = read_flac(path)
    if samples.ndim != 2 or samples.shape[1] != 2:
        raise TapeError(f"{path}: expected 2 channels (caller left, agent right), found {_channels(samples)}")
    _check_length(path, len(samples) / rate, needed_s)
    return np.ascontiguousarray(samples[:, 0]), np.ascontiguousarray(samples[:, 1]), rate


def _read_mono(path: Path, needed_s: float) -> tuple[Samples, int]:
    samples, rate = read_flac(path)
    if samples.ndim != 1:
        raise TapeError(f"{path}: expected the caller alone on 1 channel, found {_channels(samples)}")
    _check_length(path, len(samples) / rate, needed_s)
    return samples, rate


def _channels(samples: NDArray[np.int16]) -> int:
    return 1 if samples.ndim == 1 else int(samples.shape[1])


def _check_length(path: Path, held_s: float, needed_s: float) -> None:
    if held_s < needed_s - _TRUNCATED_S:
        raise TapeError(
            f"{path}: holds {held_s:.2f} s, but the record's last caller turn ends at {needed_s:.2f} s; "
            "restore the whole file"
        )
