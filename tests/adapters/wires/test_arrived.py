"""What a twin says has arrived is the last call's, greeting or none."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from offhook.clock import run_real
from offhook.sessions import AgentAudio
from offhook_adapters.deepgram.adapter import DeepgramAdapter
from offhook_adapters.elevenlabs.adapter import ElevenLabsAdapter
from offhook_adapters.gemini.adapter import GeminiLiveAdapter
from offhook_adapters.gpt_live.adapter import GptLiveAdapter
from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter
from offhook_adapters.xai.adapter import XaiAdapter
from tests.adapters._calls import AGENT, Listening, call_setup, twinned

VENDORS = (
    DeepgramAdapter,
    ElevenLabsAdapter,
    GeminiLiveAdapter,
    GptLiveAdapter,
    OpenAIRealtimeAdapter,
    XaiAdapter,
)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_call_without_a_greeting_after_one_with_it(vendor: Any) -> None:
    silent = attrs.evolve(AGENT, prompt="Wait to be spoken to.", greeting="")

    async def work() -> list[tuple[str, str]]:
        arrived: list[tuple[str, str]] = []
        async with twinned(vendor()) as (adapter, twin):
            # all are set up first: on some platforms what is set up has arrived by that alone
            deployed = [await adapter.deploy(agent) for agent in (AGENT, silent)]
            for deployment in (*deployed, deployed[0]):
                wanted = deployment.config.greeting
                async with Listening(await adapter.connect(deployment, call_setup())) as call:
                    if wanted:
                        await call.until(lambda call: call.of(AgentAudio))
                assert twin.arrived is not None
                arrived.append((twin.arrived.prompt, twin.arrived.greeting))
        return arrived

    first = (AGENT.prompt, AGENT.greeting)
    assert run_real(work()) == [first, (silent.prompt, ""), first]
