"""A language model as the mind, against a chat completions server in process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from offhook.clock import run_real
from offhook.platforms import PlatformUnusable
from offhook.sessions import AgentConfig, AgentTranscript, CallSetup, Ended, SessionError
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import agent_config
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.desk import Mind, MindError
from offhook_adapters.reference.minds.openai_mind import Endpoint, OpenAIMind, endpoint_from, openai_mind

from ._calls import in_turn, setup, text_call

PACK = bicycle_pack()
PRICE = PACK.task("B-E1")


def _says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def _uses(name: str, arguments: str, text: str | None = None) -> dict[str, Any]:
    call = {"id": f"id-{name}", "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": text, "tool_calls": [call]}


class Model:
    """Answers with the scripted messages in turn and keeps what it was asked."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self._messages = list(messages)
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []

    async def complete(self, request: Request) -> Response:
        self.requests.append(await request.json())
        self.keys.append(request.headers["authorization"])
        # escaped, as servers send it: half a surrogate pair can be written that way
        body = json.dumps({"choices": [{"message": self._messages.pop(0)}]})
        return Response(body, media_type="application/json")


def _platform(endpoint: Callable[[Request], Any]) -> ReferenceAdapter:
    app = Starlette(routes=[Route("/v1/chat/completions", endpoint, methods=["POST"])])
    at = Endpoint("http://model/v1", "some-model", "key-1", httpx.ASGITransport(app=app))

    def make(agent: AgentConfig, call: CallSetup) -> Mind:
        return OpenAIMind(agent, at)

    return ReferenceAdapter("reference-openai", make)


def test_the_model_gets_prompt_tools_and_results_and_ends_the_call(tmp_path: Path) -> None:
    model = Model(
        _uses("get_service_price", '{"service": "tune_up"}', "One moment."),
        _says("It is $85.00."),
        _uses("end_call", "{}", "Goodbye."),
    )
    call = text_call(
        _platform(model.complete),
        PACK,
        PRICE,
        in_turn("How much is a tune-up?", "Thanks, that's all."),
        tmp_path,
    )
    assert call.said == (PACK.agent.greeting, "One moment.", "It is $85.00.", "Goodbye.")
    assert call.tools == (("get_service_price", {"service": "tune_up"}, 200), ("end_call", {}, 200))
    assert call.ended.by == "agent"
    first, second, last = model.requests
    assert first["temperature"] == 0
    assert first["model"] == "some-model"
    assert first["messages"][0] == {"role": "system", "content": PACK.agent.prompt}
    assert [tool["function"]["name"] for tool in first["tools"]] == list(PACK.agent.tools)
    assert first["messages"][-1] == {"role": "user", "content": "How much is a tune-up?"}
    assert json.loads(second["messages"][-1]["content"])["price"] == "$85.00"
    assert second["messages"][-1]["tool_call_id"] == "id-get_service_price"
    assert last["messages"][-1]["content"] == "Thanks, that's all."
    assert model.keys == ["Bearer key-1"] * 3


@pytest.mark.parametrize("written", ['{"service": ', '["tune_up"]', '{"service": NaN}', "tune_up \ud83d"])
def test_broken_arguments_reach_the_server_as_written_and_are_refused(written: str, tmp_path: Path) -> None:
    model = Model(_uses("get_service_price", written), _says("Sorry."), _uses("end_call", "{}", "Goodbye."))
    call = text_call(
        _platform(model.complete), PACK, PRICE, in_turn("How much is a tune-up?", "Bye."), tmp_path
    )
    assert [(tool, status) for tool, _, status in call.tools] == [
        ("get_service_price", 400),
        ("end_call", 200),
    ]
    refused = call.log[0]
    assert refused.raw == written.replace("\ud83d", "\ufffd")
    assert (refused.outcome, refused.code) == ("refused", "not_object" if written[0] == "[" else "not_json")
    told = json.loads(model.requests[1]["messages"][-1]["content"])["error"]["message"]
    assert "JSON" in told


def test_arguments_a_server_has_read_already_are_taken_as_they_are(tmp_path: Path) -> None:
    read: Any = {"service": "tune_up"}
    model = Model(_uses("get_service_price", read), _uses("end_call", "  ", "Goodbye."))
    call = text_call(_platform(model.complete), PACK, PRICE, in_turn("How much is a tune-up?"), tmp_path)
    assert call.tools == (("get_service_price", {"service": "tune_up"}, 200), ("end_call", {}, 200))


