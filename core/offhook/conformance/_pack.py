"""The agent that is deployed and the tools it has: the repair desk of the test pack, with two tools more."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.conformance._desk import GREETING
from offhook.packs import Pack, Tool, ToolContext
from offhook.testing_pack import bicycle_pack

__all__ = ["LARGE", "LARGE_BYTES", "SLOW", "SLOW_SECONDS", "kit_pack"]

SLOW: Final = "ask_workshop"
SLOW_SECONDS: Final = 8.0
LARGE: Final = "list_stock"
LARGE_BYTES: Final = 200_000


def kit_pack(
    *, prompt: str | None = None, greets: bool = True, tools: bool = True, slow_inside: bool = False
) -> Pack:
    """The pack of a check.

    Args:
        prompt: in place of the pack's own.
        greets: whether the agent has a greeting.
        tools: whether it has any tools.
        slow_inside: whether the slow tool itself takes its time. Where the answer passes through the session
            it is held up there, so that it takes as long on any clock.
    """
    pack = bicycle_pack()
    extra = (
        Tool(SLOW, "Asks the workshop, which takes a while.", (), _slow if slow_inside else _asked),
        Tool(LARGE, "Lists every part in stock.", (), _stock),
    )
    agent = attrs.evolve(
        pack.agent,
        prompt=pack.agent.prompt if prompt is None else prompt,
        greeting=GREETING if greets else "",
        tools=(*pack.agent.tools, SLOW, LARGE) if tools else (),
    )
    return attrs.evolve(pack, tools=(*pack.tools, *extra), agent=agent)


def _asked(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"answer": "the wheel is ready"}


def _slow(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    time.sleep(SLOW_SECONDS)  # in a thread of its own: such platforms run in real time only
    return _asked(context, arguments)


def _stock(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    parts: list[str] = []
    size = 0
    while size < LARGE_BYTES:
        parts.append(f"part {len(parts):05d}: \u201cspoke, 290\u00a0mm\u201d \u2013 \u00bd dozen")
        size += len(parts[-1])
    return {"stock": parts}
