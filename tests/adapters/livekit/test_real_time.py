"""Over sockets and in real time: a model behind an endpoint, and an agent in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from offhook.clock import run_real
from offhook.platforms import PlatformUnusable
from offhook.sessions import AgentTranscript, Ended, SessionError, UserTranscript
from offhook.twins import ScriptDesk
from offhook_adapters.livekit.adapter import LiveKitOpenAIAdapter
from offhook_adapters.livekit.process import LiveKitProcessAdapter
from offhook_adapters.reference.completions import MindCompletions, serve_completions

from ._calls import AGENT, Live, call_setup, hold

KEY = "sk-livekit-0123456789"
AGENT_FILE = Path(__file__).with_name("_agent.py")


async def polite(desk: ScriptDesk) -> None:
    await desk.listen()
    await desk.say("Goodbye then.")
    await desk.call("end_call", {})


async def one_turn(live: Live) -> None:
    await live.until(lambda: live.of(AgentTranscript))
    await live.say("That is all.")
    await live.until(lambda: live.of(Ended))


def test_what_livekit_builds_on_first_use_is_built_by_the_deployment() -> None:
    from livekit.agents.tokenize._basic_hyphenator import _get_hyphenator

    _get_hyphenator.cache_clear()
    environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://127.0.0.1:9"}
    run_real(LiveKitOpenAIAdapter(environment=environment).deploy(AGENT))
    assert _get_hyphenator.cache_info().currsize == 1


@pytest.mark.slow
def test_a_model_behind_an_endpoint_answers() -> None:
    async def run() -> tuple[Live, MindCompletions]:
        served = MindCompletions(call_setup(), script=polite, greeting=AGENT.greeting)
        async with serve_completions(served) as url:
            environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url}
            adapter = LiveKitOpenAIAdapter(line_vad=True, environment=environment)
            session = await adapter.connect(await adapter.deploy(AGENT), call_setup(options={"model": "m-1"}))
            return await hold(session, one_turn), served

    live, served = run_real(run())
    assert live.of(Ended) == [Ended("agent")]
    assert [event.text for event in live.of(AgentTranscript)] == [AGENT.greeting, "Goodbye then."]
    assert {body["model"] for body in served.requests} == {"m-1"}
    assert served.arrived is not None
    assert served.arrived.tools == AGENT.tools


@pytest.mark.slow
def test_an_endpoint_that_refuses_in_mid_call_ends_it_and_keeps_the_key_to_itself() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        status = b"404 Not Found" if b"/models" in asked else b"401 Unauthorized"
        body = f'{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}'.encode()
        writer.write(b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nConnection: close\r\n" % status)
        writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        writer.close()

    async def talk(live: Live) -> None:
        await live.until(lambda: live.of(AgentTranscript))
        await live.say("Is there anybody?")
        await live.until(lambda: live.of(SessionError))

    async def run() -> Live:
        server = await asyncio.start_server(refuse, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url}
        adapter = LiveKitOpenAIAdapter(line_vad=True, environment=environment)
        async with server:
            return await hold(await adapter.connect(await adapter.deploy(AGENT), call_setup()), talk)

    live = run_real(run())
    told = [event.message for event in live.of(SessionError)]
    assert any("Incorrect API key" in message for message in told)
    assert KEY not in repr(live.events)


@pytest.mark.slow
def test_an_agent_in_a_process_of_its_own_takes_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> Live:
        served = MindCompletions(call_setup(), script=polite, greeting=AGENT.greeting)
        async with serve_completions(served) as url:
            monkeypatch.setenv("TEST_MIND_URL", url)
            adapter = LiveKitProcessAdapter()
            call = call_setup(options={"agent": str(AGENT_FILE)})
            session = await adapter.connect(await adapter.deploy(AGENT), call)
            live = await hold(session, one_turn)
            assert [tool["name"] for tool in (await session.fetch_record()).tool_log] == ["end_call"]
            assert served.arrived is not None
            assert served.arrived.prompt == AGENT.prompt
            return live

    live = run_real(run())
    assert live.of(Ended) == [Ended("agent")]
    assert [event.text for event in live.of(AgentTranscript)] == [AGENT.greeting, "Goodbye then."]
    assert [event.text for event in live.of(UserTranscript)] == ["That is all."]


def _unusable(act: Callable[[], Awaitable[object]]) -> str:
    async def run() -> str:
        with pytest.raises(PlatformUnusable) as caught:
            await act()
        return str(caught.value)

    return run_real(run())


def test_a_file_that_is_no_agent_says_so(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise ImportError('no such friend')\n")

    def connecting(**options: str) -> Callable[[], Awaitable[object]]:
        async def connect() -> object:
            adapter = LiveKitProcessAdapter()
            return await adapter.connect(await adapter.deploy(AGENT), call_setup(options=options))

        return connect

    assert "which agent?" in _unusable(connecting())
    assert "there is no file nowhere.py" in _unusable(connecting(agent="nowhere.py"))
    assert "there is no option 'agnet'" in _unusable(connecting(agnet="x"))
    assert "can't be started" in _unusable(connecting(agent=str(broken), python=str(tmp_path / "none")))
    told = _unusable(connecting(agent=str(broken)))
    assert told.startswith("broken.py ended with code")
    assert "no such friend" in told
