"""Both directions of the twin's wire against the SDK's own types, which the vendor generates from its
specification.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args, get_origin

import attrs
from openai.types.realtime import RealtimeClientEvent, RealtimeServerEvent
from pydantic import BaseModel, ValidationError

__all__ = ["WireError", "WireTypes", "by_type", "decoded_audio", "read_object", "wire_types"]

_MOST_AUDIO_BYTES: Final = 15 * 1024 * 1024


@attrs.frozen
class WireError(Exception):
    """What the vendor answers with an ``error`` event."""

    code: str
    message: str
    param: str | None = None


@attrs.frozen
class WireTypes:
    """Event classes by their ``type``."""

    client: Mapping[str, type[BaseModel]]
    server: Mapping[str, type[BaseModel]]

    def check_client(self, event: Mapping[str, Any]) -> None:
        """Makes sure that the vendor would take an event of a client.

        Raises:
            WireError: no such event, a field of another type, or one there is not.
        """
        kind = event.get("type")
        if not isinstance(kind, str) or kind not in self.client:
            raise WireError("invalid_value", f"there is no client event {kind!r}", "type")
        _check(self.client[kind], event)

    def check_server(self, event: Mapping[str, Any]) -> None:
        """Makes sure that an event of the twin is one the vendor could have sent.

        Raises:
            WireError: it is not; the twin is wrong.
        """
        _check(self.server[event["type"]], event)


def read_object(raw: str | bytes) -> dict[str, Any]:
    """One message of a client, as sent.

    Raises:
        WireError: no JSON object.
    """
    try:
        event = json.loads(raw)
    except ValueError:
        raise WireError("invalid_json", "the message is not JSON") from None
    if not isinstance(event, dict):
        raise WireError("invalid_json", "the message is not a JSON object")
    return event


def wire_types() -> WireTypes:
    """The types of the SDK that is installed."""
    return WireTypes(by_type(RealtimeClientEvent), by_type(RealtimeServerEvent))


def decoded_audio(text: str) -> bytes:
    """The PCM of one append.

    Raises:
        WireError: no base64, half a sample, or too much.
    """
    try:
        sound = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise WireError("invalid_value", "audio is not base64", "audio") from None
    if len(sound) % 2:
        raise WireError("invalid_value", "audio ends within a 16-bit sample", "audio")
    if len(sound) > _MOST_AUDIO_BYTES:
        raise WireError("invalid_value", "audio is larger than 15 MiB", "audio")
    return sound


def by_type(union: Any) -> dict[str, type[BaseModel]]:
    """The classes of one of the SDK's unions of events, by their ``type``."""
    members = get_args(get_args(union)[0])
    return {_literal(member.model_fields["type"].annotation): member for member in members}


def _literal(annotation: Any) -> str:
    assert get_origin(annotation) is Literal
    (value,) = get_args(annotation)
    return str(value)


def _check(kind: type[BaseModel], event: Mapping[str, Any]) -> None:
    try:
        model = kind.model_validate(event)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise WireError("invalid_value", f"{place}: {first['msg']}", place) from None
    extra = _unknown_field(model, "")
    if extra:
        raise WireError("unknown_parameter", f"unknown parameter: {extra!r}", extra)


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
