"""JSON as the tool server reads and writes it: strict on the way in, one form on the way out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final, NoReturn

__all__ = ["BodyError", "canonical_json", "parse_object", "plain_object", "refusal_body"]


# What recurses over a request later on (its log entry, a grade) must never meet the interpreter's limit.
DEEPEST: Final = 64


class BodyError(ValueError):
    """A request body that is not a JSON object. ``code`` is ``not_json`` or ``not_object``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def canonical_json(value: object) -> str:
    """Sorted keys, no spaces, ASCII only: equal values, equal text.

    Raises:
        TypeError: a value JSON can't hold.
        ValueError: a number that is not finite, or a structure that contains itself.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def plain_object(value: Mapping[str, Any]) -> dict[str, Any]:
    """A deep copy of plain dicts and lists in the given key order, exactly as a JSON reader would get it.

    Raises:
        TypeError: a value JSON can't hold.
        ValueError: a number that is not finite, half a surrogate pair, or a structure that contains itself.
    """
    text = json.dumps(dict(value), allow_nan=False, ensure_ascii=False)
    copy: dict[str, Any] = json.loads(text.encode("utf-8"))
    return copy


def parse_object(raw: bytes) -> dict[str, Any]:
    """Reads a request body. An empty one is an object without members, as tools without arguments are often
    called so.

    Raises:
        BodyError: not JSON (``NaN``, numbers out of range and half surrogate pairs included), nested more
            than 64 levels deep, or not an object.
    """
    if not raw.strip():
        return {}
    try:
        value = json.loads(raw, parse_constant=_no_constant, parse_float=_finite)
        # Half a surrogate pair can be escaped in JSON, but neither stored nor answered.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise BodyError(
            "not_json", "the body is not JSON: send the tool's arguments as a JSON object"
        ) from error
    if _is_too_deep(value):
        raise BodyError("not_json", f"the body is nested more than {DEEPEST} levels deep")
    if not isinstance(value, dict):
        raise BodyError(
            "not_object", f"the body is {_kind(value)}: send the tool's arguments as a JSON object"
        )
    return value


def _is_too_deep(value: object) -> bool:
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        level = [
            child
            for each in level
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
    return any(isinstance(each, dict | list) for each in level)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("number out of range")
    return number


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    return "a string" if isinstance(value, str) else "a list"


def refusal_body(code: str, message: str, field: str | None = None) -> Mapping[str, Any]:
    """The one shape of every refusal: ``{"error": {"code", "field"?, "message"}}``."""
    error = {"code": code} | ({} if field is None else {"field": field}) | {"message": message}
    return {"error": error}
