"""Which substituted phrases are forgiven, by our rule and by the published one."""

from __future__ import annotations

import attrs
import pytest

from offhook.grading import CallEvidence, Grade
from offhook.host import PluginHost
from offhook.runner.measured import HostEngines
from offhook.speech import SentenceEmbedder
from offhook_graders.hearing.alignment import Phrase
from offhook_graders.hearing.grader import HearingGrader
from offhook_graders.hearing.meaning import Meaning, judge_phrase, weighty
from tests.graders.hearing_calls import MakeEvidence, measured, said


def phrase(reference: str, hypothesis: str, cosine: float | None) -> Phrase:
    return Phrase(tuple(reference.split()), tuple(hypothesis.split()), 1, 0, 0, cosine)


@attrs.define
class Judge:
    """Says what it was told to, and remembers what it was asked."""

    answer: bool | None
    asked: list[tuple[str, str]] = attrs.field(factory=list)

    def same_meaning(self, reference: str, heard: str) -> bool | None:
        self.asked.append((reference, heard))
        return self.answer


@pytest.mark.parametrize(
    ("cosine", "meaning"),
    [
        (0.75, Meaning.SAME),
        (0.7499, Meaning.NOT_JUDGED),
        (0.55, Meaning.NOT_JUDGED),
        (0.5499, Meaning.DIFFERENT),
    ],
)
def test_the_thresholds_are_the_published_ones(cosine: float, meaning: Meaning) -> None:
    verdict = judge_phrase(phrase("proceed", "go ahead", cosine))

    assert (verdict.meaning, verdict.plain) == (meaning, meaning)


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [(True, Meaning.JUDGED_SAME), (False, Meaning.JUDGED_DIFFERENT), (None, Meaning.NOT_JUDGED)],
)
def test_a_judge_is_asked_only_where_the_cosine_leaves_it_open(answer: bool | None, meaning: Meaning) -> None:
    judge = Judge(answer)

    assert judge_phrase(phrase("proceed", "go ahead", 0.6), judge).meaning is meaning
    judge_phrase(phrase("proceed", "go ahead", 0.9), judge)
    judge_phrase(phrase("proceed", "go ahead", 0.2), judge)
    assert judge.asked == [("proceed", "go ahead")]


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("4", "9"),
        ("june 5", "july 5"),
        ("monday", "tuesday"),
        ("2 pm", "2 am"),
        ("k", "b"),
        ("can not", "can"),
        ("never", "always"),
        ("with", "without"),
        ("yes", "no"),
        ("today", "tomorrow"),
        ("half", "all"),
    ],
)
def test_numbers_and_negations_are_never_forgiven(reference: str, hypothesis: str) -> None:
    verdict = judge_phrase(phrase(reference, hypothesis, 0.99), Judge(True))

    assert (verdict.meaning, verdict.plain) == (Meaning.NUMBER_OR_NEGATION, Meaning.SAME)
    assert not verdict.meaning.forgiven


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [("no", "nope"), ("i can not", "i could not"), ("a bike", "a bicycle"), ("i am", "i was")],
)
def test_what_leaves_numbers_and_negations_as_they_are_goes_by_meaning(
    reference: str, hypothesis: str
) -> None:
    assert weighty(reference.split()) == weighty(hypothesis.split())
    assert judge_phrase(phrase(reference, hypothesis, 0.8)).meaning is Meaning.SAME


def test_a_phrase_that_was_not_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="was not compared"):
        judge_phrase(phrase("proceed", "go ahead", None))


# --- on calls, with the real embedder ---


@pytest.fixture(scope="module")
def embedder() -> SentenceEmbedder:
    return HostEngines(PluginHost.discover()).embedder()


def graded(call: CallEvidence, embedder: SentenceEmbedder, judge: Judge | None = None) -> Grade:
    return HearingGrader(meaning_judge=judge).grade(measured(call, embedder))


@pytest.mark.speech
def test_a_paraphrase_is_an_error_of_words_and_none_of_meaning(
    evidence: MakeEvidence, embedder: SentenceEmbedder
) -> None:
    call = evidence(
        turns=said("I want to buy a bike", "thanks"), heard=["I want to purchase a bicycle", "thank you"]
    )

    grade = graded(call, embedder)

    assert (grade.numbers["substitutions"], grade.numbers["insertions"]) == (3, 1)
    assert (grade.numbers["semantic_errors"], grade.numbers["not_judged"]) == (0, 0)
    assert {one["meaning"] for one in grade.evidence["phrases"]} == {"same"}
    assert grade.summary.endswith("over 7 words), SWER 0.0 %")


@pytest.mark.speech
@pytest.mark.parametrize(
    ("spoken", "heard", "plain"),
    [
        ("The order is from June.", "The order is from July.", 0),
        ("I came on Monday.", "I came on Tuesday.", 0),
        ("It ends in five.", "It ends in nine.", 1),
        ("I can't do that.", "I can do that.", 1),
        ("I can do that.", "I can't do that.", 1),
    ],
)
def test_a_wrong_number_or_negation_costs_as_much_as_any_word(
    evidence: MakeEvidence, embedder: SentenceEmbedder, spoken: str, heard: str, plain: int
) -> None:
    grade = graded(evidence(turns=said(spoken), heard=[heard]), embedder, Judge(None))

    assert grade.numbers["semantic_errors"] == 1
    assert grade.numbers["plain_semantic_errors"] == plain
    assert grade.numbers["not_judged"] == 0


@pytest.mark.speech
def test_what_only_a_judge_could_forgive_counts_and_is_told(
    evidence: MakeEvidence, embedder: SentenceEmbedder
) -> None:
    call = evidence(turns=said("I need the refund please"), heard=["I need the reimbursement please"])

    offline, judged = graded(call, embedder), graded(call, embedder, Judge(True))

    assert (offline.numbers["semantic_errors"], offline.numbers["not_judged"]) == (1, 1)
    assert "SWER 20.0 % (1 not judged)" in offline.summary
    assert (judged.numbers["semantic_errors"], judged.numbers["not_judged"]) == (0, 0)
    assert judged.evidence["phrases"][0]["meaning"] == "judged same"
