"""The beat of a line: which frames have begun, which have ended, and when the call is over."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Callable
from typing import Final

from offhook.audio import FRAME_SECONDS
from offhook.clock import sleep_until

__all__ = ["FrameClock"]

# What happens at the very beginning of a frame still gets into it: a reaction to the frame before takes a few
# turns of the event loop but no time, and sums of seconds are off by their last bit. Timers, too, may fire
# early by the resolution of the loop's clock.
_GRACE: Final = 1e-6


class FrameClock:
    """Frame ``k`` covers line seconds ``[k * 0.02, (k + 1) * 0.02)``; all deadlines are absolute.

    ``settle(k)`` is called once frame ``k`` has begun and fixes what it carries, at the latest when the frame
    ends, and before anything that happens later can change it. ``hand_over(k)`` is called when it has ended.
    ``finish()`` is called once, at the end of the call. ``settled`` and ``handed_over`` count frames.
    """

    def __init__(
        self,
        settle: Callable[[int], None],
        hand_over: Callable[[int], None],
        finish: Callable[[], None],
    ) -> None:
        self.settled = 0
        self.handed_over = 0
        self.over = False
        self.ended_by = ""
        self.failure: BaseException | None = None
        self.lateness = array("d")
        self._settle_frame = settle
        self._hand_over_frame = hand_over
        self._finished = finish
        self._loop: asyncio.AbstractEventLoop | None = None
        self._start = 0.0
        self._last: int | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._begun = asyncio.Event()
        self._end = asyncio.Event()

    @property
    def now(self) -> float:
        """Line seconds since the first frame began; after the end, the call's length."""
        if self._loop is None:
            return 0.0
        if self.over:
            return self.handed_over * FRAME_SECONDS
        return max(0.0, self._loop.time() - self._start)

    @property
    def hung_up(self) -> bool:
        return self._last is not None

    def start(self, phase: float) -> None:
        """Lets the first frame begin ``phase`` seconds from now on the running loop."""
        if self._loop is not None:
            raise RuntimeError("a line carries one call; make a new Line")
        self._loop = asyncio.get_running_loop()
        self._start = self._loop.time() + phase
        self._timer = self._loop.call_at(self._start + FRAME_SECONDS, self._tick)
        self._begun.set()

    async def sleep_until(self, at: float) -> None:
        await self._begun.wait()
        await sleep_until(self._start + at)

    async def ended(self) -> str:
        await self._end.wait()
        return self.ended_by

    def hang_up(self, by: str) -> None:
        """Ends the call with the frame under way, or with the first."""
        if self._last is not None:
            return
        self.settle()
        self._last = max(1, self.settled)
        self.ended_by = by
        if self._loop is not None and self.handed_over >= self._last:
            self._loop.call_soon(self.finish)

    def settle(self) -> None:
        """Settles the frames that have begun. Whatever changes what a frame carries calls this first, so that
        nothing gets into a frame that began before it, however late the loop is with its ticks.
        """
        if self._loop is None or self.over:
            return
        now = self._loop.time() - _GRACE
        try:
            while self._start + self.settled * FRAME_SECONDS < now and self.settled != self._last:
                self._settle_next()
        except (Exception, SystemExit) as error:
            self.fail(error)

    def finish(self) -> None:
        """Ends the call at once. Frames under way are taped as far as they were settled."""
        if self.over:
            return
        if self._timer is not None:
            self._timer.cancel()
        if self._last is None:
            self.ended_by = "line"
        self.handed_over = self._last = self.settled
        self.over = True
        self._end.set()
        self._finished()

    def _settle_next(self) -> None:
        index = self.settled
        self.settled = index + 1
        self._settle_frame(index)

    def fail(self, error: BaseException) -> None:
        """Ends the call at once, because something that hangs on it raised."""
        if self.over:
            return
        self.failure = error
        self.ended_by = "line"
        self._last = self.settled
        self.finish()

    def _tick(self) -> None:
        """Hands over every frame that has ended, in order, and sets the timer for the end of the next."""
        try:
            self._hand_over_ended()
        except (Exception, SystemExit) as error:  # a plugin may even call sys.exit(), on a loop others share
            self.fail(error)

    def _hand_over_ended(self) -> None:
        loop = self._loop
        assert loop is not None
        while not self.over:
            index = self.handed_over
            deadline = self._start + (index + 1) * FRAME_SECONDS
            late = loop.time() - deadline
            if late < -_GRACE:
                self._timer = loop.call_at(deadline, self._tick)
                return
            if self.settled == index:
                self._settle_next()
            self.handed_over = index + 1
            self.lateness.append(late if late > 0.0 else 0.0)
            self._hand_over_frame(index)
            if self.handed_over == self._last:
                self.finish()
