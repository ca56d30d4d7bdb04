"""Rules that never fire, prompts, agent graphs, lists and patterns: each fault is one line with its place,
and none hides another.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook._packregex import without_slow_patterns
from offhook.graphs import HandOff
from offhook.packcheck import PackProblem, Severity, check_keys, check_pack
from offhook.packs import Aside, Cues, Pack, Table, TableRole, Tool, ToolContext, Trait
from offhook.values import ValueKind
from tests.core._packfaults import (
    PACK,
    Run,
    drawing,
    errors_of,
    graphed,
    listing,
    never_the_same,
    notes_of,
    told,
    with_guide,
    with_rules,
    with_run,
    with_task,
)

INTENT = PACK.tasks[1].intent
DAYS = [{"id": "d1", "day": "Monday"}, {"id": "d2", "day": "Friday"}]


def with_prompt(text: str) -> Pack:
    return attrs.evolve(PACK, agent=attrs.evolve(PACK.agent, prompt=f"{PACK.agent.prompt} {text}"))


def satisfied(*events: str, pack: Pack = PACK) -> Pack:
    return with_task(pack, intent=attrs.evolve(INTENT, satisfied=events))


def aside(*heard: str, say: str = "We close at six.") -> Pack:
    return attrs.evolve(PACK, guide=attrs.evolve(PACK.guide, asides=(Aside(heard, say),)))


FAULTS: list[tuple[str, Pack, str, str]] = [
    # rules that never fire
    (
        "never opened",
        with_rules({"note": {"unless": ("opened",)}}),
        "tasks/B-H1.rules[4].unless",
        "a rule that can fire; every call has 'opened' from its start",
    ),
    (
        "both ways",
        with_rules({"note": {"after": ("heard:price",), "unless": ("heard:price",)}}),
        "tasks/B-H1.rules[4].unless",
        "'heard:price' must have happened (after) and must not (unless)",
    ),
    (
        "a ring",
        with_rules({"verify": {"after": ("said:note",)}, "note": {"after": ("said:verify",)}}),
        "tasks/B-H1.rules[4].after",
        "it waits for itself: said:note after said:verify after said:note",
    ),
    (
        "after the end",
        with_rules({"note": {"after": ("said:done",)}, "done": {"after": ()}}),
        "tasks/B-H1.rules[4].after",
        "the call is over once rule 'done' has spoken",
    ),
    (
        "after what never fires",
        with_rules({"verify": {"unless": ("opened",)}, "note": {"after": ("said:verify",)}}),
        "tasks/B-H1.rules[4].after",
        "'said:verify' can't happen",
    ),
    (
        "barred by what it needs",
        with_rules(
            {
                "verify": {"after": ("heard:price",)},
                "note": {"after": ("said:verify",), "unless": ("heard:price",)},
            }
        ),
        "tasks/B-H1.rules[4].unless",
        "'heard:price' has always happened before what it is after",
    ),
    (
        "twice at most once",
        with_rules({"note": {"first_n": 2, "unless": ("said:note",)}}),
        "tasks/B-H1.rules[4].first_n",
        "1, as unless lists the rule's own said:note, got 2",
    ),
    (
        "an exception to everything",
        with_rules({"service": {"cues": Cues(all_of=("which|what",), none_of=("zebra", r"\w"))}}),
        "tasks/B-H1.rules[2].cues.none_of[1]",
        r"'\\w' is found in every sentence that the rule must fire on",
    ),
    # goals that are never met
    (
        "goal of a dead rule",
        satisfied("said:note", pack=with_rules({"note": {"unless": ("opened",)}})),
        "tasks/B-H1.intent.satisfied",
        "rule 'note' of 'said:note' never fires",
    ),
    (
        "two endings",
        satisfied(
            "said:done", "said:note", pack=with_rules({"note": {"ends_call": True}, "done": {"after": ()}})
        ),
        "tasks/B-H1.intent.satisfied",
        "each of 'said:done', 'said:note' ends it",
    ),
    (
        "each bars the other",
        satisfied(
            "said:verify",
            "said:note",
            pack=with_rules({"verify": {"unless": ("said:note",)}, "note": {"unless": ("said:verify",)}}),
        ),
        "tasks/B-H1.intent.satisfied",
        "each of 'said:verify' and 'said:note' bars the next",
    ),
    # prompt and graph
    (
        "misspelt tool",
        with_prompt("Use verify_ownr."),
        "agent.prompt",
        "got 'verify_ownr'; nearest: verify_owner",
    ),
    ("hand-off", with_prompt("Use transfer_to_gate."), "agent.prompt", "got 'transfer_to_gate'; "),
    (
        "tool of the pack only",
        attrs.evolve(PACK, agent=attrs.evolve(PACK.agent, tools=PACK.agent.tools[:-1])),
        "agent.prompt",
        "got 'end_call', which only the pack has",
    ),
    (
        "gate",
        attrs.evolve(PACK, gates=("verify_caller",)),
        "gates",
        "tools of the agent, got 'verify_caller'",
    ),
    ("desk's tool", graphed(desk_gate={"tools": ("find_bike",)}), "graph/gate.tools", "got 'find_bike'"),
    ("toolless", graphed(desk_gate={"tools": ("find_customer",)}), "graph.tools", "'verify_owner' has none"),
    (
        "unreached",
        graphed(desk_gate={"hands_to": ()}),
        "graph/bench",
        "a caller of front can be handed on to",
    ),
    ("silent desk", graphed(desk_bench={"instructions": " "}), "graph/bench.instructions", "some text"),
    ("no manner", graphed(manner=""), "graph.manner", "some text"),
    ("other company", graphed(company="Fernhill"), "graph.company", "'Fernhill Cycle Works' as the agent's"),
    (
        "no reason",
        graphed(desk_front={"hands_to": (HandOff("gate", " "),)}),
        "graph/front.hands_to",
        "to gate",
    ),
    (
        "another prompt",
        attrs.evolve(graphed(), agent=attrs.evolve(graphed().agent, prompt="Be brief.\n\n# Front\n")),
        "agent.prompt",
        "what graph.collapsed_prompt() gives; line 3 is '# Front', not '# Front desk'",
    ),
    (
        "hand-off kept",
        attrs.evolve(
            graphed(desk_front={"hands_to": (HandOff("gate", "b"), HandOff("bench", "c"))}),
            agent=attrs.evolve(PACK.agent, tools=(*PACK.agent.tools[:-1], "transfer_to_bench")),
        ),
        "agent.tools",
        "no hand-off in the collapsed agent, got 'transfer_to_bench'",
    ),
    # lists to choose from, asides
    (
        "no such list",
        listing(DAYS, source="list_days.slots"),
        "guide/leave_note.options[0].source",
        "list_days.slots",
    ),
    ("no list", listing("Monday"), "guide/leave_note.options[0].source", "list_days.days is none"),
    ("value", listing(DAYS, value="slot"), "guide/leave_note.options[0].value", "(id, day), got 'slot'"),
    ("label", listing(DAYS, label="on {date}"), "guide/leave_note.options[0].label", "got 'date'"),
    ("one label", listing(DAYS, label="a day"), "guide/leave_note.options[0].label", "tell entries apart"),
    ("names", listing(DAYS, names=("date",)), "guide/leave_note.options[0].names", "got 'date'"),
    ("parameter", listing(DAYS, parameter="day"), "guide/leave_note.options[0].parameter", "got 'day'"),
    ("question", listing(DAYS, question="Which?"), "guide/leave_note.options[0].question", "{options} in it"),
    ("most", listing(DAYS, most=0), "guide/leave_note.options[0].most", "at least 1, got 0"),
    ("source", listing(DAYS, source="days"), "guide/leave_note.options[0].source", "tool.field, got 'days'"),
    ("aside", aside("open", "(late"), "guide.asides[0].heard[1]", "a regular expression, got '(late'"),
    ("silent aside", aside("open", say=""), "guide.asides[0].say", "a line"),
    ("deaf aside", aside(), "guide.asides[0].heard", "without one it is never told"),
    ("leak in an aside", aside("open", say="Ask Nadia Okafor."), "guide.asides[0].say", "got 'Nadia Okafor'"),
    # patterns
    *(
        (
            f"slow {pattern}",
            with_rules({"service": {"cues": Cues(all_of=("which|what", pattern))}}),
            "tasks/B-H1.rules[2].cues.all_of[1]",
            f"got {pattern!r}, which takes ever longer",
        )
        for pattern in (
            r"(?:\w+\s?)+please$",
            r"^(a|aa)+$",
            r"price (?:\d+,?)+ dollars",
            r"(?:(?:very)*,? ?)*x",
        )
    ),
    ("slow aside", aside(r"(?:\w+\s*)*until"), "guide.asides[0].heard[0]", "takes ever longer"),
    # chance
    (
        "a draw",
        with_run("quote_repair", drawing),
        "tasks/B-H1.expected[2]",
        "same answer of quote_repair each time",
    ),
]


@pytest.mark.parametrize(
    ("pack", "where", "says"), [pytest.param(*fault[1:], id=fault[0]) for fault in FAULTS]
)
def test_a_fault_is_one_line_with_its_place(pack: Pack, where: str, says: str) -> None:
    found = [line for line in told(pack, where) if says in line]
    assert len(found) == 1, check_pack(pack)
    assert "\n" not in found[0]


def test_nothing_of_this_is_told_of_a_sound_pack() -> None:
    assert check_pack(PACK) == check_pack(graphed()) == check_pack(aside(r"\bopen\b")) == ()
    assert errors_of(listing(DAYS)) == []


@pytest.mark.parametrize(
    "pattern", [r"(?:\w+ )+please$", r"\b(?:a|an|the)\b.*\b(?:bike|bicycle)s?\b", r"(?:\d[ -]?){3,9}$"]
)
def test_a_repeat_that_matches_in_one_way_only_is_let_through(pattern: str) -> None:
    assert errors_of(aside(pattern)) == []


def test_a_word_that_may_be_no_tool_is_a_note() -> None:
    assert told(with_prompt("Say blue_bike."), "agent.prompt") == []
    (line,) = told(with_prompt("Say blue_bike. Ask for frame_last4."), "agent.prompt", Severity.NOTE)
    assert "got 'blue_bike'" in line


def test_a_date_that_a_line_says_in_words_is_stated() -> None:
    task = PACK.tasks[1]
    traits = (*task.traits, Trait("day", ValueKind.DATE, "2026-06-30"))
    assert len(notes_of(with_task(traits=traits))) == 1
    intent = attrs.evolve(task.intent, opening=f"{task.intent.opening} It was on June 30, 2026.")
    assert notes_of(with_task(traits=traits, intent=intent)) == []


def test_an_empty_list_and_a_desk_without_the_tool_it_names_are_notes() -> None:
    (line,) = told(listing([]), "guide/leave_note.options[0].source", Severity.NOTE)
    assert "list_days.days has an entry" in line
    pack = graphed(desk_front={"instructions": "Call quote_repair."})
    assert told(pack, "graph/front.instructions", Severity.NOTE) == [
        "expected tools of this desk, got 'quote_repair'"
    ]


def test_a_tool_that_no_key_calls_is_a_note_and_one_that_ends_calls_is_not() -> None:
    pack = attrs.evolve(PACK, tasks=PACK.tasks[1:])
    assert told(pack, "tools/get_service_price", Severity.NOTE) == ["expected a task whose key calls it"]
    assert [p.where for p in notes_of(pack) if "end_call" in p.where] == []


def test_one_rule_may_bar_another_that_comes_first() -> None:
    pack = with_rules({"verify": {"unless": ("said:note",)}})
    assert errors_of(satisfied("said:verify", "said:note", pack=pack)) == []


def test_a_prompt_that_goes_on_too_long_is_told_at_its_first_extra_line() -> None:
    pack = graphed()
    longer = attrs.evolve(pack, agent=attrs.evolve(pack.agent, prompt=pack.agent.prompt + "\n"))
    (line,) = told(longer, "agent.prompt")
    assert line.endswith(f"line {pack.agent.prompt.count(chr(10)) + 2} is '', not '(the end)'")


# --- all of them --------------------------------------------------------------------------------------------


def test_every_fault_of_a_pack_is_listed() -> None:
    tables = tuple(attrs.evolve(t, key=("id",)) if t.name == "notes" else t for t in PACK.tables)
    second = with_rules(
        {"note": {"unless": ("opened",)}, "service": {"cues": Cues(all_of=("(",))}},
        structure=attrs.evolve(PACK.tasks[1].structure, tool_calls=9),
    ).tasks[1]
    wrong_type = attrs.evolve(PACK.tasks[0], id="B-E2", rules=None)  # type: ignore[arg-type]
    refused = attrs.evolve(second.expected[1], arguments={"postal_code": "97405", "frame_last4": "1111"})
    third = attrs.evolve(PACK.tasks[1], id="B-H2", expected=(PACK.tasks[1].expected[0], refused))
    pack = attrs.evolve(
        PACK,
        version="",
        schema=PACK.schema + "CREATE TABLE extra (a TEXT);",
        seed=never_the_same(),
        tables=tables,
        tools=(*PACK.tools, attrs.evolve(PACK.tools[0], description="")),
        agent=attrs.evolve(
            PACK.agent, greeting="", tools=(*PACK.agent.tools, "fly"), prompt="Use quote_repare."
        ),
        guide=attrs.evolve(PACK.guide, goodbye=" ", tools=PACK.guide.tools[1:]),
        tasks=(PACK.tasks[0], PACK.tasks[0], second, third, wrong_type),
        gates=("nobody",),
    )
    found = {problem.where.removeprefix("bicycle-repair/") for problem in errors_of(pack)}
    assert found >= {
        "version",
        "tools",
        "tasks",
        "tasks/B-E2.rules",
        "tools/get_service_price.description",
        "agent.greeting",
        "agent.tools",
        "agent.prompt",
        "gates",
        "seed",
        "tables",
        "tables/notes.key",
        "tasks/B-H1.rules[2].cues.all_of[0]",
        "tasks/B-H1.rules[4].unless",
        "tasks/B-H1.structure.tool_calls",
        "tasks/B-H2.expected[1]",
        "guide.goodbye",
        "guide",
    }
    assert not any(where.startswith(("tasks/B-H1.expected", "tasks/B-H1.structure.rows")) for where in found)


def test_a_seed_that_fails_and_a_tool_of_the_wrong_type_hide_no_script() -> None:
    dead = with_rules({"identity": {"unless": ("opened",)}})
    for broken in (
        attrs.evolve(dead, schema="CREATE x"),
        attrs.evolve(dead, tools=(*PACK.tools, Tool("hum", "Hums.", (), None))),  # type: ignore[arg-type]
        attrs.evolve(dead, guide=None),  # type: ignore[arg-type]
        attrs.evolve(dead, agent="Robin"),  # type: ignore[arg-type]
        attrs.evolve(dead, tables=(*PACK.tables, Table("hum", "write", ("a",)))),  # type: ignore[arg-type]
    ):
        places = [problem.where for problem in errors_of(broken)]
        assert len(places) == 2
        assert "bicycle-repair/tasks/B-H1.rules[0].unless" in places


def test_a_table_that_is_declared_wrongly_is_the_only_thing_told() -> None:
    tables = (*PACK.tables[:-1], attrs.evolve(PACK.tables[-1], name="gates", role=TableRole.SESSION))
    assert [problem.where for problem in errors_of(attrs.evolve(PACK, tables=tables))] == [
        "bicycle-repair/tables",
        "bicycle-repair/tables/gates",
    ]


def test_two_packs_can_not_have_one_task() -> None:
    other = attrs.evolve(PACK, name="bicycle-rental")
    (problem, _) = check_keys([PACK, other])
    assert isinstance(problem, PackProblem)
    assert problem.where == "bicycle-rental/tasks/B-E1"
    assert "bicycle-repair/B-E1 is a task of bicycle-repair too" in problem.expected
    own = attrs.evolve(other, tasks=tuple(attrs.evolve(task, pack=other.name) for task in PACK.tasks))
    assert check_keys([PACK, own]) == ()


def test_a_problem_says_in_which_file_it_stands() -> None:
    files = {p.where: p.file for p in errors_of(attrs.evolve(with_rules({"note": {"line": ""}}), title=""))}
    assert files["bicycle-repair/title"].rpartition(":")[0].endswith("testing_pack.py")
    assert 'id="note"' in source_line(files["bicycle-repair/tasks/B-H1.rules[4].line"])
    (problem,) = errors_of(with_guide("leave_note", retry=("x",), asks=()))[:1]
    assert '"leave_note"' in source_line(problem.file)


def source_line(place: str) -> str:
    file, _, line = place.rpartition(":")
    return Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1]


def test_a_pack_with_a_folder_is_looked_up_in_its_files(tmp_path: Path) -> None:
    prompt = f"{PACK.agent.prompt}\n\nUse verify_ownr.\n"
    (tmp_path / "schema.sql").write_text(PACK.schema, encoding="utf-8")
    (tmp_path / "prompt.md").write_text(prompt, encoding="utf-8")
    (tmp_path / "tasks.py").write_text(
        "T = [\n    task('B-E1', 'a'),\n    task('B-H1', 'b')]\n", encoding="utf-8"
    )
    tables = tuple(attrs.evolve(t, key=("id",)) if t.name == "notes" else t for t in PACK.tables)
    pack = with_task(attrs.evolve(PACK, folder=tmp_path, tables=tables), title="", pack="other")
    pack = attrs.evolve(pack, agent=attrs.evolve(pack.agent, prompt=prompt))
    files = {problem.where.partition("/")[2]: problem.file for problem in errors_of(pack)}
    assert source_line(files["tables/notes.key"]) == "CREATE TABLE notes ("
    assert files["agent.prompt"] == f"{tmp_path / 'prompt.md'}:1"
    assert files["tasks/B-H1.pack"] == f"{tmp_path / 'tasks.py'}:3"


def test_a_pattern_slow_at_texts_that_grow_fast_is_found_without_waiting_for_one() -> None:
    for pattern in (r"(\s*\w*\s*)*q", r".*.*.*.*.*.*.*.*=.*x"):
        assert [problem.where for problem in errors_of(aside(pattern))] == [
            f"{PACK.name}/guide.asides[0].heard[0]"
        ]


def test_tasks_with_slow_patterns_are_kept_from_the_callers() -> None:
    pack = with_rules({"service": {"cues": Cues(all_of=("(a+)+$",))}})
    assert [task.id for task in without_slow_patterns(pack).tasks] == ["B-E1"]
    assert without_slow_patterns(PACK) == PACK


def test_what_a_tool_raises_stays_one_line() -> None:
    def raising(run: Run) -> Run:
        def tool(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
            raise ValueError("first\nsecond\x1b[31m")

        return tool

    lines = [str(problem) for problem in errors_of(with_run("get_service_price", raising))]
    assert len(lines) == 1
    assert "ValueError: first second\\x1b[31m" in lines[0]


def test_a_tool_that_closes_the_database_is_told_and_hides_nothing() -> None:
    def closing(run: Run) -> Run:
        def tool(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
            context.db.close()
            return {}

        return tool

    pack = attrs.evolve(with_run("get_service_price", closing), title="")
    assert [problem.where.removeprefix("bicycle-repair/") for problem in errors_of(pack)] == [
        "title",
        "tasks/B-E1.expected[0]",
    ]


def test_a_pack_without_tasks_is_told() -> None:
    assert told(attrs.evolve(PACK, tasks=()), "tasks") == [
        "expected at least one task; there is nobody to call"
    ]


def test_a_folder_that_is_not_the_packs_own_is_told(tmp_path: Path) -> None:
    assert told(attrs.evolve(PACK, folder=tmp_path), "folder") == []
    (missing,) = told(attrs.evolve(PACK, folder=tmp_path / "gone"), "folder")
    assert missing.endswith("gone, which is none")
    (large,) = told(attrs.evolve(PACK, folder=Path("/usr")), "folder")
    assert (
        large
        == "expected the folder of this pack's own files, got /usr, in which there are more than 5000 files"
    )
