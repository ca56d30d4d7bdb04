"""Checks of what is deployed: prompt, greeting and tools have to arrive as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from offhook.conformance._caller import Live
from offhook.conformance._desk import GREETING, Seat
from offhook.conformance._fault_checks import says_what_to_do
from offhook.conformance._result import NotApplicable, Unmet, difference, expect
from offhook.conformance._stage import Bench, HeldCall
from offhook.packs import Pack
from offhook.platforms import PlatformUnusable
from offhook.sessions import AgentConfig, Greeting, ToolSchema
from offhook.toolserver import agent_config

__all__ = [
    "empty_tools",
    "greeting_arrives",
    "long_prompt",
    "prompt_arrives",
    "tools_arrive",
    "tools_differ",
    "unicode_prompt",
]

ANSWER: Final = "Yes, of course."
_LONG_LINES: Final = 400
# Curly quotes, an accent as a character of its own and as part of one, a script from right to left, an emoji.
_UNICODE: Final = (
    "Say \u201cwe\u2019re open\u201d at the caf\u00e9 and at the cafe\u0301. "
    "Na\u00efve \u2260 nai\u0308ve\u2026 \u05e9\u05dc\u05d5\u05dd, \u6771\u4eac, \U0001f6b2.\u00a0End."
)


async def _answers(seat: Seat) -> None:
    await seat.listen()
    await seat.say(ANSWER)
    await seat.listen()


async def _arrived(bench: Bench, pack: Pack) -> tuple[AgentConfig, AgentConfig, HeldCall]:
    """What was given and what arrived, after a call of two turns."""
    greets = bool(pack.agent.greeting)

    async def talk(live: Live) -> None:
        await live.opening(greets=greets)
        await live.hears(ANSWER)

    call = await bench.hold(_answers, talk, pack=pack)
    if call.arrived is None:
        raise Unmet("prompt and tools to cross the wire", "nothing of them did")
    return agent_config(pack), call.arrived, call


async def _same_prompt(bench: Bench, pack: Pack) -> Mapping[str, Any]:
    given, arrived, _ = await _arrived(bench, pack)
    differs = difference(given.prompt, arrived.prompt)
    expect(differs is None, "the prompt as it is", differs, prompt=arrived.prompt[:2000])
    return {"characters": len(arrived.prompt)}


async def prompt_arrives(bench: Bench) -> Mapping[str, Any]:
    return await _same_prompt(bench, bench.pack())


async def long_prompt(bench: Bench) -> Mapping[str, Any]:
    lines = (
        f'{number}. If they say "it\'s \u2018done\u2019", write <b>{{done}}</b> & stop: \\n is text.\n\t- %s'
        for number in range(_LONG_LINES)
    )
    prompt = "\n\n".join(lines)
    try:
        return await _same_prompt(bench, bench.pack(prompt=prompt))
    except PlatformUnusable as error:  # some vendors take less; to cut it off without a word would be wrong
        says_what_to_do(error)
        raise NotApplicable(f"the platform refuses a prompt of {len(prompt)} characters ({error})") from error


async def unicode_prompt(bench: Bench) -> Mapping[str, Any]:
    return await _same_prompt(bench, bench.pack(prompt=_UNICODE))


async def greeting_arrives(bench: Bench) -> Mapping[str, Any]:
    kind = bench.subject.capabilities.greeting
    if kind is Greeting.NONE:
        raise NotApplicable("the platform can't greet (capabilities.greeting is none)")
    given, arrived, call = await _arrived(bench, bench.pack())
    if kind is Greeting.VERBATIM:
        differs = difference(given.greeting, arrived.greeting)
        expect(differs is None, "the greeting as it is", differs)
    else:
        where = f"greeting {arrived.greeting!r}"
        expect(GREETING in arrived.greeting, "an instruction that holds the greeting as it is", where)
    return {"greeting": arrived.greeting, "heard": call.live.heard[:1]}


async def tools_arrive(bench: Bench) -> Mapping[str, Any]:
    given, arrived, _ = await _arrived(bench, bench.pack())
    differs = tools_differ(given.tools, arrived.tools)
    expect(differs is None, "the tools as they are, in their order", differs)
    return {"tools": [tool.name for tool in arrived.tools]}


async def empty_tools(bench: Bench) -> Mapping[str, Any]:
    _, arrived, _ = await _arrived(bench, bench.pack(tools=False))
    names = [tool.name for tool in arrived.tools]
    expect(not names, "an agent without tools", f"tools {names}")
    return {"tools": names}


def tools_differ(given: Sequence[ToolSchema], arrived: Sequence[ToolSchema]) -> str | None:
    """The first thing in which two lists of tools differ, as canonical JSON; None where they are the same."""
    names, told = [tool.name for tool in given], [tool.name for tool in arrived]
    if names != told:
        return f"tools {told} in place of {names}"
    for wanted, got in zip(given, arrived, strict=True):
        if (differs := difference(wanted.description, got.description)) is not None:
            return f"the description of {wanted.name} differs {differs}"
        differs = difference(_canonical(wanted.parameters), _canonical(got.parameters))
        if differs is not None:
            return f"the parameters of {wanted.name} differ {differs}"
    return None


def _canonical(value: Any) -> str:
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
