"""A meeting: several participants, one of them the agent under test, and the far end's view of what it does.

Two kinds of seats. Ours (``Seat``) speak, post and show; the agent's (``AgentSeat``) is where a platform's
session is plugged in. What is scored is what reaches the others: audio heard, frames received, messages that
arrived, media states seen; all with times in room seconds, which begin with the first 20 ms frame.

A transport is a class with the shape of ``Room``: in process (``LocalRoom``), or over a real network.
"""

from offhook.room._contract import (
    AgentSeat,
    ChatPost,
    MediaChange,
    PictureSeen,
    Room,
    RoomEvent,
    RoomTapes,
    Seat,
)
from offhook.room._local import AGENT_NAME, LocalAgentSeat, LocalRoom, LocalSeat

__all__ = [
    "AGENT_NAME",
    "AgentSeat",
    "ChatPost",
    "LocalAgentSeat",
    "LocalRoom",
    "LocalSeat",
    "MediaChange",
    "PictureSeen",
    "Room",
    "RoomEvent",
    "RoomTapes",
    "Seat",
]
