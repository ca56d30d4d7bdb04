"""Verifying a stored call: checks and results as one grade, and how far two verifiers agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook.checks import Assertion, Check, checks_of
from offhook.grading import CallEvidence, Grade, GradeKind, Outcome
from offhook.stats import Kappa, cohens_kappa
from offhook.storage import clean_text, one_line, to_json
from offhook.verifying import CheckResult, CheckVerdict, Verifier, VerifierUnavailable

__all__ = [
    "ASSERTION_NAMES",
    "Agreement",
    "CheckedCall",
    "Disagreement",
    "agreement",
    "assertion_outcomes",
    "checked_of",
    "verify_call",
]

ASSERTION_NAMES: Final[Mapping[Assertion, str]] = MappingProxyType(
    {
        Assertion.ACCESS: "access rules",
        Assertion.CHANGES: "account changes",
        Assertion.OWN: "the task's own checks",
    }
)
"""The three assertions in words."""

_OUTCOMES: Final[Mapping[CheckVerdict, Outcome]] = MappingProxyType(
    {
        CheckVerdict.HOLDS: Outcome.PASS,
        CheckVerdict.BROKEN: Outcome.FAIL,
        CheckVerdict.UNCLEAR: Outcome.UNCLEAR,
    }
)


def verify_call(verifier: Verifier, call: CallEvidence) -> Grade:
    """Has the checks of one call decided. The three assertions are decided apart and all have to hold: the
    call passes where every one does, fails where one is broken, and is unclear otherwise; a task without
    checks is not measured.

    ``numbers`` hold, for each assertion, ``<assertion>_checks``, ``_held``, ``_broken`` and ``_unclear``, and
    ``<assertion>_passed`` (1 or 0) where it is decided; ``evidence`` holds the ``checks`` with their results.
    A verifier that breaks in any other way than it may gives an ``error`` grade.

    Raises:
        VerifierUnavailable: nothing could be verified; there is no grade then.
    """
    call_id = call.record.call_id
    try:
        checks = checks_of(call.task, call.pack)
        if not checks:
            why = "not measured: the task has no checks"
            return Grade(
                verifier.name, verifier.version, GradeKind.FINDING, call_id, Outcome.NOT_MEASURED, why
            )
        results = _results(checks, verifier.verify(call, checks))
        grade = _grade(verifier, call_id, checks, results)
        to_json(grade)
    except VerifierUnavailable:
        raise
    except (Exception, SystemExit) as error:  # a plugin may even call sys.exit()
        why = one_line(error)
        return Grade(verifier.name, verifier.version, GradeKind.FINDING, call_id, Outcome.ERROR, why)
    return grade


def assertion_outcomes(grade: Grade) -> Mapping[Assertion, Outcome]:
    """What each assertion came to in a stored grade. One without a check holds: nothing broke it."""
    found: dict[Assertion, Outcome] = {}
    for assertion in Assertion:
        verdicts = {entry.verdict for entry in checked_of(grade) if entry.assertion is assertion}
        found[assertion] = _OUTCOMES[_together(verdicts)]
    return found


@attrs.frozen
class CheckedCall:
    """One check of one call as a verifier decided it."""

    call_id: str
    check: str
    kind: str
    assertion: Assertion
    verdict: CheckVerdict
    evidence: str
    why: str


def checked_of(grade: Grade) -> tuple[CheckedCall, ...]:
    """The checks that a stored grade holds; none where it is no verifier's.

    Raises:
        ValueError: what it holds under ``checks`` are none.
    """
    try:
        return tuple(
            CheckedCall(
                grade.call_id,
                str(entry["id"]),
                str(entry["kind"]),
                Assertion(entry["assertion"]),
                CheckVerdict(entry["verdict"]),
                str(entry["evidence"]),
                str(entry["why"]),
            )
            for entry in grade.evidence.get("checks", ())
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the checks of call {grade.call_id} can't be read: {one_line(error)}") from error


@attrs.frozen
class Disagreement:
    """One check that two verifiers decided differently, with what each of them had to show."""

    first: CheckedCall
    second: CheckedCall


@attrs.frozen
class Agreement:
    """Two verifiers on the same checks. ``kinds`` maps each kind of check to how many there are and on how
    many the two agree; ``only_one`` counts checks that only one of them decided."""

    kinds: Mapping[str, tuple[int, int]]
    kappa: Kappa
    disagreements: tuple[Disagreement, ...]
    only_one: int

    @property
    def checks(self) -> int:
        return sum(n for n, _ in self.kinds.values())

    @property
    def agreed(self) -> int:
        return sum(agreed for _, agreed in self.kinds.values())

    @property
    def share(self) -> float | None:
        """None where there is no check that both decided."""
        return self.agreed / self.checks if self.checks else None


def agreement(first: Iterable[Grade], second: Iterable[Grade]) -> Agreement:
    """Compares two verifiers check by check; a verdict of ``unclear`` agrees only with ``unclear``.

    Raises:
        ValueError: a grade holds no readable checks.
        StatsUnavailable: statsmodels is missing.
    """
    mine, theirs = _by_check(first), _by_check(second)
    both = [key for key in mine if key in theirs]
    asked: Counter[str] = Counter(mine[key].kind for key in both)
    same: Counter[str] = Counter(mine[key].kind for key in both if mine[key].verdict is theirs[key].verdict)
    return Agreement(
        kinds={kind: (asked[kind], same[kind]) for kind in sorted(asked)},
        kappa=cohens_kappa((str(mine[key].verdict), str(theirs[key].verdict)) for key in both),
        disagreements=tuple(
            Disagreement(mine[key], theirs[key])
            for key in both
            if mine[key].verdict is not theirs[key].verdict
        ),
        only_one=len(set(mine) ^ set(theirs)),
    )


def _by_check(grades: Iterable[Grade]) -> dict[tuple[str, str], CheckedCall]:
    return {
        (entry.call_id, entry.check): entry
        for grade in sorted(grades, key=lambda grade: grade.call_id)
        for entry in checked_of(grade)
    }


def _results(checks: Sequence[Check], results: Sequence[CheckResult]) -> tuple[CheckResult, ...]:
    """One result a check, in order; what is missing, or was said of the wrong check, is unclear."""
    if len(results) != len(checks):
        raise ValueError(f"the verifier gave {len(results)} results for {len(checks)} checks")
    for check, result in zip(checks, results, strict=True):
        if result.check != check.id:
            raise ValueError(f"the verifier's result is of check {result.check!r}, expected {check.id!r}")
    return tuple(
        attrs.evolve(result, evidence=clean_text(result.evidence), why=clean_text(result.why))
        for result in results
    )


def _grade(
    verifier: Verifier, call_id: str, checks: Sequence[Check], results: Sequence[CheckResult]
) -> Grade:
    numbers: dict[str, float] = {}
    outcomes: dict[Assertion, Outcome] = {}
    for assertion in Assertion:
        mine = [
            result.verdict
            for check, result in zip(checks, results, strict=True)
            if check.assertion is assertion
        ]
        outcomes[assertion] = _OUTCOMES[_together(set(mine))]
        numbers[f"{assertion}_checks"] = float(len(mine))
        for name, verdict in (
            ("held", CheckVerdict.HOLDS),
            ("broken", CheckVerdict.BROKEN),
            ("unclear", CheckVerdict.UNCLEAR),
        ):
            numbers[f"{assertion}_{name}"] = float(mine.count(verdict))
        if outcomes[assertion] is not Outcome.UNCLEAR:
            numbers[f"{assertion}_passed"] = float(outcomes[assertion] is Outcome.PASS)
    return Grade(
        grader=verifier.name,
        version=verifier.version,
        kind=GradeKind.FINDING,
        call_id=call_id,
        outcome=_OUTCOMES[_together({result.verdict for result in results})],
        summary=_summary(checks, results),
        numbers=numbers,
        evidence={
            "assertions": {str(assertion): str(outcome) for assertion, outcome in outcomes.items()},
            "checks": [_entry(check, result) for check, result in zip(checks, results, strict=True)],
        },
    )


def _together(verdicts: set[CheckVerdict]) -> CheckVerdict:
    """All have to hold; nothing to hold is held."""
    if CheckVerdict.BROKEN in verdicts:
        return CheckVerdict.BROKEN
    return CheckVerdict.UNCLEAR if CheckVerdict.UNCLEAR in verdicts else CheckVerdict.HOLDS


def _entry(check: Check, result: CheckResult) -> Mapping[str, Any]:
    return {
        "id": check.id,
        "kind": check.kind,
        "assertion": str(check.assertion),
        "text": check.text,
        "verdict": str(result.verdict),
        "evidence": result.evidence,
        "why": result.why,
    }


def _summary(checks: Sequence[Check], results: Sequence[CheckResult]) -> str:
    """What is broken and what is left open, by assertion."""
    parts = [f"{sum(each.verdict is CheckVerdict.HOLDS for each in results)} of {len(results)} checks hold"]
    for verdict in (CheckVerdict.BROKEN, CheckVerdict.UNCLEAR):
        named = []
        for assertion, told in ASSERTION_NAMES.items():
            found = [
                check.id
                for check, result in zip(checks, results, strict=True)
                if check.assertion is assertion and result.verdict is verdict
            ]
            named += [f"{told} ({', '.join(found)})"] if found else []
        if named:
            parts.append(f"{verdict}: {', '.join(named)}")
    return "; ".join(parts)
