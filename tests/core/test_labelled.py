"""Labelled turns: their file, their place in a task, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.labelled import read_examples, with_examples
from offhook.packcheck import Severity, check_pack
from offhook.packs import Example, Pack
from offhook.testing_pack import bicycle_pack

PACK = bicycle_pack()
TURN = {"task": "B-H1", "sentence": "Who am I talking to?", "rule": "identity", "given": ["opened"]}


def written(folder: Path, *turns: Any) -> Path:
    path = folder / "turns.jsonl"
    path.write_text("".join(f"{json.dumps(turn)}\n" for turn in turns), encoding="utf-8")
    return path


def test_turns_are_kept_by_task_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = written(
        tmp_path, TURN, {**TURN, "task": "B-E1", "rule": None}, {**TURN, "sentence": "Hm?", "given": []}
    )
    assert read_examples(path) == {
        "B-H1": (Example("Who am I talking to?", "identity", ("opened",)), Example("Hm?", "identity")),
        "B-E1": (Example("Who am I talking to?", "", ("opened",)),),
    }


def test_each_task_gets_its_own(tmp_path: Path) -> None:
    tasks = with_examples(PACK.tasks, written(tmp_path, TURN))
    assert {task.id: len(task.examples) for task in tasks if task.examples} == {"B-H1": 1}
    assert [attrs.evolve(task, examples=()) for task in tasks] == list(PACK.tasks)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("not json", "JSON on one line"),
        ("[]", "a JSON object is wanted"),
        (json.dumps({"task": "B-H1", "sentence": "Hello.", "rule": None}), "given missing"),
        (json.dumps({**TURN, "when": "now"}), "when unknown"),
        (json.dumps({**TURN, "task": 1}), "task is a text"),
        (json.dumps({**TURN, "sentence": " ... "}), "sentence is a text with words"),
        (json.dumps({**TURN, "sentence": 7}), "sentence is a text with words"),
        (json.dumps({**TURN, "rule": 5}), "rule is the id of a rule, or null"),
        (json.dumps({**TURN, "given": None}), "given is a list of events"),
        (json.dumps({**TURN, "given": "said:identity"}), "given is a list of events"),
    ],
)
def test_a_line_that_is_no_turn_is_named(line: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_text(f"{json.dumps(TURN)}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=rf"turns\.jsonl, line 3: .*{wrong}"):
        read_examples(path)


def test_a_mark_at_the_start_and_odd_line_ends_within_a_sentence_are_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    turn = json.dumps({**TURN, "sentence": "Who\u2028am I?"}, ensure_ascii=False)
    path.write_text(f"{turn}\n", encoding="utf-8-sig")
    assert read_examples(path)["B-H1"][0].sentence == "Who\u2028am I?"


def test_turns_of_several_files_come_together(tmp_path: Path) -> None:
    path = written(tmp_path, TURN)
    twice = with_examples(with_examples(PACK.tasks, path), path)
    assert {task.id: len(task.examples) for task in twice if task.examples} == {"B-H1": 2}


def test_a_rule_there_is_not_is_named_with_its_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"task B-H1 has no rule 'who' to answer 'Who am I talk"):
        with_examples(PACK.tasks, written(tmp_path, {**TURN, "rule": "who"}))


def test_turns_of_a_task_there_is_not_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"turns\.jsonl: there is no task B-X9"):
        with_examples(PACK.tasks, written(tmp_path, {**TURN, "task": "B-X9"}))


def with_example(**change: Any) -> Pack:
    example = attrs.evolve(Example("Who am I talking to?", "identity", ("opened",)), **change)
    tasks = tuple(
        attrs.evolve(task, examples=(example,)) if task.id == "B-H1" else task for task in PACK.tasks
    )
    return attrs.evolve(PACK, tasks=tasks)


def test_a_labelled_turn_of_a_sound_pack_is_no_problem() -> None:
    assert check_pack(with_example()) == ()


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        ({"rule": "who"}, "rule", "a rule of this task, got 'who'"),
        ({"given": ("said:who",)}, "given", "got 'said:who'"),
        ({"rule": None}, "rule", "str, got NoneType None"),
    ],
)
def test_a_labelled_turn_that_names_what_there_is_not_is_a_problem(
    change: dict[str, Any], place: str, message: str
) -> None:
    (problem,) = [found for found in check_pack(with_example(**change)) if found.severity is Severity.ERROR]
    assert problem.where == f"bicycle-repair/tasks/B-H1.examples[0].{place}"
    assert message in problem.expected


def test_two_answers_to_one_turn_are_a_problem() -> None:
    example = Example("Who am I talking to?", "identity")
    tasks = (attrs.evolve(PACK.task("B-H1"), examples=(example, attrs.evolve(example, rule=""))),)
    problems = check_pack(attrs.evolve(PACK, tasks=tasks))
    (problem,) = [found for found in problems if found.severity is Severity.ERROR]
    assert problem.where == "bicycle-repair/tasks/B-H1.examples[1].rule"
    assert "one answer to 'Who am I talking to?', got 'none' and 'identity'" in problem.expected
