"""Hugging Face as a plugin. Its parts are imported when the hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """A cascade of models on Hugging Face, and the same wires against a local twin."""
    from offhook_adapters.huggingface.adapter import HuggingFaceAdapter
    from offhook_adapters.twins.adapter import TwinAdapter

    vendor = HuggingFaceAdapter()
    return vendor, TwinAdapter(vendor, "huggingface-twin", lends_engines=True)
