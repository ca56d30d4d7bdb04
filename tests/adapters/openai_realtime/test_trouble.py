"""What is missing or refused: which faults stop a run at once, and in which words."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from openai.types.realtime import RealtimeError
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.frames import Close
from websockets.http11 import Request, Response

from offhook.clock import run_real
from offhook.platforms import PlatformUnusable
from offhook.sessions import Checked, WithOptions
from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter, dial
from offhook_adapters.openai_realtime.config import OPENAI, OPTIONS, settings_from
from offhook_adapters.openai_realtime.refusals import refused_session
from offhook_adapters.twins.adapter import TwinAdapter
from offhook_adapters.wires.trouble import closed_early, failed_connect
from offhook_adapters.wires.vendor import VendorError

from ._calls import AGENT, KEY, setup

ODD_KEY = r'sk-"o\d/d+(k.e)*y$[0]%?'


def twin_adapter() -> TwinAdapter:
    return TwinAdapter(OpenAIRealtimeAdapter(), "openai-twin")


# --- before the first call ----------------------------------------------------------------------------------


def test_both_declare_what_they_lack_and_what_they_take() -> None:
    vendor, twin = OpenAIRealtimeAdapter(), twin_adapter()
    for adapter in (vendor, twin):
        assert isinstance(adapter, Checked)
        assert isinstance(adapter, WithOptions)
        assert all(help_text.endswith(".") for help_text in adapter.options.values())
    assert vendor.options == OPTIONS
    assert set(twin.options) == set(OPTIONS) - {"base_url"} | {"fault"}


def test_every_option_that_is_declared_is_taken() -> None:
    values = {"silence_ms": "1", "threshold": "1", "idle_timeout_ms": "1", "noise_reduction": "near_field"}
    for name in OPTIONS:
        settings = settings_from({name: values.get(name, "http://x/v1")})
        assert str(getattr(settings, name)).removesuffix(".0") == values.get(name, "http://x/v1")


@pytest.mark.parametrize(
    ("environment", "missing"),
    [
        ({"OPENAI_API_KEY": KEY}, None),
        ({}, "OPENAI_API_KEY is not set: set it to your OpenAI key"),
        ({"OPENAI_API_KEY": "a b"}, "OPENAI_API_KEY holds a blank"),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "nowhere"}, "OPENAI_BASE_URL is 'nowhere': set it to"),
    ],
)
def test_the_vendors_adapter_says_what_is_missing(
    environment: dict[str, str], missing: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    told = OpenAIRealtimeAdapter().check()
    assert told == missing or (missing is not None and told is not None and told.startswith(missing))
    assert twin_adapter().check() is None


@pytest.mark.parametrize("module", ["openai", "websockets"])
def test_a_missing_sdk_is_one_line_before_and_at_the_call(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for adapter in (OpenAIRealtimeAdapter(), twin_adapter()):
        told = adapter.check()
        assert told is not None
        assert told.endswith("run pip install 'offhook[openai]'")
        with pytest.raises(PlatformUnusable) as stopped:
            run_real(adapter.deploy(AGENT))
        assert str(stopped.value) == told


def test_a_missing_key_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(PlatformUnusable, match=r"^OPENAI_API_KEY is not set"):
        run_real(OpenAIRealtimeAdapter().deploy(AGENT))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"fault": "fire"},
            "there is no fault 'fire': choose from none, refuse, rate-limit, quota",
        ),
        ({"base_url": "http://x"}, "the twin has an address of its own"),
    ],
)
def test_a_twin_option_that_cannot_be_is_one_line(options: dict[str, str], message: str) -> None:
    async def work() -> None:
        adapter = twin_adapter()
        await adapter.connect(await adapter.deploy(AGENT), attrs.evolve(setup(), options=options))

    with pytest.raises(PlatformUnusable, match=message):
        run_real(work())


# --- which refusals stop a run ------------------------------------------------------------------------------


def _status(status: int, code: str = "some_code") -> InvalidStatus:
    body = json.dumps({"error": {"code": code, "message": f"not with {ODD_KEY}"}}).encode()
    return InvalidStatus(Response(status, "No", Headers(), body))


@pytest.mark.parametrize(
    ("error", "stops", "told"),
    [
        (_status(400), True, "answered HTTP 400 (not with [key]): check base_url and model"),
        (_status(401), True, "refused the key (HTTP 401): check OPENAI_API_KEY"),
        (_status(403), True, "answered HTTP 403 (not with [key]): check what OPENAI_API_KEY may use"),
        (_status(404), True, "answered HTTP 404 (not with [key]): check base_url and model"),
        (_status(200), True, "answered HTTP 200 (not with [key]): check base_url and model"),
        (_status(429), False, "answered HTTP 429 (not with [key]): try again later"),
        (_status(429, "insufficient_quota"), True, "check the plan and billing of the account"),
        (_status(408), False, "try again later"),
        (_status(500), False, "answered HTTP 500 (not with [key]): try again later"),
        (_status(503), False, "try again later"),
        (TimeoutError(), False, "can't be reached (TimeoutError): check the network and base_url"),
        (ConnectionResetError(ODD_KEY), False, "can't be reached (ConnectionResetError)"),
        (InvalidStatus(Response(401, "No", Headers(), ODD_KEY.encode())), True, "refused the key"),
        (InvalidStatus(Response(502, "No", Headers(), b"[]")), False, "answered HTTP 502 ([])"),
    ],
)
def test_a_handshake_that_is_refused(error: Exception, stops: bool, told: str) -> None:
    made = failed_connect(error, OPENAI, "HOST", ODD_KEY)
    assert isinstance(made, PlatformUnusable) is stops
    assert str(made).startswith("HOST ")
    assert told in str(made)
    assert ODD_KEY not in str(made)


@pytest.mark.parametrize(
    ("kind", "code", "stops", "told"),
    [
        ("invalid_request_error", "invalid_value", True, "the platform refused the session: no [key]"),
        ("invalid_request_error", "model_not_found", True, "the platform refused the session: no [key]"),
        ("invalid_request_error", "invalid_api_key", True, "refused the key: check OPENAI_API_KEY"),
        ("insufficient_quota", "insufficient_quota", True, "check the plan and billing of the account"),
        ("invalid_request_error", "rate_limit_exceeded", False, "the platform refused the session"),
        ("server_error", None, False, "the platform refused the session: no [key]"),
    ],
)
def test_a_session_that_is_refused(kind: str, code: str | None, stops: bool, told: str) -> None:
    made = refused_session(RealtimeError(message=f"no {ODD_KEY}", type=kind, code=code), OPENAI, ODD_KEY)
    assert isinstance(made, PlatformUnusable) is stops
    assert told in str(made)
    assert ODD_KEY not in str(made)


@pytest.mark.parametrize(
    ("code", "reason", "stops"),
    [
        (3000, "no", True),
        (3003, "", True),
        (4001, "invalid_request_error.invalid_api_key", True),
        (1011, f"oh no {ODD_KEY}", False),
        (1013, "later", False),
    ],
)
def test_a_connection_closed_before_the_session_is_open(code: int, reason: str, stops: bool) -> None:
    made = closed_early(ConnectionClosedError(Close(code, reason), None, None), OPENAI, "HOST", ODD_KEY)
    assert isinstance(made, PlatformUnusable) is stops
    assert str(code) in str(made)
    assert ODD_KEY not in str(made)
    assert not isinstance(
        closed_early(ConnectionClosedError(None, None, None), OPENAI, "HOST", KEY), PlatformUnusable
    )


# --- the same over a socket, with the SDK in between --------------------------------------------------------


def _dialled(
    hold: Callable[[ServerConnection], Any], admit: Callable[[ServerConnection, Request], Any] | None = None
) -> VendorError:
    async def work() -> VendorError:
        async with serve(hold, "127.0.0.1", 0, process_request=admit) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            settings = settings_from({"base_url": f"http://127.0.0.1:{port}/v1"})
            with pytest.raises(VendorError) as refused:
                await dial(AGENT, settings, key=ODD_KEY, patience=5)
            return refused.value

    return run_real(work())


async def _nothing(socket: ServerConnection) -> None:
    await socket.wait_closed()


def test_a_server_that_repeats_the_key_does_not_get_it_into_the_error() -> None:
    given: list[str] = []

    def echo(socket: ServerConnection, request: Request) -> Response:
        given.append(request.headers["Authorization"])
        body = json.dumps({"error": {"code": "x", "message": f"no {given[-1]} {json.dumps(given[-1])}"}})
        return Response(404, "No", Headers({"Content-Length": str(len(body))}), body.encode())

    refused = _dialled(_nothing, echo)
    assert given[-1] == f"Bearer {ODD_KEY}"
    assert isinstance(refused, PlatformUnusable)
    assert "(no Bearer [key] " in str(refused)
    assert ODD_KEY not in str(refused)
    assert json.dumps(ODD_KEY)[1:-1] not in str(refused)


def test_a_key_refused_after_the_upgrade_stops_the_run() -> None:
    async def refuse(socket: ServerConnection) -> None:
        error = {"type": "invalid_request_error", "code": "invalid_api_key", "message": f"bad {ODD_KEY}"}
        await socket.send(json.dumps({"type": "error", "event_id": "e", "error": error}))
        await socket.close(3000, "invalid_request_error.invalid_api_key")

    refused = _dialled(refuse)
    assert isinstance(refused, PlatformUnusable)
    assert str(refused) == "the platform refused the key: check OPENAI_API_KEY"


def test_a_connection_that_is_closed_at_once_is_tried_again() -> None:
    async def close(socket: ServerConnection) -> None:
        await socket.close(1013, "busy")

    refused = _dialled(close)
    assert not isinstance(refused, PlatformUnusable)
    assert str(refused).endswith("did not open the session: the connection was closed with code 1013: busy")
