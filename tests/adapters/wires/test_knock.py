"""Frameworks around any Chat Completions endpoint: a key or an address of no use is found before the call."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from openai import AsyncOpenAI

from offhook.clock import run_real
from offhook.platforms import PlatformUnusable
from offhook_adapters._frameworks.endpoint import knock
from offhook_adapters.twins.server import serving
from offhook_adapters.wires.vendor import VendorError

KEY = "sk-knock-0123456789abcdef"


@asynccontextmanager
async def endpoint(status: int, asked: list[str]) -> AsyncIterator[AsyncOpenAI]:
    async def answer(request: web.Request) -> web.StreamResponse:
        asked.append(request.headers["Authorization"])
        body = {"object": "list", "data": []} if status == 200 else {"error": {"message": f"no {KEY}"}}
        return web.json_response(body, status=status)

    async with serving([web.get("/v1/models", answer)]) as port:
        yield AsyncOpenAI(api_key=KEY, base_url=f"http://127.0.0.1:{port}/v1")


async def _knocked(status: int) -> tuple[list[str], bool]:
    """What reached the endpoint, and whether the client was closed."""
    asked: list[str] = []
    async with endpoint(status, asked) as client:
        await knock(client, KEY)
        return asked, client.is_closed()


@pytest.mark.parametrize("status", [200, 404])
def test_an_endpoint_that_lets_one_in_or_has_no_list_is_open(status: int) -> None:
    assert run_real(_knocked(status)) == ([f"Bearer {KEY}"], False)


def test_a_refused_key_stops_the_run_and_names_the_variable() -> None:
    with pytest.raises(PlatformUnusable, match=r"refused the key \(HTTP 401\): check OPENAI_API_KEY$"):
        run_real(_knocked(401))


def test_a_busy_endpoint_stops_one_call_and_hides_the_key() -> None:
    with pytest.raises(VendorError, match="try again later") as busy:
        run_real(_knocked(503))
    assert not isinstance(busy.value, PlatformUnusable)
    assert KEY not in str(busy.value)


def test_nobody_there_is_told_before_the_call() -> None:
    async def work() -> None:
        await knock(AsyncOpenAI(api_key=KEY, base_url="http://127.0.0.1:9/v1"), KEY)

    with pytest.raises(VendorError, match=r"^127\.0\.0\.1:9 can't be reached"):
        run_real(work())


def test_a_client_that_is_not_let_in_is_closed() -> None:
    async def work() -> bool:
        async with endpoint(401, []) as client:
            with pytest.raises(PlatformUnusable):
                await knock(client, KEY)
            return client.is_closed()

    assert run_real(work())
