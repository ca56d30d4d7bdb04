"""What the platform metered, as quantities by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from offhook_adapters.gemini.prices import UNATTRIBUTED_TOKENS

__all__ = ["turn_usage"]


def turn_usage(usage: Any) -> dict[str, float]:
    """The counts of one ``UsageMetadata``. The vendor bills every turn for the whole context, so they add up.

    Tokens beyond those of the details belong to no kind and are told apart: some are left out of the details
    (seen with 3.8 Live), and nobody can price them.
    """
    text_in, audio_in = _by_kind((*_details(usage, "prompt"), *_details(usage, "tool_use_prompt")))
    text_out, audio_out = _by_kind(_details(usage, "response"))
    taken = (usage.prompt_token_count or 0) + (usage.tool_use_prompt_token_count or 0)
    left = max(0, taken - text_in - audio_in) + max(
        0, (usage.response_token_count or 0) - text_out - audio_out
    )
    counts = {
        "input_text_tokens": text_in,
        "input_audio_tokens": audio_in,
        "output_text_tokens": text_out,
        "output_audio_tokens": audio_out,
        "thinking_tokens": usage.thoughts_token_count or 0,
        UNATTRIBUTED_TOKENS: left,
    }
    return {name: float(count) for name, count in counts.items() if count}


def _details(usage: Any, which: str) -> Iterable[Any]:
    return getattr(usage, f"{which}_tokens_details") or ()


def _by_kind(details: Iterable[Any]) -> tuple[int, int]:
    """Text and audio tokens."""
    text = audio = 0
    for detail in details:
        count = detail.token_count or 0
        kind = getattr(detail.modality, "value", detail.modality)
        if kind == "TEXT":
            text += count
        elif kind == "AUDIO":
            audio += count
    return text, audio
