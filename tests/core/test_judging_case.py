"""What a judge is shown: mission, criteria and the words that arrived, never the platform's own."""

from __future__ import annotations

import attrs
import pytest

from offhook.callers import AgentHeard, CallerTurn
from offhook.judged import case_of, mission_of, transcript_of
from offhook.judging import Criterion, Fact, MustNot
from offhook.packs import Pack
from offhook.records import CallKey, CallRecord, TimedTranscript, empty_record
from offhook.testing_pack import bicycle_pack


@pytest.fixture
def pack() -> Pack:
    return bicycle_pack()


@pytest.fixture
def record(pack: Pack) -> CallRecord:
    blank = empty_record("call-1", CallKey(pack.name, "B-H1", "acme-voice", 1), seed=1, ending="completed")
    return attrs.evolve(
        blank,
        caller_turns=(
            CallerTurn("It's KE-44.", "it's K E four four", 2.0, 4.0, "opening"),
            CallerTurn("Bye.", "bye", 9.0, 9.5, "closing"),
        ),
        caller_heard=(
            AgentHeard("Hello.", 0.5, 1.5),
            AgentHeard("Thanks.", 4.0, 5.0),
            AgentHeard(" ", 6.0, 6.1),
            AgentHeard("Good day.", 9.0, 10.0),
        ),
        agent_transcripts=(TimedTranscript("I have booked everything.", 5.0),),
    )


def test_the_transcript_holds_what_was_written_and_what_was_heard(record: CallRecord) -> None:
    lines = [(line.speaker, line.text) for line in transcript_of(record)]
    assert lines == [
        ("agent", "Hello."),
        ("caller", "It's KE-44."),
        ("agent", "Thanks."),
        ("agent", "Good day."),
        ("caller", "Bye."),
    ]


def test_criteria_follow_from_what_satisfies_the_caller(pack: Pack) -> None:
    mission = mission_of(pack, pack.task("B-H1"))
    rule = next(rule for rule in pack.task("B-H1").rules if rule.id == "note")
    assert mission.criteria == (
        Criterion("booked", "The agent told the caller about this: booked."),
        Criterion("note", f"This came about on the call: {rule.when}."),
    )
    assert mission.mission.startswith("The caller opens with: \"Hi, I'd like to bring my bike in")
    without = attrs.evolve(pack.task("B-H1").intent, satisfied=())
    bare = mission_of(pack, attrs.evolve(pack.task("B-H1"), intent=without))
    assert [criterion.id for criterion in bare.criteria] == ["goal"]


def test_a_packs_own_words_go_first_and_no_platform_is_named(pack: Pack, record: CallRecord) -> None:
    fact, rule, own = Fact("f", "Brakes cost $64."), MustNot("m", "Curse."), Criterion("own", "It went well.")
    rich = attrs.evolve(pack, facts=(fact,), must_not=(rule,))
    task = attrs.evolve(pack.task("B-H1"), criteria=(own,))
    case = case_of(record, rich, task)
    assert (case.mission.criteria, case.mission.facts, case.mission.must_not) == ((own,), (fact,), (rule,))
    assert "acme" not in repr(case)
