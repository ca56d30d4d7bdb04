"""The model's mind against a real server on a loopback socket."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from offhook.callers import CallerBrief
from offhook.packs import Task
from offhook.testing import HashEmbedder
from offhook_caller.cue_tests import state_given
from offhook_caller.cues import CueMatcher
from offhook_caller.deterministic import Decider
from offhook_caller.minds import CallState, Decision, MindUnavailable
from offhook_caller.openai_mind import ModelSettings, OpenAIMind, openai_mind, settings_from


def completion(answer: Any) -> Response:
    content = answer if isinstance(answer, str) else json.dumps(answer)
    return JSONResponse({"choices": [{"message": {"role": "assistant", "content": content}}]})


@attrs.define
class Endpoint:
    """A chat completions server. ``answers`` are used up in order, the last one for ever."""

    url: str = ""
    answers: list[Response] = attrs.field(factory=list)
    asked: list[dict[str, Any]] = attrs.field(factory=list)
    keys: list[str] = attrs.field(factory=list)

    async def complete(self, request: Request) -> Response:
        self.asked.append(await request.json())
        self.keys.append(request.headers["authorization"])
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    app = Starlette(routes=[Route("/v1/chat/completions", made.complete, methods=["POST"])])
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    made.url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    yield made
    server.should_exit = True
    thread.join()
    listening.close()


def answer(
    task: Task, endpoint: Endpoint, heard: str, given: tuple[str, ...] = (), tries: int = 3
) -> Decision:
    async def ask() -> Decision:
        decider = Decider(task, CueMatcher(HashEmbedder()))
        settings = ModelSettings("made-up-model", "key-123", endpoint.url, tries=tries)
        mind = OpenAIMind(task, decider, settings)
        try:
            return await mind.answer(heard, state_given(decider, task, given))
        finally:
            await mind.aclose()

    return asyncio.run(ask())


def test_the_rule_it_names_is_said_exactly(booking: Task, endpoint: Endpoint) -> None:
    endpoint.answers = [completion({"rule": "identity", "say": "I'm Nadia", "hang_up": False})]
    decision = answer(booking, endpoint, "Who am I speaking with?")
    assert decision.reply is not None
    assert (decision.reply.source, decision.reply.written) == ("rule:identity", "Nadia Okafor, 541-555-0148.")
    assert decision.state.events[-1] == "said:identity"


def test_it_asks_at_temperature_zero_with_all_it_may_use(booking: Task, endpoint: Endpoint) -> None:
    endpoint.answers = [completion({"rule": None, "say": None, "hang_up": False})]
    answer(booking, endpoint, "What is your ZIP code?", ("said:identity",))
    (body,) = endpoint.asked
    assert (body["model"], body["temperature"]) == ("made-up-model", 0)
    assert endpoint.keys == ["Bearer key-123"]
    roles = [message["role"] for message in body["messages"]]
    assert roles == ["system", "assistant", "assistant", "user", "system"]
    start, _, said, asked, rules = (message["content"] for message in body["messages"])
    assert "- frame last4: 7730" in start
    assert booking.intent.conduct[0] in start
    assert json.loads(said)["say"] == "Nadia Okafor, 541-555-0148."
    assert asked == "What is your ZIP code?"
    assert '"id": "verify"' in rules
    assert '"id": "accept"' not in rules  # no price has been read back
    assert "opened, said:identity" in rules


def test_what_it_improvises_is_said_in_its_words(booking: Task, endpoint: Endpoint) -> None:
    endpoint.answers = [completion({"rule": None, "say": "It's a  blue one.", "hang_up": False})]
    decision = answer(booking, endpoint, "What color is it?")
    assert decision.reply is not None
    assert (decision.reply.source, decision.reply.written) == ("repair:improvised", "It's a blue one.")
    assert decision.owed == ""


def test_an_answer_in_parts_or_with_half_a_character_is_read(booking: Task, endpoint: Endpoint) -> None:
    said = json.dumps({"rule": None, "say": "It's a \ud83d blue one.", "hang_up": False})
    parts = [{"type": "text", "text": said[:20]}, {"type": "image"}, said[20:]]
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": parts}}]})
    endpoint.answers = [Response(body, media_type="application/json")]
    decision = answer(booking, endpoint, "What color is it?", tries=1)
    assert decision.reply is not None
    assert decision.reply.written == "It's a \ufffd blue one."


def test_an_invented_value_is_never_said(booking: Task, endpoint: Endpoint) -> None:
    endpoint.answers = [completion({"rule": None, "say": "It's 541-555-0199.", "hang_up": False})]
    decision = answer(booking, endpoint, "Could you say your phone number again?", ("said:identity",))
    assert decision.reply is not None
    assert (decision.reply.source, decision.reply.written) == ("repair:repeat", "541-555-0148.")
    assert decision.why.startswith("the model's line stated 5415550199")


def test_a_line_it_owed_by_the_cues_is_noted(booking: Task, endpoint: Endpoint) -> None:
    endpoint.answers = [completion({"rule": None, "say": "Why do you ask?", "hang_up": False})]
    assert answer(booking, endpoint, "What is your full name?").owed == "identity"


def test_silence_and_hanging_up(booking: Task, endpoint: Endpoint) -> None:
    endpoint.answers = [completion({"rule": None, "say": None, "hang_up": True})]
    assert answer(booking, endpoint, "Goodbye.").hang_up == "agent_ended"
    goal = ("heard:booked", "said:note")
    assert answer(booking, endpoint, "Goodbye.", goal).hang_up == "satisfied"


def test_busy_servers_and_garbled_answers_are_tried_again(booking: Task, endpoint: Endpoint) -> None:
    endpoint.answers = [
        Response("slow down", 429),
        completion("not json"),
        completion({"rule": "verify", "say": None, "hang_up": False}),
    ]
    decision = answer(booking, endpoint, "What is your ZIP code?")
    assert decision.reply is not None
    assert decision.reply.source == "rule:verify"
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize(
    ("reply", "tries", "message"),
    [
        (Response("no such model", 404), 3, "answered 404: no such model"),
        (Response("", 503), 1, r"answered 503 \(1 tries\)"),
        (completion({"rule": "accept"}), 1, "gave no usable answer: rule 'accept' is none of those offered"),
        (completion([1]), 1, "gave no usable answer: expected a JSON object"),
        (completion({"rule": None, "say": 3}), 1, "gave no usable answer: expected say as text or null"),
        (JSONResponse({"choices": []}), 1, "gave no usable answer"),
        (
            JSONResponse({"choices": [{"message": {"content": None}}]}),
            1,
            "gave no usable answer: the message",
        ),
        (Response("key-123?", 401), 3, r"refused the key \(HTTP 401\): check OFFHOOK_CALLER_API_KEY$"),
        (Response("bad key key-123", 400), 3, r"answered 400: bad key \[key\]$"),
    ],
)
def test_what_can_not_be_used_is_one_clear_error(
    booking: Task, endpoint: Endpoint, reply: Response, tries: int, message: str
) -> None:
    endpoint.answers = [reply]
    with pytest.raises(MindUnavailable, match=f"model made-up-model at {endpoint.url} {message}"):
        answer(booking, endpoint, "Hello?", tries=tries)


def test_a_server_that_is_not_there(booking: Task) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with pytest.raises(MindUnavailable, match=r"could not be reached .* check OFFHOOK_CALLER_BASE_URL"):
        answer(booking, Endpoint(url=f"http://127.0.0.1:{port}/v1"), "Hello?", tries=1)


def test_settings_come_from_the_environment() -> None:
    with pytest.raises(MindUnavailable, match="set OFFHOOK_CALLER_MODEL"):
        settings_from({"OPENAI_API_KEY": "k"})
    with pytest.raises(MindUnavailable, match="set OFFHOOK_CALLER_API_KEY or OPENAI_API_KEY"):
        settings_from({"OFFHOOK_CALLER_MODEL": "m"})
    plain = settings_from({"OFFHOOK_CALLER_MODEL": "m", "OPENAI_API_KEY": "k"})
    assert (plain.model, plain.api_key, plain.base_url) == ("m", "k", "https://api.openai.com/v1")
    own = settings_from(
        {
            "OFFHOOK_CALLER_MODEL": "m",
            "OFFHOOK_CALLER_API_KEY": "own",
            "OFFHOOK_CALLER_BASE_URL": "http://x/v1/",
        }
    )
    assert (own.api_key, own.base_url) == ("own", "http://x/v1")
    assert "own" not in repr(own)


def test_the_mind_of_a_call_is_set_up_from_the_environment(
    booking: Task, endpoint: Endpoint, make_brief: Callable[..., CallerBrief], monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.answers = [completion({"rule": "verify", "say": None, "hang_up": False})]
    monkeypatch.setenv("OFFHOOK_CALLER_MODEL", "made-up-model")
    monkeypatch.setenv("OFFHOOK_CALLER_API_KEY", "key")
    monkeypatch.setenv("OFFHOOK_CALLER_BASE_URL", endpoint.url)
    brief = make_brief(booking)

    async def ask() -> Decision:
        mind = openai_mind(brief, Decider(booking, CueMatcher(HashEmbedder())))
        opened = await mind.open(CallState())
        decision = await mind.answer("Your ZIP code, please.", opened.state)
        await mind.aclose()
        return decision

    reply = asyncio.run(ask()).reply
    assert reply is not None
    assert reply.source == "rule:verify"
