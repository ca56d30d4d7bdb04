"""One drill, from joining to the files it leaves."""

from __future__ import annotations

import re
import secrets
import struct
import zlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import attrs

from offhook.audio import LINE_RATE
from offhook.clock import compute
from offhook.drillrun._hold import DrillParties, HeldDrill, hold
from offhook.drillrun._plan import PlannedDrill
from offhook.drillrun._records import drawn, held_record, missing, unheld_record
from offhook.drills import Drill, DrillRecord
from offhook.line import write_flac
from offhook.records import ComponentInfo, FileStamp
from offhook.room import AGENT_NAME
from offhook.runner._hold import CallRefused
from offhook.runner._streams import streams_of
from offhook.runner.deployments import Deployments
from offhook.sessions import Adapter, CallSetup, Engines, Pixels
from offhook.storage import file_stamp

__all__ = ["DrillKit", "Outcome", "place_drill", "tape_names"]

# Every drill takes place on the same invented day: what a platform is told must not differ between runs.
_DAY: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@attrs.frozen(eq=False)
class DrillKit:
    """What every drill of a run has in common."""

    adapter: Adapter
    engines: Engines
    seed: int
    options: Mapping[str, str] = attrs.field(factory=dict)
    deployments: Deployments = attrs.field(factory=Deployments)


@attrs.frozen
class Outcome:
    """The record, not yet written, and the traceback of what broke, if anything did."""

    record: DrillRecord
    trace: str = ""


async def place_drill(
    drill: Drill,
    planned: PlannedDrill,
    kit: DrillKit,
    scratch: Path | None,
    *,
    beat: float | None = None,
    components: tuple[ComponentInfo, ...] = (),
) -> Outcome:
    """Holds one drill and leaves its tapes and pictures in ``scratch`` (None: nowhere).

    The platform knows the meeting by a random alias, which the record keeps in ``wall``. A refusal is a
    ``void`` record, a platform that lacks an ability an ``unfit`` one.

    Raises:
        CallFailed: the agent could not be deployed.
        PlatformUnusable, SpeechUnavailable: no other drill would fare better.
        AudioFileError, OSError: the tapes can't be written.
        ValueError: the drill's cast or draw makes no sense.
    """
    empty = unheld_record(
        drill, planned, kit.adapter.name, seed=kit.seed, ending="unfit", cause="", components=components
    )
    lacking = missing(drill, kit.adapter)
    if lacking:
        return Outcome(attrs.evolve(empty, cause=lacking))
    draw = drawn(drill, planned, kit.seed)
    setup = CallSetup(
        call_id=secrets.token_hex(8),
        now=_DAY,
        rng=streams_of(kit.seed, planned.draw_id, "platform"),
        engines=kit.engines,
        options=kit.options,
    )
    parties = DrillParties(
        drill=drill,
        adapter=kit.adapter,
        setup=setup,
        engines=kit.engines,
        deployments=kit.deployments,
        draw=draw,
        rng=streams_of(kit.seed, planned.draw_id, "ground"),
        beat=beat,
    )
    try:
        held = await hold(parties)
    except CallRefused as error:
        return Outcome(attrs.evolve(empty, ending="void", cause=f"refused: {error}"))
    files = () if scratch is None else await compute(_written, held, scratch)
    record = held_record(empty, held, draw, files)
    return Outcome(attrs.evolve(record, wall={"alias": setup.call_id}), held.trace)


def tape_names(participants: Iterable[str]) -> Mapping[str, str]:
    """The file of each participant's tape. Names may hold anything; files are named safely, no two alike."""
    names: dict[str, str] = {}
    for who in sorted(set(participants)):
        base = re.sub(r"[^a-z0-9]+", "-", who.casefold()).strip("-")[:40] or "participant"
        count, name = 1, base
        while f"{name}.flac" in names.values():
            count += 1
            name = f"{base}-{count}"
        names[who] = f"{name}.flac"
    return names


def _written(held: HeldDrill, scratch: Path) -> tuple[FileStamp, ...]:
    if not held.tapes.seconds:
        return ()  # broke before the first frame
    for who, name in tape_names((*held.voices, AGENT_NAME)).items():
        write_flac(scratch / name, held.tapes.tracks[who], LINE_RATE)
    for sha256, pixels in held.tapes.pictures.items():
        (scratch / f"picture-{sha256[:24]}.png").write_bytes(_png(pixels))
    return tuple(file_stamp(path) for path in sorted(scratch.iterdir()) if path.is_file())


def _png(pixels: Pixels) -> bytes:
    """RGB, eight bits a channel, each row unfiltered."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + pixels[row].tobytes() for row in range(height))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
