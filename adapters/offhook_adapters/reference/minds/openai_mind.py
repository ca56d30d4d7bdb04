"""A language model as the mind: any endpoint that speaks OpenAI's Chat Completions with tools.

Environment: ``OPENAI_API_KEY``, ``OFFHOOK_AGENT_BASE_URL`` (default: OpenAI's own) and
``OFFHOOK_AGENT_MODEL``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Final

import attrs
import httpx

from offhook.sessions import AgentConfig, CallSetup, ToolSchema
from offhook.storage import clean_text
from offhook_adapters.reference.minds.desk import Desk, Mind, MindError

__all__ = ["Endpoint", "OpenAIMind", "endpoint_from", "missing_settings", "openai_mind"]

_DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
_TIMEOUT_SECONDS: Final = 60.0
_TOOL_ROUNDS: Final = 12
_SILENCES: Final = 2
# The session tools every agent has: after these it is done talking.
_LAST_TOOLS: Final = ("end_call", "transfer_to_human")
_SILENCE_NOTE: Final = "(The caller has said nothing for a while.)"


@attrs.frozen
class Endpoint:
    """Where the model is. ``transport`` replaces the network, for models served in process."""

    base_url: str
    model: str
    key: str = attrs.field(repr=False)
    transport: httpx.AsyncBaseTransport | None = attrs.field(default=None, repr=False)


def endpoint_from(
    environment: Mapping[str, str], transport: httpx.AsyncBaseTransport | None = None
) -> Endpoint:
    """The endpoint the environment names.

    Raises:
        MindError: key or model is missing, the key can't be one, or the URL holds a password.
    """
    key, model = environment.get("OPENAI_API_KEY", "").strip(), environment.get("OFFHOOK_AGENT_MODEL", "")
    if not key:
        raise MindError(
            "OPENAI_API_KEY is not set: set it to the endpoint's key (any text for one without keys)"
        )
    if not (key.isascii() and key.isprintable()) or " " in key:  # no header could carry it
        raise MindError(
            "OPENAI_API_KEY holds a blank or another character that no key has: copy it once more"
        )
    if not model:
        raise MindError("OFFHOOK_AGENT_MODEL is not set: set it to the name of the model to use")
    base_url = environment.get("OFFHOOK_AGENT_BASE_URL") or _DEFAULT_BASE_URL
    if "@" in base_url:  # it would be shown in errors, and so end up in records
        raise MindError(
            "OFFHOOK_AGENT_BASE_URL holds a user or password: put the key in OPENAI_API_KEY instead"
        )
    return Endpoint(base_url.rstrip("/"), model, key, transport)


def missing_settings() -> str | None:
    """What the environment lacks, in one line, or None."""
    try:
        endpoint_from(os.environ)
    except MindError as error:
        return str(error)
    return None


def openai_mind(agent: AgentConfig, call: CallSetup) -> Mind:
    """The mind of one call, configured from the environment.

    Raises:
        MindError: key or model is missing.
    """
    return OpenAIMind(agent, endpoint_from(os.environ))


@attrs.frozen
class OpenAIMind:
    """A mind that is one growing chat at temperature 0: the agent's prompt and tools, the caller's turns as
    heard.
    """

    agent: AgentConfig
    endpoint: Endpoint

    async def converse(self, desk: Desk) -> None:
        async with httpx.AsyncClient(transport=self.endpoint.transport, timeout=_TIMEOUT_SECONDS) as client:
            await _Chat(self, desk, client).run()


class _Chat:
    """One conversation with the model."""

    def __init__(self, mind: OpenAIMind, desk: Desk, client: httpx.AsyncClient) -> None:
        self._endpoint = mind.endpoint
        self._desk = desk
        self._client = client
        self._greeting = mind.agent.greeting
        self._tools = [_as_function(tool) for tool in mind.agent.tools]
        self._messages: list[dict[str, Any]] = [{"role": "system", "content": mind.agent.prompt}]
        if self._greeting.strip():
            self._messages.append({"role": "assistant", "content": self._greeting})

    async def run(self) -> None:
        await self._desk.say(self._greeting)
        unaddressed = not self._greeting.strip()
        silences = 0
        while silences < _SILENCES:
            heard = await self._desk.listen()
            if unaddressed and (heard is None or not heard.text):
                continue  # an agent without a greeting waits to be spoken to
            unaddressed = False
            silences = silences + 1 if heard is None else 0
            for missed in self._desk.overheard():
                self._hear(missed.text)
            self._hear(_SILENCE_NOTE if heard is None else heard.text)
            if await self._answer():
                return

    def _hear(self, text: str) -> None:
        self._messages.append({"role": "user", "content": text})

    async def _answer(self) -> bool:
        """Lets the model speak and use tools until it waits for the caller; True if it ended the call."""
        for _ in range(_TOOL_ROUNDS):
            message = await self._complete()
            calls = _calls(message.get("tool_calls"))
            content = _text(message.get("content"))
            self._messages.append(
                {"role": "assistant", "content": content} | ({"tool_calls": calls} if calls else {})
            )
            await self._desk.say(content)
            if not calls:
                return False
            if await self._use(calls):
                return True
        raise MindError(f"the model called tools {_TOOL_ROUNDS} times in a row without a word to the caller")

    async def _use(self, calls: list[dict[str, Any]]) -> bool:
        """Runs the tools asked for, in order; True if one of them ended the call."""
        over = False
        for call in calls:
            name = str(call["function"].get("name", ""))
            result = await self._desk.call(name, _arguments(call["function"].get("arguments")))
            over = over or (name in _LAST_TOOLS and 200 <= result.status < 300)
            content = json.dumps(dict(result.body), sort_keys=True)
            self._messages.append({"role": "tool", "tool_call_id": call.get("id", ""), "content": content})
        return over

    async def _complete(self) -> dict[str, Any]:
        """One completion's message.

        Raises:
            MindError: the endpoint can't be reached, refused, or answered in another shape.
        """
        body: dict[str, Any] = {"model": self._endpoint.model, "temperature": 0, "messages": self._messages}
        if self._tools:
            body["tools"] = self._tools
        url = f"{self._endpoint.base_url}/chat/completions"
        try:
            response = await self._client.post(
                url, json=body, headers={"Authorization": f"Bearer {self._endpoint.key}"}
            )
        except httpx.HTTPError as error:
            raise MindError(
                f"{url} can't be reached ({type(error).__name__}): check OFFHOOK_AGENT_BASE_URL"
            ) from error
        if response.status_code in (401, 403):
            raise MindError(f"{url} refused the key (HTTP {response.status_code}): check OPENAI_API_KEY")
        if response.status_code != 200:
            reason = " ".join(_without_key(response.text, self._endpoint.key).split())[:200]
            raise MindError(f"{url} answered HTTP {response.status_code}: {reason}")
        try:
            message = response.json()["choices"][0]["message"]
        except (ValueError, LookupError, TypeError) as error:
            raise MindError(
                f"{url} did not answer with a chat completion: check OFFHOOK_AGENT_BASE_URL"
            ) from error
        if not isinstance(message, dict):
            raise MindError(f"{url} did not answer with a chat completion: check OFFHOOK_AGENT_BASE_URL")
        cleaned: dict[str, Any] = _cleaned(message)
        return cleaned


def _as_function(tool: ToolSchema) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _arguments(raw: object) -> Mapping[str, Any] | str:
    """The arguments a model wrote as JSON text, or that its server has read already; the text itself where
    it is no JSON object.
    """
    if isinstance(raw, Mapping):
        return raw
    text = raw if isinstance(raw, str) else ""
    try:
        value = json.loads(text, parse_constant=_no_number) if text.strip() else {}
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else text


def _no_number(name: str) -> float:
    """Python reads NaN and Infinity where JSON has no such numbers."""
    raise ValueError(f"{name} is no JSON number")


def _calls(told: object) -> list[dict[str, Any]]:
    """The tool calls of a message; what is not shaped like one is left out."""
    listed = told if isinstance(told, list) else []
    return [call for call in listed if isinstance(call, dict) and isinstance(call.get("function"), dict)]


def _text(content: object) -> str:
    """What a message says. Some servers send a list of parts, of which the text ones are said."""
    if isinstance(content, list):
        texts = (part.get("text") if isinstance(part, dict) else part for part in content)
        content = " ".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _cleaned(value: Any) -> Any:
    """JSON that UTF-8 can hold: a model may write half a surrogate pair, which nobody could be sent."""
    match value:
        case str():
            return clean_text(value)
        case list():
            return [_cleaned(item) for item in value]
        case dict():
            return {clean_text(name): _cleaned(item) for name, item in value.items()}
        case _:
            return value


def _without_key(text: str, key: str) -> str:
    """Text from outside without the key, plain or as JSON would hold it."""
    return text.replace(key, "[key]").replace(json.dumps(key)[1:-1], "[key]")
