from __future__ import annotations

import attrs

from offhook.packs import Cues, CueTest, Pack, Rule
from offhook.testing import HashEmbedder
from offhook.testing_pack import bicycle_pack
from offhook_caller.caller import SimulatedCaller
from offhook_caller.cue_tests import cue_report, run_cue_tests


def with_rules(*rules: Rule) -> Pack:
    pack = bicycle_pack()
    return attrs.evolve(pack, tasks=(attrs.evolve(pack.tasks[0], rules=rules),))


def test_every_cue_test_of_the_bicycle_pack_holds() -> None:
    report = cue_report(bicycle_pack(), HashEmbedder())
    assert report.failures == ()
    assert report.total.true_positives == report.total.true_negatives == 27
    assert report.total.precision == report.total.recall == 1.0
    assert report.thin == ()


def test_a_rule_that_another_one_beats_does_not_fire() -> None:
    tests = (CueTest("What is your name?", True),)
    pack = with_rules(
        Rule("loser", "", "Loser.", Cues(all_of=("name",)), tests=tests),
        Rule("winner", "", "Winner.", Cues(all_of=("name",)), order=1),
    )
    (failure,) = run_cue_tests(pack, HashEmbedder())
    assert (failure.rule, failure.spoke) == ("loser", "rule:winner")
    assert str(failure).startswith("B-E1, rule loser must fire on 'What is your name?'")


def test_given_events_and_wrong_firing_are_reported() -> None:
    tests = (
        CueTest("Shall I book it?", True, ("heard:quote",)),
        CueTest("Shall I book it?", False),
        CueTest("Shall I book it?", False, ("heard:quote",)),
    )
    pack = with_rules(Rule("yes", "", "Yes.", Cues(all_of=("book",)), after=("heard:quote",), tests=tests))
    report = cue_report(pack, HashEmbedder())
    assert [failure.test for failure in report.failures] == [tests[2]]
    (score,) = report.scores
    assert (score.true_positives, score.false_positives, score.true_negatives) == (1, 1, 1)
    assert score.precision == 0.5
    assert report.thin == ("B-E1, rule yes",)


def test_occurrence_follows_from_the_given_events() -> None:
    tests = (CueTest("Please stay.", True), CueTest("Please stay.", True, ("said:no",)))
    pack = with_rules(Rule("no", "", "No.", Cues(all_of=("stay",)), first_n=1, tests=tests))
    assert [failure.test for failure in run_cue_tests(pack, HashEmbedder())] == [tests[1]]


def test_the_caller_checks_a_pack_in_words() -> None:
    pack = with_rules(Rule("no", "", "No.", Cues(all_of=("stay",)), tests=(CueTest("Please go.", True),)))
    (line,) = SimulatedCaller("scripted").check_pack(pack, HashEmbedder())
    assert "rule no must fire on 'Please go.': the caller's answer is silence" in line
