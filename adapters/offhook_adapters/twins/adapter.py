"""A vendor's wire end to end, offline: each call gets a twin of its own, and goes to it as it would to the
vendor.

The reference platform behind the twin needs the plan of its task, which must not cross the wire; so such an
adapter is a harness reference, and the vendor's own adapter never sees a plan.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from types import MappingProxyType
from typing import Final, Protocol, Self, runtime_checkable

import attrs

from offhook.audio import Samples
from offhook.platforms import PlatformUnusable
from offhook.sessions import (
    AgentConfig,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    PlatformRecord,
    Session,
    SessionEvent,
    ToolResult,
)
from offhook.twins import FAULTS, Behind, RunningTwin, TwinFaults, Twinned
from offhook.webhooks import WebhookDialect
from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.twins.agent import agent_behind

__all__ = ["RoutedTwinAdapter", "TwinAdapter", "TwinSession", "VendorAdapter", "WarmsUp"]


class VendorAdapter(Twinned, Protocol):
    """What a vendor's adapter offers so that it can be run on its twin."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities: ...

    @property
    def options(self) -> Mapping[str, str]: ...

    def missing(self) -> str | None:
        """What of the SDK is not installed, in one line, or None."""
        ...

    def with_environment(self, environment: Mapping[str, str]) -> Self: ...

    async def deploy(self, agent: AgentConfig) -> Deployment: ...

    async def connect(self, deployment: Deployment, call: CallSetup) -> Session: ...

    async def teardown(self, deployment: Deployment) -> None: ...


@runtime_checkable
class WarmsUp(Protocol):
    """A vendor's adapter whose SDK takes long to load the first time."""

    async def warm_up(self) -> None:
        """Loads it, beside the loop."""
        ...


_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


@attrs.frozen
class TwinAdapter:
    """Options are the vendor's, but for ``base_url``, and ``fault``: one of ``FAULTS``.

    ``faults`` is what goes wrong where a call names none; ``defaults`` are options for the twin's sake, such
    as how long it waits for a caller who says nothing. ``lends_engines`` leaves the vendor's adapter the
    run's speech engines, where it needs some itself.
    """

    vendor: VendorAdapter
    name: str
    faults: TwinFaults = attrs.field(factory=TwinFaults)
    defaults: Mapping[str, str] = _NOTHING
    lends_engines: bool = False

    @property
    def capabilities(self) -> Capabilities:
        return attrs.evolve(
            self.vendor.capabilities,
            harness_reference=True,
            session_cap=None,
            concurrency=100,
            public_url=False,
        )

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        own = {name: told for name, told in self.vendor.options.items() if name != "base_url"}
        return MappingProxyType(own | {"fault": f"What goes wrong on the wire: {', '.join(self._faults)}."})

    @property
    def _faults(self) -> list[str]:
        return [name for name in FAULTS if name == "none" or name in self.vendor.can]

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return self.vendor.missing()

    def estimate(self, seconds: float) -> Cost:
        """Nobody is paid for a twin."""
        return Cost(0.0, "duration")

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Nothing is set up before a call has its twin.

        Raises:
            PlatformUnusable: the SDK is missing.
        """
        if (missing := self.vendor.missing()) is not None:
            raise PlatformUnusable(missing)
        if isinstance(self.vendor, WarmsUp):  # no call should wait for it
            await self.vendor.warm_up()
        return Deployment(self.name, f"{self.name}:{agent.sha256[:12]}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> TwinSession:
        """Starts a twin, deploys the agent on it and opens a session.

        Raises:
            PlatformUnusable: no SDK, an option there is not, a call without engines, or no plan for a mind
                that needs one.
            Exception: whatever the vendor's adapter raises where the twin was told to refuse.
        """
        faults, options = self._chosen(call.options)
        if call.engines is None:
            raise PlatformUnusable(f"{self.name} talks itself: give the call speech engines")
        behind = Behind(attrs.evolve(call, options={}), faults=faults)
        try:
            agent_behind(behind).make_mind(deployment.config, call)
        except MindError as error:  # behind the wire it would only show as a platform that says nothing
            raise PlatformUnusable(str(error)) from error
        async with AsyncExitStack() as stack:
            twin = await stack.enter_async_context(self.vendor.twin(behind))
            vendor = self.vendor.with_environment(twin.environment)
            deployed = await vendor.deploy(deployment.config)
            stack.push_async_callback(vendor.teardown, deployed)
            engines = call.engines if self.lends_engines else None
            setup = attrs.evolve(call, options=options, plan=None, engines=engines)
            session = await vendor.connect(deployed, setup)
            return TwinSession(session, twin, stack.pop_all())

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""

    def _chosen(self, given: Mapping[str, str]) -> tuple[TwinFaults, Mapping[str, str]]:
        own = dict(given)
        name = own.pop("fault", "")
        if name and name not in self._faults:
            raise PlatformUnusable(f"there is no fault {name!r}: choose from {', '.join(self._faults)}")
        if "base_url" in own:
            raise PlatformUnusable(
                f"the twin has an address of its own: leave base_url out, or use {self.vendor.name}"
            )
        return (FAULTS[name] if name else self.faults), {**self.defaults, **own}


@attrs.frozen(kw_only=True)
class RoutedTwinAdapter(TwinAdapter):
    """The same for a vendor that posts tool calls, in ``dialect``."""

    dialect: WebhookDialect

    @property
    def webhook(self) -> WebhookDialect:
        """How the platform posts tool calls."""
        return self.dialect


class TwinSession:
    """A session on a twin that lives as long as the call."""

    def __init__(self, session: Session, twin: RunningTwin, ends: AsyncExitStack) -> None:
        self._session = session
        self._twin = twin
        self._ends = ends
        self._record: PlatformRecord | Exception | None = None

    def send_audio(self, frame: Samples) -> None:
        self._session.send_audio(frame)

    async def events(self) -> AsyncIterator[SessionEvent]:
        """The session's stream.

        Raises:
            SpeechUnavailable: an engine that the twin listens or talks with is missing.
        """
        async for event in self._session.events():
            if self._twin.failures:
                break
            yield event
        if self._twin.failures:
            raise self._twin.failures[0]

    async def send_tool_result(self, result: ToolResult) -> None:
        await self._session.send_tool_result(result)

    def played(self, seconds: float) -> None:
        self._session.played(seconds)

    async def hang_up(self) -> None:
        """Hangs up, fetches what the platform keeps of the call, and stops the twin."""
        await self._session.hang_up()
        if self._record is None:
            try:
                self._record = await self._session.fetch_record()
            except Exception as error:
                self._record = error
            await self._ends.aclose()

    async def fetch_record(self) -> PlatformRecord:
        """Raises whatever the vendor's session raised when it fetched the record at the hang-up."""
        if isinstance(self._record, Exception):
            raise self._record
        return self._record or await self._session.fetch_record()

    async def fetch_cost(self) -> Cost:
        """Nobody is paid for a twin."""
        return Cost(0.0, "usage")
