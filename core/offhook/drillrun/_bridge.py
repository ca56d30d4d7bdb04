"""A platform's session at the agent's seat of a room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from offhook.audio import Samples
from offhook.room import ChatPost, LocalAgentSeat, LocalRoom, PictureSeen, RoomEvent
from offhook.runner._desk import FAREWELL_SECONDS, MeetingEvent, SessionDesk, note_line, stop_tasks
from offhook.sessions import (
    AgentChat,
    AgentMedia,
    AgentPicture,
    Media,
    MeetingSession,
    Pixels,
    Session,
    ToolCall,
    ToolResult,
)
from offhook.storage import one_line

__all__ = ["bridge"]


def bridge(session: Session, room: LocalRoom) -> tuple[SessionDesk, Callable[[], None]]:
    """Sends the session what the others say, post and show, and gives the desk that takes what it does. The
    function returned stops the sending; a session that raises at it is sent nothing more.
    """
    desk = SessionDesk(session, _NoTools(session), _SeatSink(room.agent), lambda: room.now)

    def broke(error: BaseException) -> None:
        desk.note_break(error)
        stop()

    def feed(frame: Samples, began: float) -> None:
        try:
            session.send_audio(frame)
        except (Exception, SystemExit) as error:  # the drill goes on to its end: what was recorded is kept
            broke(error)

    def tell(event: RoomEvent, pixels: Pixels | None) -> None:
        try:
            if isinstance(session, MeetingSession):
                _tell(session, event, pixels)
        except (Exception, SystemExit) as error:
            broke(error)

    undo = (room.agent.on_frame(feed), room.agent.on_event(tell))

    def stop() -> None:
        for each in undo:
            each()

    return desk, stop


def _tell(session: MeetingSession, event: RoomEvent, pixels: Pixels | None) -> None:
    match event:
        case ChatPost(who, text):
            session.send_chat(who, text)
        case PictureSeen(who) if pixels is not None:
            session.send_picture(who, pixels)
        case _:
            pass  # no platform is told of others' switches


class _SeatSink:
    """Where a desk puts what the agent does."""

    def __init__(self, seat: LocalAgentSeat) -> None:
        self._seat = seat

    def audio(self, samples: Samples, rate: int) -> None:
        if self._seat.left_at is None:
            self._seat.playout.push(samples, rate)

    def clear(self) -> float:
        return self._seat.playout.clear().utterance_played

    def text(self, text: str) -> None:
        """Words are kept by the desk; the others hear sound only."""

    def meeting(self, event: MeetingEvent) -> None:
        """Raises ValueError for an event that makes no sense."""
        match event:
            case AgentChat(text):
                self._seat.post(text)
            case AgentMedia(media, on):
                if not isinstance(on, bool):
                    raise ValueError(f"AgentMedia.on is {type(on).__name__}, expected True or False")
                self._seat.set_media(Media(media), on)
            case AgentPicture(media, pixels):
                self._seat.show(Media(media), pixels)


class _NoTools:
    """Answers every tool call that there is none: an agent of a drill was given no tools."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._tasks: list[asyncio.Task[None]] = []
        self._called: list[str] = []

    def start(self, call: ToolCall) -> None:
        note_line(self._called, one_line(f"tool call {call.id}: {call.name}, of which a drill knows nothing"))
        error = {"code": "unknown_tool", "message": "this meeting has no tools"}
        result = ToolResult(call.id, call.name, 404, {"error": error})
        self._tasks.append(asyncio.create_task(self._answer(result)))

    def cancel(self, call_id: str) -> None:
        """Nothing is under way that could be taken back."""

    def hung_up(self) -> None:
        """There is nothing to close."""

    async def finish(self) -> tuple[str, ...]:
        """What was called, one line each. Answers that are not taken are not waited for any longer than a
        farewell.
        """
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FAREWELL_SECONDS)
        await stop_tasks(*self._tasks)
        return tuple(self._called)

    async def _answer(self, result: ToolResult) -> None:
        try:
            await self._session.send_tool_result(result)
        except SystemExit as error:
            raise RuntimeError(f"it called sys.exit({error.code!r})") from error
