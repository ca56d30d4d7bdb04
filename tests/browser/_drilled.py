"""A drill run to look at: one of everything that its page may have to show."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from offhook.drillrun import DrillOptions, carry_out_drills, new_drill_run, write_drill_page
from offhook.drills import CastMember, DrillGround, DrillMark, DrillRecord, MarkPart, MarkState
from tests.browser._world import ARABIC, LONG, MARKUP
from tests.core._drill_stand import Breaks, Repeat, Stand, needs_camera, stand_host

__all__ = ["make_drilled"]


@attrs.frozen
class Talkative(Repeat):
    """Goes on for a minute, with long names and hostile words, and gives the word back to nobody."""

    title: str = f"Talk {MARKUP} {ARABIC}"
    cast: tuple[CastMember, ...] = (CastMember("Sergeant"), CastMember("Quartermaster-General"))

    limit: float = 120.0

    async def conduct(self, ground: DrillGround) -> None:
        for number in range(20):
            line = await ground.say("Sergeant", ground.draw["word"], purpose="order")
            ground.moment("order_given", number=number, counting_heard_at=line.end, words=[LONG, MARKUP])
            await ground.room.sleep_until(3.0 * (number + 1))
        await ground.say("Quartermaster-General", LONG, purpose="dismissal")

    def mark(self, record: DrillRecord) -> DrillMark:
        evidence: Mapping[str, Any] = {
            "heard_from": 15.314583333333333,
            "latency_s": 0.5,
            "heard": LONG,
            "set_aside": [],
            "read": {"value": 2.0000001, "unit": None},
        }
        parts = (
            MarkPart("turn 1", 0.0, "another number", evidence=evidence),
            MarkPart("turn 2", 100.0, f"{ARABIC} {MARKUP}"),
            MarkPart(LONG, 0.0, LONG, state=MarkState.INSTRUMENT_FAULT),
        )
        numbers = {"latency_mean_s": 0.123456, "right": 1.0}
        return DrillMark(
            self.name, self.version, record.drill_id, 0.0, f"wrong: {LONG}", parts=parts, numbers=numbers
        )


def make_drilled(out: Path) -> None:
    """Holds a drill that passes, one that fails at length, one that can't be held and one that breaks; writes
    ``drills.html``.
    """
    drills = (
        Repeat("first"),
        Talkative("talkative", title=Talkative().title),
        needs_camera("camera"),
        Breaks("broken"),
    )
    run = new_drill_run(DrillOptions("obedient", out), stand_host(Stand(drills=drills)))
    summary = carry_out_drills(run, stop=threading.Event())
    write_drill_page(run.folder, summary, {drill.name: drill for drill in drills})
