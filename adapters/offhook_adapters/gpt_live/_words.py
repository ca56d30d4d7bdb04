"""Transcript fragments put together: the platform says when each was spoken, never that a turn is over."""

from __future__ import annotations

from offhook_adapters.gpt_live._duplex import HOLD_SECONDS

__all__ = ["Words"]


class Words:
    """One speaker's words since their last pause."""

    def __init__(self) -> None:
        self._text = ""
        self._end_ms = 0

    @property
    def text(self) -> str:
        return self._text.strip()

    def add(self, fragment: str, start_ms: int, end_ms: int) -> str:
        """Takes a fragment. Gives what was said before it where a pause lies between, else nothing."""
        before = self.take() if start_ms - self._end_ms > HOLD_SECONDS * 1000 else ""
        self._text += fragment
        self._end_ms = max(self._end_ms, end_ms)
        return before

    def take(self) -> str:
        """All that was said, which is then over."""
        text, self._text = self.text, ""
        return text
