"""Whole calls through Pipecat's own pipeline in virtual time."""

from __future__ import annotations

import asyncio
import sys

import attrs
import numpy as np
import pytest

from offhook.audio import Clip
from offhook.platforms import PlatformUnusable
from offhook.sessions import (
    Adapter,
    AgentAudio,
    AgentTranscript,
    CallSetup,
    Checked,
    Clear,
    Ended,
    Ready,
    ToolCall,
    ToolCancelled,
    ToolResult,
    Usage,
    UserSpeech,
    UserTranscript,
    WithOptions,
)
from offhook.speech import Heard, ListenerHint, SpeechUnavailable
from offhook.testing import FakeListener, run_virtual
from offhook.twins import Behind, Script, ScriptDesk, Twinned
from offhook_adapters.pipecat.adapter import PipecatAdapter
from offhook_adapters.pipecat.plugin import offhook_adapters

from ._calls import AGENT, Held, Live, Talk, hold, setup

PLATFORM = PipecatAdapter(line_vad=True)


async def _held(script: Script, talk: Talk, call: CallSetup | None = None, **more: object) -> Held:
    call = call or setup()
    async with PLATFORM.twin(Behind(call, script)) as twin:
        options: dict[str, object] = {"call": call, **more}
        return await hold(PLATFORM.with_environment(twin.environment), talk, **options)  # type: ignore[arg-type]


def test_the_plugin_offers_them_and_imports_no_framework() -> None:
    adapters = {adapter.name: adapter for adapter in offhook_adapters()}
    ours = adapters["pipecat"]
    assert ours.capabilities.harness_reference
    assert ours.capabilities.virtual_time
    theirs = adapters["pipecat-openai"]
    assert not theirs.capabilities.harness_reference
    assert not theirs.capabilities.virtual_time
    for adapter in adapters.values():
        assert isinstance(adapter, Adapter)
        assert isinstance(adapter, Checked)
        assert isinstance(adapter, WithOptions)
    assert isinstance(ours, Twinned)


async def _price_call(live: Live) -> None:
    await live.hears(AGENT.greeting)
    await live.say("How much is a tune-up?")
    await live.hears("else")
    await live.say("No, thanks, goodbye.")
    await asyncio.sleep(20)


def test_the_follower_holds_a_call_and_leaves_when_it_is_done() -> None:
    def answer(call: ToolCall) -> ToolResult:
        body = {"price_cents": 6500, "service": "tune_up"} if call.name == "get_service_price" else {}
        return ToolResult(call.id, call.name, 200, body)

    held = run_virtual(hold(PLATFORM, _price_call, answer=answer))
    assert isinstance(held.events[0], Ready)
    assert held.said[0] == AGENT.greeting
    assert held.of(ToolCall)[0].name == "get_service_price"
    assert held.of(UserTranscript)[0].text == "How much is a tune-up?"
    speaking = [event.speaking for event in held.of(UserSpeech)]
    assert speaking[:2] == [True, False]
    used = [event.quantities for event in held.of(Usage)]
    assert any(quantities.get("completion_tokens", 0) > 0 for quantities in used)
    assert held.errors == []
    assert (held.cost.usd, held.cost.basis) == (0.0, "usage")


def test_a_repeated_call_is_the_same_to_the_sample() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.say(AGENT.greeting)
        await desk.listen()
        await desk.call("get_service_price", {"service": "wheel"})
        await desk.say("A wheel is forty dollars. Shall I book it for you, or is there something else?")
        await desk.listen()
        await desk.say("As you wish.")
        await desk.listen()

    async def talk(live: Live) -> None:
        await live.hears(AGENT.greeting)
        await live.say("What is a wheel?")
        await live.hears("forty")
        await live.say("No, leave it.")
        await live.hears("wish")

    def once(seed: int) -> tuple[list[object], tuple[float, ...], bytes]:
        held = run_virtual(_held(script, talk, setup(seed)))
        told = [event for event in held.events if not isinstance(event, AgentAudio)]
        sound = np.concatenate([event.samples for event in held.of(AgentAudio)])
        return [*told, held.record], held.times, sound.tobytes()

    first = once(1)
    assert first == once(1)
    assert first[1] != once(2)[1]


def test_an_interrupted_sentence_is_cut_and_told_as_far_as_it_was_heard() -> None:
    long = "We look at the brakes, then the chain, then the wheels, then the saddle and all of the lights."

    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        await desk.say(long)
        await desk.listen()
        await desk.say("Go on, please.")
        await desk.listen()

    async def talk(live: Live) -> None:
        await live.say("What do you do?")
        await live.speaks()
        await asyncio.sleep(1.5)
        await live.say("Sorry, one question please.")
        await live.hears("go on")

    held = run_virtual(_held(script, talk, agent=attrs.evolve(AGENT, greeting="")))
    cut, after = held.said
    assert len(held.of(Clear)) == 1
    assert long.startswith(cut)
    assert 2 < len(cut.split()) < len(long.split()) - 3
    assert after == "Go on, please."


