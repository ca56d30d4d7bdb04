"""Evaluation slots and appointments as they are offered and read back."""

from __future__ import annotations

import sqlite3
from datetime import datetime

import attrs

from offhook.packs import ToolContext
from offhook_industries.common.saying import spoken_day, spoken_time

__all__ = ["Slot", "open_slots", "slot_of"]


@attrs.frozen
class Slot:
    """One evaluation: with whom, when, where, and whether it can still be had."""

    slot_id: str
    attorney_id: str
    attorney: str
    office: str
    starts_at: datetime
    status: str

    @property
    def day_spoken(self) -> str:
        return spoken_day(self.starts_at.date())

    @property
    def time_spoken(self) -> str:
        return spoken_time(self.starts_at.time())

    @property
    def place(self) -> str:
        return self.office if self.office == "by phone" else f"at the {self.office} office"

    @property
    def when(self) -> str:
        return f"{self.day_spoken}, at {self.time_spoken}"

    def facts(self) -> dict[str, str]:
        """What every result about a slot tells."""
        return {
            "slot_id": self.slot_id,
            "attorney_id": self.attorney_id,
            "attorney": self.attorney,
            "day_spoken": self.day_spoken,
            "time_spoken": self.time_spoken,
            "place": self.place,
            "spoken": f"{self.when}, with {self.attorney}, {self.place}",
        }


def slot_of(context: ToolContext, slot_id: str) -> Slot | None:
    row = context.db.execute(
        "SELECT * FROM evaluation_slots JOIN attorneys USING (attorney_id) WHERE slot_id = ?", (slot_id,)
    ).fetchone()
    return None if row is None else _slot(row)


def open_slots(context: ToolContext, matter_type: str, state: str, most: int) -> list[Slot]:
    """The earliest open slots with attorneys who practise that and are licensed there."""
    rows = context.db.execute(
        "SELECT evaluation_slots.*, name, office FROM evaluation_slots JOIN attorneys USING (attorney_id) "
        "JOIN attorney_states USING (attorney_id) JOIN attorney_areas USING (attorney_id) "
        "WHERE state = ? AND matter_type = ? AND status = 'open' AND starts_at > ? "
        "ORDER BY starts_at, slot_id LIMIT ?",
        (state, matter_type, context.now.isoformat(), most),
    ).fetchall()
    return [_slot(row) for row in rows]


def _slot(row: sqlite3.Row) -> Slot:
    return Slot(
        row["slot_id"],
        row["attorney_id"],
        row["name"],
        row["office"],
        datetime.fromisoformat(row["starts_at"]),
        row["status"],
    )
