"""Pipecat as a plugin. Its parts are imported when the hook is called, Pipecat when a call needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """Pipecat on the policy follower, on a language model of the user's choice, and in a bot of their own."""
    from offhook_adapters.pipecat.adapter import PipecatAdapter, PipecatOpenAIAdapter
    from offhook_adapters.pipecat.process import PipecatProcessAdapter

    return (PipecatAdapter(), PipecatOpenAIAdapter(), PipecatProcessAdapter())
