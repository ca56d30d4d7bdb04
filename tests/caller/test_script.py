from __future__ import annotations

import attrs
import pytest

from offhook.packs import Cues, Rule, Task, Topic
from offhook.testing import HashEmbedder
from offhook_caller.cues import BadCue, CueMatcher, read_turn
from offhook_caller.minds import CallState
from offhook_caller.script import Script


def rule(rule_id: str, pattern: str, **more: object) -> Rule:
    return Rule(rule_id, "", f"Line of {rule_id}.", Cues(all_of=(pattern,)), **more)  # type: ignore[arg-type]


def script(task: Task, *rules: Rule, topics: tuple[Topic, ...] = ()) -> Script:
    return Script(attrs.evolve(task, rules=rules, topics=topics), CueMatcher(HashEmbedder()))


def chosen(made: Script, text: str, *events: str) -> str | None:
    turn = read_turn(text)
    found = made.select(turn, made.mark(turn, CallState(events=events)))
    return None if found is None else found.rule.id


def test_the_lowest_order_wins_and_ties_go_to_the_first_written(price: Task) -> None:
    made = script(price, rule("late", "cost"), rule("tied", "cost"), rule("early", "cost", order=10))
    turn = read_turn("It will cost more.")
    assert [entry.rule.id for entry in made.candidates(turn, CallState())] == ["early", "late", "tied"]
    assert chosen(made, "It will cost more.") == "early"


def test_first_n_counts_what_was_said(price: Task) -> None:
    made = script(price, rule("twice", "stay", first_n=2), rule("then", "stay", order=60))
    assert chosen(made, "Please stay.") == "twice"
    assert chosen(made, "Please stay.", "said:twice") == "twice"
    assert chosen(made, "Please stay.", "said:twice", "said:twice") == "then"


def test_conditions_look_at_earlier_events(price: Task) -> None:
    made = script(price, rule("then", "link", after=("heard:plan", "said:ask"), unless=("heard:sent",)))
    assert chosen(made, "Shall I text the link?", "said:ask") is None
    assert chosen(made, "Shall I text the link?", "said:ask", "heard:plan") == "then"
    assert chosen(made, "Shall I text the link?", "said:ask", "heard:plan", "heard:sent") is None


def test_a_topic_of_the_very_turn_counts(price: Task) -> None:
    topics = (Topic("plan", Cues(all_of=("financing",))),)
    made = script(
        price,
        rule("ask", "balance", unless=("heard:plan",)),
        rule("take", "balance", order=90),
        topics=topics,
    )
    assert chosen(made, "Your balance is $300.") == "ask"
    assert chosen(made, "Your balance is $300. We offer financing.") == "take"


def test_a_topic_is_an_event_once(price: Task) -> None:
    made = script(price, topics=(Topic("plan", Cues(all_of=("financing",))),))
    once = made.mark(read_turn("We offer financing."), CallState())
    assert once.events == ("heard:plan",)
    assert made.mark(read_turn("Financing, as I said."), once).events == ("heard:plan",)


def test_the_goal_is_met_by_the_listed_events(price: Task) -> None:
    made = script(price)
    assert not made.satisfied(CallState(events=("opened", "said:which-service")))
    assert made.satisfied(CallState(events=("heard:price",)))


def test_a_goal_without_events_is_met_by_any_rule(price: Task) -> None:
    made = script(attrs.evolve(price, intent=attrs.evolve(price.intent, satisfied=())))
    assert not made.satisfied(CallState(events=("opened", "heard:price")))
    assert made.satisfied(CallState(events=("said:which-service",)))


def test_a_broken_cue_names_task_and_rule(price: Task) -> None:
    with pytest.raises(BadCue, match=r"task bicycle-repair/B-E1, rule bad: cue pattern '\['"):
        script(price, rule("bad", "["))


def test_a_wording_that_no_cue_foresaw_is_taken_for_the_example_it_is_most_like(booking: Task) -> None:
    rule = booking.rules[0]
    likely = next(test.sentence for test in rule.tests if test.fires)
    deaf = attrs.evolve(rule, cues=Cues(all_of=(r"never said",)))
    script = Script(attrs.evolve(booking, rules=(deaf, *booking.rules[1:])), CueMatcher(HashEmbedder()))
    found = script.nearest(read_turn(likely), CallState())
    assert found is not None
    assert (found.rule.id, found.match.by) == (rule.id, "example")
    assert script.nearest(read_turn("Bananas are yellow."), CallState()) is None


def test_an_example_does_not_overrule_an_exception(booking: Task) -> None:
    rule = booking.rules[0]
    likely = next(test.sentence for test in rule.tests if test.fires)
    barred = attrs.evolve(rule, cues=Cues(all_of=(r"never said",), none_of=(r"[a-z]",)))
    script = Script(attrs.evolve(booking, rules=(barred, *booking.rules[1:])), CueMatcher(HashEmbedder()))
    assert script.nearest(read_turn(likely), CallState()) is None
