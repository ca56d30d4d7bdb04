"""Checks of the agent against the department it was collapsed from, and of the tools that texts name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from offhook._packplace import source_strings
from offhook._packproblem import PackProblem, error, note
from offhook.graphs import AgentGraph
from offhook.packs import Pack

__all__ = ["gate_problems", "graph_problems", "naming_problems"]

_SNAKE: Final = re.compile(r"(?<![\w/.@-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w@])")
_NEAR: Final = 0.8


def gate_problems(pack: Pack) -> Iterator[PackProblem]:
    """Gates are tools of the agent."""
    for gate in pack.gates:
        if gate not in pack.agent.tools:
            yield error(f"{pack.name}/gates", f"tools of the agent, got {gate!r}")


def graph_problems(pack: Pack) -> Iterator[PackProblem]:
    """The department and the collapsed agent say the same."""
    graph = pack.graph
    if graph is None:
        return
    where = f"{pack.name}/graph"
    if graph.company != pack.agent.company:
        yield error(f"{where}.company", f"{pack.agent.company!r} as the agent's, got {graph.company!r}")
    for field in ("manner", "session"):
        if not getattr(graph, field).strip():
            yield error(f"{where}.{field}", "some text")
    known = {tool.name for tool in pack.tools}
    for desk in graph.specialists:
        place = f"{where}/{desk.name}"
        for field in ("title", "instructions"):
            if not getattr(desk, field).strip():
                yield error(f"{place}.{field}", "some text")
        for name in desk.tools:
            if name not in known:
                yield error(f"{place}.tools", f"tools of the pack, got {name!r}")
        for step in desk.hands_to:
            if not step.when.strip():
                yield error(f"{place}.hands_to", f"when it hands over to {step.to}")
    for name in _unreached(graph):
        yield error(
            f"{where}/{name}", f"a desk that a caller of {graph.specialists[0].name} can be handed on to"
        )
    yield from _collapsed(where, pack, graph)


def _collapsed(where: str, pack: Pack, graph: AgentGraph) -> Iterator[PackProblem]:
    session = {tool.name for tool in pack.tools if tool.ends_call}
    wanted, found = set(graph.business_tools) | session, set(pack.agent.tools)
    for name in sorted(wanted - found):
        yield error(
            f"{pack.name}/agent.tools", f"every tool of a desk and of the session, {name!r} is missing"
        )
    for name in sorted(found - wanted):
        yield error(f"{where}.tools", f"a desk for every tool of the agent, {name!r} has none")
    for name in graph.hand_off_tools:
        if name in found:
            yield error(f"{pack.name}/agent.tools", f"no hand-off in the collapsed agent, got {name!r}")
    made, told = graph.collapsed_prompt(), pack.agent.prompt
    if made != told:
        line, want, got = _first_difference(made, told)
        yield error(
            f"{pack.name}/agent.prompt",
            f"what graph.collapsed_prompt() gives; line {line} is {got!r}, not {want!r}",
        )


def _first_difference(made: str, told: str) -> tuple[int, str, str]:
    """The number of the line, and how it should be and is; the end counts as a line."""
    pairs = zip_longest(made.split("\n"), told.split("\n"), fillvalue="(the end)")
    for number, (want, got) in enumerate(pairs, start=1):
        if want != got:
            return number, _short(want), _short(got)
    raise ValueError("the texts are equal")


def _short(line: str) -> str:
    return line if len(line) <= 60 else line[:57] + "..."


def _unreached(graph: AgentGraph) -> list[str]:
    seen: set[str] = set()
    ahead = [graph.specialists[0].name]
    while ahead:
        name = ahead.pop()
        if name not in seen:
            seen.add(name)
            ahead += [step.to for step in graph.specialist(name).hands_to]
    return [desk.name for desk in graph.specialists if desk.name not in seen]


def naming_problems(
    pack: Pack, responses: Mapping[str, Sequence[Mapping[str, Any]]], *, answered: bool
) -> Iterator[PackProblem]:
    """Tools that texts speak of and the agent lacks. ``responses`` are answers of the tools: the names of
    their fields are no tools. Without any (``answered``), only what must be a tool is told.
    """
    tools, agent = {tool.name for tool in pack.tools}, set(pack.agent.tools)
    other = _other_words(pack, responses)
    for where, text in _texts(pack):
        for word in _words(text):
            if word in agent or (word in other and word not in tools):
                continue
            like = _like_a_tool(word, pack)
            if like:
                yield error(where, f"tools of the agent, got {word!r}{like}")
            elif answered:
                yield note(where, f"tools, their parameters and their answers, got {word!r}")
    for desk in pack.graph.specialists if pack.graph is not None else ():
        own = {*desk.tools, *(step.tool for step in desk.hands_to)}
        own |= {tool.name for tool in pack.tools if tool.ends_call}
        for word in _words(desk.instructions):
            if word in tools and word not in own:
                yield note(f"{pack.name}/graph/{desk.name}.instructions", f"tools of this desk, got {word!r}")


def _words(text: str) -> list[str]:
    return sorted(set(_SNAKE.findall(text)))


def _texts(pack: Pack) -> Iterator[tuple[str, str]]:
    """What the agent reads."""
    yield f"{pack.name}/agent.prompt", pack.agent.prompt
    for tool in pack.tools:
        where = f"{pack.name}/tools/{tool.name}"
        yield f"{where}.description", tool.description
        for parameter in tool.parameters:
            yield f"{where}.{parameter.name}.description", parameter.description


def _other_words(pack: Pack, responses: Mapping[str, Sequence[Mapping[str, Any]]]) -> set[str]:
    words = {parameter.name for tool in pack.tools for parameter in tool.parameters}
    words |= {
        choice.value for tool in pack.tools for parameter in tool.parameters for choice in parameter.choices
    }
    words |= {code for guide in pack.guide.tools for code in (*guide.refused, *guide.retry)}
    words |= {table.name for table in pack.tables} | source_strings(pack)
    for answers in responses.values():
        for answer in answers:
            words |= set(_strings(answer))
    return words


def _strings(value: object) -> Iterator[str]:
    """The names of fields, and the values, of an answer."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)
    elif isinstance(value, str):
        yield value


def _like_a_tool(word: str, pack: Pack) -> str:
    """Why a word must be meant as a tool; empty if it need not be."""
    names = [tool.name for tool in pack.tools]
    if word in names:
        return ", which only the pack has"
    near = difflib.get_close_matches(word, names, n=1, cutoff=_NEAR)
    if near:
        return f"; nearest: {near[0]}"
    verbs = {name.split("_")[0] for name in names if "_" in name}
    return "; it begins as tools do" if word.split("_")[0] in verbs else ""
