"""The caller on a text line: the same mind and the same notes as on an audio line, without ears, voice or
pauses.
"""

from __future__ import annotations

from typing import Final

from offhook.callers import CallerBrief, CallerReport
from offhook.textline import TextCallerEnd
from offhook_caller.journal import CallerSettings, Journal
from offhook_caller.minds import AGENT_ENDED, GAVE_UP, TOO_LONG, CallerMind, Decision, Reply

__all__ = ["TextConversation"]

_LAST_BIT: Final = 1e-6
"""Sums of seconds are off by their last bit."""


class TextConversation:
    """One call. Use :meth:`run` once."""

    def __init__(
        self, brief: CallerBrief, line: TextCallerEnd, mind: CallerMind, settings: CallerSettings
    ) -> None:
        self._line = line
        self._mind = mind
        self._settings = settings
        self._journal = Journal(brief.task)
        self._quiet_since = 0.0

    async def run(self) -> CallerReport:
        """Converses until either side hangs up.

        Raises:
            MindUnavailable: the mind stopped answering.
        """
        try:
            because = await self._talk()
        finally:
            await self._mind.aclose()
        return self._journal.report(because)

    async def _talk(self) -> str:
        while not self._line.ended:
            if self._line.now >= self._settings.longest:
                return TOO_LONG
            heard = await self._line.hear(self._next_due() - self._line.now)
            if heard is not None:
                self._journal.hear(heard)
                self._quiet_since = heard.end
                because = await self._act(await self._think())
            else:
                because = await self._endure_silence()
            if because:
                return because
        return AGENT_ENDED

    async def _think(self) -> Decision:
        turn = self._journal.agent_turn
        if not self._journal.opened:
            return await self._mind.open(self._journal.state.after_agent(turn))
        return await self._mind.answer(turn, self._journal.state)

    async def _act(self, decision: Decision) -> str:
        if decision.reply is None:
            self._journal.stay_silent(decision)
        elif self._line.ended:
            self._journal.cut_off(decision, decision.reply, self._line.now)
            return AGENT_ENDED
        else:
            start, end = await self._line.say(decision.reply.spoken)
            self._journal.say(decision, decision.reply, start, end)
            self._quiet_since = end
        if decision.hang_up:
            await self._linger()
        return decision.hang_up

    def _next_due(self) -> float:
        settings = self._settings
        waits_for_hello = settings.hello != "" and not self._journal.hello_said
        due = self._quiet_since + (settings.hello_after if waits_for_hello else settings.abandon_after)
        return max(self._line.now, min(due, settings.longest))

    async def _endure_silence(self) -> str:
        quiet = self._line.now - self._quiet_since + _LAST_BIT
        if self._line.ended or self._line.now >= self._settings.longest:
            return ""
        if quiet >= self._settings.abandon_after:
            return GAVE_UP
        if self._settings.hello and not self._journal.hello_said and quiet >= self._settings.hello_after:
            reply = Reply(self._settings.hello, self._settings.hello, "silence")
            self._journal.hello(reply, *await self._line.say(reply.spoken))
        return ""

    async def _linger(self) -> None:
        if not self._line.ended:
            heard = await self._line.hear(self._settings.linger)
            if heard is not None:
                self._journal.hear(heard)
