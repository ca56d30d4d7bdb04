"""Ears for a platform that transcribes whole utterances: the run's own detector finds the turns."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from offhook.audio import FRAME_SECONDS, Clip, Samples
from offhook.speech import VoiceActivityDetector
from offhook_adapters.cascade.parts import TurnListener
from offhook_adapters.reference.turns import Endpointer, Started, Stopped, TurnSettings

__all__ = ["EndpointedEars"]

Edge = Callable[[TurnListener], None]


class EndpointedEars:
    """Cuts the caller's sound into turns and has each transcribed, in their order.

    Args:
        vad: says how likely each frame is speech.
        transcribe: turns an utterance into words; raises PartFailed where it can't.
        turns: when a turn begins and ends.
    """

    def __init__(
        self,
        vad: VoiceActivityDetector,
        transcribe: Callable[[Clip], Awaitable[str]],
        turns: TurnSettings | None = None,
    ) -> None:
        self._turns = turns or TurnSettings()
        self._activity = vad.open()
        self._transcribe = transcribe
        self._endpointer = Endpointer(self._turns)
        self._edges: asyncio.Queue[Edge] = asyncio.Queue()
        self._clips: asyncio.Queue[Clip] = asyncio.Queue()
        self._insisted = False
        self._frames = 0

    def hear(self, frame: Samples) -> bool:
        now = self._frames * FRAME_SECONDS
        self._frames += 1
        match self._endpointer.push(frame, self._activity.push(frame), now):
            case Started():
                self._insisted = False
                self._edges.put_nowait(lambda listener: listener.caller_began())
            case Stopped() as stopped:
                self._edges.put_nowait(lambda listener: listener.caller_stopped())
                self._clips.put_nowait(stopped.clip)
        if not self._insisted and self._endpointer.voiced >= self._turns.barge_in:
            self._insisted = True
            self._edges.put_nowait(lambda listener: listener.caller_insists())
        return True

    async def run(self, listener: TurnListener) -> None:
        telling = asyncio.ensure_future(self._tell(listener))
        try:
            while True:
                clip = await self._clips.get()
                listener.caller_said(await self._transcribe(clip))
        finally:
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)

    async def _tell(self, listener: TurnListener) -> None:
        while True:
            (await self._edges.get())(listener)
