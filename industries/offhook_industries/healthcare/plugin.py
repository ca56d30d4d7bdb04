"""The pack as a plugin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.packs import Pack

__all__ = ["offhook_industries"]


@hookimpl
def offhook_industries() -> Sequence[Pack]:
    from offhook_industries.healthcare.pack import build_pack

    return (build_pack(),)
