"""Under which reasons a failed call is filed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.callers import AgentHeard, CallerTurn
from offhook.grading import CallEvidence, Grade, GradeKind, Outcome, Reviewer
from offhook.records import PlayedSpan, TimedTranscript
from offhook.storage import from_json, to_json
from offhook_graders.attribution.filing import FailureFiling
from tests.graders._attr_stand import FaultyPlatform, SessionFault, World, place
from tests.graders.conftest import MakeEvidence

FILING = FailureFiling()
TURN = CallerTurn("What does it cost?", "what does it cost", 2.0, 4.0, "rule:price")


def verdict(outcome: Outcome, name: str = "tool-adherence") -> Grade:
    return Grade(name, "1", GradeKind.VERDICT, "call-1", outcome, "3 of 5 expected calls matched")


def judged(*rulings: Mapping[str, Any]) -> Grade:
    return Grade(
        "mission", "1", GradeKind.FINDING, "call-1", Outcome.MEASURED, "", evidence={"rulings": list(rulings)}
    )


def ruling(subject: str, verdict: str, *, found: bool | None = True, **more: Any) -> Mapping[str, Any]:
    return {
        "subject": subject,
        "id": "c1",
        "verdict": verdict,
        "quote": "It costs nothing.",
        "speaker": "agent",
        "claim": "",
        "reason": "",
        "quote_found": found,
        **more,
    }


def filed(call: CallEvidence, *grades: Grade) -> list[tuple[str, str, str]]:
    found = FILING.review(call, grades).evidence["filed"]
    return [(entry["reason"], entry["detail"], entry["quote"]) for entry in found]


@pytest.fixture
def call(evidence: MakeEvidence) -> CallEvidence:
    return evidence()


def changed(call: CallEvidence, **record: Any) -> CallEvidence:
    return attrs.evolve(call, record=attrs.evolve(call.record, **record))


def test_it_is_a_reviewer() -> None:
    assert isinstance(FILING, Reviewer)


def test_a_call_that_passed_is_not_filed(call: CallEvidence) -> None:
    grade = FILING.review(call, [verdict(Outcome.PASS), judged(ruling("criterion", "met"))])

    assert (grade.outcome, grade.evidence["filed"]) == (Outcome.NOT_MEASURED, [])


def test_a_failed_verdict_is_a_criterion_not_met(call: CallEvidence) -> None:
    assert filed(call, verdict(Outcome.FAIL)) == [
        ("criterion_not_met", "tool-adherence: 3 of 5 expected calls matched", "")
    ]


@pytest.mark.parametrize(
    ("subject", "verdict_", "reason"),
    [
        ("criterion", "not_met", "criterion_not_met"),
        ("fact", "fabricated", "fabrication"),
        ("fact", "wrong", "wrong_claim"),
        ("must_not", "breached", "must_not"),
    ],
)
def test_what_a_judge_found_is_filed_with_its_quote(
    call: CallEvidence, subject: str, verdict_: str, reason: str
) -> None:
    entry = ruling(subject, verdict_, claim="free of charge")

    assert filed(call, judged(entry)) == [(reason, "mission: c1; free of charge", "It costs nothing.")]


@pytest.mark.parametrize("found", [False, None])
def test_a_quote_that_does_not_stand_in_the_transcript_verifies_nothing(
    call: CallEvidence, found: bool | None
) -> None:
    assert filed(call, judged(ruling("fact", "fabricated", found=found))) == []


@pytest.mark.parametrize("verdict_", ["unclear", "accurate", "kept", "met"])
def test_other_rulings_are_not_failures(call: CallEvidence, verdict_: str) -> None:
    assert filed(call, judged(ruling("fact", verdict_))) == []


def test_a_call_can_sit_under_several_reasons_each_once(call: CallEvidence) -> None:
    late = changed(call, hung_up_because="too_long", seconds=600.0)
    breach = ruling("must_not", "breached")

    found = filed(late, verdict(Outcome.FAIL), judged(ruling("fact", "wrong"), breach, breach))

    assert [reason for reason, *_ in found] == ["connection", "criterion_not_met", "wrong_claim", "must_not"]
    assert found[0][1] == "timeout: the call was not done after 600 s"
    grade = FILING.review(late, [verdict(Outcome.FAIL), judged(breach)])
    assert grade.summary == "filed under connection, criterion_not_met, must_not"
    assert dict(grade.numbers) == {"connection": 1.0, "criterion_not_met": 1.0, "must_not": 1.0}
    assert from_json(to_json(grade), Grade, source="grade").evidence == grade.evidence


@pytest.mark.parametrize("damaged", [{"rulings": "none"}, {"rulings": ["x", None]}, {"rulings": {"a": 1}}])
def test_evidence_of_another_shape_is_passed_over(call: CallEvidence, damaged: dict[str, Any]) -> None:
    assert filed(call, attrs.evolve(judged(), evidence=damaged)) == []


# --- connection faults ---


@pytest.mark.parametrize("where", ["agent_transcripts", "caller_heard"])
def test_a_voicemail_is_quoted(call: CallEvidence, where: str) -> None:
    text = "Hello. Please leave a message after the tone."
    line = TimedTranscript(text, 0.5) if where == "agent_transcripts" else AgentHeard(text, 0.5, 3.0)

    found = filed(changed(call, **{where: (line,)}), verdict(Outcome.FAIL))

    assert found[0] == ("connection", "voicemail: the line was answered by a recording", "leave a message")


def test_an_agent_that_takes_a_message_later_is_no_voicemail(call: CallEvidence) -> None:
    lines = ("Repair desk.", "One moment.", "They are out; would you like to leave a message?")
    heard = tuple(TimedTranscript(text, float(at)) for at, text in enumerate(lines))

    assert [entry[0] for entry in filed(changed(call, agent_transcripts=heard), verdict(Outcome.FAIL))] == [
        "criterion_not_met"
    ]


def test_no_answer_and_a_refused_call(call: CallEvidence) -> None:
    silent = changed(call, ending="void", cause="no agent speech")
    refused = changed(call, ending="void", cause="the platform did not take the call: busy")

    assert filed(silent) == [("connection", "no answer: the agent never spoke", "")]
    assert filed(refused) == [("connection", "no answer: the platform did not take the call: busy", "")]


def test_an_agent_that_fell_silent(tmp_path: Path) -> None:
    placed = place(World(FaultyPlatform(fault=SessionFault(stops="zip"))), tmp_path / "run")

    found = placed.grades["failure-filing"].evidence["filed"]

    assert [entry["reason"] for entry in found] == ["connection", "criterion_not_met", "criterion_not_met"]
    assert found[0]["detail"].startswith("silence: the agent said nothing for")


def test_a_dropped_session(call: CallEvidence) -> None:
    assert ("connection", "dropped: the platform ended the session", "") in filed(
        changed(call, ended_by="platform"), verdict(Outcome.FAIL)
    )


# --- the caller's technique ---


def test_the_technique_only_where_nothing_else_is_known(call: CallEvidence) -> None:
    cut_in = changed(call, caller_turns=(TURN,), played=(PlayedSpan(0.5, 6.0),))

    assert filed(cut_in, verdict(Outcome.UNCLEAR)) == [
        ("technique", "the caller cut in at 2.0 s", "What does it cost?")
    ]
    assert [reason for reason, *_ in filed(cut_in, verdict(Outcome.FAIL))] == ["criterion_not_met"]
    assert filed(cut_in, verdict(Outcome.PASS)) == []


def test_a_turn_in_its_place_is_no_technique(call: CallEvidence) -> None:
    polite = changed(call, caller_turns=(TURN,), played=(PlayedSpan(0.5, 1.9), PlayedSpan(4.5, 6.0)))

    assert filed(polite, verdict(Outcome.UNCLEAR)) == []
