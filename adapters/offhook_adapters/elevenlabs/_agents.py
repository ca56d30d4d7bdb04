"""Hosted agents: made once, found again by name, and taken down with their tools.

Each of the two is one run of ``Rest.ask``, which goes on in its thread even where the caller is cancelled;
what it makes then is taken down again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

import attrs

from offhook.sessions import AgentConfig
from offhook_adapters.elevenlabs._rest import NO_RETRIES, Rest
from offhook_adapters.elevenlabs.config import agent_body, agent_name, tool_body

__all__ = ["Hosted", "make_agent", "remove_agents"]

T = TypeVar("T")

_MOST_PAGES: Final = 20
_NOT_FOUND: Final = 404


@attrs.frozen
class Hosted:
    """An agent at the vendor. ``used_sha256`` hashes prompt, greeting and tools as the vendor tells them;
    ``is_new`` where it was not there before.
    """

    agent_id: str
    used_sha256: str
    is_new: bool = False


async def make_agent(rest: Rest, agent: AgentConfig) -> Hosted:
    """The agent, set up unless it is there. Of several that were made at once the oldest stays.

    Raises:
        VendorError: see ``Rest.ask``.
    """
    name, body = agent_name(agent), agent_body(agent)

    def make(api: Any) -> Hosted:
        found = _named(api, name)
        if not found:
            made = _create(api, agent, {**body, "name": name})
            with _undone(lambda: _remove(api, made)):
                found = _named(api, name) or (made,)  # a list may lag behind
                hosted = Hosted(found[0], _used(api, found[0]), found[0] == made)
            if found[0] != made:
                _remove(api, made)
            return hosted
        return Hosted(found[0], _used(api, found[0]))

    def unmake(api: Any, hosted: Hosted) -> None:
        if hosted.is_new:
            _remove(api, hosted.agent_id)

    return await rest.ask(make, unmake)


async def remove_agents(rest: Rest, agent: AgentConfig) -> None:
    """Takes down every agent of that configuration, and its tools. Nothing happens where there is none.

    Raises:
        VendorError: see ``Rest.ask``.
    """
    name = agent_name(agent)

    def remove(api: Any) -> None:
        for agent_id in _named(api, name):
            _remove(api, agent_id)

    await rest.ask(remove)


def _named(api: Any, name: str) -> tuple[str, ...]:
    """Ids of the agents of that very name, oldest first."""
    agents: list[Any] = []
    cursor = None
    for _ in range(_MOST_PAGES):
        page = api.agents.list(search=name, page_size=100, cursor=cursor, request_options=NO_RETRIES)
        agents += page.agents
        cursor = page.next_cursor
        if not page.has_more or cursor is None:
            break
    same = sorted((each.created_at_unix_secs, each.agent_id) for each in agents if each.name == name)
    return tuple(agent_id for _, agent_id in same)


def _create(api: Any, agent: AgentConfig, body: dict[str, Any]) -> str:
    tools: list[str] = []
    with _undone(lambda: _remove_tools(api, tools)):
        for tool in agent.tools:
            made = api.tools.create(request=tool_body(tool), request_options=NO_RETRIES)
            tools.append(made.id)  # at once: it has to go where the rest fails
        body["conversation_config"]["agent"]["prompt"]["tool_ids"] = tools
        return str(api.agents.create(**body, request_options=NO_RETRIES).agent_id)


@contextmanager
def _undone(undo: Callable[[], None]) -> Iterator[None]:
    """Undoes what was made where the block fails, as far as that goes; why it failed is what is told."""
    try:
        yield
    except BaseException:
        with suppress(Exception):
            undo()
        raise


def _remove(api: Any, agent_id: str) -> None:
    held = _there(lambda: api.agents.get(agent_id, request_options=NO_RETRIES))
    _there(lambda: api.agents.delete(agent_id, request_options=NO_RETRIES))
    if held is not None:
        _remove_tools(api, _tool_ids(held))


def _remove_tools(api: Any, tools: Iterable[str]) -> None:
    for tool in tools:
        _there(lambda tool=tool: api.tools.delete(tool, request_options=NO_RETRIES))  # type: ignore[misc]


def _there(ask: Callable[[], T]) -> T | None:
    """The answer, or None where what was asked for is not there."""
    from elevenlabs.core.api_error import ApiError

    try:
        return ask()
    except ApiError as error:
        if error.status_code != _NOT_FOUND:
            raise
        return None


def _used(api: Any, agent_id: str) -> str:
    held = api.agents.get(agent_id, request_options=NO_RETRIES)
    tools = [api.tools.get(each, request_options=NO_RETRIES).tool_config for each in _tool_ids(held)]
    talk = held.conversation_config.agent
    used = {
        "prompt": talk.prompt.prompt,
        "greeting": talk.first_message,
        "tools": [tool.dict() for tool in tools],
    }
    text = json.dumps(used, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _tool_ids(held: Any) -> list[str]:
    talk = held.conversation_config.agent
    return list((talk.prompt.tool_ids if talk is not None and talk.prompt is not None else None) or ())
