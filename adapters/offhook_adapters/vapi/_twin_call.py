"""One call on the twin: sound and messages to the client, tool calls to the call's server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from offhook.audio import LINE_RATE, Resampler, Samples
from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.reference.turns import TurnSettings
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.desk import NoSuchCall, ToolDesk, WireCall
from offhook_adapters.twins.pipe import PIECE_SECONDS, Pipe
from offhook_adapters.twins.platform import TwinPlatform
from offhook_adapters.twins.served import TwinLog
from offhook_adapters.vapi._twin_account import KeptCall
from offhook_adapters.vapi._twin_checks import Refused, check_control, check_message
from offhook_adapters.vapi._twin_webhook import ToolServerPost, finished, tool_call
from offhook_adapters.vapi.config import RATE

__all__ = ["TwinCall"]

_PIECE_SAMPLES = round(RATE * PIECE_SECONDS)


class TwinCall:
    """``pipe`` carries what is said to the client; ``log`` keeps what the client said; ``kept`` is the record
    that the platform keeps of the call.
    """

    def __init__(self, pipe: Pipe, agent: TwinAgent, kept: KeptCall, log: TwinLog) -> None:
        self._pipe = pipe
        self._kept = kept
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._tools = ToolDesk(self._call_tools)
        self._platform = TwinPlatform(agent, self, self._tools, RATE)
        self._server = ToolServerPost(
            kept.server.get("url") or "", kept.server.get("headers") or {}, self._answered
        )
        self._posting: set[asyncio.Task[None]] = set()
        self._began = self._loop.time()
        self._talking = False

    def begin(self) -> None:
        """The client has picked up."""
        self._kept.status = "in-progress"
        self._log.arrived = self._kept.agent
        self._platform.open(TurnSettings())
        try:
            self._platform.wake(self._kept.agent)
        except MindError:
            self._over("call.in-progress.error-assistant-did-not-receive-customer-audio")

    def take(self, message: str | bytes) -> None:
        """Sound, or a control message of the client. What is neither is passed over."""
        if isinstance(message, bytes):
            self._platform.hear(message)
            return
        with suppress(ValueError, Refused):
            told = json.loads(message)
            self._log.received.append(told)
            check_control(told)
            self._kept.end("customer-ended-call", self._now())
            self._pipe.close(1000, "")

    async def close(self) -> None:
        """The client is gone."""
        self._kept.end("customer-ended-call", self._now())
        await finished(self._posting)
        await self._platform.close()

    # --- the platform behind --------------------------------------------------------------------------------

    def caller_started(self) -> None:
        self._speech("user", "started")

    def caller_stopped(self) -> None:
        self._speech("user", "stopped")

    def caller_said(self, text: str) -> None:
        if text.strip():
            now = self._now()
            self._kept.say("user", text, now, now)
            self._tell("transcript", role="user", transcriptType="final", transcript=text)

    def agent_says(self, text: str, samples: Samples) -> None:
        self._pipe.odd()
        if not self._talking:
            self._talking = True
            self._speech("assistant", "started")
        now = self._now()
        self._kept.say("bot", text, now, now + len(samples) / LINE_RATE)
        self._tell("transcript", role="assistant", transcriptType="final", transcript=text)
        sound = Resampler(LINE_RATE, RATE).push(samples, last=True).astype("<i2")
        for start in range(0, len(sound), _PIECE_SAMPLES):
            piece = np.ascontiguousarray(sound[start : start + _PIECE_SAMPLES])
            self._pipe.put(piece.tobytes(), PIECE_SECONDS)

    def agent_cut(self) -> None:
        self._tell("user-interrupted")
        self.agent_listens()

    def agent_listens(self) -> None:
        if self._talking:
            self._talking = False
            self._speech("assistant", "stopped")

    def caller_silent(self) -> None:
        """The mind speaks into the silence, which this wire tells by its words only."""

    def trouble(self, code: str, message: str) -> None:
        """Nothing on this wire tells of it."""

    def broke(self, reason: str) -> None:
        self._over("pipeline-error-openai-llm-failed")

    # --- tools ----------------------------------------------------------------------------------------------

    def _call_tools(self, calls: Sequence[WireCall]) -> None:
        wire = [tool_call(call) for call in calls]
        self._kept.call_tools(wire, self._now())
        paired = [
            {"type": "function", "function": {"name": call.name}, "toolCall": told}
            for call, told in zip(calls, wire, strict=True)
        ]
        self._tell("tool-calls", toolCallList=wire, toolWithToolCallList=paired)
        task = asyncio.ensure_future(self._server.post(calls))
        self._posting.add(task)
        task.add_done_callback(self._posting.discard)

    def _answered(self, call: WireCall, text: str, failed: bool) -> None:
        told = {"toolCallId": call.id, "name": call.name, "error" if failed else "result": text}
        self._tell("tool-calls-result", toolCallResult=told)
        with suppress(NoSuchCall):
            self._tools.take(call.id, text, failed=failed)

    # --- what is sent ---------------------------------------------------------------------------------------

    def _now(self) -> float:
        return round(self._loop.time() - self._began, 3)

    def _over(self, reason: str) -> None:
        self._kept.end(reason, self._now())
        self._tell("status-update", status="ended", endedReason=reason)
        self._pipe.close(1000, "")

    def _speech(self, role: str, status: str) -> None:
        self._tell("speech-update", role=role, status=status)

    def _tell(self, kind: str, **fields: Any) -> None:
        message = {"type": kind, **fields}
        check_message(message)
        self._pipe.put(message)
