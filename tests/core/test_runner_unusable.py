"""A platform that says no call will fare better, and what else a run tells before and beside its calls."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from offhook.cli import main
from offhook.cli._progress import RunProgress
from offhook.hooks import hookimpl
from offhook.platforms import PlatformUnusable
from offhook.records import CallKey
from offhook.runner import Done, PlannedCall, RunOptions, carry_out, new_run, resume_run
from offhook.storage import RunFolder
from offhook_graders.plugin import offhook_graders as first_party_graders
from tests.core._stand import MENDED, RealTimePlatform, installed, stand_host


def begin(tmp_path: Path, host: Any, platform: str, **more: Any) -> tuple[Any, list[PlannedCall]]:
    options = RunOptions(
        platform=platform, caller="terse", out=tmp_path / "run", images=tmp_path / "images", **more
    )
    return new_run(options, host), []


@pytest.mark.parametrize(
    ("platform", "why"),
    [("keyless", "the key is refused; set another"), ("unlicensed", "no licence; buy one")],
)
def test_it_stops_the_run_at_once_and_the_run_goes_on_once_mended(
    platform: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = stand_host()
    run, started = begin(tmp_path, host, platform, runs=10, at_once=2)
    stop = threading.Event()
    with pytest.raises(PlatformUnusable, match=f"^{why}$"):
        carry_out(run, stop=stop, on_started=started.append, on_done=lambda _: None)
    assert len(started) <= 2  # of 20
    assert list((tmp_path / "run" / "calls").iterdir()) == []

    monkeypatch.setenv(MENDED, "1")
    again = resume_run(tmp_path / "run", host, workers=1)
    assert len(again.todo) == 20
    stop = threading.Event()
    carry_out(again, stop=stop, on_started=lambda _: None, on_done=lambda _: stop.set())
    folder = RunFolder.open(tmp_path / "run")
    assert {folder.record(call_id).ending for call_id in folder.call_ids()} == {"completed"}


def test_in_virtual_time_too(tmp_path: Path) -> None:
    adapter = RealTimePlatform("still", connecting="no such model; choose another", virtual_time=True)
    run, started = begin(tmp_path, stand_host(adapters=(adapter,)), "still", runs=5)
    with pytest.raises(PlatformUnusable, match="no such model"):
        carry_out(run, stop=threading.Event(), on_started=started.append, on_done=lambda _: None)
    assert len(started) == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_command_says_so_in_one_line(
    workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(tmp_path / "site", monkeypatch)
    assert MENDED not in os.environ
    out = tmp_path / "run"
    with pytest.raises(SystemExit) as ended:
        main(
            [
                *("run", "--block", "offhook", "--platform", "keyless", "--caller", "terse"),
                *("--workers", workers, "--out", str(out)),
            ]
        )
    shown = capsys.readouterr()
    assert (ended.value.code, shown.out) == (3, "")
    assert shown.err.splitlines()[-1] == (
        "Error: keyless: the key is refused; set another; "
        f"once that is mended, go on with: offhook run --resume {out}"
    )
    assert "Traceback" not in shown.err


class Nowhere:
    """A grader whose grades no folder could hold."""

    name, version, kind = "../out", "1", first_party_graders()[0].kind

    def grade(self, call: Any) -> Any:
        raise AssertionError("it is left out")

    @hookimpl
    def offhook_graders(self) -> Sequence[Any]:
        return [self]


def test_graders_that_are_left_out_are_named_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from offhook.cli._carry import carry_out_and_show

    run, _ = begin(tmp_path, stand_host(Nowhere()), "brief", tasks=("B-E1",))
    # as on a terminal, where nothing but Python's last resort shows a log
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    carry_out_and_show(run, as_json=False)
    told = [line for line in capsys.readouterr().err.splitlines() if "'../out'" in line]
    assert len(told) == 1
    assert told[0].startswith("warning: grader '../out', version '1', is left out")


# --- progress -------------------------------------------------------------------------------------


def planned(task: str, run: int = 1) -> PlannedCall:
    return PlannedCall(CallKey("shop", task, "p", run), f"{task}-{run}", "voice")


def test_progress_tells_of_all_calls_under_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    with RunProgress(5, 0, terminal=False) as progress:
        monkeypatch.setattr(progress._face, "show", lambda text, done: shown.append(f"{done} {text}"))
        for task in ("A", "B", "C"):
            progress.started(planned(task))
        progress.finished(Done(planned("A"), "completed", True))
        progress.finished(Done(planned("C"), "completed", False, late="frames were late"))
        trouble = "agent_failed: KeyError: 'plans'"
        progress.finished(Done(planned("B"), "error", None, "it broke", trouble=trouble))
    assert shown == [
        "0 0 of 0 passing, now shop/A run 1",
        "0 0 of 0 passing, now shop/A run 1 and 1 more",
        "0 0 of 0 passing, now shop/A run 1 and 2 more",
        "1 1 of 1 passing, now shop/B run 1 and 1 more",
        "2 1 of 2 passing, now shop/B run 1",
        "3 1 of 3 passing",
    ]
    lines = capsys.readouterr().err.splitlines()
    assert [line.split("  [")[0] for line in lines] == [
        "pass   shop/A run 1",
        "fail   shop/C run 1  frames were late",
        "error  shop/B run 1  it broke  platform: agent_failed: KeyError: 'plans'",
    ]
