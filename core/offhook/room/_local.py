"""The room in process: no network, exact times, on the ordinary or the virtual-time loop.

Frames, clock and playout are the phone line's; see ``offhook.line``. What the agent does besides talking is
seen at the far end at once.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import attrs
import numpy as np

from offhook._ends import FrameSink, Mouth, Playout, SentSpan, Sinks
from offhook._frame_clock import FrameClock
from offhook._playout import PlayoutBuffer
from offhook._tape import Tape
from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, Clip, Samples
from offhook.room._contract import ChatPost, RoomTapes
from offhook.room._happenings import EventSink, Happenings
from offhook.sessions import Media, Pixels

__all__ = ["AGENT_NAME", "LocalAgentSeat", "LocalRoom", "LocalSeat"]

AGENT_NAME: Final = "recruit"
"""What the agent under test is called, unless a room is given another name."""


@attrs.define(eq=False)
class _Track:
    """What arrives of one participant: taped, and handed to whoever listens."""

    tape: Tape = attrs.field(factory=Tape)
    sinks: Sinks = attrs.field(factory=Sinks)


class LocalSeat:
    """One of ours; see ``Seat``."""

    def __init__(self, name: str, clock: FrameClock, happenings: Happenings) -> None:
        self.name: Final = name
        self._clock = clock
        self._happenings = happenings
        self._mouth = Mouth(clock)

    async def say(self, clip: Clip) -> SentSpan:
        """Says a clip after those queued before it, beginning with the next frame; returns when its last
        frame is sent. The span is short and not ``complete`` where it was cut off, also by cancelling.
        """
        return await self._mouth.say(clip)

    def stop_saying(self) -> None:
        """Falls silent after the frame under way; what is queued is dropped."""
        self._mouth.stop()

    def post(self, text: str) -> ChatPost:
        """Posts to the call's chat; once the meeting is over, to nobody."""
        if self._clock.over:
            return ChatPost(self.name, text, self._clock.now)
        return self._happenings.post(self.name, text)

    def show(self, pixels: Pixels) -> None:
        """Sends one frame of this participant's camera, which the first frame switches on."""
        if not self._clock.over:
            self._happenings.switch(self.name, Media.CAMERA, True)
            self._happenings.show(self.name, Media.CAMERA, pixels)


class LocalAgentSeat:
    """Where a platform's session is plugged in; see ``AgentSeat``."""

    def __init__(self, name: str, clock: FrameClock, buffer: PlayoutBuffer, happenings: Happenings) -> None:
        self.playout: Final = Playout(clock, buffer)
        self.left_at: float | None = None
        self._name = name
        self._clock = clock
        self._happenings = happenings
        self._input = Sinks()

    @property
    def silent(self) -> bool:
        """Whether nothing is heard of the agent, whatever it says."""
        return self.left_at is not None or not self._happenings.state(self._name, Media.MICROPHONE)

    def on_frame(self, sink: FrameSink) -> Callable[[], None]:
        """Has each 20 ms frame of all others, mixed, handed to ``sink``. The returned function undoes it."""
        return self._input.add(sink)

    def on_event(self, sink: EventSink) -> Callable[[], None]:
        """Has what the others post and show handed to ``sink``, with the pixels of a frame."""
        own = self._name
        return self._happenings.add(lambda event, pixels: None if event.who == own else sink(event, pixels))

    def post(self, text: str) -> None:
        """Posts to the call's chat. Raises ValueError for no text, or more than a chat takes."""
        if self._here():
            self._happenings.post(self._name, text)

    def set_media(self, media: Media, on: bool) -> None:
        """Switches; a state already set is no change. Muting takes effect with the next frame."""
        if self._here():
            self._clock.settle()
            self._happenings.switch(self._name, media, on)

    def show(self, media: Media, pixels: Pixels) -> None:
        """Sends one frame of camera or screen; see ``AgentSeat.show`` for what is refused."""
        if self._here():
            self._happenings.show(self._name, media, pixels)

    def leave(self) -> None:
        """The agent has left, with the frame under way; its seat stays in the room, silent. Idempotent."""
        if self._here():
            self.playout.clear()
            self.left_at = self._clock.now

    def _here(self) -> bool:
        return self.left_at is None and not self._clock.over


