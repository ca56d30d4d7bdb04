"""Cause 4: turn-taking, interruption handling, tool execution or session handling of the platform."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from offhook.scoring import NO_AGENT
from offhook.toollogs import platform_tool_log
from offhook_graders.attribution._case import Case, Check, does_not_apply
from offhook_graders.attribution._signs import LATE_REQUEST, timing_signs

__all__ = ["platform_check"]

# What the record notes of a session and no call fails by: what was asked for afterwards, and what was too
# much.
_HARMLESS: Final = (
    "cost:",
    "record:",
    "the user transcript was",
    "the agent transcript was",
    "Usage ",
    "... and",
)


def platform_check(case: Case) -> Check:
    """The agent never spoke, the session broke, a request never reached the server, the agent was cut off,
    talked over the caller or stopped answering.

    A session that ended by itself counts always, everything else where something expected did not happen: it
    can't have made the agent do too much, or anything else than it should."""
    record = case.call.record
    if record.cause == NO_AGENT:
        return Check(4, True, "the agent never spoke, on any attempt", {"attempt": record.key.attempt})
    errors = [line for line in record.session_errors if not line.startswith(_HARMLESS)]
    if record.ended_by == "platform":
        told = f": {errors[0]}" if errors else ""
        return Check(
            4, True, f"the platform dropped the session{told}", {"ended_by": "platform", "errors": errors}
        )
    lost = _lost_request(case)
    if lost is not None:
        why = f"the platform asked for {lost['name']}, and the request never reached the tool server"
        return Check(4, True, why, {"request": lost})
    signs = timing_signs(case)
    if signs:
        return Check(4, True, signs[0].what, {"signs": [sign.as_json() for sign in signs]})
    broke = [line for line in errors if LATE_REQUEST not in line]
    if broke and (case.omitted or case.absent):
        return Check(4, True, f"the session reported an error: {broke[0]}", {"errors": broke})
    if broke:
        return does_not_apply(4, f"the session reported an error ({broke[0]}), but nothing was left undone")
    return does_not_apply(4, "the session held, every request arrived, and turns were taken and answered")


def _lost_request(case: Case) -> Mapping[str, Any] | None:
    """A request in the platform's own record that the tool server never saw, for a tool that an expected call
    still needs."""
    needed = {miss.tool for miss in case.misses}
    known = {entry.source_id for entry in case.call.tools if entry.source_id}
    served = Counter(entry.tool for entry in case.call.tools)
    asked: Counter[str] = Counter()
    for request in platform_tool_log(case.call.record, case.call.state.parent):
        name = str(request.get("name", ""))
        asked[name] += 1
        unseen = (
            str(request["id"]) not in known if known and request.get("id") else asked[name] > served[name]
        )
        if name in needed and unseen:
            return {"id": request.get("id"), "name": name}
    return None
