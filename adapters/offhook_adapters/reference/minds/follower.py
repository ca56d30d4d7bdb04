"""The policy follower: knows which calls a task needs and in which order, and never an argument's value.

It is handed a FollowerPlan and nothing else of a task. Each value comes from what it heard or from what a
tool returned; where it hears badly, the call fails.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.clock import compute
from offhook.packs import Options, Parameter, Tool, ToolGuide
from offhook.sessions import AgentConfig, CallSetup, FollowerPlan, PlanStep, ToolResult
from offhook.speech import SentenceEmbedder
from offhook.toolserver import resolve_carry
from offhook.values import ValueKind
from offhook_adapters.reference.minds._follower_choice import mentions, pick
from offhook_adapters.reference.minds._follower_gather import Argument, Gatherer, HeardNothing
from offhook_adapters.reference.minds._follower_options import Entry, NothingToChoose, choose, entries_of
from offhook_adapters.reference.minds._follower_talk import CallerSilent, Conversation, yes_or_no
from offhook_adapters.reference.minds._follower_words import (
    flattened,
    render,
    wants_nothing_more,
)
from offhook_adapters.reference.minds.desk import Desk, Mind, MindError

__all__ = ["PolicyFollower", "make_follower"]

_HAND_OVER: Final = "transfer_to_human"
_END_CALL: Final = "end_call"
_RETRIES: Final = 3
_CLOSING_ROUNDS: Final = 3


def make_follower(agent: AgentConfig, call: CallSetup) -> Mind:
    """The follower for one call.

    Raises:
        MindError: the call brings no plan.
    """
    if call.plan is None:
        raise MindError(
            "it follows the plan of a pack's task, and here is none; drill another platform, such as recruit"
        )
    return PolicyFollower(agent.greeting, call.plan, None if call.engines is None else call.engines.embedder)


@attrs.frozen
class PolicyFollower:
    """A mind. ``embedder`` compares meanings where a choice is not named outright; without one only names
    count.
    """

    greeting: str
    plan: FollowerPlan
    embedder: SentenceEmbedder | None = None

    async def converse(self, desk: Desk) -> None:
        await _Call(self, desk).run()


class _GiveUp(Exception):
    """The call can't be brought to its end; the caller is handed over, or let go."""


class _NotWanted(Exception):
    """The caller chose not to go on with a step."""


