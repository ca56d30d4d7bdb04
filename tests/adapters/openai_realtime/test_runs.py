"""Runs as a user starts them: both adapters through the runner, records and folders looked at afterwards."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from offhook.platforms import PlatformUnusable
from offhook.storage import RunFolder
from offhook_adapters.openai_realtime import plugin as openai_plugin
from offhook_adapters.openai_realtime.twin import Twin
from offhook_adapters.twins.agent import TwinAgent
from tests.core._integrators import world_host
from tests.core._runs import Placed, placed

from ._calls import KEY, setup

WRONG_KEY = 'sk-wr"on\\g(fed*cba)+98[76]543%210'


def run(folder: Path, platform: str, task: str = "B-E1", **options: str) -> Placed:
    return placed(folder, world_host(openai_plugin), platform, tasks=(task,), platform_options=options)


def holds(folder: RunFolder, secret: str) -> list[str]:
    """Names of the run's files with ``secret`` in them."""
    files = [path for path in folder.path.rglob("*") if path.is_file()]
    assert files
    return [path.name for path in files if secret.encode() in path.read_bytes()]


@pytest.fixture(scope="module")
def vendor() -> Iterator[str]:
    """A twin on a loop of its own; its address."""
    address: Future[str] = Future()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        async with Twin(TwinAgent(setup()), key=KEY) as twin:
            address.set_result(twin.base_url)
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    yield address.result(5)
    loop.call_soon_threadsafe(over.set)
    thread.join(5)
    assert not thread.is_alive()
    loop.close()


@pytest.fixture(scope="module")
def runs(vendor: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Placed]]:
    """Runs that take as long as their calls do, side by side."""

    def place(name: str) -> Path:
        return tmp_path_factory.mktemp(name)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor() as pool:
        patch.setenv("OPENAI_API_KEY", KEY)
        started = {
            "vendor": pool.submit(run, place("vendor"), "openai-realtime", base_url=vendor),
            "twin": pool.submit(run, place("twin"), "openai-twin"),
            "cut": pool.submit(run, place("cut"), "openai-twin", fault="cut"),
        }
        yield {name: future.result(120) for name, future in started.items()}


def test_a_task_passes_through_the_vendors_wire(runs: dict[str, Placed]) -> None:
    finished = runs["vendor"]
    assert finished.summary.passed == 1
    (record,) = finished.records
    assert record.session_errors == ()
    assert record.cost_basis == "usage"
    assert record.cost_usd is not None
    assert 0.01 < record.cost_usd < 1
    assert record.usage["output_audio_tokens"] > 100
    assert [entry.tool for entry in finished.folder.tools(record.call_id)][:1] == ["get_service_price"]
    assert record.late.p99_ms < 100


def test_a_task_passes_through_a_twin_of_its_own(runs: dict[str, Placed]) -> None:
    finished = runs["twin"]
    assert finished.summary.passed == 1
    (record,) = finished.records
    assert record.session_errors == ()
    assert (record.cost_usd, record.cost_basis) == (0.0, "usage")
    assert len(record.user_transcripts) >= 2


def test_a_call_that_was_cut_says_why(runs: dict[str, Placed]) -> None:
    (record,) = runs["cut"].records
    assert record.ended_by == "platform"
    assert record.session_errors == ("connection_lost: the connection broke without a closing handshake",)


def test_the_key_is_in_no_file_of_a_run(runs: dict[str, Placed]) -> None:
    assert holds(runs["vendor"].folder, KEY) == []
    assert holds(runs["vendor"].folder, "gpt-realtime-2.1") != []


def test_a_wrong_key_stops_the_run_and_is_in_no_file(
    vendor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", WRONG_KEY)
    with pytest.raises(PlatformUnusable) as stopped:
        run(tmp_path, "openai-realtime", base_url=vendor)
    where = vendor.split("/")[2]
    assert f"{where} refused the key (HTTP 401): check OPENAI_API_KEY" in str(stopped.value)
    left = RunFolder.open(tmp_path / "run")
    assert left.call_ids() == ()
    assert holds(left, WRONG_KEY) == []


@pytest.mark.parametrize(
    ("platform", "options", "message"),
    [
        ("openai-realtime", {"model": "gpt-9"}, "there is no model 'gpt-9'"),
        ("openai-realtime", {"voice": "nobody"}, "there is no voice 'nobody'"),
        ("openai-twin", {"fault": "fire"}, "there is no fault 'fire'"),
    ],
)
def test_what_no_retry_helps_stops_the_run(
    platform: str,
    options: dict[str, str],
    message: str,
    vendor: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", vendor)
    with pytest.raises(PlatformUnusable, match=message):
        run(tmp_path, platform, **options)
    assert RunFolder.open(tmp_path / "run").call_ids() == ()


def test_a_refusing_twin_is_a_void_with_its_cause(tmp_path: Path) -> None:
    finished = run(tmp_path, "openai-twin", fault="refuse")
    assert {record.ending for record in finished.records} == {"void"}
    assert all("answered HTTP 503 (the twin was told to refuse)" in r.cause for r in finished.records)


def test_a_missing_key_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(PlatformUnusable, match="OPENAI_API_KEY is not set: set it to your OpenAI key"):
        run(tmp_path, "openai-realtime")


@pytest.mark.slow
def test_a_booking_passes_through_a_twin(tmp_path: Path) -> None:
    finished = run(tmp_path, "openai-twin", "B-H1")
    assert finished.summary.passed == 1
    (record,) = finished.records
    assert record.session_errors == ()


@pytest.mark.slow
def test_a_stalled_platform_is_left_by_the_caller(tmp_path: Path) -> None:
    (record,) = run(tmp_path, "openai-twin", fault="stall").records
    assert record.hung_up_because == "gave_up"
    assert [error.partition(":")[0] for error in record.session_errors] == ["stalled"]
