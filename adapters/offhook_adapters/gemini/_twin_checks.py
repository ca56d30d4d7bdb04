"""Both directions of the twin's wire against the SDK's own types, which forbid fields they do not know."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any, Final

import attrs
from google.genai import types
from pydantic import BaseModel, ValidationError

from offhook_adapters.gemini.prices import LiveModel

__all__ = ["Refused", "Setup", "check_server", "read_message", "read_setup"]

_INVALID: Final = 1007
_POLICY: Final = 1008
_LETTERS_PER_TOKEN: Final = 4  # about
_PARTS: Final = ("setup", "client_content", "realtime_input", "tool_response", "context_update")


@attrs.frozen
class Refused(Exception):
    """What the vendor closes the socket with."""

    reason: str
    code: int = _INVALID


@attrs.frozen
class Setup:
    """A session's configuration as the vendor's types read it."""

    model: str
    setup: types.LiveClientSetup
    listening: types.RealtimeInputConfig


def read_message(raw: str | bytes) -> tuple[str, Mapping[str, Any]]:
    """Which of the client's messages it is, and what it holds; keys may be in snake or camel case.

    Raises:
        Refused: no JSON object, or a message the vendor does not know.
    """
    try:
        message = json.loads(raw)
    except ValueError:
        raise Refused("Invalid JSON payload received.") from None
    if not isinstance(message, dict) or len(message) != 1:
        raise Refused("Request contains an invalid argument.")
    ((name, value),) = message.items()
    kind = next((part for part in _PARTS if name in (part, _camel(part))), None)
    if kind is None or not isinstance(value, dict):
        raise Refused(f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.')
    if kind != "setup":
        _checked(types.LiveClientMessage, {kind: value})
    return kind, value


def read_setup(given: Mapping[str, Any], models: Mapping[str, LiveModel], voices: tuple[str, ...]) -> Setup:
    """The first message.

    Raises:
        Refused: the vendor would not take it.
    """
    rest = dict(given)
    # The SDK sends it and has a type for it, but none that holds it beside the others.
    listening = rest.pop("realtimeInputConfig", {})
    setup = types.LiveClientSetup.model_validate(_valid(types.LiveClientSetup, rest))
    model = (setup.model or "").removeprefix("models/")
    known = models.get(model)
    if known is None:
        reason = (
            f"models/{model} is not found for API version v1, or is not supported for bidiGenerateContent."
        )
        raise Refused(reason, _POLICY)
    generation = setup.generation_config or types.GenerationConfig()
    if generation.response_modalities != [types.Modality.AUDIO]:
        raise Refused("The requested combination of response modalities is not supported by the model.")
    thinking = generation.thinking_config
    if thinking is not None and thinking.thinking_level is not None and not known.thinking_level:
        raise Refused("Thinking level is not supported for this model.")
    if len(json.dumps(given)) // _LETTERS_PER_TOKEN > known.input_tokens:
        raise Refused("The input token count exceeds the maximum number of tokens allowed.")
    _check_voice(generation.speech_config, voices)
    _check_tools(setup, known)
    config = types.RealtimeInputConfig.model_validate(_valid(types.RealtimeInputConfig, listening))
    return Setup(model, setup, config)


def _check_voice(speech: Any, voices: tuple[str, ...]) -> None:
    voice = speech and speech.voice_config and speech.voice_config.prebuilt_voice_config
    name = voice.voice_name if voice else None
    if name is not None and name not in voices:
        raise Refused(f"Requested voice api_name '{name}' is not available for this model.")


def _check_tools(setup: types.LiveClientSetup, known: LiveModel) -> None:
    for tool in setup.tools or []:
        declared = tool.function_declarations if isinstance(tool, types.Tool) else None
        if not declared:
            raise Refused("this twin takes function declarations only")
        if any(each.behavior is not None for each in declared) and not known.background_tools:
            raise Refused("Tool behavior is not supported for this model.")


def check_server(message: Mapping[str, Any]) -> None:
    """Makes sure that a message of the twin is one the vendor could have sent.

    Raises:
        Refused: it is not; the twin is wrong.
    """
    _checked(types.LiveServerMessage, message)


def _checked(kind: type[BaseModel], value: Mapping[str, Any]) -> None:
    kind.model_validate(_valid(kind, value))


def _valid(kind: type[BaseModel], value: Any) -> dict[str, Any]:
    """A copy that the type takes."""
    try:
        copied: dict[str, Any] = copy.deepcopy(value)
        kind.model_validate(copy.deepcopy(copied))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            reason = f'Invalid JSON payload received. Unknown name "{place}": Cannot find field.'
        else:
            reason = f"Invalid value at '{place}': {first['msg']}"
        raise Refused(reason) from None
    return copied


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
