"""A whole task with an agent in a process of its own, whose tools are reached over MCP by its framework's own
client.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

import offhook
from offhook.api import CallOutcome
from offhook.host import PluginHost
from offhook.records import ToolLogEntry
from offhook.sessions import AgentConfig
from offhook.storage import RunFolder
from offhook.toolserver import agent_config
from tests.adapters._openai_house import House, house_for

__all__ = ["Taken", "block_of", "check_membership_prices", "take"]

PAGES = Path(__file__).parents[2] / "sdk_docs" / "adapters"


@attrs.frozen(eq=False)
class Taken:
    """One call's outcome, what came to its tool server, what came over MCP, and the house that stood behind
    the agent. ``agent`` is what was to be deployed.
    """

    outcome: CallOutcome
    log: Sequence[ToolLogEntry]
    requests: Sequence[Mapping[str, Any]]
    house: House
    agent: AgentConfig

    @property
    def called(self) -> list[tuple[str, object, int]]:
        """Tool, arguments and status of every request that reached the tool server, in order."""
        return [(entry.tool, entry.arguments, entry.status) for entry in self.log]


def check_membership_prices(taken: Taken) -> None:
    """The task that asks two prices passed by what two calls over MCP told."""
    # an agent may still say goodbye by itself before the caller hangs up
    assert [one for one in taken.called if one[0] != "end_call"] == [
        ("get_fee", {"fee": "plus_membership"}, 200),
        ("get_fee", {"fee": "total_membership"}, 200),
    ]
    assert {told["kind"] for told in taken.requests} == {"mcp"}
    ids = [call["id"] for told in taken.requests for call in told["calls"]]
    assert ids == [entry.source_id for entry in taken.log]
    assert len(set(ids)) == len(ids)
    assert taken.outcome.state == "passed", taken.outcome.why
    assert {"tool-adherence", "state-adherence"} <= {grade.grader for grade in taken.outcome.grades}
    assert taken.outcome.record.session_errors == ()
    arrived = taken.house.mind.arrived
    assert arrived is not None
    assert arrived.prompt == taken.agent.prompt
    assert {tool.name for tool in arrived.tools} == {tool.name for tool in taken.agent.tools}
    assert taken.house.mind.failures == ()


def take(platform: str, options: Mapping[str, str], task: str, out: Path, patch: pytest.MonkeyPatch) -> Taken:
    """Holds the call in real time. The agent finds its models where OpenAI's SDK looks for them."""
    host = PluginHost.discover()
    pack = host.packs()["customer-support"]
    house = house_for(host, pack, pack.task(task))

    async def run() -> offhook.RunResult:
        async with house.serve() as url:
            patch.setenv("OPENAI_BASE_URL", url)
            patch.setenv("OPENAI_API_KEY", "sk-of-the-house")
            return await offhook.run(
                platform=platform, tasks=f"customer-support/{task}", options=options, out=out, host=host
            )

    result = asyncio.run(run())
    (outcome,) = result.calls
    log = RunFolder.open(result.folder).tools(outcome.record.call_id)
    lines = (outcome.folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    return Taken(outcome, log, [json.loads(line) for line in lines], house, agent_config(pack))


def block_of(page: str, title: str) -> str:
    """The page's block of that title."""
    text = (PAGES / page).read_text(encoding="utf-8")
    _, _, rest = text.partition(f'```python title="{title}"\n')
    return rest.partition("\n```\n")[0] + "\n"
