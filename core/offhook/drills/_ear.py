"""The far end's ear on one participant's track: cuts it into stretches of speech, to the sample.

Voice activity says *that* somebody speaks; *when* is the first and the last audible sample around it, so a
detector's lag moves nothing. A sample is audible from -50 dBFS on. Audible sound with no gap of 0.15 s in it
is a run; a run becomes speech with three voiced frames in a row (60 ms), so that a click is none. Runs of
speech less than the hang-over apart are one stretch.

A hum, comfort noise or a breath before a word is audible too. Where a run began longer before its first
voiced frame than any word does, speech begins where the sound rises above what went before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Clip, Samples
from offhook.speech import VoiceActivity

__all__ = ["AUDIBLE", "Ear", "Stretch", "audible_part"]

AUDIBLE: Final = 104
"""The magnitude of an audible sample, 16-bit: -50 dBFS, as where latencies are graded."""

_VOICED: Final = 0.5
_VOICED_FRAMES: Final = 3
# Longer than the closure before a final "t" or "p", whose release is part of the word.
_RUN_GAP: Final = round(0.15 * LINE_RATE)
# How far from the nearest voiced frame sound still belongs to speech: a detector sometimes notices even a
# loud word late, and gives up before the release of a last consonant.
_LATE: Final = round(0.4 * LINE_RATE)
# How long a soft beginning of a word may be, 12 dB below the rest: of our voices, 0.12 s at most.
_LEAD: Final = round(0.2 * LINE_RATE)
_SOFT: Final = 0.25
# The level of a noise before speech: nearly its loudest 5 ms in up to half a second. Steady noise stays
# within 1 dB of that, so what is 2 dB above it is something else. Three softer blocks are a ripple in speech.
_BLOCK: Final = 120
_FLOOR_SAMPLES: Final = round(0.5 * LINE_RATE)
_FLOOR_PERCENTILE: Final = 90
_ABOVE_FLOOR: Final = 1.25
_RIPPLE_BLOCKS: Final = 3
_TRAIL: Final = round(0.3 * LINE_RATE)
_MARGIN_BEFORE: Final = round(0.1 * LINE_RATE)
_MARGIN_AFTER: Final = round(0.2 * LINE_RATE)


@attrs.define
class Stretch:
    """A stretch of speech in line samples, from the first audible to one past the last; ``closed`` once the
    hang-over has passed.
    """

    start: int
    end: int
    closed: bool = False


@attrs.define
class _Run:
    start: int
    end: int
    last_voiced: int | None = None


def audible_part(samples: Samples) -> tuple[int, int] | None:
    """First audible sample and one past the last, or None where nothing is."""
    loud = np.flatnonzero((samples >= AUDIBLE) | (samples <= -AUDIBLE))
    return (int(loud[0]), int(loud[-1]) + 1) if len(loud) else None


def _levels(samples: Samples) -> NDArray[np.float64]:
    """The level (root mean square) of every whole block of 5 ms."""
    blocks = samples[: len(samples) // _BLOCK * _BLOCK].reshape(-1, _BLOCK).astype(np.float64)
    return np.asarray(np.sqrt(np.mean(blocks**2, axis=1)))


def _overall(levels: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(levels**2)))


def _rise(loud: NDArray[np.bool_], sure: int) -> int:
    """The first block of the loud part that reaches up to block ``sure``, or else begins after it."""
    later = np.flatnonzero(loud[sure:])
    if not len(later):
        return sure
    first = sure + int(later[0])
    if first - sure > _RIPPLE_BLOCKS:
        return first
    for block in np.flatnonzero(loud[:first])[::-1]:
        if first - block > _RIPPLE_BLOCKS + 1:
            break
        first = int(block)
    return first


class Ear:
    """Takes every frame of a track, in order, from the first.

    Args:
        hang_over: asked for how many seconds of quiet end a stretch.
        on_closed: told of each stretch once it has ended.
    """

    def __init__(
        self,
        activity: VoiceActivity,
        hang_over: Callable[[], float],
        on_closed: Callable[[Stretch], None],
    ) -> None:
        self.stretches: list[Stretch] = []
        self._activity = activity
        self._hang_over = hang_over
        self._on_closed = on_closed
        self._frames: list[Samples] = []
        self._run: _Run | None = None
        self._rising = 0

    @property
    def now(self) -> int:
        """Samples heard so far."""
        return len(self._frames) * FRAME_SAMPLES

    @property
    def speaking(self) -> bool:
        """Whether a stretch is under way; true until its hang-over has passed."""
        return bool(self.stretches) and not self.stretches[-1].closed

    def undecided(self, before: int) -> bool:
        """Whether sound that began before a sample may yet turn out to be speech."""
        run = self._run
        return run is not None and self._may_become_speech(run) and run.start < before

    def push(self, frame: Samples) -> None:
        """Hears one 20 ms frame, ``int16`` of shape ``(480,)``."""
        begin = self.now
        self._frames.append(frame)
        self._rising = self._rising + 1 if self._activity.push(frame) >= _VOICED else 0
        self._follow_run(begin, frame)
        if self._rising >= _VOICED_FRAMES and self._run is not None:
            self._voiced(self._run)
        self._extend()
        self._close_if_quiet()

    def finish(self) -> None:
        """Closes the stretch that the end of the track cut off."""
        if self.speaking:
            self._close()

    def clip(self, stretch: Stretch) -> Clip:
        """The sound of a stretch with a little before and after it."""
        begin = max(0, stretch.start - _MARGIN_BEFORE)
        end = min(self.now, stretch.end + _MARGIN_AFTER)
        return Clip(self._samples(begin, end))

    def _follow_run(self, begin: int, frame: Samples) -> None:
        part = audible_part(frame)
        run = self._run
        gap_ends = self.now if part is None else begin + part[0]
        if run is not None and gap_ends - run.end >= _RUN_GAP:
            run = self._run = None
        if part is None:
            return
        if run is None:
            self._run = _Run(begin + part[0], begin + part[1])
        else:
            run.end = begin + part[1]

    def _voiced(self, run: _Run) -> None:
        fresh = run.last_voiced is None or self.now - run.last_voiced > _TRAIL
        run.last_voiced = self.now
        if fresh and not self.speaking:
            onset = self._onset(run)
            self.stretches.append(Stretch(onset, onset + 1))

    def _onset(self, run: _Run) -> int:
        """Where in a run speech begins, of which the detector has just become sure."""
        voiced = self.now - _VOICED_FRAMES * FRAME_SAMPLES
        begin = max(0, voiced - _LATE)
        levels = _levels(self._samples(begin, self.now))
        sure = (voiced - begin) // _BLOCK
        loud = begin + _BLOCK * _rise(levels >= _SOFT * _overall(levels[sure:]), sure)
        earliest = max(begin, loud - _LEAD)
        if run.start >= earliest:
            return run.start
        # Something else went before it: the run began long before anybody spoke.
        floor_from = max(
            run.start, earliest - _FLOOR_SAMPLES, self.stretches[-1].end if self.stretches else 0
        )
        floor = _levels(self._samples(min(floor_from, earliest - _BLOCK), earliest))
        threshold = max(float(AUDIBLE), _ABOVE_FLOOR * float(np.percentile(floor, _FLOOR_PERCENTILE)))
        skipped = (earliest - begin) // _BLOCK
        return earliest + _BLOCK * _rise(levels[skipped:] >= threshold, max(0, sure - skipped))

    def _samples(self, begin: int, end: int) -> Samples:
        first = begin // FRAME_SAMPLES
        sound = np.concatenate(self._frames[first : -(-end // FRAME_SAMPLES)])
        return sound[begin - first * FRAME_SAMPLES : end - first * FRAME_SAMPLES]

    def _extend(self) -> None:
        run = self._run
        if run is None or run.last_voiced is None or not self.speaking:
            return
        if run.end - run.last_voiced <= _TRAIL:
            stretch = self.stretches[-1]
            stretch.end = max(stretch.end, run.end)

    def _close_if_quiet(self) -> None:
        if not self.speaking:
            return
        stretch = self.stretches[-1]
        quiet = self._quiet_samples()
        if self.now - stretch.end < quiet:
            return
        run = self._run
        if run is not None and run.start - stretch.end < quiet and self._may_become_speech(run):
            return
        self._close()

    def _close(self) -> None:
        stretch = self.stretches[-1]
        stretch.closed = True
        self._on_closed(stretch)

    def _may_become_speech(self, run: _Run) -> bool:
        return run.last_voiced is None and self.now - run.start <= _LATE

    def _quiet_samples(self) -> int:
        return round(self._hang_over() * LINE_RATE)
