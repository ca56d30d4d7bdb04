"""One connection to the twin: the client's events in, and the reference platform's call as server events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from offhook.audio import Samples
from offhook.twins import TwinFaults
from offhook_adapters.gpt_live._twin_backend import TwinBackend
from offhook_adapters.gpt_live._twin_session import agent_of, started_session, token_count
from offhook_adapters.gpt_live._twin_speaker import Speaker
from offhook_adapters.gpt_live._twin_types import LiveTypes
from offhook_adapters.gpt_live.config import quoted_greeting
from offhook_adapters.openai_realtime.twin_checks import WireError, decoded_audio, read_object
from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.reference.turns import TurnSettings
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.desk import NoSuchCall, ToolDesk, WireCall
from offhook_adapters.twins.pipe import PIECE_SECONDS, Message, Pipe
from offhook_adapters.twins.platform import TwinPlatform
from offhook_adapters.twins.served import TwinLog

__all__ = ["TwinCall"]

_MOST_APPENDED: Final = 500


class TwinCall:
    """A call. ``farewell`` is filled with what the platform sends when it ends the session at its longest."""

    def __init__(
        self,
        pipe: Pipe,
        agent: TwinAgent,
        types: LiveTypes,
        faults: TwinFaults,
        farewell: list[Message],
        log: TwinLog,
    ) -> None:
        self._pipe = pipe
        self._agent = agent
        self._types = types
        self._faults = faults
        self._farewell = farewell
        self._log = log
        self._speaker = Speaker(self._sound, self._words)
        self._tools = ToolDesk(self._call_tools, waits=True)
        self._platform = TwinPlatform(agent, self, self._tools)
        self._session: dict[str, Any] | None = None
        self._backend: TwinBackend | None = None
        self._speaking: asyncio.Task[None] | None = None
        self._events = 0
        self._caller_began = 0
        self._unheard: list[tuple[int, int]] = []

    def begin(self) -> None:
        """Says nothing: the client goes first."""

    def take(self, message: str | bytes) -> None:
        """One message of the client."""
        event_id: str | None = None
        try:
            event = read_object(message)
            self._log.received.append(event)
            named = event.get("event_id")
            event_id = named if isinstance(named, str) else None
            self._types.check_client(event)
            self._handle(event)
        except WireError as error:
            self._error(error, event_id)

    async def close(self) -> None:
        """The client is gone."""
        if self._speaking is not None:
            self._speaking.cancel()
            await asyncio.gather(self._speaking, return_exceptions=True)
        await self._platform.close()

    # --- the client's events --------------------------------------------------------------------------------

    def _handle(self, event: Mapping[str, Any]) -> None:
        kind = event["type"]
        if (kind == "session.start") is (self._session is not None):
            raise WireError("invalid_request", f"{kind} does not belong here", "type")
        match kind:
            case "session.start":
                self._start(event["session"])
            case "session.input_audio.append":
                self._platform.hear(decoded_audio(event["audio"]))
            case "session.commentary.append":
                self._comment(event["content"])
            case "response.item.create":
                self._answer(event["item"])
            case "response.create":
                self._respond()
            case "session.close":
                self._tell("session.closed", **self._closing("close_requested"))
                self._pipe.close(1000, "")
            case _:
                raise WireError("twin_unsupported", f"this twin takes no {kind}", "type")

    def _start(self, asked: Mapping[str, Any]) -> None:
        if self._faults.rate_limit:
            raise WireError("rate_limit_exceeded", "this model has as many sessions as the account may hold")
        if self._faults.no_quota:
            raise WireError("insufficient_quota", "you exceeded your current quota, check your plan")
        now = int(self._agent.call.now.timestamp())
        self._session = started_session(asked, now)
        self._log.arrived = agent_of(self._session, "")
        backend = self._session["delegation"]["responses"]
        self._backend = TwinBackend(self._tell, backend["model"], now)
        self._backend.read(f"{backend.get('instructions')}{backend.get('tools')}")
        self._tell("session.started", session=self._session)
        self._pipe.odd()
        self._platform.open(TurnSettings())
        self._speaking = asyncio.create_task(self._speaker.run())

    def _comment(self, content: str) -> None:
        if token_count(content) > _MOST_APPENDED:
            raise WireError("string_above_max_length", "content is limited to 500 tokens", "content")
        at = self._speaker.milliseconds
        self._tell("session.commentary.appended", start_ms=at, end_ms=at)
        if not self._platform.awake:
            self._wake(quoted_greeting(content) or "")

    def _answer(self, item: Mapping[str, Any]) -> None:
        if item["type"] != "function_call_output":
            raise WireError("twin_unsupported", f"this twin takes no {item['type']} items", "item.type")
        try:
            self._tools.take(item["call_id"], item["output"])
        except NoSuchCall as error:
            raise WireError("invalid_value", str(error), "item.call_id") from None
        self._behind.read(item["output"])

    def _respond(self) -> None:
        if self._behind.open:
            raise WireError("conversation_already_has_active_response", "a response is under way already")
        if self._tools.unanswered:
            raise WireError("missing_tool_output", "some function calls have no output yet")
        self._behind.begin()
        if not self._tools.go_on():
            self._behind.end()

    # --- the platform behind --------------------------------------------------------------------------------

    @property
    def _behind(self) -> TwinBackend:
        assert self._backend is not None
        return self._backend

    def _wake(self, greeting: str) -> None:
        assert self._session is not None
        agent = agent_of(self._session, greeting)
        self._log.arrived = agent
        try:
            self._platform.wake(agent)
        except MindError as error:
            raise WireError("twin_mind", str(error)) from None

    def caller_started(self) -> None:
        self._caller_began = self._platform.milliseconds

    def caller_stopped(self) -> None:
        self._unheard.append((self._caller_began, self._platform.milliseconds))
        if not self._platform.awake:
            self._wake("")

    def caller_said(self, text: str) -> None:
        if not self._unheard:
            return
        start, end = self._unheard.pop(0)
        words = text.split()
        for index, word in enumerate(words):
            at = start + (end - start) * index // len(words)
            until = start + (end - start) * (index + 1) // len(words)
            told = word if index == 0 else f" {word}"
            self._tell("session.input_transcript.delta", delta=told, start_ms=at, end_ms=until)

    def agent_says(self, text: str, samples: Samples) -> None:
        self._behind.end()
        self._unheard.clear()  # sound without words, which the mind has passed over by now
        self._speaker.say(text, samples)

    def agent_cut(self) -> None:
        self._speaker.cut()

    def agent_listens(self) -> None:
        self._behind.end()
        self._tell("session.usage.updated", usage=self._usage(), context_window={"usage_ratio": 0.01})

    def caller_silent(self) -> None:
        """Nothing says so on this wire."""

    def trouble(self, code: str, message: str) -> None:
        self._error(WireError(code, message), None, "server_error")

    def broke(self, reason: str) -> None:
        self._pipe.close(1011, reason)

    def _call_tools(self, calls: Sequence[WireCall]) -> None:
        self._behind.delegate(self._speaker.milliseconds)
        self._behind.call(calls)

    # --- what is sent ---------------------------------------------------------------------------------------

    def _usage(self) -> dict[str, Any]:
        return {"seconds": self._speaker.milliseconds // 1000}

    def _closing(self, reason: str) -> dict[str, Any]:
        return {"reason": reason, "usage": self._usage(), "session": self._session}

    def _sound(self, delta: str, voiced: bool) -> None:
        event = {"type": "session.output_audio.delta", "delta": delta}
        self._types.check_server(event)
        if self._faults.expire_after is not None:
            closed = {"type": "session.closed", "event_id": "event_expired", **self._closing("expired")}
            self._types.check_server(closed)
            self._farewell[:] = [closed]
        self._pipe.put(event, PIECE_SECONDS if voiced else 0.0)

    def _words(self, text: str, start_ms: int, end_ms: int) -> None:
        self._tell("session.output_transcript.delta", delta=text, start_ms=start_ms, end_ms=end_ms)

    def _error(self, error: WireError, event_id: str | None, kind: str = "invalid_request_error") -> None:
        told = {"type": kind, "code": error.code, "message": error.message}
        told |= {name: value for name, value in (("param", error.param),) if value is not None}
        if event_id is not None:
            told["client_event_id"] = event_id
        self._tell("error", error=told)

    def _tell(self, kind: str, **fields: Any) -> None:
        self._events += 1
        event = {"type": kind, "event_id": f"event_{self._events:06d}", **fields}
        self._types.check_server(event)
        self._pipe.put(event)
