"""Both directions of the twin's wire, and the backend's events in it, against the SDK's own types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs
from openai.types.live import ConnectServerEvent
from openai.types.live.client_event import ClientEvent
from openai.types.responses import ResponseStreamEvent

from offhook_adapters.openai_realtime.twin_checks import WireError, WireTypes, by_type

__all__ = ["LiveTypes", "live_types"]

_INNER: Final = (
    "response.completed",
    "response.created",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.added",
    "response.output_item.done",
)
_APPENDS: Final = ("session.commentary.append", "session.instructions.append", "session.thinking.append")


@attrs.frozen
class LiveTypes:
    """The session's events, and those that it wraps."""

    outer: WireTypes
    inner: WireTypes

    def check_client(self, event: Mapping[str, Any]) -> None:
        """Makes sure that the vendor would take an event of a client.

        Raises:
            WireError: no such event, a field of another type, one there is not, or one that is missing.
        """
        self.outer.check_client(event)
        # "Required, nullable" by the SDK's own words, which its type can't say.
        if event["type"] in _APPENDS and "delegation_id" not in event:
            raise WireError("missing_required_parameter", "delegation_id is required", "delegation_id")

    def check_server(self, event: Mapping[str, Any]) -> None:
        """Makes sure that an event of the twin is one the vendor could have sent.

        Raises:
            WireError: it is not; the twin is wrong.
        """
        self.outer.check_server(event)
        if event["type"] == "response.event":
            self.inner.check_server(event["event"])


def live_types() -> LiveTypes:
    """The types of the SDK that is installed. Takes a second; those that a call needs are made ready, which
    would else hold it up in its midst.
    """
    client, server, inner = by_type(ClientEvent), by_type(ConnectServerEvent), by_type(ResponseStreamEvent)
    for kind in (client["session.start"], client["response.item.create"], server["session.started"]):
        kind.model_rebuild()
    for name in _INNER:
        inner[name].model_rebuild()
    return LiveTypes(WireTypes(client, server), WireTypes({}, inner))
