"""One check's stage: a twin, a tool server and the adapter between them, and calls held on it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

import attrs
import numpy as np

from offhook.callers import CallerBrief
from offhook.clock import compute
from offhook.conformance._caller import KitCaller, Live, Talk
from offhook.conformance._desk import AgentRun, Part, Plot
from offhook.conformance._pack import SLOW, SLOW_SECONDS, kit_pack
from offhook.conformance._result import NotApplicable, Unmet
from offhook.conformance._tap import TappedAdapter, TappedSession
from offhook.conformance._watch import Watch
from offhook.packs import Pack
from offhook.records import ToolLogEntry
from offhook.runner._desk import within
from offhook.runner._hold import CallFailed, Held, LineClock, Parties, hold_audio
from offhook.runner._route import ToolRoute
from offhook.runner._switchboard import Switchboard
from offhook.runner.deployments import Deployments
from offhook.sessions import (
    Adapter,
    AgentConfig,
    CallSetup,
    Deployment,
    Ended,
    Greeting,
    RngSource,
    Session,
    ToolMode,
)
from offhook.storage import one_line
from offhook.streams import stream
from offhook.testing import fake_engines
from offhook.toolserver import SeedImages, ToolServer, agent_config
from offhook.twins import Behind, RunningTwin, TwinFaults, Twinned
from offhook.webhooks import WithWebhook

__all__ = [
    "Bench",
    "HeldCall",
    "Placed",
    "Stage",
    "Subject",
    "brief_of",
    "comes_true",
    "of_environment",
    "streams_of_call",
]

T = TypeVar("T")

_CALL_SECONDS: Final = 110.0
_TWIN_SECONDS: Final = 40.0
_DIAL_SECONDS: Final = 40.0


@asynccontextmanager
async def _in_time(twin: AbstractAsyncContextManager[T]) -> AsyncIterator[T]:
    """The same, but that it starts and ends, or raises Unmet. Both happen in the task of the stage, which is
    what task groups inside a twin need.
    """
    running = await _by_then("start", twin.__aenter__())
    try:
        yield running
    except BaseException as error:
        if not await _by_then("end", twin.__aexit__(type(error), error, error.__traceback__)):
            raise
    else:
        await _by_then("end", twin.__aexit__(None, None, None))


async def _by_then(what: str, work: Awaitable[T]) -> T:
    try:
        async with asyncio.timeout(_TWIN_SECONDS) as limit:
            return await work
    except TimeoutError:
        if not limit.expired():
            raise
        raise Unmet(f"the twin to {what}", f"it did not within {_TWIN_SECONDS:.0f} s") from None


@runtime_checkable
class Subject(Adapter, Twinned, Protocol):
    """An adapter that brings a twin, which is what the kit can be run against."""


@attrs.frozen(eq=False)
class HeldCall:
    """What one call left: on the caller's side, in between, behind the wire, and at the tool server."""

    held: Held
    live: Live
    session: TappedSession
    run: AgentRun
    log: tuple[ToolLogEntry, ...]
    arrived: AgentConfig | None

    @property
    def ended(self) -> Ended:
        """Raises Unmet where the stream stopped without saying so."""
        ended = self.session.of(Ended)
        if not ended:
            raise Unmet("Ended at the end of the stream", f"none; {self.held.ended.reason}")
        return ended[-1]

    @property
    def errors(self) -> list[str]:
        """All that went wrong by the session's own account, and the runner's."""
        return [*self.held.desk.errors, *self.held.failures]


@attrs.frozen(eq=False)
class Placed:
    """One call that a stage has made room for."""

    call_id: str
    setup: CallSetup
    server: ToolServer
    token: str
    clock: LineClock
    route: ToolRoute | None = None


