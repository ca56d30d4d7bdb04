"""What calls are reckoned to cost before they are placed."""

from __future__ import annotations

import pytest

from offhook.sessions import Priced
from offhook_adapters.deepgram.adapter import DeepgramAdapter
from offhook_adapters.gemini.adapter import GeminiLiveAdapter
from offhook_adapters.gpt_live.adapter import GptLiveAdapter
from offhook_adapters.mistral.adapter import MistralAdapter
from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter
from offhook_adapters.wires.estimates import chat_usage, speech_usage
from offhook_adapters.xai.adapter import XaiAdapter


def test_a_speech_model_reads_its_prompt_once_and_then_from_the_cache() -> None:
    used = speech_usage(30, heard_a_second=10, spoken_a_second=20)

    # three answers; 40 and 80 tokens of sound in ten seconds, read again by each answer that follows
    assert used["input_text_tokens"] == 3 * 10_000 + (1 + 2 + 3) * 200
    assert used["cached_text_tokens"] == 2 * 10_000 + (1 + 2) * 200
    assert used["input_audio_tokens"] == (1 + 2 + 3) * 120
    assert used["cached_audio_tokens"] == (1 + 2) * 120
    assert used["output_audio_tokens"] == 3 * 80


def test_a_chat_model_reads_everything_anew() -> None:
    used = chat_usage(20)

    assert used.tokens_in == 2 * 10_000 + (1 + 2) * 320
    assert (used.tokens_out, used.characters) == (120, 120)


@pytest.mark.parametrize(
    "adapter",
    [
        DeepgramAdapter(),
        GeminiLiveAdapter(),
        GptLiveAdapter(),
        MistralAdapter(),
        OpenAIRealtimeAdapter(),
        XaiAdapter(),
    ],
    ids=lambda adapter: adapter.name,
)
def test_a_longer_call_is_dearer_and_three_minutes_are_within_reason(adapter: Priced) -> None:
    short, usual = adapter.estimate(60).usd, adapter.estimate(180).usd

    assert short is not None
    assert usual is not None
    assert 0.01 < short < usual < 3