class LocalRoom:
    """A meeting in process, with the shape of ``Room``.

    Args:
        others: names of our participants.
        agent_name: what the agent is called.
        jitter_buffer: seconds of agent audio held back at an utterance's start, for platforms that pace
            their own output.

    Raises:
        ValueError: a name that is empty or taken twice, or a negative jitter buffer.
    """

    def __init__(
        self, others: Iterable[str], *, agent_name: str = AGENT_NAME, jitter_buffer: float = 0.0
    ) -> None:
        names = (*others, agent_name)
        if len(set(names)) != len(names) or not all(names):
            raise ValueError(f"participants need different names, got {', '.join(map(repr, names))}")
        if jitter_buffer < 0:
            raise ValueError(f"jitter_buffer can't be negative, got {jitter_buffer}")
        # Loads the resampling filter now; in the middle of a meeting that would be a stall.
        import offhook._polyphase  # noqa: F401

        self.agent_name: Final = agent_name
        self._silence = np.zeros(FRAME_SAMPLES, dtype=np.int16)
        self._silence.setflags(write=False)
        self._tracks: Mapping[str, _Track] = {name: _Track() for name in names}
        self._under_way: deque[tuple[Samples, dict[str, Samples]]] = deque()
        self._clock = FrameClock(self._settle, self._hand_over, self._finish)
        self._buffer = PlayoutBuffer(math.ceil(round(jitter_buffer / FRAME_SECONDS, 6)))
        self._happenings = Happenings(names, lambda: self._clock.now, self._clock.fail)
        self._seats = {name: LocalSeat(name, self._clock, self._happenings) for name in names[:-1]}
        self.agent: Final = LocalAgentSeat(agent_name, self._clock, self._buffer, self._happenings)

    @property
    def now(self) -> float:
        """Room seconds since the first frame began; after the end, the meeting's length."""
        return self._clock.now

    @property
    def over(self) -> bool:
        """Whether the last frame is taped."""
        return self._clock.over

    @property
    def agent_left(self) -> bool:
        return self.agent.left_at is not None

    def seat(self, name: str) -> LocalSeat:
        """Raises KeyError where nobody of that name was invited."""
        return self._seats[name]

    def state(self, who: str, media: Media) -> bool:
        """Whether a medium is on now, as the far end sees it. Microphones start on, all else off."""
        return self._happenings.state(who, media)

    def on_track(self, who: str, sink: FrameSink) -> Callable[[], None]:
        """Has each frame that arrives of one participant handed to ``sink`` at its end, silence included.

        The returned function undoes it. An exception in a sink ends the meeting and comes out of ``run``.

        Raises:
            KeyError: there is no such participant.
        """
        return self._tracks[who].sinks.add(sink)

    def on_event(self, sink: EventSink) -> Callable[[], None]:
        """Has all that happens besides sound handed to ``sink`` as the far end sees it."""
        return self._happenings.add(sink)

    async def sleep_until(self, at: float) -> None:
        """Waits until a room second, also before the meeting has begun and beyond its end."""
        await self._clock.sleep_until(at)

    async def run(self, *, beat: float | None = None) -> None:
        """Carries the meeting from its first frame until ``close``.

        Args:
            beat: as in ``Line.run``.

        Raises:
            RuntimeError: the room has held a meeting before.
            Exception: whatever a sink raised; the room is over then.
        """
        phase = 0.0 if beat is None else (beat - asyncio.get_running_loop().time()) % FRAME_SECONDS
        self._clock.start(phase)
        try:
            await self._clock.ended()
        finally:
            self._clock.finish()
        if self._clock.failure is not None:
            raise self._clock.failure

    def close(self) -> None:
        """Ends the meeting with the frame under way. Idempotent."""
        self._clock.hang_up("room")

    async def ended(self) -> None:
        """Waits for the end of the meeting."""
        await self._clock.ended()

    def result(self) -> RoomTapes:
        """Tapes and times of the meeting.

        Raises:
            RuntimeError: the meeting goes on.
        """
        if not self.over:
            raise RuntimeError("the meeting isn't over; close it and await LocalRoom.ended()")
        frames = self._clock.handed_over
        happenings = self._happenings
        return RoomTapes(
            tracks={name: track.tape.samples(frames) for name, track in self._tracks.items()},
            said={name: tuple(seat._mouth.spans) for name, seat in self._seats.items()},
            played=tuple(self._buffer.spans),
            chat=tuple(happenings.chat),
            media=tuple(happenings.media),
            pictures_seen=tuple(happenings.pictures_seen),
            pictures=dict(happenings.pictures),
            lateness=tuple(self._clock.lateness),
            seconds=frames * FRAME_SECONDS,
            agent_left=self.agent.left_at,
        )

    def _settle(self, index: int) -> None:
        sounds: dict[str, Samples] = {}
        for name, seat in self._seats.items():
            said = seat._mouth.take(index)
            if said is not None:
                sounds[name] = said
        mix = _mixed(tuple(sounds.values()), self._silence)
        played = self._buffer.pull(index)  # plays on while muted: what is said then is lost
        if played is not None and not self.agent.silent:
            sounds[self.agent_name] = played
        for name, sound in sounds.items():
            self._tracks[name].tape.write(index, sound)
        self._under_way.append((mix, sounds))

    def _hand_over(self, index: int) -> None:
        mix, sounds = self._under_way.popleft()
        began = index * FRAME_SECONDS
        self.agent._input.hand(mix, began)
        for name, track in self._tracks.items():
            track.sinks.hand(sounds.get(name, self._silence), began)
        for seat in self._seats.values():
            seat._mouth.report()
        self.agent.playout._tell()

    def _finish(self) -> None:
        self._buffer.close(self._clock.handed_over)
        for seat in self._seats.values():
            seat._mouth.cut()
        self.agent.playout._tell()


def _mixed(sounds: tuple[Samples, ...], silence: Samples) -> Samples:
    """The sum, saturating; what one says alone passes unchanged."""
    if len(sounds) < 2:
        return sounds[0] if sounds else silence
    total = np.sum(np.stack(sounds), axis=0, dtype=np.int32)
    mix: Samples = np.clip(total, -32768, 32767).astype(np.int16)
    mix.setflags(write=False)
    return mix
