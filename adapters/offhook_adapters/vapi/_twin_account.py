"""What the twin keeps: assistants and calls, as the vendor's records show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.sessions import AgentConfig, ToolSchema
from offhook_adapters.vapi._twin_checks import Refused, check_assistant, check_call, check_record
from offhook_adapters.vapi.catalogue import catalogue
from offhook_adapters.vapi.config import RATE
from offhook_adapters.vapi.liquid import filled_in

__all__ = ["Account", "KeptCall"]

_ORG: Final = "00000000-0000-4000-8000-000000000000"
_THEN: Final = "2026-01-01T00:00:00.000Z"


@attrs.define(eq=False)
class KeptCall:
    """One call. Times are seconds since it was picked up."""

    id: str
    assistant: str
    agent: AgentConfig
    server: Mapping[str, Any]
    status: str = "queued"
    ended_reason: str = ""
    seconds: float = 0.0
    messages: list[Mapping[str, Any]] = attrs.field(factory=list)

    def say(self, role: str, text: str, at: float, until: float) -> None:
        """Something said by the ``bot`` or the ``user``."""
        times = {"time": at * 1000, "endTime": until * 1000, "secondsFromStart": at}
        self.messages.append({"role": role, "message": text, **times})

    def call_tools(self, calls: list[dict[str, Any]], at: float) -> None:
        """Tool calls of one moment."""
        times = {"time": at * 1000, "secondsFromStart": at}
        self.messages.append({"role": "tool_calls", "message": "", "toolCalls": calls, **times})

    def end(self, reason: str, seconds: float) -> None:
        """The call is over, once."""
        if self.status != "ended":
            self.status, self.ended_reason, self.seconds = "ended", reason, seconds

    def shown(self, url: str, control: str) -> dict[str, Any]:
        """The call as the vendor shows it; ``url`` is where it is picked up, ``control`` where it takes
        orders.
        """
        told: dict[str, Any] = {
            "id": self.id,
            "orgId": _ORG,
            "type": "vapi.websocketCall",
            "assistantId": self.assistant,
            "createdAt": _THEN,
            "updatedAt": _THEN,
            "status": self.status,
            "transport": {"provider": "vapi.websocket", "websocketCallUrl": url},
            "monitor": {"controlUrl": control},
            "artifact": {"messages": list(self.messages)},
        }
        if self.status == "ended":
            fee = self.seconds / 60 * catalogue().fee_per_minute
            told |= {"endedReason": self.ended_reason, "cost": fee}
            told["costBreakdown"] = {"vapi": fee, "total": fee}
        check_record(told)
        return told


class Account:
    """Everything in one account. Ids are counted, so that equal calls leave equal records."""

    def __init__(self) -> None:
        self.assistants: dict[str, dict[str, Any]] = {}
        self.calls: dict[str, KeptCall] = {}
        self._count = 0

    def create_assistant(self, body: Any) -> dict[str, Any]:
        """The new assistant. Raises Refused."""
        check_assistant(body)
        for part in ("model", "voice", "transcriber"):
            _check_provider(part, body.get(part) or {})
        assistant_id = self._next_id()
        kept = {"id": assistant_id, "orgId": _ORG, "createdAt": _THEN, "updatedAt": _THEN, **body}
        self.assistants[assistant_id] = kept
        return kept

    def open_call(self, body: Any) -> KeptCall:
        """The new call. Raises Refused."""
        check_call(body)
        assistant = self.assistants.get(body["assistantId"])
        if assistant is None:
            raise Refused(f"Couldn't get assistant. assistantId {body['assistantId']} does not exist.")
        sound = body["transport"].get("audioFormat") or {}
        if (sound.get("format"), sound.get("sampleRate")) != ("pcm_s16le", RATE):
            raise Refused(f"this twin speaks pcm_s16le at {RATE} only")
        overrides = body.get("assistantOverrides") or {}
        for part in ("model", "voice", "transcriber"):
            _check_provider(part, overrides.get(part) or {})
        merged = {**assistant, **overrides}
        kept = KeptCall(self._next_id(), assistant["id"], _agent_of(merged), merged.get("server") or {})
        self.calls[kept.id] = kept
        return kept

    def _next_id(self) -> str:
        self._count += 1
        return f"00000000-0000-4000-8000-{self._count:012d}"


def _check_provider(part: str, given: Mapping[str, Any]) -> None:
    """The SDK's types let any model name pass, so the twin knows the default ones only."""
    published = catalogue()
    known = {
        "model": (published.default_model, "model"),
        "voice": (published.default_voice, "voiceId"),
        "transcriber": (published.default_transcriber, "model"),
    }
    wanted, field = known[part]
    if given and f"{given.get('provider')}/{given.get(field)}" != wanted:
        raise Refused(f"{part}.{field} must be one of the following values: {wanted.partition('/')[2]}")


def _agent_of(assistant: Mapping[str, Any]) -> AgentConfig:
    """The agent that came over the wire, its templates filled in."""
    model = assistant.get("model") or {}
    prompts = [
        message.get("content") or "" for message in model.get("messages") or () if message["role"] == "system"
    ]
    tools = tuple(
        ToolSchema(
            tool["function"]["name"],
            tool["function"].get("description", ""),
            tool["function"].get("parameters", {}),
        )
        for tool in model.get("tools") or ()
        if tool["type"] == "function"
    )
    speaks = assistant.get("firstMessageMode", "assistant-speaks-first") == "assistant-speaks-first"
    greeting = filled_in(assistant.get("firstMessage") or "") if speaks else ""
    return AgentConfig("twin", filled_in("\n".join(prompts)), greeting, tools, "")
