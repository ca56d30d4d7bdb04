"""The ground a drill is held on: our people speak through it, and it hears the agent as the far end does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from offhook.audio import LINE_RATE, Clip, Samples
from offhook.clock import compute
from offhook.drills._contract import HeardSpeech, Moment, SpokenLine
from offhook.drills._ear import Ear, Stretch, audible_part
from offhook.room import Room
from offhook.sessions import Engines, RngSource
from offhook.speech import ListenerHint, SpeechStyle, Voice
from offhook.storage import to_json

__all__ = ["HANG_OVER_SECONDS", "LONGEST_WAIT_SECONDS", "Ground"]

HANG_OVER_SECONDS: Final = 0.4
LONGEST_WAIT_SECONDS: Final = 30.0

# A second try at a short answer costs nothing that matters, and hears it better.
_HINT: Final = ListenerHint(beam=5)

T = TypeVar("T")


class Ground:
    """See ``DrillGround``. Whoever made it runs ``listen`` beside the drill and awaits ``finish`` after it.

    Args:
        draw: what was drawn, as it will be read back from a record.
        voices: a voice for each name of the cast.
    """

    def __init__(
        self,
        room: Room,
        *,
        draw: Mapping[str, Any],
        engines: Engines,
        rng: RngSource,
        voices: Mapping[str, Voice],
        hang_over: float = HANG_OVER_SECONDS,
    ) -> None:
        self.room: Final = room
        self.draw: Final = draw
        self.engines: Final = engines
        self.rng: Final = rng
        self.hang_over = hang_over
        self.said: list[SpokenLine] = []
        self.moments: list[Moment] = []
        self._voices = voices
        self._heard: list[HeardSpeech] = []
        self._failure: BaseException | None = None
        self._closed: asyncio.Queue[Stretch | None] = asyncio.Queue()
        self._waiters: list[asyncio.Future[None]] = []
        self._ear = Ear(engines.vad.open(), lambda: self.hang_over, self._closed.put_nowait)
        room.on_track(room.agent_name, self._hear)

    # --- ours ---------------------------------------------------------------------------------------

    def voice(self, who: str) -> Voice:
        """The voice of a cast member. Raises KeyError where nobody of that name was cast."""
        return self._voices[who]

    async def say(self, who: str, text: str, *, purpose: str, clip: Clip | None = None) -> SpokenLine:
        """Has a cast member say a line and returns when it has been sent. Cut off by cancelling, it counts
        from when it was asked for.
        """
        seat = self.room.seat(who)
        if clip is None:
            clip = await compute(self._voices[who].speak, text, SpeechStyle())
        sound = await compute(clip.at_rate, LINE_RATE)
        asked = self.room.now
        try:
            span = await seat.say(sound)
        except asyncio.CancelledError:
            self.said.append(SpokenLine(who, text, asked, self.room.now, purpose, complete=False))
            raise
        first, last = audible_part(sound.samples) or (0, len(sound.samples))
        start, end = span.start + first / LINE_RATE, span.start + last / LINE_RATE
        line = SpokenLine(who, text, min(start, span.end), min(end, span.end), purpose, span.complete)
        self.said.append(line)
        return line

    def stop_saying(self, who: str) -> None:
        """Cuts off what a cast member says, and drops what he was still to say."""
        self.room.seat(who).stop_saying()

    def moment(self, name: str, **data: Any) -> Moment:
        """Notes an instant, now. Raises TypeError or ValueError for data that is no JSON."""
        moment = Moment(name, self.room.now, json.loads(to_json(data)))
        self.moments.append(moment)
        return moment

    # --- the agent ----------------------------------------------------------------------------------

    @property
    def agent_speaking(self) -> bool:
        """Whether the agent is heard now; true until the hang-over after its last sound has passed."""
        return self._ear.speaking

    @property
    def heard(self) -> tuple[HeardSpeech, ...]:
        """What has been heard of the agent and recognised so far, oldest first."""
        return tuple(self._heard)

    async def next_heard(self, after: int, until: float) -> HeardSpeech | None:
        """See ``DrillGround.next_heard``."""
        if not await self._begun(after, until):
            return None
        longest = max(until, self._ear.now / LINE_RATE) + LONGEST_WAIT_SECONDS
        stretch = self._ear.stretches[after]
        if not await self._wait(lambda: True if stretch.closed else None, longest):
            return None
        return await self._wait(lambda: self._heard[after] if len(self._heard) > after else None, None)

    async def agent_starts(self, since: float, until: float) -> float | None:
        """See ``DrillGround.agent_starts``."""

        def sounding() -> Stretch | None:
            for stretch in self._ear.stretches:
                if stretch.end / LINE_RATE > since:
                    return stretch
            return None

        stretch = await self._wait(sounding, until)
        if stretch is None or stretch.start / LINE_RATE > until:
            return None
        return stretch.start / LINE_RATE

    async def _begun(self, after: int, until: float) -> bool:
        stretches = self._ear.stretches
        begun = await self._wait(lambda: True if len(stretches) > after else None, until)
        return bool(begun) and stretches[after].start / LINE_RATE <= until

    async def _wait(self, ready: Callable[[], T | None], until: float | None) -> T | None:
        """What ``ready`` returns, as soon as it is something; None once all sound before ``until`` has been
        heard and judged, or no more will come.
        """
        while True:
            if self._failure is not None:
                raise self._failure
            found = ready()
            if found is not None:
                return found
            if until is not None and self._heard_all_before(until):
                return None
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter

    def _heard_all_before(self, until: float) -> bool:
        sample = round(until * LINE_RATE)
        return self.room.over or (self._ear.now >= sample and not self._ear.undecided(sample))

    def _hear(self, frame: Samples, began: float) -> None:
        self._ear.push(frame)
        self._wake()

    def _wake(self) -> None:
        waiting, self._waiters = self._waiters, []
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)

    # --- whoever holds the drill --------------------------------------------------------------------

    async def listen(self) -> None:
        """Recognises each stretch in order; returns once ``finish`` was called and all are done.

        Raises:
            Exception: whatever the recogniser raised; a drill that waits is told, too.
        """
        while (stretch := await self._closed.get()) is not None:
            try:
                text = await compute(self._recognised, stretch)
            except Exception as error:
                self._failure = error
                self._wake()
                raise
            self._heard.append(text)
            self._wake()

    def finish(self) -> None:
        """The room is over: what was under way has ended, and ``listen`` returns with what is left."""
        self._ear.finish()
        self._closed.put_nowait(None)
        self._wake()

    def _recognised(self, stretch: Stretch) -> HeardSpeech:
        heard = self.engines.careful_ears.hear(self._ear.clip(stretch), _HINT)
        return HeardSpeech(heard.text, stretch.start / LINE_RATE, stretch.end / LINE_RATE, heard.confidence)
