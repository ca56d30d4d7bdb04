"""Vapi as a plugin. Its parts are imported when the hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """Vapi, and the same wires against a local twin with the reference platform behind it."""
    from offhook_adapters.twins.adapter import RoutedTwinAdapter
    from offhook_adapters.vapi.adapter import VapiAdapter

    vendor = VapiAdapter()
    return vendor, RoutedTwinAdapter(vendor=vendor, name="vapi-twin", dialect=vendor.webhook)
