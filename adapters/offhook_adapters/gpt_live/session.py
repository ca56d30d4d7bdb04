"""One call on GPT-Live: the vendor's events in, session events out, and what goes the other way.

The wire is full duplex: sound flows both ways without end, and no event marks a turn. See ``_duplex`` for
what is made of the agent's silence, ``_words`` for transcripts, ``_backend`` for tools.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs
import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook.sessions import (
    AgentAudio,
    AgentConfig,
    AgentTranscript,
    Clear,
    Cost,
    Ended,
    PlatformRecord,
    Ready,
    SessionEvent,
    ToolResult,
    TranscriptKind,
    UserTranscript,
)
from offhook_adapters.gpt_live._backend import Backend
from offhook_adapters.gpt_live._duplex import HOLD_SECONDS, Floor
from offhook_adapters.gpt_live._pauses import Pauses
from offhook_adapters.gpt_live._words import Words
from offhook_adapters.gpt_live.config import GPT_LIVE, LiveSettings, greeting_request, session_config
from offhook_adapters.gpt_live.prices import SESSION_SECONDS, Duration, backend_usage, catalogue, cost_of
from offhook_adapters.openai_realtime.refusals import refused_session
from offhook_adapters.wires.leaving import LastWords
from offhook_adapters.wires.outbox import Outbox
from offhook_adapters.wires.reading import read_until_closed, send_unless_closed, write_until_closed
from offhook_adapters.wires.sockets import cut
from offhook_adapters.wires.stream import CallStream, is_last

if TYPE_CHECKING:
    from openai.resources.live.live import AsyncLiveConnection

__all__ = ["GptLiveSession"]

# The platform takes up to 10 s to settle a session that is closed; whoever hangs up is not kept that long.
_SETTLE_SECONDS: Final = 1.2
# How long the backend may take to close a call with words of its own.
_BACKEND_SECONDS: Final = 15.0
# Events that tell nothing a call needs; anything else the adapter doesn't know is noted once.
_IDLE: Final = frozenset(
    {
        "info",
        "session.commentary.appended",
        "session.delegation.created",
        "session.paused",
        "session.resumed",
        "session.started",
        "session.updated",
    }
)


class GptLiveSession:
    """A live call. ``key`` is only held to keep it out of messages; ``patience`` is how many seconds the
    platform may send nothing at all before that is noted.
    """

    def __init__(
        self, connection: AsyncLiveConnection, settings: LiveSettings, *, key: str, patience: float
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._key = key
        self._loop = asyncio.get_running_loop()
        self._stream = CallStream(
            (key,), self._close, patience=patience, cut=lambda: cut(connection._connection)
        )
        self._outbox: Outbox[Mapping[str, Any]] = Outbox(self._send, self._appended)
        self._last_words = LastWords(self._stream)
        self._floor = Floor()
        self._pauses = Pauses(self._play, lambda: self._floor.waiting(self._loop.time()))
        self._backend = Backend()
        self._agent_words, self._caller_words = Words(), Words()
        self._pause: asyncio.TimerHandle | None = None
        self._started = False
        self._leaving = ""
        self._half_sample = b""
        self._sent_seconds = self._received_seconds = 0.0
        self._reported: float | None = None
        self._unmetered = self._noted = False
        self._stream.raw |= {"model": settings.model, "voice": settings.voice, "backend": settings.backend}

    async def open(self, agent: AgentConfig) -> None:
        """Starts the session and asks for the greeting. An agent without one waits to be spoken to.

        Raises:
            VendorError: the platform did not take the configuration; VendorUnusable where it never will.
        """
        config = session_config(agent, self._settings)
        await send_unless_closed(self._send({"type": "session.start", "session": config}))
        while (event := await self._connection.recv()).type != "session.started":
            if event.type == "error":
                raise refused_session(event.error, GPT_LIVE, self._key)
        self._started = True
        self._stream.raw["session"] = event.session.id
        self._stream.emit(Ready())
        self._compare(config, event.session)
        if agent.greeting.strip():
            words = greeting_request(agent.greeting)
            asked = {"type": "session.commentary.append", "content": words, "delegation_id": None}
            self._outbox.event(asked)
        self._stream.spawn(read_until_closed(self._connection.recv, self._read_one, self._stream, self._key))
        self._stream.spawn(write_until_closed(self._outbox.run, self._stream, self._key))

    def _compare(self, config: Mapping[str, Any], used: Any) -> None:
        """Notes where the platform says it uses another prompt or other tools than it was given."""
        given = config["delegation"]["responses"]
        backend = getattr(getattr(used, "delegation", None), "responses", None)
        names = ("name", "description", "parameters")
        tools = [
            [getattr(tool, name, None) for name in names] for tool in getattr(backend, "tools", None) or ()
        ]
        wanted = [[tool[name] for name in names] for tool in given["tools"]]
        prompts = {used.instructions, getattr(backend, "instructions", None)}
        if prompts != {config["instructions"]} or tools != wanted:
            self._stream.note(
                "config_differs", "the platform uses another prompt or other tools than it was given"
            )

    # --- the runner's side ----------------------------------------------------------------------------------

    def send_audio(self, frame: Samples) -> None:
        if not self._stream.ended and not self._outbox.frame(frame):
            self._stream.break_off("not_listening", "the platform has taken no audio for 10 s")

    def events(self) -> AsyncIterator[SessionEvent]:
        return self._stream.events()

    async def send_tool_result(self, result: ToolResult) -> None:
        """Hands a result back. After a tool that ends the call the agent's last words are played out and the
        session is over.
        """
        if self._stream.ended or not self._backend.answered(result.id):
            return
        output = json.dumps(dict(result.body), ensure_ascii=False, sort_keys=True)
        item = {"type": "function_call_output", "call_id": result.id, "output": output}
        self._outbox.event({"type": "response.item.create", "item": item})
        if is_last(result.name, result.status):
            self._leaving = result.name
            self._loop.call_later(_BACKEND_SECONDS, self._last_words.begin, result.name)
        self._go_on()

    def played(self, seconds: float) -> None:
        """The platform has no use for it: it knows what it has sent, and sends it as it is heard."""

    async def hang_up(self) -> None:
        self._pause_over()
        await self._stream.hang_up()

    async def fetch_record(self) -> PlatformRecord:
        """What the platform told during the call, and how long it says it was."""
        record = self._stream.record
        open_words = (("agent", self._agent_words.text), ("caller", self._caller_words.text))
        more = tuple(f"{who}: {text}" for who, text in open_words if text)
        duration = attrs.asdict(self._duration) | {"differs": self._duration.differs}
        return attrs.evolve(
            record, transcript=record.transcript + more, raw={**record.raw, "seconds": duration}
        )

    async def fetch_cost(self) -> Cost:
        """The session's seconds and the backend's tokens at the published prices. Unknown for models without
        one, and where a response of the backend was not metered.
        """
        if self._unmetered or self._backend.busy:
            return Cost()
        published, settings = catalogue(), self._settings
        return cost_of(
            self._stream.usage,
            self._duration,
            published.models.get(settings.model),
            published.backends.get(settings.backend),
        )

    @property
    def _duration(self) -> Duration:
        return Duration(self._reported, round(max(self._sent_seconds, self._received_seconds), 3))

    # --- the wire -------------------------------------------------------------------------------------------

    async def _send(self, event: Mapping[str, Any]) -> None:
        message: Any = event
        await self._connection.send(message)

    def _appended(self, pcm: bytes) -> Mapping[str, Any]:
        self._sent_seconds += len(pcm) / 2 / LINE_RATE
        return {"type": "session.input_audio.append", "audio": base64.b64encode(pcm).decode("ascii")}

    async def _close(self) -> None:
        """Closes the session as the vendor wants it done, which tells its last usage, and the connection."""
        # whatever came in the place of its usage, the connection has to be closed
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_SETTLE_SECONDS):
                if self._started:
                    await self._send({"type": "session.close"})
                    while (event := await self._connection.recv()).type != "session.closed":
                        pass
                    self._reported = float(event.usage.seconds)
        await self._connection.close()

    def _read_one(self, event: Any) -> None:
        self._take(event)
        self._stream.watch(True)  # sound is due all the time

    def _take(self, event: Any) -> None:
        match kind := str(getattr(event, "type", "")):
            case "session.output_audio.delta":
                self._sound(event.delta)
            case "session.output_transcript.delta":
                self._stream.emit(AgentTranscript(event.delta, TranscriptKind.DELTA))
                self._agent_over(self._agent_words.add(event.delta, event.start_ms, event.end_ms))
                self._last_words.stir()
                self._expect_pause()
            case "session.input_transcript.delta":
                self._floor.caller_spoke(event.start_ms, event.end_ms)
                self._gives_way()
                self._stream.emit(UserTranscript(event.delta, TranscriptKind.DELTA))
                self._stream.caller_said(self._caller_words.add(event.delta, event.start_ms, event.end_ms))
                self._expect_pause()
            case "response.event":
                self._nested(event.delegation_id, event.event)
            case "session.usage.updated":
                self._metered(event.usage)
            case "session.closed":
                self._metered(event.usage)
                self._pause_over()
                self._stream.end(Ended("platform", f"the platform closed the session: {event.reason}"))
            case "error":
                self._stream.note(event.error.code or event.error.type, event.error.message)
            case _ if kind not in _IDLE:
                self._stream.unknown(kind)

    # --- sound and words ------------------------------------------------------------------------------------

    def _sound(self, delta: str) -> None:
        try:
            raw = self._half_sample + base64.b64decode(delta, validate=True)
        except binascii.Error:
            self._stream.note("bad_audio", "the platform sent audio that is not base64; it was left out")
            return
        whole = len(raw) // 2 * 2
        self._half_sample = raw[whole:]
        samples = np.frombuffer(raw[:whole], dtype="<i2").astype(np.int16)
        self._received_seconds += len(samples) / LINE_RATE
        passage = self._floor.push(samples, self._loop.time())
        if passage.voiced:
            held = np.zeros(passage.held_back, dtype=np.int16)
            self._play(np.concatenate((self._pauses.taken(), held, samples)))
            self._last_words.stir()
        elif passage.plays and not self._gives_way():
            self._pauses.add(samples)
        if passage.over and not (self._backend.busy or self._backend.due):
            self._last_words.rest()

    def _play(self, samples: Samples) -> None:
        self._floor.emitted(samples, self._loop.time())
        self._stream.emit(AgentAudio(samples, LINE_RATE))

    def _gives_way(self) -> bool:
        gives_way = self._floor.gives_way(self._loop.time())
        if gives_way:
            self._pauses.taken()
            self._stream.emit(Clear())
        return gives_way

    def _expect_pause(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
        self._pause = None if self._stream.ended else self._loop.call_later(HOLD_SECONDS, self._pause_over)

    def _pause_over(self) -> None:
        """Nothing more was written down for a while, so what was is whole."""
        if self._pause is not None:
            self._pause.cancel()
        self._stream.caller_said(self._caller_words.take())
        self._agent_over(self._agent_words.take())

    def _agent_over(self, text: str) -> None:
        if text:
            self._stream.agent_said(text)

    # --- the backend ----------------------------------------------------------------------------------------

    def _nested(self, delegation: str | None, event: Mapping[str, Any]) -> None:
        match event.get("type"):
            case "response.created":
                self._backend.created(delegation)
            case "response.output_item.done":
                self._item(delegation, event["item"])
            case "response.completed":
                usage = backend_usage(event["response"].get("usage"))
                self._unmetered = self._unmetered or not usage
                self._stream.metered(usage)
                self._backend.completed(delegation)
                self._go_on()
            case "response.failed" | "response.incomplete" as kind:
                self._failed(delegation, kind, event.get("response") or {})

    def _item(self, delegation: str | None, item: Mapping[str, Any]) -> None:
        if item.get("type") != "function_call" or item.get("status", "completed") != "completed":
            return
        if self._stream.called(item["call_id"], item["name"], item["arguments"]):
            self._backend.called(delegation, item["call_id"])

    def _failed(self, delegation: str | None, kind: str, response: Mapping[str, Any]) -> None:
        self._unmetered = True
        why = response.get("error") or response.get("incomplete_details") or {}
        told = why.get("message") or why.get("reason") or "no reason was given"
        self._stream.note(kind.replace(".", "_"), f"the backend broke off: {told}")
        for call_id in self._backend.failed(delegation):
            self._stream.cancelled(call_id)
        self._go_on()

    def _go_on(self) -> None:
        """Asks the backend for what comes after the tools."""
        if self._backend.due:
            self._backend.asked()
            self._outbox.event({"type": "response.create"})
        elif self._leaving and not self._backend.busy:
            self._last_words.begin(self._leaving)  # what the backend made of it is still to be said

    def _metered(self, usage: Any) -> None:
        seconds, before = float(usage.seconds), self._reported or 0.0
        self._reported = seconds
        if seconds > before:
            self._stream.metered({SESSION_SECONDS: seconds - before})
        if self._duration.differs and not self._noted:
            self._noted = True
            told = f"{seconds:g} s where {self._duration.measured:.0f} s of sound crossed the wire"
            self._stream.note("usage_differs", f"the platform's usage is {told}; ours is reckoned with")
