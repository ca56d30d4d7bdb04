"""``await offhook.run(...)``: as the command line does it, beside a running loop, cancelled and resumed."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import attrs
import pytest

import offhook
from offhook.api import program_host
from offhook.drillrun import DrillDone, DrillFolder
from offhook.hooks import hookimpl
from offhook.records import CallKey, CallRecord, RunManifest
from offhook.runner import Done, PlannedCall, TooManyAtOnce, UnknownName
from offhook.sessions import Capabilities, Deployment
from offhook.storage import RunFolder, StorageError
from offhook.testing import ScriptedRecruit
from tests.core._drill_stand import Repeat, Stand, stand_host
from tests.core._integrators import OwnAdapter, world_host


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def ran(**asked: Any) -> offhook.RunResult:
    asked.setdefault("line", "text")
    asked.setdefault("host", world_host())
    return asyncio.run(offhook.run(**asked))


# --- a run and its result -------------------------------------------------------------------------


def test_a_run_says_what_it_came_to(tmp_path: Path) -> None:
    result = ran(tasks="bicycle-repair", runs=2, out=tmp_path / "run")
    assert result.passed
    assert result.why == ""
    assert result.folder == tmp_path / "run"
    assert result.manifest == RunFolder.open(tmp_path / "run").manifest()
    assert result.score.part("task").points == 80
    assert [call.record.key.run for call in result.calls] == [1, 2, 1, 2]
    first = result.calls[0]
    assert (first.folder / "record.json").is_file()
    assert first.grade("tool-adherence").call_id == first.record.call_id
    with pytest.raises(KeyError, match="nobody"):
        first.grade("nobody")


def test_a_call_that_fails_is_a_result_with_its_reason(tmp_path: Path) -> None:
    result = ran(platform="saboteur-claims-done", tasks=["B-H1"], out=tmp_path / "run")
    (call,) = result.calls
    assert not result.passed
    assert (call.state, call.passed) == ("failed", False)
    assert "state-adherence" in call.why
    assert result.why == f"bicycle-repair/B-H1 run 1: failed: {call.why}"


def test_the_report_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    result = ran(tasks="B-E1", out=tmp_path / "run")
    assert result.report() == tmp_path / "run" / "report.html"
    page = result.report(tmp_path / "page.html", audio=False)
    assert "B-E1" in page.read_text(encoding="utf-8")


def test_the_folder_is_named_after_platform_and_time_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ran(tasks="B-E1")
    assert result.folder.parent == Path("runs")
    assert result.folder.name.startswith("reference-")


# --- an adapter of the program's own --------------------------------------------------------------


def test_an_adapter_needs_no_packaging(tmp_path: Path) -> None:
    host = world_host()
    for number in (1, 2):  # a program may use its host again
        result = ran(platform=OwnAdapter(), tasks="B-E1", out=tmp_path / f"run{number}", host=host)
        assert result.passed
        assert result.manifest.platform == "my-agent"
    assert "adapter:my-agent" in {part.component for part in result.manifest.components}
    assert host.problems == ()


def test_an_adapter_goes_with_the_installed_plugins_too() -> None:
    host = program_host(OwnAdapter())
    assert {"my-agent", "reference"} <= set(host.adapters())


def test_worker_processes_cannot_see_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"workers=2 needs installed plugins: .*my-agent.*use workers=1"):
        ran(platform=OwnAdapter(), host=None, tasks="T4-H1", workers=2, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("platform", "kind", "said"),
    [
        (OwnAdapter("reference"), ValueError, "'reference' is there already"),
        (OwnAdapter, TypeError, "does all of Adapter: class OwnAdapter"),
        (object(), TypeError, "that does all of Adapter: object"),
    ],
)
def test_what_is_no_platform_is_refused(platform: Any, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        ran(platform=platform, tasks="B-E1", out="never")
    assert not Path("never").exists()


def test_a_host_in_use_takes_no_further_adapter() -> None:
    host = world_host()
    assert "reference" in host.adapters()
    with pytest.raises(ValueError, match="my-agent is not one of the host's: register it on the host"):
        ran(platform=OwnAdapter(), host=host, tasks="B-E1", out="never")


@attrs.frozen
class Keyless(OwnAdapter):
    def check(self) -> str | None:
        return "set MY_KEY"


def test_a_platform_that_lacks_its_key_takes_no_call() -> None:
    with pytest.raises(offhook.NotReady, match="my-agent: set MY_KEY"):
        ran(platform=Keyless(), tasks="B-E1", out="never")


@pytest.mark.parametrize(
    ("asked", "kind", "said"),
    [
        ({"platform": "refrence"}, UnknownName, "nearest: reference"),
        ({"tasks": ["B-E9"]}, UnknownName, "unknown task 'B-E9'"),
        ({"options": {"colour": "red"}}, UnknownName, "unknown option of reference 'colour'"),
        ({"line": "fax"}, ValueError, "line must be 'audio' or 'text'"),
        ({"runs": 0}, ValueError, "at least 1"),
    ],
)
def test_wrong_arguments_raise_before_anything_is_written(
    asked: dict[str, Any], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        ran(**{"tasks": "B-E1", "out": "never", **asked})
    assert not Path("never").exists()


# --- beside a running loop ------------------------------------------------------------------------


class Meeting:
    """Lets no call finish before the loop has told its start and the other run is as far."""

    def __init__(self, both: threading.Barrier, told: threading.Event) -> None:
        self._both = both
        self._told = told

    @hookimpl
    def offhook_call_finished(self, record: CallRecord, folder: Path) -> None:
        assert self._told.wait(30)
        self._both.wait(30)


def test_two_runs_go_on_at_once_while_the_loop_stays_free(tmp_path: Path) -> None:
    both = threading.Barrier(2)
    hosts = []

    async def start(platform: str, task: str) -> offhook.RunResult:
        told = threading.Event()
        hosts.append(world_host(Meeting(both, told)))
        return await offhook.run(
            platform=platform,
            tasks=task,
            line="text",
            out=tmp_path / platform,
            host=hosts[-1],
            on_started=lambda planned: told.set(),
        )

    async def main() -> list[offhook.RunResult]:
        return await asyncio.gather(start("reference", "B-H1"), start("saboteur-claims-done", "B-H1"))

    good, bad = asyncio.run(main())
    assert [call.state for call in (*good.calls, *bad.calls)] == ["passed", "failed"], good.why
    assert [host.problems for host in hosts] == [(), ()]  # a hook that waited in vain would be one


def test_callbacks_come_on_the_callers_loop_in_order(tmp_path: Path) -> None:
    here = threading.get_ident()
    told: list[tuple[str, str, int]] = []

    def started(planned: PlannedCall) -> None:
        told.append(("started", planned.key.task, threading.get_ident()))

    def done(done: Done) -> None:
        told.append(("done", done.planned.key.task, threading.get_ident()))

    ran(tasks="bicycle-repair", out=tmp_path / "run", on_started=started, on_done=done)
    assert [(what, task) for what, task, _ in told] == [
        ("started", told[0][1]),
        ("done", told[0][1]),
        ("started", told[2][1]),
        ("done", told[2][1]),
    ]
    assert {thread for _, _, thread in told} == {here}


def test_a_callback_that_raises_stops_the_run_and_is_told(tmp_path: Path) -> None:
    def done(done: Done) -> None:
        raise LookupError("my dashboard is away")

    with pytest.raises(LookupError, match="my dashboard is away"):
        ran(tasks="bicycle-repair", out=tmp_path / "run", on_done=done)
    assert len(RunFolder.open(tmp_path / "run").call_ids()) >= 1


# --- cancelled and resumed ------------------------------------------------------------------------


def _cancelled_after_first_start(out: Path, host: offhook.PluginHost) -> None:
    async def main() -> None:
        begun = asyncio.Event()
        running = asyncio.create_task(
            offhook.run(
                tasks="bicycle-repair",
                runs=10,
                line="text",
                out=out,
                host=host,
                on_started=lambda planned: begun.set(),
            )
        )
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(main())


def test_cancelling_keeps_finished_calls_and_resume_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    _cancelled_after_first_start(out, world_host())
    kept = RunFolder.open(out).call_ids()
    assert 1 <= len(kept) < 20
    assert not [entry for entry in (out / "calls").iterdir() if entry.name.startswith(".")]
    before = {call_id: (out / "calls" / call_id / "record.json").read_bytes() for call_id in kept}
    placed: list[Done] = []
    result = ran(resume=out, on_done=placed.append)
    assert result.passed
    assert len(placed) == 20 - len(kept)
    assert {call_id: (out / "calls" / call_id / "record.json").read_bytes() for call_id in kept} == before


def test_a_timeout_is_a_timeout_and_leaves_a_run_to_resume(tmp_path: Path) -> None:
    async def main() -> None:
        async with asyncio.timeout(0.05):
            await offhook.run(
                tasks="bicycle-repair", runs=60, line="text", out=tmp_path / "run", host=world_host()
            )

    with pytest.raises(TimeoutError):
        asyncio.run(main())
    assert len(RunFolder.open(tmp_path / "run").call_ids()) < 120


class Holding:
    """Keeps the call in flight until it is let go."""

    def __init__(self) -> None:
        self.release = threading.Event()

    @hookimpl
    def offhook_call_finished(self, record: CallRecord, folder: Path) -> None:
        assert self.release.wait(20)


def test_cancelling_twice_waits_no_longer(tmp_path: Path) -> None:
    holding = Holding()

    async def main() -> None:
        begun = asyncio.Event()
        running = asyncio.create_task(
            offhook.run(
                tasks="bicycle-repair",
                line="text",
                out=tmp_path / "run",
                host=world_host(holding),
                on_started=lambda planned: begun.set(),
            )
        )
        await begun.wait()
        running.cancel()
        await asyncio.sleep(0)
        assert not running.done()  # it waits for the call in flight
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert not holding.release.is_set()

    asyncio.run(main())
    left = [thread for thread in threading.enumerate() if thread.name == "offhook-run"]
    holding.release.set()
    for thread in left:
        thread.join()
    assert len(RunFolder.open(tmp_path / "run").call_ids()) == 1


def test_ctrl_c_under_asyncio_run_keeps_finished_calls(tmp_path: Path) -> None:
    out = tmp_path / "run"
    program = f"""
