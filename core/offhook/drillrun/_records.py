"""The record of one drill, made of what was held."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from numbers import Real
from typing import Any, Final

import attrs
import numpy as np

from offhook.drillrun._hold import HeldDrill
from offhook.drillrun._plan import PlannedDrill
from offhook.drills import Drill, DrillMark, DrillRecord, MarkPart, MarkState
from offhook.records import ComponentInfo, FileStamp, LateTicks
from offhook.sessions import Ability, Adapter
from offhook.storage import clean_text, from_json, is_safe_name, one_line, to_json
from offhook.streams import stream

__all__ = ["DRILL_RECORD_VERSION", "BadMark", "drawn", "held_record", "mark_of", "missing", "unheld_record"]

DRILL_RECORD_VERSION: Final = 1


class BadMark(Exception):
    """A drill's marking raised, or gave what is no mark; the message is one line."""


def drawn(drill: Drill, planned: PlannedDrill, seed: int) -> Mapping[str, Any]:
    """What a drill draws, as a record gives it back.

    Raises:
        ValueError: it is no JSON object.
    """
    draw = drill.draw(stream(seed, planned.draw_id, "draw"))
    try:
        plain = json.loads(to_json(draw))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"drill {drill.name} drew what is no JSON: {one_line(error)}") from error
    if not isinstance(plain, dict):
        raise ValueError(f"drill {drill.name} drew {type(draw).__name__}, expected a mapping")
    return plain


def missing(drill: Drill, adapter: Adapter) -> str:
    """Which abilities the platform lacks for a drill, in words; empty where it has them all."""
    lacking = sorted(Ability(need).value for need in drill.needs - adapter.capabilities.meeting)
    return f"{adapter.name} can't do it: it lacks {', '.join(lacking)}" if lacking else ""


def unheld_record(
    drill: Drill,
    planned: PlannedDrill,
    platform: str,
    *,
    seed: int,
    ending: str,
    cause: str,
    components: tuple[ComponentInfo, ...] = (),
) -> DrillRecord:
    """The record of a drill in which nothing happened."""
    return DrillRecord(
        version=DRILL_RECORD_VERSION,
        drill_id=planned.drill_id,
        drill=drill.name,
        drill_version=drill.version,
        platform=platform,
        run=planned.run,
        attempt=planned.attempt,
        run_seed=seed,
        ending=ending,
        cause=" ".join(clean_text(cause).split()),
        seconds=0.0,
        draw={},
        said=(),
        heard=(),
        moments=(),
        chat=(),
        media=(),
        pictures=(),
        agent_left=None,
        agent_transcripts=(),
        user_transcripts=(),
        session_errors=(),
        usage={},
        cost_usd=None,
        cost_basis="unknown",
        voices={},
        late=LateTicks(0.0, 0.0, 0.0),
        components=components,
        files=(),
    )


def held_record(
    empty: DrillRecord, held: HeldDrill, draw: Mapping[str, Any], files: tuple[FileStamp, ...]
) -> DrillRecord:
    """The record of a drill that was held, as far as it went."""
    desk, tapes = held.desk, held.tapes
    return attrs.evolve(
        empty,
        ending="error" if held.error else "completed",
        cause=held.error,
        seconds=tapes.seconds,
        draw=draw,
        said=held.said,
        heard=held.heard,
        moments=held.moments,
        chat=tapes.chat,
        media=tapes.media,
        pictures=tapes.pictures_seen,
        agent_left=tapes.agent_left,
        agent_transcripts=tuple(desk.agent.finals),
        user_transcripts=tuple(desk.user.finals),
        session_errors=(*desk.errors, *held.failures),
        usage=desk.usage,
        cost_usd=held.cost.usd,
        cost_basis=held.cost.basis,
        voices=held.voices,
        late=_late(tapes.lateness),
        files=files,
    )


