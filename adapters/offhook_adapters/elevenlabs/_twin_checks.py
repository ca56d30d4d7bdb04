"""What the twin is sent, against the vendor's own types, and what it sends, against what its SDK knows."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Final, get_args

import attrs
from elevenlabs.conversational_ai.conversation import ClientToOrchestratorEvent
from elevenlabs.types import (
    AgentPlatformSettingsRequestModel,
    ClientEvent,
    ConversationalConfig,
    ConversationInitiationClientDataRequestInput,
    ToolRequestModelToolConfig_Client,
)
from pydantic import BaseModel, ValidationError

from offhook_adapters.elevenlabs.models import Catalogue

__all__ = ["Bad", "check_agent", "check_tool", "known_events", "read_message"]

# Fields of client messages, by type: those of the SDK's classes, and of what its conversation writes by hand.
_FIELDS: Final[Mapping[str, Mapping[str, type]]] = {
    "pong": {"event_id": int},
    "client_tool_result": {"tool_call_id": str, "result": str, "is_error": bool},
}
_AGENT_FIELDS: Final = frozenset({"name", "tags", "conversation_config", "platform_settings"})


@attrs.frozen
class Bad(Exception):
    """Why something is not taken, and where it is wrong."""

    message: str
    place: tuple[str, ...] = ()


def check_tool(body: Any) -> dict[str, Any]:
    """The configuration in a request for a new tool.

    Raises:
        Bad: the vendor would answer HTTP 422.
    """
    config = body.get("tool_config") if isinstance(body, dict) and set(body) == {"tool_config"} else None
    if not isinstance(config, dict) or config.get("type") != "client":
        raise Bad("this twin takes client tools only", ("body", "tool_config"))
    # The schema is the vendor's to interpret; only what stands around it is held against its types.
    around = {name: value for name, value in config.items() if name != "parameters"}
    _checked(ToolRequestModelToolConfig_Client, around, ("body", "tool_config"))
    parameters = config.get("parameters")
    if not isinstance(parameters, dict) or parameters.get("type") != "object":
        raise Bad("parameters must describe an object", ("body", "tool_config", "parameters"))
    return config


def check_agent(body: Any, tools: Collection[str], published: Catalogue) -> None:
    """A request for a new agent.

    Raises:
        Bad: the vendor would answer HTTP 422.
    """
    if not isinstance(body, dict) or (unknown := sorted(set(body) - _AGENT_FIELDS)):
        raise Bad(
            "extra fields not permitted", ("body", *unknown[:1]) if isinstance(body, dict) else ("body",)
        )
    place = ("body", "conversation_config")
    config = body.get("conversation_config")
    _checked(ConversationalConfig, config, place)
    _checked(
        AgentPlatformSettingsRequestModel, body.get("platform_settings", {}), ("body", "platform_settings")
    )
    assert isinstance(config, dict)
    prompt = config.get("agent", {}).get("prompt", {})
    if "tools" in prompt:  # removed on 2025-07-23 (the vendor's page on the deprecation of agent tools)
        raise Bad("use tool_ids", (*place, "agent", "prompt", "tools"))
    if missing := sorted(set(prompt.get("tool_ids", ())) - set(tools)):
        raise Bad(f"there is no tool {missing[0]!r}", (*place, "agent", "prompt", "tool_ids"))
    if prompt.get("llm") not in published.llms:
        raise Bad(f"there is no model {prompt.get('llm')!r}", (*place, "agent", "prompt", "llm"))
    for event in config.get("conversation", {}).get("client_events", ()):
        if event not in known_events():
            raise Bad(f"there is no event {event!r}", (*place, "conversation", "client_events"))


def known_events() -> frozenset[str]:
    """Types of the events an agent may be told to send."""
    return frozenset(get_args(get_args(ClientEvent)[0]))


def read_message(raw: str | bytes) -> tuple[str, Mapping[str, Any]]:
    """The type of one message of a client, ``user_audio_chunk`` for sound, and the message.

    Raises:
        Bad: the vendor does not know it, or it has another shape.
    """
    try:
        message = json.loads(raw)
    except ValueError:
        raise Bad("not JSON") from None
    if not isinstance(message, dict):
        raise Bad("not a JSON object")
    if "type" not in message:
        if set(message) != {"user_audio_chunk"} or not isinstance(message["user_audio_chunk"], str):
            raise Bad("neither a typed message nor a chunk of audio")
        return "user_audio_chunk", message
    kind = message["type"]
    if kind not in {each.value for each in ClientToOrchestratorEvent}:
        raise Bad(f"there is no message {kind!r}", ("type",))
    rest = {name: value for name, value in message.items() if name != "type"}
    if kind == ClientToOrchestratorEvent.CONVERSATION_INITIATION_CLIENT_DATA.value:
        _checked(ConversationInitiationClientDataRequestInput, rest, ())
    elif (fields := _FIELDS.get(kind)) is None:
        raise Bad(f"this twin takes no {kind}", ("type",))
    elif set(rest) != set(fields) or any(type(rest[name]) is not kind for name, kind in fields.items()):
        raise Bad(f"{kind} has {', '.join(fields)}")
    return kind, message


def _checked(kind: type[BaseModel], value: Any, place: tuple[str, ...]) -> None:
    try:
        model = kind.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise Bad(str(first["msg"]), (*place, *(str(part) for part in first["loc"]))) from None
    if extra := _unknown(model, place):
        raise Bad("extra fields not permitted", extra)


def _unknown(value: Any, place: tuple[str, ...]) -> tuple[str, ...]:
    """Where the first field stands that the SDK's types do not know; they let any pass."""
    if isinstance(value, BaseModel):
        for name in value.model_extra or ():
            return (*place, name)
        inner = {name: getattr(value, name) for name in type(value).model_fields}
        found = (_unknown(item, (*place, name)) for name, item in inner.items())
        return next((where for where in found if where), ())
    return ()
