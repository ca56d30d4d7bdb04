"""A drill run as one HTML page: marks, parts, what was said and heard on a timeline, and its sound."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import attrs
import cattrs
import numpy as np
from numpy.typing import NDArray

from offhook.drillrun._folder import DrillFolder
from offhook.drillrun._one import tape_names
from offhook.drillrun._summary import DrillResult, DrillSummary
from offhook.drills import Drill, DrillRecord
from offhook.line import AudioFileError, read_flac
from offhook.report._html import asset, html_page
from offhook.report._sound import is_inside, opus
from offhook.room import AGENT_NAME
from offhook.storage import StorageError, write_text

__all__ = ["drill_page", "write_drill_page"]


def write_drill_page(
    folder: DrillFolder, summary: DrillSummary, drills: dict[str, Drill], *, audio: bool = True
) -> Path:
    """Writes ``drills.html`` into the run folder and returns its path.

    Args:
        drills: installed drills, for their titles; one that is gone is shown by its name.
        audio: put the sound into the page, as Opus: ours left, the agent right.

    Raises:
        StorageError: the page can't be written.
    """
    page = folder.path / "drills.html"
    text = drill_page(folder, summary, drills, audio=audio)
    try:
        write_text(page, text)
    except OSError as error:
        raise StorageError(f"cannot write {page}: {error.strerror or error}") from error
    return page


def drill_page(
    folder: DrillFolder,
    summary: DrillSummary,
    drills: dict[str, Drill],
    *,
    audio: bool = True,
    home: str = "",
) -> str:
    """The page as text; of a run that is not finished too.

    Args:
        drills: as for ``write_drill_page``.
        audio: as for ``write_drill_page``.
        home: the address of the list that the run is shown in; empty for a page that stands alone.
    """
    data = {
        "run": _run(summary),
        "drills": [_result(folder, result, drills, audio=audio) for result in summary.results],
        "home": home,
    }
    return html_page(
        title=f"{summary.manifest.run_id} · offhook drills",
        kind="drill report",
        data=data,
        script=asset("page.js", "offhook.drillrun"),
        style=asset("page.css", "offhook.drillrun"),
    )


def _run(summary: DrillSummary) -> dict[str, Any]:
    manifest = summary.manifest
    return {
        "id": manifest.run_id,
        "platform": manifest.platform,
        "seed": manifest.seed,
        "runs": manifest.runs,
        "harness_reference": manifest.harness_reference,
        "mean": summary.mean,
        "counts": dict(summary.counts),
        "damaged": list(summary.damaged),
        "started": manifest.wall.get("started", ""),
    }


def _result(
    folder: DrillFolder, result: DrillResult, drills: dict[str, Drill], *, audio: bool
) -> dict[str, Any]:
    record, mark, drill = result.record, result.mark, drills.get(result.planned.drill)
    return {
        "drill": result.planned.drill,
        "title": drill.title if drill else result.planned.drill,
        "measures": drill.measures if drill else "",
        "id": result.planned.drill_id,
        "run": result.planned.run,
        "state": result.state,
        "why": result.why,
        "late": result.late,
        "mark": mark.mark if mark else None,
        "parts": [cattrs.unstructure(part) for part in mark.parts] if mark else [],
        "numbers": dict(mark.numbers) if mark else {},
        "record": _told(record) if record else None,
        "sound": _sound(folder, record) if record and audio else "",
    }


def _told(record: DrillRecord) -> dict[str, Any]:
    return {
        "seconds": record.seconds,
        "agent": AGENT_NAME,
        "draw": dict(record.draw),
        "said": [attrs.asdict(line) for line in record.said],
        "heard": [attrs.asdict(stretch) for stretch in record.heard],
        "moments": [cattrs.unstructure(moment) for moment in record.moments],
        "chat": [attrs.asdict(post) for post in record.chat],
        "media": [cattrs.unstructure(change) for change in record.media],
        "pictures": len(record.pictures),
        "left": record.agent_left,
        "errors": list(record.session_errors),
        "claimed": [attrs.asdict(said) for said in record.agent_transcripts],
    }


def _sound(folder: DrillFolder, record: DrillRecord) -> str:
    """A data URI; empty where there are no tapes, or they can't be read."""
    try:
        stereo, rate = _stereo(folder.drill_folder(record.drill_id), record)
    except AudioFileError:
        return ""  # the summary names the file
    if not len(stereo):
        return ""
    return "data:audio/ogg;base64," + base64.b64encode(opus(stereo, rate)).decode("ascii")


def _stereo(place: Path, record: DrillRecord) -> tuple[NDArray[np.int16], int]:
    kept = {stamp.name for stamp in record.files}
    names = tape_names((*record.voices, AGENT_NAME))
    # a link may lead out of a run that somebody else made: it is no tape of this drill
    tapes = {
        who: read_flac(place / name)
        for who, name in names.items()
        if name in kept and is_inside(place / name, place)
    }
    if AGENT_NAME not in tapes:
        return np.zeros((0, 2), dtype=np.int16), 24_000
    agent, rate = tapes[AGENT_NAME]
    ours = np.zeros(len(agent), dtype=np.int32)
    for who, (samples, _) in tapes.items():
        if who != AGENT_NAME:
            count = min(len(ours), len(samples))
            ours[:count] += samples[:count]
    mixed = np.clip(ours, -32768, 32767).astype(np.int16)
    return np.stack((mixed, agent), axis=1), rate
