"""Where a matched call was sent other words than the expected ones, and on what ground they were taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from offhook.packs import Pack
from offhook.values import ValueKind

__all__ = ["accepted_values"]


def accepted_values(evidence: Mapping[str, Any], pack: Pack | None) -> list[list[dict[str, Any]]]:
    """Per expected call of a tool-adherence grade, the arguments that match without being literally equal,
    each with ``what``, ``expected``, ``sent`` and a ``note``. Empty for a call that did not match.

    Args:
        pack: tells which arguments are names; None if the pack is not installed any more.
    """
    names = {
        (tool.name, parameter.name)
        for tool in (pack.tools if pack else ())
        for parameter in tool.parameters
        if parameter.kind is ValueKind.NAME
    }
    return [_of_call(call, names) for call in evidence.get("expected_calls", ())]


def _of_call(call: Mapping[str, Any], names: set[tuple[str, str]]) -> list[dict[str, Any]]:
    if not call["matched"] or not call["request"]:
        return []
    sent = call["request"]["arguments"]
    return [
        {
            "what": what,
            "expected": expected,
            "sent": sent[what],
            "note": _note(sent[what] in call["alternatives"].get(what, ()), (call["tool"], what) in names),
        }
        for what, expected in call["arguments"].items()
        if what in sent and sent[what] != expected
    ]


def _note(alternative: bool, name: bool) -> str:
    if alternative:
        return "accepted as an alternative"
    return "accepted as the same name" if name else "accepted as the same value"
