"""Every kind of defect in a pack is told with its place and what was expected there."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest

from offhook.packcheck import PackProblem, Severity, check_pack
from offhook.packs import (
    Ask,
    Choice,
    Cues,
    CueTest,
    Pack,
    Parameter,
    Task,
    Tool,
    ToolContext,
    ToolGuide,
    Topic,
    Trait,
)
from offhook.testing_pack import bicycle_pack
from offhook.values import ValueKind

PACK = bicycle_pack()


def with_task(**change: Any) -> Pack:
    """The pack with something changed in its second task, B-H1."""
    return attrs.evolve(PACK, tasks=(PACK.tasks[0], attrs.evolve(PACK.tasks[1], **change)))


def with_rule(index: int, **change: Any) -> Pack:
    rules = PACK.tasks[1].rules
    changed = attrs.evolve(rules[index], **change)
    return with_task(rules=(*rules[:index], changed, *rules[index + 1 :]))


def with_expected(index: int, **change: Any) -> Pack:
    expected = PACK.tasks[1].expected
    changed = attrs.evolve(expected[index], **change)
    return with_task(expected=(*expected[:index], changed, *expected[index + 1 :]))


def with_guide(tool: str, **change: Any) -> Pack:
    tools = tuple(attrs.evolve(item, **change) if item.tool == tool else item for item in PACK.guide.tools)
    return attrs.evolve(PACK, guide=attrs.evolve(PACK.guide, tools=tools))


def with_table(name: str, /, **change: Any) -> Pack:
    tables = tuple(attrs.evolve(table, **change) if table.name == name else table for table in PACK.tables)
    return attrs.evolve(PACK, tables=tables)


def with_tool(name: str, /, **change: Any) -> Pack:
    tools = tuple(attrs.evolve(tool, **change) if tool.name == name else tool for tool in PACK.tools)
    return attrs.evolve(PACK, tools=tools)


def with_agent(**change: Any) -> Pack:
    return attrs.evolve(PACK, agent=attrs.evolve(PACK.agent, **change))


def nothing(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return {}


def leaves(*_: Any) -> Any:
    raise SystemExit(4)


def never_the_same() -> Callable[[sqlite3.Connection], None]:
    numbers = itertools.count()

    def seed(db: sqlite3.Connection) -> None:
        PACK.seed(db)
        db.execute("INSERT INTO services VALUES ('extra', ?, 1)", (str(next(numbers)),))

    return seed


def test_a_sound_pack_has_no_problems() -> None:
    assert check_pack(PACK) == ()


FEW = tuple(CueTest(f"sentence {index}", index < 4) for index in range(6))
BAD_CHOICES = (Choice("a", "first", ("either",)), Choice("b", "second", ("Either",)))

DEFECTS: list[tuple[str, Pack, str, str]] = [
    # types
    ("list for tuple", with_task(rules=[]), "tasks/B-H1.rules", "a tuple, got list []"),
    ("no cues", with_rule(2, cues=None), "tasks/B-H1.rules[2].cues", "Cues, got NoneType None"),
    ("number for text", with_rule(0, line=7), "tasks/B-H1.rules[0].line", "str, got int 7"),
    ("text for a tier", with_task(tier="hard"), "tasks/B-H1.tier", "Tier, got str 'hard'"),
    ("first_n", with_rule(0, first_n="2"), "tasks/B-H1.rules[0].first_n", "int or None, got str '2'"),
    ("no function", with_tool("end_call", run=None), "tools/end_call.run", "a function, got NoneType None"),
    (
        "no kind",
        with_table("bikes", kinds={"model": "text"}),
        "tables/bikes.kinds['model']",
        "ValueKind or ColumnKind, got str",
    ),
    (
        "list of arguments",
        with_expected(0, arguments=[]),
        "tasks/B-H1.expected[0].arguments",
        "a mapping, got list",
    ),
    ("guide", with_guide("end_call", say=None), "guide/end_call.say", "str, got NoneType"),
    # names
    (
        "pack name",
        attrs.evolve(PACK, name="Bicycle Repair"),
        "name",
        "lower-case letters, digits and hyphens",
    ),
    ("version", attrs.evolve(PACK, version=" "), "version", "some text"),
    *(
        (f"version {version[:9]!r}", attrs.evolve(PACK, version=version), "version", "a version such as")
        for version in ("../../x", "1\0", "9" * 300, "1/2")
    ),
    ("long name", attrs.evolve(PACK, name="a" * 300), "name", "at most 64"),
    (
        "ids that differ by case",
        attrs.evolve(PACK, tasks=(*PACK.tasks, attrs.evolve(PACK.tasks[0], id="b-e1"))),
        "tasks",
        "got 'B-E1' and 'b-e1'",
    ),
    # what must not end the check
    ("no tools", attrs.evolve(PACK, tools=()), "agent.tools", "tools of the pack, got 'get_service_price'"),
    ("tool renamed", with_tool("end_call", name="a b"), "agent.tools", "tools of the pack, got 'end_call'"),
    ("seed that leaves", attrs.evolve(PACK, seed=leaves), "seed", "a database, got: pack bicycle-repair"),
    ("tool that leaves", with_tool("verify_owner", run=leaves), "tasks/B-H1.expected[1]", "SystemExit: 4"),
    (
        "threshold that is no number",
        with_rule(1, cues=Cues(like=("Hi.",), threshold=float("nan"))),
        "tasks/B-H1.rules[1].cues.threshold",
        "float, got float nan",
    ),
    # leaks
    ("leaked name", with_agent(prompt="Ask for nadia\nokafor."), "agent.prompt", "got 'Nadia Okafor'"),
    ("leaked phone", with_agent(greeting="Is this (541) 555 0148?"), "agent.greeting", "must know"),
    (
        "leaked ZIP",
        with_tool("verify_owner", description="Such as 97405."),
        "tools/verify_owner.description",
        "got '97405'",
    ),
    (
        "leak in the guide",
        with_guide("leave_note", say="Thanks, Nadia Okafor."),
        "guide/leave_note.say",
        "got 'Nadia Okafor'",
    ),
    ("stable key of a log", with_table("notes", volatile=("body",)), "tables/notes.volatile", "of the key"),
    (
        "same task twice",
        attrs.evolve(PACK, tasks=PACK.tasks * 2),
        "tasks",
        "each name once, got 'B-E1' 2 times",
    ),
    ("same tool twice", attrs.evolve(PACK, tools=PACK.tools * 2), "tools", "each name once"),
    ("same table twice", attrs.evolve(PACK, tables=PACK.tables * 2), "tables", "each name once"),
    (
        "same rule twice",
        with_rule(0, id="verify"),
        "tasks/B-H1.rules",
        "each name once, got 'verify' 2 times",
    ),
    ("foreign task", with_task(pack="legal"), "tasks/B-H1.pack", "'bicycle-repair', got 'legal'"),
    ("task id", with_task(id="B/H1"), "tasks/B/H1.id", "letters, digits, dots"),
    # tools and agent
    (
        "tool name",
        attrs.evolve(PACK, tools=(*PACK.tools, Tool("Say Hi", "Hi.", (), nothing))),
        "tools/Say Hi",
        "a name of at most 64 lower-case letters",
    ),
    ("tool description", with_tool("end_call", description=""), "tools/end_call.description", "when to call"),
    (
        "length of a phone",
        with_tool(
            "end_call", parameters=(Parameter("p", ValueKind.PHONE, "Phone", required=False, length=10),)
        ),
        "tools/end_call.p.length",
        "on a digits parameter only",
    ),
    (
        "choices of a name",
        with_tool(
            "end_call",
            parameters=(Parameter("p", ValueKind.NAME, "P", required=False, choices=BAD_CHOICES[:1]),),
        ),
        "tools/end_call.p.choices",
        "choices on a text parameter only, got kind name",
    ),
    (
        "one alias, two choices",
        with_tool(
            "end_call", parameters=(Parameter("p", ValueKind.TEXT, "P", required=False, choices=BAD_CHOICES),)
        ),
        "tools/end_call.p.choices",
        "'either' names 'a' and 'b'",
    ),
    (
        "agent's unknown tool",
        with_agent(tools=(*PACK.agent.tools, "fly")),
        "agent.tools",
        "tools of the pack, got 'fly'",
    ),
    ("prompt", with_agent(prompt=""), "agent.prompt", "some text"),
    # database
    (
        "schema",
        attrs.evolve(PACK, schema="CREATE x"),
        "seed",
        "a database, got: pack bicycle-repair: schema or seed",
    ),
    ("seed differs", attrs.evolve(PACK, seed=never_the_same()), "seed", "the same rows each time it runs"),
    (
        "time of day",
        attrs.evolve(PACK, schema=PACK.schema + "CREATE TABLE log (at TEXT DEFAULT CURRENT_TIMESTAMP);"),
        "schema",
        "nothing that differs from call to call, got 'CURRENT_TIMESTAMP'",
    ),
    ("table without role", attrs.evolve(PACK, tables=PACK.tables[1:]), "tables", "'services' has none"),
    ("role without table", with_table("notes", name="memos"), "tables/memos", "a table of the schema"),
    (
        "key column",
        with_table("notes", key=("id",)),
        "tables/notes.key",
        "columns of the table (note_id, bike_id",
    ),
    ("volatile column", with_table("notes", volatile=("when",)), "tables/notes.volatile", "got 'when'"),
    (
        "key that is not one",
        with_table("repairs", key=("service",)),
        "tables/repairs.key",
        "the primary key or a unique",
    ),
    # script
    ("no cue at all", with_rule(1, cues=Cues()), "tasks/B-H1.rules[1].cues", "it can never match"),
    (
        "broken pattern",
        with_rule(1, cues=Cues(all_of=("fine", "(unclosed"))),
        "tasks/B-H1.rules[1].cues.all_of[1]",
        "a regular expression, got '(unclosed'",
    ),
    (
        "broken exception",
        with_rule(1, cues=Cues(all_of=("fine",), none_of=("*",))),
        "tasks/B-H1.rules[1].cues.none_of[0]",
        "a regular expression",
    ),
    (
        "threshold",
        with_rule(1, cues=Cues(like=("Hi.",), threshold=62)),
        "tasks/B-H1.rules[1].cues.threshold",
        "got 62",
    ),
    (
        "topic",
        with_task(topics=(*PACK.tasks[1].topics, Topic("x", Cues()))),
        "tasks/B-H1.topics[2].cues",
        "never match",
    ),
    (
        "unknown event",
        with_rule(5, after=("said:nothing",)),
        "tasks/B-H1.rules[5].after",
        "got 'said:nothing'",
    ),
    (
        "misspelt event",
        with_rule(5, unless=("hear:price",)),
        "tasks/B-H1.rules[5].unless",
        "got 'hear:price'",
    ),
    (
        "given",
        with_rule(0, tests=(*PACK.tasks[1].rules[0].tests, CueTest("Hi.", False, ("said:x",)))),
        "tasks/B-H1.rules[0].tests[6].given",
        "got 'said:x'",
    ),
    ("too few tests", with_rule(0, tests=FEW), "tasks/B-H1.rules[0].tests", "3 that must not, got 4 and 2"),
    ("empty line", with_rule(0, line=" "), "tasks/B-H1.rules[0].line", "some text"),
    ("never fires", with_rule(0, first_n=0), "tasks/B-H1.rules[0].first_n", "at least 1, or None"),
    (
        "satisfied",
        with_task(intent=attrs.evolve(PACK.tasks[1].intent, satisfied=("done",))),
        "tasks/B-H1.intent.satisfied",
        "got 'done'",
    ),
    (
        "trait of another kind",
        with_task(traits=(Trait("phone", ValueKind.PHONE, "555"),)),
        "tasks/B-H1.traits[0].value",
        "ten digits",
    ),
    # key
    (
        "refused replay",
        with_expected(1, arguments={"postal_code": "97405", "frame_last4": "7731"}),
        "tasks/B-H1.expected[1]",
        "a call that verify_owner accepts, got: refused with not_verified (frame_last4)",
    ),
    (
        "unknown tool",
        with_expected(1, tool="fly"),
        "tasks/B-H1.expected[1]",
        "got: the agent has no such tool",
    ),
    (
        "free text constrained",
        with_expected(4, arguments={"note": "x"}, free_text={}),
        "tasks/B-H1.expected[4].arguments",
        "'note' belongs in free_text or carry",
    ),
    (
        "constrained as free text",
        with_expected(2, arguments={}, free_text={"service": "brakes"}),
        "tasks/B-H1.expected[2].free_text",
        "'service' is constrained",
    ),
    (
        "argument in two",
        with_expected(4, carry={"note": "find_customer.first_name"}),
        "tasks/B-H1.expected[4]",
        "got 'note' in two",
    ),
    (
        "alternative of nothing",
        with_expected(2, alternatives={"colour": ("red",)}),
        "tasks/B-H1.expected[2].alternatives",
        "arguments of this call, got 'colour'",
    ),
    (
        "impossible alternative",
        with_expected(2, alternatives={"service": ("paint",)}),
        "tasks/B-H1.expected[2].alternatives['service']",
        "values that quote_repair takes, got 'paint'",
    ),
    (
        "forbidden and expected",
        with_task(forbidden_tools=("leave_note",)),
        "tasks/B-H1.forbidden_tools",
        "nothing that the key calls",
    ),
    (
        "forbidden and unknown",
        with_task(forbidden_tools=("fly",)),
        "tasks/B-H1.forbidden_tools",
        "tools of the agent",
    ),
    *(
        (
            field,
            with_task(structure=attrs.evolve(PACK.tasks[1].structure, **{field: 9})),
            f"tasks/B-H1.structure.{field}",
            f"{number}, as its key comes to, got 9",
        )
        for field, number in (("tool_calls", 5), ("constrained_args", 6), ("rows_written", 4))
    ),
    # guide
    (
        "guide to no tool",
        attrs.evolve(PACK, guide=attrs.evolve(PACK.guide, tools=(*PACK.guide.tools, ToolGuide("fly")))),
        "guide/fly",
        "a tool of the pack",
    ),
    (
        "tool without guide",
        attrs.evolve(PACK, guide=attrs.evolve(PACK.guide, tools=PACK.guide.tools[1:])),
        "guide",
        "a guide for get_service_price, which tasks call",
    ),
    (
        "ask",
        with_guide("leave_note", asks=(Ask(("colour",), "Which?", "Again?"),)),
        "guide/leave_note.asks[0]",
        "parameters of leave_note, got 'colour'",
    ),
    ("nothing asks", with_guide("leave_note", asks=()), "guide/leave_note", "nothing fills note"),
    (
        "consent",
        with_guide("confirm_repair", consent="quote_id"),
        "guide/confirm_repair.consent",
        "a yes_no parameter",
    ),
    (
        "consent without proposal",
        with_guide("confirm_repair", propose=""),
        "guide/confirm_repair.propose",
        "the question whose yes sets 'price_accepted'",
    ),
    ("retry", with_guide("confirm_repair", retry=("x",)), "guide/confirm_repair.retry", "asks to go back to"),
    (
        "carry",
        with_guide("confirm_repair", carry={"quote_id": "quote_repair.id"}),
        "guide/confirm_repair.carry",
        "a field that quote_repair returns, got 'quote_repair.id'",
    ),
    (
        "unknown field",
        with_guide("leave_note", say="Thanks, {name}."),
        "guide/leave_note.say",
        "{parameter} of leave_note or {tool.field}, got {name}",
    ),
    (
        "unknown tool in a template",
        with_guide("leave_note", say="{fly.high}"),
        "guide/leave_note.say",
        "a tool of the pack in 'fly.high'",
    ),
    (
        "unknown result field",
        with_guide("quote_repair", say="{quote_repair.total}"),
        "guide/quote_repair.say",
        "a field that quote_repair returns, got 'quote_repair.total'",
    ),
    (
        "format",
        with_guide("quote_repair", say="{quote_repair.price:>9}"),
        "guide/quote_repair.say",
        "{tool.field}, got",
    ),
    (
        "brace",
        with_guide("quote_repair", refused={"x": "Oh {"}),
        "guide/quote_repair.refused['x']",
        "a template",
    ),
    ("goodbye", attrs.evolve(PACK, guide=attrs.evolve(PACK.guide, goodbye="")), "guide.goodbye", "a line"),
]


@pytest.mark.parametrize(
    ("pack", "where", "told"), [pytest.param(*defect[1:], id=defect[0]) for defect in DEFECTS]
)
def test_a_defect_is_told_with_its_place(pack: Pack, where: str, told: str) -> None:
    errors = [problem for problem in check_pack(pack) if problem.severity is Severity.ERROR]
    place = f"{pack.name}/{where}"
    found = [problem for problem in errors if problem.where == place and told in problem.expected]
    assert found, errors


def test_a_wrong_type_hides_nothing_else() -> None:
    pack = attrs.evolve(with_rule(2, cues=None), version="")
    places = [problem.where for problem in check_pack(pack) if problem.severity is Severity.ERROR]
    assert places == ["bicycle-repair/tasks/B-H1.rules[2].cues", "bicycle-repair/version"]


def test_what_is_not_a_pack_is_told() -> None:
    assert check_pack({"name": "x"}) == (PackProblem("dict", "expected an offhook.packs.Pack"),)  # type: ignore[arg-type]


def test_notes_do_not_make_a_pack_unfit() -> None:
    traits = (*PACK.tasks[1].traits, Trait("email", ValueKind.EMAIL, "nadia@example.com"))
    spare = Tool("hum", "Hums while the caller waits.", (), nothing)
    pack = attrs.evolve(with_task(traits=traits), tools=(*PACK.tools, spare))
    problems = check_pack(pack)
    assert [(problem.where, problem.severity) for problem in problems] == [
        ("bicycle-repair/agent.tools", Severity.NOTE),
        ("bicycle-repair/tasks/B-H1.traits[5]", Severity.NOTE),
    ]
    assert "email (nadia@example.com)" in problems[1].expected


def test_fields_of_a_tool_that_no_task_calls_are_one_note() -> None:
    pack = with_guide("transfer_to_human", say="Ticket {transfer_to_human.ticket}, {transfer_to_human.name}.")
    (problem,) = check_pack(pack)
    assert (problem.where, problem.severity) == ("bicycle-repair/guide", Severity.NOTE)
    assert "a task that calls transfer_to_human" in problem.expected


def test_a_pack_may_have_tasks_without_calls() -> None:
    structure = attrs.evolve(PACK.tasks[1].structure, tool_calls=0, constrained_args=0, rows_written=0)
    task: Task = attrs.evolve(PACK.tasks[1], expected=(), structure=structure)
    problems = check_pack(attrs.evolve(PACK, tasks=(PACK.tasks[0], task)))
    assert all(problem.severity is Severity.NOTE for problem in problems)


def test_data_that_json_cannot_hold_is_told() -> None:
    problems = check_pack(with_expected(1, arguments={"postal_code": float("nan")}))

    assert any(problem.where == PACK.name and "JSON can hold" in problem.expected for problem in problems)


def test_a_version_may_have_a_plus_and_a_prompt_other_numbers() -> None:
    agent = attrs.evolve(PACK.agent, prompt=PACK.agent.prompt + " Call 541-555-01489 or 974051.")

    assert check_pack(attrs.evolve(PACK, version="1.0.0+build_2", agent=agent)) == ()
