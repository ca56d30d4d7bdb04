"""The phone line of one call: 24 kHz mono each way, a frame every 20 ms, both sides taped on one clock.

Frame ``k`` covers line seconds ``[k * 0.02, (k + 1) * 0.02)``. What it carries is settled at its beginning:
what the caller or the platform gave the line by then. It is handed over at its end, when a phone would have
it whole: the caller's sound to the platform, the agent's to the caller's ears. Audio is placed by the clock,
whenever the event loop gets round to it, so stalls and bursts move nothing.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from typing import Any, Final, Protocol, runtime_checkable

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook._ends import CallerEnd, Cleared, FrameSink, PlatformEnd, Playout, SentSpan
from offhook._frame_clock import FrameClock
from offhook._playout import PlayedSpan, PlayoutBuffer, PlayoutMark, Underrun
from offhook._tape import AudioFileError, Tape, read_flac, write_flac
from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, Samples

__all__ = [
    "CLEAN",
    "AudioFileError",
    "AudioProfile",
    "CallerEnd",
    "CleanParameters",
    "CleanProfile",
    "Cleared",
    "FrameSink",
    "FrameTransform",
    "Line",
    "LineSetting",
    "LineTapes",
    "PlatformEnd",
    "PlayedSpan",
    "Playout",
    "PlayoutMark",
    "SentSpan",
    "Underrun",
    "read_flac",
    "write_flac",
]


@attrs.frozen
class LineSetting:
    """What an audio profile is told of the call it is opened for, and all it is told.

    ``noise_gain`` is the pack's factor for noise that was first set to the speech's level. ``speech_dbfs`` is
    the active level of the caller's voice (`offhook.levels.active_dbfs`), so that a profile can set the
    speech to a level of its own from the first frame on.
    """

    noise_gain: float = 0.8
    speech_dbfs: float = -20.0


class FrameTransform(Protocol):
    """An audio profile at work on one call."""

    def push(self, frame: Samples) -> Samples:
        """Takes the caller's next 20 ms and returns the 20 ms that the platform is sent instead: ``int16`` of
        shape ``(480,)`` each way. Frames come without a gap, silent ones too."""
        ...


@runtime_checkable
class AudioProfile(Protocol):
    """What lies between the caller's mouth and the platform: noise, a codec, a lossy network."""

    @property
    def name(self) -> str: ...

    @property
    def background(self) -> str:
        """What is heard behind the caller, in a word or two (``"road traffic"``); empty where nothing is."""
        ...

    @property
    def impairment(self) -> str:
        """What the line does to the sound (``"narrowband, packet loss"``); empty where nothing."""
        ...

    @property
    def parameters(self) -> Any:
        """A frozen attrs object with every number that shapes the sound; it is kept in ``run.json`` and
        pinned by ``offhook freeze``."""
        ...

    def open(self, rng: np.random.Generator, setting: LineSetting) -> FrameTransform:
        """A fresh transform with its own state; all its randomness comes from ``rng``. Equal ``rng`` and
        setting, equal sound, byte for byte.

        Raises:
            SpeechUnavailable: a package it needs is missing; the message says what to install.
        """
        ...


class _Unchanged:
    def push(self, frame: Samples) -> Samples:
        return frame


@attrs.frozen
class CleanParameters:
    """Nothing is changed, so nothing can be set."""


@attrs.frozen
class CleanProfile:
    """The platform is sent exactly what the caller says."""

    name: str = "clean"
    background: str = ""
    impairment: str = ""
    parameters: CleanParameters = attrs.field(factory=CleanParameters)

    def open(self, rng: np.random.Generator, setting: LineSetting) -> FrameTransform:
        return _Unchanged()


CLEAN: Final = CleanProfile()


@attrs.frozen(eq=False)
class LineTapes:
    """What happened on the line.

    ``stereo`` is ``int16`` of shape ``(n, 2)``: left what the platform was sent, right what was played of the
    agent. ``caller_clean`` of shape ``(n,)`` is the caller before the profile. ``lateness`` of shape
    ``(frames,)`` is how many seconds after its deadline each frame was handed over. ``ended_by`` is
    ``"caller"``, ``"platform"`` or, when the call broke off, ``"line"``.
    """

    stereo: NDArray[np.int16]
    caller_clean: Samples
    sent: tuple[SentSpan, ...]
    played: tuple[PlayedSpan, ...]
    clears: tuple[Cleared, ...]
    underruns: tuple[Underrun, ...]
    lateness: NDArray[np.float64]
    seconds: float
    ended_by: str


def silent_frame() -> Samples:
    """20 ms of silence, which nobody can write on."""
    frame = np.zeros(FRAME_SAMPLES, dtype=np.int16)
    frame.setflags(write=False)
    return frame


def profiled(profile: AudioProfile, transform: FrameTransform, frame: Samples) -> Samples:
    """What a profile makes of a frame.

    Raises:
        ValueError: it returned no frame.
        Exception: whatever it raised.
    """
    changed: Samples = np.array(transform.push(frame))
    if changed.shape != (FRAME_SAMPLES,) or changed.dtype != np.int16:
        raise ValueError(
            f"profile {profile.name!r} must return int16 frames of shape ({FRAME_SAMPLES},), "
            f"got {changed.dtype} of shape {changed.shape}"
        )
    changed.setflags(write=False)
    return changed


