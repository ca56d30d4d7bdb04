"""An adapter that keeps the contract, and the same with one flaw each."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import unicodedata
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import attrs

from offhook.audio import Samples
from offhook.platforms import PlatformUnusable
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    CallSetup,
    Capabilities,
    Clear,
    Cost,
    Deployment,
    Ended,
    Greeting,
    PlatformRecord,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolCancelled,
    ToolResult,
    UserTranscript,
)
from offhook.twins import FAULTS, Behind, RunningTwin

from ._wire import Cut, Exchange, FarCall, FarDialect, FarTwin, Strange, Wired, far_twin, sounds

log = logging.getLogger("kit.subject")

PATIENCE = 5.0
CAPABILITIES = Capabilities(
    greeting=Greeting.VERBATIM, record=True, cost=True, concurrency=100, virtual_time=True
)


class SubjectError(Exception):
    """A call could not be held."""


class SubjectSession:
    """A session over the wire. ``flaw`` names what is wrong with it; nothing where empty."""

    def __init__(self, far: FarCall, key: str, flaw: str, shared: list[SubjectSession]) -> None:
        self._far = far
        self._key = key
        self._flaw = flaw
        self._shared = shared
        shared.append(self)
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[SessionEvent | None] = asyncio.Queue()
        self._began = self._loop.time()
        self._ended = False
        self._frames = 0
        self._heard_last = self._loop.time()
        self._told_last = self._loop.time()
        self._strange = False
        self._held: list[ToolCall] = []
        self._calls: dict[str, ToolCall] = {}
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._watch())]

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if self._ended:
            return
        self._frames += 1
        if self._flaw == "breaks in send_audio" and self._frames == 200:
            self._frames //= 0
        if self._flaw == "loses frames" and self._frames % 12 == 0:
            return
        if sounds(frame):
            self._heard_last = self._loop.time()
        self._far.session.send_audio(frame)

    async def events(self) -> AsyncIterator[SessionEvent]:
        while (event := await self._events.get()) is not None:
            yield event

    async def send_tool_result(self, result: ToolResult) -> None:
        call = self._calls.get(result.id)
        body = dict(result.body)
        if self._flaw == "hides refusals" and result.status >= 400:
            body = {}
        if self._flaw == "cuts results":
            text = json.dumps(body)
            body = body if len(text) < 65_536 else {"output": text[:65_536]}
        result = attrs.evolve(result, body=body)
        if self._flaw == "swaps results" and call is not None and len(self._calls) == 2:
            other = next(each for each in self._calls if each != result.id)
            result = attrs.evolve(result, id=other)
        if self._flaw == "cuts the last words" and result.name == "end_call":
            self._take(Clear())
            self._take(Ended("agent"))
        await self._far.session.send_tool_result(result)

    def played(self, seconds: float) -> None:
        """Told by the runner after a Clear."""
        self._far.session.played(seconds)

    async def hang_up(self) -> None:
        if self._flaw == "never hangs up":
            await asyncio.Event().wait()
        if self._flaw == "hangs up once" and self._ended:
            raise RuntimeError("there is no such call")
        self._end(Ended("caller"))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._flaw != "leaves the line open":
            await self._far.session.hang_up()

    async def fetch_record(self) -> PlatformRecord:
        record = await self._far.session.fetch_record()
        if self._flaw == "keeps the tool log alone":
            return attrs.evolve(record, transcript=())
        if self._flaw == "keeps another transcript":
            return attrs.evolve(record, transcript=("agent: No.",))
        if self._flaw == "forgets tools":
            return attrs.evolve(record, tool_log=())
        return attrs.evolve(record, raw={"key": self._key}) if self._flaw == "key in the record" else record

    async def fetch_cost(self) -> Cost:
        return Cost(math.inf if self._flaw == "endless cost" else 0.01, "usage")

    # --- the wire -------------------------------------------------------------------------------------------

    def _end(self, event: Ended) -> None:
        if self._ended:
            return
        self._ended = True
        self._events.put_nowait(event)
        if self._flaw != "stream stays open":
            self._events.put_nowait(None)

    async def _read(self) -> None:
        async for event in self._far.told():
            self._told_last = self._loop.time()
            if self._flaw == "mixes calls" and isinstance(event, ToolCall):
                self._shared[0]._take(event)
                continue
            if isinstance(event, Ended) and self._flaw == "leaves late":
                await asyncio.sleep(20)
            self._take(event)

    async def _watch(self) -> None:
        """Notes that the platform owes an answer."""
        while True:
            await asyncio.sleep(0.5)
            owes = self._heard_last > self._told_last
            if owes and self._loop.time() - self._heard_last > PATIENCE and self._flaw != "waits for ever":
                self._events.put_nowait(
                    SessionError("stalled", "the platform owes an answer and says nothing")
                )
                return
            quiet = self._loop.time() - self._heard_last
            if self._flaw == "leaves in silence" and quiet > 12:
                self._end(Ended("platform", "nobody there"))

    def _take(self, event: Wired) -> None:
        for told in self._translated(event):
            if isinstance(told, Ended):
                self._end(told)
            elif not self._ended:
                self._events.put_nowait(told)

    def _translated(self, event: Wired) -> list[SessionEvent]:
        match event:
            case Cut():
                return self._lost()
            case Strange():
                known, self._strange = self._strange, True
                noted = SessionError("unknown_event", "the platform sent 'mood', which nobody knows")
                return [] if known and self._flaw != "notes every oddity" else [noted]
            case AgentAudio():
                return self._sound(event)
            case AgentTranscript() if self._flaw == "no transcripts":
                return []
            case UserTranscript() if self._flaw == "no transcripts":
                return []
            case Ended("platform") if self._flaw == "lives for ever":
                return []
            case Clear() if self._flaw == "no clear":
                return []
            case ToolCall():
                return self._called(event)
            case ToolCancelled() if self._flaw == "hides a cancelled call":
                return []
            case _:
                return [event]

    def _lost(self) -> list[SessionEvent]:
        if self._flaw == "stream just stops":
            self._ended = True
            self._events.put_nowait(None)
            return []
        line = "reset\nby peer" if self._flaw == "error of two lines" else "the connection broke"
        line = f"{line} ({self._key})" if self._flaw == "key in an error" else line
        return [SessionError("connection_lost", line, fatal=True), Ended("platform", line)]

    def _sound(self, event: AgentAudio) -> list[SessionEvent]:
        match self._flaw:
            case "drops a frame" if len(event.samples) > 2000:
                return [AgentAudio(event.samples[480:], event.rate)]
            case "wrong rate":
                return [AgentAudio(event.samples, 16_000)]
            case "flushes itself":
                return [event, Clear()]
            case "loses what is late" if self._loop.time() - self._began > 3:
                return []
            case "quarters the level":
                return [AgentAudio((event.samples // 4).astype("int16"), event.rate)]
            case _:
                return [event]

    def _called(self, event: ToolCall) -> list[SessionEvent]:
        self._calls[event.id] = event
        match self._flaw:
            case "doubles calls":
                return [event, attrs.evolve(event, id=f"{event.id}-again")]
            case "one id for all":
                return [attrs.evolve(event, id="tool-1")]
            case "repeats a slow call" if event.name == "ask_workshop":
                again = attrs.evolve(event, id=f"{event.id}-again")
                self._loop.call_later(5, self._events.put_nowait, again)
            case "answers unknown tools" if event.name == "paint_frame":
                refused = ToolResult(event.id, event.name, 404, {"error": {"code": "unknown"}})
                self._loop.call_soon(self._far.session._wire.resolve, refused)
                return []
            case "mends arguments" if isinstance(event.arguments, str):
                return [attrs.evolve(event, arguments={})]
            case "turns batches round":
                self._held.append(event)
                if len(self._held) == 1:
                    self._loop.call_later(0.05, self._release)
                return []
        return [event]

    def _release(self) -> None:
        for event in reversed(self._held):
            self._events.put_nowait(event)
        self._held.clear()


@attrs.frozen
class Subject:
    """The adapter. ``exchange`` is where its twins are found."""

    flaw: str = ""
    environment: Mapping[str, str] = attrs.field(factory=dict, repr=False)
    exchange: Exchange = attrs.field(factory=dict, repr=False)
    sessions: list[SubjectSession] = attrs.field(factory=list, repr=False)
    dialled: list[str] = attrs.field(factory=list, repr=False)
    teardowns: list[str] = attrs.field(factory=list, repr=False)
    capabilities: Capabilities = CAPABILITIES
    faults: frozenset[str] = frozenset(FAULTS)
    name: str = "subject"

    @property
    def webhook(self) -> FarDialect:
        return FarDialect()

    @property
    def can(self) -> frozenset[str]:
        return self.faults

    @asynccontextmanager
    async def twin(self, behind: Behind) -> AsyncIterator[RunningTwin]:
        if self.flaw == "has a twin that does not start":
            await asyncio.Event().wait()
        async with far_twin(self.exchange, behind) as twin:
            yield twin
        if self.flaw == "has a twin that does not end":
            await asyncio.Event().wait()

    def with_environment(self, environment: Mapping[str, str]) -> Subject:
        sessions = self.sessions if self.flaw == "mixes calls" else []
        return attrs.evolve(self, environment=environment, sessions=sessions)

    def __repr__(self) -> str:
        return f"Subject({self.environment})" if self.flaw == "key in the repr" else "Subject()"

    def check(self) -> str | None:
        if self.flaw == "lacks its SDK":
            return "the SDK is missing: run pip install offhook-kit"
        if self.flaw == "checks nothing" or self.environment.get("KIT_KEY"):
            return None
        return "KIT_KEY is not set: set it to your key"

    async def deploy(self, agent: AgentConfig) -> Deployment:
        self._key()
        self.teardowns.append("deployed")
        count = len(self.teardowns) if self.flaw == "deploys anew" else 0
        return Deployment(self.name, f"{agent.sha256[:12]}{count or ''}", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> SubjectSession:
        key = self._key()
        if self.flaw == "key in a log":
            log.debug("connecting with %s", key)
        beat = asyncio.create_task(asyncio.sleep(60)) if self.flaw == "leaves a task" else None
        await asyncio.sleep(0.01)
        twin = await self._reached()
        if key != twin.key:
            self._refuse_key()
        self._refusals(twin)
        await asyncio.sleep(0.01)
        twin.configure(json.dumps(self._wired(deployment.config)))
        if beat is not None:
            beat.cancel()
        return SubjectSession(twin.answer(call.tools), key, self.flaw, self.sessions)

    async def teardown(self, deployment: Deployment) -> None:
        if self.flaw == "tears down once" and "gone" in self.teardowns:
            raise KeyError(deployment.reference)
        self.teardowns.append("gone")

    def _key(self) -> str:
        key = self.environment.get("KIT_KEY", "")
        if not key:
            raise PlatformUnusable("KIT_KEY is not set: set it to your key")
        return key

    async def _reached(self) -> FarTwin:
        address = self.environment["KIT_ADDRESS"]
        twin = self.exchange.get(address)
        if twin is None:
            if self.flaw == "dials for ever":
                await asyncio.Event().wait()
            raise SubjectError(f"nobody answers at {address}: check KIT_ADDRESS and the network")
        return twin

    def _refuse_key(self) -> None:
        if self.flaw == "retries a wrong key":
            raise SubjectError("the platform refused the key: check KIT_KEY")
        if self.flaw == "names no variable":
            raise PlatformUnusable("the platform refused the key: check it")
        raise PlatformUnusable("the platform refused the key: check KIT_KEY")

    def _refusals(self, twin: FarTwin) -> None:
        faults = twin.behind.faults
        if faults.refuse is not None:
            if self.flaw == "gives up at once":
                raise PlatformUnusable(f"the platform answered HTTP {faults.refuse}: try again later")
            what = "" if self.flaw == "advises nothing" else ": try again later"
            raise SubjectError(f"the platform answered HTTP {faults.refuse}{what}")
        if faults.rate_limit:
            kind = PlatformUnusable if self.flaw == "gives up when limited" else SubjectError
            raise kind("the platform takes no more calls at the moment: try again later")
        if faults.no_quota:
            kind = SubjectError if self.flaw == "retries without credit" else PlatformUnusable
            raise kind("the account has no credit: check plan and billing")
        self.dialled.append(twin.key)
        if self.flaw == "takes ten calls" and len(self.dialled) > 10:
            raise SubjectError("the platform is busy: try again later")

    def _wired(self, agent: AgentConfig) -> dict[str, Any]:
        prompt, greeting = agent.prompt, agent.greeting
        if self.flaw == "refuses long prompts" and len(prompt) > 25_000:
            raise PlatformUnusable("it takes 25000 at most: use a shorter prompt")
        if self.flaw == "refuses long prompts without a word" and len(prompt) > 25_000:
            raise PlatformUnusable("bad request")
        tools: list[dict[str, Any]] = [
            {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
            for tool in agent.tools
        ]
        match self.flaw:
            case "strips the prompt":
                prompt = prompt.replace("\n\n", "\n")
            case "composes accents":
                prompt = unicodedata.normalize("NFC", prompt)
            case "limits the prompt":
                prompt = prompt[:20_000]
            case "asks for the greeting":
                greeting = f"Say to the caller: {greeting}"
            case "loses the greeting":
                greeting = ""
            case "sorts tools":
                tools.sort(key=lambda tool: str(tool["name"]))
            case "loosens schemas":
                for tool in tools:
                    tool["parameters"] = {**tool["parameters"], "additionalProperties": True}
            case "adds a tool" if not tools:
                tools = [{"name": "none", "description": "", "parameters": {}}]
        return {"prompt": prompt, "greeting": greeting, "tools": tools}
