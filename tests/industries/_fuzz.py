"""Random calls to a pack's tools, from a seeded generator: sound values, values of others, and rubbish."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from offhook.packs import Pack, Parameter, Task
from offhook.values import ValueKind

__all__ = ["Caller"]

_OFTEN: Final = 30  # the own values of a call among those of all others
_LONG: Final = "long " * 12_000
_RUBBISH: Final[tuple[Any, ...]] = (
    "",
    " ",
    None,
    0,
    -1,
    1.5,
    10**15,
    True,
    [],
    ["a"],
    {"a": 1},
    "\x00",
    "'; DROP TABLE customers; --",
    "' OR 1=1 --",
    "%",
    "Zoë Ångström-Núñez",
    "𝟒𝟒𝟖𝟐",
    "名前",
    "\u202eabc",
    "yes",
    _LONG,
)
_SOUND: Final[Mapping[ValueKind, tuple[Any, ...]]] = {
    ValueKind.AMOUNT: (0, 1, -500, "-5.00", 249.99, "$1,299.99", 10**12, -(10**12), 5000, 15000),
    ValueKind.DATE: (
        "0001-01-01",
        "9999-12-31",
        "1900-02-28",
        "2024-02-29",
        "2026-02-29",
        "2026-08-11",
        "2026-08-12",
        "2026-08-17",
        "2026-08-18",
        "2026-08-31",
        "2026-09-16",
    ),
    ValueKind.YES_NO: (True, True, True, False, "no", "yes", 1),
    ValueKind.NAME: ("Ann Lee", "X", "O'Neil", "Inc.", "Ann  Lee, Bob Lee"),
    ValueKind.PHONE: ("404-555-0199", "+1 (404) 555-0199", "0000000000"),
    ValueKind.ZIP: ("00000", "99999", "10001-1234"),
    ValueKind.DIGITS: ("0000", "123456", "123456789", 4482),
    ValueKind.ORDER_NUMBER: ("KE-0000000", "RMA-000", "AB 12 34"),
    ValueKind.TEXT: ("a", "Bend, OR", "10001", "hudson_yards", "ap-1", "QT-00000000"),
}


@attrs.define
class Caller:
    """Makes calls as an agent might that knows ``task`` and wants to get around the rules. Values that tools
    answered are kept under their field's name and used for parameters of that name, whoever they belong to.
    """

    pack: Pack
    task: Task
    dice: random.Random
    _known: dict[str, list[Any]] = attrs.field(factory=dict)
    _step: int = 0

    def __attrs_post_init__(self) -> None:
        for task in self.pack.tasks:
            for call in task.expected:
                for name, value in (*call.arguments.items(), *call.free_text.items()):
                    self._known.setdefault(name, []).append(value)
        for call in self.task.expected:
            for name, value in call.arguments.items():
                self._known[name] += [value] * _OFTEN

    def next_call(self) -> tuple[str, dict[str, Any]]:
        """A tool and its arguments: most often the key's next call, as it should be or altered; else any."""
        key = self.task.expected
        if self._step < len(key) and self.dice.random() < 0.5:
            call = key[self._step]
            told = {**call.arguments, **call.free_text}
            told |= {name: self._known[name][-1] for name in call.carry if name in self._known}
            if self.dice.random() < 0.7:
                self._step += 1
                return call.tool, told
            return call.tool, self._altered(call.tool, told)
        return (tool := self.dice.choice(self.pack.agent.tools)), self._altered(tool, {})

    def _altered(self, tool: str, told: Mapping[str, Any]) -> dict[str, Any]:
        return {
            parameter.name: self._value(parameter, told)
            for parameter in self.pack.tool(tool).parameters
            if parameter.required or parameter.name in told or self.dice.random() < 0.4
        }

    def heard(self, body: Any) -> None:
        """Keeps every value of an answer."""
        if isinstance(body, Mapping):
            for name, value in body.items():
                if isinstance(value, str | int):
                    self._known.setdefault(name, []).append(value)
                    if name.endswith("_token"):
                        self._known.setdefault("quote_token", []).append(value)
                self.heard(value)
        elif isinstance(body, Sequence) and not isinstance(body, str):
            for value in body:
                self.heard(value)

    def _value(self, parameter: Parameter, told: Mapping[str, Any]) -> Any:
        roll = self.dice.random()
        if parameter.name in told and roll < 0.75:
            return told[parameter.name]
        known = self._known.get(parameter.name, [])
        if known and roll < 0.9:
            # What was heard last is most likely to be what is needed next.
            return known[-1] if self.dice.random() < 0.5 else self.dice.choice(known)
        if roll < 0.97:
            if parameter.choices:
                return self.dice.choice(parameter.choices).value
            if parameter.kind in _SOUND:
                return self.dice.choice(_SOUND[parameter.kind])
        return self.dice.choice(_RUBBISH)
