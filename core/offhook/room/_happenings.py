"""What happens in a meeting besides sound: its chat, its media states, its pictures."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from offhook.room._contract import ChatPost, MediaChange, PictureSeen, RoomEvent
from offhook.sessions import Media, Pixels
from offhook.storage import clean_text

__all__ = ["EventSink", "Happenings"]

EventSink = Callable[[RoomEvent, Pixels | None], None]
"""Takes an event and, with a picture, its pixels."""

# No meeting needs more; a platform gone wild must not fill the memory.
_POST_CHARACTERS: Final = 20_000
_POSTS: Final = 10_000
_SWITCHES: Final = 10_000
_PICTURES: Final = 100_000
_PICTURE_SIDE: Final = 4096
_KEPT_BYTES: Final = 256 * 1024 * 1024


class Happenings:
    """Logs events with their room seconds and hands them on.

    Args:
        now: the room's clock.
        fail: told what a sink raised. It is nothing that whoever posted should be told.
    """

    def __init__(
        self, names: Iterable[str], now: Callable[[], float], fail: Callable[[BaseException], None]
    ) -> None:
        self.chat: list[ChatPost] = []
        self.media: list[MediaChange] = []
        self.pictures_seen: list[PictureSeen] = []
        self.pictures: dict[str, Pixels] = {}
        self._on = {(name, Media.MICROPHONE) for name in names}
        self._last: dict[tuple[str, Media], str] = {}
        self._kept_bytes = 0
        self._now = now
        self._fail = fail
        self._sinks: tuple[EventSink, ...] = ()

    def add(self, sink: EventSink) -> Callable[[], None]:
        """Hands events to ``sink`` from now on; the returned function undoes it."""
        self._sinks = (*self._sinks, sink)

        def remove() -> None:
            remaining = list(self._sinks)
            if sink in remaining:
                remaining.remove(sink)
            self._sinks = tuple(remaining)

        return remove

    def state(self, who: str, media: Media) -> bool:
        return (who, media) in self._on

    def post(self, who: str, text: str) -> ChatPost:
        """Raises ValueError for what is no text, or more than a chat takes."""
        if not isinstance(text, str):
            raise ValueError(f"a chat post is {type(text).__name__}, expected text")
        if len(text) > _POST_CHARACTERS or len(self.chat) >= _POSTS:
            raise ValueError(f"the chat takes {_POSTS} posts of {_POST_CHARACTERS} characters, not more")
        post = ChatPost(who, clean_text(text), self._now())
        self.chat.append(post)
        self._tell(post, None)
        return post

    def switch(self, who: str, media: Media, on: bool) -> None:
        """Sets a state; one already set is no change and leaves no trace. Raises ValueError for more changes
        than a meeting takes.
        """
        if self.state(who, media) == on:
            return
        if len(self.media) >= _SWITCHES:
            raise ValueError(f"a meeting takes {_SWITCHES} changes of media, not more")
        if on:
            self._on.add((who, media))
        else:
            self._on.discard((who, media))
        change = MediaChange(who, media, on, self._now())
        self.media.append(change)
        self._tell(change, None)

    def show(self, who: str, media: Media, pixels: Pixels) -> None:
        """Takes one frame of a stream; the array is copied.

        Raises:
            ValueError: no picture medium, one that is off, or pixels that are no frame.
        """
        if media is Media.MICROPHONE:
            raise ValueError("a microphone shows no picture")
        if not self.state(who, media):
            raise ValueError(f"the {media.value} of {who} is off")
        if len(self.pictures_seen) >= _PICTURES:
            raise ValueError(f"a meeting takes {_PICTURES} frames, not more")
        frame = _checked(pixels)
        digest = hashlib.sha256(f"{frame.shape[0]}x{frame.shape[1]}:".encode())
        digest.update(frame.tobytes())
        sha256 = digest.hexdigest()
        changed = self._last.get((who, media)) != sha256
        self._last[who, media] = sha256
        if changed:
            self._keep(sha256, frame)
        seen = PictureSeen(who, media, self._now(), sha256, changed)
        self.pictures_seen.append(seen)
        self._tell(seen, frame)

    def _keep(self, sha256: str, frame: Pixels) -> None:
        if sha256 not in self.pictures and self._kept_bytes + frame.nbytes <= _KEPT_BYTES:
            self.pictures[sha256] = frame
            self._kept_bytes += frame.nbytes

    def _tell(self, event: RoomEvent, pixels: Pixels | None) -> None:
        try:
            for sink in self._sinks:
                sink(event, pixels)
        except (Exception, SystemExit) as error:
            self._fail(error)


def _checked(pixels: object) -> Pixels:
    array = np.array(pixels)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3:
        raise ValueError(f"a frame is uint8 of shape (height, width, 3), got {array.dtype} of {array.shape}")
    height, width, _ = array.shape
    if not (0 < height <= _PICTURE_SIDE and 0 < width <= _PICTURE_SIDE):
        raise ValueError(f"a frame has 1 to {_PICTURE_SIDE} pixels a side, got {width} x {height}")
    array.setflags(write=False)
    return array
