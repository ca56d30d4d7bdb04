"""How a platform posts tool calls: what an adapter whose ``tool_mode`` is ``webhook`` brings along.

The runner gives each call an address of its own (``CallSetup.tools``). What is posted there is read by the
adapter's dialect, run by the tool server one call after the other, and answered in the dialect's words:

    class AcmeDialect:
        secret_header = ""

        def read(self, body, headers):
            told = json_object(body)
            return tuple(WebhookCall(each["id"], each["name"], each["args"]) for each in told["calls"])

        def write(self, results):
            return json.dumps({"answers": {result.id: dict(result.body) for result in results}}).encode()
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import attrs

from offhook.sessions import ToolResult

__all__ = ["BadWebhook", "WebhookCall", "WebhookDialect", "WithWebhook", "json_object"]


class BadWebhook(ValueError):
    """A body that is not what the platform documents. The message is one line; it is answered with 400, for
    the platform to log.
    """


@attrs.frozen
class WebhookCall:
    """One tool call of a body. ``id`` is the platform's own, empty where it gives none; ``arguments`` that
    are no JSON object are given as the text they came as, to be logged and refused.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | str


class WebhookDialect(Protocol):
    """One platform's bodies."""

    @property
    def secret_header(self) -> str:
        """A header in which the platform sends the token as it is, such as ``x-acme-secret``; empty where it
        only sends a bearer token.
        """
        ...

    def read(self, body: bytes, headers: Mapping[str, str]) -> Sequence[WebhookCall]:
        """The tool calls of one request, in the order they are to run; none where it is about something else.
        Names in ``headers`` are lower case.

        Raises:
            BadWebhook: the body is none of this platform's.
        """
        ...

    def write(self, results: Sequence[ToolResult]) -> bytes:
        """The body that answers a request: JSON, one result for each call that ``read`` gave, in its order. A
        refusal is a result too (``status`` 400 and more).
        """
        ...


@runtime_checkable
class WithWebhook(Protocol):
    """An adapter whose platform posts tool calls."""

    @property
    def webhook(self) -> WebhookDialect: ...


def json_object(body: bytes) -> dict[str, Any]:
    """A body as a JSON object.

    Raises:
        BadWebhook: it is none.
    """
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        raise BadWebhook("the body is not JSON") from None
    if not isinstance(told, dict):
        raise BadWebhook(f"the body is {type(told).__name__}, expected a JSON object")
    return told
