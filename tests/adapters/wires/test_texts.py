"""Text that no message can carry is refused in one line, before anything is set up."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from offhook.clock import run_real
from offhook.sessions import AgentConfig, ToolSchema
from offhook_adapters.deepgram.adapter import DeepgramAdapter
from offhook_adapters.elevenlabs.adapter import ElevenLabsAdapter
from offhook_adapters.gemini.adapter import GeminiLiveAdapter
from offhook_adapters.gpt_live.adapter import GptLiveAdapter
from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter
from offhook_adapters.vapi.adapter import VapiAdapter
from offhook_adapters.wires.vendor import VendorUnusable, check_agent, known_options
from offhook_adapters.xai.adapter import XaiAdapter
from tests.adapters._calls import AGENT

HALF = "so \ud83d it goes"
KEYS = {f"{name}_API_KEY": "k" * 20 for name in ("DEEPGRAM", "ELEVENLABS", "GEMINI", "OPENAI", "VAPI", "XAI")}
TOLD = "holds half a character ('\\ud83d' at 3), which no platform can be sent: write that place anew"
VENDORS = (
    DeepgramAdapter,
    ElevenLabsAdapter,
    GeminiLiveAdapter,
    GptLiveAdapter,
    OpenAIRealtimeAdapter,
    VapiAdapter,
    XaiAdapter,
)


def tool(name: str = "find", description: str = "Finds.", **parameters: Any) -> ToolSchema:
    return ToolSchema(name, description, {"type": "object", "properties": parameters})


@pytest.mark.parametrize("vendor", VENDORS)
def test_no_vendor_sets_up_what_can_not_be_sent(vendor: Any) -> None:
    agent = attrs.evolve(AGENT, prompt=HALF)
    with pytest.raises(VendorUnusable) as refused:
        run_real(vendor(environment=KEYS).deploy(agent))
    assert str(refused.value) == f"the prompt {TOLD}"


@pytest.mark.parametrize(
    ("agent", "what"),
    [
        (attrs.evolve(AGENT, name=HALF), "the agent's name"),
        (attrs.evolve(AGENT, greeting=HALF), "the greeting"),
        (attrs.evolve(AGENT, tools=(tool(), tool(description=HALF))), "the tool 'find'"),
        (attrs.evolve(AGENT, tools=(tool(name=HALF),)), "the tool 'so \\ud83d it goes'"),
        (attrs.evolve(AGENT, tools=(tool(color={"enum": ["red", HALF]}),)), "the tool 'find'"),
        (attrs.evolve(AGENT, tools=(tool(**{HALF: {"type": "string"}}),)), "the tool 'find'"),
    ],
)
def test_every_text_of_an_agent(agent: AgentConfig, what: str) -> None:
    with pytest.raises(VendorUnusable) as refused:
        check_agent(agent)
    assert str(refused.value) == f"{what} {TOLD}"
    str(refused.value).encode()


def test_whole_characters_are_let_pass() -> None:
    check_agent(attrs.evolve(AGENT, prompt="Zoë \U0001f600", tools=(tool(size={"enum": [1, None, "ß"]}),)))


def test_options_are_text_too() -> None:
    known_options({"voice": "Zoë"}, {"voice": ""})
    with pytest.raises(VendorUnusable) as refused:
        known_options({"voice": HALF}, {"voice": ""})
    assert str(refused.value) == f"voice {TOLD}"
