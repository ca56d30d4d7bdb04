"""The verifier that asks a model, against a real server: it shows checks and trace, and believes no quote."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest
from starlette.responses import Response

from offhook.checks import (
    AccessRules,
    Check,
    Figure,
    FigureStated,
    NoSecretBefore,
    PhraseUsed,
    ToolCalled,
)
from offhook.grading import CallEvidence, Outcome
from offhook.packs import Pack
from offhook.storage import to_json
from offhook.values import ValueKind
from offhook.verified import agreement, verify_call
from offhook.verifying import CheckVerdict, VerifierUnavailable
from offhook_graders.judges._chat import ChatSettings
from offhook_graders.judges.code_verifier import CodeVerifier
from offhook_graders.judges.llm_verifier import LLMVerifier, llm_verifier
from tests.graders._endpoint import KEY, Endpoint, completion, serving
from tests.graders._traces import FIND, QUOTE, VERIFY, timed

HOLDS, BROKEN, UNCLEAR = CheckVerdict.HOLDS, CheckVerdict.BROKEN, CheckVerdict.UNCLEAR
ACCESS = AccessRules("verify_owner", ("find_customer",), ("confirm_repair",))
CHECKS: tuple[Check, ...] = (
    ToolCalled("called", "It is looked up.", "find_customer"),
    FigureStated("price", "The price is told.", ("overhaul",), Figure(ValueKind.AMOUNT, "64.00")),
    NoSecretBefore("secret", "No digits first.", (Figure(ValueKind.DIGITS, "7730", "frame"),), ACCESS),
    PhraseUsed("phrase", "It is offered.", ("shall i book it",)),
)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as made:
        yield made


@pytest.fixture
def call(grade_requests: Callable[..., CallEvidence], pack: Pack) -> CallEvidence:
    return timed(
        grade_requests(pack.task("B-H1"), (FIND, VERIFY, QUOTE)),
        caller=[(2.0, "It's me.")],
        agent=[(1.0, 1.5, "Hello."), (31.0, 33.0, "The overhaul is $64.00. Shall I book it?")],
    )


def verifier(endpoint: Endpoint) -> LLMVerifier:
    return LLMVerifier(ChatSettings("made-up", KEY, endpoint.url, backoff=0.0, tries=2, timeout=10.0))


def says(*entries: tuple[str, str, str]) -> Response:
    return completion(
        {"checks": [{"id": i, "verdict": v, "evidence": e, "why": "so"} for i, v, e in entries]}
    )


GOOD = (
    ("called", "holds", "request 0"),
    ("price", "holds", "the overhaul is $64.00"),
    ("secret", "holds", ""),
    ("phrase", "holds", "SHALL I BOOK IT?"),
)


def test_it_decides_every_check_in_one_question(endpoint: Endpoint, call: CallEvidence) -> None:
    endpoint.answers = [says(*GOOD)]
    results = verifier(endpoint).verify(call, CHECKS)
    assert [(each.check, each.verdict) for each in results] == [(name, HOLDS) for name, _, _ in GOOD]
    assert len(endpoint.asked) == 1
    assert endpoint.asked[0]["temperature"] == 0


def test_it_is_shown_the_exact_checks_and_the_trace_in_order(endpoint: Endpoint, call: CallEvidence) -> None:
    endpoint.answers = [says(*GOOD)]
    verifier(endpoint).verify(call, CHECKS)
    shown = endpoint.shown()
    assert shown["checks"][1] == {
        "kind": "figure-stated",
        "assertion": "own",
        "id": "price",
        "text": "The price is told.",
        "topic": ["overhaul"],
        "figure": {"kind": "amount", "value": "64.00", "name": ""},
    }
    trace = [entry.get("tool") or entry["says"] for entry in shown["trace"]]
    assert trace == [
        "Hello.",
        "It's me.",
        "find_customer",
        "verify_owner",
        "quote_repair",
        "The overhaul is $64.00. Shall I book it?",
    ]
    assert shown["trace"][4]["result"]["price"] == "$64.00"
    assert "twin" not in json.dumps(endpoint.asked)  # who answered the call


@pytest.mark.parametrize(
    ("name", "verdict", "evidence", "expected"),
    [
        ("price", "holds", "The overhaul is $46.00", UNCLEAR),
        ("price", "holds", "It's me.", UNCLEAR),  # the caller's words
        ("price", "broken", "", BROKEN),
        ("phrase", "holds", "shall I order it", UNCLEAR),
        ("secret", "broken", "your frame is 7730", UNCLEAR),
        ("secret", "broken", "The overhaul is $64.00", BROKEN),
        ("called", "HOLDS ", "request 0", HOLDS),
        ("called", "yes", "request 0", UNCLEAR),
        ("called", "unclear", "", UNCLEAR),
    ],
)
def test_a_check_that_rests_on_words_nobody_spoke_stays_unclear(
    endpoint: Endpoint, call: CallEvidence, name: str, verdict: str, evidence: str, expected: CheckVerdict
) -> None:
    endpoint.answers = [says((name, verdict, evidence))]
    results = {each.check: each for each in verifier(endpoint).verify(call, CHECKS)}
    assert results[name].verdict is expected
    others = [each for key, each in results.items() if key != name]
    assert {each.why for each in others} == {"the model did not decide it"}


@pytest.mark.parametrize(
    "answer",
    [
        "All checks hold.",
        {"checks": {}},
        {"checks": [{"id": "price", "verdict": "holds"}, {"id": "price", "verdict": "broken"}]},
    ],
)
def test_an_answer_that_can_not_be_read_leaves_all_unclear(
    endpoint: Endpoint, call: CallEvidence, answer: Any
) -> None:
    endpoint.answers = [completion(answer)]
    results = verifier(endpoint).verify(call, CHECKS)
    assert {each.verdict for each in results} == {UNCLEAR}
    assert all(each.why.startswith("the model's answer can't be read") for each in results)


def test_no_answer_and_no_key_are_not_measured(endpoint: Endpoint, call: CallEvidence) -> None:
    endpoint.answers = [Response("slow down", 429)]
    with pytest.raises(VerifierUnavailable, match=r"llm-verifier: model made-up .* answered 429"):
        verify_call(verifier(endpoint), call)
    with pytest.raises(VerifierUnavailable, match="set OFFHOOK_VERIFIER_MODEL"):
        verify_call(llm_verifier({}), call)


def test_key_and_address_are_taken_over_from_the_judge(endpoint: Endpoint, call: CallEvidence) -> None:
    endpoint.answers = [says(*GOOD)]
    environment = {
        "OFFHOOK_VERIFIER_MODEL": "m",
        "OFFHOOK_JUDGE_API_KEY": KEY,
        "OFFHOOK_JUDGE_BASE_URL": endpoint.url,
    }
    grade = verify_call(llm_verifier(environment), call)
    assert grade.outcome is Outcome.UNCLEAR  # the bicycle task has other checks than it answered
    assert endpoint.keys == [f"Bearer {KEY}"]
    assert KEY not in to_json(grade)


def test_both_verifiers_are_compared_check_by_check(
    endpoint: Endpoint, call: CallEvidence, pack: Pack
) -> None:
    task = attrs.evolve(call.task, checks=CHECKS)
    whole = attrs.evolve(call, task=task)

    def answer(body: dict[str, Any]) -> Response:
        checks = json.loads(body["messages"][1]["content"])["checks"]
        known = {name: (verdict, evidence) for name, verdict, evidence in GOOD}
        return says(*((check["id"], *known.get(check["id"], ("holds", "request 0"))) for check in checks))

    endpoint.answers = [answer]
    code, model = verify_call(CodeVerifier(), whole), verify_call(verifier(endpoint), whole)
    found = agreement([code], [model])
    # The model says of every request that it was made; the key has two that were not.
    assert [each.first.check for each in found.disagreements] == [
        "called-confirm_repair-1",
        "called-leave_note-1",
    ]
    assert found.kinds["figure-stated"] == (1, 1)
    assert (found.checks, found.agreed) == (9, 7)
