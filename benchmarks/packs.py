"""What a pack's database and tools cost a call, and what all tasks cost as text.

Per pack: ``seed_build_PACK_s``, ``db_copy_PACK_ms`` and ``db_copy_p99_PACK_ms``, ``tool_p99_PACK_ms`` and,
apart from it, ``tool_first_p99_PACK_ms``. Over all packs: ``text_run_90_s`` and ``text_run_90_passes``.

The tool server is used as a run uses it: one a call, all in one process and on one ordinary loop. Where other
programs use the cores, every p99 holds their share of the wait: each line therefore tells the load and the
processor time as well, and the p99s count on a quiet machine alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np

from benchmarks._row import BenchRow, print_rows
from offhook.clock import run_real
from offhook.host import PluginHost
from offhook.packs import Pack, Task
from offhook.toolserver import SeedImages, ToolServer, resolve_carry
from offhook.toolserver._calldb import CallDatabase

__all__ = [
    "OpenRound",
    "TextRun",
    "build_row",
    "copy_rows",
    "hold_open",
    "run",
    "text_rows",
    "text_run",
    "tool_rows",
]

_BUILDS: Final = 5
_COPIES: Final = 200
_CALLS: Final = 100
_SECONDS: Final = 10.0
_ROUNDS: Final = 3
_TOKEN: Final = "benchmark"


@attrs.frozen
class OpenRound:
    """Calls held open at once: milliseconds of the requests that were a call's first, and so made its
    database, and of all others; ``cpu_ms`` is the processor time of the process for one request.
    """

    first: tuple[float, ...]
    later: tuple[float, ...]
    cpu_ms: float


@attrs.frozen
class TextRun:
    """One text run by the policy follower: seconds by the clock and of processor time, calls that passed."""

    wall: float
    cpu: float
    passed: int
    placed: int


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def _named(pack: Pack) -> str:
    return pack.name.replace("-", "_")


def _p99(times: Sequence[float]) -> float:
    return float(np.percentile(times, 99))


def build_row(pack: Pack, place: Path, *, builds: int = _BUILDS) -> BenchRow:
    """Builds a pack's seed image several times, each in a folder of its own."""
    wall, cpu, size = [], [], 0
    for index in range(builds):
        images = SeedImages(place / f"build-{index}")
        started, worked = time.perf_counter(), time.process_time()
        image = images.image(pack)
        wall.append(time.perf_counter() - started)
        cpu.append(time.process_time() - worked)
        size = image.stat().st_size
    how = (
        f"schema, rows, key check, sum and sync of {size / 1e6:.1f} MB; median of {builds} builds, "
        f"{min(wall):.2f} to {max(wall):.2f} s, {statistics.median(cpu):.2f} s of processor time; {_load()}"
    )
    return BenchRow(f"seed_build_{_named(pack)}_s", round(statistics.median(wall), 2), "s", "<= 2", how)


def copy_rows(pack: Pack, place: Path, images: SeedImages, *, copies: int = _COPIES) -> list[BenchRow]:
    """Makes databases of calls from the seed image, one after the other."""
    image = images.image(pack)
    place.mkdir(parents=True)
    wall, cpu = [], []
    for index in range(copies):
        started, worked = time.perf_counter(), time.thread_time()
        database = CallDatabase(pack, image, place / f"{index}.sqlite", f"copy-{index}")
        wall.append(1000 * (time.perf_counter() - started))
        cpu.append(1000 * (time.thread_time() - worked))
        database.close()
    how = (
        f"copy of {image.stat().st_size / 1e6:.1f} MB, opened and ready for a tool; {copies} in turn, median "
        f"{statistics.median(cpu):.2f} ms and p99 {_p99(cpu):.2f} ms of processor time; {_load()}"
    )
    return [
        BenchRow(f"db_copy_{_named(pack)}_ms", round(statistics.median(wall), 2), "ms", "<= 5", how),
        BenchRow(f"db_copy_p99_{_named(pack)}_ms", round(_p99(wall), 2), "ms", "<= 5", how),
    ]


def hold_open(
    pack: Pack, place: Path, images: SeedImages, *, calls: int = _CALLS, seconds: float = _SECONDS
) -> OpenRound:
    """Holds calls open at once, which make the calls of their tasks' keys in order over ``seconds``.

    Raises:
        RuntimeError: a tool did not answer as the key says.
        ValueError: no task of the pack has two calls in its key.
    """
    tasks = [task for task in pack.tasks if task.expected]
    if not any(len(task.expected) > 1 for task in tasks):
        raise ValueError(f"pack {pack.name}: no key has a second call")
    worked = time.process_time()
    times = run_real(_all_calls(pack, tasks, place, images, calls, seconds))
    worked = time.process_time() - worked
    requests = sum(len(each) for each in times)
    return OpenRound(
        first=tuple(each[0] for each in times),
        later=tuple(took for each in times for took in each[1:]),
        cpu_ms=1000 * worked / requests,
    )


async def _all_calls(
    pack: Pack, tasks: Sequence[Task], place: Path, images: SeedImages, calls: int, seconds: float
) -> list[list[float]]:
    names = [f"open-{index}" for index in range(calls)]
    with contextlib.ExitStack() as open_calls:
        servers = [open_calls.enter_context(_opened(pack, name, place, images)) for name in names]
        return await asyncio.gather(
            *(
                _one_call(server, tasks[index % len(tasks)], name, seconds)
                for index, (server, name) in enumerate(zip(servers, names, strict=True))
            )
        )


