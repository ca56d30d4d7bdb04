"""OpenAI Realtime as a plugin. Its parts are imported when the hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """OpenAI Realtime, and the same wire against a local twin with the reference platform behind it."""
    from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter
    from offhook_adapters.twins.adapter import TwinAdapter

    vendor = OpenAIRealtimeAdapter()
    # As long as the reference platform waits by itself.
    return vendor, TwinAdapter(vendor, "openai-twin", defaults={"idle_timeout_ms": "9000"})
