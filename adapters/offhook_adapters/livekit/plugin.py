"""LiveKit Agents as a plugin. Its parts are imported when the hook is called, LiveKit itself with a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """LiveKit around the policy follower, around a language model of the user's choice, and as the user's
    own agent in a process.
    """
    from offhook_adapters.livekit.adapter import LiveKitAdapter, LiveKitOpenAIAdapter
    from offhook_adapters.livekit.process import LiveKitProcessAdapter

    return (LiveKitAdapter(), LiveKitOpenAIAdapter(), LiveKitProcessAdapter())
