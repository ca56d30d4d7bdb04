"""How a call with an agent's process ends when the process closes the connection, or never makes one."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from offhook._program import check_ready
from offhook.cli import main
from offhook.clock import run_real
from offhook.host import PluginHost
from offhook.platforms import PlatformUnusable
from offhook.sessions import Ended, SessionError, SessionEvent
from offhook_adapters.livekit.process import LiveKitProcessAdapter

from ._calls import AGENT, call_setup

CONNECTED = """
import socket, sys, time
host, _, port = sys.argv[-1].partition(":")
line = socket.create_connection((host, int(port)))
"""


def platform(folder: Path, code: str) -> tuple[dict[str, str], Path]:
    """Options with which ``code`` is run in place of LiveKit, and its file."""
    file = folder / "agent.py"
    file.write_text(code)
    python = folder / "interpreter"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} {file} "$@"\n')
    python.chmod(0o755)
    return {"agent": str(file), "python": str(python)}, file


def held(folder: Path, code: str, patience: float = 40.0) -> list[SessionEvent]:
    options, _ = platform(folder, code)

    async def run() -> list[SessionEvent]:
        adapter = LiveKitProcessAdapter(patience=patience)
        session = await adapter.connect(await adapter.deploy(AGENT), call_setup(options=options))
        events = [event async for event in session.events()]
        await session.hang_up()
        return events

    return run_real(asyncio.wait_for(run(), 60))


def test_a_process_that_breaks_down_says_with_what(tmp_path: Path) -> None:
    events = held(tmp_path, CONNECTED + "raise RuntimeError('no more')\n")
    told = "the agent's process ended with code 1: RuntimeError: no more"
    assert events[-2:] == [SessionError("process_ended", told, fatal=True), Ended("platform", told)]


def test_a_process_that_closes_the_line_and_lives_on_has_left(tmp_path: Path) -> None:
    events = held(tmp_path, CONNECTED + "line.close()\ntime.sleep(600)\n")
    assert events[-1] == Ended("agent", "the agent's process hung up")
    assert not [event for event in events if isinstance(event, SessionError)]


def test_a_process_that_never_connects_is_told_by_its_last_exception(tmp_path: Path) -> None:
    code = "import time\nprint('KeyError: nothing\\nDEBUG waiting', flush=True)\ntime.sleep(600)\n"
    with pytest.raises(PlatformUnusable, match=r"agent\.py did not connect within 2 s: KeyError: nothing$"):
        held(tmp_path, code, patience=2.0)


def test_without_its_file_no_run_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    with pytest.raises(SystemExit) as ended:
        main(["run", "T4-E1", "--platform", "livekit-process", "--out", str(out)])
    assert ended.value.code == 3
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == "Error: livekit-process needs --option agent=...: The file of your agent (required)."
    assert not out.exists()
    check_ready(PluginHost.discover(), "livekit-process", options={"agent": "of a run that goes on"})
