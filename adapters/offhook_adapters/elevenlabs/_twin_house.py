"""What the twin keeps, as the vendor does: tools, agents, signed URLs and conversations."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.sessions import AgentConfig, ToolSchema
from offhook_adapters.twins.desk import WireCall

__all__ = ["Agent", "Conversation", "House"]

# The published example of the standard price, and a guess at what a small language model adds.
_USD_PER_MINUTE: Final = 0.08
_LLM_USD_PER_TURN: Final = 0.0004
# A fixed date: nothing of the twin's may depend on the day it runs.
_EPOCH: Final = 1_790_000_000


@attrs.frozen
class Agent:
    """An agent as it was asked for."""

    agent_id: str
    number: int
    body: Mapping[str, Any]

    @property
    def prompt(self) -> Mapping[str, Any]:
        told: Mapping[str, Any] = self.body["conversation_config"]["agent"]["prompt"]
        return told

    def config(self, tools: Mapping[str, Mapping[str, Any]]) -> AgentConfig:
        """The agent that came over the wire."""
        held = [tools[each] for each in self.prompt.get("tool_ids", ()) if each in tools]
        schemas = tuple(ToolSchema(tool["name"], tool["description"], tool["parameters"]) for tool in held)
        talk = self.body["conversation_config"]["agent"]
        return AgentConfig("twin", self.prompt.get("prompt", ""), talk.get("first_message", ""), schemas, "")

    def summary(self) -> dict[str, Any]:
        """As a list shows it."""
        return {
            "agent_id": self.agent_id,
            "name": self.body.get("name", ""),
            "voice_id": self.body["conversation_config"]["tts"]["voice_id"],
            "tags": list(self.body.get("tags", ())),
            "created_at_unix_secs": _EPOCH + self.number,
            "updated_at_unix_secs": _EPOCH + self.number,
            "access_info": _access(),
            "archived": False,
        }

    def told(self) -> dict[str, Any]:
        """As it is shown by itself."""
        times = {"created_at_unix_secs": _EPOCH + self.number, "updated_at_unix_secs": _EPOCH + self.number}
        return {
            "agent_id": self.agent_id,
            "name": self.body.get("name", ""),
            "tags": list(self.body.get("tags", ())),
            "conversation_config": self.body["conversation_config"],
            "platform_settings": self.body.get("platform_settings", {}),
            "metadata": times,
        }


class Conversation:
    """What is kept of a conversation. It is ``processing`` for a moment after its end."""

    def __init__(self, conversation_id: str, agent_id: str) -> None:
        self.conversation_id = conversation_id
        self._agent_id = agent_id
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._seconds: float | None = None
        self._rows: list[dict[str, Any]] = []
        self._asked = 0

    def said(self, role: str, text: str) -> None:
        """A turn of ``user`` or ``agent``."""
        self._rows.append({"role": role, "message": text, "time_in_call_secs": self._now()})

    def called(self, call: WireCall) -> None:
        """A tool call."""
        told = {
            "type": "client",
            "request_id": call.id,
            "tool_name": call.name,
            "params_as_json": call.arguments_text,
            "tool_has_been_called": True,
        }
        self._rows.append({"role": "agent", "tool_calls": [told], "time_in_call_secs": self._now()})

    def answered(self, call_id: str, name: str, result: str, failed: bool) -> None:
        """The client's result of a tool call."""
        told = {
            "type": "client",
            "request_id": call_id,
            "tool_name": name,
            "result_value": result,
            "is_error": failed,
            "tool_has_been_called": True,
        }
        self._rows.append({"role": "agent", "tool_results": [told], "time_in_call_secs": self._now()})

    def over(self) -> None:
        """The client has gone."""
        if self._seconds is None:
            self._seconds = self._loop.time() - self._began

    def told(self) -> dict[str, Any]:
        """As it is shown: finished from the second time on that it is asked for after its end."""
        self._asked += self._seconds is not None
        status = "in-progress" if self._seconds is None else "processing" if self._asked < 2 else "done"
        return {
            "agent_id": self._agent_id,
            "conversation_id": self.conversation_id,
            "status": status,
            "has_audio": False,
            "has_user_audio": False,
            "has_response_audio": False,
            "has_auxiliary_audio": False,
            "transcript": list(self._rows) if status == "done" else [],
            "metadata": self._metadata(done=status == "done"),
        }

    def _metadata(self, *, done: bool) -> dict[str, Any]:
        seconds = self._seconds or 0.0
        told: dict[str, Any] = {"start_time_unix_secs": _EPOCH, "call_duration_secs": round(seconds)}
        if done:
            turns = sum(row["role"] == "agent" and "message" in row for row in self._rows)
            llm, platform = turns * _LLM_USD_PER_TURN, seconds / 60 * _USD_PER_MINUTE
            told |= {
                "cost": round((llm + platform) * 1000),
                "cost_fiat": round(llm + platform, 6),
                "charging": {"llm_price": round(llm, 6), "platform_price": round(platform, 6)},
                "termination_reason": "Client disconnected",
            }
        return told

    def _now(self) -> int:
        return int(self._loop.time() - self._began)


class House:
    """The account of one twin."""

    def __init__(self) -> None:
        self.tools: dict[str, Mapping[str, Any]] = {}
        self.agents: dict[str, Agent] = {}
        self.conversations: dict[str, Conversation] = {}
        self._signatures: dict[str, str] = {}
        self._count = 0

    def add_tool(self, config: Mapping[str, Any]) -> str:
        tool_id = self._next("tool")
        self.tools[tool_id] = config
        return tool_id

    def tool(self, tool_id: str) -> dict[str, Any]:
        """A tool as it is shown. Raises KeyError where there is none."""
        usage = {"total_calls": 0, "avg_latency_secs": 0.0}
        config = self.tools[tool_id]
        return {"id": tool_id, "tool_config": config, "access_info": _access(), "usage_stats": usage}

    def add_agent(self, body: Mapping[str, Any]) -> Agent:
        agent_id = self._next("agent")
        kept = json.loads(json.dumps(body))
        self.agents[agent_id] = agent = Agent(agent_id, self._count, kept)
        return agent

    def sign(self, agent_id: str, secret: str) -> None:
        """Lets one conversation with the agent be opened with the secret."""
        self._signatures[secret] = agent_id

    def admitted(self, agent_id: str, secret: str) -> bool:
        """Whether a secret opens a conversation; it does so once."""
        return self._signatures.pop(secret, None) == agent_id

    def converse(self, agent_id: str) -> Conversation:
        conversation_id = self._next("conv")
        self.conversations[conversation_id] = conversation = Conversation(conversation_id, agent_id)
        return conversation

    def _next(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{self._count:04d}"


def _access() -> dict[str, Any]:
    return {
        "is_creator": True,
        "creator_name": "Twin",
        "creator_email": "twin@example.com",
        "role": "admin",
        "anonymous_access_level_override": None,
    }