def mark_of(drill: Drill, record: DrillRecord) -> DrillMark | None:
    """The mark of a drill: None where it was void or in error, as there is nothing to mark the platform by.

    Raises:
        BadMark: the drill could not mark it.
    """
    if record.ending == "unfit":
        return DrillMark(
            record.drill, drill.version, record.drill_id, 0.0, record.cause, MarkState.UNMEASURED
        )
    if record.ending != "completed":
        return None
    try:
        mark = _checked(drill.mark(record), drill, record)
        text = to_json(mark)
        text.encode("utf-8")
        from_json(text, DrillMark, source="the mark")  # or the stored one could not be read
    except _NoMark as error:
        raise BadMark(f"drill {drill.name} could not mark it: {one_line(str(error))}") from error
    except (Exception, SystemExit) as error:
        raise BadMark(f"drill {drill.name} could not mark it: {one_line(error)}") from error
    return mark


class _NoMark(Exception):
    """What is wrong with a mark."""


def _checked(mark: object, drill: Drill, record: DrillRecord) -> DrillMark:
    """The mark, its reasons on one line each. Raises _NoMark for what no report could rely on."""
    if not isinstance(mark, DrillMark):
        raise _NoMark(f"it marked with {type(mark).__name__}, expected DrillMark")
    for what, found, wanted in (
        ("drill", mark.drill, record.drill),
        ("version", mark.version, drill.version),
        ("drill_id", mark.drill_id, record.drill_id),
    ):
        if found != wanted:
            raise _NoMark(f"its mark has {what} {found!r}, expected {wanted!r}")
    if not is_safe_name(mark.version):
        raise _NoMark(f"no folder can be named after version {mark.version!r}")
    if not isinstance(mark.parts, tuple | list):
        raise _NoMark(f"its parts are {type(mark.parts).__name__}, expected a tuple")
    _check_points("its mark", mark)
    for part in mark.parts:
        if not isinstance(part, MarkPart) or not isinstance(part.name, str):
            raise _NoMark(f"{part!r} is no part with a name")
        _check_points(f"part {part.name}", part)
        if not isinstance(part.evidence, Mapping):
            raise _NoMark(f"part {part.name} has evidence {part.evidence!r}, expected a mapping")
    if mark.state is not MarkState.MEASURED and mark.mark != 0:
        raise _NoMark(f"{mark.state.value} has to be 0, but was marked {mark.mark:g}")
    if not isinstance(mark.numbers, Mapping):
        raise _NoMark(f"its numbers are {type(mark.numbers).__name__}, expected a mapping")
    for name, value in mark.numbers.items():
        if not isinstance(name, str) or not _is_number(value):
            raise _NoMark(f"number {name!r} is {value!r}, expected a finite number with a name")
    parts = tuple(attrs.evolve(part, why=_unbroken(part.why)) for part in mark.parts)
    return attrs.evolve(mark, why=_unbroken(mark.why), parts=parts)


def _check_points(what: str, marked: DrillMark | MarkPart) -> None:
    if not _is_number(marked.mark) or not 0 <= marked.mark <= 100:
        raise _NoMark(f"{what} is {marked.mark!r}, expected 0 to 100")
    if not isinstance(marked.state, MarkState):
        raise _NoMark(f"{what} has state {marked.state!r}, expected one of MarkState")
    if not isinstance(marked.why, str):
        raise _NoMark(f"{what} has why {marked.why!r}, expected a line of text")


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def _unbroken(text: str) -> str:
    return " ".join(text.split()) if len(text.splitlines()) > 1 or text.endswith(("\n", "\r")) else text


def _late(lateness: tuple[float, ...]) -> LateTicks:
    if not lateness:
        return LateTicks(0.0, 0.0, 0.0)
    p50, p99 = np.percentile(lateness, (50, 99)) * 1000
    return LateTicks(round(float(p50), 3), round(float(p99), 3), round(max(lateness) * 1000, 3))
