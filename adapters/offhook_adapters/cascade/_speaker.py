"""What the agent says, one utterance after another, and how much of it the caller has heard."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from typing import Final

from offhook.clock import sleep_until
from offhook.sessions import AgentAudio, Clear
from offhook_adapters.cascade.history import History, Message, heard_part
from offhook_adapters.cascade.parts import CascadeVoice, Sound
from offhook_adapters.wires.playback import Cut, Playback
from offhook_adapters.wires.stream import CallStream

__all__ = ["Speaker", "Utterance"]

# Sound that has just been played out may still be on the line.
_LAST_WORDS_SECONDS: Final = 0.2
# How fast speech is at the least, to know how much of an utterance is missing whose sound never came.
_LETTERS_A_SECOND: Final = 20.0
# Sound is passed on in pieces no longer than that: whoever plays it may have to resample it, and a sentence
# in one piece would hold the loop, and with it all other calls, for milliseconds.
_PIECE_SECONDS: Final = 0.5


class Utterance:
    """Something the agent says; its sentences come as the model writes them."""

    def __init__(self, name: str, message: Message) -> None:
        self.name = name
        self.message = message
        self.text = ""
        self.seconds = 0.0
        self.whole = False
        self.cut = False
        self._sentences: asyncio.Queue[str | None] = asyncio.Queue()

    def add(self, sentence: str) -> None:
        """One more sentence."""
        self.text += sentence
        self._sentences.put_nowait(sentence)

    def finish(self) -> None:
        """That was the last one."""
        self._sentences.put_nowait(None)

    async def sentences(self, told: Callable[[str], None]) -> AsyncIterator[str]:
        """Each sentence, told to ``told`` when the voice takes it."""
        while (sentence := await self._sentences.get()) is not None:
            told(sentence.strip())
            yield sentence

    def share(self, seconds: float) -> float:
        """How much of it so many seconds of its sound are, 0 to 1."""
        length = self.seconds if self.whole else max(self.seconds, len(self.text) / _LETTERS_A_SECOND)
        return seconds / length if length else 0.0


class Speaker:
    """Says utterances in their order. ``changed`` is told whenever it falls silent or begins."""

    def __init__(
        self, voice: CascadeVoice, stream: CallStream, history: History, changed: Callable[[], None]
    ) -> None:
        self._voice = voice
        self._stream = stream
        self._history = history
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._playback = Playback()
        self._queue: asyncio.Queue[Utterance] = asyncio.Queue()
        self._unsaid: deque[Utterance] = deque()
        self._spoken: dict[str, Utterance] = {}
        self._saying: asyncio.Task[None] | None = None
        self._cuts: deque[tuple[Cut, tuple[Utterance, ...]]] = deque()
        self._until = 0.0
        self._number = 0
        self.sounded = False

    @property
    def owes(self) -> bool:
        """Whether sound is still to come."""
        return bool(self._unsaid)

    def begin(self, message: Message) -> Utterance:
        """An utterance that follows on all before it."""
        self._number += 1
        utterance = Utterance(f"utterance-{self._number}", message)
        self._unsaid.append(utterance)
        self._queue.put_nowait(utterance)
        return utterance

    async def run(self) -> None:
        """Speaks until cancelled.

        Raises:
            PartFailed: the voice has failed.
        """
        try:
            while True:
                utterance = await self._queue.get()
                if not utterance.cut:
                    self._saying = asyncio.ensure_future(self._say(utterance))
                    await asyncio.wait({self._saying})
                    if not self._saying.cancelled():
                        self._saying.result()
                if utterance in self._unsaid:
                    self._unsaid.remove(utterance)
                self._changed()
        finally:
            if self._saying is not None:
                self._saying.cancel()
                await asyncio.gather(self._saying, return_exceptions=True)

    async def _say(self, utterance: Utterance) -> None:
        async with aclosing(self._voice.speak(utterance.sentences(self._stream.agent_said))) as sounds:
            async for sound in sounds:
                for piece in _pieces(sound):
                    if utterance.cut:
                        break
                    self._pass_on(utterance, piece)
                    # Whoever plays it gets a turn before the voice is asked for more.
                    await asyncio.sleep(0)
        utterance.whole = True

    def _pass_on(self, utterance: Utterance, sound: Sound) -> None:
        now, seconds = self._loop.time(), len(sound.samples) / sound.rate
        utterance.seconds += seconds
        self.sounded = True
        self._spoken[utterance.name] = utterance
        self._until = max(self._until, now) + seconds
        self._playback.add(utterance.name, 0, seconds, now)
        self._stream.emit(AgentAudio(sound.samples, sound.rate))
        self._changed()

    def interrupt(self) -> None:
        """The caller talks over the agent: what was not played is dropped."""
        cut = self._playback.cut(self._loop.time())
        unsaid = tuple(self._unsaid)
        if cut is None and not any(utterance.text for utterance in unsaid):
            return
        for utterance in unsaid:
            utterance.cut = True
        self._unsaid.clear()
        if self._saying is not None:
            self._saying.cancel()
        for utterance in unsaid:
            if not utterance.seconds:
                self._history.said(utterance.message, "")
        self._until = self._loop.time()
        if cut is not None:
            self._cuts.append((cut, unsaid))
            self._stream.emit(Clear())
        self._changed()

    def played(self, seconds: float) -> None:
        """How much of the current utterance was heard when it was cut off: the history holds no more."""
        if not self._cuts:
            return
        cut, unsaid = self._cuts.popleft()
        heard = {utterance: utterance.seconds for utterance in unsaid if utterance.seconds}
        for truncation in cut.truncations(seconds):
            heard[self._spoken[truncation.item_id]] = truncation.audio_end_ms / 1000
        for utterance, until in heard.items():
            part = heard_part(utterance.text, utterance.share(until))
            self._history.said(utterance.message, part.strip())

    async def drained(self) -> None:
        """Waits until all that was said has been played out."""
        while self._unsaid or self._loop.time() < self._until:
            if self._unsaid:
                await asyncio.sleep(0.02)
            else:
                await sleep_until(self._until)
        await asyncio.sleep(_LAST_WORDS_SECONDS)


def _pieces(sound: Sound) -> Iterator[Sound]:
    step = max(1, round(_PIECE_SECONDS * sound.rate))
    for start in range(0, len(sound.samples), step):
        yield Sound(sound.samples[start : start + step], sound.rate)