import asyncio, signal, offhook
from tests.core._integrators import world_host

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored

def started(planned):
    print("started", flush=True)

asyncio.run(offhook.run(
    tasks="bicycle-repair", runs=2000, line="text", out={str(out)!r}, host=world_host(), on_started=started
))
"""
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root
    ) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(3)] == ["started\n"] * 3
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert errors.rstrip().endswith("KeyboardInterrupt")
    folder = RunFolder.open(out)
    kept = folder.call_ids()
    assert 2 <= len(kept) < 4000
    assert not [entry for entry in (out / "calls").iterdir() if entry.name.startswith(".")]
    assert {len(folder.grades(call_id)) for call_id in kept} == {len(world_host().graders())}
    folder.lock().release()


def test_resume_takes_the_plan_again_but_no_other(tmp_path: Path) -> None:
    out = tmp_path / "run"
    host = world_host()
    asked: dict[str, Any] = {"platform": OwnAdapter(), "tasks": "B-E1", "seed": 7, "host": host}
    ran(**asked, out=out)
    assert ran(**asked, resume=out).passed
    with pytest.raises(ValueError, match=r"as it was planned; leave out runs and seed"):
        ran(**{**asked, "seed": 8, "runs": 3}, resume=out)
    with pytest.raises(StorageError, match="already holds a run"):
        ran(**asked, out=out)


# --- lifecycle hooks ------------------------------------------------------------------------------


class Watcher:
    """Keeps what the lifecycle hooks tell."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    @hookimpl
    def offhook_call_started(self, key: CallKey) -> None:
        self.told.append(("call started", key))

    @hookimpl
    def offhook_call_finished(self, record: CallRecord, folder: Path) -> None:
        self.told.append(("call finished", record, folder, (folder / "record.json").is_file()))

    @hookimpl
    def offhook_run_finished(self, manifest: RunManifest, folder: Path) -> None:
        self.told.append(("run finished", manifest, folder, sorted(path.name for path in folder.iterdir())))


