"""``seed_build_s``, ``db_create_ms`` and ``tool_p99_ms``: what it takes to build a pack's database once, and
what a call waits for its copy and for its tools.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
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


@attrs.frozen
class _Pack:
    """One pack's figures: its database in MB, the seconds to build it, milliseconds to have a copy, and
    milliseconds of each request, those that are a call's first apart.
    """

    name: str
    size: float
    build_s: float
    create_ms: float
    tasks: int
    first: Sequence[float]
    every: Sequence[float]

    @property
    def p99_ms(self) -> float:
        return float(np.percentile(self.every, 99))


def _packs() -> Sequence[Pack]:
    """The installed packs, else the small one for tests."""
    return tuple(PluginHost.discover().packs().values()) or (bicycle_pack(),)


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


def _measured(pack: Pack, place: Path) -> _Pack:
    tasks = [task for task in pack.tasks if task.expected]
    images = SeedImages(place / "images")
    started = time.perf_counter()
    size = images.image(pack).stat().st_size / 1e6
    build_s = time.perf_counter() - started
    _created(pack, place / "warm-up", images)
    created = _created(pack, place / "created", images)
    with ToolServer(pack, place / "open", clock=time.monotonic, images=images) as server:
        first, every = run_real(_open_calls(server, tasks))
    return _Pack(pack.name, size, build_s, statistics.median(created), len(tasks), first, every)


def _each(packs: Sequence[_Pack], told: Callable[[_Pack], str]) -> str:
    return "; ".join(f"{pack.name} ({pack.size:.1f} MB) {told(pack)}" for pack in packs)


def run() -> list[BenchRow]:
    """Times all three for each pack, on an ordinary loop, in process; a value is the slowest pack's."""
    with tempfile.TemporaryDirectory() as scratch:
        packs = [_measured(pack, Path(scratch, pack.name)) for pack in _packs()]
    about = "the slowest pack, in process (ASGI), real time"
    build_how = f"the slowest pack, built once and kept in the cache: {_each(packs, _built)}"
    create_how = (
        f"{about}; median of {_CALLS} first requests of a call (copy, open, answer to end_call), one after "
        f"the other, after {_CALLS} to warm up: {_each(packs, lambda pack: f'{pack.create_ms:.2f} ms')}"
    )
    tool_how = (
        f"{about}; {_CALLS} calls open at once make their tasks' calls in {_SECONDS:.0f} s, first requests "
        f"included: {_each(packs, _answered)}"
    )
    build_s = round(max(pack.build_s for pack in packs), 2)
    create_ms = round(max(pack.create_ms for pack in packs), 2)
    p99_ms = round(max(pack.p99_ms for pack in packs), 2)
    return [
        BenchRow("seed_build_s", build_s, "s", "<= 2", build_how),
        BenchRow("db_create_ms", create_ms, "ms", "<= 5", create_how),
        BenchRow("tool_p99_ms", p99_ms, "ms", "<= 10", tool_how),
    ]


def _built(pack: _Pack) -> str:
    return f"{pack.build_s:.2f} s"


def _answered(pack: _Pack) -> str:
    return (
        f"{len(pack.every)} requests, the keys of {pack.tasks} tasks: p99 {pack.p99_ms:.2f} ms, median "
        f"{statistics.median(pack.every):.2f} ms, of first requests {statistics.median(pack.first):.2f} ms"
    )


if __name__ == "__main__":
    print_rows(run())
