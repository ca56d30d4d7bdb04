"""OpenAI GPT-Live as a plugin. Its parts are imported when the hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """OpenAI GPT-Live, and the same wire against a local twin with the reference platform behind it."""
    from offhook_adapters.gpt_live.adapter import GptLiveAdapter
    from offhook_adapters.twins.adapter import TwinAdapter

    vendor = GptLiveAdapter()
    return vendor, TwinAdapter(vendor, "gpt-live-twin")
