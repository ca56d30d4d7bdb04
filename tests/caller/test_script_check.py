"""Scripts are checked with their places: sentences that another rule takes, and rules without an order."""

from __future__ import annotations

import attrs

from offhook.callers import ScriptChecker
from offhook.packs import Cues, CueTest, Pack, Rule, Topic
from offhook.testing import HashEmbedder
from offhook.testing_pack import bicycle_pack
from offhook_caller.caller import SimulatedCaller
from offhook_caller.script_check import script_problems

NAME = CueTest("May I have your name?", True)


def told(*rules: Rule, topics: tuple[Topic, ...] = ()) -> list[tuple[str, str]]:
    pack = bicycle_pack()
    task = attrs.evolve(pack.tasks[0], rules=rules, topics=topics)
    found = script_problems(attrs.evolve(pack, tasks=(task,)), HashEmbedder())
    return [(problem.where.removeprefix("bicycle-repair/tasks/"), problem.expected) for problem in found]


def asks(rule_id: str, *tests: CueTest, order: int = 50, after: tuple[str, ...] = ()) -> Rule:
    return Rule(rule_id, "", f"{rule_id}.", Cues(all_of=("name",)), tests=tests, order=order, after=after)


def test_two_rules_that_match_one_sentence_at_one_order_are_told() -> None:
    assert told(asks("first", NAME), asks("second")) == [
        (
            "B-E1.rules[0].order",
            "expected an order between rules 'first' and 'second': both match 'May I have your name?' at "
            "order 50",
        )
    ]


def test_each_other_rule_is_told_once() -> None:
    found = told(asks("first", NAME, CueTest("What is your name?", True)), asks("second"), asks("third"))
    assert [where for where, _ in found] == ["B-E1.rules[0].order"] * 2


def test_an_order_between_them_settles_it() -> None:
    assert told(asks("first", NAME, order=10), asks("second", order=20)) == []


def test_a_rule_of_lower_order_that_takes_the_sentence_is_told_at_the_test() -> None:
    ((where, expected),) = told(asks("loser", NAME), asks("winner", order=1))
    assert where == "B-E1.rules[0].tests[0]"
    assert expected.startswith(
        "expected rule 'loser' to fire on 'May I have your name?'; the caller's answer is rule:winner"
    )


def test_a_rule_that_is_not_to_fire_and_does_is_told() -> None:
    ((where, expected),) = told(asks("eager", NAME, CueTest("Say the bike's name.", False)))
    assert where == "B-E1.rules[0].tests[1]"
    assert "expected rule 'eager' not to fire on \"Say the bike's name.\"" in expected


def test_what_has_happened_before_is_taken_into_account() -> None:
    waits = asks("waits", after=("heard:price",))
    topics = (Topic("price", Cues(all_of=("dollars",))),)
    assert told(asks("first", NAME), waits, topics=topics) == []
    given = CueTest("May I have your name?", True, ("heard:price",))
    ((where, expected),) = told(asks("first", given), waits, topics=topics)
    assert where == "B-E1.rules[0].order"
    assert "given heard:price" in expected


def test_a_task_with_a_broken_pattern_is_left_to_others() -> None:
    broken = Rule("broken", "", "x", Cues(all_of=("(",)))
    assert told(broken, asks("first", NAME), asks("second")) == []


def test_the_scripted_caller_checks_scripts() -> None:
    caller = SimulatedCaller("scripted")
    assert isinstance(caller, ScriptChecker)
    pack: Pack = bicycle_pack()
    assert caller.check_script(pack, HashEmbedder()) == ()


def test_a_sentence_that_no_cue_of_its_rule_matches_is_told() -> None:
    ((where, expected),) = told(asks("deaf", CueTest("Which bicycle is yours?", True)))
    assert where == "B-E1.rules[0].tests[0]"
    assert "expected rule 'deaf' to fire on 'Which bicycle is yours?'" in expected
