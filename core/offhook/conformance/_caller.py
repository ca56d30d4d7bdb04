"""The caller's side of a check: it talks and hears over the line, and every wait of its has a deadline."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Final

from offhook.audio import Samples
from offhook.callers import CallerBrief, CallerReport
from offhook.clock import compute
from offhook.conformance._desk import GREETING
from offhook.conformance._result import Unmet
from offhook.conformance._tap import TappedSession
from offhook.drills import Ear, Stretch
from offhook.line import CallerEnd, SentSpan
from offhook.sessions import Clear, Ended, Engines, SessionError
from offhook.speech import ListenerHint, SpeechStyle

__all__ = ["OPENER", "KitCaller", "Live", "Talk", "words"]

OPENER: Final = "Please begin now."
_POLL_SECONDS: Final = 0.02
_QUIET_SECONDS: Final = 0.3
_HEARS_SECONDS: Final = 30.0


def words(text: str) -> str:
    """A text without case and punctuation, its words one blank apart."""
    return " ".join(re.findall(r"[\w']+", text.casefold()))


class Live:
    """A call under way, from the caller's end. ``stretches`` counts how often the agent sounded and
    fell silent, ``heard`` is what it said in those that had words; ``waiting`` is what the caller waits for.
    """

    def __init__(
        self, line: CallerEnd, session: TappedSession, engines: Engines, doing: Callable[[str], None]
    ) -> None:
        self.line = line
        self.session = session
        self.heard: list[str] = []
        self.waiting = "the caller's first step"
        self.stretches = 0
        self._engines = engines
        self._voice = engines.voices[min(engines.voices)]
        self._doing = doing
        self._ear = Ear(engines.vad.open(), lambda: _QUIET_SECONDS, self._closed)
        line.on_frame(self._frame)

    @property
    def heard_text(self) -> str:
        return words(" ".join(self.heard))

    async def opening(self, *, greets: bool) -> None:
        """Lets the agent greet, and says the first words."""
        if greets:
            await self.hears(GREETING)
        await self.say(OPENER)

    async def sounds(self, what: str, before: int = 0, seconds: float = _HEARS_SECONDS) -> None:
        """Waits until the agent has made a sound and fallen silent, whatever it was."""
        await self.until(f"to hear {what}", lambda: self.stretches > before, seconds)

    async def hears(self, text: str, seconds: float = _HEARS_SECONDS) -> None:
        """Waits until the agent has said a text, to its end."""
        wanted = words(text)
        await self.until(f"to hear {text!r}", lambda: wanted in self.heard_text, seconds)

    async def say(self, text: str) -> SentSpan:
        self.wait_for(f"its own words {text!r} to be sent")
        return await self.line.say(await compute(self._voice.speak, text, SpeechStyle()))

    async def until(self, what: str, holds: Callable[[], bool], seconds: float) -> None:
        """Waits until something holds.

        Raises:
            Unmet: it does not within some seconds.
        """
        self.wait_for(what)
        deadline = asyncio.get_running_loop().time() + seconds
        while not holds():
            if asyncio.get_running_loop().time() >= deadline:
                raise Unmet(f"the caller {what}", f"nothing of it within {seconds:g} s; {self.state}")
            await asyncio.sleep(_POLL_SECONDS)

    async def quiet(self, seconds: float) -> None:
        """Says nothing for a while."""
        self.wait_for(f"{seconds:g} s of its own silence to pass")
        await self.line.sleep_until(self.line.now + seconds)

    async def over(self, seconds: float, what: str = "the call to end") -> None:
        """Waits until the other side has hung up."""
        await self.until(what, lambda: self.line.hung_up, seconds)

    def wait_for(self, what: str) -> None:
        self.waiting = what
        self._doing(f"the caller: {what}")

    @property
    def state(self) -> str:
        """What the call has come to, in one line."""
        parts = [f"heard {' / '.join(self.heard)!r}"]
        if clears := self.session.of(Clear):
            parts.append(f"{len(clears)} Clear")
        parts += [f"{error.code}: {error.message}" for error in self.session.of(SessionError)]
        parts += [f"ended by {ended.by} ({ended.reason})" for ended in self.session.of(Ended)]
        return "; ".join(parts)

    def finish(self) -> None:
        """Hears what the end of the call cut off."""
        self._ear.finish()

    def _frame(self, frame: Samples, began: float) -> None:
        self._ear.push(frame)

    def _closed(self, stretch: Stretch) -> None:
        self.stretches += 1
        text = self._engines.ears.hear(self._ear.clip(stretch), ListenerHint()).text
        if text:
            self.heard.append(text)


Talk = Callable[[Live], Awaitable[None]]


class KitCaller:
    """A caller that does what a function does. ``problem`` is what it waited for in vain."""

    name = "conformance"
    virtual_time = True

    def __init__(
        self, talk: Talk, session: Callable[[], TappedSession], doing: Callable[[str], None]
    ) -> None:
        self._talk = talk
        self._session = session
        self._doing = doing
        self.live: Live | None = None
        self.problem: Unmet | None = None

    async def converse(self, brief: CallerBrief, line: CallerEnd) -> CallerReport:
        live = self.live = Live(line, self._session(), brief.engines, self._doing)
        talking = asyncio.ensure_future(self._talk(live))
        ended = asyncio.ensure_future(line.ended())
        await asyncio.wait({talking, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not talking.done():
            # whoever waits for the end itself gets to see it
            await asyncio.wait({talking}, timeout=5 * _POLL_SECONDS)
        agent_ended = line.hung_up
        if not talking.done():
            talking.cancel()
            self.problem = Unmet(f"the caller {live.waiting}", f"the call ended first; {live.state}")
        await asyncio.gather(talking, return_exceptions=True)
        ended.cancel()
        if not talking.cancelled() and (error := talking.exception()) is not None:
            if not isinstance(error, Unmet):
                raise error
            self.problem = error
        return CallerReport((), (), (), "agent_ended" if agent_ended else "satisfied")
