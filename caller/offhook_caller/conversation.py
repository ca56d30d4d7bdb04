"""The caller on an audio line: listens, waits for its turn, speaks, hangs up.

The caller never barges in. The agent's turn is all it has said since the caller last spoke. Once it has
been silent for a drawn pause the mind's reply is said; if the agent makes itself heard before that, the
reply is dropped and the longer turn is thought about anew. Time is counted in frames, so the same line
gives the same call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import numpy as np

from offhook.audio import FRAME_SECONDS, Clip, Samples
from offhook.callers import AgentHeard, CallerBrief, CallerReport, CallerTurn
from offhook.clock import compute
from offhook.line import CallerEnd
from offhook.speech import ListenerHint, SpeechStyle
from offhook_caller.ears import Ear, Utterance
from offhook_caller.journal import CallerSettings, Journal
from offhook_caller.minds import AGENT_ENDED, GAVE_UP, TOO_LONG, CallerMind, Decision, Reply

__all__ = ["AudioConversation", "careful_style", "run_style"]

_LAST_BIT: Final = 1e-6
"""Sums of seconds are off by their last bit."""


def run_style(brief: CallerBrief, settings: CallerSettings) -> SpeechStyle:
    """The run's own tempo and pitch, drawn from the streams ``tempo`` and ``pitch``."""
    tempo = 1.0 + float(brief.rng("tempo").uniform(-settings.tempo, settings.tempo))
    pitch = float(brief.rng("pitch").uniform(-settings.pitch, settings.pitch))
    return SpeechStyle(round(tempo, 4), round(pitch, 3))


def careful_style(
    style: SpeechStyle, settings: CallerSettings, reply: Reply, turns: Sequence[CallerTurn]
) -> SpeechStyle:
    """How a reply is said: a careful one slower, and slower still each time the same words have to be said
    again, because equal sound would only be misheard equally.
    """
    if not reply.careful:
        return style
    again = min(2, sum(turn.spoken == reply.spoken for turn in turns))
    return SpeechStyle(round(style.tempo * settings.careful_tempo * (1 - 0.06 * again), 4), style.pitch)


class _Floor:
    """Who has the floor: feeds the ear and wakes the conversation when something changes or a time is
    reached.
    """

    def __init__(self, ear: Ear) -> None:
        self.ear = ear
        self._woken = asyncio.Event()
        self._until = 0.0

    @property
    def busy(self) -> bool:
        """Whether the agent speaks, is about to, or has said something not yet looked at."""
        return self.ear.stirring or self.ear.waiting

    def push(self, frame: Samples, began: float) -> None:
        changed = self.ear.push(frame, began)
        if changed or began + FRAME_SECONDS >= self._until:
            self._woken.set()

    def wake(self) -> None:
        self._woken.set()

    async def wait(self, until: float) -> None:
        """Returns when an utterance begins or ends, at line second ``until``, or when the line ends."""
        self._until = until
        self._woken.clear()
        await self._woken.wait()


