"""A bot in a process of its own, started by Pipecat's runner."""

from __future__ import annotations

import asyncio
from pathlib import Path

import attrs
import pytest

from offhook.platforms import PlatformUnusable
from offhook.sessions import CallSetup, Clear, Ended, ToolEndpoint, ToolMode, UserTranscript
from offhook.testing import run_real
from offhook_adapters.pipecat.process import PipecatProcessAdapter
from offhook_adapters.pipecat.process_session import BotSession

from ._calls import AGENT, Live, hold, setup

BOT = Path(__file__).parent / "bot.py"
PLATFORM = PipecatProcessAdapter()
TOKEN = "token-0123456789abcdef"


def _setup(bot: Path | str) -> CallSetup:
    endpoint = ToolEndpoint("http://127.0.0.1:1/hook", "http://127.0.0.1:1/mcp", TOKEN)
    return attrs.evolve(setup(bot=str(bot)), tools=endpoint, engines=None, plan=None)


@pytest.mark.slow
def test_an_unmodified_bot_is_heard_and_hears_and_may_leave() -> None:
    async def talk(live: Live) -> None:
        await live.hears(AGENT.greeting)
        await live.say("The front wheel wobbles.")
        await live.hears("You said The front wheel wobbles.")
        await live.say("Thank you and goodbye.")
        await asyncio.sleep(20)

    held = run_real(asyncio.wait_for(hold(PLATFORM, talk, call=_setup(BOT)), 90))
    assert held.said == [
        AGENT.greeting,
        "You said The front wheel wobbles.",
        "You said Thank you and goodbye.",
    ]
    assert [heard.text for heard in held.of(UserTranscript)] == [
        "The front wheel wobbles.",
        "Thank you and goodbye.",
    ]
    assert held.ended.by == "agent"
    assert held.errors == []
    assert held.record.transcript[0] == f"agent: {AGENT.greeting}"


@pytest.mark.slow
def test_what_is_said_over_the_bot_clears_the_line() -> None:
    async def talk(live: Live) -> None:
        await live.speaks()
        await asyncio.sleep(0.3)
        await live.say("Wait, one moment, please.")
        await live.hears("You said")

    agent = attrs.evolve(AGENT, greeting="This is a greeting that goes on for quite a while, by design.")
    held = run_real(asyncio.wait_for(hold(PLATFORM, talk, call=_setup(BOT), agent=agent), 90))
    assert len(held.of(Clear)) >= 1
    assert held.ended == Ended("caller")


def test_a_bot_that_does_not_start_says_why_without_its_token(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(
        "import json, sys\n"
        "body = json.load(open(sys.argv[-1]))\n"
        "sys.exit('no model for ' + body['tools']['token'])\n"
    )

    adapter = PipecatProcessAdapter()

    async def connect(bot: Path) -> BotSession:
        return await adapter.connect(await adapter.deploy(AGENT), _setup(bot))

    async def later() -> None:
        await (await connect(BOT)).hang_up()
        await connect(broken)

    with pytest.raises(PlatformUnusable, match=r"exit code 1: no model for \.\.\.$"):
        run_real(connect(broken))
    with pytest.raises(RuntimeError, match=r"exit code 1: no model for \.\.\.$"):
        run_real(later())


def test_a_bot_that_breaks_down_says_with_what(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(
        "async def bot(runner_args):\n"
        "    raise RuntimeError('no model for ' + runner_args.body['tools']['token'])\n"
        "if __name__ == '__main__':\n"
        "    from pipecat.runner.run import main\n"
        "    main()\n"
    )

    async def talk(live: Live) -> None:
        await asyncio.sleep(20)

    held = run_real(asyncio.wait_for(hold(PLATFORM, talk, call=_setup(broken)), 90))
    (error,) = held.errors
    assert error.message == "the bot's connection broke: RuntimeError: no model for ..."
    assert held.ended == Ended("platform", error.message)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who is still there")
def test_a_bot_that_hears_nothing_any_more_is_hung_up_on(tmp_path: Path) -> None:
    """Its loop stands still, so that it neither closes the connection nor ends when it is told to."""
    told = tmp_path / "pid"
    deaf = tmp_path / "deaf.py"
    deaf.write_text(
        "import os, pathlib, signal, time\n"
        "async def bot(runner_args):\n"
        "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"    pathlib.Path({str(told)!r}).write_text(str(os.getpid()))\n"
        "    time.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    from pipecat.runner.run import main\n"
        "    main()\n"
    )

    async def run() -> int:
        session = await PLATFORM.connect(await PLATFORM.deploy(AGENT), _setup(deaf))
        async with asyncio.timeout(60):
            while not told.exists() or not told.read_text():  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await asyncio.wait_for(session.hang_up(), 9)  # a run waits ten seconds
        return int(told.read_text())

    pid = run_real(run())
    assert not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "--option bot="),
        ({"bot": "nowhere/bot.py"}, "no file nowhere/bot.py"),
        ({"bots": "bot.py"}, "no option 'bots'"),
    ],
)
def test_what_no_call_can_be_held_with_is_said_in_one_line(options: dict[str, str], told: str) -> None:
    async def connect() -> None:
        await PLATFORM.connect(await PLATFORM.deploy(AGENT), attrs.evolve(setup(), options=options))

    with pytest.raises(PlatformUnusable, match=told):
        run_real(connect())
    assert PLATFORM.check() is None
    assert PLATFORM.capabilities.tool_mode is ToolMode.MCP