def test_a_tool_that_is_interrupted_is_taken_back() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        await desk.call("get_service_price", {"service": "wheel"})

    async def talk(live: Live) -> None:
        await live.say("What is a wheel?")
        await asyncio.sleep(3)
        await live.say("No, wait, I meant the brakes.")
        await asyncio.sleep(2)

    def never(call: ToolCall) -> ToolResult:
        return ToolResult("another", call.name, 200, {})

    agent = attrs.evolve(AGENT, greeting="")
    held = run_virtual(_held(script, talk, agent=agent, answer=never))
    first = held.of(ToolCall)[0]
    assert held.of(ToolCancelled)[0].id == first.id


@pytest.mark.parametrize(("status", "by"), [(200, "agent"), (409, "caller")])
def test_the_last_words_are_heard_before_the_agent_leaves(status: int, by: str) -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        await desk.call("end_call", {})
        await desk.say("Goodbye then, and thank you for calling the workshop.")

    async def talk(live: Live) -> None:
        await live.say("That is all.")
        await asyncio.sleep(15)

    def answer(call: ToolCall) -> ToolResult:
        return ToolResult(call.id, call.name, status, {})

    agent = attrs.evolve(AGENT, greeting="")
    held = run_virtual(_held(script, talk, agent=agent, answer=answer))
    assert held.ended == Ended(by, "end_call" if by == "agent" else "")
    assert held.said == ["Goodbye then, and thank you for calling the workshop."]
    words = [clip for clip in held.tapes.played if clip.end - clip.start > 1]
    assert len(words) == 1


def test_what_was_sent_to_the_model_is_kept_by_the_twin() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.say(AGENT.greeting)
        await desk.listen()
        await desk.say("Yes.")

    async def talk(live: Live) -> None:
        await live.hears(AGENT.greeting)
        await live.say("Hello there.")
        await live.hears("yes")

    async def run() -> None:
        call = setup()
        async with PLATFORM.twin(Behind(call, script)) as twin:
            assert twin.arrived is None
            await hold(PLATFORM.with_environment(twin.environment), talk, call=call)
            assert twin.arrived is not None
            assert twin.arrived.prompt == AGENT.prompt
            assert twin.arrived.greeting == AGENT.greeting
            assert [tool.name for tool in twin.arrived.tools] == [tool.name for tool in AGENT.tools]
            assert twin.received[0]["messages"][-1] == {"role": "user", "content": "Hello there."}
            assert not twin.failures

    run_virtual(run())


def test_the_record_names_the_defaults_it_ran_with() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()

    async def talk(live: Live) -> None:
        await live.hears(AGENT.greeting)

    record = run_virtual(_held(script, talk)).record
    used = record.raw["pipecat"]
    assert used["version"] == "1.14.0"
    assert used["vad"] == {"confidence": 0.7, "start_secs": 0.2, "stop_secs": 0.2, "min_volume": 0.6}
    assert used["turn_stop"] == ["TurnAnalyzerUserTurnStopStrategy"]
    assert record.transcript == (f"agent: {AGENT.greeting}",)


def test_a_missing_engine_is_not_the_platforms_fault() -> None:
    @attrs.frozen
    class Missing:
        name: str = "missing"
        info = FakeListener().info

        def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
            raise SpeechUnavailable("the ears are gone: install them")

    call = setup()
    assert call.engines is not None
    call = attrs.evolve(call, engines=attrs.evolve(call.engines, careful_ears=Missing()))

    async def script(desk: ScriptDesk) -> None:
        await desk.listen()

    async def talk(live: Live) -> None:
        await live.say("Can you hear me?")
        await asyncio.sleep(5)

    with pytest.raises(SpeechUnavailable, match="install them"):
        run_virtual(_held(script, talk, call))


def test_a_mind_that_breaks_ends_the_call_with_its_reason() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        raise RuntimeError("lost the thread")

    async def talk(live: Live) -> None:
        await live.say("Hello, is anybody there?")
        await asyncio.sleep(30)

    held = run_virtual(_held(script, talk, agent=attrs.evolve(AGENT, greeting="")))
    assert held.ended.by == "platform"
    assert "lost the thread" in held.ended.reason
    assert held.errors[0].fatal


def test_what_no_call_can_be_held_with_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(call: CallSetup) -> None:
        await PLATFORM.connect(await PLATFORM.deploy(AGENT), call)

    with pytest.raises(PlatformUnusable, match=r"no option 'voise': choose from voice$"):
        run_virtual(connect(setup(voise="us-female-heart")))
    with pytest.raises(ValueError, match="give the call speech engines"):
        run_virtual(connect(attrs.evolve(setup(), engines=None)))
    with pytest.raises(PlatformUnusable, match="plan"):
        run_virtual(connect(attrs.evolve(setup(), plan=None)))
    monkeypatch.setitem(sys.modules, "pipecat.workers.runner", None)
    with pytest.raises(PlatformUnusable, match=r"pip install 'offhook\[pipecat\]'"):
        run_virtual(connect(setup()))


def test_a_sentence_is_told_when_its_last_word_is_heard() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.say(AGENT.greeting)
        await desk.listen()

    async def talk(live: Live) -> None:
        await live.hears(AGENT.greeting)

    held = run_virtual(_held(script, talk))
    timed = list(zip(held.times, held.events, strict=True))
    told = [at for at, event in timed if isinstance(event, AgentTranscript)]
    began = next(at for at, event in timed if isinstance(event, AgentAudio))
    seconds = sum(len(event.samples) / event.rate for event in held.of(AgentAudio))
    assert began + seconds * 0.7 < told[0] < began + seconds
