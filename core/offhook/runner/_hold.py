"""Holding a call: the platform's session, the line and the caller, from connect until both have hung up.

What goes wrong before a call is connected is a refusal; a platform that breaks in the middle of one has
ended it, and what was recorded until then is graded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import attrs

from offhook._reach import reach_line
from offhook.audio import Samples
from offhook.callers import Caller, CallerBrief, CallerReport, ReadyCaller
from offhook.clock import compute
from offhook.line import Line, LineTapes
from offhook.platforms import PlatformUnusable
from offhook.runner._desk import (
    FAREWELL_SECONDS,
    MeetingEvent,
    SessionDesk,
    ToolDesk,
    finite,
    stop_tasks,
    within,
)
from offhook.runner._forward import ToolForwarder
from offhook.runner._route import RoutedTools, ToolRoute
from offhook.runner.conditions import LineSound
from offhook.runner.deployments import Deployments
from offhook.sessions import Adapter, AgentConfig, CallSetup, Cost, Deployment, Ended, PlatformRecord, Session
from offhook.speech import SpeechUnavailable
from offhook.storage import clean_text, one_line, to_json
from offhook.textline import TextAdapter, TextCaller, TextLine
from offhook.toolserver import ToolServer, agent_config

__all__ = [
    "CallFailed",
    "CallRefused",
    "Held",
    "LineClock",
    "NotPlaced",
    "Parties",
    "accepted",
    "deployed",
    "fetched",
    "hold_audio",
    "hold_text",
    "sound_cost",
    "stream_over",
]

T = TypeVar("T")

# Generous: past these nothing more is to be expected of a platform, and the run has to go on.
_DEPLOY_SECONDS: Final = 300.0
_CONNECT_SECONDS: Final = 60.0


class CallFailed(Exception):
    """A part of the harness raised, or the platform could not be set up. The message is one line."""


class NotPlaced(CallFailed):
    """The platform was not yet asked for the call, so it costs nothing."""


class CallRefused(CallFailed):
    """The platform never accepted the call."""


class LineClock:
    """Line seconds for the tool server, which exists before the line does."""

    def __init__(self) -> None:
        self.line: Line | TextLine | None = None

    def now(self) -> float:
        return self.line.now if self.line is not None else 0.0


@attrs.frozen(eq=False)
class Parties:
    """Who takes part in one call, and what each is told. ``call_id`` is the call's own id, which only the
    harness knows; ``beat`` is where on the loop's clock its line ticks (None: wherever it begins);
    ``sound`` is what the line does to what the caller says; ``route`` is there for a platform that reaches
    the tools by itself.
    """

    call_id: str
    adapter: Adapter
    caller: Caller
    setup: CallSetup
    brief: CallerBrief
    server: ToolServer
    token: str
    clock: LineClock
    deployments: Deployments
    beat: float | None = None
    sound: LineSound = attrs.field(factory=LineSound)
    route: ToolRoute | None = None


@attrs.frozen
class Held:
    """What is left once both sides have hung up. ``tapes`` is None on a text line, ``record`` where the
    platform keeps none.
    """

    report: CallerReport
    desk: SessionDesk
    ended: Ended
    seconds: float
    tapes: LineTapes | None
    failures: tuple[str, ...]
    cost: Cost
    record: PlatformRecord | None


async def hold_audio(parties: Parties) -> Held:
    """Holds a call over sound.

    Raises:
        CallRefused: the platform did not take the call.
        CallFailed: the agent could not be deployed, or the caller raised.
        PlatformUnusable: the platform says that it will take no call at all.
        SpeechUnavailable: an engine or its weights are missing.
    """
    deployment = await _deploy(parties)
    await _caller_ready(parties)
    # before the platform picks up, and beside the loop: noise may take a moment to make
    line = await compute(_line, parties)
    session = await accepted(lambda: parties.adapter.connect(deployment, parties.setup))
    parties.clock.line = line
    desk = _desk(parties, session, _AudioSink(line))

    def feed(frame: Samples, began: float) -> None:
        try:
            session.send_audio(frame)
        except SpeechUnavailable:
            raise
        except (Exception, SystemExit) as error:  # the line goes on to its end: what was recorded is kept
            desk.note_break(error)
            stop_feeding()
            line.platform.hang_up()

    stop_feeding = line.platform.on_frame(feed)
    running = asyncio.create_task(line.run(beat=parties.beat))

    async def when_ended() -> None:
        await line.platform.playout.drained()
        line.platform.hang_up()

    talk = parties.caller.converse(parties.brief, line.caller)
    try:
        report, ended = await _both_sides(talk, desk, session, when_ended, running)
        line.caller.hang_up()
        await running
    finally:
        await stop_tasks(running)
    tapes = await compute(line.result)
    return await _finished(parties, report, ended, desk, session, tapes)


async def hold_text(parties: Parties) -> Held:
    """Holds a call over text.

    Raises:
        As hold_audio; CallFailed also where platform or caller takes no text calls.
    """
    adapter, caller = parties.adapter, parties.caller
    if not isinstance(adapter, TextAdapter):
        raise CallFailed(f"platform {adapter.name} takes no text calls; leave out --line text")
    if not isinstance(caller, TextCaller):
        raise CallFailed(f"caller {caller.name} holds no text calls; leave out --line text")
    deployment = await _deploy(parties)
    await _caller_ready(parties)
    line = TextLine()
    parties.clock.line = line
    session = await accepted(lambda: adapter.connect_text(deployment, parties.setup))
    line.attach(session)
    desk = _desk(parties, session, _TextSink(line))

    async def when_ended() -> None:
        line.end("platform")

    talk = caller.converse_text(parties.brief, line.caller)
    report, ended = await _both_sides(talk, desk, session, when_ended)
    return await _finished(parties, report, ended, desk, session, None)


def _line(parties: Parties) -> Line:
    sound = parties.sound
    return Line(
        profile=sound.profile,
        rng=sound.rng,
        setting=sound.setting,
        # a platform that paces its own audio over a network needs a little of it in hand
        jitter_buffer=0.04 if parties.adapter.capabilities.paced_output else 0.0,
    )


class _AudioSink:
    def __init__(self, line: Line) -> None:
        self._line = line

    def audio(self, samples: Samples, rate: int) -> None:
        self._line.platform.playout.push(samples, rate)

    def clear(self) -> float:
        return self._line.platform.playout.clear().utterance_played

    def text(self, text: str) -> None:
        """Words are kept by the desk; the caller hears sound only."""

    def meeting(self, event: MeetingEvent) -> None:
        raise ValueError(f"{type(event).__name__} belongs to a meeting, this is a phone call")


class _TextSink:
    def __init__(self, line: TextLine) -> None:
        self._line = line

    def audio(self, samples: Samples, rate: int) -> None:
        """A text line carries no sound."""

    def clear(self) -> float:
        return 0.0

    def text(self, text: str) -> None:
        self._line.agent_said(text)

    def meeting(self, event: MeetingEvent) -> None:
        raise ValueError(f"{type(event).__name__} belongs to a meeting, this is a phone call")


def _desk(parties: Parties, session: Session, sink: _AudioSink | _TextSink) -> SessionDesk:
    tools: ToolDesk = ToolForwarder(parties.server, parties.call_id, parties.token, session)
    if parties.route is not None:
        tools = RoutedTools(tools, parties.route)
    return SessionDesk(session, tools, sink, parties.clock.now)


async def deployed(deployments: Deployments, adapter: Adapter, agent: AgentConfig) -> Deployment:
    """The agent's one deployment on a platform.

    Raises:
        NotPlaced: it could not be deployed, or not in time.
        PlatformUnusable, SpeechUnavailable: no other try would fare better.
    """
    try:
        deployment = await within(_DEPLOY_SECONDS, lambda: deployments.deployed(adapter, agent))
    except (PlatformUnusable, SpeechUnavailable):
        raise
    except TimeoutError:
        raise NotPlaced(f"the agent was not deployed within {_DEPLOY_SECONDS:.0f} s") from None
    except Exception as error:
        raise NotPlaced(f"the agent could not be deployed: {reach_line(error)}") from error
    if not isinstance(deployment, Deployment):
        raise NotPlaced("the agent could not be deployed: the platform returned no deployment")
    return deployment


async def _deploy(parties: Parties) -> Deployment:
    agent = await compute(agent_config, parties.server.pack)
    return await deployed(parties.deployments, parties.adapter, agent)


async def accepted(connect: Callable[[], Awaitable[T]]) -> T:
    try:
        session = await within(_CONNECT_SECONDS, connect)
    except (PlatformUnusable, SpeechUnavailable):
        raise
    except TimeoutError:
        raise CallRefused(f"the platform did not take the call within {_CONNECT_SECONDS:.0f} s") from None
    except Exception as error:
        raise CallRefused(f"the platform did not take the call: {reach_line(error)}") from error
    if not hasattr(session, "events"):
        raise CallRefused("the platform returned no session")
    return session


async def _both_sides(
    talk: Coroutine[Any, Any, CallerReport],
    desk: SessionDesk,
    session: Session,
    when_ended: Callable[[], Coroutine[Any, Any, None]],
    *beside: asyncio.Task[Any],
) -> tuple[CallerReport, Ended]:
    """Lets the caller talk until one side hangs up, then makes sure the other has too. Whatever fails
    ``beside`` them ends the call: nobody would ever be heard again.
    """
    stream_end = asyncio.create_task(desk.run())

    async def agent_side() -> None:
        await asyncio.shield(stream_end)
        await when_ended()

    agent = asyncio.create_task(agent_side())
    caller = asyncio.create_task(talk)
    try:
        waiting: set[asyncio.Task[Any]] = {caller, agent, *beside}
        while not caller.done():
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done - {caller}:
                _raise_failure(task)
        report = _said(caller)
        desk.tools.hung_up()
        await desk.shut(session)
        return report, await stream_over(stream_end)
    except BaseException:
        await desk.shut(session)  # a call that failed on our side must not go on over there
        raise
    finally:
        if stream_end in await stop_tasks(stream_end, agent, caller):
            desk.errors.append("platform did not stop")


def _raise_failure(task: asyncio.Task[Any]) -> None:
    error = task.exception()
    if error is None:
        return
    if isinstance(error, SpeechUnavailable):
        raise error
    raise CallFailed(f"the line failed: {one_line(error)}") from error


def _said(caller: asyncio.Task[CallerReport]) -> CallerReport:
    with _callers_fault(CallFailed):
        return caller.result()


async def _caller_ready(parties: Parties) -> None:
    if isinstance(parties.caller, ReadyCaller):
        with _callers_fault(NotPlaced):
            await compute(parties.caller.prepare, parties.brief)


@contextmanager
def _callers_fault(kind: type[CallFailed]) -> Iterator[None]:
    try:
        yield
    except SpeechUnavailable:
        raise
    except (Exception, SystemExit) as error:
        raise kind(f"the caller failed: {one_line(error)}") from error


async def stream_over(stream_end: asyncio.Task[Ended]) -> Ended:
    try:
        return await asyncio.wait_for(asyncio.shield(stream_end), timeout=FAREWELL_SECONDS)
    except TimeoutError:
        return Ended("caller", "the platform did not end its session within 10 s of the hang-up")


async def _finished(
    parties: Parties,
    report: CallerReport,
    ended: Ended,
    desk: SessionDesk,
    session: Session,
    tapes: LineTapes | None,
) -> Held:
    seconds = parties.clock.now()
    failures = list(await desk.tools.finish())
    cost = await fetched(session.fetch_cost, sound_cost, "cost", failures)
    keeps = parties.adapter.capabilities.record
    record = await fetched(session.fetch_record, _sound_record, "record", failures) if keeps else None
    return Held(report, desk, ended, seconds, tapes, tuple(failures), cost or Cost(), record)


async def fetched(
    ask: Callable[[], Awaitable[object]], sound: Callable[[object], T], what: str, failures: list[str]
) -> T | None:
    """What a platform says of a call afterwards; none of it is graded, so a failure is only noted."""
    try:
        return await compute(sound, await within(FAREWELL_SECONDS, ask))
    except Exception as error:
        failures.append(f"{what}: {one_line(error)}")
        return None


def sound_cost(told: object) -> Cost:
    if not isinstance(told, Cost):
        raise TypeError(f"the platform returned {type(told).__name__}, expected Cost")
    usd = None if told.usd is None else finite(told.usd, "Cost.usd")
    if usd is not None and usd < 0:  # it would make room under a spending cap
        raise ValueError(f"Cost.usd is {usd!r}, expected at least 0")
    return Cost(usd, clean_text(str(told.basis)))


def _sound_record(told: object) -> PlatformRecord:
    """The record, if a file can hold it."""
    if not isinstance(told, PlatformRecord):
        raise TypeError(f"the platform returned {type(told).__name__}, expected PlatformRecord")
    to_json(told).encode("utf-8")
    return told