@attrs.define(eq=False)
class Bench:
    """What a check is run with. ``doing`` says at any time what it waits for."""

    subject: Subject
    folder: Path
    watch: Watch
    images: SeedImages
    name: str
    doing: str = "the check to begin"
    calls_made: int = 0

    @property
    def greets(self) -> bool:
        return self.subject.capabilities.greeting is not Greeting.NONE

    @property
    def routed(self) -> bool:
        """Whether the platform calls the tools by itself, and not through the session."""
        return self.subject.capabilities.tool_mode in (ToolMode.WEBHOOK, ToolMode.MCP)

    def waits_for(self, what: str) -> None:
        self.doing = what

    def needs(self, fault: str) -> None:
        """Raises NotApplicable where the twin can't show a fault."""
        if fault not in self.subject.can:
            raise NotApplicable(f"the twin can't show the fault {fault!r}")

    def pack(self, *, prompt: str | None = None, greets: bool | None = None, tools: bool = True) -> Pack:
        return kit_pack(
            prompt=prompt,
            greets=self.greets if greets is None else greets,
            tools=tools,
            slow_inside=self.routed,
        )

    @asynccontextmanager
    async def stage(
        self, plot: Plot, *, faults: TwinFaults | None = None, pack: Pack | None = None, calls: int = 1
    ) -> AsyncIterator[Stage]:
        """Sets a stage for some calls to one twin."""
        pack = pack or self.pack()
        engines = fake_engines()
        async with AsyncExitStack() as stack:
            switchboard = await self._switchboard(stack)
            placed = []
            for _ in range(calls):
                self.calls_made += 1
                clock, token = LineClock(), secrets.token_urlsafe(24)
                self.watch.guard("the tool server's token of a call", token)
                call_id = f"{self.name}-{self.calls_made}"
                server = await compute(self._server, pack, clock)
                stack.callback(server.close)
                folder = self.folder / call_id
                server.open_call(call_id, token, folder=folder)
                route = None
                if switchboard is not None:
                    route = switchboard.route(server, call_id, token, now=clock.now)
                    self.watch.guard("the token of a call's tool endpoint", route.token)
                setup = CallSetup(
                    call_id=secrets.token_hex(8),
                    now=pack.now,
                    rng=streams_of_call(call_id),
                    engines=engines,
                    tools=None if route is None or switchboard is None else switchboard.endpoint(route),
                )
                placed.append(Placed(call_id, setup, server, token, clock, route))
            part = Part(plot, greets=bool(pack.agent.greeting))
            behind = Behind(placed[0].setup, part, faults or TwinFaults())
            self.waits_for("the twin to start")
            twin = await stack.enter_async_context(_in_time(self.subject.twin(behind)))
            self.watch.guard("the key", twin.key)
            adapter: Any = self.subject.with_environment(twin.environment)
            self.watch.look("the repr of the adapter", adapter)
            yield Stage(self, adapter, twin, pack, part, tuple(placed))

    async def hold(
        self,
        plot: Plot,
        talk: Talk,
        *,
        faults: TwinFaults | None = None,
        pack: Pack | None = None,
    ) -> HeldCall:
        """Holds one call on a stage of its own.

        Raises:
            Unmet: the platform did not take it, or the caller waited for something in vain.
        """
        async with self.stage(plot, faults=faults, pack=pack) as stage:
            return await stage.hold(talk)

    def _server(self, pack: Pack, clock: LineClock) -> ToolServer:
        return ToolServer(pack, self.folder, clock=clock.now, images=self.images)

    async def _switchboard(self, stack: AsyncExitStack) -> Switchboard | None:
        if not self.routed:
            return None
        mode = self.subject.capabilities.tool_mode
        dialect = self.subject.webhook if isinstance(self.subject, WithWebhook) else None
        if mode is ToolMode.WEBHOOK and dialect is None:
            raise Unmet("an adapter whose tool_mode is webhook to have a webhook dialect", "none")
        switchboard = Switchboard(mode, dialect)
        await switchboard.open()
        stack.push_async_callback(switchboard.close)
        return switchboard