class Raising:
    @hookimpl
    def offhook_call_started(self, key: CallKey) -> None:
        raise RuntimeError("started is broken")

    @hookimpl
    def offhook_call_finished(self, record: CallRecord, folder: Path) -> None:
        raise RuntimeError("finished is broken")

    @hookimpl
    def offhook_run_finished(self, manifest: RunManifest, folder: Path) -> None:
        raise RuntimeError("run is broken")


def test_lifecycle_hooks_tell_an_integrator_all_though_another_one_raises(tmp_path: Path) -> None:
    first, last = Watcher(), Watcher()
    host = world_host(first, Raising(), last)
    result = ran(tasks="bicycle-repair", out=tmp_path / "run", host=host)
    assert result.passed
    assert first.told == last.told
    steps = [entry[0] for entry in first.told]
    assert steps == ["call started", "call finished"] * 2 + ["run finished"]
    by_task = {call.record.key.task: call for call in result.calls}
    for (_, key), (_, record, folder, whole) in zip(first.told[0:4:2], first.told[1:4:2], strict=True):
        assert record.key == key
        assert record == by_task[key.task].record
        assert folder == by_task[key.task].folder
        assert whole
    _, manifest, folder, files = first.told[-1]
    assert (manifest, folder) == (result.manifest, result.folder)
    assert {"calls", "grades", "run.json"} <= set(files)
    said = [problem.what.partition(" (")[0] for problem in host.problems]
    assert [said.count(line) for line in dict.fromkeys(said)] == [2, 2, 1]
    assert said[0] == "offhook_call_started raised RuntimeError: started is broken"
    assert said[-1] == "offhook_run_finished raised RuntimeError: run is broken"


