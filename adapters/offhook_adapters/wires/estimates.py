"""What a call is likely to use, for prices that are asked for before it is placed.

The figures are those of offhook's own tasks: a prompt of some 3,500 words with thirty tools is about 10,000
tokens, somebody speaks four fifths of the time, half of it each, and the agent answers every ten seconds. A
speech model reads the whole conversation again for each answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import attrs

__all__ = ["ChatUsage", "chat_usage", "speech_usage"]

_PROMPT_TOKENS: Final = 10_000
_ANSWER_SECONDS: Final = 10.0
_SHARE: Final = 0.4
# A tool's answer, or what stands in its place, and a sentence or two.
_READ_TOKENS: Final = 200
_WRITTEN_TOKENS: Final = 60
_CHARACTERS_A_SECOND: Final = 15.0


def speech_usage(seconds: float, *, heard_a_second: float, spoken_a_second: float) -> Mapping[str, float]:
    """Tokens of a speech-to-speech model in a call of that length, by the names its metering has. The
    arguments are the vendor's tokens for a second of sound in and out.
    """
    answers = max(1, math.ceil(seconds / _ANSWER_SECONDS))
    heard = heard_a_second * _SHARE * _ANSWER_SECONDS
    spoken = spoken_a_second * _SHARE * _ANSWER_SECONDS
    again = answers * (answers - 1) / 2
    cached_text = (answers - 1) * _PROMPT_TOKENS + again * _READ_TOKENS
    cached_audio = again * (heard + spoken)
    return {
        "input_text_tokens": cached_text + _PROMPT_TOKENS + answers * _READ_TOKENS,
        "cached_text_tokens": cached_text,
        "input_audio_tokens": cached_audio + answers * (heard + spoken),
        "cached_audio_tokens": cached_audio,
        "output_text_tokens": answers * _WRITTEN_TOKENS,
        "output_audio_tokens": answers * spoken,
    }


@attrs.frozen
class ChatUsage:
    """``tokens_in`` read and ``tokens_out`` written by a chat model, and ``characters`` to be spoken."""

    tokens_in: float
    tokens_out: float
    characters: float


def chat_usage(seconds: float) -> ChatUsage:
    """What a cascade's chat model and voice do in a call of that length; nothing is read from a cache."""
    answers = max(1, math.ceil(seconds / _ANSWER_SECONDS))
    read = answers * _PROMPT_TOKENS + answers * (answers + 1) / 2 * (_READ_TOKENS + 2 * _WRITTEN_TOKENS)
    return ChatUsage(read, answers * _WRITTEN_TOKENS, seconds * _SHARE * _CHARACTERS_A_SECOND)