async def _one_call(server: ToolServer, task: Task, call_id: str, seconds: float) -> list[float]:
    """Milliseconds of each request of a call."""
    pauses = np.random.default_rng(int.from_bytes(call_id.encode(), "big"))
    results: dict[str, Mapping[str, Any]] = {}
    times = []
    for expected in task.expected:
        await asyncio.sleep(pauses.uniform(0, 2 * seconds / (len(task.expected) + 1)))
        carried = {name: resolve_carry(reference, results) for name, reference in expected.carry.items()}
        arguments = {**expected.arguments, **expected.free_text, **carried}
        started = time.perf_counter()
        result = await server.call(call_id, _TOKEN, expected.tool, arguments)
        times.append(1000 * (time.perf_counter() - started))
        if (result.status != 200) != (expected.outcome == "refused"):
            raise RuntimeError(f"task {task.id}: {expected.tool} answered {result.status}: {result.body}")
        results[expected.tool] = result.body
    return times


def _opened(pack: Pack, call_id: str, place: Path, images: SeedImages) -> ToolServer:
    server = ToolServer(pack, place / call_id, clock=time.monotonic, images=images)
    server.open_call(call_id, _TOKEN, folder=place / call_id)
    return server


def tool_rows(pack: Pack, rounds: Sequence[OpenRound]) -> list[BenchRow]:
    """The median of the rounds' p99, first requests apart."""
    later, first = [_p99(one.later) for one in rounds], [_p99(one.first) for one in rounds]
    about = (
        f"{len(rounds[0].first)} calls open at once in one process, each its own server and database, make "
        f"the calls of their keys over {_SECONDS:.0f} s; median of {len(rounds)} rounds; "
        f"{statistics.median(one.cpu_ms for one in rounds):.2f} ms of processor time a request, the copies "
        f"included; {_load()}"
    )
    told = (
        f"{len(rounds[0].later)} requests a round after the first of each call, median "
        f"{statistics.median(took for one in rounds for took in one.later):.2f} ms, p99 of the rounds "
        f"{_listed(later)} ms"
    )
    told_first = (
        f"the first request of each call, which makes its database, median "
        f"{statistics.median(took for one in rounds for took in one.first):.2f} ms, p99 of the rounds "
        f"{_listed(first)} ms"
    )
    name = _named(pack)
    return [
        BenchRow(
            f"tool_p99_{name}_ms", round(statistics.median(later), 2), "ms", "<= 10", f"{told}; {about}"
        ),
        BenchRow(
            f"tool_first_p99_{name}_ms",
            round(statistics.median(first), 2),
            "ms",
            "",
            f"{told_first}; {about}",
        ),
    ]


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in values)


def text_run(place: Path, tasks: Sequence[str] = ()) -> TextRun:
    """``offhook run --line text`` as a command, over all tasks unless some are named; ``place`` keeps the run
    and its cache.

    Raises:
        RuntimeError: the command failed.
    """
    command = [str(Path(sys.executable).with_name("offhook")), "run", *tasks, "--line", "text", "--json"]
    env = {**os.environ, "OFFHOOK_CACHE": str(place / "cache")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(dir=place) as folder:
        started = time.perf_counter()
        done = subprocess.run(
            [*command, "--out", f"{folder}/run"], env=env, capture_output=True, text=True, check=False
        )
        wall = time.perf_counter() - started
    if done.returncode != 0:
        raise RuntimeError(f"offhook run ended with {done.returncode}: {done.stderr[-500:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    summary = json.loads(done.stdout)
    return TextRun(wall, cpu, summary["passed"], summary["planned"])


def text_rows(runs: Sequence[TextRun]) -> list[BenchRow]:
    """``runs`` share a cache: the first finds it empty."""
    cold = runs[0]
    told = "; ".join(f"{one.wall:.1f} s, {one.cpu:.1f} s of processor time" for one in runs)
    how = (
        f"offhook run --line text over {cold.placed} tasks by the policy follower in one process, start-up, "
        f"grading and report included; the first run, with an empty cache, and those after it: {told}; "
        f"{_load()}"
    )
    passes = min(one.passed for one in runs)
    return [
        BenchRow("text_run_90_s", round(cold.wall, 1), "s", "<= 60", how),
        BenchRow(
            "text_run_90_passes", passes, "calls", f">= {cold.placed}", f"the fewest of {len(runs)} runs"
        ),
    ]


def run() -> Iterator[BenchRow]:
    """Times each installed pack, then the text run, with an empty cache and again."""
    packs = tuple(PluginHost.discover().packs().values())
    if not packs:
        raise RuntimeError("no packs are installed")
    with tempfile.TemporaryDirectory() as scratch:
        for pack in packs:
            place = Path(scratch, pack.name)
            images = SeedImages(place / "images")
            yield build_row(pack, place / "builds")
            yield from copy_rows(pack, place / "copies", images)
            rounds = [hold_open(pack, place / f"round-{index}", images) for index in range(_ROUNDS)]
            yield from tool_rows(pack, rounds)
        yield from text_rows([text_run(Path(scratch)) for _ in range(2)])


if __name__ == "__main__":
    print_rows(run())
