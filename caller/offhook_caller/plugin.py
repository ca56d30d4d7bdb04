"""The callers this package brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import hookimpl

if TYPE_CHECKING:
    from offhook.callers import Caller

__all__ = ["offhook_callers"]


@hookimpl
def offhook_callers() -> Sequence[Caller]:
    """The scripted caller, and the same caller with a language model as its mind."""
    from offhook_caller.caller import SimulatedCaller
    from offhook_caller.openai_mind import missing_settings, openai_mind

    return [SimulatedCaller("scripted"), SimulatedCaller("openai", openai_mind, missing=missing_settings)]
