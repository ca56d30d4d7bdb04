"""LiveKit's own session code over a real line in virtual time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.conformance import conform
from offhook.hooks import hookimpl
from offhook.sessions import (
    Adapter,
    AgentAudio,
    AgentTranscript,
    Clear,
    Ended,
    ToolCall,
    Usage,
    UserSpeech,
    UserTranscript,
)
from offhook.speech import EngineInfo, SpeechUnavailable
from offhook.storage import RunFolder
from offhook.twins import ScriptDesk
from offhook_adapters.livekit.adapter import LiveKitAdapter
from tests.adapters.reference._audio_calls import audio_call, speaking
from tests.adapters.reference._calls import answers
from tests.core._integrators import world_host
from tests.core._runs import placed

from ._calls import AGENT, BOOKING, BOOKING_ANSWERS, PACK, Live, call_setup, scripted

LONG = (
    "We are open from Monday to Friday between nine and six. On Saturday we close at noon. On Sunday we are "
    "closed, and nobody will answer the telephone then."
)


async def greeted(live: Live) -> None:
    """Waits for the greeting to end."""
    await live.until(lambda: live.of(AgentTranscript))


def test_a_booking_is_made_through_livekit(tmp_path: Path) -> None:
    adapter: Any = LiveKitAdapter(line_vad=True)
    call = audio_call(adapter, PACK, BOOKING, speaking(answers(BOOKING_ANSWERS)), tmp_path)
    assert call.accepted == (*(expected.tool for expected in BOOKING.expected), "end_call")
    assert call.said[0] == AGENT.greeting
    assert call.said[-1] == PACK.guide.goodbye
    assert "Nadia Okafor, 541-555-0148." in call.heard
    assert call.errors == ()
    assert call.ended == Ended("agent")


class _Plugin:
    @hookimpl
    def offhook_adapters(self) -> Sequence[Adapter]:
        return [LiveKitAdapter(line_vad=True)]


def _files(folder: RunFolder) -> dict[str, Any]:
    """Every call's files; the record without its wall-clock stamps."""
    found: dict[str, Any] = {}
    for path in sorted(folder.path.glob("calls/*/*")):
        content: Any = path.read_bytes()
        if path.name == "record.json":
            content = json.loads(content)
            content.pop("wall")
        found[str(path.relative_to(folder.path))] = content
    return found


def test_runs_are_alike_to_the_byte(tmp_path: Path) -> None:
    runs = [
        placed(tmp_path / name, world_host(_Plugin()), "livekit", tasks=("B-H1",))
        for name in ("one", "other")
    ]
    first, second = (_files(run.folder) for run in runs)
    assert len(first) >= 6
    assert first == second
    assert [run.summary.passed for run in runs] == [1, 1]
    record = json.loads(next(iter(runs[0].folder.path.glob("calls/*/platform.json"))).read_text())
    assert record["raw"]["turn_handling"]["turn_detection"] == "turn-detector-v1-mini"


CHECKS = (
    "prompt-arrives",
    "greeting-arrives",
    "tools-arrive",
    "barge-in",
    "tool-batch",
    "tool-unknown",
    "tool-bad-arguments",
    "caller-hangup",
    "cancel-teardown",
)


def test_it_holds_the_contract_where_livekit_has_ways_of_its_own() -> None:
    told = conform(LiveKitAdapter(), only=CHECKS)
    assert [result.told for result in told.results if not result.holds] == []
    assert len(told.results) == len(CHECKS)


@pytest.mark.slow
def test_it_holds_the_whole_contract() -> None:
    told = conform(LiveKitAdapter())
    assert [result.told for result in told.results if not result.holds] == []


