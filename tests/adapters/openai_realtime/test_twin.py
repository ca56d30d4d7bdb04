"""The twin turns away what the vendor would."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from typing import Any

import attrs
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from offhook.clock import run_real
from offhook.sessions import AgentConfig, CallSetup
from offhook.twins import TwinFaults
from offhook_adapters.openai_realtime.adapter import dial
from offhook_adapters.openai_realtime.config import settings_from
from offhook_adapters.openai_realtime.twin import Twin
from offhook_adapters.reference.minds.desk import Mind, MindError
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.wires.vendor import VendorError

from ._calls import AGENT, KEY, setup

APPEND = {"type": "input_audio_buffer.append"}
PCM = {"type": "audio/pcm", "rate": 24000}


def _update(**session: Any) -> dict[str, Any]:
    return {"type": "session.update", "event_id": "mine", "session": {"type": "realtime", **session}}


async def _answers(message: Any, count: int = 2) -> list[dict[str, Any]]:
    """What the twin says to one message, session.created first."""
    async with Twin(TwinAgent(setup()), key=KEY) as twin, _connected(twin) as socket:
        await socket.send(message if isinstance(message, str) else json.dumps(message))
        return [json.loads(await asyncio.wait_for(socket.recv(), 5)) for _ in range(count)]


def _connected(twin: Twin, key: str = KEY, path: str = "/realtime?model=gpt-realtime-2.1") -> connect:
    url = twin.base_url.replace("http", "ws") + path
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return connect(url, additional_headers=headers)


@pytest.mark.parametrize(
    ("key", "path", "status", "code"),
    [
        ("", "/realtime?model=gpt-realtime-2.1", 401, "missing_authorization"),
        ("sk-wrong", "/realtime?model=gpt-realtime-2.1", 401, "invalid_api_key"),
        (KEY, "/realtime?model=gpt-9", 404, "model_not_found"),
        (KEY, "/realtime", 404, "model_not_found"),
        (KEY, "/elsewhere", 404, "not_found"),
    ],
)
def test_the_handshake(key: str, path: str, status: int, code: str) -> None:
    async def knock() -> InvalidStatus:
        async with Twin(TwinAgent(setup()), key=KEY) as twin:
            with pytest.raises(InvalidStatus) as refused:
                async with _connected(twin, key, path):
                    pass
            return refused.value

    response = run_real(knock()).response
    assert response.status_code == status
    assert json.loads(response.body)["error"]["code"] == code


@pytest.mark.parametrize(
    ("message", "code", "param"),
    [
        ("{", "invalid_json", None),
        ("[1]", "invalid_json", None),
        ({"type": "session.destroy"}, "invalid_value", "type"),
        ({"type": "session.update"}, "invalid_value", "session"),
        (_update(tempo=2), "unknown_parameter", "session.tempo"),
        ({**_update(), "note": "x"}, "unknown_parameter", "note"),
        (_update(audio={"input": {"format": {**PCM, "rate": 16000}}}), "invalid_value", None),
        (
            _update(audio={"input": {"format": {"type": "audio/pcmu"}}}),
            "twin_unsupported",
            "session.audio.input.format",
        ),
        (_update(audio={"output": {"voice": "nobody"}}), "invalid_value", "session.audio.output.voice"),
        (_update(model="gpt-realtime-2"), "invalid_value", "session.model"),
        (_update(tools=[{"type": "function", "name": "x", "strict": True}]), "unknown_parameter", None),
        (
            _update(audio={"input": {"turn_detection": None}}),
            "twin_unsupported",
            "session.audio.input.turn_detection",
        ),
        ({**APPEND, "audio": "?"}, "invalid_value", "audio"),
        ({**APPEND, "audio": base64.b64encode(b"abc").decode()}, "invalid_value", "audio"),
        ({"type": "input_audio_buffer.commit"}, "input_audio_buffer_commit_empty", None),
        ({"type": "response.cancel"}, "response_cancel_not_active", None),
        (
            {
                "type": "conversation.item.truncate",
                "item_id": "item_0009",
                "content_index": 0,
                "audio_end_ms": 5,
            },
            "invalid_value",
            "item_id",
        ),
        (
            {
                "type": "conversation.item.create",
                "item": {"type": "function_call_output", "call_id": "call_1", "output": "{}"},
            },
            "invalid_tool_call_id",
            "item.call_id",
        ),
    ],
)
def test_a_message_the_vendor_would_refuse(message: Any, code: str, param: str | None) -> None:
    created, error = run_real(_answers(message))
    assert created["type"] == "session.created"
    assert error["type"] == "error"
    assert error["error"]["code"] == code
    assert param is None or error["error"]["param"] == param
    assert error["error"]["event_id"] == (message.get("event_id") if isinstance(message, dict) else None)


def test_an_update_changes_what_it_names_and_nothing_else() -> None:
    created, updated = run_real(_answers(_update(audio={"output": {"voice": "cedar"}}, instructions="Hi.")))
    before, after = created["session"], updated["session"]
    assert after["audio"]["output"] == {**before["audio"]["output"], "voice": "cedar"}
    assert after["audio"]["input"] == before["audio"]["input"]
    assert after["instructions"] == "Hi."


def test_one_response_at_a_time_and_truncation_within_the_sound() -> None:
    async def work() -> list[dict[str, Any]]:
        async with Twin(TwinAgent(setup()), key=KEY) as twin, _connected(twin) as socket:
            await socket.send('{"type": "response.create", "response": {"instructions": "Be nice."}}')
            await socket.send('{"type": "response.create", "event_id": "second"}')
            return [json.loads(await asyncio.wait_for(socket.recv(), 5)) for _ in range(3)]

    _, created, error = run_real(work())
    assert created["type"] == "response.created"
    assert error["error"]["code"] == "conversation_already_has_active_response"
    assert error["error"]["event_id"] == "second"


def test_a_plan_never_crosses_the_wire() -> None:
    plan = setup().plan
    assert plan is not None
    events = run_real(_answers(_update(instructions="x")))
    assert plan.guide.closing not in json.dumps(events)


@pytest.mark.parametrize("model", ["gpt-realtime-2", "gpt-realtime-2.1", "gpt-realtime-2.1-mini"])
def test_each_generation_is_served_selectable_and_priced(model: str) -> None:
    async def work() -> tuple[str, str]:
        async with Twin(TwinAgent(setup()), key=KEY) as twin:
            settings = settings_from({"base_url": twin.base_url, "model": model})
            session = await dial(AGENT, settings, key=KEY, patience=5)
            await session.hang_up()
            record = await session.fetch_record()
            (created,) = [event for event in twin.sent if event["type"] == "session.created"]
            return created["session"]["model"], str(record.raw["model"])

    assert run_real(work()) == (model, model)
    cost = settings_from({"model": model}).cost({"output_audio_tokens": 1000.0, "transcribed_seconds": 1.0})
    assert cost.basis == "usage"


# --- how the adapter takes a refusal ------------------------------------------------------------------------


async def _dialled(key: str = KEY, faults: TwinFaults | None = None, **options: str) -> str:
    async with Twin(TwinAgent(setup()), key=KEY, faults=faults) as twin:
        settings = settings_from({"base_url": twin.base_url, **options})
        with pytest.raises(VendorError) as refused:
            await dial(AGENT, settings, key=key, patience=5)
        return str(refused.value).replace(twin.base_url.split("/")[2], "HOST")


@pytest.mark.parametrize(
    ("key", "faults", "options", "message"),
    [
        ("sk-wrong-key", None, {}, "HOST refused the key (HTTP 401): check OPENAI_API_KEY"),
        (
            KEY,
            None,
            {"model": "gpt-9"},
            "HOST answered HTTP 404 (there is no model 'gpt-9'): check base_url and model",
        ),
        (
            KEY,
            TwinFaults(refuse=429),
            {},
            "HOST answered HTTP 429 (the twin was told to refuse): try again later",
        ),
        (KEY, None, {"voice": "nobody"}, "the platform refused the session: there is no voice 'nobody'"),
    ],
)
def test_a_refusal_is_one_line(
    key: str, faults: TwinFaults | None, options: dict[str, str], message: str
) -> None:
    assert run_real(_dialled(key, faults, **options)) == message


def test_nobody_there_is_one_line() -> None:
    async def work() -> None:
        await dial(AGENT, settings_from({"base_url": "http://127.0.0.1:9/v1"}), key=KEY, patience=5)

    with pytest.raises(
        VendorError, match=r"^127\.0\.0\.1:9 can't be reached .*: check the network and base_url$"
    ):
        run_real(work())


def test_a_mind_that_cannot_begin_is_told_and_the_session_stays_open() -> None:
    def unable(agent: AgentConfig, call: CallSetup) -> Mind:
        raise MindError("set SOME_MODEL")

    async def work() -> list[str]:
        agent = attrs.evolve(TwinAgent(setup()), make_mind=unable)
        async with Twin(agent, key=KEY) as twin:
            session = await dial(AGENT, settings_from({"base_url": twin.base_url}), key=KEY, patience=5)
            told: list[str] = []
            async for event in session.events():
                told.append(repr(event))
                if "set SOME_MODEL" in told[-1]:
                    await session.hang_up()
            return told

    told = run_real(work())
    assert "twin_mind" in told[-2]
    assert told[-1] == "Ended(by='caller', reason='')"


# --- as a program -------------------------------------------------------------------------------------------

PROGRAM = (sys.executable, "-m", "offhook_adapters.openai_realtime.twin")


async def _started(*arguments: str, key: str) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    environment = {**os.environ, "OPENAI_API_KEY": key}
    return await asyncio.create_subprocess_exec(
        *PROGRAM, *arguments, stdout=pipe, stderr=pipe, env=environment
    )


def test_the_program_says_where_it_listens_and_lets_its_key_in() -> None:
    async def work() -> str:
        program = await _started("--task", "customer-support/T4-E1", "--port", "0", key=KEY)
        try:
            assert program.stdout is not None
            line = (await asyncio.wait_for(program.stdout.readline(), 30)).decode().strip()
            url = line.removeprefix("listening: base_url=").replace("http", "ws")
            headers = {"Authorization": f"Bearer {KEY}"}
            where = f"{url}/realtime?model=gpt-realtime-2.1"
            async with connect(where, additional_headers=headers) as socket:
                return str(json.loads(await asyncio.wait_for(socket.recv(), 5))["type"])
        finally:
            program.terminate()
            await program.wait()

    assert run_real(work()) == "session.created"


@pytest.mark.parametrize(
    ("task", "key", "message"),
    [
        (
            "customer-support/T4-E1",
            "",
            "OPENAI_API_KEY is not set: set it to the key that clients shall give",
        ),
        ("nobody/X-1", "k", "unknown task 'nobody/X-1'"),
        ("customer-support", "k", "name one of them, as pack/ID"),
    ],
)
def test_the_program_says_what_it_lacks(task: str, key: str, message: str) -> None:
    async def work() -> tuple[int | None, str]:
        program = await _started("--task", task, key=key)
        _, told = await asyncio.wait_for(program.communicate(), 30)
        return program.returncode, told.decode()

    status, told = run_real(work())
    assert status == 1
    assert message in told
    assert len(told.strip().splitlines()) == 1
