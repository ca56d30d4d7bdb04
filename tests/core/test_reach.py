"""A host whose name has no address, in plain words, whoever looked it up."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import attrs
import httpx
import pytest
import websockets

from offhook._reach import reach_line
from offhook.runner import new_run
from offhook.sessions import CallSetup, Deployment
from tests.core._stand import RealTimePlatform, stand_host
from tests.core.test_spending import carried, options

NOWHERE = "nowhere.invalid"


async def _by_httpx() -> None:
    async with httpx.AsyncClient(trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)) as client:
        await client.get(f"https://{NOWHERE}/")


async def _by_aiohttp() -> None:
    async with aiohttp.ClientSession() as client:
        await client.get(f"http://{NOWHERE}/")


async def _by_websockets() -> None:
    await websockets.connect(f"ws://{NOWHERE}/", proxy=None)


async def _hidden() -> None:
    try:
        await _by_websockets()
    except OSError:
        raise ValueError("no luck") from None


@pytest.mark.parametrize("dial", [_by_httpx, _by_aiohttp, _by_websockets, _hidden])
def test_the_host_is_named_and_what_to_do(dial: Callable[[], Awaitable[None]]) -> None:
    async def dialled() -> None:
        await dial()

    with pytest.raises((OSError, httpx.HTTPError, aiohttp.ClientError, ValueError)) as raised:
        asyncio.run(dialled())
    told = reach_line(raised.value)
    assert told.startswith(f"can't resolve {NOWHERE}: check the address or your network")
    assert "\n" not in told


def test_other_errors_are_told_as_they_are() -> None:
    assert reach_line(ConnectionRefusedError("no\nbody")) == "ConnectionRefusedError: no body"
    assert reach_line(socket.gaierror(-2, "unknown")) == (
        "can't resolve the platform's host: check the address or your network"
    )


@attrs.frozen(kw_only=True)
class _Astray(RealTimePlatform):
    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        await _hidden()


def test_a_call_tells_it_as_its_cause(tmp_path: Path) -> None:
    host = stand_host(adapters=(_Astray(name="astray"),))
    run = new_run(options(tmp_path, "astray", attempts=1), host)
    assert carried(run) == 2
    causes = {run.folder.record(call).cause for call in run.folder.call_ids()}
    assert causes == {
        f"refused: the platform did not take the call: can't resolve {NOWHERE}: check the address or your "
        "network (ValueError: no luck)"
    }
