"""How Vapi posts tool calls and wants them answered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from offhook.sessions import ToolResult
from offhook.webhooks import BadWebhook, WebhookCall, json_object

__all__ = ["VapiDialect"]


@attrs.frozen
class VapiDialect:
    """``{"message": {"type": "tool-calls", "toolCallList": [...]}}`` in, ``{"results": [...]}`` out. Other
    messages that a server may be sent hold no calls.
    """

    secret_header: str = "x-vapi-secret"

    def read(self, body: bytes, headers: Mapping[str, str]) -> Sequence[WebhookCall]:
        message = json_object(body).get("message")
        if not isinstance(message, Mapping):
            raise BadWebhook("the body has no message")
        if message.get("type") != "tool-calls":
            return ()
        calls = message.get("toolCallList")
        if not isinstance(calls, list):
            raise BadWebhook("tool-calls without a toolCallList")
        return tuple(_call(call) for call in calls)

    def write(self, results: Sequence[ToolResult]) -> bytes:
        """Results are text of one line: the vendor can't read others
        (docs.vapi.ai/tools/custom-tools-troubleshooting).
        """
        return json.dumps({"results": [_answer(result) for result in results]}).encode()


def _call(call: Any) -> WebhookCall:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise BadWebhook("a tool call without a function")
    return WebhookCall(str(call.get("id") or ""), function["name"], _arguments(function.get("arguments")))


def _arguments(given: Any) -> Mapping[str, Any] | str:
    """The SDK's types say JSON text, examples show an object."""
    if isinstance(given, Mapping):
        return given
    if given is None:
        return {}
    if not isinstance(given, str):
        return json.dumps(given)
    try:
        read = json.loads(given or "{}")
    except (ValueError, RecursionError):
        return given
    return read if isinstance(read, dict) else given


def _answer(result: ToolResult) -> dict[str, str]:
    told = json.dumps(dict(result.body), ensure_ascii=False, sort_keys=True)
    kind = "result" if 200 <= result.status < 300 else "error"
    return {"toolCallId": result.id, "name": result.name, kind: told}
