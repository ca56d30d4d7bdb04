"""What a room is to drills and to the runner, whatever carries it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

import attrs

from offhook.audio import Clip, Samples
from offhook.line import FrameSink, PlayedSpan, Playout, SentSpan
from offhook.sessions import Media, Pixels

__all__ = [
    "AgentSeat",
    "ChatPost",
    "MediaChange",
    "PictureSeen",
    "Room",
    "RoomEvent",
    "RoomTapes",
    "Seat",
]


@attrs.frozen
class ChatPost:
    """A message as it arrived in the call's chat."""

    who: str
    text: str
    at: float


@attrs.frozen
class MediaChange:
    """A microphone, camera or screen share seen to change, at the far end."""

    who: str
    media: Media
    on: bool
    at: float


@attrs.frozen
class PictureSeen:
    """A frame that arrived. ``sha256`` is over shape and pixels; ``changed`` says it differs from the one
    before it in its stream.
    """

    who: str
    media: Media
    at: float
    sha256: str
    changed: bool


RoomEvent = ChatPost | MediaChange | PictureSeen


@attrs.frozen(eq=False)
class RoomTapes:
    """What is left of a meeting. ``tracks`` holds one tape per participant, ``int16`` of shape ``(n,)``
    at the line's rate, all of one length; the agent's is what was played, silent while muted. ``said``
    are our spans by participant, ``played`` the agent's. ``pictures`` maps the hash of a frame that changed
    to its pixels, as far as there was room for them. ``lateness`` as in ``LineTapes``. ``agent_left`` is when
    the agent left, if it did.
    """

    tracks: Mapping[str, Samples]
    said: Mapping[str, tuple[SentSpan, ...]]
    played: tuple[PlayedSpan, ...]
    chat: tuple[ChatPost, ...]
    media: tuple[MediaChange, ...]
    pictures_seen: tuple[PictureSeen, ...]
    pictures: Mapping[str, Pixels]
    lateness: tuple[float, ...]
    seconds: float
    agent_left: float | None = None


class Seat(Protocol):
    """One of our participants. All times are room seconds."""

    @property
    def name(self) -> str: ...

    async def say(self, clip: Clip) -> SentSpan:
        """Says a clip after those queued before it; returns when its last frame is sent. The span is short
        and not ``complete`` where it was cut off.
        """
        ...

    def stop_saying(self) -> None:
        """Falls silent after the frame under way; what is queued is dropped."""
        ...

    def post(self, text: str) -> ChatPost:
        """Posts to the call's chat."""
        ...

    def show(self, pixels: Pixels) -> None:
        """Sends one frame of this participant's camera, which the first frame switches on."""
        ...


class AgentSeat(Protocol):
    """Where the platform's session is plugged in."""

    @property
    def playout(self) -> Playout: ...

    def on_frame(self, sink: FrameSink) -> Callable[[], None]:
        """Has each 20 ms frame of all others, mixed, handed to ``sink``. The returned function undoes it."""
        ...

    def on_event(self, sink: Callable[[RoomEvent, Pixels | None], None]) -> Callable[[], None]:
        """Has what the others post and show handed to ``sink``, with the pixels of a frame."""
        ...

    def post(self, text: str) -> None:
        """Posts to the call's chat.

        Raises:
            ValueError: no text, or more than a chat takes.
        """
        ...

    def set_media(self, media: Media, on: bool) -> None:
        """Switches; a state already set is no change. A muted microphone sends silence, and what is said
        into it is lost.
        """
        ...

    def show(self, media: Media, pixels: Pixels) -> None:
        """Sends one frame of camera or screen.

        Raises:
            ValueError: the camera or share is off, it is no picture medium, or the pixels are no frame.
        """
        ...

    def leave(self) -> None:
        """The agent has left. Its seat stays in the room, silent; its media states stay as they were."""
        ...


@runtime_checkable
class Room(Protocol):
    """A meeting under way."""

    @property
    def agent_name(self) -> str: ...

    @property
    def now(self) -> float: ...

    @property
    def over(self) -> bool: ...

    @property
    def agent_left(self) -> bool: ...

    @property
    def agent(self) -> AgentSeat: ...

    def seat(self, name: str) -> Seat:
        """Raises KeyError where nobody of that name was invited."""
        ...

    def state(self, who: str, media: Media) -> bool:
        """Whether a medium is on now, as the far end sees it. Microphones start on, all else off."""
        ...

    def on_track(self, who: str, sink: FrameSink) -> Callable[[], None]:
        """Has each frame that arrives of one participant handed to ``sink`` at its end, silence included."""
        ...

    def on_event(self, sink: Callable[[RoomEvent, Pixels | None], None]) -> Callable[[], None]:
        """Has all that happens besides sound handed to ``sink`` as the far end sees it."""
        ...

    async def sleep_until(self, at: float) -> None:
        """Waits until a room second; returns at once where that is past."""
        ...

    async def run(self) -> None:
        """Carries the meeting from its first frame until ``close``.

        Raises:
            Exception: whatever a sink raised; the room is over then.
        """
        ...

    def close(self) -> None:
        """Ends the meeting with the frame under way. Idempotent."""
        ...

    async def ended(self) -> None: ...

    def result(self) -> RoomTapes:
        """Raises RuntimeError while the meeting goes on."""
        ...
