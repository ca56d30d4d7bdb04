from __future__ import annotations

import attrs
import pytest

from offhook.packs import Cues, CueTest, Example, Rule, Task, Topic
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
    found = script.nearest(read_turn(likely), CallState(), question=True)
    assert found is not None
    assert (found.rule.id, found.match.by) == (rule.id, "example")
    assert script.nearest(read_turn("Bananas are yellow."), CallState(), question=True) is None


def test_an_example_does_not_overrule_an_exception(booking: Task) -> None:
    rule = booking.rules[0]
    likely = next(test.sentence for test in rule.tests if test.fires)
    barred = attrs.evolve(rule, cues=Cues(all_of=(r"never said",), none_of=(r"[a-z]",)))
    script = Script(attrs.evolve(booking, rules=(barred, *booking.rules[1:])), CueMatcher(HashEmbedder()))
    assert script.nearest(read_turn(likely), CallState(), question=True) is None


def nearest(made: Script, text: str, *events: str, question: bool = True) -> str | None:
    found = made.nearest(read_turn(text), CallState(events=events), question=question)
    return None if found is None else found.rule.id


ZIP = "Which postal area are you calling from today?"
STREET = "Which street number are you living at now?"


def labelled(task: Task, *examples: Example) -> Script:
    deaf = (rule("zip", "never said"), rule("street", "never said", first_n=1))
    return Script(attrs.evolve(task, rules=deaf, examples=examples), CueMatcher(HashEmbedder()))


def test_labelled_turns_are_examples_too(price: Task) -> None:
    made = labelled(price, Example(f"Thank you. {ZIP}", "zip"), Example(STREET, "street"))
    assert nearest(made, ZIP) == "zip"
    assert nearest(made, f"Very good. {STREET}") == "street"


def test_what_is_like_a_turn_that_nothing_answers_is_not_answered(price: Task) -> None:
    assert nearest(labelled(price, Example(ZIP), Example(STREET, "street")), ZIP) is None


def test_two_rules_that_are_as_near_are_neither(price: Task) -> None:
    made = labelled(price, Example(ZIP, "zip"), Example(ZIP, "street"))
    assert nearest(made, ZIP) is None
    assert nearest(made, ZIP, "said:street") == "zip"


def test_a_statement_has_to_be_more_like_an_example_than_a_question(price: Task) -> None:
    made = labelled(price, Example(ZIP, "zip"))
    heard = "Which postal area is it you are in just now?"
    assert nearest(made, heard) == "zip"
    assert nearest(made, heard, question=False) is None


@pytest.mark.parametrize(
    "heard",
    [
        "Let me look up the cost.",
        "One moment, I'm pulling up the cost.",
        "Okay, bear with me a second while I see what the cost was.",
        "Hang on, I'll check the cost for you.",
    ],
)
def test_a_sentence_that_only_holds_the_caller_off_is_not_answered(heard: str, price: Task) -> None:
    made = script(price, rule("cost", "cost"))
    assert chosen(made, heard) is None
    assert made.candidates(read_turn(heard), CallState()) == ()
    assert chosen(made, f"{heard} The cost is $20.") == "cost"


@pytest.mark.parametrize(
    "heard",
    [
        "Let me check, was the cost $20?",
        "I'm looking at it and the cost is $20.",
        "Hold on, I need the cost first.",
        "One moment while I connect you about the cost.",
        "Okay, let me see, the cost is $20.",
        "While I understand that, the cost is $20.",
        "As I see here, the cost is $20.",
        "I'm checking now, and yes, the cost is $20.",
        "Let me type that: the cost.",
    ],
)
def test_a_hold_that_says_something_is_answered(heard: str, price: Task) -> None:
    assert chosen(script(price, rule("cost", "cost")), heard) == "cost"


def test_a_rule_written_for_holds_answers_them(price: Task) -> None:
    tests = (CueTest("One moment, I'm checking the cost.", True),)
    assert chosen(script(price, rule("cost", "cost", tests=tests)), "Let me look up the cost.") == "cost"
