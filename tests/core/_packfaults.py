"""Ways to break the bicycle pack, for the tests of what packs are checked for."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from offhook.graphs import AgentGraph, HandOff, Specialist
from offhook.packcheck import PackProblem, Severity, check_pack
from offhook.packs import ExpectedCall, Options, Pack, Task, Tool, ToolContext, ToolGuide
from offhook.testing_pack import bicycle_pack

__all__ = [
    "PACK",
    "Run",
    "drawing",
    "errors_of",
    "graphed",
    "listing",
    "never_the_same",
    "notes_of",
    "told",
    "with_guide",
    "with_rules",
    "with_run",
    "with_task",
]

PACK = bicycle_pack()
Run = Callable[[ToolContext, Mapping[str, Any]], Mapping[str, Any]]


def with_task(pack: Pack = PACK, /, **change: Any) -> Pack:
    """Something changed in the second task, B-H1."""
    return attrs.evolve(pack, tasks=(pack.tasks[0], attrs.evolve(pack.tasks[1], **change), *pack.tasks[2:]))


def with_rules(change: Mapping[str, Mapping[str, Any]], **task: Any) -> Pack:
    """Some rules of B-H1 changed, by id."""
    rules = tuple(attrs.evolve(rule, **change.get(rule.id, {})) for rule in PACK.tasks[1].rules)
    return with_task(rules=rules, **task)


def with_guide(tool: str, pack: Pack = PACK, /, **change: Any) -> Pack:
    tools = tuple(attrs.evolve(item, **change) if item.tool == tool else item for item in pack.guide.tools)
    return attrs.evolve(pack, guide=attrs.evolve(pack.guide, tools=tools))


def with_run(name: str, wrap: Callable[[Run], Run]) -> Pack:
    """One tool's function wrapped."""
    tools = tuple(
        attrs.evolve(tool, run=wrap(tool.run)) if tool.name == name else tool for tool in PACK.tools
    )
    return attrs.evolve(PACK, tools=tools)


def graphed(**change: Any) -> Pack:
    """The pack with a department of three desks; ``change`` goes into its graph, ``desk_<name>`` into one of
    its desks.
    """
    desks = [
        Specialist("front", "Front desk", "Give prices.", ("get_service_price",), (HandOff("gate", "a"),)),
        Specialist(
            "gate",
            "Identity",
            "Ask who it is.",
            ("find_customer", "verify_owner"),
            (HandOff("bench", "they are known"),),
        ),
        Specialist("bench", "Bookings", "Book.", ("quote_repair", "confirm_repair", "leave_note")),
    ]
    desks = [attrs.evolve(desk, **change.pop(f"desk_{desk.name}", {})) for desk in desks]
    graph = AgentGraph("Fernhill Cycle Works", "Be brief.", "End with end_call.", tuple(desks))
    graph = attrs.evolve(graph, **change)
    agent = attrs.evolve(PACK.agent, prompt=graph.collapsed_prompt())
    return attrs.evolve(PACK, graph=graph, agent=agent)


def listing(days: Any, **option: Any) -> Pack:
    """The pack with a tool that lists days, of which its guide lets the caller choose one."""

    def list_days(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"days": days}

    plain = Options("note", "list_days.days", "id", "{day}", "Which day: {options}?", names=("day",))
    task: Task = PACK.tasks[1]
    structure = attrs.evolve(task.structure, tool_calls=task.structure.tool_calls + 1)
    tool = Tool("list_days", "The days there are.", (), list_days)
    pack = attrs.evolve(
        PACK,
        tools=(*PACK.tools, tool),
        agent=attrs.evolve(PACK.agent, tools=(*PACK.agent.tools, tool.name)),
        guide=attrs.evolve(PACK.guide, tools=(*PACK.guide.tools, ToolGuide("list_days"))),
    )
    pack = with_task(pack, expected=(*task.expected, ExpectedCall("list_days")), structure=structure)
    return with_guide("leave_note", pack, asks=(), options=(attrs.evolve(plain, **option),))


def drawing(run: Run) -> Run:
    """A tool that answers differently each time."""
    numbers = itertools.count()
    return lambda context, arguments: {**run(context, arguments), "luck": next(numbers)}


def never_the_same() -> Callable[[sqlite3.Connection], None]:
    """A seed that differs each time."""
    numbers = itertools.count()

    def seed(db: sqlite3.Connection) -> None:
        PACK.seed(db)
        db.execute("INSERT INTO services VALUES ('extra', ?, 1)", (str(next(numbers)),))

    return seed


def told(pack: Pack, where: str, severity: Severity = Severity.ERROR) -> list[str]:
    """What is told of a place below the pack."""
    place = f"{pack.name}/{where}"
    return [p.expected for p in check_pack(pack) if p.where == place and p.severity is severity]


def errors_of(pack: Pack) -> list[PackProblem]:
    return [problem for problem in check_pack(pack) if problem.severity is Severity.ERROR]


def notes_of(pack: Pack) -> list[PackProblem]:
    return [problem for problem in check_pack(pack) if problem.severity is Severity.NOTE]
