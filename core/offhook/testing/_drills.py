"""Holds a drill in a test, without a run folder and without a speech engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from offhook.clock import run_real, run_virtual
from offhook.drills import Drill, DrillMark, DrillRecord
from offhook.sessions import Adapter, Engines
from offhook.testing._engines import EnergyVad, HashEmbedder
from offhook.testing._modem import FakeListener, FakeVoice

if TYPE_CHECKING:
    from offhook.drillrun import DrillKit, Outcome, PlannedDrill

__all__ = ["DrillBroke", "fake_engines", "hold_drill"]


class DrillBroke(AssertionError):
    """The drill could not be held, or not be marked; the message has the traceback where there is one."""


def fake_engines(*voices: str) -> Engines:
    """Engines of real sound that are never wrong: a ``FakeVoice`` for each name (none: ``fake``), one
    ``FakeListener``, ``EnergyVad`` and ``HashEmbedder``.
    """
    ears = FakeListener()
    return Engines(
        voices={name: FakeVoice(name=name) for name in voices or ("fake",)},
        ears=ears,
        careful_ears=ears,
        vad=EnergyVad(),
        embedder=HashEmbedder(),
    )


def hold_drill(
    drill: Drill, adapter: Adapter, *, seed: int = 1, engines: Engines | None = None
) -> tuple[DrillRecord, DrillMark]:
    """Holds one drill with a platform and marks it: in virtual time where the platform can, else in real
    time. Nothing is written. Equal seeds, equal records but for ``wall``.

    Args:
        engines: what speaks and listens on our side, and is offered to the platform; ``fake_engines`` unless
            given, with a voice for each of the cast.

    Raises:
        DrillBroke: the platform refused, the drill raised or ran over its limit, or its mark makes no sense.
    """
    # Here, so that tests of everything else do not load the runner.
    from offhook.drillrun import BadMark, DrillKit, mark_of, plan_drills

    if engines is None:
        engines = fake_engines(*(f"fake-{place}" for place, _ in enumerate(drill.cast, start=1)))
    kit = DrillKit(adapter, engines, seed)
    planned = plan_drills([drill.name], platform=adapter.name, runs=1, seed=seed)[0]
    run = run_virtual if adapter.capabilities.virtual_time else run_real
    outcome = run(_held(drill, planned, kit))
    try:
        mark = mark_of(drill, outcome.record)
    except BadMark as error:
        raise DrillBroke(str(error)) from error
    if mark is None:
        raise DrillBroke(f"{outcome.record.ending}: {outcome.record.cause}\n{outcome.trace}".rstrip())
    return outcome.record, mark


async def _held(drill: Drill, planned: PlannedDrill, kit: DrillKit) -> Outcome:
    from offhook.drillrun import place_drill

    try:
        return await place_drill(drill, planned, kit, None)
    finally:
        await kit.deployments.close()
