"""A call's history played to a fresh mind, up to the point where the mind goes on by itself."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from typing import Any, NoReturn

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.sessions import ToolResult
from offhook.speech import EngineInfo, SentenceEmbedder
from offhook.twins import Script
from offhook.values import ValueKind
from offhook_adapters.reference.completions_history import History, ToolDone, UserTurn, as_json
from offhook_adapters.reference.minds.desk import Attention, Desk, Mind, Utterance

__all__ = ["Answer", "NewCall", "RememberingEmbedder", "ScriptMind", "replay"]


@attrs.frozen
class NewCall:
    """A tool call to be made. ``arguments`` is JSON text, or the text that stands for none."""

    id: str
    name: str
    arguments: str


@attrs.frozen
class Answer:
    """What the mind says next, and the tools it calls with it. ``over`` is True when the mind has left."""

    text: str
    calls: tuple[NewCall, ...]
    over: bool


@attrs.frozen
class ScriptMind:
    """A script as a mind."""

    script: Script

    async def converse(self, desk: Desk) -> None:
        await self.script(desk)


@attrs.frozen
class RememberingEmbedder:
    """An embedder that computes each batch once: a replay asks again for all that its forerunners asked."""

    embedder: SentenceEmbedder
    _known: dict[tuple[str, ...], NDArray[np.float32]] = attrs.field(factory=dict, init=False)

    @property
    def name(self) -> str:
        return self.embedder.name

    @property
    def info(self) -> EngineInfo:
        return self.embedder.info

    def embed(self, sentences: tuple[str, ...]) -> NDArray[np.float32]:
        known = self._known.get(sentences)
        if known is None:
            known = self._known[sentences] = self.embedder.embed(sentences)
        return known


async def replay(mind: Mind, history: History, greeting: str) -> Answer:
    """Plays ``history`` to ``mind`` and returns what it does next. ``greeting`` is what the platform says by
    itself: the mind's own is left out once the call has begun.

    Raises: whatever the mind raises.
    """
    desk = _ReplayDesk(history, greeting)
    talking = asyncio.ensure_future(mind.converse(desk))
    due = asyncio.ensure_future(desk.due.wait())
    try:
        await asyncio.wait({talking, due}, return_when=asyncio.FIRST_COMPLETED)
        over = talking.done()
        if over:
            talking.result()
        return Answer(" ".join(desk.said), tuple(desk.calls), over)
    finally:
        talking.cancel()
        due.cancel()
        await asyncio.gather(talking, due, return_exceptions=True)


class _ReplayDesk:
    """The desk of one replay. ``said`` is what was said since the last thing of the history was taken up,
    ``calls`` the calls the history knows nothing of; ``due`` is set when the mind waits for what is to come.

    What the assistant's messages say is never compared: a platform cuts what was interrupted, and drops what
    it had prepared in vain.
    """

    def __init__(self, history: History, greeting: str) -> None:
        self.said: list[str] = []
        self.calls: list[NewCall] = []
        self.due = asyncio.Event()
        self._items = history.items
        self._digest = history.digest
        self._greeted = greeting.strip() if history.begun else ""
        self._at = 0
        self._used: set[int] = set()
        self._turns = 0
        self._waiting: list[Utterance] = []
        self._overheard: list[Utterance] = []

    async def say(self, text: str) -> None:
        greeted, self._greeted = self._greeted, ""
        if not text.strip() or text.strip() == greeted:
            return
        self._overheard += self._waiting
        self._waiting.clear()
        self.said.append(text.strip())

    async def listen(
        self, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance | None:
        while not self._waiting and self._at < len(self._items):
            item = self._items[self._at]
            self._at += 1
            if isinstance(item, UserTurn):
                self._waiting.append(self._heard(item))
        if not self._waiting:
            await self._for_ever()
        self.said.clear()
        return self._waiting.pop(0)

    async def rehear(
        self, heard: Utterance, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> Utterance:
        """No sound crosses this wire: what was heard stays as it was."""
        return heard

    def overheard(self) -> tuple[Utterance, ...]:
        told, self._overheard = tuple(self._overheard), []
        return told

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        given = as_json(arguments if isinstance(arguments, str) else dict(arguments))
        place = self._made(tool, given)
        if place is None:
            self._make(tool, arguments, given)
            await self._for_ever()
        self._used.add(place)
        self._pass(place)
        done = self._items[place]
        if not isinstance(done, ToolDone) or done.output is None:
            await self._for_ever()
        self.said.clear()
        return _result(done, done.output)

    def _pass(self, place: int) -> None:
        """Goes on behind a result. Turns the caller took before they were told anything of it wait."""
        while self._at < len(self._items):
            item = self._items[self._at]
            if self._at > place and not (isinstance(item, UserTurn) and item.meanwhile):
                return
            self._at += 1
            if isinstance(item, UserTurn):
                self._waiting.append(self._heard(item))

    def _made(self, tool: str, given: str) -> int | None:
        """Where in the history this call was made: the first one alike that is not used up, or else the next
        of the same tool, for the words it was made from may since have grown by some more.
        """
        same = [
            place
            for place, item in enumerate(self._items)
            if isinstance(item, ToolDone) and item.name == tool and place not in self._used
        ]
        for place in same:
            item = self._items[place]
            if isinstance(item, ToolDone) and item.arguments == given:
                return place
        return next((place for place in same if place >= self._at), None)

    def _make(self, tool: str, arguments: Mapping[str, Any] | str, given: str) -> None:
        """Calls made at the same time are one batch, which is whole after one more turn of the loop."""
        if not self.calls:
            asyncio.get_running_loop().call_soon(self.due.set)
        text = arguments if isinstance(arguments, str) else json.dumps(dict(arguments), default=str)
        named = as_json([len(self.calls), tool, given]).encode()
        call_id = f"call_{hashlib.sha256(self._digest + named).hexdigest()[:24]}"
        self.calls.append(NewCall(call_id, tool, text))

    async def _for_ever(self) -> NoReturn:
        if not self.calls:
            self.due.set()
        await asyncio.get_running_loop().create_future()
        raise AssertionError("nobody sets this")

    def _heard(self, turn: UserTurn) -> Utterance:
        utterance = Utterance(self._turns, turn.text, 1.0, Attention.QUICK)
        self._turns += 1
        return utterance


def _result(done: ToolDone, output: str) -> ToolResult:
    """The answer as a mind reads it. No status crosses the wire: a refusal is known by its ``error``."""
    body: Any = output
    for _ in range(3):  # some frameworks write the JSON of what is JSON already, or MCP's wrapping of it
        if isinstance(body, dict) and body.get("type") == "text" and isinstance(body.get("text"), str):
            body = body["text"]
        if isinstance(body, str):
            try:
                body = json.loads(body)
            except (ValueError, RecursionError):
                break
    if not isinstance(body, dict):
        body = {"output": output}
    return ToolResult(done.call_id, done.name, 400 if "error" in body else 200, body)
