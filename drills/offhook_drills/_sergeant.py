"""What the drills share of the man who holds them, and of the marks they give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from offhook.drills import CastMember, DrillGround, DrillMark, DrillRecord, MarkPart, MarkState, SpokenLine

__all__ = ["CAST", "SERGEANT", "lines_for", "marked", "seconds", "settled", "unmarked"]

SERGEANT: Final = "Sergeant"
# Of the voices there are, these say single words most clearly: of 100 numbers from one to twenty-five the
# careful recogniser misread one, but ten of the plain male voice's and twenty-one of the slow one's.
CAST: Final = (CastMember(SERGEANT, ("us-female-heart-lower-slow", "us-female-heart-low")),)

_POLL_SECONDS: Final = 0.1


async def settled(ground: DrillGround, pause: float, longest: float = 12.0) -> None:
    """Waits ``pause`` seconds, and longer while the agent talks (it may have answered the order): until it
    has been quiet for half a second, ``longest`` seconds at most.
    """
    room = ground.room
    begin = room.now
    quiet_since = begin
    await room.sleep_until(begin + pause)
    if ground.agent_speaking:
        quiet_since = room.now
    while ground.agent_speaking or room.now - quiet_since < 0.5:
        if room.over or room.now - begin >= longest:
            return
        await room.sleep_until(room.now + _POLL_SECONDS)
        if ground.agent_speaking:
            quiet_since = room.now


def lines_for(record: DrillRecord, purpose: str) -> tuple[SpokenLine, ...]:
    """What the sergeant said for a purpose, in order."""
    return tuple(line for line in record.said if line.purpose == purpose)


def seconds(later: float, earlier: float) -> float:
    """A difference of two times, without the noise of floating point at the bounds of a rule."""
    return round(later - earlier, 6)


def marked(
    record: DrillRecord,
    version: str,
    mark: float,
    why: str,
    *,
    parts: Iterable[MarkPart] = (),
    numbers: Mapping[str, float] | None = None,
) -> DrillMark:
    """A measured drill's mark."""
    return DrillMark(
        record.drill, version, record.drill_id, mark, why, parts=tuple(parts), numbers=dict(numbers or {})
    )


def unmarked(
    record: DrillRecord, version: str, why: str, state: MarkState, *, parts: Iterable[MarkPart] = ()
) -> DrillMark:
    """The zero of a drill in which there was nothing to measure, or nothing to measure it with."""
    return DrillMark(record.drill, version, record.drill_id, 0.0, why, state, parts=tuple(parts))
