"""What is deployed: JSON Schemas from a pack's parameters, and the agent's configuration with its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.packs import Pack, Parameter, Tool
from offhook.sessions import AgentConfig, ToolSchema
from offhook.toolserver._json import canonical_json
from offhook.values import ValueKind

__all__ = ["agent_config", "tool_schemas"]

_FORMATS: Final[Mapping[ValueKind, str]] = {
    ValueKind.PHONE: "ten digits, such as 541-555-0199",
    ValueKind.ZIP: "five digits",
    ValueKind.DATE: "YYYY-MM-DD",
    ValueKind.TIME: "HH:MM on the 24-hour clock",
    ValueKind.AMOUNT: "whole cents",
    ValueKind.SPELLED: "letters and digits, unspaced",
    ValueKind.ORDER_NUMBER: "letters, a hyphen, digits",
}
_TYPES: Final[Mapping[ValueKind, str]] = {ValueKind.YES_NO: "boolean", ValueKind.AMOUNT: "integer"}


def tool_schemas(pack: Pack) -> tuple[ToolSchema, ...]:
    """The agent's tools in the agent's order, each with a JSON Schema object that only uses what every vendor
    takes: ``type``, ``description``, ``enum``, ``properties``, ``required`` and ``additionalProperties``.

    Raises:
        KeyError: the agent lists a tool the pack does not have.
    """
    return tuple(_schema(pack.tool(name)) for name in pack.agent.tools)


def agent_config(pack: Pack) -> AgentConfig:
    """The agent as every platform gets it. ``sha256`` hashes the canonical JSON of all other fields.

    Raises:
        KeyError: the agent lists a tool the pack does not have.
    """
    config = AgentConfig(pack.name, pack.agent.prompt, pack.agent.greeting, tool_schemas(pack), "")
    content = attrs.asdict(config, filter=lambda field, _: field.name != "sha256")
    return attrs.evolve(config, sha256=hashlib.sha256(canonical_json(content).encode()).hexdigest())


def _schema(tool: Tool) -> ToolSchema:
    parameters = {
        "type": "object",
        "properties": {parameter.name: _property(parameter) for parameter in tool.parameters},
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
        "additionalProperties": False,
    }
    return ToolSchema(tool.name, tool.description, parameters)


def _property(parameter: Parameter) -> dict[str, Any]:
    if parameter.choices:
        values = [choice.value for choice in parameter.choices]
        return {"type": "string", "description": parameter.description, "enum": values}
    form = _FORMATS.get(parameter.kind, "")
    if parameter.length is not None:
        form = f"{parameter.length} digits"
    described = f"{parameter.description} ({form})" if form else parameter.description
    return {"type": _TYPES.get(parameter.kind, "string"), "description": described}
