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
from offhook_adapters._frameworks.child import AgentChild, Starts
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


DEAF = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
LEAVES_A_DEAF_ONE = """
import pathlib, subprocess, sys, time
deaf = [sys.executable, "-c", {deaf!r} + "print('here', flush=True)\\ntime.sleep(600)"]
left = subprocess.Popen(deaf, stdout=subprocess.PIPE)
left.stdout.readline()
pathlib.Path({told!r}).write_text(str(left.pid))
print("ready", flush=True)
{then}
"""


async def said(child: AgentChild, word: str) -> None:
    """Waits until that is the last thing the process wrote."""
    async with asyncio.timeout(60):
        while child.last_words != word:  # noqa: ASYNC110 - it has no other way to tell
            await asyncio.sleep(0.02)


async def gone(pid: int) -> bool:
    """Whether a process goes within ten seconds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + 10
    while is_there(pid) and loop.time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    return not is_there(pid)


def test_a_process_that_will_not_be_told_to_stop_is_stopped(tmp_path: Path) -> None:
    python = interpreter(tmp_path, DEAF + "print('ready', flush=True)\ntime.sleep(600)")

    async def run() -> int | None:
        child = await AgentChild.start([python], tmp_path, {})
        await said(child, "ready")
        await asyncio.wait_for(child.stop(), 20)
        return child.returncode

    assert run_real(run()) == -signal.SIGKILL


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who is still there")
@pytest.mark.parametrize(
    "then", ["time.sleep(600)", "raise SystemExit(0)"], ids=["when it is stopped", "when it ends by itself"]
)
def test_what_a_process_started_ends_with_it(then: str, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    python = interpreter(tmp_path, LEAVES_A_DEAF_ONE.format(deaf=DEAF, told=str(told), then=then))

    async def run() -> bool:
        child = await AgentChild.start([python], tmp_path, {})
        await said(child, "ready")
        pid = int(told.read_text())
        if "sleep" in then:
            assert is_there(pid)
            await child.stop()
        else:
            await child.wait()
        try:
            return await gone(pid)
        finally:
            await child.stop()
            if is_there(pid):
                os.kill(pid, signal.SIGKILL)

    assert run_real(run())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who is still there")
def test_what_a_process_started_ends_with_a_run_that_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    code = LEAVES_A_DEAF_ONE.format(deaf=DEAF, told=str(told), then="time.sleep(600)")
    python = interpreter(tmp_path, code)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, python, str(tmp_path / "agent.py")])

    async def run() -> bool:
        async with asyncio.timeout(60):
            while not told.exists() or not told.read_text():  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        pid = int(told.read_text())
        assert is_there(pid)
        holder.kill()
        holder.wait()
        try:
            return await gone(pid)
        finally:
            if is_there(pid):
                os.kill(pid, signal.SIGKILL)

    try:
        assert run_real(run())
    finally:
        holder.kill()
        holder.wait()


def test_a_running_process_is_told_by_its_last_exception_and_without_secrets(tmp_path: Path) -> None:
    lines = [
        "Traceback (most recent call last):",
        "vendor.errors.KeyError: nobody knows sk-0123456789",
        "\x1b[36mDEBUG\x1b[0m going on with sk-0123456789",
    ]
    python = interpreter(
        tmp_path, f"import time\nprint({chr(10).join(lines)!r}, flush=True)\ntime.sleep(600)"
    )

    async def run() -> tuple[str, str]:
        child = await AgentChild.start([python], tmp_path, {"VENDOR_API_KEY": "sk-0123456789"})
        try:
            await said(child, "DEBUG going on with ...")
            return child.last_words, await child.trouble()
        finally:
            await child.stop()

    assert run_real(run()) == ("DEBUG going on with ...", "vendor.errors.KeyError: nobody knows ...")


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


def test_only_where_no_process_ever_came_up_no_other_call_fares_better() -> None:
    starts = Starts()
    with pytest.raises(PlatformUnusable, match="no model"), starts.waited_for():
        raise PlatformUnusable("no model")
    with starts.waited_for():
        pass
    with pytest.raises(RuntimeError, match="no model"), starts.waited_for():
        raise PlatformUnusable("no model")
