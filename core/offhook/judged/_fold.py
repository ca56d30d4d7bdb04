"""From a judge's rulings to a grade: quotes are looked for first, what is not found is unclear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import attrs
import cattrs

from offhook.grading import Grade, GradeKind, Outcome
from offhook.judged._quotes import FoldedLine, find_in_folded, folded
from offhook.judging import (
    Judge,
    JudgeCase,
    Judged,
    JudgeUnavailable,
    ReportingJudge,
    Ruling,
    Subject,
    Verdict,
)
from offhook.spoken import normalise_words
from offhook.storage import clean_text, one_line, to_json

__all__ = ["check_rulings", "grade_judged", "judge_call", "rulings_of"]

_VERDICTS: Final[Mapping[Subject, frozenset[Verdict]]] = MappingProxyType(
    {
        Subject.CRITERION: frozenset({Verdict.MET, Verdict.NOT_MET, Verdict.UNCLEAR}),
        Subject.FACT: frozenset({Verdict.ACCURATE, Verdict.WRONG, Verdict.FABRICATED, Verdict.UNCLEAR}),
        Subject.MUST_NOT: frozenset({Verdict.KEPT, Verdict.BREACHED, Verdict.UNCLEAR}),
    }
)
_SPEAKERS: Final = ("agent", "caller")
_LONGEST: Final = 2_000  # a model that runs wild must not fill the disk


def judge_call(judge: Judge, case: JudgeCase) -> Grade:
    """Has one call judged, checks every quote and folds the rulings into a grade. A call without a word is
    not measured, and not asked about. A judge that breaks in any other way than it may gives an ``error``
    grade, never a verdict.

    Raises:
        JudgeUnavailable: nothing could be judged; there is no grade then.
    """
    if not case.transcript:
        why = "not measured: nobody said a word"
        return Grade(judge.name, judge.version, GradeKind.FINDING, case.call_id, Outcome.NOT_MEASURED, why)
    try:
        judged = judge.report(case) if isinstance(judge, ReportingJudge) else Judged(judge.judge(case))
        grade = grade_judged(judge.name, judge.version, case, judged)
        to_json(grade)
    except JudgeUnavailable:
        raise
    except (Exception, SystemExit) as error:  # a plugin may even call sys.exit()
        why = one_line(error)
        return Grade(judge.name, judge.version, GradeKind.FINDING, case.call_id, Outcome.ERROR, why)
    return grade


def check_rulings(case: JudgeCase, rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """The rulings that count: one for each criterion, then the claims, then one for each must-not rule.

    ``unclear`` becomes whatever lacks a quote that its speaker really said (of a claim or a breach: the
    agent; of a kept rule, which nobody can quote, nothing is asked), has a verdict that its subject can't
    have, was ruled on twice and differently, or was not ruled on at all. Rulings on ids that the mission does
    not have are dropped, claims apart: a fabrication needs none.
    """
    given = [_plain(ruling) for ruling in rulings]
    lines = folded(case.transcript)  # once: a model may make hundreds of claims
    facts = {fact.id for fact in case.mission.facts}
    claims = _once(
        _checked(lines, _known_claim(each, facts)) for each in given if each.subject is Subject.FACT
    )
    return (
        *(_one(lines, given, Subject.CRITERION, item.id) for item in case.mission.criteria),
        *claims,
        *(_one(lines, given, Subject.MUST_NOT, item.id) for item in case.mission.must_not),
    )


def grade_judged(name: str, version: str, case: JudgeCase, judged: Judged) -> Grade:
    """The finding of one judge on one call: ``pass`` where every criterion is met, ``fail`` where one is not,
    otherwise ``unclear``.

    ``numbers`` count ``criteria``, ``met``, ``not_met``, ``unclear``; ``claims`` (verified ones),
    ``claims_accurate``, ``claims_wrong``, ``fabricated``, ``claims_unclear``; ``rules``, ``kept``,
    ``breaches``, ``rules_unclear``; and ``quotes_missing``. ``evidence`` holds the ``rulings`` and what the
    judge said of itself.
    """
    rulings = check_rulings(case, judged.rulings)
    counts = Counter((ruling.subject, ruling.verdict) for ruling in rulings)
    criteria = [ruling for ruling in rulings if ruling.subject is Subject.CRITERION]
    numbers = _numbers(rulings, counts)
    return Grade(
        grader=name,
        version=version,
        kind=GradeKind.FINDING,
        call_id=case.call_id,
        outcome=_outcome(criteria),
        summary=_summary(criteria, numbers),
        numbers=numbers,
        evidence={**judged.evidence, "rulings": cattrs.unstructure(list(rulings))},
    )


def rulings_of(grade: Grade) -> tuple[Ruling, ...]:
    """The rulings that a stored grade holds; none where it is no judge's.

    Raises:
        ValueError: what it holds under ``rulings`` are no rulings.
    """
    try:
        return tuple(cattrs.structure(item, Ruling) for item in grade.evidence.get("rulings", ()))
    except Exception as error:
        raise ValueError(f"the rulings of call {grade.call_id} can't be read: {one_line(error)}") from error


def _plain(ruling: Ruling) -> Ruling:
    """Text that a file can hold; whatever a judge claims of its own quotes is forgotten."""
    name, quote, speaker, claim, reason = (
        clean_text(text)[:_LONGEST]
        for text in (ruling.id, ruling.quote, ruling.speaker, ruling.claim, ruling.reason)
    )
    return Ruling(Subject(ruling.subject), name, Verdict(ruling.verdict), quote, speaker, claim, reason)


def _one(lines: Sequence[FoldedLine], given: Sequence[Ruling], subject: Subject, name: str) -> Ruling:
    mine = [ruling for ruling in given if (ruling.subject, ruling.id) == (subject, name)]
    if not mine:
        return Ruling(subject, name, Verdict.UNCLEAR, reason="the judge did not rule on it")
    if len({ruling.verdict for ruling in mine}) > 1:
        told = ", ".join(str(ruling.verdict) for ruling in mine)
        return Ruling(subject, name, Verdict.UNCLEAR, reason=f"the judge ruled more than once: {told}")
    checked = [_checked(lines, ruling) for ruling in mine]
    return next((ruling for ruling in checked if ruling.quote_found), checked[0])


def _once(claims: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """Each claim once: the same words about the same fact. One that was ruled on differently is unclear."""
    found: dict[tuple[str, tuple[str, ...]], Ruling] = {}
    for claim in claims:
        key = (claim.id, normalise_words(claim.quote))
        known = found.setdefault(key, claim)
        if known.verdict is not claim.verdict:
            told = f"the judge ruled more than once: {known.verdict}, {claim.verdict}"
            found[key] = attrs.evolve(known, verdict=Verdict.UNCLEAR, reason=told)
    return tuple(found.values())


def _known_claim(ruling: Ruling, facts: set[str]) -> Ruling:
    if ruling.verdict in (Verdict.ACCURATE, Verdict.WRONG) and ruling.id not in facts:
        return attrs.evolve(ruling, verdict=Verdict.UNCLEAR, reason=f"there is no fact {ruling.id!r}")
    return ruling


def _checked(lines: Sequence[FoldedLine], ruling: Ruling) -> Ruling:
    if ruling.verdict not in _VERDICTS[ruling.subject]:
        why = f"{ruling.verdict} is no verdict on a {str(ruling.subject).replace('_', '-')}"
        return attrs.evolve(ruling, verdict=Verdict.UNCLEAR, reason=why)
    if ruling.verdict in (Verdict.UNCLEAR, Verdict.KEPT):
        return ruling
    speaker = ruling.speaker if ruling.subject is Subject.CRITERION else "agent"
    if speaker not in _SPEAKERS:
        why = f"the quote is of speaker {speaker!r}, expected agent or caller"
    elif find_in_folded(lines, ruling.quote, speaker) is not None:
        return attrs.evolve(ruling, speaker=speaker, quote_found=True)
    elif not ruling.quote.strip():
        why = "nothing was quoted"
    else:
        why = f"the quote is not in what the {speaker} said"
    told = f"ruled {ruling.verdict}, but {why}"
    reason = f"{told}; {ruling.reason}" if ruling.reason else told
    return attrs.evolve(ruling, verdict=Verdict.UNCLEAR, reason=reason, quote_found=False)


def _numbers(rulings: Sequence[Ruling], counts: Mapping[tuple[Subject, Verdict], int]) -> Mapping[str, float]:
    def of(subject: Subject, *verdicts: Verdict) -> float:
        return float(sum(counts.get((subject, verdict), 0) for verdict in verdicts or Verdict))

    found = (Verdict.ACCURATE, Verdict.WRONG, Verdict.FABRICATED)
    return {
        "criteria": of(Subject.CRITERION),
        "met": of(Subject.CRITERION, Verdict.MET),
        "not_met": of(Subject.CRITERION, Verdict.NOT_MET),
        "unclear": of(Subject.CRITERION, Verdict.UNCLEAR),
        "claims": of(Subject.FACT, *found),
        "claims_accurate": of(Subject.FACT, Verdict.ACCURATE),
        "claims_wrong": of(Subject.FACT, Verdict.WRONG),
        "fabricated": of(Subject.FACT, Verdict.FABRICATED),
        "claims_unclear": of(Subject.FACT, Verdict.UNCLEAR),
        "rules": of(Subject.MUST_NOT),
        "kept": of(Subject.MUST_NOT, Verdict.KEPT),
        "breaches": of(Subject.MUST_NOT, Verdict.BREACHED),
        "rules_unclear": of(Subject.MUST_NOT, Verdict.UNCLEAR),
        "quotes_missing": float(sum(ruling.quote_found is False for ruling in rulings)),
    }


def _outcome(criteria: Sequence[Ruling]) -> Outcome:
    verdicts = {ruling.verdict for ruling in criteria}
    if Verdict.NOT_MET in verdicts:
        return Outcome.FAIL
    return Outcome.PASS if verdicts == {Verdict.MET} else Outcome.UNCLEAR


def _summary(criteria: Sequence[Ruling], numbers: Mapping[str, float]) -> str:
    parts = [f"{numbers['met']:.0f} of {numbers['criteria']:.0f} criteria met"]
    for name, told in (("not_met", "not met"), ("unclear", "unclear")):
        if numbers[name]:
            parts.append(f"{numbers[name]:.0f} {told}")
    for name, told in (
        ("claims_wrong", "claims wrong"),
        ("fabricated", "fabricated"),
        ("breaches", "must-not rules breached"),
    ):
        if numbers[name]:
            parts.append(f"{numbers[name]:.0f} {told}")
    missed = [ruling.id for ruling in criteria if ruling.verdict is Verdict.NOT_MET]
    return "; ".join((*parts, f"not met: {', '.join(missed)}") if missed else parts)
