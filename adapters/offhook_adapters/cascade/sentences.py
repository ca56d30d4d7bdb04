"""Text that comes in pieces, cut into sentences that can be spoken before the rest is there."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["Sentences"]

# A sentence ends at its mark when a blank and then no small letter follows; "Dr. Vasquez" and "No. 4" go on.
_END: Final = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bNo)[.!?][\"')\]]*\s+(?=[^\sa-z])"
)
_SHORTEST: Final = 24


class Sentences:
    """Gathers pieces. Nothing is lost: all that was given, joined, is what went in."""

    def __init__(self) -> None:
        self._text = ""

    def push(self, piece: str) -> list[str]:
        """The sentences that are whole by now. A short one stays with the next."""
        self._text += piece
        found: list[str] = []
        while (end := self._next()) is not None:
            found.append(self._text[:end])
            self._text = self._text[end:]
        return found

    def rest(self) -> list[str]:
        """What is left at the end of the text."""
        text, self._text = self._text, ""
        return [text] if text.strip() else []

    def _next(self) -> int | None:
        return next((at.end() for at in _END.finditer(self._text) if at.end() >= _SHORTEST), None)