def test_the_conversation_keeps_only_what_was_heard() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        await desk.say(LONG)
        await desk.listen()
        await desk.say("As you like.")

    async def talk(live: Live) -> None:
        await greeted(live)
        await live.say("When are you open?")
        sent = len(live.of(AgentAudio))
        await live.until(lambda: len(live.of(AgentAudio)) > sent)
        await asyncio.sleep(4)
        await live.say("Thank you, that is all I wanted to know.")
        await live.until(lambda: "As you like." in [event.text for event in live.of(AgentTranscript)])

    live, twin = scripted(script, talk)
    assert live.of(Clear)
    messages = [message for body in twin.received for message in body["messages"]]
    kept = {m["content"] for m in messages if m["role"] == "assistant" and m["content"] != AGENT.greeting}
    (cut,) = kept
    assert LONG.startswith(cut)
    assert 10 < len(cut) < len(LONG) - 40


def test_after_a_closing_tool_the_last_words_are_heard_out() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        await desk.say("It was a pleasure to help you. Goodbye.")
        await desk.call("end_call", {})

    async def talk(live: Live) -> None:
        await greeted(live)
        await live.say("Nothing, sorry.")
        await live.until(lambda: live.of(Ended))

    live, _ = scripted(script, talk)
    assert live.of(Ended) == [Ended("agent")]
    assert [event.text for event in live.of(AgentTranscript)][-1] == "It was a pleasure to help you. Goodbye."
    called = next(at for at, event in live.events if isinstance(event, ToolCall))
    ended = next(at for at, event in live.events if isinstance(event, Ended))
    after = [event for at, event in live.events if at >= called - 1 and isinstance(event, AgentAudio)]
    assert ended - called > sum(len(sound.samples) / sound.rate for sound in after) - 1
    (usage,) = live.of(Usage)
    assert usage.quantities["llm_input_tokens"] > 0
    assert usage.quantities["stt_audio_duration"] > 0


def test_ids_of_tool_calls_are_those_of_the_wire() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        result = await desk.call("get_service_price", {"service": "wheel"})
        await desk.say(f"That is {result.body['price']}.")

    async def talk(live: Live) -> None:
        await greeted(live)
        await live.say("What does a wheel cost?")
        await live.until(lambda: len(live.of(AgentTranscript)) == 2)

    live, twin = scripted(script, talk)
    (call,) = live.of(ToolCall)
    told = [m for m in twin.received[-1]["messages"] if m["role"] == "tool"]
    assert [message["tool_call_id"] for message in told] == [call.id]
    assert json.loads(told[0]["content"]) == {"price": 5}
    assert live.of(AgentTranscript)[-1].text == "That is 5."
    assert [event.speaking for event in live.of(UserSpeech)] == [True, False]
    assert [event.text for event in live.of(UserTranscript)] == ["What does a wheel cost?"]


def test_livekit_is_never_left_to_resample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its resampler dithers with a seed of the moment: two runs would differ."""
    from livekit import rtc

    def refuse(*given: object, **named: object) -> None:
        raise AssertionError("LiveKit resamples")

    monkeypatch.setattr(rtc.AudioResampler, "__init__", refuse)

    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        await desk.say("There you are.")

    async def talk(live: Live) -> None:
        await greeted(live)
        await live.say("Hello?")
        await live.until(lambda: len(live.of(AgentTranscript)) == 2)

    live, _ = scripted(script, talk)
    assert live.of(AgentTranscript)[-1].text == "There you are."


class _Deaf:
    """Ears whose weights are missing."""

    name = "deaf"
    info = EngineInfo("deaf", "none", "0", "none", "")

    def hear(self, clip: object, hint: object) -> Any:
        raise SpeechUnavailable("the ears' weights are missing: install them")


def test_a_missing_engine_is_no_fault_of_the_platform() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()

    async def talk(live: Live) -> None:
        await greeted(live)
        await live.say("Can you hear me?")
        await asyncio.sleep(3)

    given = call_setup().engines
    assert given is not None
    with pytest.raises(SpeechUnavailable, match="install them"):
        scripted(script, talk, engines=attrs.evolve(given, careful_ears=_Deaf()))
