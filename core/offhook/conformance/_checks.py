"""All checks of the kit, in the order they are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.conformance import _config_checks as config
from offhook.conformance import _end_checks as ends
from offhook.conformance import _fault_checks as faults
from offhook.conformance import _key_checks as keys
from offhook.conformance import _many_checks as several
from offhook.conformance import _sound_checks as sound
from offhook.conformance import _tool_checks as tools
from offhook.conformance._stage import Bench

__all__ = ["CHECKS", "Check", "pick_checks"]


@attrs.frozen
class Check:
    """``line`` says in one line what has to hold. A check that is ``alone`` looks at the whole process, so no
    other runs at its time. ``seconds`` is about how long it takes in real time.
    """

    name: str
    line: str
    run: Callable[[Bench], Awaitable[Mapping[str, Any]]] = attrs.field(repr=False, eq=False)
    seconds: float = 5.0
    alone: bool = False


_ALL: Final = (
    Check("prompt-arrives", "the prompt arrives byte for byte", config.prompt_arrives),
    Check("greeting-arrives", "the greeting arrives, and is heard", config.greeting_arrives),
    Check(
        "tools-arrive",
        "names, descriptions and parameters of the tools arrive, in order",
        config.tools_arrive,
    ),
    Check("empty-tools", "an agent without tools has none over there, too", config.empty_tools),
    Check("long-prompt", "a prompt of 30 kB with quotes and line breaks arrives whole", config.long_prompt),
    Check("unicode-prompt", "curly quotes, accents in either form and emoji are kept", config.unicode_prompt),
    Check("audio-in", "the platform hears what the caller says, all of it", sound.audio_in, 9),
    Check("audio-out", "the agent's sound arrives whole, at its rate", sound.audio_out, 7),
    Check("pacing", "a burst is played as fast as it sounds, and nothing is dropped", sound.pacing, 12),
    Check("barge-in", "a caller who talks over the agent silences it within a second", sound.barge_in, 9),
    Check("tool-call", "a tool call reaches the tool server once, with its id", tools.tool_call),
    Check("tool-order", "three calls in a row arrive in their order", tools.tool_order),
    Check("tool-batch", "two calls at once both arrive, and each gets its own answer", tools.tool_batch),
    Check("tool-refused", "a refusal of the tool server reaches the agent", tools.tool_refused),
    Check("tool-slow", "a tool that takes 8 s is neither repeated nor given up", tools.tool_slow, 13),
    Check("tool-large", "an answer of 200 kB reaches the agent whole", tools.tool_large),
    Check("tool-unknown", "a tool there is not is refused, and the agent told", tools.tool_unknown),
    Check(
        "tool-bad-arguments",
        "arguments that are no JSON object are logged and refused",
        tools.tool_bad_arguments,
    ),
    Check("tool-cancelled", "a tool call that is taken back is told as such", tools.tool_cancelled, 7),
    Check(
        "agent-hangup",
        "after end_call the last words are heard, and the agent hangs up",
        ends.agent_hangup,
        6,
    ),
    Check("caller-hangup", "hang_up ends the stream and the connection within 2 s", ends.caller_hangup, 6),
    Check("silence", "20 s of silence break nothing, and frames keep flowing", sound.silence, 27),
    Check("network-loss", "a lost connection is the platform's end, told in one line", faults.network_loss),
    Check("stall", "a platform that falls silent with its connection open is noted", faults.stall, 25),
    Check("expire", "a session at its longest ends by the platform", faults.expire),
    Check("burst", "what comes late and all at once is played in order", faults.burst, 9),
    Check(
        "unknown-event",
        "an event nobody documented is noted once, and the call goes on",
        faults.unknown_event,
        8,
    ),
    Check("refused", "HTTP 503 is an error of one line that says what to do", faults.refused, 1),
    Check("rate-limit", "a rate limit costs this call only", faults.rate_limit, 1),
    Check("quota", "credit that is used up stops the run", faults.quota, 1),
    Check("wrong-key", "a key that is refused stops the run, and its variable is named", keys.wrong_key, 1),
    Check(
        "missing-key",
        "check() names the variable that is missing, and nobody is dialled",
        keys.missing_key,
        1,
    ),
    Check("unreachable", "where nobody listens, connecting fails in time", keys.unreachable, 1),
    Check("deploy-idempotent", "equal configuration is one deployment", keys.deploy_idempotent, 1),
    Check("record", "transcript and tool log can be fetched", ends.record),
    Check("cost", "the cost is known, with its basis", ends.cost),
    Check("transcripts", "both sides' words are told as text", sound.transcripts, 8),
    Check("two-at-once", "two calls at one time do not mix", several.two_at_once, 6),
    Check("many", "twenty sessions open at once (how fast is told, not judged)", several.many, 2, alone=True),
    Check(
        "cancel-teardown",
        "a connect that is given up leaves nothing behind",
        several.cancel_teardown,
        3,
        alone=True,
    ),
    Check(
        "no-secret", "no key and no token in any event, error, record or log", keys.no_secret, 15, alone=True
    ),
)

CHECKS: Final[Mapping[str, Check]] = MappingProxyType({check.name: check for check in _ALL})
"""All checks by name."""


def pick_checks(names: Iterable[str]) -> tuple[Check, ...]:
    """The checks of some names in the kit's order; all without any.

    Raises:
        UnknownName: there is no such check.
    """
    from offhook.runner.plan import UnknownName

    wanted = set(names)
    for name in sorted(wanted - set(CHECKS)):
        raise UnknownName("check", name, CHECKS)
    return tuple(check for check in _ALL if not wanted or check.name in wanted)
