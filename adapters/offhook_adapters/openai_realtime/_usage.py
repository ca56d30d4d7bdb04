"""What the platform metered, as quantities by name."""

from __future__ import annotations

from typing import Any

from offhook_adapters.openai_realtime.prices import TRANSCRIBED_SECONDS, TRANSCRIBER_TOKENS

__all__ = ["response_usage", "transcription_usage"]


def response_usage(usage: Any) -> dict[str, float]:
    """The token counts of a ``response.done``; empty where it has none. A response without cached details
    had nothing of one kind cached that could be told apart, so its cached tokens are left at the full price.
    """
    if usage is None:
        return {}
    taken, given = usage.input_token_details, usage.output_token_details
    cached = getattr(taken, "cached_tokens_details", None)
    counts = {
        "input_text_tokens": getattr(taken, "text_tokens", None),
        "input_audio_tokens": getattr(taken, "audio_tokens", None),
        "cached_text_tokens": getattr(cached, "text_tokens", None),
        "cached_audio_tokens": getattr(cached, "audio_tokens", None),
        "output_text_tokens": getattr(given, "text_tokens", None),
        "output_audio_tokens": getattr(given, "audio_tokens", None),
    }
    return {name: float(count) for name, count in counts.items() if count}


def transcription_usage(usage: Any) -> dict[str, float]:
    """Seconds or tokens of the transcriber, which is billed apart from the model."""
    if getattr(usage, "type", "") == "duration":
        return {TRANSCRIBED_SECONDS: float(usage.seconds)}
    if getattr(usage, "type", "") == "tokens":
        return {TRANSCRIBER_TOKENS: float(usage.total_tokens)}
    return {}
