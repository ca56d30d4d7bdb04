"""``db_create_ms`` and ``tool_p99_ms``: what a call waits for its database and for its tools."""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks._row import BenchRow, print_rows
from offhook.clock import run_real
from offhook.host import PluginHost
from offhook.packs import Pack, Task
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import SeedImages, ToolServer, resolve_carry

_CALLS: Final = 100
_SECONDS: Final = 10.0
_TOKEN: Final = "benchmark"


def _pack() -> Pack:
    """The customer support pack where it is installed, else the small one for tests."""
    return PluginHost.discover().packs().get("customer-support") or bicycle_pack()


async def _timed(
    server: ToolServer, call_id: str, tool: str, arguments: Mapping[str, Any]
) -> tuple[float, Mapping[str, Any]]:
    """Milliseconds that a request took, and its answer."""
    started = time.perf_counter()
    result = await server.call(call_id, _TOKEN, tool, arguments)
    took = 1000 * (time.perf_counter() - started)
    if result.status != 200:
        raise RuntimeError(f"{tool} answered {result.status}: {result.body}")
    return took, result.body


async def _task_calls(server: ToolServer, call_id: str, task: Task) -> list[float]:
    """Makes a task's expected calls, spread over the benchmark's length, and times each."""
    pauses = np.random.default_rng(int.from_bytes(call_id.encode(), "big"))
    results: dict[str, Mapping[str, Any]] = {}
    times = []
    for expected in task.expected:
        await asyncio.sleep(pauses.uniform(0, _SECONDS / len(task.expected)))
        carried = {name: resolve_carry(reference, results) for name, reference in expected.carry.items()}
        arguments = {**expected.arguments, **expected.free_text, **carried}
        took, results[expected.tool] = await _timed(server, call_id, expected.tool, arguments)
        times.append(took)
    return times


async def _open_calls(server: ToolServer, tasks: Sequence[Task]) -> tuple[list[float], list[float]]:
    """Milliseconds of each call's first request, and of all others."""
    calls = [f"open-{index}" for index in range(_CALLS)]
    for call_id in calls:
        server.open_call(call_id, _TOKEN)
    each = await asyncio.gather(
        *(_task_calls(server, call_id, tasks[index % len(tasks)]) for index, call_id in enumerate(calls))
    )
    return [times[0] for times in each], [took for times in each for took in times]


async def _first_requests(server: ToolServer) -> list[float]:
    """A request that reads nothing, as the first of its call: nearly all of it is making the database."""
    times = []
    for index in range(_CALLS):
        server.open_call(f"first-{index}", _TOKEN)
        times.append((await _timed(server, f"first-{index}", "end_call", {}))[0])
    return times


def _created(pack: Pack, folder: Path, images: SeedImages) -> list[float]:
    try:
        with ToolServer(pack, folder, clock=time.monotonic, images=images) as server:
            return run_real(_first_requests(server))
    finally:
        shutil.rmtree(folder)


def run() -> list[BenchRow]:
    """Times both on an ordinary loop, in process."""
    pack = _pack()
    tasks = [task for task in pack.tasks if task.expected]
    with tempfile.TemporaryDirectory() as scratch:
        images = SeedImages(Path(scratch, "images"))
        size = images.image(pack).stat().st_size / 1e6
        _created(pack, Path(scratch, "warm-up"), images)
        created = _created(pack, Path(scratch, "created"), images)
        with ToolServer(pack, Path(scratch, "open"), clock=time.monotonic, images=images) as server:
            first, every = run_real(_open_calls(server, tasks))
    about = f"pack {pack.name}, database of {size:.1f} MB, in process (ASGI), real time"
    create_how = (
        f"{about}; median of {_CALLS} first requests of a call (copy, open, answer to end_call), one after "
        f"the other, after {_CALLS} to warm up"
    )
    tool_how = (
        f"{about}; {_CALLS} calls open at once make {len(every)} requests, the keys of {len(tasks)} tasks, "
        f"in {_SECONDS:.0f} s, first requests included (their median {statistics.median(first):.2f} ms, "
        f"of all {statistics.median(every):.2f} ms)"
    )
    return [
        BenchRow("db_create_ms", round(statistics.median(created), 2), "ms", "<= 5", create_how),
        BenchRow("tool_p99_ms", round(float(np.percentile(every, 99)), 2), "ms", "<= 10", tool_how),
    ]


if __name__ == "__main__":
    print_rows(run())
