"""What a verifier checks about a call: small data classes, one a kind."""

from __future__ import annotations

import attrs

__all__ = ["Check"]


@attrs.frozen
class Check:
    """Something that must hold about a call. ``id`` is unique within its task."""

    id: str
    text: str