class _Call:
    """One conversation along the plan."""

    def __init__(self, mind: PolicyFollower, desk: Desk) -> None:
        self._mind = mind
        self._guide = mind.plan.guide
        self._desk = desk
        self._talk = Conversation(desk, self._guide)
        self._gatherer = Gatherer(self._talk, mind.embedder)
        self._results: dict[str, Mapping[str, Any]] = {}
        self._fields: dict[str, str] = {}
        # Counted in calls that succeeded: when each tool's latest result came, when each parameter was last
        # settled; and of each list, when it came and the place of the entry that was taken.
        self._steps = 0
        self._came_at: dict[str, int] = {}
        self._settled_at: dict[str, int] = {}
        self._taken: dict[str, tuple[int, int]] = {}
        self._outcome = ""

    async def run(self) -> None:
        try:
            await self._open()
            steps = tuple(step for step in self._mind.plan.steps if step.tool != _END_CALL)
            for step, following in itertools.zip_longest(steps, steps[1:]):
                if await self._take(step, following):
                    return
            await self._close()
        except CallerSilent:
            await self._part()
        except (_GiveUp, HeardNothing):
            await self._hand_over()

    # --- one step -------------------------------------------------------------------------------------------

    async def _take(self, step: PlanStep, following: PlanStep | None) -> bool:
        """Carries one step out; True if the call is over with it. A step that builds on one that came to
        nothing is left out.
        """
        guide = self._tool_guide(step.tool)
        carry = {name: source for name, source in guide.carry.items() if name in step.parameters}
        if any(source.partition(".")[0] not in self._results for source in carry.values()):
            return False
        there = {
            name: source
            for name, source in guide.take.items()
            if name in step.parameters and source.partition(".")[0] in self._results
        }
        guide = attrs.evolve(guide, carry={**there, **carry})
        try:
            if guide.offer:
                await self._offer(render(guide.offer, self._fields))
            done = await self._make(step, self._tool(step.tool), self._told(guide, following))
        except (_NotWanted, NothingToChoose):
            return False
        if guide.completes and following is not None and not done:
            await self._talk.ask(self._guide.closing)
        return done

    def _told(self, guide: ToolGuide, following: PlanStep | None) -> ToolGuide:
        """The guide without its report where the next step reads the same result back."""
        ahead = ToolGuide("") if following is None else self._tool_guide(following.tool)
        sources = {source.partition(".")[0] for source in ahead.carry.values()}
        return attrs.evolve(guide, say="") if ahead.propose and guide.tool in sources else guide

    async def _make(self, step: PlanStep, tool: Tool, guide: ToolGuide) -> bool:
        carried = {name: _looked_up(self._results, source) for name, source in guide.carry.items()}
        chosen = await self._choose(step, guide)
        carried |= {name: entry.value for name, entry in chosen.items()}
        wanted = tuple(
            parameter
            for parameter in tool.parameters
            if parameter.name in step.parameters
            and parameter.name not in carried
            and parameter.name != guide.consent
        )
        gathering = self._gatherer.begin(step.tool, guide, wanted)
        gathered = await gathering.first()
        labels = {name: entry.label for name, entry in chosen.items()}
        held_after = -1
        for retries_left in reversed(range(_RETRIES + 1)):
            fields = self._fields | labels | gathering.shown(gathered)
            consent = await self._consent(guide, fields)
            # Several values may be tried on one answer: whoever waits for them is told so once.
            if held_after != self._talk.asked:
                await self._talk.tell(render(guide.hold, fields))
                held_after = self._talk.asked
            result = await self._desk.call(step.tool, {**carried, **gathered, **consent})
            if _succeeded(result):
                self._gatherer.accept(step.tool, gathered, wanted)
                self._settled_at |= dict.fromkeys((*gathered, *carried), self._steps + 1)
                self._gatherer.keep(step.tool, carried)
                await self._succeed(guide, fields, result)
                return tool.ends_call
            code, field = _refusal(result)
            retriable = gathering.retriable and (code in guide.retry or field in gathered)
            if not retriable or not retries_left:
                break
            gathered = await gathering.next(gathered, field)
        await self._refuse(guide, fields, code)
        return False

    async def _choose(self, step: PlanStep, guide: ToolGuide) -> dict[str, Entry]:
        """What the caller takes of the lists that earlier calls returned. What was settled since a list came
        holds for later steps too, and so does the entry that was taken of it.
        """
        chosen: dict[str, Entry] = {}
        for option in guide.options:
            source = option.source.partition(".")[0]
            name = option.parameter
            if name not in step.parameters or name in guide.carry or source not in self._results:
                continue
            entries = _listed(option, self._results)
            kept = self._gatherer.remembered(step.tool, name)
            if kept is not None and self._settled_at.get(name, 0) > self._came_at[source]:
                chosen.update((name, entry) for entry in entries if entry.value == kept)
                continue
            taken = self._taken.get(option.source)
            if taken is not None and taken[0] == self._came_at[source]:
                chosen[name] = entries[taken[1]]
                continue
            wishes = tuple(turn.text for turn in self._gatherer.wishes)
            entry = await choose(self._talk, option, entries, wishes, self._mind.embedder, self._fields)
            self._taken[option.source] = (self._came_at[source], entry.place)
            chosen[name] = entry
        return chosen

    async def _offer(self, text: str) -> None:
        """Makes a save offer: only a "no" goes on.

        Raises:
            _NotWanted: the caller took it.
            _GiveUp: no telling what the caller wants.
        """
        accepted, _ = await self._talk.yes_or_no(text)
        if accepted is None:
            raise _GiveUp
        if accepted:
            raise _NotWanted

    async def _consent(self, guide: ToolGuide, fields: Mapping[str, str]) -> dict[str, Argument]:
        """Reads the proposal back and waits for a "yes".

        Raises:
            _NotWanted: the caller said no.
            _GiveUp: no telling what the caller wants.
        """
        if not guide.propose:
            return {}
        agreed, _ = await self._talk.yes_or_no(render(guide.propose, fields))
        if agreed is None:
            raise _GiveUp
        if not agreed:
            raise _NotWanted
        return {guide.consent: True} if guide.consent else {}

    async def _succeed(self, guide: ToolGuide, fields: Mapping[str, str], result: ToolResult) -> None:
        self._results[guide.tool] = result.body
        self._steps += 1
        self._came_at[guide.tool] = self._steps
        self._fields |= flattened(guide.tool, result.body)
        await self._report(render(guide.say, {**fields, **self._fields}))

    async def _refuse(self, guide: ToolGuide, fields: Mapping[str, str], code: str) -> None:
        """Tells the caller why it can't be done.

        Raises:
            _GiveUp: the pack has no words for it.
        """
        if code not in guide.refused:
            raise _GiveUp
        await self._report(render(guide.refused[code], fields))

    async def _report(self, text: str) -> None:
        if text:
            self._outcome = text
            await self._talk.tell(text)

    # --- beginning and end ----------------------------------------------------------------------------------

    async def _open(self) -> None:
        if not self._mind.greeting.strip():
            await self._talk.addressed()
            return
        opening = await self._talk.ask(self._mind.greeting)
        if not opening.text:
            await self._talk.ask(self._guide.unclear)

    async def _close(self) -> None:
        """Asks whether there is anything else. Whoever neither declines nor says goodbye hears the outcome
        again.
        """
        question = self._guide.closing
        for _ in range(_CLOSING_ROUNDS):
            answer = await self._talk.ask(question)
            if wants_nothing_more(answer.text) or yes_or_no(answer.text) is False:
                break
            question = f"{self._outcome} {self._guide.closing}".strip()
        await self._part()

    async def _part(self) -> None:
        await self._talk.tell(self._guide.goodbye)
        await self._use(_END_CALL)

    async def _hand_over(self) -> None:
        """Gives up: to a person where the caller said enough to hand over with, else by ending the call."""
        await self._talk.tell(self._guide.sorry)
        if not await self._use(_HAND_OVER):
            await self._use(_END_CALL)

    async def _use(self, name: str) -> bool:
        """Calls a session tool with what the caller said for its required arguments. False, and no call, if
        the agent has no such tool or the caller said nothing that fills one of them: none is made up.
        """
        tool = next((known for known in self._mind.plan.tools if known.name == name), None)
        if tool is None:
            return False
        arguments: dict[str, Argument] = {}
        for parameter in tool.parameters:
            if parameter.required:
                value = await self._from_wishes(parameter)
                if value is None:
                    return False
                arguments[parameter.name] = value
        return _succeeded(await self._desk.call(name, arguments))

    async def _from_wishes(self, parameter: Parameter) -> str | None:
        """A choice that was clearly meant, or the first wish as it was said."""
        said = tuple(turn.text for turn in self._gatherer.wishes)
        if parameter.choices:
            found = await compute(mentions, parameter, said, self._mind.embedder)
            return pick(found, frozenset(), certain=True)
        return said[0] if said and parameter.kind is ValueKind.TEXT else None

    def _tool(self, name: str) -> Tool:
        for tool in self._mind.plan.tools:
            if tool.name == name:
                return tool
        raise MindError(f"the plan calls {name}, which is not among the agent's tools")

    def _tool_guide(self, name: str) -> ToolGuide:
        return next((guide for guide in self._guide.tools if guide.tool == name), ToolGuide(name))


def _succeeded(result: ToolResult) -> bool:
    return 200 <= result.status < 300


def _refusal(result: ToolResult) -> tuple[str, str | None]:
    """Code and field of a refusal; an answer of another shape has neither."""
    error = result.body.get("error")
    if not isinstance(error, Mapping):
        return "", None
    field = error.get("field")
    return str(error.get("code", "")), str(field) if field is not None else None


def _looked_up(results: Mapping[str, Mapping[str, Any]], source: str) -> Any:
    """An earlier result's member.

    Raises:
        MindError: the result has no such member; the pack's guide is wrong.
    """
    try:
        return resolve_carry(source, results)
    except KeyError as error:
        raise MindError(f"the guide carries what is not there: {error.args[0]}") from error


def _listed(option: Options, results: Mapping[str, Mapping[str, Any]]) -> tuple[Entry, ...]:
    """Raises MindError: the result has no such list; the pack's guide is wrong."""
    try:
        return entries_of(option, results)
    except KeyError as error:
        raise MindError(f"the guide takes options from what is not there: {error.args[0]}") from error
