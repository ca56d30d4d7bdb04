"""LiveKit on the running loop's clock, its messages and events included."""

from __future__ import annotations

import sys
import time
from typing import Any

from offhook_adapters._frameworks.clock import LoopTime, follow_loop_time

__all__ = ["use_loop_time"]


def use_loop_time() -> None:
    """Binds LiveKit's clocks to the running loop's. Repeating it takes in what was imported since."""
    follow_loop_time("livekit")
    clock = LoopTime()
    for name, module in list(sys.modules.items()):
        if name.startswith("livekit.agents"):
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == name:
                    _restamp(value, clock)


def _restamp(model: Any, clock: LoopTime) -> None:
    """A pydantic model's default factories are compiled into it: LiveKit orders a conversation by them."""
    fields = vars(model).get("__pydantic_fields__", {}).values()
    stale = [field for field in fields if field.default_factory is time.time]
    for field in stale:
        field.default_factory = clock.time
    if stale:
        model.model_rebuild(force=True)
