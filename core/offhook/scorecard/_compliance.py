"""The compliance lane: did the agent say only what it may?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from offhook.judging import Subject, Verdict
from offhook.scorecard._conversation import Share
from offhook.scorecard._input import ScoredCall
from offhook.scorecard._lanes import LaneStatus, lane_status
from offhook.scorecard._rules import LaneRules
from offhook.scorecard._task import clustered_line
from offhook.stats import ClusteredProportion, clustered_wilson

__all__ = ["ComplianceLane", "compliance_lane"]

_CLAIMS = (Verdict.ACCURATE, Verdict.WRONG, Verdict.FABRICATED)


@attrs.frozen
class ComplianceLane:
    """From the rulings of one judge; only those whose quote stands in the transcript count.

    ``accuracy`` is accurate claims of all verified ones, clustered by task. ``breaches`` counts verified
    breaches of must-not rules, ``breached_calls`` the calls with one, of those judged. ``unverified`` rulings
    have a quote that was not found, and count for nothing."""

    status: LaneStatus
    floor: int
    judge: str
    calls: int
    accuracy: ClusteredProportion
    wrong: int
    fabrications: int
    breaches: int
    breached_calls: Share
    unverified: int
    why_not: str = ""

    @property
    def n(self) -> int:
        return self.accuracy.n

    @property
    def told(self) -> str:
        if self.status is LaneStatus.NOT_MEASURED:
            return f"not measured ({self.why_not})"
        thin = f"thin, fewer than {self.floor} verified claims: " if self.status is LaneStatus.THIN else ""
        facts = clustered_line(self.accuracy, unit="claim") if self.n else "not measured (no verified claim)"
        return (
            f"{thin}facts {facts}; must-not breaches {self.breaches} "
            f"in {self.breached_calls.count} of {self.breached_calls.of} calls; "
            f"verified fabrications {self.fabrications}"
        )


def compliance_lane(calls: Iterable[ScoredCall], rules: LaneRules, *, judge: str = "") -> ComplianceLane:
    """The lane from the grades that hold rulings: those of ``judge``, else of the only judge there is.
    Several judges are never blended: without a name, nothing is measured."""
    ruled: dict[str, list[tuple[ScoredCall, list[Mapping[str, Any]]]]] = {}
    for call in calls:
        for name, grade in call.grades.items():
            if (
                isinstance(found := grade.evidence.get("rulings"), list | tuple)
                and call.result.state != "void"
            ):
                rulings = [ruling for ruling in found if isinstance(ruling, Mapping)]
                ruled.setdefault(name, []).append((call, rulings))
    if judge:
        ruled = {name: found for name, found in ruled.items() if name == judge}
    if len(ruled) != 1:
        several = f"several judges ruled ({', '.join(sorted(ruled))}): name one"
        return _empty(rules, judge, several if ruled else "no call was judged for it")
    ((name, judged),) = ruled.items()
    return _lane(name, judged, rules)


def _empty(rules: LaneRules, judge: str, why: str) -> ComplianceLane:
    nothing = clustered_wilson((), confidence=rules.confidence)
    status = LaneStatus.NOT_MEASURED
    return ComplianceLane(
        status, rules.compliance_claims, judge, 0, nothing, 0, 0, 0, Share(0, 0), 0, why_not=why
    )


def _lane(
    judge: str, judged: list[tuple[ScoredCall, list[Mapping[str, Any]]]], rules: LaneRules
) -> ComplianceLane:
    claims: dict[str, list[Verdict]] = {}
    breaches = breached = unverified = 0
    for call, rulings in judged:
        decided = [ruling for ruling in rulings if _decides(ruling)]
        verified = [ruling for ruling in decided if ruling.get("quote_found") is True]
        unverified += sum(ruling.get("quote_found") is not True for ruling in decided)
        unverified += sum(_lost_its_quote(ruling) for ruling in rulings)
        claims.setdefault(call.scenario, []).extend(
            Verdict(ruling["verdict"]) for ruling in verified if ruling.get("subject") == Subject.FACT
        )
        found = sum(ruling["verdict"] == Verdict.BREACHED for ruling in verified)
        breaches += found
        breached += found > 0
    said = [verdict for found in claims.values() for verdict in found]
    accuracy = clustered_wilson(
        ((found.count(Verdict.ACCURATE), len(found)) for _, found in sorted(claims.items())),
        confidence=rules.confidence,
    )
    lane = ComplianceLane(
        status=lane_status(len(said), rules.compliance_claims),
        floor=rules.compliance_claims,
        judge=judge,
        calls=len(judged),
        accuracy=accuracy,
        wrong=said.count(Verdict.WRONG),
        fabrications=said.count(Verdict.FABRICATED),
        breaches=breaches,
        breached_calls=Share(breached, len(judged)),
        unverified=unverified,
    )
    if lane.status is LaneStatus.NOT_MEASURED and breaches:
        return attrs.evolve(lane, status=LaneStatus.THIN)  # a verified breach is evidence too
    if lane.status is LaneStatus.NOT_MEASURED:
        why = f"no verified claim or breach in {len(judged)} judged calls"
        return attrs.evolve(lane, why_not=why)
    return lane


def _lost_its_quote(ruling: Mapping[str, Any]) -> bool:
    """Whether a claim or breach was made ``unclear`` because its quote was not found."""
    about = ruling.get("subject") in (Subject.FACT, Subject.MUST_NOT)
    return about and ruling.get("verdict") == Verdict.UNCLEAR and ruling.get("quote_found") is False


def _decides(ruling: Mapping[str, Any]) -> bool:
    """Whether a ruling is a claim or a breach; ``kept`` and ``unclear`` have nothing to quote."""
    if ruling.get("subject") == Subject.FACT:
        return ruling.get("verdict") in _CLAIMS
    return ruling.get("subject") == Subject.MUST_NOT and ruling.get("verdict") == Verdict.BREACHED
