"""Holding one drill: the platform's session in a room, the drill that conducts it, and the far end's ear."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.clock import compute
from offhook.drillrun._agent import drill_agent
from offhook.drillrun._bridge import bridge
from offhook.drills import Drill, Ground, HeardSpeech, Moment, SpokenLine, cast_voices
from offhook.room import LocalRoom, RoomTapes
from offhook.runner._desk import SessionDesk, stop_tasks
from offhook.runner._hold import (
    accepted,
    deployed,
    fetched,
    sound_cost,
    stream_over,
)
from offhook.runner.deployments import Deployments
from offhook.sessions import Adapter, CallSetup, Cost, Engines, RngSource, Session
from offhook.speech import SpeechUnavailable
from offhook.storage import one_line

__all__ = ["DrillParties", "HeldDrill", "hold"]

# What a platform that paces its own sound over a network needs of it in hand.
_PACED_SECONDS: Final = 0.04


@attrs.frozen(eq=False)
class DrillParties:
    """Who takes part in one drill, and what each is given. ``draw`` is what was drawn, as read back from
    JSON; ``beat`` as in ``Line.run``.
    """

    drill: Drill
    adapter: Adapter
    setup: CallSetup
    engines: Engines
    deployments: Deployments
    draw: Mapping[str, Any]
    rng: RngSource
    beat: float | None = None


@attrs.frozen(eq=False)
class HeldDrill:
    """What is left of a drill. ``error`` is empty where it was held to its end, else says in one line what
    of ours broke; ``trace`` is for bug reports. ``voices`` are slots by name.
    """

    tapes: RoomTapes
    said: tuple[SpokenLine, ...]
    heard: tuple[HeardSpeech, ...]
    moments: tuple[Moment, ...]
    desk: SessionDesk
    failures: tuple[str, ...]
    cost: Cost
    voices: Mapping[str, str]
    error: str = ""
    trace: str = ""


@attrs.frozen
class _Broken:
    why: str
    trace: str = ""


async def hold(parties: DrillParties) -> HeldDrill:
    """Holds a drill. Whatever breaks in the middle of it, what was recorded until then is kept.

    Raises:
        CallRefused: the platform did not join.
        CallFailed: the agent could not be deployed.
        PlatformUnusable: the platform says that it will join no meeting at all.
        SpeechUnavailable: an engine or its weights are missing.
        ValueError: the drill's cast makes no sense.
    """
    drill = parties.drill
    paced = parties.adapter.capabilities.paced_output
    room = LocalRoom(
        (member.name for member in drill.cast),
        jitter_buffer=_PACED_SECONDS if paced else 0.0,
    )
    voices = cast_voices(drill.cast, parties.engines.voices)
    ground = Ground(room, draw=parties.draw, engines=parties.engines, rng=parties.rng, voices=voices)
    deployment = await deployed(parties.deployments, parties.adapter, drill_agent())
    session = await accepted(lambda: parties.adapter.connect(deployment, parties.setup))
    desk, stop_sending = bridge(session, room)
    broken = await _meet(parties, room, ground, desk, session)
    stop_sending()
    failures = list(await desk.tools.finish())
    cost = await fetched(session.fetch_cost, sound_cost, "cost", failures)
    return HeldDrill(
        tapes=await compute(room.result),
        said=tuple(sorted(ground.said, key=lambda line: line.start)),
        heard=ground.heard,
        moments=tuple(ground.moments),
        desk=desk,
        failures=tuple(failures),
        cost=cost or Cost(),
        voices={name: voice.name for name, voice in voices.items()},
        error=broken.why if broken else "",
        trace=broken.trace if broken else "",
    )


async def _meet(
    parties: DrillParties, room: LocalRoom, ground: Ground, desk: SessionDesk, session: Session
) -> _Broken | None:
    """The meeting from its first frame until both sides have left. Nothing of it goes on afterwards."""
    stream = asyncio.create_task(desk.run())
    leaving = asyncio.create_task(_leaves_with(stream, room), name="the agent's seat")
    listening = asyncio.create_task(ground.listen(), name="the recogniser")
    meeting = asyncio.create_task(room.run(beat=parties.beat), name="the room")
    conducting = asyncio.create_task(parties.drill.conduct(ground), name=f"drill {parties.drill.name}")
    try:
        broken = await _conducted(parties.drill, conducting, (leaving, listening, meeting))
        room.close()
        await room.ended()
        ground.finish()
        await asyncio.wait({listening})
        broken = broken or _failure_of(listening) or _failure_of(meeting)
        desk.tools.hung_up()
        await desk.shut(session)
        await stream_over(stream)
        return broken
    except BaseException:
        room.close()
        await desk.shut(session)  # a drill that failed on our side must not go on over there
        raise
    finally:
        if stream in await stop_tasks(conducting, stream, leaving, listening, meeting):
            desk.errors.append("platform did not stop")


async def _conducted(
    drill: Drill, conducting: asyncio.Task[None], beside: tuple[asyncio.Task[Any], ...]
) -> _Broken | None:
    """Until the drill returns, or something it needs breaks, or its time is up."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + drill.limit
    waiting: set[asyncio.Task[Any]] = {conducting, *beside}
    while not conducting.done():
        left = deadline - loop.time()
        done, waiting = await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        for task in done - {conducting}:
            broken = _failure_of(task)
            if broken is not None:
                return broken
        if not done:
            return _Broken(f"drill {drill.name} ran longer than its limit of {drill.limit:g} s")
    return _failure_of(conducting)


def _failure_of(task: asyncio.Task[Any]) -> _Broken | None:
    """How a task that has ended failed, if it did. Raises SpeechUnavailable where it did of that."""
    if task.cancelled():
        return _Broken(f"{task.get_name()} cancelled itself")
    error = task.exception()
    if error is None:
        return None
    if isinstance(error, SpeechUnavailable):
        raise error
    trace = "".join(traceback.format_exception(error))
    return _Broken(f"{task.get_name()} failed: {one_line(error)}", trace)


async def _leaves_with(stream: asyncio.Task[Any], room: LocalRoom) -> None:
    """Takes the agent out of the room once its session has ended and all it said has been heard."""
    await asyncio.shield(stream)
    await room.agent.playout.drained()
    room.agent.leave()
