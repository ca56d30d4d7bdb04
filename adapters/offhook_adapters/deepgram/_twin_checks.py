"""Both directions of the twin's wire against the SDK's own types, which the vendor generates from its
specification.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, get_args

import attrs
from deepgram.agent.v1 import socket_client
from deepgram.agent.v1.types.agent_v1force_end_turn import AgentV1ForceEndTurn
from deepgram.agent.v1.types.agent_v1inject_agent_message import AgentV1InjectAgentMessage
from deepgram.agent.v1.types.agent_v1inject_user_message import AgentV1InjectUserMessage
from deepgram.agent.v1.types.agent_v1keep_alive import AgentV1KeepAlive
from deepgram.agent.v1.types.agent_v1send_function_call_response import AgentV1SendFunctionCallResponse
from deepgram.agent.v1.types.agent_v1settings import AgentV1Settings
from deepgram.agent.v1.types.agent_v1update_listen import AgentV1UpdateListen
from deepgram.agent.v1.types.agent_v1update_prompt import AgentV1UpdatePrompt
from deepgram.agent.v1.types.agent_v1update_speak import AgentV1UpdateSpeak
from deepgram.agent.v1.types.agent_v1update_think import AgentV1UpdateThink
from pydantic import BaseModel, ValidationError

__all__ = ["WireError", "WireTypes", "read_object", "wire_types"]

_CLIENT: Final[tuple[type[BaseModel], ...]] = (
    AgentV1ForceEndTurn,
    AgentV1InjectAgentMessage,
    AgentV1InjectUserMessage,
    AgentV1KeepAlive,
    AgentV1SendFunctionCallResponse,
    AgentV1Settings,
    AgentV1UpdateListen,
    AgentV1UpdatePrompt,
    AgentV1UpdateSpeak,
    AgentV1UpdateThink,
)


@attrs.frozen
class WireError(Exception):
    """What the vendor answers with an ``Error`` message, after which it closes."""

    code: str
    message: str


@attrs.frozen
class WireTypes:
    """Message classes by their ``type``."""

    client: Mapping[str, type[BaseModel]]
    server: Mapping[str, type[BaseModel]]

    def check_client(self, message: Mapping[str, Any]) -> None:
        """Makes sure that the vendor would take a message of a client.

        Raises:
            WireError: no such message, a field of another type, or one there is not.
        """
        kind = message.get("type")
        if not isinstance(kind, str) or kind not in self.client:
            raise WireError("UNPARSABLE_CLIENT_MESSAGE", f"there is no client message {kind!r}")
        _check(self.client[kind], message)

    def check_server(self, message: Mapping[str, Any]) -> None:
        """Makes sure that a message of the twin is one the vendor could have sent.

        Raises:
            WireError: it is not; the twin is wrong.
        """
        _check(self.server[message["type"]], message)


def read_object(raw: str) -> dict[str, Any]:
    """One message of a client, as sent.

    Raises:
        WireError: no JSON object.
    """
    try:
        message = json.loads(raw)
    except ValueError:
        message = None
    if not isinstance(message, dict):
        raise WireError("UNPARSABLE_CLIENT_MESSAGE", "the message is not a JSON object")
    return message


def wire_types() -> WireTypes:
    """The types of the SDK that is installed."""
    told = [kind for kind in get_args(socket_client.V1SocketClientResponse) if _is_message(kind)]
    return WireTypes(_by_type(_CLIENT), _by_type(told))


def _is_message(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _by_type(kinds: Any) -> dict[str, type[BaseModel]]:
    return {str(kind.model_fields["type"].default): kind for kind in kinds}


def _check(kind: type[BaseModel], message: Mapping[str, Any]) -> None:
    wrong = "INVALID_SETTINGS" if message["type"] == "Settings" else "UNPARSABLE_CLIENT_MESSAGE"
    try:
        model = kind.model_validate(message)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise WireError(wrong, f"{place}: {first['msg']}") from None
    if extra := _unknown_field(model, ""):
        raise WireError(wrong, f"unknown field {extra!r}")


def _unknown_field(value: Any, place: str) -> str:
    """The first field that the SDK's types do not know; they let any pass, and the vendor doesn't."""
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