@attrs.frozen(eq=False)
class Stage:
    """A twin that runs, and the adapter that finds it in its environment."""

    bench: Bench
    adapter: Adapter
    twin: RunningTwin
    pack: Pack
    part: Part
    placed: tuple[Placed, ...]

    @property
    def agent(self) -> AgentConfig:
        return agent_config(self.pack)

    async def hold(self, talk: Talk, number: int = 0) -> HeldCall:
        """Holds one call as a run does.

        Raises:
            Unmet: the platform did not take it, or the caller waited for something in vain.
        """
        place, bench = self.placed[number], self.bench
        opened: list[TappedSession] = []
        held_up = {} if bench.routed else {SLOW: SLOW_SECONDS}
        caller = KitCaller(talk, lambda: opened[-1], bench.waits_for)
        parties = Parties(
            call_id=place.call_id,
            adapter=TappedAdapter(self.adapter, bench.watch, opened.append, held_up),
            caller=caller,
            setup=place.setup,
            brief=brief_of(self.pack, place),
            server=place.server,
            token=place.token,
            clock=place.clock,
            deployments=Deployments(),
            route=place.route,
        )
        bench.waits_for("the platform to take the call")
        try:
            held = await within(_CALL_SECONDS, lambda: hold_audio(parties))
        except TimeoutError:
            raise Unmet(bench.doing, f"the call was not over within {_CALL_SECONDS:.0f} s") from None
        except CallFailed as error:
            bench.watch.look("an error", error)
            raise Unmet("the call to be held", one_line(error)) from error
        finally:
            await parties.deployments.close()
        for line in (*held.desk.errors, *held.failures):
            bench.watch.look("an error of the session", line)
        assert caller.live is not None
        caller.live.finish()
        if caller.problem is not None:
            raise self._explained(caller.problem, held)
        frozen = await compute(place.server.freeze, place.call_id)
        return HeldCall(held, caller.live, opened[-1], self.part.run, frozen.log, self.twin.arrived)

    def _explained(self, problem: Unmet, held: Held) -> Unmet:
        """What the caller waited for in vain, with what was noticed elsewhere."""
        told = [*self.part.run.failures, *(one_line(error) for error in self.twin.failures)]
        if not self.part.begun:
            told.append("the agent behind the wire was never asked to begin")
        told += [line for line in (*held.desk.errors, *held.failures) if line not in problem.arrived]
        more = f" (besides: {'; '.join(told)})" if told else ""
        return Unmet(problem.expected, problem.arrived + more, **problem.evidence)

    async def deploy(self, adapter: Adapter | None = None) -> Deployment:
        """Deploys the agent. Raises what the adapter raises, or Unmet past a deadline."""
        return await self._in_time("deploy", lambda: (adapter or self.adapter).deploy(self.agent))

    async def dial(self, number: int = 0, adapter: Adapter | None = None) -> Session:
        """Deploys and connects. Raises what the adapter raises, or Unmet past a deadline."""
        adapter = adapter or self.adapter
        deployment = await self.deploy(adapter)
        setup = self.placed[number].setup
        return await self._in_time("connect", lambda: adapter.connect(deployment, setup))

    async def refusal(self, adapter: Adapter | None = None) -> Exception | None:
        """What a try to deploy and connect raised, None where it went well. The call is hung up."""
        try:
            session = await self.dial(adapter=adapter)
        except Unmet:
            raise
        except Exception as error:
            self.bench.watch.look("the error of a refused call", error)
            return error
        await within(10.0, session.hang_up)
        return None

    async def _in_time(self, what: str, ask: Callable[[], Awaitable[T]]) -> T:
        self.bench.waits_for(f"{what}() to return or raise")
        try:
            return await within(_DIAL_SECONDS, ask)
        except TimeoutError:
            raise Unmet(f"{what}() to return or raise", f"nothing within {_DIAL_SECONDS:.0f} s") from None


def streams_of_call(call_id: str) -> RngSource:
    """The random streams of one call."""

    def rng(purpose: str) -> np.random.Generator:
        return stream(1, call_id, purpose)

    return rng


def brief_of(pack: Pack, place: Placed) -> CallerBrief:
    """What the caller of a check is told; it uses nothing but the engines."""
    assert place.setup.engines is not None
    return CallerBrief(
        task=pack.tasks[0],
        now=pack.now,
        voice=min(place.setup.engines.voices),
        run=1,
        engines=place.setup.engines,
        rng=place.setup.rng,
    )


def of_environment(environment: Mapping[str, str], key: str) -> list[str]:
    """The names of the variables that hold the key."""
    return [name for name, value in environment.items() if key and key in value]


async def comes_true(holds: Callable[[], bool], seconds: float) -> bool:
    """Waits until something holds; False where it does not within some seconds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not holds():
        if loop.time() >= deadline:
            return False
        await asyncio.sleep(0.02)
    return True
