"""One connection to the twin: the client's messages in, the reference platform's call as server messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook.sessions import AgentConfig, ToolSchema
from offhook_adapters.deepgram._twin_checks import WireError, WireTypes, read_object
from offhook_adapters.deepgram.prices import Catalogue, catalogue
from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.reference.turns import TurnSettings
from offhook_adapters.twins.agent import TwinAgent
from offhook_adapters.twins.desk import NoSuchCall, ToolDesk, WireCall
from offhook_adapters.twins.pipe import PIECE_SECONDS, Pipe
from offhook_adapters.twins.platform import TwinPlatform
from offhook_adapters.twins.served import TwinLog

__all__ = ["TwinCall"]

_REQUEST: Final = "00000000-0000-4000-8000-000000000001"
_PIECE_SAMPLES: Final = round(LINE_RATE * PIECE_SECONDS)
_PCM: Final = {"encoding": "linear16", "sample_rate": LINE_RATE}


class TwinCall:
    """A call. ``pipe`` carries what is said to the client; ``log`` keeps what the client said; ``cancels``
    takes the first function call back.
    """

    def __init__(
        self, pipe: Pipe, agent: TwinAgent, types: WireTypes, log: TwinLog, *, cancels: bool
    ) -> None:
        self._pipe = pipe
        self._types = types
        self._log = log
        self._published = catalogue()
        self._calls: dict[str, str] = {}
        self._tools = ToolDesk(self._call_tools, cancel=self._cancel if cancels else None)
        self._platform = TwinPlatform(agent, self, self._tools)
        self._configured = False
        self._talking = False
        self._closed = False

    def begin(self) -> None:
        """Greets the client."""
        self._tell("Welcome", request_id=_REQUEST)

    def take(self, message: str | bytes) -> None:
        """One message of the client."""
        if self._closed:
            return
        try:
            if isinstance(message, bytes):
                self._after_settings()
                self._platform.hear(message)
                return
            told = read_object(message)
            self._log.received.append(told)
            self._types.check_client(told)
            self._handle(told)
        except WireError as error:
            self._fail(error)

    async def close(self) -> None:
        """The client is gone."""
        await self._platform.close()

    # --- the client's messages ------------------------------------------------------------------------------

    def _handle(self, message: Mapping[str, Any]) -> None:
        match message["type"]:
            case "Settings":
                self._configure(message)
            case "KeepAlive":
                pass
            case "FunctionCallResponse":
                self._after_settings()
                self._answered(message)
            case kind:
                self._after_settings()
                self._warn("TWIN_UNSUPPORTED", f"this twin takes no {kind}")

    def _after_settings(self) -> None:
        if not self._configured:
            raise WireError("NON_SETTINGS_MESSAGE_BEFORE_SETTINGS", "send Settings first")

    def _configure(self, settings: Mapping[str, Any]) -> None:
        if self._configured:
            raise WireError("SETTINGS_ALREADY_APPLIED", "the settings were applied before")
        agent = _agent_of(settings, self._published)
        most = self._published.most_prompt_characters
        if len(agent.prompt) > most:
            self._warn("PROMPT_TOO_LONG", f"the prompt was cut after {most} characters")
            agent = AgentConfig(agent.name, agent.prompt[:most], agent.greeting, agent.tools, "")
        self._configured = True
        self._log.arrived = agent
        self._tell("SettingsApplied")
        self._platform.open(TurnSettings())
        try:
            self._platform.wake(agent)
        except MindError as error:
            raise WireError("INTERNAL_SERVER_ERROR", str(error)) from None

    def _answered(self, message: Mapping[str, Any]) -> None:
        if self._calls.get(message.get("id") or "") not in (None, message["name"]):
            raise WireError("UNPARSABLE_CLIENT_MESSAGE", f"{message['id']} is no call of {message['name']}")
        try:
            self._tools.take(message.get("id") or "", message["content"])
        except NoSuchCall as error:
            self._warn("TWIN_UNKNOWN_CALL", str(error))

    # --- the platform behind --------------------------------------------------------------------------------

    def caller_started(self) -> None:
        self._talking = False  # what it was saying is given up, and no AgentAudioDone follows
        self._tell("UserStartedSpeaking")

    def caller_stopped(self) -> None:
        """The vendor tells of it by what it heard."""

    def caller_said(self, text: str) -> None:
        if text.strip():
            self._tell("ConversationText", role="user", content=text)

    def agent_says(self, text: str, samples: Samples) -> None:
        self._pipe.odd()
        self._tell("ConversationText", role="assistant", content=text)
        self._talking = True
        sound = np.ascontiguousarray(samples, dtype="<i2")
        for start in range(0, len(sound), _PIECE_SAMPLES):
            self._pipe.put(sound[start : start + _PIECE_SAMPLES].tobytes(), PIECE_SECONDS)

    def agent_cut(self) -> None:
        """What was flushed is the client's to know."""

    def agent_listens(self) -> None:
        if self._talking:
            self._talking = False
            self._tell("AgentAudioDone")

    def caller_silent(self) -> None:
        """The mind speaks into the silence, which this wire tells by its words only."""

    def trouble(self, code: str, message: str) -> None:
        self._warn(code, message)

    def broke(self, reason: str) -> None:
        self._fail(WireError("INTERNAL_SERVER_ERROR", reason))

    def _call_tools(self, calls: Sequence[WireCall]) -> None:
        self._calls |= {call.id: call.name for call in calls}
        functions = [
            {"id": call.id, "name": call.name, "arguments": call.arguments_text, "client_side": True}
            for call in calls
        ]
        self._tell("FunctionCallRequest", functions=functions)

    def _cancel(self, call_ids: Sequence[str]) -> None:
        functions = [{"id": call_id, "name": self._calls[call_id]} for call_id in call_ids]
        self._tell("FunctionCallCancelled", functions=functions)

    # --- what is sent ---------------------------------------------------------------------------------------

    def _warn(self, code: str, description: str) -> None:
        self._tell("Warning", code=code, description=description)

    def _fail(self, error: WireError) -> None:
        self._closed = True
        self._tell("Error", code=error.code, description=error.message)
        self._pipe.close(1000 if error.code == "INTERNAL_SERVER_ERROR" else 1005, "")

    def _tell(self, kind: str, **fields: Any) -> None:
        message = {"type": kind, **fields}
        self._types.check_server(message)
        self._pipe.put(message)


