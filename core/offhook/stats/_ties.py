"""Which platforms their intervals can't tell apart."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from offhook.stats._intervals import Interval

__all__ = ["Standing", "standings"]


@attrs.frozen
class Standing:
    """A platform's place: ``ties`` are those whose intervals overlap its own, and its place among the
    measured ones lies between ``best_place`` and ``worst_place``. Without an interval it has neither (both
    are None): not measured."""

    name: str
    interval: Interval | None
    ties: tuple[str, ...]
    best_place: int | None
    worst_place: int | None

    @property
    def measured(self) -> bool:
        return self.interval is not None

    @property
    def place(self) -> str:
        """``1``, ``2-4``, or ``not measured``."""
        if self.best_place == self.worst_place:
            return "not measured" if self.best_place is None else str(self.best_place)
        return f"{self.best_place}-{self.worst_place}"


def standings(intervals: Mapping[str, Interval | None]) -> tuple[Standing, ...]:
    """Places by interval, higher being better, in the order given. Platforms whose intervals overlap are a
    tie. To overlap is not transitive: first and third may differ while both tie with the second, so each has
    its own list of ties instead of a shared place.

    Overlap is stricter than the interval of the difference (``newcombe``): intervals that do not overlap
    differ, some that overlap would differ too.
    """
    measured = {name: interval for name, interval in intervals.items() if interval is not None}
    found = []
    for name, interval in intervals.items():
        if interval is None:
            found.append(Standing(name, None, (), None, None))
            continue
        others = {other: its for other, its in measured.items() if other != name}
        ties = tuple(other for other, its in others.items() if its.overlaps(interval))
        above = sum(its.low > interval.high for its in others.values())
        found.append(Standing(name, interval, ties, 1 + above, 1 + above + len(ties)))
    return tuple(found)
