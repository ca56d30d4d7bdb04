"""An agent's process that writes without end, is told too much, or loses the run that started it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import attrs
import pytest

from offhook.clock import run_real
from offhook.platforms import PlatformUnusable
from offhook_adapters._frameworks.child import AgentChild
from offhook_adapters.livekit.process import LiveKitProcessAdapter

from ._calls import AGENT, call_setup

HOLDER = """
import asyncio, sys
from pathlib import Path
from offhook_adapters._frameworks.child import AgentChild

async def hold():
    child = await AgentChild.start(sys.argv[1:], Path(sys.argv[2]).parent, {})
    await child.wait()

asyncio.run(hold())
"""


def interpreter(folder: Path, code: str) -> str:
    """What stands for an interpreter: whatever it is to start, it runs ``code``."""
    (folder / "code.py").write_text(code)
    script = folder / "interpreter"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} {folder / 'code.py'}\n")
    script.chmod(0o755)
    return str(script)


def test_lines_without_end_do_not_stop_a_process(tmp_path: Path) -> None:
    python = interpreter(tmp_path, "print('x' * 300_000)\nprint('y' * 300_000)\nraise SystemExit('it broke')")

    async def run() -> tuple[int, str]:
        child = await AgentChild.start([python], tmp_path, {})
        try:
            return await asyncio.wait_for(child.wait(), 30), child.last_words
        finally:
            await child.stop()

    assert run_real(run()) == (1, "it broke")


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who is still there")
def test_the_process_ends_with_a_run_that_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    code = (
        f"import os, pathlib, time\npathlib.Path({str(told)!r}).write_text(str(os.getpid()))\ntime.sleep(600)"
    )
    python = interpreter(tmp_path, code)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, python, str(tmp_path / "agent.py")])
    pid = 0
    try:
        deadline = time.monotonic() + 60
        while not pid and time.monotonic() < deadline:
            pid = int(told.read_text() or 0) if told.exists() else 0
            time.sleep(0.02)
        assert is_there(pid)
        holder.kill()
        holder.wait()
        while is_there(pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not is_there(pid)
    finally:
        holder.kill()
        if pid and is_there(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("prompt", ["long" * 40_000, "an end\0within", "half a pair \ud800"])
def test_a_prompt_that_no_environment_holds_is_said_to_be_the_cause(prompt: str, tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.touch()

    async def connect() -> None:
        adapter = LiveKitProcessAdapter()
        deployment = await adapter.deploy(attrs.evolve(AGENT, prompt=prompt))
        await adapter.connect(deployment, call_setup(options={"agent": str(agent)}))

    with pytest.raises(PlatformUnusable, match="prompt and greeting do not fit into a process's environment"):
        run_real(connect())
