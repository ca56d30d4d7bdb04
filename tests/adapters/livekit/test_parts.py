"""Clocks, ears, options and what is told where something is missing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import Any

import attrs
import numpy as np
import pytest

from offhook.audio import silence
from offhook.clock import run_real, run_virtual
from offhook.platforms import PlatformUnusable
from offhook.speech import SpeechStyle
from offhook.testing import EnergyVad, FakeListener, FakeVoice
from offhook_adapters.livekit.adapter import LiveKitAdapter, LiveKitOpenAIAdapter, missing_livekit
from offhook_adapters.livekit.plugin import offhook_adapters

from ._calls import AGENT, call_setup

KEY = "sk-livekit-0123456789"
SET: dict[str, str] = {"OPENAI_API_KEY": KEY}


def test_livekits_messages_are_stamped_with_the_loops_time_and_nobody_elses_are() -> None:
    from livekit.agents import llm

    from offhook_adapters.livekit._clock import use_loop_time

    llm.ChatMessage(role="user", content=["made before"])
    use_loop_time()
    clock: Any = vars(sys.modules["livekit.agents.voice.agent_activity"])["time"]

    async def two() -> tuple[float, float, float]:
        first = llm.ChatMessage(role="user", content=["a"])
        before = clock.perf_counter()
        await asyncio.sleep(1000)
        second = llm.ChatMessage(role="user", content=["b"])
        return (
            second.created_at - first.created_at,
            clock.perf_counter() - before,
            time.time(),
        )

    began = time.time()
    apart, ticked, elsewhere = run_virtual(two())
    assert apart == pytest.approx(1000)
    assert ticked == pytest.approx(1000, abs=0.01)
    assert began <= elsewhere <= time.time()

    async def now() -> float:
        return llm.ChatMessage(role="user", content=["a"]).created_at

    assert began <= run_real(now()) <= time.time()


def _heard(*parts: Any, flush: bool) -> list[str]:
    """What the ears make of clips, LiveKit's flush after the last one or not."""
    from livekit import rtc
    from livekit.agents import stt

    from offhook_adapters.livekit._speech import RunEars

    async def run() -> list[str]:
        ears = RunEars(FakeListener(), EnergyVad(), lambda: 0.2, lambda error: None)
        stream = ears.stream()
        sound = np.concatenate([part.samples for part in parts])
        for start in range(0, len(sound) - 479, 480):
            stream.push_frame(rtc.AudioFrame(sound[start : start + 480].tobytes(), 24000, 1, 480))
        if flush:
            stream.flush()
        told: list[stt.SpeechEvent] = []
        listening = asyncio.create_task(_gather(stream, told))
        await asyncio.sleep(5)
        await stream.aclose()
        await listening
        finals = [event for event in told if event.type == stt.SpeechEventType.FINAL_TRANSCRIPT]
        return [event.alternatives[0].text for event in finals]

    return run_virtual(run())


async def _gather(stream: Any, told: list[Any]) -> None:
    told.extend([event async for event in stream])


def spoken(text: str) -> Any:
    return FakeVoice().speak(text, SpeechStyle())


def test_the_ears_hear_when_livekit_asks_them_to() -> None:
    assert _heard(silence(0.5), spoken("Two wheels."), silence(0.3), flush=True) == ["Two wheels."]
    assert _heard(silence(0.5), spoken("Two wheels."), silence(0.3), flush=False) == []
    assert _heard(silence(0.5), spoken("Two wheels."), silence(3.2), flush=False) == ["Two wheels."]
    assert _heard(silence(2.0), flush=True) == []


def test_a_missing_livekit_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_livekit() is None
    monkeypatch.setitem(sys.modules, "livekit.agents", None)
    for adapter in (LiveKitAdapter(), LiveKitOpenAIAdapter(environment=SET)):
        assert adapter.check() == "LiveKit Agents is not installed: run pip install 'offhook[livekit]'"
        with pytest.raises(PlatformUnusable, match="pip install"):
            run_virtual(adapter.deploy(AGENT))


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, "OPENAI_API_KEY is not set"),
        ({"OPENAI_API_KEY": "a b"}, "OPENAI_API_KEY holds a blank"),
        ({**SET, "OPENAI_BASE_URL": "https://me:secret@host/v1"}, "OPENAI_BASE_URL holds a user"),
    ],
)
def test_a_key_that_can_be_none_is_told_before_the_first_call(environment: dict[str, str], told: str) -> None:
    adapter = LiveKitOpenAIAdapter(environment=environment)
    trouble = adapter.check()
    assert trouble is not None
    assert trouble.startswith(told)
    assert LiveKitOpenAIAdapter(environment=SET).check() is None


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"vioce": "x"}, "there is no option 'vioce'"),
        ({"max_tool_steps": "none"}, "max_tool_steps must be a number"),
        ({"max_tool_steps": "0"}, "max_tool_steps must be a number"),
        ({"max_tool_steps": "9" * 5_000}, "max_tool_steps must be a number"),
        ({"voice": "nobody"}, "there is no voice 'nobody': choose one of"),
    ],
)
def test_an_option_that_can_not_be_is_refused(options: dict[str, str], told: str) -> None:
    async def connect() -> None:
        adapter = LiveKitAdapter()
        await adapter.connect(await adapter.deploy(AGENT), call_setup(options=options))

    with pytest.raises(PlatformUnusable, match=told):
        run_virtual(connect())


def test_a_call_without_a_plan_or_engines_is_refused() -> None:
    async def connect(**changed: Any) -> None:
        adapter = LiveKitAdapter()
        await adapter.connect(await adapter.deploy(AGENT), call_setup(**changed))

    with pytest.raises(PlatformUnusable, match="follows the plan"):
        run_virtual(connect(plan=None))
    with pytest.raises(ValueError, match="run's engines"):
        run_virtual(connect(engines=None))


def test_the_platforms_own_defaults_are_in_its_record() -> None:
    async def record(**options: str) -> dict[str, Any]:
        adapter = LiveKitAdapter()
        session = await adapter.connect(await adapter.deploy(AGENT), call_setup(options=options))
        told = dict((await session.fetch_record()).raw)
        await session.hang_up()
        return told

    told = run_virtual(record())
    assert told["max_tool_steps"] == 3
    assert told["aec_warmup_duration"] == 3.0
    assert told["vad"] == "silero"
    assert told["turn_handling"]["endpointing"]["min_delay"] == 0.3
    assert run_virtual(record(max_tool_steps="7"))["max_tool_steps"] == 7


def test_only_the_reference_is_handed_a_plan() -> None:
    names = {adapter.name: adapter.capabilities for adapter in offhook_adapters()}
    assert names["livekit"].harness_reference
    assert names["livekit"].virtual_time
    assert not names["livekit-openai"].harness_reference
    assert not names["livekit-openai"].virtual_time
    assert not attrs.evolve(LiveKitAdapter(), virtual_time=False).capabilities.virtual_time


IN_A_THREAD = """
import threading
from offhook_adapters.livekit.adapter import import_livekit
raised = []
threading.excepthook = lambda args: raised.append(args.exc_value)
thread = threading.Thread(target=import_livekit)
thread.start()
thread.join()
from livekit.agents import Plugin
assert not raised, raised
assert [plugin.package for plugin in Plugin.registered_plugins] == ["livekit.plugins.openai"]
assert isinstance(vars(Plugin)["register_plugin"], classmethod)
"""


def test_livekit_is_imported_in_any_thread() -> None:
    told = subprocess.run([sys.executable, "-c", IN_A_THREAD], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""
