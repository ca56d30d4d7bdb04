"""What every pack's agent graph and follower guide must keep to."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from offhook._packjudged import judged_problems
from offhook.checks import ExactEffects, ToolNotCalled
from offhook.graphs import AgentGraph
from offhook.packs import Aside, FollowerGuide, Pack, Parameter
from offhook.values import ValueKind

__all__ = [
    "SESSION",
    "Desks",
    "asides_for",
    "check_desks",
    "check_every_argument_is_had",
    "check_judged",
    "check_length",
    "check_own_tools_are_named",
    "check_tools_named",
]

Desks = Mapping[str, tuple[Collection[str], tuple[str, ...]]]

SESSION: Final = frozenset({"transfer_to_human", "end_call"})
_TOOL_NAME: Final = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")


def check_desks(graph: AgentGraph, published: Desks, total: int) -> None:
    """Each desk's tools and hand-offs are the published ones, and so is the count of all tools, no two of one
    name.
    """
    found = {
        desk.name: (set(desk.tools), tuple(step.to for step in desk.hands_to)) for desk in graph.specialists
    }
    assert found == {desk: (set(tools), hand_offs) for desk, (tools, hand_offs) in published.items()}
    tools = [*graph.business_tools, *graph.hand_off_tools, *SESSION]
    assert len(tools) == len(set(tools)) == total


def check_length(graph: AgentGraph, words: int) -> None:
    """The collapsed prompt is within 15 % of the published one's length."""
    assert 0.85 * words <= len(graph.collapsed_prompt().split()) <= 1.15 * words


def check_tools_named(graph: AgentGraph, others: Collection[str]) -> None:
    """The collapsed prompt names every tool and no other; ``others`` are its snake-case words that are values
    or arguments.
    """
    named = set(_TOOL_NAME.findall(graph.collapsed_prompt())) - set(others)
    assert named == {*graph.business_tools, *SESSION}


def check_own_tools_are_named(graph: AgentGraph, desk: str) -> None:
    specialist = graph.specialist(desk)
    own = {*specialist.tools, *(step.tool for step in specialist.hands_to)}
    assert own <= set(_TOOL_NAME.findall(graph.prompt_of(desk)))
    assert not specialist.instructions.lstrip().startswith("# ")


def check_every_argument_is_had(pack: Pack, guide: FollowerGuide) -> None:
    """Whatever a key's call needs is asked for, carried, taken, chosen or agreed to."""
    by_tool = {words.tool: words for words in guide.tools}
    assert by_tool.keys() == {tool.name for tool in pack.tools}
    for task in pack.tasks:
        known: set[str] = set()
        for call in task.expected:
            words = by_tool[call.tool]
            had = {name for ask in words.asks for name in ask.parameters}
            had |= {option.parameter for option in words.options}
            had |= {name for name in (*words.carry, *words.take, words.consent) if name is not None}
            # Free text is taken from what the caller said of their own accord.
            had |= {item.name for item in pack.tool(call.tool).parameters if _is_free(item)}
            needed = {*call.arguments, *call.free_text, *call.carry}
            assert needed <= had | known, (task.id, call.tool)
            known |= needed  # what one tool took serves the next


def _is_free(parameter: Parameter) -> bool:
    return parameter.kind is ValueKind.TEXT and not parameter.choices


def asides_for(guide: FollowerGuide, said: str) -> list[str]:
    """What is told to a caller who says this."""
    return [aside.say for aside in guide.asides if _heard(aside, said)]


def _heard(aside: Aside, said: str) -> bool:
    return any(re.search(pattern, said, re.IGNORECASE) for pattern in aside.heard)


def check_judged(pack: Pack) -> None:
    """Every task has criteria and checks, and its stated effects are those of its key."""
    assert pack.access is not None
    for task in pack.tasks:
        assert task.criteria, task.id
        assert task.checks, task.id
        changed = [call for call in task.expected if call.tool in pack.access.changes]
        stated = [check for check in task.checks if isinstance(check, ExactEffects)]
        effects = [effect for check in stated for effect in check.effects]
        assert [effect.tool for effect in effects] == [call.tool for call in changed], task.id
        for effect, call in zip(effects, changed, strict=True):
            for name, accepted in effect.arguments.items():
                assert call.arguments[name] in accepted, (task.id, name)
        called = {call.tool for call in task.expected}
        assert not called & {check.tool for check in task.checks if isinstance(check, ToolNotCalled)}, task.id
    assert list(judged_problems(pack)) == []
