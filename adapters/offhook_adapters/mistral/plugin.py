"""Mistral as a plugin. Its parts are imported when the hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """A cascade of Mistral's parts, and the same wires against a local twin."""
    from offhook_adapters.mistral.adapter import MistralAdapter
    from offhook_adapters.twins.adapter import TwinAdapter

    vendor = MistralAdapter()
    return vendor, TwinAdapter(vendor, "mistral-twin")
