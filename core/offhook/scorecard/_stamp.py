"""What a report says about the manifest behind it."""

from __future__ import annotations

from typing import Final

from offhook.records import RunManifest

__all__ = ["DRAFT", "stamp_of"]

DRAFT: Final = "draft"


def stamp_of(manifest: RunManifest) -> str:
    """The stamp of the frozen manifest that a run followed, or ``draft``: nothing is frozen."""
    return DRAFT if manifest.frozen is None else str(manifest.frozen)
