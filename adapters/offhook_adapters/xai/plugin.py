"""xAI Grok Voice as a plugin. Its parts are imported when the hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """xAI Grok Voice, and the same wire against a local twin with the reference platform behind it."""
    from offhook_adapters.twins.adapter import TwinAdapter
    from offhook_adapters.xai.adapter import XaiAdapter

    vendor = XaiAdapter()
    # As long as the reference platform waits by itself.
    return vendor, TwinAdapter(vendor, "xai-twin", defaults={"idle_timeout_ms": "9000"})
