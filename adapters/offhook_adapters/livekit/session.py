"""One call held by a LiveKit ``AgentSession``, without a room."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from importlib.metadata import version
from typing import Any, Final

import attrs
import numpy as np
from livekit.agents import (
    Agent,
    AgentSession,
    FlushSentinel,
    ModelSettings,
    RunContext,
    StopResponse,
    function_tool,
    inference,
    llm,
)
from livekit.agents.voice import events as told
from livekit.agents.voice.transcription import TranscriptSynchronizer

from offhook.audio import LINE_RATE, Samples
from offhook.clock import sleep_until
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Ready,
    SessionError,
    SessionEvent,
    ToolCall,
    ToolResult,
    ToolSchema,
    Usage,
    UserSpeech,
    UserTranscript,
)
from offhook.speech import Listener, SpeechUnavailable, VoiceActivityDetector
from offhook_adapters.livekit._audio import LineInput, LineOutput
from offhook_adapters.livekit._speech import RunEars, RunVoice
from offhook_adapters.livekit._vad import LineVAD
from offhook_adapters.reference.speech import Mouth

__all__ = ["LiveKitParts", "LiveKitSession"]

# The session tools every agent has: after these it is done talking.
_CLOSING: Final = ("end_call", "transfer_to_human")
_LAST_WORDS_SECONDS: Final = 0.2
_CLOSE_SECONDS: Final = 0.2


@attrs.frozen(eq=False)
class LiveKitParts:
    """What a session is made of besides LiveKit. ``model`` answers; ``let_go`` closes what it needs. ``cost``
    is what a call costs. ``hearing`` and ``speaking`` are seconds one of them takes at the least, drawn
    evenly between the two from ``delays``. ``key`` is kept out of all that is told. ``line_vad`` puts
    ``activity`` in the place of LiveKit's own voice activity detection.
    """

    model: llm.LLM[Any]
    ears: Listener
    activity: VoiceActivityDetector
    mouth: Mouth
    delays: np.random.Generator
    let_go: Callable[[], Awaitable[None]]
    cost: Cost
    key: str = attrs.field(default="", repr=False)
    line_vad: bool = False
    max_tool_steps: int | None = None
    hearing: tuple[float, float] = (0.15, 0.25)
    speaking: tuple[float, float] = (0.1, 0.2)


class LiveKitSession:
    """A live call. Everything LiveKit decides by itself is left at its defaults; ``fetch_record`` tells which
    they are.
    """

    def __init__(self, agent: AgentConfig, parts: LiveKitParts) -> None:
        self._loop = asyncio.get_running_loop()
        self._agent = agent
        self._parts = parts
        self._events: asyncio.Queue[SessionEvent | SpeechUnavailable | None] = asyncio.Queue()
        self._results: dict[str, asyncio.Future[ToolResult]] = {}
        self._refused: dict[str, asyncio.Future[ToolResult]] = {}
        self._transcript: list[str] = []
        self._tools: list[Mapping[str, Any]] = []
        self._ended = False
        self._leaving: asyncio.Task[None] | None = None
        self._shutting: asyncio.Task[None] | None = None
        self._input = LineInput()
        self._output = LineOutput(self._play, lambda: self._emit(Clear()))
        # As in a room: of what was interrupted the conversation keeps what was heard.
        self._synchronizer = TranscriptSynchronizer(next_in_chain_audio=self._output, next_in_chain_text=None)
        given: dict[str, Any] = {"vad": LineVAD(parts.activity)} if parts.line_vad else {}
        if parts.max_tool_steps is not None:
            given["max_tool_steps"] = parts.max_tool_steps
        # The two that LiveKit would choose by its environment are named: what it takes with no cloud at hand.
        self._session: AgentSession[None] = AgentSession(
            stt=RunEars(parts.ears, parts.activity, lambda: self._drawn(parts.hearing), self._broken),
            tts=RunVoice(parts.mouth, lambda: self._drawn(parts.speaking), self._broken),
            llm=parts.model,
            turn_handling={
                "turn_detection": inference.TurnDetector(version="v1-mini"),
                "interruption": {"mode": "vad"},
            },
            # Nobody is left to hear what the last words would be answered with.
            session_close_transcript_timeout=_CLOSE_SECONDS,
            **given,
        )

    async def begin(self) -> None:
        """Answers the call and says the greeting.

        Raises: whatever LiveKit raises when it can't start.
        """
        session = self._session
        session.input.audio = self._input
        session.output.audio = self._synchronizer.audio_output
        session.output.transcription = self._synchronizer.text_output
        session.on("user_state_changed", self._on_user_state)
        session.on("user_input_transcribed", self._on_heard)
        session.on("conversation_item_added", self._on_item)
        session.on("function_tools_executed", self._on_tools)
        session.on("error", self._on_error)
        session.on("close", self._on_close)
        tools: list[llm.Tool | llm.Toolset] = [self._tool(schema) for schema in self._agent.tools]
        agent = _Agent(self._settled, instructions=self._agent.prompt, tools=tools)
        await session.start(agent, record=False)
        self._emit(Ready())
        if self._agent.greeting.strip():
            session.say(self._agent.greeting)

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if not self._ended:
            self._input.push(frame)

    async def events(self) -> AsyncIterator[SessionEvent]:
        """The one stream.

        Raises:
            SpeechUnavailable: an engine the platform hears or speaks with is missing.
        """
        while (event := await self._events.get()) is not None:
            if isinstance(event, SpeechUnavailable):
                raise event
            yield event

    async def send_tool_result(self, result: ToolResult) -> None:
        answer = self._results.pop(result.id, None)
        if answer is not None and not answer.done():
            answer.set_result(result)

    def played(self, seconds: float) -> None:
        """The output keeps count itself."""

    async def hang_up(self) -> None:
        if self._leaving is not None and not self._ended:
            self._leaving.cancel()
        await self._close(Ended("caller"))

    async def fetch_record(self) -> PlatformRecord:
        options = self._session.options
        handling = {
            name: dict(chosen) if isinstance(chosen, Mapping) else getattr(chosen, "model", str(chosen))
            for name, chosen in options.turn_handling.items()
        }
        raw = {
            "livekit-agents": version("livekit-agents"),
            "vad": self._session.vad.model if self._session.vad is not None else "",
            "turn_handling": handling,
            "max_tool_steps": options.max_tool_steps,
            "aec_warmup_duration": options.aec_warmup_duration,
        }
        return PlatformRecord(tuple(self._transcript), tuple(self._tools), raw)

    async def fetch_cost(self) -> Cost:
        return self._parts.cost

    # --- what LiveKit tells ---------------------------------------------------------------------------------

    def _on_user_state(self, event: told.UserStateChangedEvent) -> None:
        if "speaking" in (event.old_state, event.new_state):
            self._emit(UserSpeech(event.new_state == "speaking"))

    def _on_heard(self, event: told.UserInputTranscribedEvent) -> None:
        if event.is_final and event.transcript:
            self._transcript.append(f"caller: {event.transcript}")
            self._emit(UserTranscript(event.transcript))

    def _on_item(self, event: told.ConversationItemAddedEvent) -> None:
        item = event.item
        if isinstance(item, llm.ChatMessage) and item.role == "assistant" and item.text_content:
            self._transcript.append(f"agent: {item.text_content}")
            self._emit(AgentTranscript(item.text_content))

    def _on_tools(self, event: told.FunctionToolsExecutedEvent) -> None:
        """LiveKit answers by itself where a tool is unknown or its arguments can't be read. The tool server
        has to see, and to refuse, that call too.
        """
        known = {tool["id"] for tool in self._tools}
        for call in event.function_calls:
            if call.call_id not in known:
                self._refused[call.call_id] = self._made(call.call_id, call.name, _read(call.arguments))

    def _on_error(self, event: told.ErrorEvent) -> None:
        error = event.error
        cause = getattr(error, "error", error)
        if not getattr(error, "recoverable", False):
            self._emit(SessionError(type(cause).__name__, self._told(cause)))

    def _on_close(self, event: told.CloseEvent) -> None:
        if event.error is None or self._ended:
            return
        message = self._told(getattr(event.error, "error", event.error))
        self._emit(SessionError("closed", message, fatal=True))
        self._leave(Ended("platform", message))

    def _broken(self, error: SpeechUnavailable) -> None:
        if not self._ended:
            self._ended = True
            self._events.put_nowait(error)

    # --- tools ----------------------------------------------------------------------------------------------

    def _tool(self, schema: ToolSchema) -> llm.Tool:
        async def used(raw_arguments: dict[str, Any], context: RunContext[None]) -> str:
            return await self._use(schema.name, raw_arguments, context)

        raw = {"name": schema.name, "description": schema.description, "parameters": dict(schema.parameters)}
        return function_tool(used, raw_schema=raw)

    async def _use(self, name: str, arguments: dict[str, Any], context: RunContext[None]) -> str:
        call_id = context.function_call.call_id
        result = await self._made(call_id, name, arguments)
        if name in _CLOSING and 200 <= result.status < 300:
            self._leave(Ended("agent"), context)
            raise StopResponse
        return _output(result)

    def _made(
        self, call_id: str, name: str, arguments: Mapping[str, Any] | str
    ) -> asyncio.Future[ToolResult]:
        """Tells of a call; the future is its result."""
        answer: asyncio.Future[ToolResult] = self._loop.create_future()
        self._results[call_id] = answer
        self._tools.append({"id": call_id, "name": name, "arguments": arguments})
        self._emit(ToolCall(call_id, name, arguments))
        return answer

    async def _settled(self, chat_ctx: llm.ChatContext) -> llm.ChatContext:
        """The conversation with the tool server's answers to calls that LiveKit refused by itself."""
        settled = chat_ctx.copy()
        for place, item in enumerate(settled.items):
            if isinstance(item, llm.FunctionCallOutput) and item.call_id in self._refused:
                result = await self._refused[item.call_id]
                settled.items[place] = item.model_copy(update={"output": _output(result)})
        return settled

    # --- the end --------------------------------------------------------------------------------------------

    def _leave(self, ended: Ended, context: RunContext[None] | None = None) -> None:
        """Ends the session from its own side, after the last words."""
        if self._leaving is None and not self._ended:
            self._leaving = asyncio.create_task(self._go(ended, context))

    async def _go(self, ended: Ended, context: RunContext[None] | None) -> None:
        if context is not None:
            await context.wait_for_playout()
            await self._output.wait_for_playout()
            await sleep_until(self._loop.time() + _LAST_WORDS_SECONDS)
        await self._close(ended)

    async def _close(self, ended: Ended) -> None:
        if not self._ended:
            self._emit(Usage(self._usage()))
            self._emit(ended)
            self._ended = True
            self._events.put_nowait(None)
        # Whoever gives up waiting leaves nothing half closed.
        self._shutting = self._shutting or asyncio.create_task(self._shut())
        await asyncio.shield(self._shutting)

    async def _shut(self) -> None:
        self._input.close()
        for answer in self._results.values():
            answer.cancel()
        await self._session.aclose()
        await self._synchronizer.aclose()
        await self._parts.model.aclose()
        await self._parts.let_go()

    def _usage(self) -> dict[str, float]:
        """What LiveKit metered, by the kind of model."""
        found: dict[str, float] = {}
        for model in self._session.usage.model_usage:
            kind = model.type.removesuffix("_usage")
            for name, amount in model.model_dump().items():
                if isinstance(amount, int | float) and amount:
                    found[f"{kind}_{name}"] = found.get(f"{kind}_{name}", 0.0) + amount
        return found

    # --- helpers --------------------------------------------------------------------------------------------

    def _play(self, samples: Samples) -> None:
        self._emit(AgentAudio(samples, LINE_RATE))

    def _emit(self, event: SessionEvent) -> None:
        if not self._ended:
            self._events.put_nowait(event)

    def _told(self, error: object) -> str:
        text = str(error)
        return text.replace(self._parts.key, "[key]") if self._parts.key else text

    def _drawn(self, between: tuple[float, float]) -> float:
        return float(self._parts.delays.uniform(*between))


def _read(arguments: str) -> Mapping[str, Any] | str:
    """The object that the text is, or the text."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return value if isinstance(value, dict) else arguments


def _output(result: ToolResult) -> str:
    return json.dumps(dict(result.body), ensure_ascii=False)


class _Agent(Agent):
    """LiveKit's agent, but that ``settled`` has a last look at a conversation before it is sent."""

    def __init__(
        self, settled: Callable[[llm.ChatContext], Awaitable[llm.ChatContext]], **given: Any
    ) -> None:
        super().__init__(**given)
        self._settle = settled

    async def llm_node(
        self, chat_ctx: llm.ChatContext, tools: list[llm.Tool], model_settings: ModelSettings
    ) -> AsyncIterator[llm.ChatChunk | str | FlushSentinel]:
        settled = await self._settle(chat_ctx)
        async for chunk in Agent.default.llm_node(self, settled, tools, model_settings):
            yield chunk
