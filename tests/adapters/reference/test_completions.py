"""The reference mind behind Chat Completions, asked with the vendor's own client."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from offhook.clock import run_real, run_virtual
from offhook.packs import Task
from offhook.sessions import ToolSchema
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ToolServer, agent_config
from offhook.twins import Script, ScriptDesk
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.completions import MindCompletions, in_process_client, serve_completions
from offhook_adapters.reference.minds.follower import make_follower

from ._calls import CALL_ID, TOKEN, Reply, answers, setup, text_call

openai = pytest.importorskip("openai")

PACK = bicycle_pack()
BOOKING = PACK.task("B-H1")
AGENT = agent_config(PACK)
BOOKING_ANSWERS = (
    ("anything else", "That's everything, thank you. Bye."),
    ("how can i help", "Hi, I'd like to bring my bike in for a brake overhaul."),
    ("full name", "Nadia Okafor, 541-555-0148."),
    ("zip code", "ZIP 97405, and the frame number ends in 7730."),
    ("shall i book", "Yes, please book it for sixty-four dollars."),
    ("mechanic", "Please note that the rear brake squeals in the rain."),
)


def system() -> dict[str, Any]:
    return {"role": "system", "content": AGENT.prompt}


def greeted() -> list[dict[str, Any]]:
    return [system(), {"role": "assistant", "content": AGENT.greeting}]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def functions(tools: tuple[ToolSchema, ...] = AGENT.tools) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def served(script: Script | None = None, task: Task = BOOKING, **given: Any) -> MindCompletions:
    return MindCompletions(setup(PACK, task), script=script, **{"greeting": AGENT.greeting, **given})


def client_of(completions: MindCompletions) -> Any:
    return openai.AsyncOpenAI(
        base_url="http://mind/v1",
        api_key="any",
        http_client=in_process_client(completions.app),
        max_retries=0,
    )


async def ask(client: Any, messages: list[dict[str, Any]]) -> Any:
    """The whole message of one completion."""
    told = await client.chat.completions.create(model="any", messages=messages, tools=functions())
    return told.choices[0].message


async def asked_streaming(client: Any, messages: list[dict[str, Any]]) -> tuple[str, list[Any], Any, str]:
    """Text, tool calls, usage and finish reason of one streamed completion."""
    stream = await client.chat.completions.create(
        model="any",
        messages=messages,
        tools=functions(),
        stream=True,
        stream_options={"include_usage": True},
    )
    text, usage, finish = "", None, ""
    calls: list[Any] = []
    async for chunk in stream:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            calls += choice.delta.tool_calls or []
            finish = choice.finish_reason or finish
    return text, calls, usage, finish


async def batch(desk: ScriptDesk) -> None:
    """Repeats a turn while it makes two calls, reports both, and leaves on the next turn."""
    heard = await desk.listen()
    assert heard is not None
    await desk.say(f"You said {heard.text}.")
    first, second = await asyncio.gather(
        desk.call("get_service_price", {"service": "wheel"}),
        desk.call("get_service_price", {"service": "tune_up"}),
    )
    await desk.say(f"They are {first.body['price']} and {second.body['price']}.")
    heard = await desk.listen()
    assert heard is not None
    await desk.say(f"Bye, {heard.text}.")
    await desk.call("end_call", {})


async def _conversation(
    client: Any, reply: Reply, server: ToolServer
) -> tuple[list[str], list[tuple[str, Mapping[str, Any]]]]:
    """A call held as a framework would, until a tool ends it."""
    messages = greeted()
    said, used = [AGENT.greeting], []
    while True:
        words = reply(said[-1])
        messages.append(user(words or ""))
        while True:
            message = await ask(client, messages)
            messages.append(message.to_dict())
            if message.content:
                said.append(message.content)
            if not message.tool_calls:
                break
            for call in message.tool_calls:
                arguments = json.loads(call.function.arguments)
                used.append((call.function.name, arguments))
                result = await server.call(CALL_ID, TOKEN, call.function.name, arguments, call.id)
                content = json.dumps(dict(result.body))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
                if call.function.name == "end_call":
                    return said, used


def _held(folder: Path) -> tuple[list[str], list[tuple[str, Mapping[str, Any]]]]:
    async def hold() -> tuple[list[str], list[tuple[str, Mapping[str, Any]]]]:
        with ToolServer(PACK, folder, clock=lambda: 0.0) as server:
            server.open_call(CALL_ID, TOKEN)
            return await _conversation(client_of(served()), answers(BOOKING_ANSWERS), server)

    return run_virtual(hold())


def test_a_booking_makes_the_calls_the_follower_makes_at_its_own_desk(tmp_path: Path) -> None:
    said, used = _held(tmp_path / "wire")
    adapter = ReferenceAdapter("reference", make_follower)
    desk = text_call(adapter, PACK, BOOKING, answers(BOOKING_ANSWERS), tmp_path / "desk")
    assert used == [(name, arguments) for name, arguments, _ in desk.tools]
    assert " ".join(said) == " ".join(desk.said)
    assert len(used) >= len(BOOKING.expected)


def test_forty_turns_are_replayed_in_well_under_their_thinking_time() -> None:
    async def chatter(desk: ScriptDesk) -> None:
        while (heard := await desk.listen()) is not None:
            result = await desk.call("get_service_price", {"service": heard.text})
            await desk.say(f"That is {result.body['price']}.")

    async def hold() -> float:
        client = client_of(served(chatter))
        messages = greeted()
        for turn in range(40):
            call = {"name": "get_service_price", "arguments": json.dumps({"service": f"s{turn}"})}
            messages += [
                user(f"s{turn}"),
                {
                    "role": "assistant",
                    "tool_calls": [{"id": f"c{turn}", "type": "function", "function": call}],
                },
                {"role": "tool", "tool_call_id": f"c{turn}", "content": json.dumps({"price": turn})},
                {"role": "assistant", "content": "That is cut"},
            ]
        last = (await ask(client, messages[:-1])).content
        assert last == "That is 39."
        began = time.process_time()
        await ask(client, [*messages, user("once more")])
        return time.process_time() - began

    assert run_virtual(hold()) < 0.2


@pytest.mark.parametrize("streaming", [False, True])
def test_calls_made_at_once_are_one_batch_with_ids_of_their_own(streaming: bool) -> None:
    async def hold() -> tuple[str, list[Any]]:
        client = client_of(served(batch))
        if streaming:
            text, calls, usage, finish = await asked_streaming(client, [*greeted(), user("hello")])
            assert usage.prompt_tokens > 0
            assert usage.completion_tokens > 0
            assert [call.index for call in calls] == [0, 1]
            assert finish == "tool_calls"
            return text, calls
        message = await ask(client, [*greeted(), user("hello")])
        return message.content, message.tool_calls

    text, calls = run_virtual(hold())
    assert text == "You said hello."
    assert [json.loads(call.function.arguments)["service"] for call in calls] == ["wheel", "tune_up"]
    assert len({call.id for call in calls}) == 2


def _after_batch(*between: dict[str, Any], outputs: tuple[str, ...] = ("5", "6")) -> list[dict[str, Any]]:
    """A history in which both calls have been made, with something ``between`` call and results."""
    calls = [
        {
            "id": f"id-{place}",
            "type": "function",
            "function": {"name": "get_service_price", "arguments": json.dumps({"service": service})},
        }
        for place, service in enumerate(("wheel", "tune_up"))
    ]
    results = [
        {
            "role": "tool",
            "tool_call_id": f"id-{place}",
            "content": json.dumps({"price": output}) if output.isdigit() else output,
        }
        for place, output in enumerate(outputs)
    ]
    said = {"role": "assistant", "content": "You s", "tool_calls": calls}
    return [*greeted(), user("hello"), said, *results[:1], *between, *results[1:]]


def _mcp_text(body: dict[str, Any]) -> str:
    """A result as LiveKit hands on what an MCP server answered."""
    return json.dumps({"type": "text", "text": json.dumps(body), "annotations": None, "_meta": None})


def odd_call(arguments: str) -> dict[str, Any]:
    return {"id": "odd", "type": "function", "function": {"name": "none", "arguments": arguments}}


@pytest.mark.parametrize(
    ("messages", "text", "tools"),
    [
        pytest.param([*greeted(), user("hello"), user("there")], "You said hello there.", 2, id="joined"),
        pytest.param([*greeted(), user("")], "You said .", 2, id="wordless"),
        pytest.param(
            _after_batch(outputs=tuple(_mcp_text({"price": price}) for price in (5, 6))),
            "They are 5 and 6.",
            0,
            id="results-as-mcp-wraps-them",
        ),
        pytest.param([system(), user("hello")], "You said hello.", 2, id="greeting-not-kept"),
        pytest.param(
            [*greeted(), {"role": "user", "content": [{"type": "text", "text": "hello"}]}],
            "You said hello.",
            2,
            id="parts",
        ),
        pytest.param(_after_batch(), "They are 5 and 6.", 0, id="results"),
        pytest.param(_after_batch(user("wait")), "They are 5 and 6.", 0, id="barged-in-between"),
        pytest.param(_after_batch(outputs=("5", "IN_PROGRESS")), None, 0, id="still-running"),
        pytest.param(_after_batch(outputs=("5", "CANCELLED")), None, 1, id="dropped"),
        pytest.param(_after_batch()[:-1], None, 1, id="one-result-missing"),
        pytest.param(
            [*_after_batch(), {"role": "assistant", "content": "They"}, user("Nadia")],
            "Bye, Nadia.",
            1,
            id="interrupted-report",
        ),
        pytest.param(
            [*_after_batch(), user("Nadia"), user("here")], "They are 5 and 6.", 0, id="report-never-heard"
        ),
        pytest.param(
            [
                *greeted(),
                {"role": "assistant", "tool_calls": [odd_call("[" * 100_000)]},
                {"role": "tool", "tool_call_id": "odd", "content": "[" * 100_000},
                user("hello"),
            ],
            "You said hello.",
            2,
            id="nested-without-end",
        ),
        pytest.param(
            [*greeted(), {"role": "tool", "tool_call_id": "nobody", "content": "{}"}, user("hello")],
            "You said hello.",
            2,
            id="result-of-no-call",
        ),
    ],
)
def test_odd_histories(messages: list[dict[str, Any]], text: str | None, tools: int) -> None:
    async def hold() -> Any:
        completions = served(batch)
        message = await ask(client_of(completions), messages)
        assert not completions.failures
        return message

    message = run_virtual(hold())
    assert message.content == text
    assert len(message.tool_calls or ()) == tools


def test_words_that_come_while_a_call_is_due_do_not_lose_it() -> None:
    """The caller barged in before the platform made the call: it is asked for again, and never twice."""

    async def hold() -> tuple[Any, Any]:
        client = client_of(served(batch))
        cut = {"role": "assistant", "content": "You"}
        again = await ask(client, [*greeted(), user("hello"), cut, user("are you there")])
        made = [call.to_dict() for call in again.tool_calls]
        results = [
            {"role": "tool", "tool_call_id": call["id"], "content": json.dumps({"price": place})}
            for place, call in enumerate(made)
        ]
        asked = {"role": "assistant", "tool_calls": made}
        history = [*greeted(), user("hello"), cut, user("are you there"), asked, *results]
        return again, await ask(client, history)

    again, report = run_virtual(hold())
    assert [json.loads(call.function.arguments)["service"] for call in again.tool_calls] == [
        "wheel",
        "tune_up",
    ]
    assert report.content == "They are 0 and 1."
    assert not report.tool_calls


def test_a_result_with_an_error_is_a_refusal() -> None:
    async def script(desk: ScriptDesk) -> None:
        await desk.listen()
        result = await desk.call("get_service_price", {})
        await desk.say(f"{result.status} {result.body}")

    async def hold(content: str) -> Any:
        call = {"id": "c", "type": "function", "function": {"name": "get_service_price", "arguments": ""}}
        asked = {"role": "assistant", "tool_calls": [call]}
        told = {"role": "tool", "tool_call_id": "c", "content": content}
        return (await ask(client_of(served(script)), [*greeted(), user("hi"), asked, told])).content

    assert run_virtual(hold('{"price": 5}')) == "200 {'price': 5}"
    assert run_virtual(hold('{"error": {}}')) == "400 {'error': {}}"
    assert run_virtual(hold(json.dumps('{"price": 5}'))) == "200 {'price': 5}"
    assert run_virtual(hold("nothing")) == "200 {'output': 'nothing'}"


def test_the_greeting_is_said_once() -> None:
    async def greeter(desk: ScriptDesk) -> None:
        await desk.say(AGENT.greeting)
        await desk.listen()

    async def hold() -> tuple[str | None, str | None]:
        client = client_of(served(greeter))
        return (await ask(client, [system()])).content, (await ask(client, greeted())).content

    unasked, said_already = run_virtual(hold())
    assert unasked == AGENT.greeting
    assert said_already is None


def test_what_arrived_is_what_was_sent() -> None:
    async def hold() -> MindCompletions:
        completions = served(batch)
        client = client_of(completions)
        await ask(client, [system(), user("hello")])
        await ask(client, [*greeted(), user("hello")])
        return completions

    completions = run_virtual(hold())
    arrived = completions.arrived
    assert arrived is not None
    assert (arrived.prompt, arrived.greeting) == (AGENT.prompt, AGENT.greeting)
    assert arrived.tools == AGENT.tools
    assert json.dumps([tool.parameters for tool in arrived.tools]) == json.dumps(
        [tool.parameters for tool in AGENT.tools]
    )
    assert [len(body["messages"]) for body in completions.requests] == [2, 3]


def test_thinking_depends_on_what_is_asked_and_not_on_when() -> None:
    async def seconds(first: str, then: str) -> tuple[float, float]:
        client, loop = client_of(served(batch, thinking=(0.2, 0.5))), asyncio.get_running_loop()
        times = [loop.time()]
        for text in (first, then):
            await ask(client, [*greeted(), user(text)])
            times.append(loop.time())
        return round(times[1] - times[0], 9), round(times[2] - times[1], 9)

    one, other = run_virtual(seconds("hello", "goodbye"))
    assert run_virtual(seconds("goodbye", "hello")) == (other, one)
    assert one != other
    assert 0.2 <= min(one, other) <= max(one, other) <= 0.5


def test_a_real_socket_answers_the_same() -> None:
    async def hold() -> tuple[Any, Any, list[str]]:
        async with (
            serve_completions(served(batch, thinking=(0.0, 0.01))) as url,
            openai.AsyncOpenAI(base_url=url, api_key="any") as client,
        ):
            whole = await ask(client, [*greeted(), user("hello")])
            streamed = await asked_streaming(client, [*greeted(), user("hello")])
            models = [model.id async for model in client.models.list()]
        return whole, streamed, models

    whole, (text, calls, _, _), models = run_real(hold())
    assert text == whole.content == "You said hello."
    assert [call.id for call in calls] == [call.id for call in whole.tool_calls]
    assert models == ["offhook-reference"]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"no json", None),
        (b"[" * 100_000, None),
        (b"[]", None),
        (b"{}", "messages"),
        (b'{"messages": []}', "messages"),
        (b'{"messages": [{"role": "king"}]}', "messages[0].role"),
        (b'{"messages": [{"role": "user", "content": 4}]}', "messages[0].content"),
        (b'{"messages": [{"role": "user", "content": "hi"}], "tools": [{"name": "x"}]}', "tools[0]"),
    ],
)
def test_a_body_nobody_would_take_is_refused(body: bytes, param: str | None) -> None:
    async def post() -> httpx.Response:
        transport = httpx.ASGITransport(app=served(batch).app)
        async with httpx.AsyncClient(transport=transport, base_url="http://mind") as client:
            return await client.post("/v1/chat/completions", content=body)

    response = run_virtual(post())
    assert response.status_code == 400
    assert response.json()["error"]["param"] == param


def test_a_mind_that_breaks_is_an_error_of_the_server_and_is_kept() -> None:
    async def broken(desk: ScriptDesk) -> None:
        await desk.listen()
        raise ValueError("out of cheese")

    async def hold() -> MindCompletions:
        completions = served(broken)
        with pytest.raises(openai.InternalServerError, match="out of cheese"):
            await ask(client_of(completions), [*greeted(), user("hello")])
        return completions

    assert [str(error) for error in run_virtual(hold()).failures] == ["out of cheese"]
