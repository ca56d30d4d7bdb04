"""The vendor's own account of a conversation, and what it says it cost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.sessions import Cost, PlatformRecord
from offhook_adapters.elevenlabs._rest import Gone, Rest

__all__ = ["Account", "fetch_account"]

_FINAL: Final = ("done", "failed")
_BETWEEN_SECONDS: Final = (0.2, 0.5, 1.0, 2.0)
_SPEAKERS: Final[Mapping[str, str]] = {"user": "caller", "agent": "agent"}


@attrs.frozen
class Account:
    """A conversation as the vendor keeps it, and its reported cost."""

    record: PlatformRecord
    cost: Cost


async def fetch_account(
    rest: Rest, conversation_id: str, told: PlatformRecord, patience: float = 45.0
) -> Account:
    """Asks until the vendor has finished with the conversation. ``told`` is what came during the call, which
    is all there is where it does not finish within ``patience`` seconds.

    Raises:
        VendorError: the platform can't be reached, or refuses.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + patience
    pauses = iter(_BETWEEN_SECONDS)
    pause = next(pauses)
    status = "missing"
    while True:
        try:
            held = await rest.ask(lambda api: _as_data(api.conversations.get(conversation_id)))
            status = str(held.get("status"))
            if status in _FINAL:
                return Account(_record(held, told), _cost(held.get("metadata") or {}))
        except Gone:
            status = "missing"
        if loop.time() + pause > deadline:
            unfinished = f"the platform had not finished with it after {patience:g} s (status {status})"
            return Account(attrs.evolve(told, raw={**told.raw, "unfinished": unfinished}), Cost())
        await asyncio.sleep(pause)
        pause = next(pauses, pause)


def _as_data(conversation: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(conversation.json())
    return data


def _record(held: Mapping[str, Any], told: PlatformRecord) -> PlatformRecord:
    transcript: list[str] = []
    calls: list[Mapping[str, Any]] = []
    answers: dict[str, Mapping[str, Any]] = {}
    for row in held.get("transcript") or ():
        if row.get("message"):
            transcript.append(f"{_SPEAKERS.get(row['role'], row['role'])}: {row['message']}")
        calls += row.get("tool_calls") or ()
        answers |= {each["request_id"]: each for each in row.get("tool_results") or ()}
    log = tuple(_logged(call, answers.get(call["request_id"])) for call in calls)
    metadata = held.get("metadata") or {}
    kept = ("call_duration_secs", "cost", "cost_fiat", "charging", "termination_reason", "error", "warnings")
    raw = {**told.raw, "status": held.get("status"), **{name: metadata.get(name) for name in kept}}
    return PlatformRecord(tuple(transcript), log, raw)


def _logged(call: Mapping[str, Any], answer: Mapping[str, Any] | None) -> Mapping[str, Any]:
    log = {"id": call["request_id"], "name": call["tool_name"], "arguments": call["params_as_json"]}
    if answer is None:
        return log
    return {**log, "result": answer.get("result_value"), "is_error": answer.get("is_error")}


def _cost(metadata: Mapping[str, Any]) -> Cost:
    """US dollars: the whole where it is told, or the language model's and the platform's part where both
    are.
    """
    total = metadata.get("cost_fiat")
    if total is None:
        charging = metadata.get("charging") or {}
        llm, platform = charging.get("llm_price"), charging.get("platform_price")
        total = None if llm is None or platform is None else llm + platform
    return Cost() if total is None else Cost(float(total), "reported")