def test_what_a_model_says_in_parts_or_with_half_a_character_is_said_and_sent_back(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "Good"}, {"type": "refusal", "refusal": "no"}, "morning \ud83d."]
    odd: Any = {"role": "assistant", "content": parts, "tool_calls": ["nonsense", {"id": "x"}]}
    model = Model(odd, _uses("end_call", "{}", "Good\ud83dbye."))
    call = text_call(_platform(model.complete), PACK, PRICE, in_turn("Hello.", "Bye."), tmp_path)
    assert call.said[1:] == ("Good morning \ufffd.", "Good\ufffdbye.")
    assert call.errors == ()
    assert model.requests[1]["messages"][-2] == {"role": "assistant", "content": "Good morning \ufffd."}


async def _refuse(request: Request) -> Response:
    return PlainTextResponse("no", status_code=401)


async def _nonsense(request: Request) -> Response:
    return PlainTextResponse("<html>hello</html>")


async def _broken(request: Request) -> Response:
    return PlainTextResponse("model\n  is loading", status_code=503)


@pytest.mark.parametrize(
    ("endpoint", "message"),
    [
        (_refuse, "refused the key (HTTP 401): check OPENAI_API_KEY"),
        (_nonsense, "did not answer with a chat completion: check OFFHOOK_AGENT_BASE_URL"),
        (_broken, "answered HTTP 503: model is loading"),
    ],
)
def test_a_bad_endpoint_ends_the_call_with_one_line(
    endpoint: Callable[[Request], Any], message: str, tmp_path: Path
) -> None:
    call = text_call(_platform(endpoint), PACK, PRICE, in_turn("How much is a tune-up?"), tmp_path)
    assert call.ended.by == "platform"
    assert call.errors == (f"http://model/v1/chat/completions {message}",)


def test_nobody_listening_is_one_line(tmp_path: Path) -> None:
    nowhere = Endpoint("http://127.0.0.1:9/v1", "some-model", "key-1")
    platform = ReferenceAdapter("reference-openai", lambda agent, call: OpenAIMind(agent, nowhere), False)

    async def hold() -> list[object]:
        deployment = await platform.deploy(agent_config(PACK))
        session = await platform.connect_text(deployment, setup(PACK, PRICE))
        told: list[object] = []
        async for event in session.events():
            if isinstance(event, AgentTranscript):
                session.send_text("Hello, how much is a tune-up?")
            elif isinstance(event, SessionError | Ended):
                told.append(event)
        return told

    error, ended = run_real(hold())
    assert isinstance(error, SessionError)
    assert error.message.startswith("http://127.0.0.1:9/v1/chat/completions can't be reached (ConnectError)")
    assert isinstance(ended, Ended)


def test_the_environment_names_the_endpoint() -> None:
    environment = {
        "OPENAI_API_KEY": "k",
        "OFFHOOK_AGENT_MODEL": "m",
        "OFFHOOK_AGENT_BASE_URL": "http://here/v1/",
    }
    assert endpoint_from(environment) == Endpoint("http://here/v1", "m", "k")
    assert (
        endpoint_from({**environment, "OFFHOOK_AGENT_BASE_URL": ""}).base_url == "https://api.openai.com/v1"
    )
    assert "'k'" not in repr(endpoint_from(environment))


@pytest.mark.parametrize("missing", ["OPENAI_API_KEY", "OFFHOOK_AGENT_MODEL"])
def test_a_missing_setting_is_one_line(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {"OPENAI_API_KEY": "k", "OFFHOOK_AGENT_MODEL": "m"}
    with pytest.raises(MindError, match=f"^{missing} is not set: set it to"):
        endpoint_from({name: value for name, value in environment.items() if name != missing})
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv(missing)
    platform = ReferenceAdapter("reference-openai", openai_mind, False)

    async def connect() -> None:
        await platform.connect_text(await platform.deploy(agent_config(PACK)), setup(PACK, PRICE))

    with pytest.raises(PlatformUnusable, match=f"^{missing} is not set"):
        run_real(connect())


def test_only_a_networked_mind_is_barred_from_virtual_time() -> None:
    assert not attrs.evolve(_platform(_refuse), virtual_time=False).capabilities.virtual_time
    assert _platform(_refuse).capabilities.virtual_time
