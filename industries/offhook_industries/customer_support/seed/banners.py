"""The names under which Kestrel itself sells. Any other seller is on the Marketplace."""

from __future__ import annotations

from typing import Final

__all__ = ["BANNERS"]

BANNERS: Final = (
    "Kestrel",
    "Sound Harbor",
    "Bellwether Mobile",
    "Aurelian Audio",
    "Coastline Kitchen & Home",
    "Sagebrush Outdoor",
)
