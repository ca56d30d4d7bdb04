"""The three parts of a cascade, as its session uses them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from typing import Any, Protocol

import attrs

from offhook.audio import Samples

__all__ = [
    "CascadeEars",
    "CascadeVoice",
    "ChatModel",
    "ChatPiece",
    "Metered",
    "PartFailed",
    "Sound",
    "TurnListener",
    "Wanted",
    "Words",
]


class PartFailed(Exception):
    """A part can't go on, and so neither can the call. The message is one line without secrets."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@attrs.frozen
class Words:
    """More of what the model says."""

    text: str


@attrs.frozen
class Wanted:
    """A tool call, complete; ``arguments`` is JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@attrs.frozen
class Metered:
    """What an answer used, by name; empty where the platform did not say."""

    quantities: Mapping[str, float]


ChatPiece = Words | Wanted | Metered


class ChatModel(Protocol):
    """A model that is handed the whole conversation each time."""

    def answer(
        self, messages: Sequence[Mapping[str, Any]], *, with_tools: bool
    ) -> AsyncGenerator[ChatPiece, None]:
        """What the model says next, as it comes. ``messages`` are those of Chat Completions. Without tools
        it can only talk.

        Raises:
            PartFailed: the model can't be reached, refused, or answered in another shape.
        """
        ...


class TurnListener(Protocol):
    """Who is told of the caller's turns."""

    def caller_began(self) -> None: ...

    def caller_insists(self) -> None:
        """They have talked for long enough to mean it: an agent that talks falls silent."""
        ...

    def caller_stopped(self) -> None:
        """The turn is over; its words follow."""
        ...

    def caller_said(self, text: str) -> None:
        """The words of the turn that stopped, all of them; empty where there were none."""
        ...


class CascadeEars(Protocol):
    """Streaming speech-to-text that finds the caller's turns."""

    def hear(self, frame: Samples) -> bool:
        """Takes one 20 ms frame at the line's rate and never waits. False when none was taken for 10 s."""
        ...

    async def run(self, listener: TurnListener) -> None:
        """Listens until cancelled.

        Raises:
            PartFailed: the platform is gone or can't be understood.
        """
        ...


@attrs.frozen(eq=False)
class Sound:
    """Some of an utterance."""

    samples: Samples
    rate: int


class CascadeVoice(Protocol):
    """Text-to-speech."""

    def speak(self, texts: AsyncIterator[str]) -> AsyncGenerator[Sound, None]:
        """The sound of one utterance, whose sentences come one after another. Closing the generator stops it.

        Raises:
            PartFailed: the platform is gone, refused, or can't be understood.
        """
        ...
