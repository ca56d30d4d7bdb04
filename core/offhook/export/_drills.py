"""The rows of a run of drills."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from offhook.records import LATE_LIMIT_MS
from offhook.runner import Damaged
from offhook.storage import StorageError, to_json

__all__ = ["drill_rows"]

Row = Mapping[str, Any]


def drill_rows(path: Path, what: str) -> tuple[list[Row], list[Damaged]]:
    """``drills`` or ``parts``. Raises StorageError if the run's manifest is malformed."""
    from offhook.drillrun import DrillFolder, DrillResult, read_drill_run

    folder = DrillFolder.open(path)
    summary = read_drill_run(folder)
    rows: list[Row] = []
    damaged: list[Damaged] = []

    def add(result: DrillResult) -> None:
        record, mark = result.record, result.mark
        if record is None:
            return
        identity = {
            "run": summary.manifest.run_id,
            "run_folder": str(path),
            "seed": record.run_seed,
            "platform": record.platform,
            "repeat": record.run,
            "attempt": record.attempt,
            "drill_id": record.drill_id,
            "drill": record.drill,
            "version": record.drill_version,
        }
        if what == "parts":
            for position, part in enumerate(mark.parts if mark is not None else ()):
                rows.append(
                    {
                        **identity,
                        "position": position,
                        "part": part.name,
                        "state": part.state.value,
                        "mark": float(part.mark),
                        "why": part.why,
                        "evidence": to_json(part.evidence),
                    }
                )
            return
        rows.append(
            {
                **identity,
                "state": result.state,
                "ending": record.ending,
                "mark": None if mark is None else float(mark.mark),
                "why": result.why,
                "seconds": record.seconds,
                "late_p99_ms": record.late.p99_ms,
                "latency_reliable": record.late.p99_ms <= LATE_LIMIT_MS,
                "cost_usd": record.cost_usd,
                "cost_basis": record.cost_basis,
                "started": record.wall.get("started", ""),
                "draw": to_json(record.draw),
                "numbers": to_json({} if mark is None else mark.numbers),
                "usage": to_json(record.usage),
                "session_errors": to_json(record.session_errors),
            }
        )

    for result in summary.results:
        if result.state == "missing":
            continue
        drill_id = result.planned.drill_id
        try:
            altered = folder.check_files(folder.record(drill_id))
        except StorageError as error:
            altered = (str(error),)
        if altered:
            damaged.append(Damaged(drill_id, "; ".join(altered)))
        else:
            add(result)
    return rows, damaged