class Line:
    """The line of one call. ``run`` drives it; ``caller`` and ``platform`` are its ends.

    Args:
        profile: what lies between the caller and the platform.
        rng: the profile's randomness; only the clean profile goes without.
        setting: what the profile is told of the call.
        phase: seconds by which the first frame begins after ``run``, to stagger the ticks of parallel lines.
        jitter_buffer: seconds of agent audio to gather before an utterance is played, for platforms that send
            in real time over a jittery network; rounded up to whole frames.

    A profile may take a while to open; on a loop that other calls share, make the line in a thread.

    Raises:
        ValueError: a profile without ``rng``, or a negative duration.
        SpeechUnavailable: a package that the profile needs is missing.
    """

    def __init__(
        self,
        *,
        profile: AudioProfile = CLEAN,
        rng: np.random.Generator | None = None,
        setting: LineSetting | None = None,
        phase: float = 0.0,
        jitter_buffer: float = 0.0,
    ) -> None:
        if phase < 0 or jitter_buffer < 0:
            raise ValueError(f"phase and jitter_buffer can't be negative, got {phase} and {jitter_buffer}")
        self._transform: FrameTransform | None = None
        if not isinstance(profile, CleanProfile):
            if rng is None:
                raise ValueError(f"profile {profile.name!r} needs rng, a seeded generator")
            self._transform = profile.open(rng, setting or LineSetting())
        # Loads the resampling filter now; in the middle of a call that would be a stall.
        import offhook._polyphase  # noqa: F401

        self.profile: Final = profile
        self._phase = phase
        self._silence = silent_frame()
        self._left, self._right, self._clean = Tape(), Tape(), Tape()
        self._under_way: deque[tuple[Samples, Samples]] = deque()
        self._clock = FrameClock(self._settle, self._hand_over, self._finish)
        self._buffer = PlayoutBuffer(math.ceil(round(jitter_buffer / FRAME_SECONDS, 6)))
        self.caller: Final = CallerEnd(self._clock)
        self.platform: Final = PlatformEnd(self._clock, self._buffer)

    @property
    def now(self) -> float:
        """Line seconds since the call began; after its end, its length."""
        return self._clock.now

    @property
    def hung_up(self) -> bool:
        """Whether either side has hung up; the frame under way may still have to end."""
        return self._clock.hung_up

    @property
    def over(self) -> bool:
        """Whether the call has ended and its last frame is taped."""
        return self._clock.over

    async def run(self, *, beat: float | None = None) -> None:
        """Carries the call from its first frame until either side hangs up.

        Args:
            beat: where on the loop's clock the frames begin, in seconds modulo a frame, instead of ``phase``;
                lines that share a loop on different beats never tick together, whenever each began.

        Raises:
            RuntimeError: the line has carried a call before.
            Exception: whatever a sink or the profile raised; the line is over then.
        """
        phase = self._phase
        if beat is not None:
            phase = (beat - asyncio.get_running_loop().time()) % FRAME_SECONDS
        self._clock.start(phase)
        try:
            await self._clock.ended()
        finally:
            self._clock.finish()
        if self._clock.failure is not None:
            raise self._clock.failure

    async def ended(self) -> str:
        """Waits for the end of the call and returns who hung up, as in ``LineTapes.ended_by``."""
        return await self._clock.ended()

    def result(self) -> LineTapes:
        """Tapes and times of the call.

        Raises:
            RuntimeError: the call isn't over.
        """
        if not self.over:
            raise RuntimeError("the call isn't over; hang up and await Line.ended()")
        frames = self._clock.handed_over
        left = self._left.samples(frames)
        return LineTapes(
            stereo=np.stack((left, self._right.samples(frames)), axis=1),
            caller_clean=left if self._transform is None else self._clean.samples(frames),
            sent=tuple(self.caller._mouth.spans),
            played=tuple(self._buffer.spans),
            clears=tuple(self.platform.playout._clears),
            underruns=tuple(self._buffer.underruns),
            lateness=np.array(self._clock.lateness, dtype=np.float64),
            seconds=frames * FRAME_SECONDS,
            ended_by=self._clock.ended_by,
        )

    def _settle(self, index: int) -> None:
        said = self.caller._mouth.take(index)
        played = self._buffer.pull(index)
        if self._transform is not None:
            if said is not None:
                self._clean.write(index, said)
            said = profiled(self.profile, self._transform, self._silence if said is None else said)
        if said is not None:
            self._left.write(index, said)
        if played is not None:
            self._right.write(index, played)
        silence = self._silence
        self._under_way.append((silence if said is None else said, silence if played is None else played))

    def _hand_over(self, index: int) -> None:
        said, played = self._under_way.popleft()
        began = index * FRAME_SECONDS
        self.platform._input.hand(said, began)
        self.caller._ears.hand(played, began)
        self.caller._mouth.report()
        self.platform.playout._tell()

    def _finish(self) -> None:
        self._buffer.close(self._clock.handed_over)
        self.caller._mouth.cut()
        self.platform.playout._tell()
