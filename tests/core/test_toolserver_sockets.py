"""The server on loopback sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from offhook.clock import RealIORefused, run_real, run_virtual
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ServeError, ToolServer, serve

HEADERS = {"authorization": "Bearer token", "x-offhook-source-id": "tc%5F1"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ToolServer]:
    with ToolServer(bicycle_pack(), tmp_path, clock=lambda: 0.0) as made:
        for index in range(8):
            made.open_call(f"call-{index}", "token")
        yield made


def test_requests_over_sockets_are_those_of_in_process_calls(server: ToolServer) -> None:
    async def ask() -> tuple[httpx.Response, httpx.Response]:
        async with (
            serve(server) as url,
            httpx.AsyncClient(base_url=url, headers=HEADERS, trust_env=False) as client,
        ):
            good = await client.post("/calls/call-0/tools/get_service_price", json={"service": "tune-up"})
            bad = await client.post("/calls/call-0/tools/get_service_price", json={"service": "paint"})
            return good, bad

    good, bad = run_real(ask())
    assert (good.status_code, good.json()) == (200, {"service": "standard tune-up", "price": "$85.00"})
    assert good.headers["content-type"] == "application/json"
    assert (bad.status_code, bad.json()["error"]["field"]) == (422, "service")
    entry = server.freeze("call-0").log[0]
    assert (entry.source_id, entry.canonical) == ("tc_1", {"service": "tune_up"})


def test_many_calls_at_once_keep_to_themselves(server: ToolServer) -> None:
    async def one(client: httpx.AsyncClient, call: str) -> list[int]:
        replies = await asyncio.gather(
            *(
                client.post(f"/calls/{call}/tools/get_service_price", json={"service": "wheel"})
                for _ in range(5)
            )
        )
        return [reply.status_code for reply in replies]

    async def all_calls() -> list[list[int]]:
        async with (
            serve(server) as url,
            httpx.AsyncClient(base_url=url, headers=HEADERS, trust_env=False) as client,
        ):
            return await asyncio.gather(*(one(client, f"call-{index}") for index in range(8)))

    assert run_real(all_calls()) == [[200] * 5] * 8
    logs = [server.freeze(f"call-{index}").log for index in range(8)]
    assert [[entry.index for entry in log] for log in logs] == [list(range(5))] * 8


def test_a_request_that_breaks_off_asks_for_nothing(server: ToolServer) -> None:
    async def half_a_request() -> int:
        async with serve(server) as url:
            port = int(url.rpartition(":")[2])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = "POST /calls/call-0/tools/end_call HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer token\r\n"
            writer.write((head + "Content-Length: 100\r\n\r\n{").encode())
            await writer.drain()
            writer.close()
            await writer.wait_closed()
            assert await reader.read() == b""
            async with httpx.AsyncClient(base_url=url, headers=HEADERS, trust_env=False) as client:
                return (await client.post("/calls/call-0/tools/end_call", json={})).status_code

    assert run_real(half_a_request()) == 200
    assert len(server.freeze("call-0").log) == 1


def test_a_port_in_use_is_one_clear_line(server: ToolServer) -> None:
    async def twice(port: int) -> None:
        async with serve(server, "127.0.0.1", port):
            pass

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            ServeError, match=f"port {port} on 127.0.0.1 is in use; choose another, or 0 for any"
        ):
            run_real(twice(port))


def test_a_host_that_is_not_ours_is_one_clear_line(server: ToolServer) -> None:
    async def elsewhere() -> None:
        async with serve(server, "192.0.2.1", 0):
            pass

    with pytest.raises(ServeError, match=r"can't listen on 192\.0\.2\.1:0"):
        run_real(elsewhere())


def test_the_port_is_free_again_after_the_block(server: ToolServer) -> None:
    async def serve_twice() -> tuple[str, str]:
        async with serve(server) as first:
            pass
        async with serve(server, port=int(first.rpartition(":")[2])) as second:
            pass
        return first, second

    first, second = run_real(serve_twice())
    assert first == second


def test_an_error_inside_the_block_comes_out_and_stops_the_server(server: ToolServer) -> None:
    async def fail() -> None:
        async with serve(server):
            raise LookupError("inside")

    with pytest.raises(LookupError, match="inside"):
        run_real(fail())


def test_virtual_time_takes_no_sockets(server: ToolServer) -> None:
    async def start() -> None:
        async with serve(server):
            pass

    with pytest.raises(RealIORefused):
        run_virtual(start())
