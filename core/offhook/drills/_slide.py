"""The one curve that all timed marks share."""

from __future__ import annotations

import attrs

__all__ = ["Slide"]


@attrs.frozen
class Slide:
    """Marks for a time in seconds: 100 up to ``full``, then linear down to ``floor_mark`` at ``floor``,
    ``floor_mark`` up to and including ``limit`` (None: for ever), and 0 after it.

    Raises:
        ValueError: the bounds are not in order.
    """

    full: float
    floor: float
    limit: float | None = None
    floor_mark: float = 60.0

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.full < self.floor or (self.limit is not None and self.limit < self.floor):
            raise ValueError(f"a slide needs 0 <= full < floor <= limit, got {self}")

    def mark(self, seconds: float) -> float:
        """The mark for a time, 0..100."""
        if self.limit is not None and seconds > self.limit:
            return 0.0
        if seconds <= self.full:
            return 100.0
        if seconds >= self.floor:
            return self.floor_mark
        return 100.0 - (100.0 - self.floor_mark) * (seconds - self.full) / (self.floor - self.full)
