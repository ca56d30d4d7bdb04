from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from offhook.sessions import AgentConfig, CallSetup
from offhook.testing_pack import bicycle_pack
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.desk import Mind, MindError
from offhook_adapters.reference.minds.openai_mind import Endpoint, OpenAIMind, endpoint_from

from ._calls import in_turn, text_call

ODD_KEY = r'sk-"o\d/d+(k.e)*y$[0]%?'
SET = {"OPENAI_API_KEY": "k", "OFFHOOK_AGENT_MODEL": "m"}


def test_a_password_in_the_url_is_refused_and_not_shown() -> None:
    with pytest.raises(MindError, match="put the key in OPENAI_API_KEY") as caught:
        endpoint_from({**SET, "OFFHOOK_AGENT_BASE_URL": "http://user:opensesame@127.0.0.1/v1"})
    assert "opensesame" not in str(caught.value)


def test_a_plain_url_is_taken() -> None:
    endpoint = endpoint_from({**SET, "OFFHOOK_AGENT_BASE_URL": "http://127.0.0.1:9/v1/"})
    assert endpoint.base_url == "http://127.0.0.1:9/v1"


@pytest.mark.parametrize("key", ["sk-one two", "sk-\u043a\u043b\u044e\u0447-0123456789", "sk-line\nbreak"])
def test_a_key_that_no_header_could_carry_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(MindError, match=r"^OPENAI_API_KEY holds a blank or another character") as caught:
        endpoint_from({**SET, "OPENAI_API_KEY": key})
    assert key not in str(caught.value)


def test_blanks_around_a_key_are_not_part_of_it() -> None:
    assert endpoint_from({**SET, "OPENAI_API_KEY": f" {ODD_KEY}\n"}).key == ODD_KEY


@pytest.mark.parametrize("status", [400, 401, 403, 500])
def test_an_endpoint_that_repeats_the_key_does_not_get_it_into_the_record(
    status: int, tmp_path: Path
) -> None:
    def echo(request: httpx.Request) -> httpx.Response:
        given = request.headers["authorization"].removeprefix("Bearer ")
        assert given == ODD_KEY
        return httpx.Response(status, text=f"bad key {given} " + json.dumps({"error": given}))

    at = Endpoint("http://model/v1", "some-model", ODD_KEY, httpx.MockTransport(echo))

    def make(agent: AgentConfig, call: CallSetup) -> Mind:
        return OpenAIMind(agent, at)

    pack = bicycle_pack()
    call = text_call(
        ReferenceAdapter("reference-openai", make), pack, pack.task("B-E1"), in_turn("Hello."), tmp_path
    )
    (error,) = call.errors
    assert f"HTTP {status}" in error
    assert ODD_KEY not in error
    assert json.dumps(ODD_KEY)[1:-1] not in error