# --- light to import ------------------------------------------------------------------------------


def test_importing_offhook_loads_nothing_else() -> None:
    code = (
        "import sys; before = set(sys.modules); import offhook; "
        "print(*sorted(name for name in set(sys.modules) - before if name.startswith('offhook'))); "
        "print(sorted(set(offhook.__all__) - set(dir(offhook))), 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["offhook", "[] False"]


def test_names_come_when_they_are_used() -> None:
    assert [name for name in offhook.__all__ if getattr(offhook, name) is None] == []
    assert Capabilities is not Deployment
    with pytest.raises(AttributeError, match="has no attribute 'walk'"):
        _ = offhook.walk  # type: ignore[attr-defined]


def test_more_calls_at_once_than_a_platform_takes(tmp_path: Path) -> None:
    class Live(OwnAdapter):
        @property
        def capabilities(self) -> Capabilities:
            return Capabilities(concurrency=2)

    with pytest.raises(TooManyAtOnce, match="my-agent takes 2 calls at once"):
        ran(platform=Live(), tasks="B-E1", at_once=3, out=tmp_path / "run")


# --- drills ---------------------------------------------------------------------------------------


def drilled(**asked: Any) -> offhook.DrillRunResult:
    return asyncio.run(offhook.drill(**asked))


def test_a_drill_run_says_what_it_came_to_and_is_gone_on_with(tmp_path: Path) -> None:
    host = stand_host(Stand(drills=[Repeat(name) for name in ("first", "second")]))
    told: list[DrillDone] = []
    result = drilled(platform="obedient", host=host, out=tmp_path / "run", on_done=told.append)
    assert [(each.planned.drill, each.state) for each in result.drills] == [
        ("first", "measured"),
        ("second", "measured"),
    ]
    assert result.mean == 100
    assert [done.planned.drill for done in told] == ["first", "second"]
    assert result.manifest.platform == "obedient"
    again = drilled(resume=tmp_path / "run", host=host)
    assert again.drills == result.drills
    with pytest.raises(ValueError, match="leave out platform and seed"):
        drilled(resume=tmp_path / "run", host=host, platform="mute", seed=2)
    with pytest.raises(ValueError, match="say who is drilled"):
        drilled(host=host)
    with pytest.raises(UnknownName, match="unknown drill 'third'"):
        drilled(host=host, platform="mute", drills="third", out=tmp_path / "never")


def test_drills_take_an_adapter_of_the_program_and_stop_when_cancelled(tmp_path: Path) -> None:
    recruit = ScriptedRecruit(answer=lambda order: order, name="my-recruit")
    host = stand_host(Stand(drills=[Repeat(name) for name in ("first", "second", "third")]))

    async def main() -> None:
        begun = asyncio.Event()
        running = asyncio.create_task(
            offhook.drill(
                platform=recruit, host=host, out=tmp_path / "run", on_started=lambda planned: begun.set()
            )
        )
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(main())
    assert 1 <= len(DrillFolder.open(tmp_path / "run").ids()) <= 3
    result = drilled(resume=tmp_path / "run", platform=recruit, host=host)
    assert [each.state for each in result.drills] == ["measured"] * 3
