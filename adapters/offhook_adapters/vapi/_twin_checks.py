"""All directions of the twin's wires against the SDK's own types, which the vendor generates from its
specification.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from vapi.calls.types.create_call_dto_transport import CreateCallDtoTransport
from vapi.types.assistant_overrides import AssistantOverrides
from vapi.types.call import Call
from vapi.types.client_inbound_message_message import ClientInboundMessageMessage_EndCall
from vapi.types.client_message_speech_update import ClientMessageSpeechUpdate
from vapi.types.client_message_tool_calls import ClientMessageToolCalls
from vapi.types.client_message_tool_calls_result import ClientMessageToolCallsResult
from vapi.types.client_message_transcript import ClientMessageTranscript
from vapi.types.client_message_user_interrupted import ClientMessageUserInterrupted
from vapi.types.create_assistant_dto import CreateAssistantDto
from vapi.types.server_message_response_tool_calls import ServerMessageResponseToolCalls
from vapi.types.server_message_status_update import ServerMessageStatusUpdate
from vapi.types.server_message_tool_calls import ServerMessageToolCalls

__all__ = [
    "Refused",
    "build_checks",
    "check_assistant",
    "check_call",
    "check_control",
    "check_message",
    "check_order",
    "check_record",
    "check_results",
    "check_webhook",
]

# A status-update is in the list of what a client may be sent; its shape is given for servers only.
_MESSAGES: Final[Mapping[str, type[BaseModel]]] = {
    "speech-update": ClientMessageSpeechUpdate,
    "status-update": ServerMessageStatusUpdate,
    "tool-calls": ClientMessageToolCalls,
    "tool-calls-result": ClientMessageToolCallsResult,
    "transcript": ClientMessageTranscript,
    "user-interrupted": ClientMessageUserInterrupted,
}
_TRANSPORT: Final[TypeAdapter[Any]] = TypeAdapter(CreateCallDtoTransport)
# A function's parameters are JSON Schema, of which the SDK's types name some words only.
_OPEN: Final = ("function.parameters",)


class _Hangup(BaseModel):
    """What a client may say besides sound (docs.vapi.ai/calls/websocket-transport)."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["hangup"]


class Refused(Exception):
    """What the vendor answers with HTTP 400; the message says why."""


def build_checks() -> None:
    """Has the checks built, which takes a moment, before a call needs them."""
    kinds: tuple[type[BaseModel], ...] = (
        AssistantOverrides,
        Call,
        CreateAssistantDto,
        ServerMessageToolCalls,
        *_MESSAGES.values(),
    )
    for kind in kinds:
        with suppress(ValidationError):
            kind.model_validate({})


def check_assistant(body: Any) -> None:
    """Raises Refused for a body that the vendor would not make an assistant of."""
    _check(CreateAssistantDto, body)


def check_call(body: Any) -> None:
    """Raises Refused for a body that the vendor would not open a call for."""
    if not isinstance(body, dict):
        raise Refused("the body is not a JSON object")
    for name in body:
        if name not in ("assistantId", "assistantOverrides", "transport"):
            raise Refused(f"property {name} should not exist")
    if not isinstance(body.get("assistantId"), str):
        raise Refused("assistantId must be a string")
    _check(AssistantOverrides, body.get("assistantOverrides", {}))
    try:
        transport = _TRANSPORT.validate_python(body.get("transport"))
    except ValidationError as error:
        raise Refused(_told(error)) from None
    if unknown := _unknown_field(transport, "transport."):
        raise Refused(f"property {unknown} should not exist")


def check_message(message: Mapping[str, Any]) -> None:
    """Raises Refused for a message that the vendor could not have sent to a client; the twin is wrong."""
    _check(_MESSAGES[message["type"]], message)


def check_record(call: Mapping[str, Any]) -> None:
    """Raises Refused for a record that the vendor could not have kept; the twin is wrong."""
    _check(Call, {**call, "transport": {"provider": call["transport"]["provider"]}})


def check_results(body: Any) -> list[dict[str, Any]]:
    """The results in a webhook's answer. Raises Refused for one that the vendor can't read."""
    _check(ServerMessageResponseToolCalls, body)
    return list(body.get("results") or ())


def check_webhook(message: Mapping[str, Any]) -> None:
    """Raises Refused for a message that the vendor could not have posted; the twin is wrong."""
    _check(ServerMessageToolCalls, message)


def check_control(message: Any) -> None:
    """Raises Refused for what a client may not say."""
    _check(_Hangup, message)


def check_order(order: Any) -> None:
    """Raises Refused for an order to a call that this twin does not take: it only ends calls."""
    if not isinstance(order, dict) or order.get("type") != "end-call":
        raise Refused("type must be end-call")
    _check(ClientInboundMessageMessage_EndCall, order)


def _check(kind: type[BaseModel], body: Any) -> None:
    try:
        model = kind.model_validate(body)
    except ValidationError as error:
        raise Refused(_told(error)) from None
    if unknown := _unknown_field(model, ""):
        raise Refused(f"property {unknown} should not exist")


def _told(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


def _unknown_field(value: Any, place: str) -> str:
    """The first field that the SDK's types do not know; they let any pass, and the vendor doesn't."""
    if place.endswith(tuple(f"{name}." for name in _OPEN)):
        return ""
    if isinstance(value, BaseModel):
        for name in value.model_extra or ():
            return f"{place}{name}"
        inner = {name: getattr(value, name) for name in type(value).model_fields}
        found = (_unknown_field(item, f"{place}{name}.") for name, item in inner.items())
        return next((name for name in found if name), "")
    if isinstance(value, list):
        found = (_unknown_field(item, f"{place}{index}.") for index, item in enumerate(value))
        return next((name for name in found if name), "")
    return ""