class AudioConversation:
    """One call. Use :meth:`run` once.

    Raises:
        ValueError: the brief names a voice that the engines lack.
    """

    def __init__(
        self, brief: CallerBrief, line: CallerEnd, mind: CallerMind, settings: CallerSettings
    ) -> None:
        voice = brief.engines.voices.get(brief.voice)
        if voice is None:
            known = ", ".join(sorted(brief.engines.voices)) or "none"
            raise ValueError(f"there is no voice {brief.voice!r}; known: {known}")
        self._brief = brief
        self._voice = voice
        self._line = line
        self._mind = mind
        self._settings = settings
        self._journal = Journal(brief.task)
        self._floor = _Floor(Ear(brief.engines.vad.open()))
        self._style = run_style(brief, settings)
        self._pauses: np.random.Generator = brief.rng("pauses")
        self._pause: float | None = None
        self._decision: Decision | None = None
        self._quiet_since = 0.0

    async def run(self) -> CallerReport:
        """Converses until either side hangs up.

        Raises:
            MindUnavailable: the mind stopped answering.
            SpeechUnavailable: a speech engine is missing or damaged.
        """
        undo = self._line.on_frame(self._floor.push)
        ended = asyncio.ensure_future(self._line.ended())
        ended.add_done_callback(lambda _: self._floor.wake())
        try:
            because = await self._talk()
            if because == AGENT_ENDED:
                await self._hear_the_rest()
        finally:
            undo()
            ended.cancel()
            await self._mind.aclose()
        return self._journal.report(because)

    async def _talk(self) -> str:
        """The conversation; returns why it ended."""
        while not self._line.hung_up:
            if self._line.now >= self._settings.longest:
                self._journal.overdue(self._decision, self._line.now)
                return TOO_LONG
            await self._listen()
            if self._floor.busy:
                await self._floor.wait(self._settings.longest)
            elif self._journal.fresh:
                because = await self._take_turn()
                if because:
                    return because
            elif await self._endure_silence():
                return GAVE_UP
        return AGENT_ENDED

    async def _listen(self) -> None:
        """Makes words of the utterances that have ended."""
        for utterance in self._floor.ear.take():
            self._journal.hear(await self._understand(utterance))
            self._quiet_since = max(self._quiet_since, utterance.end)
            self._decision = None

    async def _understand(self, utterance: Utterance) -> AgentHeard:
        heard = await compute(self._brief.engines.careful_ears.hear, utterance.clip, ListenerHint())
        return AgentHeard(heard.text.strip(), round(utterance.start, 3), round(utterance.end, 3))

    async def _take_turn(self) -> str:
        """Answers the agent once it is the caller's turn; returns why the call is over, or nothing."""
        if self._decision is None:
            self._decision = await self._think()
            return ""  # listen again before acting: thinking takes real time on a real line
        due = self._quiet_since + self._drawn_pause() + self._more_likely()
        if self._line.now < due - FRAME_SECONDS / 2:
            await self._floor.wait(min(due, self._settings.longest))
            return ""
        return await self._act(self._decision)

    async def _think(self) -> Decision:
        turn = self._journal.agent_turn
        if not self._journal.opened:
            return await self._mind.open(self._journal.state.after_agent(turn))
        return await self._mind.answer(turn, self._journal.state)

    def _drawn_pause(self) -> float:
        if self._pause is None:
            self._pause = float(self._pauses.uniform(*self._settings.pause))
        return self._pause

    def _more_likely(self) -> float:
        asked = self._journal.agent_turn.rstrip().endswith("?")
        return 0.0 if asked else self._settings.patience

    async def _act(self, decision: Decision) -> str:
        if decision.reply is None:
            self._journal.stay_silent(decision)
            self._decision = None
            if decision.hang_up:
                await self._linger()
            return decision.hang_up
        clip = await self._voiced(decision.reply)
        if self._floor.busy or self._line.hung_up:
            return ""
        span = await self._line.say(clip)
        self._decision = None
        self._pause = None
        if not span.complete:
            self._journal.cut_off(decision, decision.reply, span.end)
            return ""
        self._journal.say(decision, decision.reply, span.start, span.end)
        self._quiet_since = span.end
        if decision.hang_up:
            await self._linger()
        return decision.hang_up

    async def _voiced(self, reply: Reply) -> Clip:
        style = careful_style(self._style, self._settings, reply, self._journal.turns)
        return await compute(self._voice.speak, reply.spoken, style)

    async def _endure_silence(self) -> bool:
        """Waits for the agent; says hello once; True when the caller has had enough."""
        settings, quiet = self._settings, self._line.now - self._quiet_since + _LAST_BIT
        if quiet >= settings.abandon_after:
            return True
        hello_due = settings.hello != "" and not self._journal.hello_said
        if hello_due and quiet >= settings.hello_after:
            await self._say_hello()
            return False
        until = self._quiet_since + (settings.hello_after if hello_due else settings.abandon_after)
        await self._floor.wait(min(until, settings.longest))
        return False

    async def _say_hello(self) -> None:
        reply = Reply(self._settings.hello, self._settings.hello, "silence")
        clip = await self._voiced(reply)
        if self._floor.busy or self._line.hung_up:
            return
        span = await self._line.say(clip)
        # The silence goes on: it began when somebody last spoke to somebody, and only the agent can end it.
        if span.complete:
            self._journal.hello(reply, span.start, span.end)

    async def _linger(self) -> None:
        """Stays on the line after the last word, so that the platform can hear it and the agent can say
        goodbye.
        """
        start = self._line.now
        until = start + self._settings.linger
        while not self._line.hung_up and self._line.now < until - FRAME_SECONDS / 2:
            if self._floor.ear.speaking:
                until = start + self._settings.linger_longest
            if self._floor.ear.waiting:
                await self._listen()
                return
            await self._floor.wait(until)
        await self._hear_the_rest()

    async def _hear_the_rest(self) -> None:
        self._floor.ear.finish()
        await self._listen()
