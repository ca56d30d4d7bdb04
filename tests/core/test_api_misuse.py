"""``offhook.run`` and ``offhook.drill`` where a program goes wrong: said at once."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import offhook
from offhook._beside import beside
from offhook._program import claimed
from offhook.runner import Done, UnknownName
from offhook.storage import RunFolder, StorageError
from tests.core._drill_stand import Repeat, Stand, stand_host
from tests.core._integrators import world_host


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def ran(**asked: Any) -> offhook.RunResult:
    return asyncio.run(
        offhook.run(**{"tasks": "bicycle-repair", "line": "text", "host": world_host(), **asked})
    )


# --- arguments ------------------------------------------------------------------------------------


async def _awaited(told: object) -> None:
    raise AssertionError("never called")


class Awaited:
    async def __call__(self, told: object) -> None:
        raise AssertionError("never called")


@pytest.mark.parametrize("callback", [_awaited, partial(_awaited), Awaited()])
@pytest.mark.parametrize("name", ["on_started", "on_done"])
def test_an_async_callback_is_refused_at_once(name: str, callback: Any) -> None:
    with pytest.raises(TypeError, match=f"{name} must be a plain function, not an async one"):
        ran(**{name: callback})
    with pytest.raises(TypeError, match=name):
        asyncio.run(offhook.drill(platform="mute", **{name: callback}))
    assert not Path("runs").exists()


def test_a_callback_that_hands_back_a_coroutine_stops_the_run() -> None:
    with pytest.raises(TypeError, match="not an async one"):
        ran(on_done=lambda done: _awaited(done), out="run")


def test_a_seed_below_0_is_refused() -> None:
    with pytest.raises(ValueError, match="seed must be at least 0"):
        ran(seed=-1)
    with pytest.raises(ValueError, match="seed must be at least 0"):
        asyncio.run(offhook.drill(platform="mute", seed=-1))
    assert not Path("runs").exists()


# --- what callbacks raise -------------------------------------------------------------------------


class Enough(BaseException):
    pass


@pytest.mark.parametrize("kind", [Enough, asyncio.CancelledError])
def test_whatever_a_callback_raises_stops_the_run_and_is_raised(kind: type[BaseException]) -> None:
    def done(done: Done) -> None:
        raise kind

    with pytest.raises(kind):
        ran(on_done=done, runs=200, out="run")
    assert 1 <= len(RunFolder.open(Path("run")).call_ids()) < 400


def test_work_that_raises_stop_iteration_is_waited_for_no_longer() -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(asyncio.wait_for(beside(lambda stop, relay: next(iter(()))), 20))


# --- folders --------------------------------------------------------------------------------------


def test_two_runs_at_once_have_folders_of_their_own() -> None:
    async def main() -> list[offhook.RunResult]:
        one = (offhook.run(tasks="B-E1", line="text", host=world_host()) for _ in range(3))
        return await asyncio.gather(*one)

    results = asyncio.run(main())
    assert all(result.passed for result in results)
    assert len({result.folder for result in results}) == 3


def test_two_drill_runs_at_once_have_folders_of_their_own() -> None:
    async def main() -> list[offhook.DrillRunResult]:
        hosts = [stand_host(Stand(drills=[Repeat("first")])) for _ in range(2)]
        return await asyncio.gather(*(offhook.drill(platform="obedient", host=host) for host in hosts))

    first, second = asyncio.run(main())
    assert first.folder != second.folder
    assert first.mean == second.mean == 100


def test_a_claimed_folder_is_the_first_that_nobody_has(tmp_path: Path) -> None:
    wanted = tmp_path / "runs" / "a"
    for name in ("a", "a-2", "a-3"):
        with claimed(wanted) as path:
            assert path == wanted.with_name(name)
    with pytest.raises(LookupError), claimed(wanted) as path:
        raise LookupError
    assert not path.exists()
    (tmp_path / "file").touch()
    with pytest.raises(StorageError), claimed(tmp_path / "file" / "a"):
        raise AssertionError("never reached")


def test_a_run_that_is_refused_leaves_no_folder() -> None:
    with pytest.raises(UnknownName, match="B-E9"):
        ran(tasks="B-E9")
    assert not Path("runs").exists()


# --- worker processes -----------------------------------------------------------------------------

PROGRAM = """
import asyncio
import offhook

asyncio.run(offhook.run(tasks=["T4-H1", "T4-E1"], line="text", workers=2))
print("never reached")
"""


def test_workers_without_the_main_guard_are_said_in_one_line(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PROGRAM, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "OFFHOOK_CACHE"}
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert done.returncode == 1
    assert done.stdout == ""
    last = done.stderr.rstrip().splitlines()[-1]
    assert last.startswith(
        "RuntimeError: no call was placed: the worker processes could not start; put the call"
    )
    assert len(list((tmp_path / "runs").iterdir())) == 1  # the workers wrote no run of their own