def _agent_of(settings: Mapping[str, Any], published: Catalogue) -> AgentConfig:
    """The agent that came over the wire.

    Raises:
        WireError: the vendor would refuse it, or the twin can't carry it out.
    """
    audio, agent = settings["audio"], settings["agent"]
    if not isinstance(agent, Mapping):
        raise WireError("INVALID_SETTINGS", "this twin keeps no agents: send one with the settings")
    if audio.get("input") != _PCM or audio.get("output") != {**_PCM, "container": "none"}:
        raise WireError("INVALID_SETTINGS", f"this twin speaks linear16 at {LINE_RATE} only")
    think = agent.get("think") or {}
    provider = think.get("provider") or {}
    if (named := f"{provider.get('type')}/{provider.get('model')}") not in published.thinkers:
        raise WireError("INVALID_SETTINGS", f"there is no think model {named!r}")
    for part, known in (("listen", published.listeners), ("speak", published.voices)):
        model = ((agent.get(part) or {}).get("provider") or {}).get("model")
        if model not in known:
            raise WireError("INVALID_SETTINGS", f"there is no {part} model {model!r}")
    tools = []
    for function in think.get("functions") or ():
        if function.get("endpoint") is not None:
            raise WireError("INVALID_SETTINGS", f"this twin calls no endpoint for {function.get('name')}")
        tools.append(
            ToolSchema(
                function.get("name", ""), function.get("description", ""), function.get("parameters", {})
            )
        )
    return AgentConfig("twin", think.get("prompt", ""), agent.get("greeting") or "", tuple(tools), "")
