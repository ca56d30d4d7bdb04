"""One call on a cascade: who has the floor, what the model is asked, and what becomes of its answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Final

import attrs

from offhook.audio import Samples
from offhook.sessions import (
    AgentConfig,
    Cost,
    Ended,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
    UserSpeech,
)
from offhook_adapters.cascade._speaker import Speaker, Utterance
from offhook_adapters.cascade.history import History
from offhook_adapters.cascade.parts import (
    CascadeEars,
    CascadeVoice,
    ChatModel,
    Metered,
    PartFailed,
    Wanted,
    Words,
)
from offhook_adapters.cascade.sentences import Sentences
from offhook_adapters.wires.stream import CallStream, is_last

__all__ = ["CascadeSession", "Priced"]

# Rounds of tools without a word of the caller's in between.
_ROUNDS: Final = 12
# How long an answer waits for a caller who goes on talking: steady noise must not silence the agent.
_COURTESY_SECONDS: Final = 6.0
_REPEATED: Final = {"error": {"code": "repeated", "message": "a call of this id was made before"}}

Priced = Callable[[Mapping[str, float]], Cost]
"""What the metered quantities of a call cost."""


@attrs.define(eq=False)
class _Floor:
    """Whether the caller is talking, and what they have said that nobody has answered. ``unheard`` counts
    turns whose words are still to come, ``taken_at`` is when the caller took the floor.
    """

    talking: bool = False
    unheard: int = 0
    words: list[str] = attrs.field(factory=list)
    taken_at: float = 0.0

    @property
    def free(self) -> bool:
        return not self.talking and not self.unheard

    def began(self, now: float) -> None:
        if self.free:
            self.taken_at = now
        self.talking = True

    def take(self) -> str:
        said, self.words = " ".join(self.words), []
        return said


@attrs.define(eq=False)
class _Reply:
    """One answer of the model, as far as it has come."""

    text: str = ""
    calls: list[Wanted] = attrs.field(factory=list)
    done: bool = False
    failed: PartFailed | None = None


class CascadeSession:
    """A live call. The stream's ``close`` has to let go of the parts.

    Args:
        agent: what the agent is.
        stream: the call's event stream.
        ears: hear the caller.
        chat: thinks.
        voice: talks.
        priced: what the metered quantities cost.
    """

    def __init__(
        self,
        agent: AgentConfig,
        stream: CallStream,
        *,
        ears: CascadeEars,
        chat: ChatModel,
        voice: CascadeVoice,
        priced: Priced,
    ) -> None:
        self._agent = agent
        self._stream = stream
        self._ears = ears
        self._chat = chat
        self._priced = priced
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._floor = _Floor()
        self._history = History(agent.prompt)
        self._speaker = Speaker(voice, stream, self._history, self._changed)
        self._answers: dict[str, asyncio.Future[ToolResult]] = {}
        self._asking = False
        self._unmetered = False
        self._unnamed = 0
        self._leaving = ""

    def begin(self) -> None:
        """Takes the call."""
        self._stream.emit(Ready())
        for work in (self._ears.run(self), self._speaker.run(), self._converse()):
            self._stream.spawn(self._holding(work))

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if not self._stream.ended and not self._ears.hear(frame):
            self._stream.break_off("not_listening", "the platform has taken no audio for 10 s")

    def events(self) -> AsyncIterator[SessionEvent]:
        return self._stream.events()

    async def send_tool_result(self, result: ToolResult) -> None:
        """Hands a result back. After a tool that ends the call the agent's last words are played out and the
        session is over.
        """
        answer = self._answers.pop(result.id, None)
        if answer is not None and not answer.done():
            answer.set_result(result)

    def played(self, seconds: float) -> None:
        """Cuts what the model believes it said to what was heard."""
        self._speaker.played(seconds)

    async def hang_up(self) -> None:
        await self._stream.hang_up()

    async def fetch_record(self) -> PlatformRecord:
        """What happened during the call; no platform of this family keeps a record of its own."""
        return self._stream.record

    async def fetch_cost(self) -> Cost:
        """What was metered at the published prices; unknown where something was not metered or has none."""
        return Cost() if self._unmetered or self._asking else self._priced(self._stream.usage)

    # --- the caller's turns ---------------------------------------------------------------------------------

    def caller_began(self) -> None:
        self._floor.began(self._loop.time())
        self._stream.emit(UserSpeech(True))
        self._changed()

    def caller_insists(self) -> None:
        self._speaker.interrupt()

    def caller_stopped(self) -> None:
        self._floor.talking = False
        self._floor.unheard += 1
        self._stream.emit(UserSpeech(False))
        self._changed()

    def caller_said(self, text: str) -> None:
        self._floor.unheard = max(0, self._floor.unheard - 1)
        if text.strip():
            self._stream.caller_said(text)
            self._floor.words.append(text.strip())
        self._changed()

    # --- the agent's turns ----------------------------------------------------------------------------------

    async def _converse(self) -> None:
        if self._agent.greeting.strip():
            self._say(self._agent.greeting)
        while True:
            while not self._floor.words:
                await self._next_news(None)
            while not self._may_begin():
                await self._next_news(self._courtesy)
            self._history.caller(self._floor.take())
            await self._answer()

    def _say(self, text: str) -> None:
        message = self._history.agent()
        utterance = self._speaker.begin(message)
        utterance.add(text)
        utterance.finish()
        self._history.said(message, text)

    async def _answer(self) -> None:
        """Lets the model talk and use tools until it waits for the caller."""
        self._speaker.sounded = False
        for _ in range(_ROUNDS):
            if self._floor.words and self._floor.free:
                self._history.caller(self._floor.take())  # said while the tools were running
            reply = await self._think()
            if reply is None and not self._leaving:
                return  # the caller has said more, which is answered next
            calls = () if reply is None else tuple(reply.calls)
            if calls:
                await self._use(calls)
            if self._leaving and (self._speaker.sounded or self._speaker.owes or not calls):
                await self._speaker.drained()
                self._stream.end(Ended("agent", self._leaving))
                return
            if not calls:
                return
        self._stream.note("too_many_tools", f"the model called tools {_ROUNDS} times without waiting")

    async def _think(self) -> _Reply | None:
        """The model's next answer, spoken as it comes; None where the caller has cut it short."""
        reply, sentences, taken = _Reply(), Sentences(), 0
        utterance: Utterance | None = None
        self._asking = True
        self._owing()
        collecting = asyncio.ensure_future(self._collect(reply))
        try:
            while True:
                if self._cut_short(utterance):
                    return None
                if reply.failed is not None:
                    raise reply.failed
                if self._may_begin():
                    if utterance is None and reply.text.strip():
                        utterance = self._speaker.begin(self._history.agent())
                    if utterance is not None:
                        for sentence in sentences.push(reply.text[taken:]):
                            utterance.add(sentence)
                        taken = len(reply.text)
                    if reply.done:
                        break
                await self._next_news(self._courtesy)
            for sentence in sentences.rest():
                assert utterance is not None
                utterance.add(sentence)
        finally:
            collecting.cancel()
            self._asking = False
            if utterance is not None:
                utterance.finish()
                self._keep(utterance)
            self._owing()
        if reply.calls:
            message = self._history.agent() if utterance is None else utterance.message
            self._history.wants(message, reply.calls)
        return reply

    def _cut_short(self, utterance: Utterance | None) -> bool:
        """Whether the caller has taken the turn back. An agent that is leaving says what it has to say."""
        if utterance is not None and utterance.cut:
            return True
        return bool(self._floor.words) and not self._leaving

    def _keep(self, utterance: Utterance) -> None:
        """Writes down what was said, unless it was cut off: then how much was heard is told by the line."""
        if not utterance.cut:
            self._history.said(utterance.message, utterance.text.strip())

    @property
    def _courtesy(self) -> float | None:
        """Until when the agent keeps quiet for a caller who has the floor; None where it need not."""
        until = self._floor.taken_at + _COURTESY_SECONDS
        return None if self._floor.free or self._loop.time() >= until else until

    def _may_begin(self) -> bool:
        return self._courtesy is None

    async def _collect(self, reply: _Reply) -> None:
        metered = False
        try:
            pieces = self._chat.answer(self._history.messages, with_tools=not self._leaving)
            async with aclosing(pieces) as coming:
                async for piece in coming:
                    match piece:
                        case Words(text):
                            reply.text += text
                        case Wanted():
                            reply.calls.append(piece if piece.id else attrs.evolve(piece, id=self._own_id()))
                        case Metered(quantities):
                            metered = metered or bool(quantities)
                            self._stream.metered(quantities)
                    self._changed()
                    # A burst is read without ever waiting: the other calls must get a turn in between.
                    await asyncio.sleep(0)
        except PartFailed as error:
            reply.failed = error
        finally:
            self._unmetered = self._unmetered or not metered
            reply.done = True
            self._changed()

    def _own_id(self) -> str:
        """An id for a call whose server gave it none: nine letters and digits, as Mistral wants them."""
        self._unnamed += 1
        return f"call{self._unnamed:05d}"

    async def _use(self, calls: Sequence[Wanted]) -> None:
        """Has the tools run, all at once, and writes their results down in the order of the calls."""
        waiting: list[tuple[Wanted, asyncio.Future[ToolResult]]] = []
        for call in calls:
            answer: asyncio.Future[ToolResult] = self._loop.create_future()
            if self._stream.called(call.id, call.name, call.arguments):
                self._answers[call.id] = answer
            else:  # every call needs an answer, or the history is refused
                answer.set_result(ToolResult(call.id, call.name, 409, dict(_REPEATED)))
            waiting.append((call, answer))
        for call, answer in waiting:
            result = await answer
            output = json.dumps(dict(result.body), ensure_ascii=False, sort_keys=True)
            self._history.result(call, output)
            if is_last(result.name, result.status):
                self._leaving = result.name

    # --- waiting --------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self._news.set()
        self._owing()

    def _owing(self) -> None:
        """Starts the wait for the platform's next sign of life anew."""
        owes = self._asking or self._speaker.owes or bool(self._floor.unheard)
        self._stream.watch(owes)

    async def _next_news(self, deadline: float | None) -> None:
        self._news.clear()
        try:
            async with asyncio.timeout_at(deadline):
                await self._news.wait()
        except TimeoutError:
            return

    async def _holding(self, work: Awaitable[None]) -> None:
        """Ends the call where one of its parts fails, whatever the reason."""
        try:
            await work
        except PartFailed as error:
            self._stream.break_off(error.code, str(error))
        except Exception as error:  # a defect must end the call with its reason, not leave the line open
            self._stream.break_off("adapter_failed", f"{type(error).__name__}: {error}")
