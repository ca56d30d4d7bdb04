"""Checks and results as one grade, and the agreement of two verifiers on a table worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from offhook.checks import AccessRules, Assertion, Check, checks_of
from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.records import CallKey, empty_record
from offhook.storage import from_json, to_json
from offhook.testing_pack import bicycle_pack
from offhook.verified import agreement, assertion_outcomes, checked_of, verify_call
from offhook.verifying import CheckResult, CheckVerdict, VerifierUnavailable

HOLDS, BROKEN, UNCLEAR = CheckVerdict.HOLDS, CheckVerdict.BROKEN, CheckVerdict.UNCLEAR
PACK = attrs.evolve(
    bicycle_pack(), access=AccessRules("verify_owner", ("find_customer",), ("confirm_repair",))
)
CHECKS = [check.id for check in checks_of(PACK.task("B-H1"), PACK)]


def call(call_id: str = "call-1") -> CallEvidence:
    record = empty_record(call_id, CallKey(PACK.name, "B-H1", "acme", 1), seed=1, ending="completed")
    return CallEvidence(record, (), Path("none"), None, None, PACK, PACK.task("B-H1"))


@attrs.frozen
class Scripted:
    """Everything holds but what it is told of."""

    verdicts: dict[str, CheckVerdict] = attrs.field(factory=dict)
    results: Callable[[tuple[Check, ...]], tuple[CheckResult, ...]] | None = None
    name: str = "scripted"
    version: str = "1"

    def verify(self, call: CallEvidence, checks: tuple[Check, ...]) -> tuple[CheckResult, ...]:
        if self.results is not None:
            return self.results(checks)
        return tuple(
            CheckResult(check.id, self.verdicts.get(check.id, HOLDS), "seen", "said") for check in checks
        )


def test_all_three_assertions_have_to_hold() -> None:
    grade = verify_call(Scripted(), call())
    assert (grade.outcome, grade.kind, grade.summary) == (
        Outcome.PASS,
        GradeKind.FINDING,
        "8 of 8 checks hold",
    )
    assert grade.numbers["access_checks"] == 2
    assert (grade.numbers["changes_passed"], grade.numbers["own_held"]) == (1, 5)


TOLD = {"access": "access rules", "changes": "account changes", "own": "the task's own checks"}


@pytest.mark.parametrize(
    ("broken", "assertion"),
    [("verified-first", "access"), ("effects", "changes"), ("called-leave_note-1", "own")],
)
def test_each_assertion_fails_alone_and_none_takes_another_along(broken: str, assertion: str) -> None:
    grade = verify_call(Scripted({broken: BROKEN}), call())
    assert grade.outcome is Outcome.FAIL
    assert grade.summary == f"7 of 8 checks hold; broken: {TOLD[assertion]} ({broken})"
    outcomes = {str(each): outcome for each, outcome in assertion_outcomes(grade).items()}
    assert outcomes == {
        **dict.fromkeys(map(str, Assertion), Outcome.PASS),
        assertion: Outcome.FAIL,
    }


def test_an_unclear_check_leaves_its_assertion_open() -> None:
    grade = verify_call(Scripted({"effects": UNCLEAR}), call())
    assert grade.outcome is Outcome.UNCLEAR
    assert "changes_passed" not in grade.numbers
    both = verify_call(Scripted({"effects": UNCLEAR, "verified-first": BROKEN}), call())
    assert both.outcome is Outcome.FAIL


def test_what_is_stored_is_read_back() -> None:
    grade = verify_call(Scripted({"effects": BROKEN}), call())
    back = from_json(to_json(grade), Grade, source="test")
    assert [(each.check, each.verdict, each.evidence) for each in checked_of(back)] == [
        (name, BROKEN if name == "effects" else HOLDS, "seen") for name in CHECKS
    ]
    with pytest.raises(ValueError, match="the checks of call call-1 can't be read"):
        checked_of(attrs.evolve(back, evidence={"checks": [{"id": "x"}]}))


def test_a_verifier_that_answers_something_else_gives_an_error() -> None:
    short = verify_call(Scripted(results=lambda checks: ()), call())
    assert (short.outcome, short.summary) == (
        Outcome.ERROR,
        "ValueError: the verifier gave 0 results for 8 checks",
    )
    turned = Scripted(results=lambda checks: tuple(CheckResult(c.id, HOLDS) for c in reversed(checks)))
    assert verify_call(turned, call()).outcome is Outcome.ERROR


def test_an_unavailable_verifier_is_no_grade() -> None:
    def gone(checks: tuple[Check, ...]) -> tuple[CheckResult, ...]:
        raise VerifierUnavailable("no key")

    with pytest.raises(VerifierUnavailable):
        verify_call(Scripted(results=gone), call())


def test_a_task_without_checks_is_not_measured() -> None:
    task = attrs.evolve(PACK.task("B-H1"), expected=())
    bare = attrs.evolve(call(), task=task, pack=attrs.evolve(PACK, access=None))
    grade = verify_call(Scripted(), bare)
    assert (grade.outcome, grade.summary) == (Outcome.NOT_MEASURED, "not measured: the task has no checks")


def test_agreement_check_by_check() -> None:
    # Four calls of eight checks: the second finds one more broken and leaves one open.
    first = [verify_call(Scripted({"effects": BROKEN} if n < 2 else {}), call(f"c{n}")) for n in range(4)]
    second_verdicts: list[dict[str, CheckVerdict]] = [
        {"effects": BROKEN},
        {"effects": BROKEN, "called-leave_note-1": BROKEN},
        {"verified-first": UNCLEAR},
        {},
    ]
    second = [
        verify_call(Scripted(verdicts, name="other"), call(f"c{n}"))
        for n, verdicts in enumerate(second_verdicts)
    ]
    found = agreement(first, second)
    assert (found.checks, found.agreed, found.only_one) == (32, 30, 0)
    assert found.share == pytest.approx(30 / 32)
    assert found.kinds["tool-called"] == (16, 15)
    assert found.kinds["no-tool-before-verification"] == (4, 3)
    assert found.kinds["exact-effects"] == (4, 4)
    # observed 30/32, by chance (30*28 + 2*3 + 0*1) / 32^2
    chance = (30 * 28 + 2 * 3) / 32**2
    assert found.kappa.kappa == pytest.approx((30 / 32 - chance) / (1 - chance))
    assert [
        (each.first.call_id, each.first.check, str(each.second.verdict)) for each in found.disagreements
    ] == [
        ("c1", "called-leave_note-1", "broken"),
        ("c2", "verified-first", "unclear"),
    ]
    part = agreement(first, second[:1])
    assert (part.checks, part.only_one) == (8, 24)
