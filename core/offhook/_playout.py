"""The buffer between a platform that sends as it likes and a line that plays a frame every 20 ms.

Positions are counted in line samples of agent audio, places on the tape in line samples since the call began.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import attrs
import numpy as np

from offhook.audio import FRAME_SAMPLES, LINE_RATE, Clip, Resampler, Samples
from offhook.records import PlayedSpan

__all__ = ["PlayedSpan", "PlayoutBuffer", "PlayoutMark", "Underrun"]

# Agent audio that goes on within this many seconds of running dry was interrupted; after a longer gap,
# without a word from the platform, it is the next utterance.
_UNDERRUN_GAP: Final = 0.5


@attrs.frozen
class Underrun:
    """A gap inside an utterance of the agent because its audio came too late, in line seconds."""

    start: float
    end: float


@attrs.frozen
class PlayoutMark:
    """A place in the agent's audio: ``position`` in line samples, ``epoch`` the number of clears before."""

    position: int
    epoch: int


class PlayoutBuffer:
    """Agent audio that was pushed and not yet played.

    An utterance's first frame is filled from its end when less than a frame is there, so that a platform
    sending in real time is played without a gap after its first milliseconds. ``jitter_frames`` holds an
    utterance's start back until that much is there, or that much time has passed. ``last_frame`` is the index
    of the last frame that carried agent audio, -1 before there was one.
    """

    def __init__(self, jitter_frames: int) -> None:
        self.spans: list[PlayedSpan] = []
        self.underruns: list[Underrun] = []
        self.played = 0
        self.last_frame = -1
        self._jitter_frames = jitter_frames
        self._chunks: deque[Samples] = deque()
        self._head = 0
        self._buffered = 0
        self._resampler: Resampler | None = None
        self._rate = LINE_RATE
        self._taken_in = 0
        self._given_out = 0
        self._span_start: int | None = None
        self._utterance_start = 0
        self._ended = True
        self._dry_since: int | None = None
        self._waited = 0
        self._cleared_at: list[int] = []

    # --- where things are -------------------------------------------------------------------------

    @property
    def unplayed(self) -> int:
        """Line samples pushed and neither played nor dropped, those inside the resampler included."""
        if self._resampler is None:
            return self._buffered
        due = -(-self._taken_in * LINE_RATE // self._rate)
        return self._buffered + due - self._given_out

    @property
    def utterance_played(self) -> int:
        """How many line samples of the current utterance have been played."""
        return max(0, self.played - self._utterance_start)

    def mark(self) -> PlayoutMark:
        """The place right after everything pushed so far."""
        return PlayoutMark(self.played + self.unplayed, len(self._cleared_at))

    def played_since(self, mark: PlayoutMark) -> int:
        """How many line samples after the mark were played before a clear, if one came."""
        return max(0, self._reach(mark) - mark.position)

    def passed(self, mark: PlayoutMark) -> bool | None:
        """Whether everything before the mark was played: False if it was dropped, None if it is to come."""
        if mark.position <= self._reach(mark):
            return True
        return False if mark.epoch < len(self._cleared_at) else None

    def _reach(self, mark: PlayoutMark) -> int:
        return self._cleared_at[mark.epoch] if mark.epoch < len(self._cleared_at) else self.played

    # --- the platform's side ----------------------------------------------------------------------

    def push(self, samples: Samples, rate: int) -> None:
        """Takes a chunk of any length and rate; the array is copied."""
        chunk = Clip(np.array(samples), rate).samples
        if self._ended:
            self._utterance_start = self.played + self.unplayed
            self._ended = False
        if rate != self._rate:
            self._flush()
            self._rate = rate
        if rate == LINE_RATE:
            self._append(chunk)
            return
        if self._resampler is None:
            self._resampler = Resampler(rate, LINE_RATE)
            self._taken_in = self._given_out = 0
        converted = self._resampler.push(chunk)
        self._taken_in += len(chunk)
        self._given_out += len(converted)
        self._append(converted)

    def end(self) -> None:
        """The utterance is complete; running dry from here on is its natural end."""
        self._flush()
        self._ended = True
        if self._buffered == 0:
            self._dry_since = None

    def clear(self, index: int) -> int:
        """Drops what was not played before frame ``index`` and returns how many line samples that was."""
        dropped = self.unplayed
        self._chunks.clear()
        self._head = self._buffered = self._waited = 0
        self._resampler = None
        self.close(index)
        self._ended = True
        self._dry_since = None
        self._cleared_at.append(self.played)
        return dropped

    # --- the line's side --------------------------------------------------------------------------

    def pull(self, index: int) -> Samples | None:
        """The agent's part of frame ``index``, which is never asked for twice; None for silence."""
        starting = self._span_start is None
        if starting:
            if self.unplayed == 0 or self._held_back():
                return None
        elif self._buffered < FRAME_SAMPLES:
            # Ran short. A gap follows, so the filter may as well give out what it still holds.
            self._flush()
        base = index * FRAME_SAMPLES
        count = min(self._buffered, FRAME_SAMPLES)
        if count == 0:
            self._close_span(base)
            return None
        lead = FRAME_SAMPLES - count if starting and not self._ended else 0
        if starting:
            self._open_span(base + lead)
        frame = self._cut(count, lead)
        self.played += count
        self.last_frame = index
        if lead + count < FRAME_SAMPLES:
            self._close_span(base + count)
        return frame

    def close(self, index: int) -> None:
        """Ends the span under way, if there is one, before frame ``index``."""
        if self._span_start is not None:
            self._close_span(index * FRAME_SAMPLES)

    def _held_back(self) -> bool:
        if self._ended:
            return False
        wanted = self._jitter_frames * FRAME_SAMPLES
        if self._buffered < max(wanted, 1) and self._waited < max(self._jitter_frames, 1):
            self._waited += 1
            return True
        if self._buffered == 0:
            self._flush()
        return False

    def _open_span(self, place: int) -> None:
        self._span_start = place
        self._waited = 0
        if self._dry_since is None:
            return
        if place - self._dry_since <= _UNDERRUN_GAP * LINE_RATE:
            self.underruns.append(Underrun(self._dry_since / LINE_RATE, place / LINE_RATE))
        else:
            self._utterance_start = self.played
        self._dry_since = None

    def _close_span(self, place: int) -> None:
        if self._span_start is not None:
            self.spans.append(PlayedSpan(self._span_start / LINE_RATE, place / LINE_RATE))
            self._span_start = None
            self._dry_since = None if self._ended else place

    def _flush(self) -> None:
        if self._resampler is not None:
            self._append(self._resampler.push(np.zeros(0, dtype=np.int16), last=True))
            self._resampler = None

    def _append(self, samples: Samples) -> None:
        if len(samples):
            samples.setflags(write=False)
            self._chunks.append(samples)
            self._buffered += len(samples)

    def _cut(self, count: int, lead: int) -> Samples:
        """Takes ``count`` samples out of the buffer into a frame, ``lead`` samples from its beginning."""
        self._buffered -= count
        first, head = self._chunks[0], self._head
        if count == FRAME_SAMPLES and len(first) - head >= count:
            frame = first[head : head + count]
            self._advance(count)
            return frame
        frame = np.zeros(FRAME_SAMPLES, dtype=np.int16)
        place = lead
        while place < lead + count:
            part = self._chunks[0][self._head : self._head + lead + count - place]
            frame[place : place + len(part)] = part
            place += len(part)
            self._advance(len(part))
        frame.setflags(write=False)
        return frame

    def _advance(self, count: int) -> None:
        self._head += count
        if self._head == len(self._chunks[0]):
            self._chunks.popleft()
            self._head = 0
