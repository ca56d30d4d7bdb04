"""The follower's conversation: it asks, listens, repeats itself when asked to, and remembers what the caller
said.
"""

from __future__ import annotations

import re
from typing import Final

from offhook.packs import FollowerGuide
from offhook.spoken import parse_spoken
from offhook.values import ValueKind
from offhook_adapters.reference.minds._follower_words import asks_to_repeat, is_greeting
from offhook_adapters.reference.minds.desk import Attention, Desk, Utterance

__all__ = ["CallerSilent", "Conversation"]

_REPEATS: Final = 3
_SILENCES: Final = 1
_YES_NO_TRIES: Final = 3


class CallerSilent(Exception):
    """The caller answers nothing any more."""


class Conversation:
    """One call's talk. ``heard`` holds every turn of the caller with something in it, as last heard."""

    def __init__(self, desk: Desk, guide: FollowerGuide) -> None:
        self._desk = desk
        self._guide = guide
        self._heard: dict[int, Utterance] = {}
        self._asked = 0
        self._asides = list(guide.asides)
        self._due: list[str] = []

    @property
    def asked(self) -> int:
        """How many times a question was said so far."""
        return self._asked

    @property
    def heard(self) -> tuple[Utterance, ...]:
        """Oldest first."""
        return tuple(self._heard[index] for index in sorted(self._heard))

    async def tell(self, text: str) -> None:
        """Says something that wants no answer, after what the caller's last words call for."""
        for aside in self._due:
            await self._desk.say(aside)
        self._due.clear()
        await self._desk.say(text)
        self._note_overheard()

    async def ask(
        self, question: str, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance:
        """Says a question and returns the answer. A caller who is silent, or asks to hear it again, gets it
        again.

        Raises:
            CallerSilent: nothing came, twice.
        """
        silences = repeats = 0
        while True:
            self._asked += 1
            await self.tell(question)
            answer = await self._desk.listen(attention, expecting)
            if answer is None:
                silences += 1
                if silences > _SILENCES:
                    raise CallerSilent
                continue
            if not answer.text:
                return answer
            repeats += 1
            if repeats <= _REPEATS and (asks_to_repeat(answer.text) or is_greeting(answer.text)):
                continue
            self._heard[answer.index] = answer
            self._touched_on(answer.text)
            return answer

    async def addressed(self) -> Utterance:
        """The first words of a caller who is not greeted, however long they take to come."""
        while True:
            heard = await self._desk.listen()
            if heard is not None and heard.text:
                self._heard[heard.index] = heard
                self._touched_on(heard.text)
                return heard

    async def rehear(
        self, heard: Utterance, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> Utterance:
        """Listens to an earlier turn again; what it says now replaces what was noted."""
        again = await self._desk.rehear(heard, attention, expecting)
        if again.text:
            self._heard[again.index] = again
        return again

    async def yes_or_no(self, question: str) -> tuple[bool | None, Utterance]:
        """The answer to a yes-or-no question and the turn that held it; None where it stayed unclear.

        An unclear answer is heard again with careful ears, then the question is put again.
        """
        answer = await self.ask(question)
        for _ in range(_YES_NO_TRIES - 1):
            decided = yes_or_no(answer.text)
            if decided is None:
                answer = await self.rehear(answer, Attention.CAREFUL, ())
                decided = yes_or_no(answer.text)
            if decided is not None:
                return decided, answer
            answer = await self.ask(f"{self._guide.unclear} {question}")
        return yes_or_no(answer.text), answer

    def _touched_on(self, text: str) -> None:
        """Notes which asides are due: each is told once."""
        for aside in tuple(self._asides):
            if any(re.search(pattern, text, re.IGNORECASE) for pattern in aside.heard):
                self._asides.remove(aside)
                self._due.append(aside.say)

    def _note_overheard(self) -> None:
        for utterance in self._desk.overheard():
            if utterance.text:
                self._heard[utterance.index] = utterance


def yes_or_no(text: str) -> bool | None:
    parsed = parse_spoken(ValueKind.YES_NO, text)
    return None if parsed.value is None else parsed.value == "yes"
