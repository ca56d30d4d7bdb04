"""Gradium as a plugin. Its parts are imported when the hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """A cascade around Gradium's parts, and the same wires against a local twin."""
    from offhook_adapters.gradium.adapter import GradiumAdapter
    from offhook_adapters.twins.adapter import TwinAdapter

    vendor = GradiumAdapter()
    return vendor, TwinAdapter(vendor, "gradium-twin")
