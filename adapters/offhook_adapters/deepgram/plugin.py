"""Deepgram's Voice Agent as a plugin. Its parts are imported when the hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """Deepgram Voice Agent, and the same wire against a local twin with the reference platform behind it."""
    from offhook_adapters.deepgram.adapter import DeepgramAdapter
    from offhook_adapters.twins.adapter import TwinAdapter

    vendor = DeepgramAdapter()
    return vendor, TwinAdapter(vendor, "deepgram-twin")
