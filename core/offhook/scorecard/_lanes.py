"""What all lanes share: whether a lane has enough to say."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from offhook.stats import Count

__all__ = ["LaneStatus", "counts_by", "lane_status", "percent"]


class LaneStatus(StrEnum):
    MEASURED = "measured"
    THIN = "thin"
    NOT_MEASURED = "not measured"


def lane_status(found: int, floor: int) -> LaneStatus:
    if not found:
        return LaneStatus.NOT_MEASURED
    return LaneStatus.THIN if found < floor else LaneStatus.MEASURED


def counts_by(pairs: Iterable[tuple[str, bool]]) -> dict[str, Count]:
    """``(passes, calls)`` of each name, from a name and whether it passed for every call; sorted by name."""
    found: dict[str, list[bool]] = {}
    for name, passed in pairs:
        found.setdefault(name, []).append(passed)
    return {name: (sum(found[name]), len(found[name])) for name in sorted(found)}


def percent(share: float) -> str:
    return f"{share * 100:.0f}%"
