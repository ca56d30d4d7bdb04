"""The desk a mind sits at: how it talks, listens and uses tools, whether the line carries sound or text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol

import attrs

from offhook.sessions import AgentConfig, CallSetup, ToolResult
from offhook.values import ValueKind

__all__ = ["Attention", "Desk", "Mind", "MindError", "MindFactory", "Utterance"]


class Attention(StrEnum):
    """How hard to listen: with the fast recogniser, with the better one that is told what form of answer to
    expect, or with that one told otherwise, for a second opinion.
    """

    QUICK = "quick"
    CAREFUL = "careful"
    OTHERWISE = "otherwise"


@attrs.frozen
class Utterance:
    """One caller turn as it was heard. ``index`` counts the call's turns from 0; ``text`` is empty where
    there was sound but no words. ``confidence`` lies in 0..1 (1 on a text line).
    """

    index: int
    text: str
    confidence: float
    attention: Attention


class Desk(Protocol):
    """One call from the mind's side. Every method may be cancelled when the caller hangs up."""

    async def say(self, text: str) -> None:
        """Says a sentence or several. Returns once the words are on their way; what is said next follows on
        without a gap. A caller who is talking is let finish first.
        """
        ...

    async def listen(
        self, attention: Attention = Attention.QUICK, expecting: tuple[ValueKind, ...] = ()
    ) -> Utterance | None:
        """The caller's next turn that ends after the last ``say``; None when nothing came for long enough."""
        ...

    async def rehear(
        self, heard: Utterance, attention: Attention, expecting: tuple[ValueKind, ...]
    ) -> Utterance:
        """The same turn heard again with other ears. On a text line it is the same words."""
        ...

    def overheard(self) -> tuple[Utterance, ...]:
        """Turns that ended before the last ``say`` and so answer nothing, oldest first. Each is told once."""
        ...

    async def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Runs one tool and waits for its answer, refusals included. Text stands for arguments that are no
        JSON object.
        """
        ...


class MindError(Exception):
    """A mind cannot go on; the message is one line that says what to do."""


class Mind(Protocol):
    """What runs a call. Returning ends the call from the agent's side."""

    async def converse(self, desk: Desk) -> None:
        """Holds the conversation.

        Raises:
            MindError: it cannot go on.
        """
        ...


MindFactory = Callable[[AgentConfig, CallSetup], Mind]
