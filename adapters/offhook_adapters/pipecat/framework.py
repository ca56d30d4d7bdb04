"""Pipecat itself: whether it is here, and which of its defaults a call runs with. Nothing heavy is imported
before it is asked for.
"""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from offhook.platforms import PlatformUnusable
from offhook_adapters._frameworks.clock import follow_loop_time

if TYPE_CHECKING:
    from pipecat.turns.user_turn_strategies import UserTurnStrategies

__all__ = ["defaults_in_use", "load_framework", "missing_framework"]

_MISSING: Final = "Pipecat is missing or too old: run pip install 'offhook[pipecat]'"


def missing_framework() -> str | None:
    """What is not installed, in one line, or None. Imports nothing of it."""
    if find_spec("pipecat") is None or find_spec("openai") is None or find_spec("onnxruntime") is None:
        return _MISSING
    return None


def load_framework() -> None:
    """Imports all that a call needs, so that the first call is as quick as any, and lets Pipecat's modules
    follow the running loop's clock. Pipecat's log, which goes to stderr by default, is switched off.

    Raises:
        PlatformUnusable: it is not installed, or another version than this adapter was written for.
    """
    try:
        from loguru import logger

        logger.disable("pipecat")
        import pipecat.audio.turn.smart_turn.local_smart_turn_v3
        import pipecat.audio.vad.silero
        import pipecat.workers.runner  # noqa: F401

        import offhook_adapters.pipecat._pipeline  # noqa: F401
    except ImportError:
        raise PlatformUnusable(_MISSING) from None
    follow_loop_time("pipecat")


def defaults_in_use(strategies: UserTurnStrategies) -> dict[str, Any]:
    """Pipecat's version and the defaults that shape a conversation, as they are installed. ``strategies`` are
    the ones a call runs with.
    """
    from pipecat.audio.turn.smart_turn.base_smart_turn import SmartTurnParams
    from pipecat.audio.vad.vad_analyzer import VADParams
    from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

    users = LLMUserAggregatorParams()
    return {
        "version": metadata.version("pipecat-ai"),
        "vad": VADParams().model_dump(),
        "smart_turn": SmartTurnParams().model_dump(),
        "turn_start": [type(strategy).__name__ for strategy in strategies.start or ()],
        "turn_stop": [type(strategy).__name__ for strategy in strategies.stop or ()],
        "user_turn_stop_timeout": users.user_turn_stop_timeout,
        "user_idle_timeout": users.user_idle_timeout,
        "audio_idle_timeout": users.audio_idle_timeout,
    }
